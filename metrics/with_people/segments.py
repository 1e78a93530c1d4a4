"""Metrics against people over segments, grouped in one of three ways."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import nan

import numpy as np
from django.utils.translation import gettext_noop

from judgments.results.selection.selection import Selection
from metrics.stats.agreement_intervals import Ends, jackknife_interval, leave_out
from metrics.stats.columns import ColumnPairCounts
from metrics.stats.groups import Grouped, counts_of, grouped
from metrics.stats.weighted_coefficients import (
    weighted_differences,
    weighted_pairs,
    weighted_pearson,
)

from .agreement import Figure, MetricAgreement, MetricRow, figure, ordered
from .board import Board
from .study import Study, StudyChoice, computed_on, full_board, remembered, study_of

# The page says what stands before the colon.
GROUPINGS = {
    "item": gettext_noop("by item: the systems of one segment, then the mean over segments"),
    "none": gettext_noop("not at all: all outputs together"),
    "system": gettext_noop("by system: the segments of one system, then the mean over systems"),
}
# Key of a statistic → its name, and what metrics.stats.groups calls it.
COEFFICIENTS = {
    "acc_eq": (gettext_noop("Accuracy, ties calibrated"), "acc_eq*"),
    "accuracy": (gettext_noop("Accuracy, ties as they are"), "acc_eq"),
    "pearson": ("Pearson r", "pearson"),
    "differences": (gettext_noop("Pearson r of differences"), "difference-pearson"),
    "spearman": ("Spearman ρ", "spearman"),
    "kendall-b": ("Kendall τ-b", "kendall-b"),
    "kendall-c": ("Kendall τ-c", "kendall-c"),
    "tau23": ("τ of 2023", "tau23"),
    "kendall-12": ("τ of WMT12", "kendall-12"),
    "kendall-13": ("τ of WMT13", "kendall-13"),
    "kendall-14": ("τ of WMT14", "kendall-14"),
    "daRR": ("daRR", "daRR"),
}
STATISTICS = {key: name for key, (name, _) in COEFFICIENTS.items()}
OF_OUTPUTS = ("pearson",)
# Shares of pairs; all others are correlations.
SHARES = {"acc_eq", "accuracy"}
PAIRWISE = {"acc_eq", "daRR"}
# These look at every pair; beyond (as TOO_MANY says), a page would take minutes and gigabytes.
MOST_PAIRS = 1_500_000
TOO_MANY = gettext_noop("more than 1,500,000 pairs of outputs; group by item")
NO_RULE = gettext_noop("no interval for this coefficient")
# Of segments, for the jackknife.
BLOCKS = 20


def segment_agreement(
    selection: Selection,
    choice: StudyChoice,
    board: Board,
    grouping: str = "item",
    keys: Sequence[str] = tuple(COEFFICIENTS),
) -> MetricAgreement:
    """Return the agreement of all metrics over segments, with the statistics `keys`; computed anew
    only when judgments, scores or texts have changed.

    Raises ValueError for an unknown grouping.
    """
    if grouping not in GROUPINGS:
        raise ValueError(f"grouping is one of {', '.join(GROUPINGS)}, not {grouping!r}")

    def compute() -> MetricAgreement:
        full = full_board(selection, alike, whole)
        return segment_agreement_of(study_of(selection, alike, full), grouping, keys)

    # Segments are those that were judged, whatever a system is scored on.
    alike = replace(choice, over="all")
    whole = computed_on(board, alike)
    options = options_of(grouping, keys)
    found = remembered(selection, "segments", alike, whole, compute, **options)
    return found if whole is board else found.among(board.slugs)


def options_of(grouping: str, keys: Sequence[str] = tuple(COEFFICIENTS)) -> dict[str, str]:
    """Return what the agreement is remembered under, besides judgments and scores."""
    return {"grouping": grouping, "keys": ",".join(keys)}


def output_agreement(selection: Selection, choice: StudyChoice, board: Board) -> MetricAgreement:
    """Return Pearson's r of all metrics over all outputs together, and no other coefficient: those
    of ranks take ten times as long there."""
    return segment_agreement(selection, choice, board, "none", OF_OUTPUTS)


def segment_agreement_of(
    study: Study, grouping: str, keys: Sequence[str] = tuple(COEFFICIENTS)
) -> MetricAgreement:
    """Return the same of arrays."""
    with_pairs = bool(study.human.size) and any(key not in OF_OUTPUTS for key in keys)
    counts = counts_of(study.human, study.segments, grouping) if with_pairs else None
    found = {key: coefficient(study, grouping, key, counts) for key in keys}
    calibrated = found.get("acc_eq")
    headline = "acc_eq" if calibrated is not None else "pearson"
    parts = Parts.of(study)
    rows = []
    for i, metric in enumerate(study.metrics):
        epsilon = nan if calibrated is None else float(calibrated.epsilons[i])
        without = parts.left_out(study, i, grouping, epsilon)
        figures = {key: figure_of(key, each, i, without.get(key)) for key, each in found.items()}
        rows.append(MetricRow(metric, figures, epsilon))
    return MetricAgreement(
        level="segment",
        human_name=study.human_name,
        statistics={key: STATISTICS[key] for key in keys},
        headline=headline,
        rows=ordered(rows, headline),
        systems=study.systems,
        left_out=study.left_out,
        n_segments=study.n_segments,
        grouping=grouping,
        fewest=study.choice.fewest,
        reason="" if study.human.size else gettext_noop("there are no judgments"),
    )


@dataclass(frozen=True, eq=False)
class Parts:
    """Weights that leave out one system (S, S) and one block of segments (G, N)."""

    systems: np.ndarray
    blocks: np.ndarray

    @classmethod
    def of(cls, study: Study) -> "Parts":
        return cls(1 - np.eye(study.n_systems), leave_out(study.n_segments, BLOCKS))

    def left_out(
        self, study: Study, i: int, grouping: str, epsilon: float
    ) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """Return statistics of metric i without each system, and without each block of segments;
        those of pairs only by item."""
        scores = study.human, study.segments[i]
        if not study.human.size or np.isnan(scores[1]).all():
            return {}
        every_segment = np.ones((len(self.systems), study.n_segments))
        every_system = np.ones((len(self.blocks), study.n_systems))
        both = [
            weighted(scores, systems, segments, grouping, epsilon, study.choice.fewest)
            for systems, segments in (
                (self.systems, every_segment),
                (every_system, self.blocks),
            )
        ]
        return {key: (both[0][key], both[1][key]) for key in both[0]}


def weighted(
    scores: tuple[np.ndarray, np.ndarray],
    systems: np.ndarray,
    segments: np.ndarray,
    grouping: str,
    epsilon: float,
    fewest: int,
) -> dict[str, np.ndarray]:
    """Return every statistic that has an interval, under weights (B, S) and (B, N): (B,) each."""
    found = {"pearson": weighted_pearson(*scores, systems, segments, grouping, fewest)}
    if grouping == "item":
        found |= weighted_pairs(*scores, systems, segments, epsilon, fewest)
        found["differences"] = weighted_differences(*scores, systems, segments)
    return found


def coefficient(
    study: Study, grouping: str, key: str, counts: ColumnPairCounts | None
) -> Grouped | None:
    """Return a coefficient of all metrics; None where there are too many pairs to look at."""
    if key in PAIRWISE and n_pairs(study.human, grouping) > MOST_PAIRS:
        return None
    return grouped(
        study.human,
        study.segments,
        grouping=grouping,
        coefficient=COEFFICIENTS[key][1],
        fewest=study.choice.fewest,
        counts=counts,
    )


def n_pairs(human: np.ndarray, grouping: str) -> int:
    """Return pairs of judged outputs within groups."""
    there = ~np.isnan(human)
    n = {"none": there.sum(), "item": there.sum(axis=0), "system": there.sum(axis=1)}[grouping]
    return int(np.sum(n * (n - 1) // 2))


def figure_of(
    key: str,
    found: Grouped | None,
    i: int,
    without: tuple[np.ndarray, np.ndarray] | None,
) -> Figure:
    """Return metric i. `n` counts groups, or outputs where there is one group."""
    if found is None:
        return Figure(reason=TOO_MANY)
    n = found.n if found.grouping == "none" else found.n_groups
    estimate = float(found.estimates[i])
    ends = Ends(reason=NO_RULE)
    if without is not None:
        ends = jackknife_interval(estimate, *without, is_correlation=key not in SHARES)
    made = figure(estimate, n[i], found.reasons[i], ends)
    return replace(made, n_undefined=int(found.n_undefined[i]))
