"""Differences between metrics as shown on pages: a sentence, a heat map, clusters, all pairs."""

from itertools import combinations
from math import nan

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from judgments.web import plurals as counted
from judgments.web.charts import Chart, heat_map
from judgments.web.plurals import titled, units
from judgments.web.tables import Column, Table, cell, figure

from . import words
from .differences import Differences
from .tables import TURNED, names_of

PAIR_COLUMNS = (
    Column("metric", gettext_lazy("Better metric")),
    Column("against", gettext_lazy("Worse metric")),
    Column("difference", gettext_lazy("Difference"), "number"),
    Column("p", gettext_lazy("p, permutation"), "p"),
    Column("p_williams", gettext_lazy("p, Williams"), "p"),
)


# With more metrics the cells have no room for a number.
MOST_TEXTS = 20


def cluster_table(found: Differences) -> Table:
    """Return every metric with its estimate and cluster."""
    names = names_of(found.metrics)
    rows = [
        (names[metric.slug], _(metric.kind), _(metric.turned), float(estimate), int(rank) or None)
        for metric, estimate, rank in zip(
            found.metrics, found.estimates, found.ranks.tolist(), strict=True
        )
    ]
    columns = (
        Column("metric"),
        Column("kind"),
        TURNED,
        Column("estimate", _(found.name), "number"),
        Column("cluster", _("Cluster"), "count"),
    )
    return Table("metric-clusters", _("Clusters of metrics"), columns, rows)


def n_pairs(found: Differences) -> int:
    """Return the number of pairs in which both metrics have a value."""
    n = int(np.count_nonzero(found.ranks))
    return n * (n - 1) // 2


def pair_places(found: Differences) -> list[tuple[int, int]]:
    """Return every pair of metrics with a value, by their places, the better metric first."""
    return list(combinations(np.flatnonzero(found.ranks).tolist(), 2))


def pair_rows(found: Differences) -> list[tuple]:
    """Return every pair of `pair_places`: titles, difference, p, Williams' p."""
    return [
        (
            found.metrics[i].title,
            found.metrics[j].title,
            float(found.estimates[i] - found.estimates[j]),
            float(found.p_values[i, j]),
            nan if found.williams is None else float(found.williams[i, j]),
        )
        for i, j in pair_places(found)
    ]


def pair_table(found: Differences) -> Table:
    """Return all pairs; Williams' test has a column where it applies."""
    applies = found.williams is not None
    columns = PAIR_COLUMNS if applies else PAIR_COLUMNS[:-1]
    rows = [row if applies else row[:-1] for row in pair_rows(found)]
    note = _(
        "%(test)s, one-sided, %(resamples)s, seed %(seed)s, over %(n)s; not adjusted"
        " for the number of pairs."
    ) % {
        "test": _(found.test),
        "resamples": counted.resamples(found.resamples),
        "seed": found.seed,
        "n": units(found.n, found.unit + "s"),
    }
    if applies:
        note += " " + (
            _(
                "Williams' test: of two Pearson correlations with the same human scores, "
                "one-sided, n − 3 = %(n)s degrees of freedom."
            )
            % {"n": max(found.n - 3, 0)}
        )
    return Table(
        "metric-pairs", titled(_("All pairs of metrics"), _(found.name)), columns, rows, note
    )


def difference_chart(found: Differences, name: str) -> Chart | None:
    """Return the p-values of all pairs as a heat map; None for fewer than two metrics with a
    value."""
    there = [i for i, rank in enumerate(found.ranks.tolist()) if rank]
    if len(there) < 2:
        return None
    names = names_of(found.metrics)
    titles = [names[found.metrics[i].slug] for i in there]
    p_values = found.p_values[np.ix_(there, there)]
    upper = np.where(np.triu(np.ones(p_values.shape, bool), 1), p_values, nan)
    if np.isnan(upper).all():
        return None
    with_texts = len(titles) <= MOST_TEXTS
    texts = [[cell(float(p), "p") for p in row] for row in upper] if with_texts else None
    return Chart(
        name=name,
        title=titled(_("Differences between metrics"), _(found.name)),
        caption=_(
            "p that the row's metric agrees with people no better than the column's: "
            "%(test)s, one-sided, %(resamples)s, seed %(seed)s, over %(n)s. Best metric "
            "first; not adjusted for the number of pairs."
        )
        % {
            "test": _(found.test),
            "resamples": counted.resamples(found.resamples),
            "seed": found.seed,
            "n": units(found.n, found.unit + "s"),
        },
        spec=heat_map(
            titles,
            titles,
            upper,
            row_title=_("better metric"),
            column_title=_("worse metric"),
            legend="p",
            domain=(0.2, 0.0),
            texts=texts,
            description=_("p-values of pairs of metrics"),
        ),
        columns=("metric", *(Column(f"against_{i}", t, "p") for i, t in enumerate(titles))),
        rows=[[title, *row] for title, row in zip(titles, upper.tolist(), strict=True)],
    )


def difference_lead(found: Differences) -> str:
    """Return which metrics cannot be separated from the best."""
    best = found.best
    if not best:
        return _("%(statistic)s is not defined for any metric: %(why)s.") % {
            "statistic": _(found.name),
            "why": _(found.reason) if found.reason else "",
        }
    known = {
        "statistic": words.in_words(found.name),
        "alpha": figure(found.alpha, 2),
        "metrics": counted.names([metric.title for metric in best]),
        "clusters": counted.clusters(found.n_clusters),
    }
    if found.n_clusters == 1:
        return _("By %(statistic)s no metric can be distinguished from the best.") % known
    said = ngettext(
        "%(clusters)s by %(statistic)s at the %(alpha)s level: %(metrics)s is better than all "
        "others.",
        "%(clusters)s by %(statistic)s at the %(alpha)s level: at the top %(metrics)s cannot be "
        "distinguished.",
        len(best),
    )
    return said % known
