"""Hints at omissions on judging screens, and with the judgments that they were shown for."""

import pytest
from django.db import DatabaseError, transaction
from django.urls import reverse

from judgments.files.rows import Frozen
from judgments.models import (
    Item,
    OutputLinks,
    ShownHints,
)
from judgments.people.my_data.erasure import erase
from judgments.test_sets.deletion.rows import delete_campaign
from judgments.test_sets.word_links import asking
from tests import factory

from .linked_campaigns import attributes, done, esa, item_of, judged, planned

pytestmark = pytest.mark.django_db


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
        asking.ask(campaign, "reading")


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
