"""A plan that simulated people judge before it opens: verdicts, ranks, and pairs that differ.

Answers are made up in memory; the verdicts and the ranks are those of the functions that a campaign
has. Nothing is written.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from judgments.models import Kind, QualityRule
from judgments.results.observations.observations import KINDS, Observed
from judgments.results.observations.rows import Rows
from judgments.results.scores.figures import system_scores_of
from judgments.stats.planning import simulated_people
from judgments.stats.planning.simulated_people import FAST, FAST_PACE, Qualities, SpreadOfAnswers

from ..rules.figures import AnnotatorQuality, quality_of
from ..rules.verdicts import FAIL, OPEN, judged_by, with_more
from .hand_out import FreeSeats, Had, PlannedSeat
from .plan import RehearsedPlan

RUNS = 20
MIDDLE = 0.65
"""Where the mean of the systems lies on the scale; below its end, which would cut the spread."""
BETTER_REFERENCE = 0.13
"""How much better hidden references are than the mean of the systems, of the scale."""
LOST = {"loud": 10.0, "silent": 0.6}
LOST_BY_DAMAGE = 0.25
"""What an attention check, and a degraded copy, takes from the quality, of the scale: one that says
so puts it so far below that who reads gives the lowest value."""
DENSE, THEN = 10, 1.1
"""The rule is asked after each of so many control items, and then after every tenth more."""


@dataclass(frozen=True)
class RehearsalAsked:
    """How many people of each kind; ``spread`` between the best and the worst system, and ``noise``
    of a careful answer, in per cent of the scale."""

    careful: int
    random: int = 1
    lazy: int = 1
    fast: int = 1
    spread: float = 10.0
    noise: float = 7.0
    seed: int = 1

    @property
    def kinds(self) -> list[str]:
        return [kind for kind in simulated_people.KINDS for _ in range(getattr(self, kind))]


@dataclass(frozen=True)
class RehearsedPerson:
    """The last verdict on somebody of a ``kind`` in a ``run``, after ``judged`` items, ``first``
    given after so many; NaN: never. ``why``: the thresholds that failed them."""

    run: int
    kind: str
    verdict: str
    judged: int
    first: float
    why: tuple[str, ...] = ()


@dataclass(frozen=True)
class RehearsedRanks:
    """``n_clusters``; ``finds_best``: the best system has the best score; ``best_alone``: in a
    cluster of its own. ``decided`` and ``wrong`` (S, S): which pairs differ, systems in their true
    order, best first, and which of these the wrong way round."""

    n_clusters: int
    finds_best: bool
    best_alone: bool
    decided: np.ndarray
    wrong: np.ndarray


@dataclass(frozen=True)
class RehearsedRun:
    """``counting`` of ``planned`` judgments are of people whom the rule does not fail; ``lost`` are
    of others, ``left`` are nobody's. ``hours`` until the last one has stopped. ``everyone``: the
    ranks if nobody were left out."""

    people: tuple[RehearsedPerson, ...]
    planned: int
    counting: int
    lost: int
    left: int
    hours: float
    ranks: RehearsedRanks | None
    everyone: RehearsedRanks | None


@dataclass(frozen=True)
class Rehearsal:
    """``means`` (S,): true means of the systems in points, best first."""

    asked: RehearsalAsked
    means: np.ndarray
    runs: tuple[RehearsedRun, ...]
    is_proposed: bool
    question: str
    hold_after: int | None
    unit: str

    @property
    def people(self) -> list[RehearsedPerson]:
        return [person for run in self.runs for person in run.people]


def rehearse(
    plan: RehearsedPlan, asked: RehearsalAsked, said: Callable[[int], None] = lambda n: None
) -> Rehearsal:
    """Return what comes of `RUNS` rehearsals. said: is told how many are done."""
    runs = []
    for run in range(RUNS):
        runs.append(rehearse_once(plan, asked, run))
        said(run + 1)
    return Rehearsal(
        asked=asked,
        means=true_means(plan, asked),
        runs=tuple(runs),
        is_proposed=plan.is_proposed,
        question=plan.question,
        hold_after=plan.rule.hold_after,
        unit=plan.dimension.name,
    )


def true_means(plan: RehearsedPlan, asked: RehearsalAsked) -> np.ndarray:
    """Return (S,), best first, as far from each other."""
    n, scale = len(plan.ranked), plan.scale
    middle = scale.low + MIDDLE * scale.width
    half = asked.spread / 200 * scale.width if n > 1 else 0.0
    return np.linspace(middle + half, middle - half, n)


@dataclass(frozen=True)
class Cast:
    """Who judges in one rehearsal. ``best_first``: systems (codes) in their true order; ``rng``:
    for the order in which people come."""

    workers: list[SimulatedAnnotator]
    best_first: np.ndarray
    rng: np.random.Generator


def cast_of(
    plan: RehearsedPlan,
    asked: RehearsalAsked,
    run: int,
    make: type[SimulatedAnnotator] | None = None,
) -> Cast:
    """Return the people of one rehearsal, and what is true in it."""
    rng = np.random.default_rng([asked.seed, run])
    best_first = plan.ranked[rng.permutation(len(plan.ranked))]
    width = plan.scale.width
    of_reference = MIDDLE + max(BETTER_REFERENCE, asked.spread / 200)
    means = np.full(len(plan.system_ids), plan.scale.low + width * of_reference)
    means[best_first] = true_means(plan, asked)
    spread = SpreadOfAnswers.of(plan.sd, plan.rho, asked.noise / 100 * width)
    qualities = Qualities.draw(means, plan.documents, spread, rng)
    own = rng.spawn(len(asked.kinds))
    workers = [
        (make or SimulatedAnnotator)(plan, kind, qualities, each)
        for kind, each in zip(asked.kinds, own, strict=True)
    ]
    return Cast(workers, best_first, rng)


def rehearse_once(plan: RehearsedPlan, asked: RehearsalAsked, run: int) -> RehearsedRun:
    cast = cast_of(plan, asked, run)
    workers = cast.workers
    free = FreeSeats(list(plan.items.seats), is_pool=plan.is_pool, most=plan.most_batches)
    seconds = work_off(workers, free, cast.rng)
    counted = [worker for worker in workers if worker.verdict != FAIL]
    counting = sum(worker.n_judged for worker in counted)
    judged = sum(worker.n_judged for worker in workers)
    return RehearsedRun(
        people=tuple(worker.told(run) for worker in workers),
        planned=plan.items.n_items,
        counting=counting,
        lost=judged - counting,
        left=plan.items.n_items - judged,
        hours=seconds / 3600,
        ranks=ranks_of(plan, counted, cast.best_first),
        everyone=ranks_of(plan, workers, cast.best_first),
    )


def work_off(workers: list[SimulatedAnnotator], free: FreeSeats, rng: np.random.Generator) -> float:
    """Let everybody take seats and judge them until there are none; whoever fails stops, and what
    they have not judged goes to the others. Return the seconds until the last has stopped."""
    orders = rng.permutation(len(workers)).tolist()
    waiting = [(0.0, *each) for each in zip(orders, workers, strict=True)]
    heapq.heapify(waiting)
    idle: list[tuple[int, SimulatedAnnotator]] = []
    now = 0.0
    while waiting:
        at, order, worker = heapq.heappop(waiting)
        now = max(now, at)
        if worker.unfinished is not None:
            free.give_back(*worker.unfinished)
            worker.unfinished = None
            for other in idle:
                heapq.heappush(waiting, (at, *other))
            idle = []
        if worker.verdict == FAIL:
            continue
        seat = free.take(worker.had)
        if seat is None:
            idle.append((order, worker))
            continue
        took = worker.judge(seat, has_more=bool(free))
        heapq.heappush(waiting, (at + took, order, worker))
    return now


@dataclass
class SimulatedAnnotator:
    """Somebody who takes seats: ``items`` (places in the plan) and ``rows`` that they have judged,
    with the ``values``. ``first``: after how many items the verdict was given first."""

    plan: RehearsedPlan
    kind: str
    qualities: Qualities
    rng: np.random.Generator
    had: Had = field(default_factory=Had)
    verdict: str = OPEN
    first: float = math.nan
    unfinished: tuple[PlannedSeat, int] | None = None
    planned: Counter[str] = field(default_factory=Counter)
    why: tuple[str, ...] = ()
    n_controls: int = 0
    asked_at: int = 0

    def __post_init__(self) -> None:
        self.sees = self.qualities.seen_by(self.rng)
        self.items = np.zeros(0, np.int64)
        self.rows = np.zeros(0, np.int64)
        self.values = np.zeros(0)
        self.has_finished = False

    @property
    def n_judged(self) -> int:
        return len(self.items)

    def told(self, run: int) -> RehearsedPerson:
        return RehearsedPerson(run, self.kind, self.verdict, self.n_judged, self.first, self.why)

    def judge(self, seat: PlannedSeat, *, has_more: bool) -> float:
        """Judge a seat, or so much of it until the rule fails them; return the seconds.
        has_more: whether there are other seats that somebody may take."""
        work = self.plan.items
        for item in seat.items:
            self.planned.update(work.controls[item])
        n_before = self.n_judged
        self.items = np.concatenate([self.items, seat.items])
        own = _rows_of(work.first, seat.items)
        self.rows = np.concatenate([self.rows, own])
        self.values = np.concatenate([self.values, self._answers(seat.items, own)])
        ends = np.cumsum(work.first[self.items + 1] - work.first[self.items])
        n = len(seat.items)
        for done, item in enumerate(seat.items, 1):
            self.n_controls += bool(work.controls[item])
            self.has_finished |= done == n
            if not self._asks(done == n, bool(work.controls[item])):
                continue
            n_items = n_before + done
            if self._verdict(n_items, int(ends[n_items - 1]), has_more) == FAIL:
                self.items = self.items[:n_items]
                self.rows = self.rows[: ends[n_items - 1]]
                self.values = self.values[: ends[n_items - 1]]
                if done < n:
                    self.unfinished = seat, done
                n = done
                break
        pace = FAST_PACE if self.kind == FAST else 1.0
        return float(work.seconds[seat.items[:n]].sum() * pace)

    def _answers(self, items: np.ndarray, rows: np.ndarray) -> np.ndarray:
        work, scale = self.plan.items, self.plan.scale
        shown = work.original[rows]
        quality = self.sees[work.system[shown], work.segment[shown]]
        lost = [LOST.get(rule, LOST_BY_DAMAGE) if rule else 0.0 for rule in work.rule[rows]]
        quality = quality - scale.width * np.array(lost)
        sizes = work.first[items + 1] - work.first[items]
        values = simulated_people.answers(
            self.kind,
            quality,
            scale,
            self.rng,
            noise=self.qualities.spread.noise,
            screen=np.repeat(np.arange(len(items)), sizes),
        )
        return values[np.arange(len(rows)) - (rows - work.twin[rows])]

    def _asks(self, is_end: bool, is_control: bool) -> bool:
        """Return whether the rule is asked now: after control items, and at the end of a batch."""
        hold_after = self.plan.rule.hold_after
        if hold_after is not None and not self.has_finished and self.n_controls < hold_after:
            return False
        if not is_control and not is_end:
            return False
        return self.n_controls <= DENSE or self.n_controls >= THEN * self.asked_at

    def _verdict(self, n_items: int, n_rows: int, has_more: bool) -> str:
        """Return the rule's verdict on the first items, as a campaign would have it."""
        plan = self.plan
        self.asked_at = self.n_controls
        found = self.quality_after(n_items, n_rows)
        planned = with_more(self.planned) if plan.is_pool and has_more else self.planned
        verdict = judged_by(plan.rule, found, planned, plan.dimension.scale).state
        if verdict != self.verdict:
            self.verdict, self.first = verdict, n_items
        if verdict == FAIL:
            alone = {name: QualityRule(**{name: at}) for name, at in plan.rule.thresholds.items()}
            self.why = tuple(
                name
                for name, rule in alone.items()
                if judged_by(rule, found, planned, plan.dimension.scale).state == FAIL
            )
        return verdict

    def quality_after(self, n_items: int, n_rows: int) -> AnnotatorQuality:
        """Return what the first items show of them, which have so many rows."""
        plan = self.plan
        observed = observed_of(plan, [(self.items[:n_items], self.rows[:n_rows], self.values)])
        facts = replace(plan.facts, expected={0: self._beside_originals(n_rows, observed.rows)})
        times = self._times(n_items)
        return quality_of(observed, times, plan.dimension.slug, math.nan, facts).annotators[0]

    def _beside_originals(self, n_rows: int, rows: Rows) -> dict[int, bool]:
        """Return for each judgment with a copy beside its original, whether the original is above
        it."""
        own = self.rows[:n_rows]
        away = own - self.plan.items.original[own]
        at = np.flatnonzero(away)
        is_above = self.values[at - away[at]] > self.values[at]
        return dict(zip(rows["judgment"][at].tolist(), is_above.tolist(), strict=True))

    def _times(self, n_items: int) -> Rows:
        work, items = self.plan.items, self.items[:n_items]
        unknown = np.full(n_items, np.nan)
        pace = FAST_PACE if self.kind == FAST else 1.0
        return Rows(
            {
                "judgment": np.arange(n_items),
                "annotator": np.zeros(n_items, np.int64),
                "segment": self.plan.segment_ids[work.segment_of_item[items]],
                "seconds": work.seconds[items] * pace,
                "words": work.words[items],
                "started": unknown,
                "submitted": unknown,
            }
        )


