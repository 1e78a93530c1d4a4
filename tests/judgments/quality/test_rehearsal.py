"""Rehearsals of a plan: as the queue, the rule and the ranking have it, and nothing is written."""

import csv
import io
import json
import re
import uuid
from collections import Counter
from datetime import UTC, datetime

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django_tasks_db.models import DBTaskResult

from judgments.judging import queue
from judgments.models import Item, Judgment, QualityRule, Rating, Status, Task
from judgments.plans import design
from judgments.plans.controls.settings import with_controls
from judgments.plans.settings import PlanSettings
from judgments.quality.rehearsal import figures, store
from judgments.quality.rehearsal.figures import RehearsalAsked, SimulatedAnnotator, rehearse
from judgments.quality.rehearsal.forms import usual
from judgments.quality.rehearsal.hand_out import FreeSeats, WorkHistory
from judgments.quality.rehearsal.plan import read_plan, why_not
from judgments.quality.rehearsal.tasks import rehearse_plan
from judgments.quality.rules import figures as rules
from judgments.quality.rules.verdicts import verdict_of
from judgments.results.scores.figures import system_scores
from judgments.results.selection.selection import Selection
from judgments.stats.planning.simulated_people import CAREFUL, KINDS, Qualities, SpreadOfAnswers
from tests import factory
from tests.base import CastTestCase

from .control_campaigns import RULE, make_texts

OF_THE_CACHE = re.compile("judgments_cacheentry|^(SAVEPOINT|RELEASE SAVEPOINT) ")
ASKED = {"careful": 2, "random": 1, "lazy": 0, "fast": 0, "spread": 20.0, "noise": 7.0, "seed": 3}


def planned_campaign(
    owner,
    *,
    n_segments=40,
    n_systems=3,
    people=(),
    rule=RULE,
    preset="direct-assessment",
    **settings,
):
    """A draft with controls of every kind, of texts as in the tests of control items."""
    texts = make_texts(owner, np.random.default_rng(5), n_segments=n_segments, n_systems=n_systems)
    campaign = factory.make_campaign(
        texts,
        preset=preset,
        owner=owner,
        annotators=people,
        status=Status.OPEN if people else Status.DRAFT,
    )
    asked = {"block_length": 3, "batch_items": 40, "seed": 2} | settings
    design.plan(campaign, with_controls(PlanSettings(**asked)))
    if rule:
        QualityRule.objects.create(campaign=campaign, n_judgments=0, written_by=owner, **rule)
    campaign.refresh_from_db()
    return campaign


@pytest.mark.django_db
@pytest.mark.parametrize(
    "settings",
    [
        {"seats": 2},
        {"pool": True},
        {"pool": True, "seats": 2},
        {"design": "one-version", "seats": 2},
    ],
)
def test_seats_are_handed_out_as_the_queue_does(settings):
    """Three people take turns, and one stops in the middle of every other batch."""
    people = [factory.make_user(name) for name in "abc"]
    campaign = planned_campaign(factory.make_user("owner"), people=people, **settings)
    members = [campaign.memberships.get(user=user) for user in people]
    plan = read_plan(campaign)
    free, had = (
        FreeSeats(list(plan.items.seats), is_pool=plan.is_pool),
        [WorkHistory() for _ in members],
    )
    taken: list[list[tuple[int, list[int]]]] = [[], []]
    for turn in range(24):
        who = turn % 3
        task = queue.claim(members[who], datetime.now(UTC))
        seat = free.take(had[who])
        if task is None or seat is None:
            assert (task, seat) == (None, None)
            continue
        shown = list(task.items.order_by("position").values_list("pk", flat=True))
        taken[0].append((task.batch, shown))
        taken[1].append((seat.batch, plan.items.number[seat.items].tolist()))
        n = len(shown) // 2 if turn % 2 and who != 2 else len(shown)
        Item.objects.filter(pk__in=shown[:n]).update(is_judged=True)
        Task.objects.filter(pk=task.pk).update(n_judged=n)
        if n < len(shown):
            rest = queue.give_up(members[who], task.pk)
            assert rest == len(shown) - n
            free.put_back(seat, n)
    assert taken[0] == taken[1]
    assert len(taken[0]) > 4


