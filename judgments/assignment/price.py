"""What a plan costs, and what it will show: hours, days, money, and the smallest difference."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from judgments.models import Campaign, Kind
from judgments.protocols import Protocol, protocol_of
from judgments.staffing import staffing_of
from judgments.stats.planning.blocks import DEFAULT_LENGTH, best_block_length
from judgments.stats.planning.price import (
    BH_MEASURED,
    Design,
    alpha_of_pair,
    number_of_pairs,
    price_of_question,
    segments_per_document,
    smallest_difference,
)
from judgments.stats.quality_control import MIN_PAIRS

from .pace import Pace, pace_of
from .plan_settings import PlanSettings
from .previews import Preview

HOURS_A_DAY = 4.0
# The standard deviation of preferences -1, 0, +1, when neither output is better on the whole.
SD_OF_PREFERENCES = 0.85
# Variance of a paired difference when two people judge the two outputs, in units of that when one
# does: .70 against .42 of the unpaired, in three-rater MQM of WMT23.
OTHER_RATERS = 0.70 / 0.42
# The share of the variance of signed ranks that four trained metrics explain; see `Design`.
R_SQUARED = 0.20


@dataclass(frozen=True)
class PlannedWork:
    """What is judged. ``words`` of sources and outputs, ``items``, ``batches`` and ``judgments``:
    of all seats, control items among them. ``of_documents``: how many segments of each document
    are judged; ``pooled``: how many it has. ``n_blocks``: blocks that are given out. ``degraded``:
    copies, of all seats."""

    n_systems: int
    of_documents: Sequence[int]
    pooled: Sequence[int]
    n_blocks: int
    batches: int
    items: int
    answers: int
    words: float
    degraded: int = 0

    @property
    def segments(self) -> int:
        return sum(self.of_documents)


def planned_work(preview: Preview) -> PlannedWork:
    return PlannedWork(
        n_systems=len(preview.systems),
        of_documents=preview.of_documents,
        pooled=preview.pooled,
        n_blocks=preview.n_blocks,
        batches=preview.n_tasks,
        items=preview.n_items,
        answers=preview.n_answers,
        words=preview.n_words,
        degraded=preview.kinds.get(Kind.DEGRADED, 0) + preview.controls.get(Kind.DEGRADED, 0),
    )


CONTROLLED = "controlled by four trained metrics"


@dataclass(frozen=True)
class Alternative:
    """A plan in ``words``, with its hours, the smallest difference that it shows, in the units of
    `PlanPrice`, and its cost, empty where no pay is set."""

    words: str
    hours: str
    smallest: str
    cost: str = ""


@dataclass(frozen=True)
class PlanPrice:
    """``sentence`` first, and the same at a ``glance``; ``counters`` of (label, value); the plan
    among its ``alternatives``, whose differences are in ``unit``; ``notes`` of what was assumed."""

    sentence: str
    glance: str
    counters: tuple[tuple[str, str], ...]
    alternatives: tuple[Alternative, ...] = ()
    unit: str = ""
    questions: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = field(default=())


def price_of(campaign: Campaign, settings: PlanSettings, work: PlannedWork) -> PlanPrice:
    """What the plan comes to, in words and numbers."""
    protocol = protocol_of(campaign)
    pace = pace_of(campaign, settings.seconds_per_word)
    hours = hours_for(settings, work, pace, protocol)
    # Nobody gets two seats of a batch, and who finds none left has nothing to do.
    at_work = min(settings.annotators, work.batches) or 1
    smallest = smallest_of(protocol, settings, work)
    pay = hourly_pay(campaign, settings)
    counters = [("Cost", cost)] if (cost := _cost(hours, pay)) else []
    counters += [
        ("Hours", _hours(hours)),
        (f"Days of {HOURS_A_DAY:g} hours", _days(hours / at_work)),
        ("Items for each annotator", f"{math.ceil(work.items / at_work):,}"),
        ("Judgments", f"{work.items:,}"),
        ("Answers", f"{work.answers:,}"),
        ("Words to read", f"{work.words:,.0f}"),
        ("Batches", f"{work.batches:,}"),
    ]
    return PlanPrice(
        sentence=_sentence(settings, hours, smallest),
        glance=_glance(hours, cost, smallest),
        counters=tuple(counters),
        alternatives=tuple(_alternatives(protocol, settings, work, hours, pay)),
        unit=smallest.unit,
        questions=tuple(_questions(settings, work)) if scores_outputs(protocol) else (),
        notes=tuple(_notes(protocol, settings, work, pace)),
    )


def scores_outputs(protocol: Protocol) -> bool:
    """Whether its judgments rate or compare outputs, so that systems can be told apart."""
    return protocol.compares or bool(protocol.dimensions())


def may_be_controlled(protocol: Protocol) -> bool:
    """Whether a stopping plan can name metrics that correct for which segments were judged."""
    return protocol.unit == "segment" and scores_outputs(protocol) and not protocol.compares


def hours_for(settings: PlanSettings, work: PlannedWork, pace: Pace, protocol: Protocol) -> float:
    """Judging, and reading the context of blocks that are cut out of documents."""
    judging = pace.hours(work.words)
    if not settings.block_length or protocol.options.context != "document":
        return judging
    seats = mean_seats(settings)
    reading = work.n_blocks * seats * settings.context_cost
    return judging * (1 + reading / max(1.0, work.segments * seats))


def hourly_pay(campaign: Campaign, settings: PlanSettings) -> tuple[float, str] | None:
    """The amount and its currency: of the plan, or else what the campaign pays for an hour."""
    if settings.pay_per_hour is not None:
        return settings.pay_per_hour, settings.currency
    pay = staffing_of(campaign).pay
    return (float(pay.amount), pay.currency) if pay and pay.per == "hour" else None


def mean_seats(settings: PlanSettings) -> float:
    share = settings.agreement_share
    return (1 - share) * settings.seats + share * max(settings.seats, settings.agreement_seats)


@dataclass(frozen=True)
class Smallest:
    """``value`` in ``unit``, or NaN and the ``reason`` why it is not known."""

    value: float
    unit: str = ""
    reason: str = ""

    @property
    def number(self) -> str:
        return self.reason or f"{self.value:.3g}"

    @property
    def words(self) -> str:
        return f"{self.number} {self.unit}".strip()


def smallest_of(
    protocol: Protocol,
    settings: PlanSettings,
    work: PlannedWork,
    *,
    of_documents: Sequence[int] | None = None,
    r_squared: float = 0.0,
) -> Smallest:
    """The smallest difference between two systems that is shown with a chance of 80 %.

    ``of_documents`` in the place of the plan's own. ``r_squared``: what controls explain.
    """
    judged = [n for n in (of_documents or work.of_documents) if n]
    if not scores_outputs(protocol):
        return Smallest(math.nan, reason="no scores are asked")
    if work.n_systems < 2 or not judged:
        return Smallest(math.nan, reason="nothing to compare")
    sd, unit = _spread(protocol, settings)
    if not protocol.compares and settings.design != "paired":
        sd *= math.sqrt(OTHER_RATERS)
    asked = settings.question if settings.question != "best" else "all"
    alpha = alpha_of_pair(number_of_pairs(work.n_systems, asked), promise=settings.promise)
    design = Design(
        pool=max(sum(work.pooled), sum(judged)),
        judged_per_document=segments_per_document(judged),
        pooled_per_document=segments_per_document(work.pooled),
        r_squared=r_squared,
    )
    found = smallest_difference(sum(judged), sd, design, pair_alpha=alpha).difference
    if found > (largest := largest_difference(protocol)):
        return Smallest(math.nan, reason=f"none up to {largest:g}: too few segments")
    return Smallest(found, unit)


def largest_difference(protocol: Protocol) -> float:
    """What two systems can differ by at most: all comparisons won, or the ends of the scale."""
    if protocol.compares:
        return 1.0
    scale = protocol.dimensions()[0].scale
    if scale.low is None or scale.high is None:
        return math.inf
    return scale.high - scale.low


def _spread(protocol: Protocol, settings: PlanSettings) -> tuple[float, str]:
    """The standard deviation of the difference of two outputs of one segment, and its unit."""
    if protocol.compares:
        return SD_OF_PREFERENCES, "(share of wins less share of losses)"
    scale = protocol.dimensions()[0].scale
    low, high = scale.low, scale.high
    if low is None or high is None:
        return 100 * settings.spread, "% of the usual range"
    return (high - low) * settings.spread, f"on the scale from {low:g} to {high:g}"


def _alternatives(
    protocol: Protocol,
    settings: PlanSettings,
    work: PlannedWork,
    hours: float,
    pay: tuple[float, str] | None,
) -> Iterator[Alternative]:
    """This plan, and others beside it; none where no difference tells them apart."""
    if not scores_outputs(protocol):
        return
    same = smallest_of(protocol, settings, work)
    yield _alternative("This plan", hours, same, pay)
    if (seats := mean_seats(settings)) > 1:
        yield _alternative("One annotator for each batch", hours / seats, same, pay)
    if work.segments < 4:
        return
    for words, sizes, r_squared in _ways(protocol, work):
        there = smallest_of(protocol, settings, work, of_documents=sizes, r_squared=r_squared)
        yield _alternative(words, hours * sum(sizes) / work.segments, there, pay)


def _ways(protocol: Protocol, work: PlannedWork) -> Iterator[tuple[str, Sequence[int], float]]:
    """(words, segments of each document, what controls explain): halves, and the plan itself, or
    else the last half, with metrics that score what nobody judges, too."""
    is_drawn = work.segments < sum(work.pooled)
    may = may_be_controlled(protocol)
    if may and is_drawn:
        yield f"This plan, {CONTROLLED}", work.of_documents, R_SQUARED
    words, sizes = "Half of it, whole documents", _half_of_documents(work)
    yield words, sizes, 0.0
    if max(work.of_documents) > DEFAULT_LENGTH:
        words, sizes = f"Half of it, blocks of at most {DEFAULT_LENGTH}", _half_of_blocks(work)
        yield words, sizes, 0.0
    if may and not is_drawn:
        yield f"{words}, {CONTROLLED}", sizes, R_SQUARED


def _alternative(
    words: str, hours: float, smallest: Smallest, pay: tuple[float, str] | None
) -> Alternative:
    return Alternative(words, _hours(hours), smallest.number, _cost(hours, pay))


def _half_of_documents(work: PlannedWork) -> list[int]:
    """Every other document, by size: as whole as they are judged now."""
    return sorted((n for n in work.of_documents if n), reverse=True)[::2]


def _half_of_blocks(work: PlannedWork) -> list[int]:
    """About half of each document's segments."""
    return [math.ceil(n / 2) for n in work.of_documents if n]


