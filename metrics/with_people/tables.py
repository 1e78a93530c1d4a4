"""Agreement as tables and charts: the same for the page, files and the API."""

from collections.abc import Sequence
from math import isnan, nan

import numpy as np
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.web import plurals as counted
from judgments.web.charts import Chart, intervals
from judgments.web.tables import Column, Table
from metrics.scores.tables import brief_names
from metrics.stats.agreement_intervals import NAMES as RULES

from . import words
from .agreement import Figure, MetricAgreement, MetricRow
from .averages import Averages
from .differences import Differences
from .segments import GROUPINGS
from .study import OVER, Metric, spoken

OVER_SYSTEMS = ("pearson", "spearman", "kendall", "accuracy", "accuracy_separated", "spa")
WITHOUT_OUTLIERS = ("pearson_kept", "spearman_kept", "kendall_kept")
OVER_SEGMENTS = ("acc_eq", "pearson", "differences", "spearman", "kendall-b", "kendall-c")
OTHER_SEGMENT = ("accuracy", "tau23", "kendall-12", "kendall-13", "kendall-14", "daRR")
TURNED = Column(
    "turned",
    gettext_lazy("Sign reversed"),
    hint=gettext_lazy("Whether lower scores are better, so the sign was reversed."),
)
# More rows than this stand closer together in a chart.
MANY_ROWS = 16
CLOSE = 13
HIGHER = gettext_lazy("Higher is better everywhere: metrics of errors have their sign reversed.")


def with_ends(key: str, label: str | Promise) -> tuple[Column, Column, Column]:
    """Return the columns of a figure and its interval; pages show them as one."""
    return (
        Column(key, label, "number"),
        Column(f"{key}_low", _("95 % low"), "number"),
        Column(f"{key}_high", _("95 % high"), "number"),
    )


def ends_of(found: Figure) -> tuple[float, float, float]:
    return found.estimate, found.low, found.high


NONE = (nan, nan, nan)


def names_of(metrics: Sequence[Metric]) -> dict[str, str]:
    """Return what tables call each metric, by slug: as short as no other of them is called."""
    return brief_names(metrics)


def rules(*names: str) -> str:
    said = "; ".join(_(RULES[name]) for name in names)
    return _("95 %% intervals: %(rules)s.") % {"rules": said}


def overview_table(
    systems: MetricAgreement,
    segments: MetricAgreement,
    averages: Averages,
    differences: Differences,
) -> Table:
    """Return one row for each metric: what most readers look for."""
    names = names_of([row.metric for row in systems.rows])
    of_item = segments.headline
    clusters = {
        metric.slug: int(rank) or None
        for metric, rank in zip(differences.metrics, differences.ranks.tolist(), strict=True)
    }
    means = {row.slug: row for row in averages.rows}
    rows = []
    for row in systems.rows:
        slug = row.metric.slug
        other = segments.row_of(slug)
        mean = means.get(slug)
        rows.append(
            (
                names[slug],
                _(row.metric.kind),
                _(row.metric.turned),
                *ends_of(row.figures["pearson"]),
                *ends_of(row.figures["spa"]),
                *(ends_of(other.figures[of_item]) if other else NONE),
                mean.wmt24 if mean else nan,
                mean.wmt23 if mean else nan,
                clusters.get(slug),
                row.figures["pearson"].n,
            )
        )
    columns = (
        Column("metric"),
        Column("kind"),
        TURNED,
        *with_ends("pearson", _("Pearson r over systems")),
        *with_ends("spa", _("Soft pairwise accuracy")),
        *with_ends(of_item, f"{_(segments.statistics[of_item])}, {by(segments)}"),
        Column("wmt24", _("WMT24 average"), "number"),
        Column("wmt23", _("WMT23 average"), "number"),
        Column(
            "cluster",
            _("Cluster"),
            "count",
            hint=_("By %(statistic)s; 1 is the best.") % {"statistic": _(differences.name)},
        ),
        Column("n", _("Systems"), "count"),
    )
    note = f"{HIGHER} {rules('pearson', 'share', 'jackknife')}"
    title = _("Metrics against %(human)s, over %(over)s") % {
        "human": spoken(systems.human_name),
        "over": _(OVER[systems.over]),
    }
    return Table("metric-overview", title, columns, rows, note)


