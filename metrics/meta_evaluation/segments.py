"""Metrics against people over segments, grouped in one of three ways."""

from dataclasses import dataclass, replace
from math import nan

import numpy as np

from judgments.results import RESAMPLES, SEED
from judgments.results.selection import Selection
from metrics.stats.grouped import Grouped, grouped
from metrics.stats.segment_bootstrap import counts_of, resampled_pairs, resampled_pearson
from metrics.stats.system_bootstrap import draw_systems

from .board import Board
from .resampling import weights_of
from .rows import Agreement, Figure, MetricRow, ordered
from .study import Choice, Study, remembered, study_of
from .systems import CONFIDENCE, with_interval

GROUPINGS = {
    "item": "by item: the systems of one segment, then the mean over segments",
    "none": "not at all: all outputs together",
    "system": "by system: the segments of one system, then the mean over systems",
}
# Key of a statistic → its name, and what metrics.stats.grouped calls it.
COEFFICIENTS = {
    "acc_eq": ("Accuracy, ties calibrated", "acc_eq*"),
    "accuracy": ("Accuracy, ties as they are", "acc_eq"),
    "pearson": ("Pearson r", "pearson"),
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
# The first are the columns of the page's table, the others those of a second one.
FIRST = ("acc_eq", "pearson", "spearman", "kendall-b", "kendall-c")
# Otherwise 20 metrics of 2,000 segments would keep the reader waiting for half a minute.
REUSE = 5
PAIRWISE = {"acc_eq", "daRR"}
# These look at every pair; beyond, a page would take minutes and gigabytes.
MOST_PAIRS = 1_500_000
TOO_MANY = f"more than {MOST_PAIRS:,} pairs of outputs; group by item"


def segment_agreement(
    selection: Selection, choice: Choice, board: Board, grouping: str = "item"
) -> Agreement:
    """All metrics over segments; computed anew only when judgments, scores or texts have changed.

    Raises ValueError for an unknown grouping.
    """
    if grouping not in GROUPINGS:
        raise ValueError(f"grouping is one of {', '.join(GROUPINGS)}, not {grouping!r}")

    def compute() -> Agreement:
        return segment_agreement_of(study_of(selection, choice, board), grouping)

    # Segments are those that were judged, whatever a system is scored on.
    alike = replace(choice, over="all")
    return remembered(selection, "segments", alike, board, compute, grouping=grouping)


def segment_agreement_of(study: Study, grouping: str) -> Agreement:
    """The same of arrays."""
    found = {key: coefficient(study, grouping, key) for key in COEFFICIENTS}
    calibrated = found["acc_eq"]
    headline = "acc_eq" if calibrated is not None else "pearson"
    draws = Draws.of(study)
    rows = []
    for i, metric in enumerate(study.metrics):
        epsilon = nan if calibrated is None else float(calibrated.epsilons[i])
        values = draws.resampled(study, i, grouping, epsilon)
        figures = {key: figure_of(each, i) for key, each in found.items()}
        figures |= {key: with_interval(figures[key], each) for key, each in values.items()}
        rows.append(MetricRow(metric, figures, epsilon))
    return Agreement(
        level="segment",
        human_name=study.human_name,
        statistics=STATISTICS,
        headline=headline,
        rows=ordered(rows, headline),
        systems=study.systems,
        left_out=study.left_out,
        n_segments=study.n_segments,
        seed=SEED,
        resamples=RESAMPLES,
        confidence=CONFIDENCE,
        grouping=grouping,
        reason="" if study.human.size else "there are no judgments",
    )


@dataclass(frozen=True, eq=False)
class Draws:
    """The resamples that all metrics share: how often each system (B, S) and each judged segment
    (B, N) is drawn. By item a draw of systems serves REUSE draws of segments."""

    systems: np.ndarray
    segments: np.ndarray

    @classmethod
    def of(cls, study: Study) -> "Draws":
        rng = np.random.default_rng(SEED)
        segments = weights_of(rng, study.n_segments, RESAMPLES)
        if not study.n_systems:
            return cls(np.zeros((RESAMPLES, 0)), segments)
        drawn = draw_systems(rng, study.n_systems, RESAMPLES)
        return cls(counts_of(drawn, study.n_systems), segments)

    def resampled(
        self, study: Study, i: int, grouping: str, epsilon: float
    ) -> dict[str, np.ndarray]:
        """Statistics of metric i in every resample; of pairs only by item."""
        systems = self.systems[::REUSE] if grouping == "item" else self.systems
        scores = (study.human, study.segments[i], systems, self.segments)
        if np.isnan(study.segments[i]).all():
            return {}
        found = resampled_pairs(*scores, epsilon) if grouping == "item" else {}
        return found | {"pearson": resampled_pearson(*scores, grouping)}


def coefficient(study: Study, grouping: str, key: str) -> Grouped | None:
    """A coefficient of all metrics; None where there are too many pairs to look at."""
    if key in PAIRWISE and n_pairs(study.human, grouping) > MOST_PAIRS:
        return None
    name = COEFFICIENTS[key][1]
    return grouped(study.human, study.segments, grouping=grouping, coefficient=name)


def n_pairs(human: np.ndarray, grouping: str) -> int:
    """Pairs of judged outputs within groups."""
    there = ~np.isnan(human)
    n = {"none": there.sum(), "item": there.sum(axis=0), "system": there.sum(axis=1)}[grouping]
    return int(np.sum(n * (n - 1) // 2))


def figure_of(found: Grouped | None, i: int) -> Figure:
    """Metric i. `n` counts groups, or outputs where there is one group."""
    if found is None:
        return Figure(reason=TOO_MANY)
    n = found.n if found.grouping == "none" else found.n_groups
    return Figure(
        estimate=float(found.estimates[i]),
        n=int(n[i]),
        n_undefined=int(found.n_undefined[i]),
        reason=found.reasons[i],
    )
