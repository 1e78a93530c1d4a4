"""Links are asked for, made in the background, and shown; nothing of them tells a control item."""

import gzip
import random
import re

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import DatabaseError, transaction
from django.urls import reverse
from django.utils import timezone

from judgments.assignment.design import plan
from judgments.assignment.plan_settings import PlanSettings
from judgments.deletion import delete_campaign
from judgments.erasure import erase
from judgments.importing import Frozen
from judgments.models import (
    AlignerRun,
    AlignmentLink,
    AlteredOutput,
    Item,
    ItemOutput,
    Kind,
    Output,
    OutputLinks,
    PrefilledLink,
    RunState,
    ShownHints,
)
from judgments.protocols import PRESETS
from judgments.results.aligner_links import aligner_report
from judgments.results.selection import Selection
from judgments.word_links import runs
from judgments.word_links.making import make
from judgments.word_links.screen import digest_of
from tests import factory
from tests.judgments.views.judge_pages import ticket_in
from tests.judgments.word_links.bitext import make_bitext

pytestmark = pytest.mark.django_db


@pytest.fixture
def people():
    return {name: factory.make_user(name) for name in ("owner", "annotator", "outsider")}


def campaign_of(people, preset, *, test_set=None, **options):
    test_set = test_set or make_bitext(people["owner"])
    return factory.make_campaign(
        test_set,
        preset=preset,
        owner=people["owner"],
        annotators=[people["annotator"]],
        options=PRESETS[preset].options | options,
    )


def done(campaign, purpose):
    """The run after a worker has taken it up."""
    run = AlignerRun.objects.get(campaign=campaign, purpose=purpose)
    assert runs.work(run.pk)
    run.refresh_from_db()
    assert run.state == RunState.DONE, run.problem
    return run


def planned(campaign, **settings):
    plan(campaign, PlanSettings(batch_words=10**6, **settings))
    task = factory.seat(campaign.tasks.get(), campaign.memberships.get(role="annotator").user)
    return task or campaign.tasks.get()


# ---- Proposals -----------------------------------------------------------------------------------


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


def test_sure_is_what_both_directions_link(people):
    campaign = campaign_of(people, "word-alignment")
    runs.ask(campaign, "proposal", method="union")
    done(campaign, "proposal")
    sure = set(PrefilledLink.objects.filter(is_sure=True).values_list(*PLACES))
    every = set(PrefilledLink.objects.values_list(*PLACES))
    runs.ask(campaign, "proposal", method="intersection")
    done(campaign, "proposal")
    both = PrefilledLink.objects.values_list(*PLACES, "is_sure")
    assert {row[:3] for row in both} == sure < every
    assert all(row[3] for row in both)


PLACES = ("output_id", "source_token", "target_token")


def test_all_are_sure_where_nothing_is_possible(people):
    campaign = campaign_of(people, "word-alignment", possible_links=False)
    runs.ask(campaign, "proposal", method="union")
    done(campaign, "proposal")
    assert PrefilledLink.objects.exists()
    assert not PrefilledLink.objects.filter(is_sure=False).exists()


def test_links_that_are_brought_are_not_said_to_be_the_aligners(people, client):
    campaign = campaign_of(people, "word-alignment")
    runs.ask(campaign, "proposal")
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
        runs.ask(campaign, "proposal")
    client.force_login(people["owner"])
    page = client.get(reverse("proposed-links", args=[campaign.pk])).text
    assert "Propose links" not in page
    client.post(reverse("links-make", args=[campaign.pk]), {"purpose": "proposal"})
    assert not AlignerRun.objects.exists()


def test_people_who_begin_meanwhile_keep_what_they_were_given(people):
    campaign = campaign_of(people, "word-alignment")
    run = runs.ask(campaign, "proposal")
    task = factory.make_task(campaign, people["annotator"], n_outputs=1)
    factory.judge(task.items.first(), {})
    assert runs.work(run.pk)
    run.refresh_from_db()
    assert run.state == RunState.FAILED and "judging has started" in run.problem
    assert not PrefilledLink.objects.exists()


