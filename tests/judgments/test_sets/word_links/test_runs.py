"""Links are requested, proposed by a worker, and compared with those of people."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from judgments.files.rows import Frozen
from judgments.models import (
    AlignerRun,
    AlignmentLink,
    JobStatus,
    Output,
    PrefilledLink,
)
from judgments.models.jobs import LOST
from judgments.results.links.aligner_links import aligner_report
from judgments.results.selection.selection import Selection
from judgments.test_sets.word_links import asking, runs
from judgments.web import short_tasks
from tests import factory
from tests.judgments.test_sets.word_links.bitext import make_bitext

from .linked_campaigns import campaign_of, done, esa

pytestmark = pytest.mark.django_db


def test_links_are_proposed_for_every_translation(people, client):
    campaign = campaign_of(people, "word-alignment")
    client.force_login(people["owner"])
    page = reverse("proposed-links", args=[campaign.pk])
    response = client.post(reverse("links-make", args=[campaign.pk]), {"purpose": "proposal"})
    assert response.headers["Location"] == page
    assert "Waiting for a worker" in client.get(page).text
    run = done(campaign, "proposal")
    assert (
        run.n_pairs == run.n_given == 52
    )  # two forms of 12 sources; outputs, 2 shorter ones, references
    segment = campaign.test_set.segments.get(key="1")
    output = segment.outputs.get(system__name="Full")
    links = PrefilledLink.objects.filter(campaign=campaign, output=output)
    found = {(link.source_token, link.target_token): link.is_sure for link in links}
    # Der Hund schläft im Garten . / The dog sleeps in the garden .
    assert {(1, 1), (2, 2), (4, 5), (5, 6)} <= found.keys()
    assert found[1, 1] and found[4, 5]
    html = client.get(page).text
    assert "Current proposed links" in html and "52 pairs of texts" in html


def test_links_of_few_texts_do_not_wait_behind_what_takes_minutes(people, client, monkeypatch):
    """Each comparison requested on the page is a task in the queue that fits its texts."""
    campaign = campaign_of(people, "word-alignment")
    client.force_login(people["owner"])
    address = reverse("links-make", args=[campaign.pk])

    def queue() -> str:
        DBTaskResult.objects.all().delete()
        AlignerRun.objects.all().delete()
        assert client.post(address, {"purpose": "comparison"}).status_code == 302
        return DBTaskResult.objects.get().queue_name

    assert queue() == "short"
    n_outputs = Output.objects.filter(system__test_set=campaign.test_set).count()
    monkeypatch.setattr(short_tasks, "MOST_OUTPUTS", n_outputs)
    assert queue() == "short"
    monkeypatch.setattr(short_tasks, "MOST_CHARACTERS", 100)
    assert queue() == "slow"
    monkeypatch.setattr(short_tasks, "MOST_OUTPUTS", n_outputs - 1)
    assert queue() == "slow"


def test_sure_is_what_both_directions_link(people):
    campaign = campaign_of(people, "word-alignment")
    asking.ask(campaign, "proposal", method="union")
    done(campaign, "proposal")
    sure = set(PrefilledLink.objects.filter(is_sure=True).values_list(*PLACES))
    every = set(PrefilledLink.objects.values_list(*PLACES))
    asking.ask(campaign, "proposal", method="intersection")
    done(campaign, "proposal")
    both = PrefilledLink.objects.values_list(*PLACES, "is_sure")
    assert {row[:3] for row in both} == sure < every
    assert all(row[3] for row in both)


PLACES = ("output_id", "source_token", "target_token")


def test_all_are_sure_where_nothing_is_possible(people):
    campaign = campaign_of(people, "word-alignment", possible_links=False)
    asking.ask(campaign, "proposal", method="union")
    done(campaign, "proposal")
    assert PrefilledLink.objects.exists()
    assert not PrefilledLink.objects.filter(is_sure=False).exists()


def test_links_that_are_brought_are_not_said_to_be_the_aligners(people, client):
    campaign = campaign_of(people, "word-alignment")
    asking.ask(campaign, "proposal")
    done(campaign, "proposal")
    table = SimpleUploadedFile("links.tsv", b"system\tsegment\tlinks\nFull\t1\t0-0\n")
    client.force_login(people["owner"])
    page = reverse("proposed-links", args=[campaign.pk])
    assert client.post(page, {"table": table}).status_code == 302
    assert PrefilledLink.objects.count() == 1
    assert "The aligner learned" not in client.get(page).text
    assert not AlignerRun.objects.exists()


def test_no_proposals_once_people_have_begun(people, client):
    campaign = campaign_of(people, "word-alignment")
    task = factory.make_task(campaign, people["annotator"], n_outputs=1)
    factory.judge(task.items.first(), {})
    with pytest.raises(Frozen):
        asking.ask(campaign, "proposal")
    client.force_login(people["owner"])
    page = client.get(reverse("proposed-links", args=[campaign.pk])).text
    assert "Propose links" not in page
    client.post(reverse("links-make", args=[campaign.pk]), {"purpose": "proposal"})
    assert not AlignerRun.objects.exists()


def test_people_who_begin_meanwhile_keep_what_they_were_given(people):
    campaign = campaign_of(people, "word-alignment")
    run = asking.ask(campaign, "proposal")
    task = factory.make_task(campaign, people["annotator"], n_outputs=1)
    factory.judge(task.items.first(), {})
    assert runs.work(run.pk)
    run.refresh_from_db()
    assert run.status == JobStatus.FAILED and "judging has started" in run.message
    assert not PrefilledLink.objects.exists()


def test_a_run_is_made_once(people):
    campaign = campaign_of(people, "word-alignment")
    run = asking.ask(campaign, "proposal")
    with pytest.raises(runs.NotAsked, match="already"):
        asking.ask(campaign, "proposal")
    assert runs.work(run.pk)
    assert not runs.work(run.pk)


def test_texts_of_several_sentences_are_linked_sentence_by_sentence(people):
    test_set = make_bitext(people["owner"])
    segment = test_set.segments.get(key="1")
    others = ["Die Katze schläft im Haus .", "Der Mann kauft ein Haus ."]
    segment.source = " ".join([segment.source, *others])
    segment.save()
    text = "The dog sleeps in the garden . The cat sleeps in the house . The man buys a house ."
    output = segment.outputs.get(system__name="Full")
    Output.objects.filter(pk=output.pk).update(text=text)
    campaign = campaign_of(people, "word-alignment", test_set=test_set)
    asking.ask(campaign, "proposal", method="union")
    done(campaign, "proposal")
    found = PrefilledLink.objects.filter(output=output).values_list("source_token", "target_token")
    ends = [(6, 7), (12, 14), (18, 20)]  # words before the end of each sentence
    place = lambda word, side: sum(word >= each[side] for each in ends)  # noqa: E731
    assert {place(i, 0) for i, _ in found} == {0, 1, 2}
    assert all(place(i, 0) == place(j, 1) for i, j in found)


def test_a_run_whose_worker_is_gone_is_asked_for_again(people, client):
    campaign = campaign_of(people, "word-alignment")
    asking.ask(campaign, "proposal")
    client.force_login(people["owner"])
    page = reverse("proposed-links", args=[campaign.pk])
    assert ">Propose links<" not in client.get(page).text
    AlignerRun.objects.update(status=JobStatus.RUNNING, moved_at=timezone.now() - 2 * LOST)
    assert ">Propose links<" in client.get(page).text
    asking.ask(campaign, "proposal")
    done(campaign, "proposal")


def test_people_are_compared_with_the_aligner(people, client):
    campaign = campaign_of(people, "word-alignment")
    segments = list(campaign.test_set.segments.all()[:6])
    task = factory.make_task(campaign, people["annotator"], segments=segments, n_outputs=1)
    asking.ask(campaign, "proposal", method="intersection")
    done(campaign, "proposal")
    for item in task.items.all():
        judgment = factory.judge(item, {})
        output = item.shown.get().output
        for link in PrefilledLink.objects.filter(output=output):
            AlignmentLink.objects.create(
                judgment=judgment,
                output=output,
                source_token=link.source_token,
                target_token=link.target_token,
            )
    client.force_login(people["owner"])
    page = reverse("word-links", args=[campaign.pk])
    assert "Compare with the aligner" in client.get(page).text
    client.post(reverse("links-make", args=[campaign.pk]), {"purpose": "comparison"})
    done(campaign, "comparison")
    report = aligner_report(Selection.of(campaign))
    error = dict(zip(report.methods, report.every, strict=True))
    assert len(error) == 6
    # Who keeps exactly the intersection agrees with it wholly, and with the union less.
    assert error["diagonal intersection"].aer == 0
    assert error["diagonal intersection"].precision == error["diagonal union"].recall == 1
    assert error["diagonal union"].aer > 0
    assert report.annotators == ("annotator",) and report.n_without == 0
    html = client.get(page).text
    assert "People and an aligner" in html and "Nearest to what people linked" in html
    table = client.get(reverse("export-table", args=[campaign.pk, "aligner-annotators"]))
    assert table.status_code == 200
    assert len(table.text.splitlines()) == 1 + 6


def test_refused_to_others(people, client):
    campaign = esa(people, word_links=True)
    addresses = {
        "post": [reverse("links-make", args=[campaign.pk])],
        "get": [
            reverse("shown-links", args=[campaign.pk]),
            reverse("links-progress", args=[campaign.pk, "reading"]),
        ],
    }
    for who in ("annotator", "outsider"):
        client.force_login(people[who])
        for method, listed in addresses.items():
            for address in listed:
                assert getattr(client, method)(address, {"purpose": "reading"}).status_code in (
                    403,
                    404,
                )
    assert not AlignerRun.objects.exists()
