"""Price and power of a plan: hours, days, money, and the smallest detectable difference."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from judgments.models import Campaign
from judgments.people.staffing.settings import staffing_of
from judgments.people.workload.pace import Pace, pace_of
from judgments.protocols import Protocol, protocol_of
from judgments.stats.planning.blocks import DEFAULT_LENGTH
from judgments.stats.planning.price import (
    BH_MEASURED,
    OTHER_RATERS,
    Design,
    alpha_of_pair,
    number_of_pairs,
    price_of_question,
    segments_per_document,
    smallest_difference,
    variance_of_raters,
)
from judgments.stats.planning.proposal import FEWEST_DOCUMENTS, explained_by
from judgments.stats.planning.spreads import DifferenceSpread

from ..blocks import block_numbers
from ..choice import FEW_SYSTEMS, may_draw, variance_of_some
from ..metric_controls import Control
from ..scope import PlannedWork, may_be_controlled, mean_seats, most_seats, scores_outputs
from ..settings import PlanSettings
from .context import cost_of_context
from .metric_worth import explained_of, worth_of
from .notes import notes_on
from .spread import spread_of, width_of

HOURS_A_DAY = 4.0
# The standard deviation of preferences -1, 0, +1, if neither output is better overall.
SD_OF_PREFERENCES = 0.85
# The share of the variance of signed ranks that four trained metrics explain.
R_SQUARED = explained_by(4)
CONTROLLED = "with trained metrics"


@dataclass(frozen=True)
class Alternative:
    """A plan in ``words``, with its hours, the smallest difference that it shows, in the units of
    `PlanPrice`, and its cost, empty if no pay is set."""

    words: str
    hours: str
    smallest: str
    cost: str = ""


@dataclass(frozen=True)
class PlanPrice:
    """``sentence`` first, and the same at a ``glance``; ``counters`` of (label, value); the plan
    among its ``alternatives``, whose differences are in ``unit``; ``notes`` on the assumptions."""

    sentence: str
    glance: str
    counters: tuple[tuple[str, str], ...]
    alternatives: tuple[Alternative, ...] = ()
    unit: str = ""
    questions: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = field(default=())


def price_of(
    campaign: Campaign,
    settings: PlanSettings,
    work: PlannedWork,
    *,
    controls: Sequence[Control] = (),
) -> PlanPrice:
    """Return the price of the plan, in words and numbers. controls: metrics that are registered
    with it."""
    protocol = protocol_of(campaign)
    pace = pace_of(campaign, settings.seconds_per_word)
    hours = hours_for(settings, work, pace, protocol)
    least, most = pace.spread.interval(hours, min(settings.annotators, work.batches))
    # Nobody gets two seats of a batch, and an annotator who finds none left has no work.
    at_work = min(max(settings.annotators, most_seats(settings)), work.batches) or 1
    explained = explained_of(campaign, controls)
    r_squared = explained.r_squared
    known = spread_of(campaign)
    smallest = smallest_of(protocol, settings, work, known.spread, r_squared=r_squared)
    alone = smallest_of(protocol, settings, work, known.spread)
    worth = []
    if controls and not math.isnan(smallest.value):
        worth.append(worth_of(explained, work, alone.number, smallest.words))
    pay = hourly_pay(campaign, settings)
    counters = [("Cost", cost)] if (cost := _cost(hours, pay)) else []
    counters += [
        ("Hours", in_words(hours)),
        ("Hours in nine plans of ten", f"{in_words(least)} to {in_words(most)}"),
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
        alternatives=tuple(
            _alternative(protocol, other, pace, known.spread, pay)
            for other in _others(protocol, settings, work, r_squared)
        ),
        unit=smallest.unit,
        questions=tuple(_questions(settings, work)) if scores_outputs(protocol) else (),
        notes=(*worth, *notes_on(protocol, settings, work, pace, known)),
    )


def hours_for(settings: PlanSettings, work: PlannedWork, pace: Pace, protocol: Protocol) -> float:
    """Return the hours for judging, at least as long as listening, and for reading the context of
    blocks that are cut out of documents."""
    judging = pace.hours(work.outputs, work.words) + work.listening.extra_hours(pace)
    if not settings.block_length or protocol.options.context != "document":
        return judging
    reading = work.n_blocks * cost_of_context(settings, work, judging)
    return judging * (1 + reading / max(1, work.segments))


def hourly_pay(campaign: Campaign, settings: PlanSettings) -> tuple[float, str] | None:
    """Return the amount and its currency: from the plan, or the campaign's pay per hour."""
    if settings.pay_per_hour is not None:
        return settings.pay_per_hour, settings.currency
    pay = staffing_of(campaign).pay
    return (float(pay.amount), pay.currency) if pay and pay.per == "hour" else None


