"""Campaigns with links by an aligner, and what their screens hold."""

import re

from django.urls import reverse

from judgments.models import (
    AlignerRun,
    ItemOutput,
    JobStatus,
)
from judgments.plans.design import plan
from judgments.plans.settings import PlanSettings
from judgments.protocols import PRESETS
from judgments.test_sets.word_links import runs
from tests import factory
from tests.judgments.judging.judge_pages import ticket_in
from tests.judgments.test_sets.word_links.bitext import make_bitext


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
    assert run.status == JobStatus.DONE, run.message
    return run


def planned(campaign, **settings):
    plan(campaign, PlanSettings(batch_words=10**6, **settings))
    task = factory.seat(campaign.tasks.get(), campaign.memberships.get(role="annotator").user)
    return task or campaign.tasks.get()


def esa(people, **options):
    return campaign_of(people, "esa", outputs_per_item=1, **options)


def linked_texts(html):
    return re.findall(r'data-word-links="([^"]*)"', html)


def attributes(html):
    """Links, hints, and the words that are listed."""
    return (
        linked_texts(html),
        re.findall(r'data-hints="([^"]*)"', html),
        re.findall(r'class="hint"[^>]*>([^<]*)<', html),
        html.count('role="note"'),
    )


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
