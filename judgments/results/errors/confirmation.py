"""Confirmation bias through suggestions: screens with suggestions against the control arm, false
suggestions that were accepted, withheld ones that were overlooked."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from django.db.models import Count
from django.utils.translation import gettext_noop

from judgments.models import Campaign, ErrorSpan, Judgment, PrefilledSpan, UnaidedSegment
from judgments.protocols.spans.marking import Marking
from judgments.results.observations.observations import (
    RESAMPLES,
    SCORED_KINDS,
    SEED,
    Observed,
    cached,
)
from judgments.stats.suggestion_arms import ArmsCompared, compare_arms, joined, overlapped

from ..observations.rows import Rows
from ..observations.tables import SIDES, places
from ..observations.units import clusters_of
from ..selection.selection import Selection
from .rows import ErrorRows, error_rows

# In display order.
MEASURES = {
    "false": gettext_noop("False suggestions marked"),
    "withheld": gettext_noop("Withheld suggestions overlooked"),
    "suggested": gettext_noop("Suggested errors marked"),
    "errors": gettext_noop("Errors marked in a translation"),
    "seconds": gettext_noop("Seconds for a translation"),
    "seconds_per_error": gettext_noop("Seconds for an error"),
}


@dataclass(frozen=True)
class Confirmed:
    """An annotator's treatment of false suggestions that were shown, and of withheld ones."""

    annotator: str
    false: int
    accepted: int
    withheld: int
    overlooked: int


@dataclass(frozen=True)
class ConfirmationReport:
    """``measures``: by the keys of MEASURES. ``resampled``: the unit that is drawn."""

    measures: dict[str, ArmsCompared]
    annotators: tuple[Confirmed, ...]
    n_aided: int
    n_unaided: int
    resampled: str
    seed: int = SEED
    resamples: int = RESAMPLES


def measures_confirmation(campaign: Campaign) -> bool:
    """Return whether a campaign has suggestions, and a control arm, false or withheld ones."""
    marking = Marking.of(campaign)
    return marking.prefilled and bool(marking.unaided or marking.planted or marking.withheld)


def confirmation(selection: Selection) -> ConfirmationReport:
    """Return the report for regular items and repeats; of identical translations on a screen the
    first one counts."""
    return cached(selection, "confirmation", lambda observed: confirmation_of(selection, observed))


def confirmation_of(selection: Selection, observed: Observed) -> ConfirmationReport:
    """Return the report for rows that were loaded."""
    campaign = selection.campaign
    shown = observed.of_kinds(SCORED_KINDS).as_shown()
    rows = shown.of_dimension(Marking.of(campaign).derived).ratings
    every = error_rows(campaign, observed.system_ids, rows)
    # A score below 0 without an error was imported: its number of errors is unknown.
    known = (np.bincount(every.at, minlength=len(rows)) > 0) | (rows["value"] == 0)
    errors = every.only(selection.errors)
    unaided = UnaidedSegment.objects.filter(campaign=campaign).values_list("segment", flat=True)
    is_aided = ~np.isin(observed.segment_ids[rows["segment"]], list(unaided))
    # A suggestion kept as an error of a kind that is filtered out is marked, too.
    given = SuggestionsOfRows.of(selection, observed, rows, every).where_known(known)
    clusters, name = clusters_of(observed)
    cluster = clusters[rows["segment"]]

    def share(which: np.ndarray, counted: np.ndarray) -> ArmsCompared:
        """Return how many suggestions of ``which`` are ``counted``."""
        at = given.at[which]
        values = counted[which].astype(np.float64)
        return compare(values, np.ones(len(at)), is_aided[at], cluster[at])

    def mean(above: np.ndarray, below: np.ndarray) -> ArmsCompared:
        there = known & ~np.isnan(above) & ~np.isnan(below)
        return compare(above[there], below[there], is_aided[there], cluster[there])

    n_errors = np.bincount(errors.at, minlength=len(rows)).astype(np.float64)
    seconds = seconds_per_output(selection, rows)
    timed = np.where(np.isnan(seconds), np.nan, n_errors)
    in_arm = is_aided[given.at]
    real, withheld = ~given.is_planted, ~given.is_planted & ~given.is_shown
    found = {
        "false": lambda: share(given.is_planted, given.is_met),
        "withheld": lambda: share(withheld, ~given.is_met),
        "suggested": lambda: share(real & (given.is_shown | ~in_arm), given.is_met),
        "errors": lambda: mean(n_errors, np.ones(len(rows))),
        "seconds": lambda: mean(seconds, np.ones(len(rows))),
        "seconds_per_error": lambda: mean(seconds, timed),
    }
    return ConfirmationReport(
        {slug: found[slug]() for slug in MEASURES},
        by_annotator(observed, rows, given, in_arm),
        int((known & is_aided).sum()),
        int((known & ~is_aided).sum()),
        name,
    )