def judged_in_memory(campaign, kind, seed=1):
    """Return somebody who has taken one batch, and not stopped."""
    plan = read_plan(campaign)
    means = np.full(len(plan.system_ids), 65.0)
    rng = np.random.default_rng(seed)
    qualities = Qualities.draw(means, plan.documents, SpreadOfAnswers.of(20, 0.13, 7), rng)
    worker = SimulatedAnnotator(plan, kind, qualities, rng)
    seat = FreeSeats(list(plan.items.seats), is_pool=plan.is_pool).take(worker.history)
    assert seat is not None
    worker.judge(seat, has_more=True)
    return plan, worker


@pytest.mark.django_db
@pytest.mark.parametrize("several", [{}, {"preset": "contrastive-da", "beside_checks": 4}])
@pytest.mark.parametrize("kind", KINDS)
def test_verdicts_and_ranks_are_those_of_the_stored_judgments(kind, several):
    """The same answers, stored as those of a member, and read by the campaign's own functions."""
    user = factory.make_user("annotator")
    campaign = planned_campaign(
        factory.make_user("owner"), people=[user], batch_items=120, **several
    )
    plan, worker = judged_in_memory(campaign, kind)
    member = campaign.memberships.get(user=user)
    task = queue.claim(member, datetime.now(UTC))
    for place, item in enumerate(worker.items):
        judgment = Judgment.objects.create(
            item_id=plan.items.number[item],
            campaign=campaign,
            annotator=user,
            client_key=uuid.uuid4(),
            active_ms=round(1000 * plan.items.seconds[item]),
        )
        rows = np.arange(plan.items.first[item], plan.items.first[item + 1])
        shown = dict(judgment.item.outputs.values_list("system", "pk"))
        for row in rows:
            output = shown[int(plan.system_ids[plan.items.system[row]])]
            value = worker.values[np.flatnonzero(worker.rows == row)[0]]
            copy = bool(plan.items.twin[row] != row)
            Rating.objects.create(
                judgment=judgment, output_id=output, dimension="da", value=value, is_copy=copy
            )
        assert task.items.get(position=place).pk == judgment.item_id
    if not several:  # of many control items the rule is not asked after the last
        assert worker.verdict == verdict_of(member).state
    (quality,) = rules.quality(Selection.of(campaign)).annotators
    checks = worker.quality_after(worker.n_judged, len(worker.rows)).checks
    assert checks == quality.checks
    assert bool(checks.n_expected) == bool(several)
    if kind == CAREFUL:
        stored = system_scores(Selection.of(campaign))
        found = figures.ranks_of(plan, [worker], plan.ranked)
        assert found is not None
        order = [plan.system_names[code] for code in plan.ranked]
        at = [stored.names.tolist().index(name) for name in order]
        differs = stored.differs[np.ix_(at, at)]
        assert (np.triu(differs, 1) == found.decided | found.wrong).all()
    else:
        assert worker.verdict == "fail"


@pytest.mark.django_db
def test_whoever_fails_stops_and_others_get_the_rest():
    rule = RULE | {"least_references": None}  # by three of these careful people fail, too
    campaign = planned_campaign(factory.make_user("owner"), batch_items=60, rule=rule)
    found = rehearse(read_plan(campaign), RehearsalAsked(careful=3, lazy=0, fast=0))
    work = campaign.tasks.progress()["items"]
    for run in found.runs:
        assert run.planned == work == run.counting + run.lost + run.left
        assert run.left == 0
        for person in run.people:
            if person.verdict == "fail":
                assert person.judged == person.first
    random = Counter(person.verdict for person in found.people if person.kind == "random")
    assert random["fail"] >= 18 and random["pass"] == 0
    careful = Counter(person.verdict for person in found.people if person.kind == "careful")
    assert careful["fail"] <= 6


