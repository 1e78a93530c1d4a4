"""What a plan costs, and what it will show: hours, days, money, and the smallest difference."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from judgments.models import Campaign
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

from .pace import Pace, pace_of
from .plan_settings import PlanSettings
from .previews import Preview

HOURS_A_DAY = 4.0
# The standard deviation of preferences -1, 0, +1, when neither output is better on the whole.
SD_OF_PREFERENCES = 0.85
# Variance of a paired difference when two people judge the two outputs, in units of that when one
# does: .70 against .42 of the unpaired, in three-rater MQM of WMT23.
OTHER_RATERS = 0.70 / 0.42


@dataclass(frozen=True)
class PlannedWork:
    """What is judged. ``words`` of sources and outputs, ``items``, ``batches`` and ``judgments``:
    of all seats, control items among them. ``of_documents``: how many segments of each document
    are judged; ``pooled``: how many it has. ``n_blocks``: blocks that are given out."""

    n_systems: int
    of_documents: Sequence[int]
    pooled: Sequence[int]
    n_blocks: int
    batches: int
    items: int
    answers: int
    words: float

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
    )


@dataclass(frozen=True)
class Alternative:
    """Another plan in ``words``, with its hours and the smallest difference that it shows."""

    words: str
    hours: str
    smallest: str


@dataclass(frozen=True)
class PlanPrice:
    """``sentence`` first; ``counters`` of (label, value); ``notes`` of what was assumed."""

    sentence: str
    counters: tuple[tuple[str, str], ...]
    alternatives: tuple[Alternative, ...] = ()
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
    counters = [
        ("Judgments", f"{work.items:,}"),
        ("Answers", f"{work.answers:,}"),
        ("Words to read", f"{work.words:,.0f}"),
        ("Batches", f"{work.batches:,}"),
        ("Items for each annotator", f"{math.ceil(work.items / at_work):,}"),
        ("Hours", _hours(hours)),
        (f"Days of {HOURS_A_DAY:g} hours", _days(hours / at_work)),
    ]
    if scores_outputs(protocol):
        counters.append(("Smallest difference", smallest.words))
    if (pay := hourly_pay(campaign, settings)) is not None:
        amount, currency = pay
        counters.append(("Cost", f"{hours * amount:,.0f} {currency}"))
    return PlanPrice(
        sentence=_sentence(settings, hours, smallest),
        counters=tuple(counters),
        alternatives=tuple(_alternatives(protocol, settings, work, hours)),
        questions=tuple(_questions(settings, work)) if scores_outputs(protocol) else (),
        notes=tuple(_notes(protocol, settings, work, pace)),
    )


def scores_outputs(protocol: Protocol) -> bool:
    """Whether its judgments rate or compare outputs, so that systems can be told apart."""
    return protocol.compares or bool(protocol.dimensions())


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
    """``value`` on the scale, NaN where it is not known, and in ``words``."""

    value: float
    words: str


def smallest_of(
    protocol: Protocol,
    settings: PlanSettings,
    work: PlannedWork,
    *,
    of_documents: Sequence[int] | None = None,
) -> Smallest:
    """The smallest difference between two systems that is shown with a chance of 80 %.

    ``of_documents`` in the place of the plan's own.
    """
    judged = [n for n in (of_documents or work.of_documents) if n]
    if not scores_outputs(protocol):
        return Smallest(math.nan, "no scores are asked")
    if work.n_systems < 2 or not judged:
        return Smallest(math.nan, "nothing to compare")
    sd, unit = _spread(protocol, settings)
    if not protocol.compares and settings.design != "paired":
        sd *= math.sqrt(OTHER_RATERS)
    asked = settings.question if settings.question != "best" else "all"
    alpha = alpha_of_pair(number_of_pairs(work.n_systems, asked), promise=settings.promise)
    design = Design(judged_per_document=segments_per_document(judged))
    found = smallest_difference(sum(judged), sd, design, pair_alpha=alpha)
    return Smallest(found.difference, f"{found.difference:.3g} {unit}")


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
    protocol: Protocol, settings: PlanSettings, work: PlannedWork, hours: float
) -> Iterator[Alternative]:
    """This plan, and others beside it; none where no difference tells them apart."""
    if not scores_outputs(protocol):
        return
    yield Alternative("This plan", _hours(hours), smallest_of(protocol, settings, work).words)
    if (seats := mean_seats(settings)) > 1:
        same = smallest_of(protocol, settings, work).words
        yield Alternative("One annotator for each batch", _hours(hours / seats), same)
    if work.segments < 4:
        return
    halves = {"Half of it, whole documents": _half_of_documents(work)}
    if max(work.of_documents) > DEFAULT_LENGTH:
        halves[f"Half of it, blocks of at most {DEFAULT_LENGTH}"] = _half_of_blocks(work)
    for words, sizes in halves.items():
        there = smallest_of(protocol, settings, work, of_documents=sizes).words
        yield Alternative(words, _hours(hours * sum(sizes) / work.segments), there)


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
    if sum(1 for n in work.of_documents if n) < 20:
        yield "Fewer than 20 documents: the difference is larger than the formula says."
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


def _hours(hours: float) -> str:
    if 0 < hours < 0.1:
        return "under 0.1"
    return f"{hours:,.1f}" if hours < 10 else f"{hours:,.0f}"


def _days(hours: float) -> str:
    return _hours(hours / HOURS_A_DAY)