def _rows_of(first: np.ndarray, items: np.ndarray) -> np.ndarray:
    """Return the rows of items, one after the other."""
    own = [np.arange(first[i], first[i + 1]) for i in items]
    return np.concatenate([np.zeros(0, np.int64), *own])


def observed_of(
    plan: RehearsedPlan, work: list[tuple[np.ndarray, np.ndarray, np.ndarray]]
) -> Observed:
    """Return what people have answered, as the analysis reads stored judgments. work: of each the
    items, the rows and the values of these."""
    items, rows, values, people, judgments = [], [], [], [], []
    n = 0
    for code, (own, of_own, given) in enumerate(work):
        sizes = plan.items.first[own + 1] - plan.items.first[own]
        items.append(np.repeat(plan.items.number[own], sizes))
        judgments.append(n + np.repeat(np.arange(len(own)), sizes))
        rows.append(of_own)
        values.append(given[: len(of_own)])
        people.append(np.full(len(of_own), code))
        n += len(own)
    at = np.concatenate(rows)
    zeros = np.zeros(len(at), np.int64)
    ratings = Rows(
        {
            "id": np.arange(len(at)),
            "judgment": np.concatenate(judgments),
            "annotator": np.concatenate(people),
            "item": np.concatenate(items),
            "segment": plan.items.segment[at],
            "system": plan.items.system[at],
            "dimension": zeros,
            "kind": plan.items.kind[at],
            "value": np.concatenate(values),
            "active_ms": zeros - 1,
            "position": zeros,
            "copy": (plan.items.twin[at] != at).astype(np.int64),
        }
    )
    none = ratings[np.zeros(0, np.int64)]
    return Observed(
        rates=True,
        ranks=False,
        dimensions=(plan.dimension,),
        annotators=np.array([str(code) for code in range(len(work))], object),
        annotator_ids=np.arange(len(work)),
        system_ids=plan.system_ids,
        system_names=plan.system_names,
        segment_ids=plan.segment_ids,
        segment_keys=plan.segment_keys,
        document_ids=plan.document_ids,
        judgments=none,
        ratings=ratings,
        preferences=none,
        fingerprint="",
    )


