"""From the page of a plan to the verdicts: annotators of known care in campaigns planned there."""

from datetime import UTC, datetime

import numpy as np
import pytest
from django.urls import reverse

from judgments.judging import queue
from judgments.judging.completion import verdict_of as of_completion
from judgments.models import AlteredOutput, Item, Kind, Membership, Output, QualityRule, Role
from judgments.quality.rules import figures as rules
from judgments.quality.rules.verdicts import verdict_of
from judgments.results.selection.selection import Selection
from tests import factory

from .control_campaigns import RULE, Planned, judge_all, make_texts

pytestmark = pytest.mark.django_db
EXPECTED = {"good": "pass", "middle": "fail", "random": "fail"}
SETTINGS = {
    "batch_items": 160,
    "seats": 3,
    "block_length": 1,
    "equal_once": "on",
    "repeats": 1,
    "references": 1,
    "degraded": 1,
    "loud_checks": 2,
    "silent_checks": 2,
}
# Preset, options, and how many segments are judged: about 150 screens for each annotator.
WAYS = {
    "one output": ("direct-assessment", {}, 24),
    "five outputs": ("direct-assessment", {"outputs_per_item": 5}, 100),
    "esa": ("esa", {}, 24),
}


def planned_on_the_site(client, way, rng, **settings):
    """A campaign of five systems whose plan was made on its page, with three seats taken."""
    preset, options, segments = WAYS[way]
    owner = factory.make_user("planner")
    test_set = make_texts(owner, rng, n_systems=5)
    people = {care: factory.make_user(care) for care in EXPECTED}
    campaign = factory.make_campaign(
        test_set,
        preset=preset,
        owner=owner,
        annotators=list(people.values()),
        options=factory.PRESETS[preset].options | options,
    )
    client.force_login(owner)
    response = client.post(
        reverse("campaign-design", args=[campaign.pk]), SETTINGS | {"segments": segments} | settings
    )
    assert response.status_code == 302, response.context["form"].errors
    QualityRule.objects.create(campaign=campaign, n_judgments=0, written_by=owner, **RULE)
    planned = Planned(campaign)
    for care, user in people.items():
        planned.people[care] = campaign.memberships.get(user=user)
        while queue.claim(planned.people[care], datetime.now(UTC)):
            campaign.tasks.filter(annotator=user).update(n_judged=10_000, n_items=10_000)
    return planned


def with_qualities(planned, rng):
    """How good each output is, and how much of it each alteration costs."""
    outputs = Output.objects.filter(system__test_set=planned.campaign.test_set)
    for output in outputs.select_related("system"):
        base = 85 if output.system.copies_reference else 72
        planned.quality[output.pk, ""] = float(np.clip(rng.normal(base, 9), 0, 100))
    for row in AlteredOutput.objects.filter(campaign=planned.campaign):
        lost = {"loud": 100, "silent": 60}.get(row.rule, 25)
        known = planned.quality[row.output_id, ""]
        planned.quality[row.output_id, row.rule] = max(0.0, known - lost)


def check(client, way, seed):
    rng = np.random.default_rng(seed)
    planned = planned_on_the_site(client, way, rng, seed=seed)
    with_qualities(planned, rng)
    judge_all(planned, rng, spans=way == "esa", until=10_000)
    found = {care: verdict_of(member) for care, member in planned.people.items()}
    assert {care: each.state for care, each in found.items()} == EXPECTED, (way, seed, found)
    return planned


@pytest.mark.proof
@pytest.mark.parametrize("way", WAYS)
def test_a_plan_made_on_the_site_tells_annotators_apart(client, way):
    planned = check(client, way, 1)
    items = Item.objects.filter(task__campaign=planned.campaign, task__annotator__username="good")
    kinds = {*items.values_list("kind", flat=True), *items.values_list("control_kind", flat=True)}
    wanted = {Kind.REGULAR, Kind.REPEAT, Kind.REFERENCE, Kind.DEGRADED, Kind.CHECK}
    assert wanted <= set(kinds)
    report = rules.quality(Selection.of(planned.campaign))
    assert report.has_controls
    page = client.get(reverse("quality", args=[planned.campaign.pk]))
    assert "There are no degraded copies" not in page.content.decode()
    codes = {care: of_completion(member) for care, member in planned.people.items()}
    assert codes == EXPECTED
    assert Membership.objects.filter(campaign=planned.campaign, role=Role.ANNOTATOR).count() == 3


@pytest.mark.proof
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("seed", range(2, 12))
def test_ten_seeds_of_plans(client, way, seed):
    check(client, way, seed)
