"""Agreement as pages show it: tables with captions and notes, and charts."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan

import numpy as np

from judgments.charts import Chart, intervals
from judgments.tables import Column
from metrics.evaluation import OVER

from . import words
from .rows import Agreement, Figure, MetricRow
from .segments import FIRST, GROUPINGS
from .study import Metric

OVER_SYSTEMS = ("pearson", "spearman", "kendall", "accuracy", "accuracy_separated", "spa")
WITHOUT_OUTLIERS = ("pearson_kept", "spearman_kept", "kendall_kept")
OTHER_SEGMENT = ("accuracy", "tau23", "kendall-12", "kendall-13", "kendall-14", "daRR")
SYSTEM_NOTE = (
    "Higher is better everywhere: metrics of errors are turned. Under a figure its 95 % interval, "
    "by bootstrap over systems and segments ({resamples:,} resamples, seed {seed}); where a metric "
    "cannot be scored anew on drawn segments, and for soft pairwise accuracy, over systems alone. "
    "Soft pairwise accuracy: one-sided paired permutation tests, {permutations:,} permutations, "
    "seed {permutation_seed}."
)
SEGMENT_NOTE = (
    "Higher is better everywhere: metrics of errors are turned. Under a figure its 95 % interval, "
    "by bootstrap over systems and segments ({resamples:,} resamples, seed {seed}). By item, five "
    "draws of segments share a draw of systems. Spearman and τ-c have no interval here, and pairs "
    "only by item. ε: differences of a metric's scores up to it count as ties; it is fitted on "
    "these very scores."
)


@dataclass(frozen=True)
class ShownRow:
    metric: Metric
    marks: list[str]
    figures: list[Figure]
    n: int
    n_missing: int
    is_best: bool
    epsilon: float


@dataclass(frozen=True)
class Shown:
    """A table of metrics: a column for each of `heads`."""

    caption: str
    heads: list[str]
    rows: list[ShownRow]
    reasons: list[str]
    note: str
    has_epsilon: bool = False


def shown(agreement: Agreement, keys: Sequence[str], caption: str, note: str) -> Shown:
    """Some of the statistics of an agreement; n and what is missing are of the first."""
    best = agreement.best
    return Shown(
        caption=caption,
        heads=[agreement.statistics[key] for key in keys],
        rows=[shown_row(row, keys, row is best) for row in agreement.rows if has_value(row, keys)],
        reasons=words.reasons(agreement, keys),
        note=note,
        has_epsilon="acc_eq" in keys,
    )


def has_value(row: MetricRow, keys: Sequence[str]) -> bool:
    return not all(isnan(row.figures[key].estimate) for key in keys)


def shown_row(row: MetricRow, keys: Sequence[str], is_best: bool) -> ShownRow:
    figures = [row.figures[key] for key in keys]
    first = figures[0]
    return ShownRow(
        metric=row.metric,
        marks=words.marks(row),
        figures=figures,
        n=first.n,
        n_missing=first.n_undefined if "acc_eq" in keys else 0,
        is_best=is_best,
        epsilon=row.epsilon,
    )


def system_tables(systems: Agreement) -> list[Shown]:
    """The table over systems, and the one without outliers where there are some."""
    against = f"Against {systems.human_name}, metrics over {OVER[systems.over]}"
    note = SYSTEM_NOTE.format(**vars(systems))
    tables = [shown(systems, OVER_SYSTEMS, against, note)]
    if systems.outliers:
        caption = f"The same without outliers ({', '.join(systems.outliers)})"
        tables.append(shown(systems, WITHOUT_OUTLIERS, caption, note))
    return tables


def segment_tables(segments: Agreement) -> list[Shown]:
    """The table over segments, and the one of older coefficients."""
    note = SEGMENT_NOTE.format(**vars(segments))
    against = f"Against {segments.human_name}, on exactly the judged outputs, {by(segments)}"
    older = f"Other coefficients of pairs, against {segments.human_name}, {by(segments)}"
    older_note = (
        "WMT12, WMT13 and WMT14: pairs that people tie are dropped; pairs that the metric ties are "
        "discordant, dropped, or count in the denominator alone. daRR: pairs whose human scores "
        "differ by 25 or more, so that it fits a scale of 0 to 100. τ of 2023: ties count too."
    )
    return [
        shown(segments, FIRST, against, note),
        shown(segments, OTHER_SEGMENT, older, older_note),
    ]


def by(segments: Agreement) -> str:
    if segments.grouping == "none":
        return "all outputs together"
    return GROUPINGS[segments.grouping].partition(":")[0]


def agreement_chart(agreement: Agreement, name: str) -> Chart | None:
    """Every metric's headline figure with its interval; None where none is defined."""
    key = agreement.headline
    rows = [row for row in agreement.rows if not isnan(agreement.value(row))]
    if not rows:
        return None
    values = np.array([_ends(row.figures[key]) for row in rows])
    statistic = agreement.statistics[key]
    names = [
        f"{row.metric.title} (sentinel)" if row.metric.is_sentinel else row.metric.title
        for row in rows
    ]
    return Chart(
        name=name,
        title=f"{statistic} of each metric with people, {agreement.level} level",
        caption=f"{statistic} of each metric with {agreement.human_name} and its 95 % interval, "
        f"over {words.counted(len(agreement.systems), 'system')} and "
        f"{words.counted(agreement.n_segments, 'segment')}"
        + (f", {by(agreement)}" if agreement.level == "segment" else "")
        + ". Sentinels know nothing of translation: what does not beat them says little.",
        spec=intervals(
            names,
            values[:, 0],
            values[:, 1],
            values[:, 2],
            axis=statistic,
            places=3,
            description=f"{statistic} of {len(rows)} metrics",
        ),
        columns=("metric", Column("value", statistic, "number"), *BOUNDS),
        rows=[[n, *v] for n, v in zip(names, values.tolist(), strict=True)],
    )


BOUNDS = (Column("low", "95 % from", "number"), Column("high", "to", "number"))


def _ends(found: Figure) -> tuple[float, float, float]:
    """Value, low and high; without an interval all the same."""
    if found.has_interval:
        return found.estimate, found.low, found.high
    return (found.estimate,) * 3