def _questions(settings: PlanSettings, work: PlannedWork) -> Iterator[tuple[str, str]]:
    """(what, of the judgments that all pairs under Holm need)."""
    if work.n_systems < 2:
        return
    yield "Compare all pairs", "1"
    for question, words in (
        ("one-against-others", "Compare one system with the others"),
        ("one-pair", "Compare one pair, named beforehand"),
    ):
        yield words, f"{price_of_question(work.n_systems, question):.3f}"
    low, high = BH_MEASURED
    yield "All pairs, the weaker promise (Benjamini–Hochberg)", f"{low:.2f} to {high:.2f}"


def _notes(
    protocol: Protocol, settings: PlanSettings, work: PlannedWork, pace: Pace
) -> Iterator[str]:
    is_by_segment = protocol.unit == "segment"
    kind = "as set" if pace.is_set else "a rule of thumb"
    if pace.n_judged:
        kind = f"this campaign's own, from {pace.n_judged:,} judgments"
    yield f"{pace.seconds:.2g} s for each word of sources and translations: {kind}."
    if work.batches < settings.annotators:
        yield (
            f"There {'is one batch' if work.batches == 1 else f'are {work.batches} batches'} for "
            f"{settings.annotators} annotators, so not all of them get work: shorter batches, or "
            "more annotators for each, make it enough."
        )
    each = work.degraded / (min(settings.annotators, work.batches) or 1)
    if 0 < each < MIN_PAIRS:
        yield (
            f"About {each:.2g} degraded {'copy' if each == 1 else 'copies'} for each annotator: "
            f"the test of who reads with care needs {MIN_PAIRS}."
        )
    asked = settings.segments
    if asked is not None and abs(work.segments - asked) > asked / 10 and is_by_segment:
        yield (
            f"{work.segments:,} segment{'s' if work.segments > 1 else ''} will be judged, not "
            f"{asked:,}: blocks stay whole. Shorter blocks come nearer."
        )
    mean_length = len([n for n in work.pooled if n]) and sum(work.pooled) / len(work.pooled)
    if settings.block_length and mean_length:
        best = best_block_length(settings.context_cost, mean_length=mean_length)
        if best.reason:
            yield f"{best.reason[0].upper()}{best.reason[1:]}."
        elif best.length != settings.block_length:
            yield f"With context at this cost, blocks of {best.length} are best."
    if not scores_outputs(protocol):
        return
    if work.segments > 1 and len(work.pooled) == 1:
        yield (
            "All segments are one document. If they are not, import the texts with the document of "
            "each segment."
        )
    if sum(1 for n in work.of_documents if n) < 20:
        yield "Fewer than 20 documents: the difference is larger than the formula says."
    if may_be_controlled(protocol) and work.segments >= 4:
        yield (
            "Metrics with scores of all texts can control for which of them are judged, if a "
            "stopping plan names them before the first judgment. Trained metrics help, BLEU and "
            "chrF hardly do; where every text is judged, none does."
        )
    if mean_seats(settings) > 1:
        yield (
            "Several annotators for an item show how well they agree; the smallest difference is "
            "reckoned as for one."
        )
    if settings.promise == "bh":
        yield (
            "Benjamini–Hochberg promises less than Holm: some of the separations shown are "
            "expected to be false."
        )
    yield (
        "With a chance of 80 %, by formula; a pilot's own data say it better (page Power)."
        if not protocol.compares
        else "With a chance of 80 %, by formula."
    )


def _sentence(settings: PlanSettings, hours: float, smallest: Smallest) -> str:
    people = f"{settings.annotators} annotator{'s' if settings.annotators > 1 else ''}"
    work = f"{_hours(hours).capitalize()} hours of work for {people}"
    if math.isnan(smallest.value):
        return f"{work}."
    return f"{work} show a difference of {smallest.words}, or a larger one."


def _glance(hours: float, cost: str, smallest: Smallest) -> str:
    """The hours, the cost and the difference, in as few words as a phone has room for."""
    difference = "" if math.isnan(smallest.value) else f"difference {smallest.number}"
    return " · ".join(filter(None, (f"{_hours(hours).capitalize()} hours", cost, difference)))


def _cost(hours: float, pay: tuple[float, str] | None) -> str:
    """Of (amount for an hour, currency); empty where none is set."""
    return f"{hours * pay[0]:,.0f} {pay[1]}" if pay else ""


def _hours(hours: float) -> str:
    if 0 < hours < 0.1:
        return "under 0.1"
    return f"{hours:,.1f}" if hours < 10 else f"{hours:,.0f}"


def _days(hours: float) -> str:
    return _hours(hours / HOURS_A_DAY)
