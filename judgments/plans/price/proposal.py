"""The proposal at the top of the plan's page: the entire cheapest design, with its price."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from judgments.models import Campaign, Reference
from judgments.people.workload.pace import Pace, pace_of
from judgments.protocols import Protocol, protocol_of
from judgments.stats.planning.proposal import (
    FEWEST_SEGMENTS,
    KnownTexts,
    Proposal,
    explained_by,
    propose,
)
from judgments.stats.planning.spreads import DifferenceSpread

from ..metric_controls import Control
from ..scope import PlannedWork, may_be_controlled, mean_seats
from ..settings import PlanSettings
from .context import WORDS_A_MINUTE
from .figures import Smallest, alpha_of, in_words, smallest_of, spread_of_difference
from .metric_worth import explained_of
from .spread import spread_of


@dataclass(frozen=True)
class WantedOfPlan:
    """The question of the proposal, and the difference or the time wanted; without either, the
    difference that half of the documents show."""

    question: str = "all"
    difference: float | None = None
    hours: float | None = None


@dataclass(frozen=True)
class PlanProposal:
    """``settings`` of the proposed plan, None if none is proposed; the ``sentence`` describes it
    with its cost, or says why there is none; ``missing``, what metrics would change; ``notes`` on
    the assumptions."""

    settings: PlanSettings | None
    sentence: str
    missing: str = ""
    notes: tuple[str, ...] = ()


def base_settings(settings: PlanSettings) -> PlanSettings:
    """Return the settings for the complete work, of which a proposal is a part."""
    return replace(settings, segments=None, design="paired", equal_once=True, choice="all")


def proposal_of(
    campaign: Campaign,
    settings: PlanSettings,
    work: PlannedWork,
    controls: Sequence[Control],
    asked: WantedOfPlan,
) -> PlanProposal | None:
    """Return which part to judge of texts whose whole ``work`` is with `base_settings`; None if
    systems are not distinguished by scores of segments, or if there are too few segments. controls:
    metrics to register."""
    protocol = protocol_of(campaign)
    is_enough = work.n_systems > 1 and work.segments >= FEWEST_SEGMENTS
    if not (may_be_controlled(protocol) and is_enough):
        return None
    settings = replace(base_settings(settings), question=asked.question)
    pace = pace_of(campaign, settings.seconds_per_word)
    spread = spread_of(campaign).spread
    r_squared = explained_of(campaign, controls).r_squared
    known = known_texts(protocol, settings, work, pace, spread, r_squared)
    hours = None if asked.hours is None else 3600 * asked.hours
    found = propose(known, difference=asked.difference, seconds=hours)
    if found is None:
        return PlanProposal(None, _why_not(protocol, settings, work, spread))
    proposed = replace(
        settings,
        block_length=found.block_length,
        segments=found.segments if found.segments < work.segments else None,
    )
    unit = spread_of_difference(protocol, settings, work, spread)[1]
    interval = pace.spread.interval(found.seconds / 3600, min(settings.annotators, work.batches))
    missing = ""
    if not controls:
        other = propose(
            replace(known, r_squared=explained_by(3)), difference=asked.difference, seconds=hours
        )
        missing = _missing(found, other, unit)
    return PlanProposal(
        proposed,
        _sentence(found, work, controls, Smallest(found.difference, unit), interval),
        missing,
        tuple(_notes(campaign, controls)),
    )


def known_texts(
    protocol: Protocol,
    settings: PlanSettings,
    work: PlannedWork,
    pace: Pace,
    spread: DifferenceSpread,
    r_squared: float,
) -> KnownTexts:
    """Return the known facts about the texts, for all seats, from the work of judging all of
    them."""
    hours = pace.hours(work.outputs, work.words) + work.listening.extra_hours(pace)
    is_shown = protocol.options.context == "document"
    source = work.source_words / WORDS_A_MINUTE * 60
    return KnownTexts(
        sizes=work.pooled,
        judging=3600 * hours / work.segments,
        reading=source * mean_seats(settings) if is_shown else 0.0,
        sd=spread_of_difference(protocol, settings, work, spread)[0],
        rho=spread.rho,
        pair_alpha=alpha_of(settings, work),
        r_squared=r_squared,
        context_cost=settings.context_cost if is_shown else None,
        are_whole=bool(protocol.last_part),
    )


def _sentence(
    found: Proposal,
    work: PlannedWork,
    controls: Sequence[Control],
    smallest: Smallest,
    interval: tuple[float, float],
) -> str:
    blocks = {0: "in whole documents", 1: "one by one"}.get(
        found.block_length, f"in blocks of at most {found.block_length}"
    )
    what = f"Judge {found.segments:,} of {sum(work.pooled):,} segments, drawn {blocks}"
    what += ", equal translations once"
    if controls:
        what += f", with {_listed([each.label for each in controls])} as controls"
    least, most = (in_words(hours) for hours in interval)
    return (
        f"{what}: {in_words(found.seconds / 3600)} hours ({least} to {most} in nine plans of ten) "
        f"show a difference of {smallest.words}. {_of_wholes(found)}"
    )


def _of_wholes(found: Proposal) -> str:
    if not found.block_length:
        return "Blocks would gain nothing."
    if math.isnan(found.whole_seconds):
        return "Whole documents do not show it, not even all of them."
    return f"Whole documents take {in_words(found.whole_seconds / 3600)} hours for the same."


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _missing(found: Proposal, other: Proposal | None, unit: str) -> str:
    """Return what trained metrics would change."""
    words = "No trained metric, such as COMET, has scores of all these translations."
    if other is None:
        return words
    shown = Smallest(other.difference, unit)
    return (
        f"{words} With three of them as controls, {in_words(other.seconds / 3600)} hours would "
        f"show a difference of {shown.number}."
    )


def _notes(campaign: Campaign, controls: Sequence[Control]) -> Iterator[str]:
    if controls:
        yield (
            "The metrics are registered when the plan is made, before the first judgment; they "
            "correct for which segments are judged, and cannot favor a system."
        )
    if not Reference.objects.filter(segment__test_set=campaign.test_set_id).exists():
        yield (
            "There is no reference, but metrics that need none do nearly as well: on one "
            "language pair two of them cost .488 of a plan at random, and four with references "
            ".482."
        )


def _why_not(
    protocol: Protocol, settings: PlanSettings, work: PlannedWork, spread: DifferenceSpread
) -> str:
    """Return what all of the texts show, if no part of them meets the request."""
    smallest = smallest_of(protocol, settings, work, spread)
    if math.isnan(smallest.value):
        return f"Nothing is proposed: {smallest.words}."
    return (
        f"No part of these texts does that: it takes at least {FEWEST_SEGMENTS} segments, and all "
        f"of them show a difference of {smallest.words}."
    )