def test_a_run_is_made_once(people):
    campaign = campaign_of(people, "word-alignment")
    run = runs.ask(campaign, "proposal")
    with pytest.raises(runs.NotAsked, match="already"):
        runs.ask(campaign, "proposal")
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
    runs.ask(campaign, "proposal", method="union")
    done(campaign, "proposal")
    found = PrefilledLink.objects.filter(output=output).values_list("source_token", "target_token")
    ends = [(6, 7), (12, 14), (18, 20)]  # words before the end of each sentence
    place = lambda word, side: sum(word >= each[side] for each in ends)  # noqa: E731
    assert {place(i, 0) for i, _ in found} == {0, 1, 2}
    assert all(place(i, 0) == place(j, 1) for i, j in found)


# ---- For those who judge -------------------------------------------------------------------------


def esa(people, **options):
    return campaign_of(people, "esa", outputs_per_item=1, **options)


def linked_texts(html):
    return re.findall(r'data-word-links="([^"]*)"', html)


def test_a_plan_has_links_made_also_of_altered_texts(people, client):
    campaign = esa(people, word_links=True)
    planned(campaign, degraded=2)
    assert AlteredOutput.objects.exists()
    client.force_login(people["annotator"])
    address = reverse("judge-item", args=[campaign.pk, 1])
    assert not linked_texts(client.get(address).text)
    done(campaign, "reading")
    linked = set(OutputLinks.objects.exclude(altered=None).values_list("altered", flat=True))
    assert linked == set(AlteredOutput.objects.values_list("pk", flat=True))
    assert OutputLinks.objects.filter(altered=None).count() == Output.objects.count()
    for number in range(1, Item.objects.count() + 1):
        html = client.get(reverse("judge-item", args=[campaign.pk, number])).text
        assert len(linked_texts(html)) == 1
        assert "data-hints" not in html and 'name="hints"' not in html


def test_a_new_plan_takes_links_from_all_screens_until_they_are_made(people, client):
    campaign = esa(people, word_links=True)
    planned(campaign, degraded=2)
    done(campaign, "reading")
    campaign.tasks.update(annotator=None)
    planned(campaign, degraded=2)
    client.force_login(people["annotator"])
    shown = [
        client.get(reverse("judge-item", args=[campaign.pk, number])).text for number in (1, 2, 3)
    ]
    assert not any(map(linked_texts, shown))


def test_a_worker_of_an_earlier_plan_stores_nothing(people):
    """A new plan came while links were made: those are not of its altered texts."""
    campaign = esa(people, word_links=True)
    planned(campaign, degraded=2)
    run = AlignerRun.objects.get()
    AlignerRun.objects.update(state=RunState.RUNNING)
    campaign.tasks.update(annotator=None)
    planned(campaign, degraded=2)
    AlignerRun.objects.update(state=RunState.RUNNING)  # another worker has begun on the new plan
    make(run, runs.the_aligner())
    assert not OutputLinks.objects.exists()
    run.refresh_from_db()
    assert run.turn == 2
    make(run, runs.the_aligner())
    assert OutputLinks.objects.filter(altered__isnull=False).exists()


def test_a_run_whose_worker_is_gone_is_asked_for_again(people, client):
    campaign = campaign_of(people, "word-alignment")
    runs.ask(campaign, "proposal")
    client.force_login(people["owner"])
    page = reverse("proposed-links", args=[campaign.pk])
    assert ">Propose links<" not in client.get(page).text
    AlignerRun.objects.update(state=RunState.RUNNING, moved_at=timezone.now() - 2 * runs.LOST)
    assert ">Propose links<" in client.get(page).text
    runs.ask(campaign, "proposal")
    done(campaign, "proposal")


def test_no_links_where_the_campaign_does_not_say_so(people, client):
    campaign = esa(people)
    planned(campaign)
    assert not AlignerRun.objects.exists()
    client.force_login(people["owner"])
    assert client.get(reverse("shown-links", args=[campaign.pk])).status_code == 404
    client.post(reverse("links-make", args=[campaign.pk]), {"purpose": "reading"})
    assert not AlignerRun.objects.exists()