def compare(*columns: np.ndarray) -> ArmsCompared:
    return compare_arms(*columns, rng=np.random.default_rng(SEED), resamples=RESAMPLES)


@dataclass(frozen=True, eq=False)
class SuggestionsOfRows:
    """The suggestions (k,) for judged outputs, once for each judgment: ``at``, its row. ``is_met``:
    whether an error was made from it or overlaps it."""

    at: np.ndarray
    is_planted: np.ndarray
    is_shown: np.ndarray
    is_met: np.ndarray

    @classmethod
    def of(
        cls, selection: Selection, observed: Observed, rows: Rows, errors: ErrorRows
    ) -> SuggestionsOfRows:
        columns = ("output__segment", "output__system", "pk", "start", "end", "side")
        stored = PrefilledSpan.objects.filter(campaign=selection.campaign).order_by("pk")
        kept = [
            (*numbers, SIDES.index(side), planted, is_shown)
            for *numbers, side, severity, category, planted, is_shown in stored.values_list(
                *columns, "severity", "category", "is_planted", "is_shown"
            )
            if selection.errors.let_stored(severity, category)
        ]
        table = np.array(kept, np.int64).reshape(-1, 8)
        n = len(observed.system_ids)
        segment = places(table[:, 0], observed.segment_ids)
        system = places(table[:, 1], observed.system_ids)
        output = np.where((segment >= 0) & (system >= 0), segment * n + system, -1)
        at, which = joined(output, rows["segment"] * n + rows["system"])
        of_row = table[which]
        sides = len(SIDES)
        met = overlapped(
            at * sides + of_row[:, 5],
            of_row[:, 3:5],
            errors.at * sides + errors.side,
            np.column_stack([errors.start, errors.end]).astype(np.int64),
        )
        met |= made_from(selection, errors, at, of_row[:, 2])
        return cls(at, of_row[:, 6] == 1, of_row[:, 7] == 1, met)

    def where_known(self, known: np.ndarray) -> SuggestionsOfRows:
        """Return those for rows whose errors are known."""
        kept = known[self.at]
        return SuggestionsOfRows(*(column[kept] for column in vars(self).values()))


def made_from(
    selection: Selection, errors: ErrorRows, at: np.ndarray, suggestion: np.ndarray
) -> np.ndarray:
    """Return whether an error of the row was made from the suggestion, (k,)."""
    made = selection.rows_of(ErrorSpan.objects.filter(prefill__isnull=False), everyone=True)
    pairs = np.array(list(made.order_by().values_list("pk", "prefill_id")), np.int64).reshape(-1, 2)
    error = places(errors.id, pairs[:, 0])
    there = error >= 0
    most = int(max(suggestion.max(initial=0), pairs[:, 1].max(initial=0))) + 1
    known = errors.at[there] * most + pairs[error[there], 1]
    return np.isin(at * most + suggestion, known)


def seconds_per_output(selection: Selection, rows: Rows) -> np.ndarray:
    """Return the active seconds of each row's screen, divided by its number of outputs; NaN if
    unknown."""
    active = rows["active_ms"]
    seconds = np.where(active < 0, np.nan, active / 1000)
    counted = Judgment.objects.filter(campaign=selection.campaign).order_by("pk")
    sizes = np.array(
        list(counted.annotate(n=Count("item__shown")).values_list("pk", "n")), np.int64
    ).reshape(-1, 2)
    on_screen = np.append(sizes[:, 1], 0)[places(rows["judgment"], sizes[:, 0])]
    return np.where(on_screen > 0, seconds / np.maximum(on_screen, 1), np.nan)


def by_annotator(
    observed: Observed, rows: Rows, given: SuggestionsOfRows, in_arm: np.ndarray
) -> tuple[Confirmed, ...]:
    """Return annotators' treatment of suggestions, in the order of their aliases."""
    who = rows["annotator"][given.at]
    false = given.is_planted & given.is_shown
    withheld = ~given.is_planted & ~given.is_shown & in_arm
    n = len(observed.annotators)
    counts: list[list[int]] = [
        np.bincount(who[which], minlength=n).tolist()
        for which in (false, false & given.is_met, withheld, withheld & ~given.is_met)
    ]
    return tuple(
        Confirmed(alias, *each)
        for alias, *each in zip(observed.annotators.tolist(), *counts, strict=True)
    )