@pytest.mark.django_db
def test_a_rule_that_holds_asks_after_as_many_controls_as_it_says():
    campaign = planned_campaign(factory.make_user("owner"), rule={**RULE, "hold_after": 12})
    plan = read_plan(campaign)
    n_before = [sum(map(bool, plan.items.controls[: i + 1])) for i in range(40)]
    least = n_before.index(12) + 1
    found = rehearse(plan, RehearsalAsked(careful=1, lazy=0, fast=0))
    first = [person.first for person in found.people if person.verdict == "fail"]
    batch = min(len(seat.items) for seat in plan.items.seats)
    assert min(first) >= min(least, batch)


@pytest.mark.proof
@pytest.mark.django_db
def test_larger_differences_are_found_more_often():
    campaign = planned_campaign(factory.make_user("owner"), n_segments=60)
    plan = read_plan(campaign)
    shares = []
    for spread in (0, 10, 40):
        found = rehearse(plan, RehearsalAsked(3, 0, 0, 0, spread=spread))
        shares.append([each.decided for each in figures.pairs_by_distance(found)])
    assert shares[0][-1] <= 0.15  # by chance; half of .05 is the right way round
    assert shares[0][-1] < shares[1][-1] < shares[2][-1]
    assert shares[2] == sorted(shares[2])
    assert shares[2][-1] > 0.95