def ranks_of(
    plan: RehearsedPlan, workers: list[SimulatedAnnotator], best_first: np.ndarray
) -> RehearsedRanks | None:
    """Return what the campaign's ranking says of the systems; None where it has none."""
    work = [(each.items, each.rows, each.values) for each in workers if each.n_judged]
    if not work or len(best_first) < 2:
        return None
    observed = observed_of(plan, work)
    regular = observed.ratings["kind"] != KINDS.index(Kind.REFERENCE.value)
    ranked = np.zeros(len(plan.system_ids), bool)
    ranked[plan.ranked] = True
    kept = observed.ratings[regular & ranked[observed.ratings["system"]]]
    observed = Observed(**{**vars(observed), "ratings": kept})
    how = plan.how
    scores = system_scores_of(observed, plan.dimension.slug, how.compared_by, how=how)
    if scores.reason or len(scores.names) < len(best_first):
        return None
    at = {int(pk): place for place, pk in enumerate(scores.system_ids)}
    order = np.array([at[int(plan.system_ids[code])] for code in best_first])
    mean = scores.mean[order]
    differs = scores.differs[np.ix_(order, order)]
    cluster = scores.cluster[order]
    return RehearsedRanks(
        n_clusters=int(cluster.max()),
        finds_best=bool(mean[0] == mean.max()),
        best_alone=bool(cluster[0] == 1 and (cluster == 1).sum() == 1),
        decided=np.triu(differs & (mean[:, None] > mean), 1),
        wrong=np.triu(differs & (mean[:, None] < mean), 1),
    )


class PairsApart(NamedTuple):
    """Pairs of systems with the same true ``difference``: how many there are in one rehearsal, and
    which shares of them in all were ``decided``, ``wrong`` (the wrong way round), and decided if
    nobody were left out."""

    difference: float
    pairs: int
    decided: float
    wrong: float
    with_all: float


def pairs_by_distance(found: Rehearsal) -> list[PairsApart]:
    """Return the nearest first; none where no run has ranks."""
    n = len(found.means)
    ranks = [run.ranks for run in found.runs if run.ranks is not None]
    everyone = [run.everyone for run in found.runs if run.everyone is not None]

    def share(tables: list[np.ndarray], steps: int) -> float:
        return float(np.mean([table.diagonal(steps) for table in tables]))

    return [
        PairsApart(
            float(found.means[0] - found.means[steps]),
            n - steps,
            share([each.decided for each in ranks], steps),
            share([each.wrong for each in ranks], steps),
            share([each.decided for each in everyone], steps),
        )
        for steps in (range(1, n) if ranks else ())
    ]