@dataclass(frozen=True)
class Smallest:
    """``value`` in ``unit``, or NaN and the ``reason`` why it is not known."""

    value: float
    unit: str = ""
    reason: str = ""

    @property
    def number(self) -> str:
        return "none" if self.reason else f"{self.value:.3g}"

    @property
    def words(self) -> str:
        return self.reason or f"{self.number} {self.unit}".strip()


def smallest_of(
    protocol: Protocol,
    settings: PlanSettings,
    work: PlannedWork,
    spread: DifferenceSpread,
    *,
    r_squared: float = 0.0,
) -> Smallest:
    """Return the smallest difference between two systems that is detected with a probability of 80
    %.

    ``spread`` of the campaign; ``r_squared``: the share that controls explain.
    """
    judged = [n for n in work.of_documents if n]
    if not scores_outputs(protocol):
        return Smallest(math.nan, reason="no scores are asked for")
    if work.n_systems < 2 or not judged:
        return Smallest(math.nan, reason="nothing to compare")
    sd, unit = spread_of_difference(protocol, settings, work, spread)
    if settings.choice == "random":
        sd *= math.sqrt(variance_of_some(work.n_systems, settings.systems_shown))
    design = Design(
        pool=max(sum(work.pooled), sum(judged)),
        judged_per_document=segments_per_document(judged),
        pooled_per_document=segments_per_document(work.pooled),
        rho=spread.rho,
        r_squared=r_squared,
    )
    clusters = len(judged) if len(judged) >= FEWEST_DOCUMENTS else sum(judged)
    found = smallest_difference(
        sum(judged), sd, design, clusters=clusters, pair_alpha=alpha_of(settings, work)
    ).difference
    if not found <= (largest := largest_difference(protocol)):
        return Smallest(math.nan, reason=f"none up to {largest:g}: too few segments")
    return Smallest(found, unit)


def alpha_of(settings: PlanSettings, work: PlannedWork) -> float:
    """Return the p at which a pair of systems is distinguished."""
    asked = settings.question if settings.question != "best" else "all"
    return alpha_of_pair(number_of_pairs(work.n_systems, asked), promise=settings.promise)


def _left_by_raters(settings: PlanSettings) -> float:
    """Return the variance of a difference with the annotators per segment, relative to that with
    one."""
    share = settings.agreement_share
    several = max(settings.seats, settings.agreement_seats)
    return (1 - share) * variance_of_raters(settings.seats) + share * variance_of_raters(several)


def largest_difference(protocol: Protocol) -> float:
    """Return the largest possible difference of two systems: all comparisons won, or the ends of
    the scale."""
    if protocol.compares:
        return 1.0
    scale = protocol.dimensions()[0].scale
    if scale.low is None or scale.high is None:
        return math.inf
    return scale.high - scale.low


def spread_of_difference(
    protocol: Protocol, settings: PlanSettings, work: PlannedWork, spread: DifferenceSpread
) -> tuple[float, str]:
    """Return the standard deviation of the difference of two systems on a segment with its number
    of annotators, and its unit."""
    if protocol.compares:
        return SD_OF_PREFERENCES, "(share of wins minus share of losses)"
    scale = protocol.dimensions()[0].scale
    width, unit = 100.0, "% of the usual range"
    if scale.low is not None and scale.high is not None:
        width = scale.high - scale.low
        unit = f"on the scale from {scale.low:g} to {scale.high:g}"
    share = settings.spread
    if share is None:
        share = spread.share(work.source_words, work.source_squares)
        if scale.low is not None:
            width = width_of(protocol)
    raters = _left_by_raters(settings) * (OTHER_RATERS if settings.design != "paired" else 1)
    return width * share * math.sqrt(raters), unit


class Other(NamedTuple):
    """A plan to compare with. ``r_squared``: the share that controls explain."""

    words: str
    settings: PlanSettings
    work: PlannedWork
    r_squared: float = 0.0


def _alternative(
    protocol: Protocol,
    other: Other,
    pace: Pace,
    spread: DifferenceSpread,
    pay: tuple[float, str] | None,
) -> Alternative:
    hours = hours_for(other.settings, other.work, pace, protocol)
    smallest = smallest_of(protocol, other.settings, other.work, spread, r_squared=other.r_squared)
    return Alternative(other.words, in_words(hours), smallest.number, _cost(hours, pay))