class RehearsalPageTest(CastTestCase):
    def setUp(self):
        super().setUp()
        self.draft = planned_campaign(self.owner)

    def get(self, name="rehearsal", *args, user=None, asked=None, **headers):
        self.client.force_login(user or self.owner)
        address = reverse(name, args=[self.draft.pk, *args])
        return self.client.get(address, asked or {}, **headers)

    def rehearsed(self, asked):
        """Return the page after a worker has done what the first look requested."""
        self.get(asked=asked)
        (task,) = DBTaskResult.objects.all()
        rehearse_plan.func(*task.args_kwargs["args"])
        return self.get(asked=asked)

    def test_refused_to_others(self):
        for user in (self.outsider, self.annotator_1):
            self.assertIn(self.get(user=user).status_code, (403, 404))
            answer = self.get("rehearsal-file", "kinds", "csv", user=user, asked=ASKED)
            self.assertIn(answer.status_code, (403, 404))

    def test_a_worker_is_asked_once_and_says_how_far_it_is(self):
        page = self.get()
        self.assertContains(page, "Rehearse the plan")
        self.assertFalse(DBTaskResult.objects.exists())
        for _ in range(2):
            page = self.get(asked=ASKED)
        self.assertEqual(DBTaskResult.objects.count(), 1)
        self.assertContains(page, "0 of 20 runs are done")
        part = self.get(asked=ASKED, HTTP_HX_REQUEST="true")
        self.assertNotContains(part, "<html")

    def test_what_was_found_as_page_csv_and_json(self):
        page = self.rehearsed(ASKED)
        self.assertContains(page, "What 20 rehearsals showed")
        self.assertRegex(page.content.decode(), r"The plan is (not )?enough")
        answer = self.get("rehearsal-file", "kinds", "csv", asked=ASKED)
        rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
        self.assertEqual([row["kind"] for row in rows], ["Careful", "At random"])
        self.assertEqual([row["people"] for row in rows], ["40", "20"])
        self.assertIn("seed=3", rows[0]["address"])
        found = json.loads(self.get("rehearsal-file", "rehearsal", "json", asked=ASKED).content)
        self.assertEqual(found["asked"]["seed"], 3)
        self.assertIn("rehearsals", str(found["sections"]))
        again = rehearse(read_plan(self.draft), RehearsalAsked(**ASKED))
        self.assertEqual(str(again.runs), str(store.kept(self.draft, RehearsalAsked(**ASKED)).runs))
        self.assertEqual(self.get("rehearsal-file", "no", "csv", asked=ASKED).status_code, 404)
        other = self.get("rehearsal-file", "kinds", "csv", asked=ASKED | {"seed": 4})
        self.assertEqual(other.status_code, 302)

    def test_nothing_is_written(self):
        def stored():
            work = self.draft.tasks.progress(), list(self.draft.tasks.values("pk", "annotator"))
            return work, Judgment.objects.count(), Item.objects.filter(is_judged=True).count()

        before = stored()
        with CaptureQueriesContext(connection) as captured:
            store.compute(self.draft, RehearsalAsked(**ASKED))
        self.assertEqual(before, stored())
        own = [q["sql"] for q in captured if not OF_THE_CACHE.search(q["sql"])]
        self.assertTrue(all(sql.startswith(("SELECT", "DECLARE")) for sql in own))

    def test_as_many_statements_for_a_large_plan_as_for_a_small_one(self):
        large = planned_campaign(self.owner, n_segments=120)
        counted = []
        for campaign in (self.draft, large):
            with CaptureQueriesContext(connection) as captured:
                read_plan(campaign)
            counted.append(len(captured))
        self.assertEqual(counted[0], counted[1])
        self.assertLessEqual(counted[0], 20)
        self.rehearsed(ASKED)
        with CaptureQueriesContext(connection) as captured:
            self.get(asked=ASKED)
        self.assertLessEqual(len(captured), 20)

    def test_another_rule_or_plan_asks_for_another_rehearsal(self):
        self.rehearsed(ASKED)
        asked = RehearsalAsked(**ASKED)
        self.assertIsNotNone(store.kept(self.draft, asked))
        QualityRule.objects.create(
            campaign=self.draft, n_judgments=0, written_by=self.owner, least_checks=0.9
        )
        self.assertIsNone(store.kept(self.draft, asked))

    def test_a_rehearsal_that_breaks_off_is_not_asked_for_again_at_once(self):
        self.get(asked=ASKED)
        with pytest.raises(ValueError, match="broken"), pytest.MonkeyPatch.context() as patch:
            patch.setattr(
                store, "read_plan", lambda campaign: (_ for _ in ()).throw(ValueError("broken"))
            )
            rehearse_plan.func(self.draft.pk, ASKED)
        self.assertContains(self.get(asked=ASKED), "stopped with an error")
        self.assertEqual(DBTaskResult.objects.count(), 1)

    def test_wrong_numbers_are_named(self):
        page = self.get(asked=ASKED | {"careful": 0, "spread": 90})
        self.assertContains(page, "greater than or equal to 1")
        self.assertContains(page, "less than or equal to 50")
        self.assertFalse(DBTaskResult.objects.exists())

    def test_what_cannot_be_rehearsed(self):
        item = self.campaign.tasks.first().items.first()
        self.assertEqual(why_not(self.campaign), "")
        factory.judge(item, {"adequacy": [1, 2, 3]})
        self.assertIn("People have judged", why_not(self.campaign))
        self.assertIn("give scores", why_not(self.pairwise))
        design.clear(self.draft)
        self.assertContains(self.get(), "Nothing is planned yet.")

    def test_without_a_rule_the_proposed_thresholds_are_asked(self):
        self.draft = planned_campaign(self.owner, rule=None)
        self.assertContains(self.rehearsed(ASKED), "No rule with thresholds is written down")

    def test_what_is_asked_first(self):
        self.assertEqual(usual(self.draft).careful, 2)
        self.draft.plan["annotators"] = 9
        self.assertEqual(usual(self.draft).kinds, ["careful"] * 6 + ["random", "lazy", "fast"])

    def test_the_plan_page_leads_here(self):
        self.assertContains(self.get("campaign-design"), f"/campaigns/{self.draft.pk}/rehearsal/")
