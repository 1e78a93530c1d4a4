"""The people of a rehearsal take their work from the site's queue, and their answers are stored.

For `benchmarks/rehearsal.py`; imported after Django is set up.
"""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

import numpy as np

from judgments.judging import queue
from judgments.models import Campaign, Item, Judgment, Membership, Output, Rating, Task
from judgments.quality.decisions.decisions import decide
from judgments.quality.rehearsal.figures import (
    RehearsalAsked,
    RehearsedPerson,
    SimulatedAnnotator,
    cast_of,
    work_off,
)
from judgments.quality.rehearsal.hand_out import FreeSeats, PlannedSeat, WorkHistory
from judgments.quality.rehearsal.plan import RehearsedPlan
from judgments.quality.rules.verdicts import FAIL, verdict_of
from judgments.results.scores.figures import system_scores
from judgments.results.selection.selection import Selection


class MemberOfSite(SimulatedAnnotator):
    """A person whose answers are stored, and for whom the site gives the verdict."""

    member: Membership
    n_stored = 0

    def judge(self, seat: PlannedSeat, *, has_more: bool) -> float:
        seconds = super().judge(seat, has_more=has_more)
        self.store(len(self.items))
        return seconds

    def _verdict(self, n_items: int, n_rows: int, has_more: bool) -> str:
        self.asked_at = self.n_controls
        self.store(n_items)
        self.verdict = verdict_of(self.member).state
        return self.verdict

    def store(self, n_items: int) -> None:
        """Store the answers to the first items that are not stored yet."""
        work = self.plan.items
        for place in self.items[self.n_stored : n_items]:
            item = Item.objects.select_related("task").get(pk=work.number[place])
            judgment = Judgment.objects.create(
                item=item,
                campaign_id=self.member.campaign_id,
                annotator_id=self.member.user_id,
                client_key=uuid.uuid4(),
                active_ms=20_000,
            )
            rows = np.arange(work.first[place], work.first[place + 1])
            Rating.objects.bulk_create(self.rating(judgment, row) for row in rows)
            Item.objects.filter(pk=item.pk).update(is_judged=True)
            Task.objects.filter(pk=item.task_id).update(n_judged=item.task.n_judged + 1)
        self.n_stored = max(self.n_stored, n_items)

    def rating(self, judgment: Judgment, row: int) -> Rating:
        work = self.plan.items
        output = Output.objects.get(
            segment=self.plan.segment_ids[work.segment[row]],
            system=self.plan.system_ids[work.system[row]],
        )
        return Rating(
            judgment=judgment,
            output=output,
            dimension=self.plan.dimension.slug,
            value=self.values[np.flatnonzero(self.rows == row)[0]],
            is_copy=work.twin[row] != row,
        )


class SeatsOfSite(FreeSeats):
    """The batches assigned by the queue of the site."""

    def __init__(self, plan: RehearsedPlan, people: list[MemberOfSite]) -> None:
        super().__init__([], is_pool=plan.is_pool)
        self.place_of = {pk: place for place, pk in enumerate(plan.items.number.tolist())}
        self.member_of = {id(person.history): person.member for person in people}
        self.tasks: dict[tuple[int, int], tuple[Membership, int]] = {}

    def take(self, history: WorkHistory) -> PlannedSeat | None:
        member = self.member_of[id(history)]
        task = queue.claim(member, datetime.now(UTC))
        if task is None:
            return None
        items = task.items.order_by("position").values_list("pk", flat=True)
        places = np.array([self.place_of[pk] for pk in items])
        seat = PlannedSeat(task.batch, task.seat, places)
        self.tasks[seat.place] = member, task.pk
        return seat

    def put_back(self, seat: PlannedSeat, n_judged: int) -> None:
        assert queue.give_up(*self.tasks[seat.place]) == len(seat.items) - n_judged


def judged_on_site(
    campaign: Campaign, plan: RehearsedPlan, asked: RehearsalAsked, run: int
) -> tuple[list[RehearsedPerson], np.ndarray]:
    """Return the results for the people, and which pairs of systems differ (S, S), the best
    first."""
    cast = cast_of(plan, asked, run, MemberOfSite)
    people = [person for person in cast.workers if isinstance(person, MemberOfSite)]
    members = campaign.memberships.filter(role="annotator").order_by("pk")
    for person, member in zip(people, members, strict=True):
        person.member = member
    work_off(cast.workers, SeatsOfSite(plan, people), cast.rng)
    owner = campaign.memberships.get(role="owner").user
    for person in people:
        if person.verdict == FAIL:
            decide(campaign, person.member.user, excluded=True, reason="By the rule.", by=owner)
    scores = system_scores(Selection.of(campaign))
    at = [scores.names.tolist().index(plan.system_names[code]) for code in cast.best_first]
    differs = np.triu(scores.differs[np.ix_(at, at)], 1)
    return [person.summary(run) for person in people], differs