def _others(
    protocol: Protocol, settings: PlanSettings, work: PlannedWork, r_squared: float
) -> Iterator[Other]:
    """Yield this plan; halves of it; and itself, or the last half, with metrics that also score the
    unjudged texts. Yield nothing if systems are not distinguished by differences."""
    if not scores_outputs(protocol):
        return
    yield Other("This plan", settings, work, r_squared)
    if may_draw(protocol) and work.n_systems > FEW_SYSTEMS:
        yield _with_other_systems(settings, work)
    if (seats := mean_seats(settings)) > 1:
        alone = replace(settings, seats=1, agreement_share=0.0)
        yield Other("One annotator for each batch", alone, work.share(1 / seats), r_squared)
    if work.segments < 4:
        return
    is_drawn = work.segments < sum(work.pooled)
    may = may_be_controlled(protocol)
    if may and is_drawn and not r_squared:
        yield Other(f"This plan, {CONTROLLED}", settings, work, R_SQUARED)
    half = _half_of_documents(work)
    yield (last := Other("Half of it, whole documents", settings, half, r_squared))
    if max(work.of_documents) > DEFAULT_LENGTH and not protocol.last_part:
        cut = replace(settings, block_length=DEFAULT_LENGTH)
        words = f"Half of it, blocks of at most {DEFAULT_LENGTH}"
        yield (last := Other(words, cut, _half_of_blocks(work), r_squared))
    if may and not is_drawn and not r_squared:
        yield Other(f"That half, {CONTROLLED}", last.settings, last.work, R_SQUARED)


def _with_other_systems(settings: PlanSettings, work: PlannedWork) -> Other:
    """Return the same texts with few systems in a block, or with all if the plan has few."""
    n = work.n_systems
    if settings.choice == "random":
        every = replace(settings, choice="all")
        return Other("All systems in a block", every, work.share(n / settings.systems_shown))
    some = replace(settings, choice="random", systems_shown=FEW_SYSTEMS)
    words = f"{FEW_SYSTEMS} of {n} systems in a block"
    return Other(words, some, work.share(FEW_SYSTEMS / n))


def _part_of(work: PlannedWork, sizes: Sequence[int], n_blocks: int, around: float) -> PlannedWork:
    share = sum(sizes) / work.segments
    return replace(work.share(share), of_documents=sizes, n_blocks=n_blocks, around=around)


def _half_of_documents(work: PlannedWork) -> PlannedWork:
    """Return every other document, by size: each as whole as it is judged now."""
    sizes = sorted((n for n in work.of_documents if n), reverse=True)[::2]
    share = sum(sizes) / work.segments
    return _part_of(work, sizes, round(work.n_blocks * share), work.around * share)


def _half_of_blocks(work: PlannedWork) -> PlannedWork:
    """Return every other block of the documents, in order."""
    listed = [
        (document, size, n - size)
        for document, n in enumerate(work.of_documents)
        for size in Counter(block_numbers(n, DEFAULT_LENGTH)).values()
    ][::2]
    judged: Counter[int] = Counter()
    for document, size, _ in listed:
        judged[document] += size
    around = sum(rest for _, _, rest in listed)
    return _part_of(work, list(judged.values()), len(listed), around)


def _questions(settings: PlanSettings, work: PlannedWork) -> Iterator[tuple[str, str]]:
    """Yield (question, share of the judgments that all pairs under Holm need)."""
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


def _sentence(settings: PlanSettings, hours: float, smallest: Smallest) -> str:
    people = f"{settings.annotators} annotator{'s' if settings.annotators > 1 else ''}"
    work = f"{in_words(hours).capitalize()} hours of work for {people}"
    if math.isnan(smallest.value):
        return f"{work}."
    return f"{work} show a difference of {smallest.words}, or a larger one."


def _glance(hours: float, cost: str, smallest: Smallest) -> str:
    """Return the hours, the cost and the difference, short enough for a phone."""
    difference = "" if math.isnan(smallest.value) else f"difference {smallest.number}"
    return " · ".join(filter(None, (f"{in_words(hours).capitalize()} hours", cost, difference)))


def _cost(hours: float, pay: tuple[float, str] | None) -> str:
    """Return the cost for (amount per hour, currency); empty if none is set."""
    return f"{hours * pay[0]:,.0f} {pay[1]}" if pay else ""


def in_words(hours: float) -> str:
    """Return the number of hours, as precise as it is known."""
    if 0 < hours < 0.1:
        return "under 0.1"
    return f"{hours:,.1f}" if hours < 10 else f"{hours:,.0f}"


def _days(hours: float) -> str:
    return in_words(hours / HOURS_A_DAY)
