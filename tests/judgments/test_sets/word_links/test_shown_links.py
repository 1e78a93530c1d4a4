"""Links on judging screens; they reveal no control item."""

import random

import pytest
from django.urls import reverse

from judgments.models import (
    AlignerRun,
    AlteredOutput,
    Item,
    ItemOutput,
    JobStatus,
    Kind,
    Output,
    OutputLinks,
)
from judgments.test_sets.word_links import asking, runs
from judgments.test_sets.word_links.making import make
from judgments.test_sets.word_links.screen import digest_of
from tests import factory
from tests.judgments.test_sets.word_links.bitext import make_bitext
from tests.sent_files import sent_size, static_names

from .linked_campaigns import attributes, campaign_of, done, esa, item_of, linked_texts, planned

pytestmark = pytest.mark.django_db


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
    AlignerRun.objects.update(status=JobStatus.RUNNING)
    campaign.tasks.update(annotator=None)
    planned(campaign, degraded=2)
    AlignerRun.objects.update(status=JobStatus.RUNNING)  # another worker has begun on the new plan
    make(run, runs.the_aligner())
    assert not OutputLinks.objects.exists()
    run.refresh_from_db()
    assert run.turn == 2
    make(run, runs.the_aligner())
    assert OutputLinks.objects.filter(altered__isnull=False).exists()


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
        asking.start(campaign, "reading", "diagonal", "grow-diag-final-and")
        done(campaign, "reading")
        as_output = attributes(client.get(address).text)
        assert as_control[1:] == as_output[1:]
        assert bool(as_control[1]) == references
        assert as_control[0] and as_output[0]


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
    run = AlignerRun.objects.create(campaign=campaign, purpose="reading", status=JobStatus.DONE)
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
    assert "js/judging/word-links.js" in static_names(page)
    assert sent_size(page) < 100_000
