"""A plan as arrays: the content of each screen, and who may have which seat. Writes nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from judgments.judging.observations import reads_as
from judgments.judging.queue import is_pool
from judgments.models import (
    Alteration,
    Campaign,
    ExpectedScore,
    Item,
    ItemOutput,
    Kind,
    QualityRule,
    System,
)
from judgments.models.quality_control import THRESHOLDS
from judgments.people.staffing.settings import staffing_of
from judgments.people.workload.pace import pace_of
from judgments.people.workload.words import n_words
from judgments.plans.choice import draws_systems
from judgments.plans.price.spread import spread_of
from judgments.plans.settings import PlanSettings
from judgments.protocols import protocol_of
from judgments.protocols.base import Dimension
from judgments.quality.control_items.figures import ControlFacts, control_facts
from judgments.results.observations.observations import KINDS, dimensions_of
from judgments.results.observations.times import source_words
from judgments.results.scores.pair_test import PairTest, pair_test_of
from judgments.stats.planning.simulated_people import AnswerScale

from ..rules.forms import RuleForm
from .hand_out import PlannedSeat

MOST_ITEMS = 50_000


@dataclass(frozen=True)
class PlannedItems:
    """``first`` (n_items + 1,): the first row of each item.

    For each row ``segment``, ``system`` (codes), ``kind`` (code of KINDS), ``twin`` (the row of the
    same screen whose text is judged for both, or itself), ``original`` (the row next to it whose
    text was altered for it, or itself) and the ``rule`` of an altered text. For each item its
    ``number``, ``seconds``, ``words`` of the source, ``segment_of_item`` (code) and ``controls``,
    the kinds of control that it has.
    """

    seats: tuple[PlannedSeat, ...]
    first: np.ndarray
    segment: np.ndarray
    system: np.ndarray
    kind: np.ndarray
    twin: np.ndarray
    original: np.ndarray
    rule: np.ndarray
    number: np.ndarray
    seconds: np.ndarray
    words: np.ndarray
    segment_of_item: np.ndarray
    controls: tuple[tuple[str, ...], ...]

    @property
    def n_items(self) -> int:
        return len(self.number)


@dataclass(frozen=True)
class RehearsedPlan:
    """The facts about a campaign that a rehearsal needs. ``documents``: codes of the segments'
    documents. ``sd`` of the difference of two systems on a segment, in points, and its ``rho`` in
    documents. ``is_proposed``: no rule was written; it is the one that its form proposes."""

    items: PlannedItems
    dimension: Dimension
    scale: AnswerScale
    sd: float
    rho: float
    system_ids: np.ndarray
    system_names: np.ndarray
    ranked: np.ndarray
    references: np.ndarray
    segment_ids: np.ndarray
    segment_keys: np.ndarray
    document_ids: np.ndarray
    facts: ControlFacts
    rule: QualityRule
    is_proposed: bool
    how: PairTest
    question: str
    is_pool: bool
    most_batches: int | None

    @property
    def documents(self) -> np.ndarray:
        return np.unique(self.document_ids, return_inverse=True)[1]


def why_not(campaign: Campaign) -> str:
    """Return why the plan of a campaign cannot be rehearsed, in a sentence; empty if it can."""
    protocol, dimensions = protocol_of(campaign), dimensions_of(campaign)
    if not protocol.has_page("quality") or not dimensions or protocol.compares or protocol.ranks:
        return "Only plans whose annotators give scores can be rehearsed."
    if answer_scale(campaign) is None:
        return "The scale has no ends, so nobody knows what careless people would answer."
    if draws_systems(campaign):
        return "Only plans that show all systems can be rehearsed, and this one draws some."
    n_items = campaign.tasks.progress()["items"]
    if not n_items:
        return "Nothing is planned yet."
    if n_items > MOST_ITEMS:
        return f"The plan has more than {MOST_ITEMS:,} items, which takes too long to rehearse."
    if campaign.judgments.exists():
        return "People have judged, so Watch and Power say more than a rehearsal."
    return ""


def answer_scale(campaign: Campaign) -> AnswerScale | None:
    """Return the scale of the first question; for one that is open below, the part that is used."""
    scale, usual = dimensions_of(campaign)[0].scale, protocol_of(campaign).usual_spread()
    if scale.low is not None and scale.high is not None:
        return AnswerScale(scale.low, scale.high, scale.step)
    if scale.high is not None and usual.scale is not None:
        return AnswerScale(scale.high - usual.scale, scale.high, scale.step)
    return None


def read_plan(campaign: Campaign) -> RehearsedPlan:
    """Return the current plan; `why_not` must be empty."""
    settings = PlanSettings.read(campaign.plan)
    dimension, scale = dimensions_of(campaign)[0], answer_scale(campaign)
    assert scale is not None
    systems = System.objects.filter(test_set=campaign.test_set_id).order_by("name")
    named = list(systems.values_list("pk", "name", "copies_reference"))
    segments = list(
        campaign.test_set.segments.order_by("position").values_list("pk", "key", "document_id")
    )
    segment_ids = np.array([row[0] for row in segments], np.int64)
    system_ids = np.array([row[0] for row in named], np.int64)
    items = _read_items(campaign, settings, segment_ids, system_ids, segments)
    references = np.array([bool(row[2]) for row in named], bool)
    regular = items.kind == KINDS.index(Kind.REGULAR.value)
    judged = np.bincount(items.system[regular], minlength=len(named)) > 0
    words = items.words[~np.isnan(items.words)]
    spread = spread_of(campaign).spread
    share = settings.spread
    if share is None:
        share = spread.share(
            *(map(float, (words.mean(), (words**2).mean())) if len(words) else (0, 0))
        )
    written = campaign.quality_rules.last()
    is_proposed = written is None or not written.thresholds
    return RehearsedPlan(
        items=items,
        dimension=dimension,
        scale=scale,
        sd=share * scale.width,
        rho=spread.rho,
        system_ids=system_ids,
        system_names=np.array([row[1] for row in named], object),
        ranked=np.flatnonzero(judged & ~references),
        references=references,
        segment_ids=segment_ids,
        segment_keys=np.array([row[1] for row in segments], object),
        document_ids=np.array([row[2] for row in segments], np.int64),
        facts=control_facts(campaign),
        rule=proposed_rule() if written is None or is_proposed else written,
        is_proposed=is_proposed,
        how=pair_test_of(campaign),
        question=settings.question,
        is_pool=is_pool(campaign),
        most_batches=staffing_of(campaign).batches,
    )


def proposed_rule() -> QualityRule:
    """Return a rule with the thresholds that its form proposes; it is not stored."""
    fields = RuleForm.base_fields
    return QualityRule(
        **{name: fields[name].initial for name in THRESHOLDS if fields[name].initial}
    )


def _read_items(
    campaign: Campaign,
    settings: PlanSettings,
    segment_ids: np.ndarray,
    system_ids: np.ndarray,
    segments: list[tuple],
) -> PlannedItems:
    protocol = protocol_of(campaign)
    asked = _first_pass(campaign)
    columns = ("pk", "task", "segment", "kind", "control_kind", "part")
    of_tasks = ("task__batch", "task__seat", "task__follows")
    planned = Item.objects.filter(task__campaign=campaign).order_by(*of_tasks[:2], "position")
    items = list(planned.values_list(*columns, *of_tasks))
    place = {row[0]: i for i, row in enumerate(items)}
    shown: list[list[ItemOutput]] = [[] for _ in items]
    rows = ItemOutput.objects.filter(item__task__campaign=campaign).order_by("pk")
    for row in rows.select_related("item", "output__segment", "altered").iterator():
        shown[place[row.item_id]].append(row)
    of_segment = {pk: code for code, pk in enumerate(segment_ids.tolist())}
    of_system = {pk: code for code, pk in enumerate(system_ids.tolist())}
    known = source_words(campaign.test_set)
    pace = pace_of(campaign, settings.seconds_per_word)
    found: list[tuple] = []
    first, seconds = [0], []
    shares = protocol.shares_places
    copied = _copied(campaign)
    for outputs in shown:
        row_of = {row.output_id: len(found) + n for n, row in enumerate(outputs)}
        read: dict[tuple, int] = {}
        words = sum(np.nan_to_num(known[pk]) for pk in {row.output.segment_id for row in outputs})
        for row in outputs:
            text = reads_as(row, row.item.control_output_id)
            twin = read.setdefault(text, len(found)) if shares else len(found)
            words += n_words(row.text) if twin == len(found) else 0.0
            if asked(row.item.part):
                kind = KINDS.index(row.item.kind_of(row.output_id))
                rule = row.altered.rule if row.altered else ""
                codes = of_segment[row.output.segment_id], of_system[row.output.system_id]
                original = len(found)
                if rule == Alteration.BESIDE:
                    original = row_of[copied[row.item_id, row.output_id]]
                found.append((*codes, kind, twin, original, rule))
        first.append(len(found))
        seconds.append(pace.seconds(len(read) if shares else len(outputs), words))
    arrays = list(zip(*found, strict=True)) or [()] * 6
    return PlannedItems(
        seats=_seats(items, shown, settings),
        first=np.array(first, np.int64),
        segment=np.array(arrays[0], np.int64),
        system=np.array(arrays[1], np.int64),
        kind=np.array(arrays[2], np.int64),
        twin=np.array(arrays[3], np.int64),
        original=np.array(arrays[4], np.int64),
        rule=np.array(arrays[5], object),
        number=np.array([row[0] for row in items], np.int64),
        seconds=np.array(seconds),
        words=np.array([known[row[2]] for row in items]),
        segment_of_item=np.array([of_segment[row[2]] for row in items], np.int64),
        controls=tuple(tuple({row[3], row[4]} - {"", Kind.REGULAR.value}) for row in items),
    )


def _copied(campaign: Campaign) -> dict[tuple[int, int], int]:
    """Return {(item, output whose place shows an altered copy): the output that was copied}"""
    rows = ExpectedScore.objects.filter(item__task__campaign=campaign, above__isnull=False)
    return {(item, above): own for item, above, own in rows.values_list("item", "above", "output")}


def _first_pass(campaign: Campaign) -> Callable[[str], bool]:
    """Return a test whether a pass asks the first question: if each question has its own pass, the
    pass is named after it."""
    first, *others = (dimension.slug for dimension in dimensions_of(campaign))
    return lambda part: part == first or part not in others


def _seats(
    items: list[tuple], shown: list[list[ItemOutput]], settings: PlanSettings
) -> tuple[PlannedSeat, ...]:
    """Return the tasks, in order; with the versions of documents if nobody reads two."""
    of_task: dict[int, list[int]] = {}
    for place, row in enumerate(items):
        of_task.setdefault(row[1], []).append(place)
    seats = []
    for places in of_task.values():
        *_, batch, seat, follows = items[places[0]]
        versions = {
            (row.output.segment.document_id, row.output.system_id)
            for place in places
            for row in (shown[place] if settings.design != "paired" else ())
        }
        seats.append(
            PlannedSeat(batch, seat, np.array(places, np.int64), follows, frozenset(versions))
        )
    return tuple(seats)