def test_no_links_where_the_source_is_held_back(people, client):
    campaign = esa(people, word_links=True, omission_hints=True, show_source=False)
    planned(campaign)
    done(campaign, "reading")
    client.force_login(people["annotator"])
    html = client.get(reverse("judge-item", args=[campaign.pk, 1])).text
    assert "data-word-links" not in html and "data-hints" not in html


def test_an_altered_text_is_linked_and_hinted_at_as_an_output_that_reads_so(people, client):
    """The same words get the same attributes, whether a control item shows them or not; and without
    other texts nothing is hinted at in either."""
    for references in (True, False):
        times = 3 if references else 1  # or other segments would have the same source
        test_set = make_bitext(people["owner"], times=times, references=references)
        if not references:
            test_set.systems.get(name="Short").delete()
        campaign = esa(people, word_links=True, omission_hints=True)
        campaign.test_set = test_set
        campaign.save()
        planned(campaign, equal_once=False)
        number = item_of(campaign, "4", "Full")
        item = Item.objects.get(task__campaign=campaign, position=number - 1)
        row = item.shown.select_related("output").get()
        altered = AlteredOutput.objects.create(
            campaign=campaign, output=row.output, text="The cat drinks milk .", rule="silent"
        )
        ItemOutput.objects.filter(pk=row.pk).update(altered=altered)
        Item.objects.filter(pk=item.pk).update(kind=Kind.DEGRADED)
        done(campaign, "reading")
        client.force_login(people["annotator"])
        address = reverse("judge-item", args=[campaign.pk, number])
        as_control = attributes(client.get(address).text)
        Item.objects.filter(pk=item.pk).update(kind=Kind.REGULAR)
        ItemOutput.objects.filter(pk=row.pk).update(altered=None)
        Output.objects.filter(pk=row.output_id).update(text=altered.text)
        altered.delete()
        runs.start(campaign, "reading", "diagonal", "grow-diag-final-and")
        done(campaign, "reading")
        as_output = attributes(client.get(address).text)
        assert as_control[1:] == as_output[1:]
        assert bool(as_control[1]) == references
        assert as_control[0] and as_output[0]


def attributes(html):
    """Links, hints, and the words that are listed."""
    return (
        linked_texts(html),
        re.findall(r'data-hints="([^"]*)"', html),
        re.findall(r'class="hint"[^>]*>([^<]*)<', html),
        html.count('role="note"'),
    )


# ---- Hints ---------------------------------------------------------------------------------------


def judged(client, campaign, number, **more):
    address = reverse("judge-item", args=[campaign.pk, number])
    page = client.get(address)
    data = {"ticket": ticket_in(page), "output1-esa": "50", "output1-spans": "[]"}
    data |= {"output1-confirmed": "1"} | more
    if mark := re.search(r'name="hints" value="([^"]+)"', page.text):
        data = {"hints": mark[1]} | data
    response = client.post(address, data)
    assert response.status_code == 302, response.text
    return page.text


def item_of(campaign, key, system):
    rows = ItemOutput.objects.filter(
        item__task__campaign=campaign, output__segment__key=key, output__system__name=system
    )
    return rows.get().item.position + 1


def test_hints_are_shown_and_stored_with_the_judgment(people, client):
    campaign = esa(people, omission_hints=True)
    planned(campaign, equal_once=False)
    done(campaign, "reading")
    client.force_login(people["annotator"])
    number = item_of(campaign, "4", "Short")
    html = judged(client, campaign, number)
    assert attributes(html)[2] == ["warme"]
    assert "data-word-links" not in html
    stored = ShownHints.objects.get()
    source = stored.output.segment.source
    start, end = map(int, stored.places.split("-"))
    assert source[start:end] == "warme"
    full = judged(client, campaign, item_of(campaign, "4", "Full"))
    assert "a program found no word" in full
    assert ShownHints.objects.order_by("pk").last().places == ""
    client.force_login(people["owner"])
    table = client.get(reverse("export-errors", args=[campaign.pk, "tsv"]))
    text = b"".join(table.streaming_content).decode() if table.streaming else table.text
    header, *rows = (line.split("\t") for line in text.splitlines())
    assert sorted(row[header.index("hints")] for row in rows) == [f"{start}-{end}", "none"]


