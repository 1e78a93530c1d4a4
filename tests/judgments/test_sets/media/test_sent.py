"""Media of sources: who gets them, how they are sent, and where they are heard and seen."""

import pytest
from django.test import Client
from django.urls import reverse

from judgments.models import MediaFile, Membership
from judgments.plans import design
from judgments.plans.settings import PlanSettings
from tests import factory

from .spoken import FILES, spoken_test_set

pytestmark = pytest.mark.django_db


@pytest.fixture
def judged(owner):
    """A campaign in which one annotator has the first two segments, and another none."""
    test_set = spoken_test_set(owner)
    annotators = [factory.make_user(name) for name in ("has-items", "has-none")]
    campaign = factory.make_campaign(
        test_set, preset="direct-assessment", owner=owner, annotators=annotators
    )
    segments = list(test_set.segments.order_by("position")[:2])
    factory.make_task(campaign, annotators[0], segments=segments, n_outputs=1)
    return campaign


def got(user, name="talk.wav", method="get", **headers):
    client = Client()
    if user is not None:
        client.force_login(user)
    address = reverse("media", args=[MediaFile.objects.get(name=name).pk])
    return getattr(client, method)(address, headers=headers)


def named(username):
    return factory.get_user_model().objects.get(username=username)


def test_only_those_who_judge_or_run_it_get_a_file(judged, owner):
    outsider = factory.make_user("outsider", is_staff=True)
    assert got(None).status_code == 302
    assert got(outsider).status_code == 404
    assert got(named("has-none")).status_code == 404
    assert got(owner).status_code == 200
    annotator = named("has-items")
    assert b"".join(got(annotator).streaming_content) == FILES["talk.wav"]
    assert got(annotator, "talk.vtt").status_code == 200
    assert got(annotator, "pictures/dot.png").status_code == 404  # of a segment they do not have
    assert got(owner, method="post").status_code == 405
    Membership.objects.filter(user=annotator).update(removed_at=judged.created_at)
    assert got(annotator).status_code == 404


def test_a_source_that_is_held_back_is_not_heard(judged):
    annotator = named("has-items")
    judged.options |= {"show_source": False, "show_reference": True}
    judged.save()
    assert got(annotator).status_code == 404
    page = screen(judged, annotator)
    assert "data-media" not in page


def test_how_a_file_is_sent(judged, owner):
    answer = got(owner)
    assert answer["Content-Type"] == "audio/wav"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Content-Security-Policy"].startswith("sandbox; default-src 'none'")
    assert answer["Content-Disposition"] == 'inline; filename="source.wav"'
    assert answer["Cache-Control"].startswith("private")
    assert int(answer["Content-Length"]) == len(FILES["talk.wav"])
    assert got(owner, "talk.vtt")["Content-Type"] == "text/vtt; charset=utf-8"
    head = got(owner, method="head")
    assert (head.status_code, head.content) == (200, b"")


@pytest.mark.parametrize(
    ("asked", "status", "part"),
    [
        ("bytes=0-9", 206, slice(0, 10)),
        ("bytes=100-", 206, slice(100, None)),
        ("bytes=-20", 206, slice(-20, None)),
        ("bytes=9999999-", 416, None),
        ("bytes=0-1,5-9", 200, slice(None)),
        ("lines=1-2", 200, slice(None)),
        ("bytes=x-y", 200, slice(None)),
    ],
)
def test_parts_of_a_file(judged, owner, asked, status, part):
    answer = got(owner, range=asked)
    assert answer.status_code == status
    if part is not None:
        expected = FILES["talk.wav"][part]
        assert b"".join(answer.streaming_content) == expected
        assert int(answer["Content-Length"]) == len(expected)


def test_it_is_not_sent_twice(judged, owner):
    tag = got(owner)["ETag"]
    assert got(owner, if_none_match=tag).status_code == 304


def test_a_file_that_is_gone_is_not_found(judged, owner, media_root):
    for path in media_root.rglob("*"):
        if path.is_file():
            path.unlink()
    assert got(owner).status_code == 404


# ---- On the screen ---------------------------------------------------------------------------


def screen(campaign, annotator, number=1):
    client = Client()
    client.force_login(annotator)
    return client.get(reverse("judge-item", args=[campaign.pk, number])).content.decode()


def test_the_screen_plays_it_at_the_source(judged):
    page = screen(judged, named("has-items"))
    address = reverse("media", args=[MediaFile.objects.get(name="talk.wav").pk])
    captions = reverse("media", args=[MediaFile.objects.get(name="talk.vtt").pk])
    source = page.partition('data-part="source"')[2].partition("</details>")[0]
    assert f'src="{address}"' in source
    assert f'<track kind="captions" src="{captions}" srclang="de"' in source
    assert "js/judging/media" in page
    second = screen(judged, named("has-items"), 2)
    assert f'src="{address}#t=0.05,0.15"' in second
    assert 'data-start="0.05"' in second


def test_nothing_on_it_tells_what_somebody_called_the_file(judged):
    page = screen(judged, named("has-items"))
    file = MediaFile.objects.get(name="talk.wav")
    assert "talk.wav" not in page
    assert file.sha256 not in page


def test_without_media_nothing_is_asked_or_loaded(owner, django_assert_num_queries):
    test_set = factory.make_test_set(owner)
    annotator = factory.make_user("annotator")
    campaign = factory.make_campaign(test_set, preset="direct-assessment", annotators=[annotator])
    factory.make_task(campaign, annotator, n_outputs=1)
    page = screen(campaign, annotator)
    assert "js/judging/media" not in page
    assert "data-media" not in page


def test_pages_of_the_desk_show_it(judged, owner):
    client = Client()
    client.force_login(owner)
    segment = judged.test_set.segments.get(key="1")
    for address in (
        reverse("test-set", args=[judged.test_set_id]),
        reverse("segment", args=[judged.pk, segment.pk]),
    ):
        assert "<audio" in client.get(address).content.decode()


# ---- Whole documents -------------------------------------------------------------------------


@pytest.fixture
def whole(owner):
    """Two systems' documents, each on one screen of one annotator."""
    test_set = spoken_test_set(owner)
    test_set.segments.filter(key="2").update(gloss="word by word")
    annotator = factory.make_user("reader")
    campaign = factory.make_campaign(
        test_set, preset="document-assessment", owner=owner, annotators=[annotator]
    )
    design.plan(campaign, PlanSettings(batch_items=50))
    campaign.tasks.update(annotator=annotator)
    return campaign


def test_a_whole_document_has_them_at_each_paragraph(whole):
    page = screen(whole, named("reader"))
    assert page.count("<audio") == 2
    assert page.count("<img") == 1
    assert page.count("data-media-key") == 0
    assert page.index("word by word") > page.index("Moin.")
    for name in ("talk.wav", "talk.vtt", "pictures/dot.png"):
        assert got(named("reader"), name).status_code == 200
    assert got(factory.make_user("other")).status_code == 404


def test_a_document_without_its_source_has_none(whole):
    whole.options |= {"source_document": False}
    whole.save()
    page = screen(whole, named("reader"))
    assert "data-media " not in page
    assert "word by word" not in page
    assert got(named("reader")).status_code == 404
