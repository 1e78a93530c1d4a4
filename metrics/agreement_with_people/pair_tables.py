"""Differences between metrics as pages show them: a sentence, a heat map, clusters, all pairs."""

from math import nan

import numpy as np

from judgments.charts import Chart, heat_map
from judgments.tables import Column, Table, cell, figure

from . import words
from .differences import Differences
from .tables import TURNED, names_of

PAIR_COLUMNS = (
    Column("metric", "Better metric"),
    Column("against", "Worse metric"),
    Column("difference", "Difference", "number"),
    Column("p", "p, permutation", "p"),
    Column("p_williams", "p, Williams", "p"),
)


# Cells of more metrics have no room for a number.
MOST_TEXTS = 20


def cluster_table(found: Differences) -> Table:
    """Every metric with its estimate and cluster."""
    names = names_of(found.metrics)
    rows = [
        (names[metric.slug], metric.kind, metric.turned, float(estimate), int(rank) or None)
        for metric, estimate, rank in zip(
            found.metrics, found.estimates, found.ranks.tolist(), strict=True
        )
    ]
    columns = (
        Column("metric"),
        Column("kind"),
        TURNED,
        Column("estimate", found.name, "number"),
        Column("cluster", "Cluster", "count"),
    )
    return Table("metric-clusters", "Clusters of metrics", columns, rows)


def pair_rows(found: Differences) -> list[tuple]:
    """Every pair, the better metric first: titles, difference, p, Williams' p."""
    n = len(found.metrics)
    return [
        (
            found.metrics[i].title,
            found.metrics[j].title,
            float(found.estimates[i] - found.estimates[j]),
            float(found.p_values[i, j]),
            nan if found.williams is None else float(found.williams[i, j]),
        )
        for i in range(n)
        for j in range(i + 1, n)
        if found.ranks[i] and found.ranks[j]
    ]


def pair_table(found: Differences) -> Table:
    """All pairs; Williams' test has a column where it applies."""
    applies = found.williams is not None
    columns = PAIR_COLUMNS if applies else PAIR_COLUMNS[:-1]
    rows = [row if applies else row[:-1] for row in pair_rows(found)]
    note = (
        f"{found.test}, one-sided, {found.resamples:,} resamples, seed {found.seed}, over "
        f"{words.counted(found.n, found.unit)}; not adjusted for the number of pairs."
    )
    if applies:
        note += " Williams' test: of two Pearson correlations with the same human scores, one-sided"
        note += f", n − 3 = {max(found.n - 3, 0)} degrees of freedom."
    return Table("metric-pairs", f"All pairs of metrics: {found.name}", columns, rows, note)


def difference_chart(found: Differences, name: str) -> Chart | None:
    """p-values of all pairs as a heat map; None for fewer than two metrics with a value."""
    there = [i for i, rank in enumerate(found.ranks.tolist()) if rank]
    if len(there) < 2:
        return None
    names = names_of(found.metrics)
    titles = [names[found.metrics[i].slug] for i in there]
    p_values = found.p_values[np.ix_(there, there)]
    upper = np.where(np.triu(np.ones(p_values.shape, bool), 1), p_values, nan)
    if np.isnan(upper).all():
        return None
    texts = [[cell(float(p), "p") for p in row] for row in upper]
    return Chart(
        name=name,
        title=f"Differences between metrics: {found.name}",
        caption="p that the row's metric agrees with people no better than the column's: "
        f"{found.test}, one-sided, {found.resamples:,} resamples, seed {found.seed}, over "
        f"{words.counted(found.n, found.unit)}. Best metric first; not adjusted for the number of "
        "pairs.",
        spec=heat_map(
            titles,
            titles,
            upper,
            row_title="better metric",
            column_title="worse metric",
            legend="p",
            domain=(0.2, 0.0),
            texts=texts if len(titles) <= MOST_TEXTS else None,
            description="p-values of pairs of metrics",
        ),
        columns=("metric", *(Column(f"against_{i}", t, "p") for i, t in enumerate(titles))),
        rows=[[title, *row] for title, row in zip(titles, upper.tolist(), strict=True)],
    )


def difference_lead(found: Differences) -> str:
    """Which metrics nothing tells apart from the best."""
    best = found.best
    if not best:
        return f"{found.name} is not defined for any metric: {found.reason}."
    top = words.listed([metric.title for metric in best])
    n = found.n_clusters
    alone = "is better than all others" if len(best) == 1 else "cannot be told apart"
    if n == 1:
        return f"By {words.in_words(found.name)} no metric can be told apart from the best."
    by = f"By {words.in_words(found.name)} at the {figure(found.alpha, 2)} level"
    return f"{by} {top} {alone}; {n} clusters in all."