def test_hints_that_were_not_on_the_screen_are_not_stored(people, client):
    campaign = esa(people, omission_hints=True)
    planned(campaign, equal_once=False)
    client.force_login(people["annotator"])
    judged(client, campaign, 1)  # before there were any
    done(campaign, "reading")
    judged(client, campaign, 2, hints="0123456789ab")  # of another run
    assert not ShownHints.objects.exists()


def test_hints_that_people_have_seen_stay(people):
    campaign = esa(people, omission_hints=True)
    planned(campaign)
    done(campaign, "reading")
    factory.judge(Item.objects.order_by("position").first(), {})
    with pytest.raises(Frozen):
        runs.ask(campaign, "reading")


# ---- Comparison ----------------------------------------------------------------------------------


def test_people_are_compared_with_the_aligner(people, client):
    campaign = campaign_of(people, "word-alignment")
    segments = list(campaign.test_set.segments.all()[:6])
    task = factory.make_task(campaign, people["annotator"], segments=segments, n_outputs=1)
    runs.ask(campaign, "proposal", method="intersection")
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


# ---- Who may -------------------------------------------------------------------------------------


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


# ---- What goes with them -------------------------------------------------------------------------


def test_hints_go_with_the_judgments_that_they_are_of(people, client):
    campaign = esa(people, omission_hints=True)
    planned(campaign, equal_once=False)
    done(campaign, "reading")
    client.force_login(people["annotator"])
    judged(client, campaign, 1)
    judged(client, campaign, 2)
    assert ShownHints.objects.count() == 2
    stored = ShownHints.objects.first()
    with pytest.raises(DatabaseError), transaction.atomic():
        ShownHints.objects.filter(pk=stored.pk).update(places="0-1")
    with pytest.raises(DatabaseError), transaction.atomic():
        ShownHints.objects.all().delete()
    erase(people["annotator"], by="owner", reason="asked for it", judgments=True)
    assert not ShownHints.objects.exists()


def test_a_campaign_with_links_and_hints_can_be_deleted(people, client):
    campaign = esa(people, omission_hints=True)
    planned(campaign, equal_once=False, degraded=1)
    done(campaign, "reading")
    client.force_login(people["annotator"])
    judged(client, campaign, 1)
    assert ShownHints.objects.count() == 1
    campaign.status = "closed"
    campaign.save()
    delete_campaign(campaign, by="owner", reason="a test")
    assert not ShownHints.objects.exists() and not OutputLinks.objects.exists()


def test_a_screen_of_long_texts_with_links_is_light(people, client):
    """The page and all that it loads, compressed: five outputs of 200 different words."""
    rng = random.Random(1)
    words = ["".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=6)) for _ in range(1000)]
    test_set = factory.make_test_set(people["owner"], n_systems=5)
    campaign = campaign_of(people, "da-sqm", test_set=test_set, outputs_per_item=5)
    campaign.options |= {"word_links": True, "context": "none"}
    campaign.save()
    source = " ".join(rng.sample(words, 200))
    test_set.segments.update(source=source)
    run = AlignerRun.objects.create(campaign=campaign, purpose="reading", state=RunState.DONE)
    for output in Output.objects.all():
        text = " ".join(rng.sample(words, 200))
        Output.objects.filter(pk=output.pk).update(text=text)
        OutputLinks.objects.create(
            run=run,
            output=output,
            method="union",
            links=" ".join(f"{i}-{rng.randrange(200)}" for i in range(200)),
            digest=digest_of(source, text),
        )
    factory.make_task(campaign, people["annotator"], n_outputs=5)
    client.force_login(people["annotator"])
    page = client.get(reverse("judge-item", args=[campaign.pk, 1])).content
    assert len(linked_texts(page.decode())) == 5
    files = re.findall(rb'(?:href|src)="/static/([^"]+)"', page)
    assert b"js/word-links.js" in files
    parts = [page, *((settings.BASE_DIR / "static" / f.decode()).read_bytes() for f in files)]
    assert sum(len(gzip.compress(part)) for part in parts) < 100_000
