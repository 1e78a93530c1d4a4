"""Scores and ranks in words, tables and charts."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from judgments import charts, results
from judgments.charts import Chart
from judgments.models import Campaign
from judgments.results import SystemScores
from judgments.results.scores import METHODS
from judgments.tables import Column, Table, decimals, figure, interval

from .base import Part, TableLink, plain

RULE_NAMES = {
    "wmt25": "WMT25: one-sided signed-rank test on the segments that two systems share, p < .05",
    "wmt17-23": "WMT17–23: one-sided Mann–Whitney test on segment means, p < .05",
    "wmt13-16": "WMT13–16: ranks in resampled data, the outer 5 % dropped",
}
OVER_NAMES = {
    "regular": "mean and standard deviation of regular and repeated items",
    "all": "mean and standard deviation of all items, degraded copies and references too",
}


def score_columns(scores: SystemScores) -> tuple[Column, ...]:
    label = {"raw": "Mean", "z": "Mean z"}.get(scores.method, "Expected wins")
    return (
        Column("system"),
        Column("score", label, "number"),
        Column("low", "95 % from", "number"),
        Column("high", "to", "number"),
        Column("cluster", "Cluster", "count", "Systems of one cluster are not told apart"),
        Column("ranks", "Ranks", "text"),
        Column("n_segments", "Segments", "count"),
        Column("n_judgments", "Judgments", "count"),
    )


def score_rows(scores: SystemScores) -> list[tuple]:
    """Best first."""
    return [
        (
            str(scores.names[i]),
            float(scores.mean[i]),
            float(scores.low[i]),
            float(scores.high[i]),
            int(scores.cluster[i]) or None,
            ranks(scores.rank_low[i], scores.rank_high[i]),
            int(scores.n_segments[i]),
            int(scores.n_judgments[i]),
        )
        for i in scores.order
    ]


def ranks(low: float, high: float) -> str:
    if math.isnan(low):
        return "–"
    return f"{low:.0f}" if low == high else f"{low:.0f}–{high:.0f}"


def of_what(campaign: Campaign, scores: SystemScores) -> str:
    names = {d.slug: d.name.lower() for d in results.dimensions_of(campaign)}
    return names.get(scores.dimension, "expected wins")


def slug_of(scores: SystemScores) -> str:
    if not scores.dimension:
        return "scores-expected-wins"
    return f"scores-{scores.dimension}-{scores.method}"


def lead(campaign: Campaign, scores: SystemScores) -> str:
    """The finding in one sentence."""
    what = of_what(campaign, scores)
    if scores.reason:
        return f"There is no ranking by {what} yet: {scores.reason}."
    best = scores.order[0]
    places = decimals([float(m) for m in scores.mean])
    bounds = interval(float(scores.low[best]), float(scores.high[best]), places)
    value = f"{figure(float(scores.mean[best]), places)} {bounds}".strip()
    first = [str(scores.names[i]) for i in scores.order if scores.cluster[i] == 1]
    n = len(scores.names)
    clusters = int(scores.cluster.max())
    if not first:
        return (
            f"There is no ranking of the {n} systems by {what} yet: too few segments are decided."
        )
    if n == 1:
        return f"{first[0]}, the only system, has {value} in {what}."
    parts = "one cluster" if clusters == 1 else f"{clusters} clusters"
    if len(first) == 1:
        return f"{first[0]} leads in {what}, {value}, alone at the top; {n} systems in {parts}."
    if len(first) == n:
        return (
            f"No system stands out in {what}: {n} systems in one cluster, {first[0]} with {value}."
        )
    names = ", ".join(first[:-1]) + " and " + first[-1]
    return f"{names} share the top in {what}, the first with {value}; {n} systems in {parts}."


def note(scores: SystemScores) -> str:
    """How the table was made: interval, rule, what z is over, who has none."""
    drawn = f", {scores.resamples:,} resamples, seed {scores.seed}" if scores.resamples else ""
    lines = [f"Intervals: {scores.interval}{drawn}."]
    lines.append(f"Ranks and clusters: {RULE_NAMES[scores.rule]}.")
    if scores.method == "z":
        lines.append(f"z per annotator: {OVER_NAMES[scores.over]}.")
    if scores.without_z and scores.method == "z":
        who = ", ".join(alias for alias, _ in scores.without_z[:5])
        more = " and others" if len(scores.without_z) > 5 else ""
        lines.append(f"Without z, and left out: {who}{more} ({scores.without_z[0][1]}).")
    if not scores.dimension:
        lines.append("Ties are dropped; a system's score is its mean share of wins over opponents.")
    else:
        lines.append("Repeated ratings of an output are averaged first, then segments.")
    return " ".join(lines)


def score_table(campaign: Campaign, scores: SystemScores) -> Table:
    title = _title(campaign, scores)
    return Table(slug_of(scores), title, score_columns(scores), score_rows(scores), note(scores))


def score_chart(campaign: Campaign, scores: SystemScores) -> Chart | None:
    """Scores with their intervals, best first; None without scores."""
    if not len(scores.names) or np.isnan(scores.mean).all():
        return None
    rows = score_rows(scores)
    what = of_what(campaign, scores)
    axis = {"raw": f"mean {what}", "z": f"mean z of {what}"}.get(scores.method, what)
    title = _title(campaign, scores)
    places = decimals([r[1] for r in rows])
    columns = [np.array([r[i] for r in rows], float) for i in (1, 2, 3)]
    spec = charts.intervals(
        [r[0] for r in rows], *columns, axis=axis, places=places, description=title
    )
    judged = int(scores.n_judgments.sum())
    fewest, most = int(scores.n_segments.min()), int(scores.n_segments.max())
    segments = f"{most:,}" if fewest == most else f"{fewest:,}–{most:,}"
    # A comparison is one of two systems.
    n = f"{judged:,} ratings" if scores.dimension else f"{judged // 2:,} comparisons"
    caption = (
        f"{axis[0].upper() + axis[1:]}; lines: 95 % intervals ({scores.interval}). "
        f"n = {segments} segments a system, {n} of {len(rows)} systems."
    )
    return Chart(slug_of(scores), title, caption, spec, score_columns(scores), rows)


HEAD_TO_HEAD = (
    Column("system"),
    Column("against"),
    Column("wins", kind="count"),
    Column("losses", kind="count"),
    Column("ties", kind="count"),
    Column("share", "Share of wins", "number"),
)


def head_to_head_table(campaign: Campaign) -> Table:
    """Wins, losses and ties of each two systems that met, best system first."""
    names, wins, ties, share = _head_to_head(campaign)
    rows = [
        (str(a), str(b), int(wins[i, j]), int(wins[j, i]), int(ties[i, j]), float(share[i, j]))
        for i, a in enumerate(names)
        for j, b in enumerate(names)
        if i != j and wins[i, j] + wins[j, i] + ties[i, j]
    ]
    return Table("head-to-head", "Head to head", HEAD_TO_HEAD, rows)


def _head_to_head(campaign: Campaign) -> tuple[np.ndarray, ...]:
    """Names (n,), best first; wins, ties and shares of wins (n, n), NaN where none was decided."""
    found, scores = results.head_to_head(campaign), results.system_scores(campaign)
    order = [found.names.tolist().index(name) for name in scores.names[scores.order]]
    wins, ties = found.wins[np.ix_(order, order)], found.ties[np.ix_(order, order)]
    share = np.full(wins.shape, np.nan)
    np.divide(wins, wins + wins.T, out=share, where=wins + wins.T > 0)
    return found.names[order], wins, ties, share


def head_to_head_chart(campaign: Campaign) -> Chart | None:
    """How often the row's system was judged better than the column's; None without comparisons."""
    names, wins, ties, share = _head_to_head(campaign)
    if np.isnan(share).all():
        return None
    texts = [[figure(float(v), 2) for v in line] for line in share]
    title = "Head to head"
    spec = charts.heat_map(
        names.tolist(),
        names.tolist(),
        share,
        row_title="",
        column_title="",
        legend="share of wins",
        domain=(0.0, 1.0),
        texts=texts if len(names) <= 13 else None,
        description=title,
    )
    caption = (
        "Share of comparisons that the row's system won against the column's, ties dropped. "
        f"n = {int(wins.sum()):,} decided comparisons, {int(ties.sum() / 2):,} ties."
    )
    table = head_to_head_table(campaign)
    return Chart("head-to-head", title, caption, spec, table.columns, table.rows)


def scores_of(campaign: Campaign, **options: str) -> list[SystemScores]:
    """Every dimension by every method, or expected wins."""
    dimensions = results.dimensions_of(campaign)
    if not dimensions:
        return [results.system_scores(campaign)]
    return [
        results.system_scores(campaign, dimension.slug, method, **options)
        for dimension in dimensions
        for method in METHODS
    ]


def all_charts(campaign: Campaign) -> list[Chart]:
    every = scores_of(campaign)
    found = [score_chart(campaign, scores) for scores in every]
    if not results.dimensions_of(campaign):
        found.append(head_to_head_chart(campaign))
    return [chart for chart in found if chart is not None]


def segment_table(campaign: Campaign) -> Table:
    """One row per dimension, system and segment, for files."""
    rows: list[tuple] = []
    slugs: list[str | None] = [d.slug for d in results.dimensions_of(campaign)]
    slugs = slugs or [None]
    for slug in slugs:
        raw = results.segment_scores(campaign, slug)
        z = results.segment_scores(campaign, slug, "z").values if slug else raw.values * math.nan
        rows += [
            (slug or "comparisons", str(name), str(key), value, z[i, j].item(), int(raw.n[i, j]))
            for i, name in enumerate(raw.names)
            for j, (key, value) in enumerate(
                zip(raw.segment_keys, raw.values[i].tolist(), strict=True)
            )
            if raw.n[i, j]
        ]
    columns = ("dimension", "system", "segment", "score", "z", "n_judgments")
    return Table("segment-scores", "Scores of segments", columns, rows)


def significance_table(campaign: Campaign) -> Table:
    """One-sided p of each two systems."""
    rows = [
        (s.dimension, s.method, s.test, str(s.names[i]), str(s.names[j]), float(s.p_values[i, j]))
        for s in scores_of(campaign)
        if s.p_values is not None
        for i in s.order
        for j in s.order
        if i != j
    ]
    columns = ("dimension", "method", "test", "better", "than", Column("p", kind="p"))
    return Table("significance", "Tests between systems", columns, rows)


def all_tables(campaign: Campaign) -> list[TableLink]:
    links = [
        TableLink(slug_of(s), _title(campaign, s), partial(score_table, campaign, s))
        for s in scores_of(campaign)
    ]
    makers = [("segment-scores", "Scores of segments", segment_table)]
    if results.dimensions_of(campaign):
        makers.append(("significance", "Tests between systems", significance_table))
    else:
        makers.append(("head-to-head", "Head to head", head_to_head_table))
    return links + [TableLink(slug, name, partial(make, campaign)) for slug, name, make in makers]


def _title(campaign: Campaign, scores: SystemScores) -> str:
    kind = ", z" if scores.method == "z" else ""
    return f"Systems by {of_what(campaign, scores)}{kind}"


def data(campaign: Campaign) -> dict[str, Any]:
    found = {"systems": [plain(scores) for scores in scores_of(campaign)]}
    if not results.dimensions_of(campaign):
        found["head_to_head"] = plain(results.head_to_head(campaign))
    return found


PART = Part("scores", "Scores", all_tables, all_charts, data)