def agreement_table(
    agreement: MetricAgreement, keys: Sequence[str], slug: str, title: str
) -> Table:
    """Return some of the statistics of every metric that has a value of one of them."""
    names = names_of([row.metric for row in agreement.rows])
    is_system = agreement.level == "system"
    has_epsilon = "acc_eq" in keys
    rows = [
        (
            names[row.metric.slug],
            _(row.metric.turned),
            *(value for key in keys for value in ends_of(row.figures[key])),
            *((row.epsilon,) if has_epsilon else ()),
            row.figures[keys[0]].n,
        )
        for row in agreement.rows
        if has_value(row, keys)
    ]
    columns = (
        Column("metric"),
        TURNED,
        *(
            column
            for key in keys
            for column in with_ends(key.replace("-", "_"), _(agreement.statistics[key]))
        ),
        *((Column("epsilon", _("ε of ties"), "number"),) if has_epsilon else ()),
        Column("n", _("Systems") if is_system else count_of(agreement), "count"),
    )
    note = f"{HIGHER} {rules('pearson', 'share') if is_system else rules('jackknife')}"
    return Table(slug, title, columns, rows, note)


def count_of(segments: MetricAgreement) -> str:
    return {"none": _("Outputs"), "item": _("Segments"), "system": _("Systems")}[segments.grouping]


def has_value(row: MetricRow, keys: Sequence[str]) -> bool:
    return not all(isnan(row.figures[key].estimate) for key in keys)


def by(segments: MetricAgreement) -> str:
    if segments.grouping == "none":
        return _("all outputs together")
    return _(GROUPINGS[segments.grouping]).partition(":")[0]


def agreement_chart(agreement: MetricAgreement, name: str) -> Chart | None:
    """Return every metric's headline figure with its interval; None where none is defined."""
    key = agreement.headline
    rows = [row for row in agreement.rows if not isnan(agreement.value(row))]
    if not rows:
        return None
    values = np.array([_drawn(row.figures[key]) for row in rows])
    statistic = _(agreement.statistics[key])
    short = names_of([row.metric for row in agreement.rows])
    names = [
        words.sentinel(short[row.metric.slug]) if row.metric.is_sentinel else short[row.metric.slug]
        for row in rows
    ]
    return Chart(
        name=name,
        title=_("%(statistic)s of each metric with people, %(level)s level")
        % {"statistic": statistic, "level": _(agreement.level)},
        caption=_chart_caption(agreement, statistic),
        spec=intervals(
            names,
            values[:, 0],
            values[:, 1],
            values[:, 2],
            axis=statistic,
            places=3,
            step=CLOSE if len(rows) > MANY_ROWS else None,
            description=_("%(statistic)s of %(metrics)s")
            % {"statistic": statistic, "metrics": counted.metrics(len(rows))},
        ),
        columns=("metric", TURNED, *with_ends("value", statistic)),
        rows=[
            [name, _(row.metric.turned), *ends_of(row.figures[key])]
            for name, row in zip(names, rows, strict=True)
        ],
    )


def _chart_caption(agreement: MetricAgreement, statistic: str) -> str:
    over = _("%(systems)s and %(segments)s") % {
        "systems": counted.systems(len(agreement.systems)),
        "segments": counted.segments(agreement.n_segments),
    }
    if agreement.level == "segment":
        over += f", {by(agreement)}"
    return _(
        "%(statistic)s of each metric with %(human)s and its 95 %% interval, over %(over)s. "
        "Sentinels know nothing about translation: a metric that does not beat them tells you "
        "little."
    ) % {"statistic": statistic, "human": spoken(agreement.human_name), "over": over}


def _drawn(found: Figure) -> tuple[float, float, float]:
    """Return value, low and high; without an interval the value alone."""
    return ends_of(found) if found.has_interval else (found.estimate,) * 3
