"""Scores and ranks in words, tables and charts."""

from __future__ import annotations

import math
from functools import cache, partial
from typing import Any

import numpy as np

from judgments import charts, results
from judgments.charts import Chart
from judgments.results import SystemScores
from judgments.results.comparisons import MODELS
from judgments.results.scores import NORMALIZATIONS
from judgments.results.selection import Selection
from judgments.tables import Column, Table, decimals, figure, in_a_sentence, interval

from . import head_to_head, strengths
from .base import FILE, Lazy, ResultsPage, Section, plain, with_page
from .head_to_head import PAIRS, pair_rows
from .score_words import MODEL_NAMES, TOP, meaning, note

LABELS = {"raw": "Mean", "z": "Mean z", "center": "Centered mean", "mixed": "Estimate"}
AXES = {"raw": "mean {}", "z": "mean z of {}", "center": "centered mean {}", "mixed": "{}"}
KINDS_OF_SCORE = {"z": ", z", "center": ", centered", "mixed": ", mixed model"}


def score_columns(scores: SystemScores) -> tuple[Column, ...]:
    label = LABELS.get(scores.method, MODEL_NAMES.get(scores.method, "Score"))
    label = "Share" if scores.is_share else label
    label = label[0].upper() + label[1:]
    return (
        Column("system"),
        Column("score", label, "number"),
        Column("low", "95 % low", "number"),
        Column("high", "95 % high", "number"),
        Column("cluster", "Cluster", "count", "Systems of one cluster cannot be told apart"),
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


def of_what(selection: Selection, scores: SystemScores) -> str:
    return _what(selection, vars(scores))


def _what(selection: Selection, options: dict[str, Any]) -> str:
    names = {d.slug: in_a_sentence(d.name) for d in results.dimensions_of(selection.campaign)}
    model = options.get("model") or options.get("method", "")
    return names.get(options.get("dimension", "")) or MODEL_NAMES.get(model, "comparisons")


def slug_of(scores: SystemScores) -> str:
    return (
        f"scores-{scores.dimension}-{scores.method}"
        if scores.dimension
        else f"scores-{scores.method}"
    )


def lead(selection: Selection, scores: SystemScores) -> str:
    """The finding in one sentence."""
    what = of_what(selection, scores)
    if scores.reason:
        return f"There is no ranking by {what} yet: {scores.reason}."
    best = scores.order[0]
    places = decimals([float(m) for m in scores.mean])
    bounds = interval(float(scores.low[best]), float(scores.high[best]), places)
    value = f"{figure(float(scores.mean[best]), places)} {bounds}".strip()
    top = [i for i in scores.order if scores.rank_low[i] == 1]
    n = len(scores.names)
    if not top:
        return (
            f"There is no ranking of the {n} systems by {what} yet: too few segments are decided."
        )
    names = [str(scores.names[i]) for i in top]
    if n == 1:
        return f"{names[0]}, the only system, has {value} in {what}."
    clusters = int(scores.cluster.max())
    parts = "one cluster" if clusters == 1 else f"{clusters} clusters"
    if len(top) == 1:
        alone = ", alone at the top" if (scores.cluster == 1).sum() == 1 else ""
        return f"{names[0]} leads in {what} with {value}{alone}; {n} systems in {parts}."
    if len(top) == n:
        return (
            f"No system stands out in {what}: {n} systems in one cluster, {names[0]} with {value}."
        )
    listed = ", ".join(names[:-1]) + " and " + names[-1]
    return (
        f"{listed} share the top in {what}, the first with {value}: {TOP[scores.rule]}; "
        f"{n} systems in {parts}."
    )


def score_table(selection: Selection, scores: SystemScores) -> Table:
    title = _title(selection, vars(scores))
    return Table(slug_of(scores), title, score_columns(scores), score_rows(scores), note(scores))


def score_chart(selection: Selection, scores: SystemScores) -> Chart | None:
    """Scores with their intervals, best first; None without scores."""
    if not len(scores.names) or np.isnan(scores.mean).all():
        return None
    rows = score_rows(scores)
    what = of_what(selection, scores)
    axis = ("share {}" if scores.is_share else AXES.get(scores.method, "{}")).format(what)
    title = _title(selection, vars(scores))
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
    plural = "s" * (len(rows) != 1)
    caption = (
        f"{axis[0].upper() + axis[1:]}; lines: 95 % intervals ({scores.interval}). "
        f"n = {segments} segments a system, {n} of {len(rows)} system{plural}."
    )
    return Chart(slug_of(scores), title, caption, spec, score_columns(scores), rows)


def options_of(selection: Selection) -> list[dict[str, str]]:
    """Every dimension by every normalization, or every model of comparisons."""
    dimensions = results.dimensions_of(selection.campaign)
    if not dimensions:
        return [{"model": model} for model in MODELS]
    return [
        {"dimension": dimension.slug, "method": method}
        for dimension in dimensions
        for method in NORMALIZATIONS
    ]


def scores_of(selection: Selection) -> list[SystemScores]:
    """All of `options_of`."""
    return [results.system_scores(selection, **options) for options in options_of(selection)]


def sections(selection: Selection) -> list[Section]:
    """Every normalization or model, and what is for files only."""
    every = options_of(selection)
    is_rated = bool(results.dimensions_of(selection.campaign))
    found = []
    for options in every:
        found.append(section(selection, options))
        if is_rated or options is every[0]:
            found.append(pair_section(selection, options))
    files = [Lazy("segment-scores", "Scores of segments", partial(segment_table, selection), FILE)]
    if is_rated:
        make = partial(significance_table, selection)
        files.append(Lazy("significance", "Tests between systems", make, FILE))
    return [*found, Section("files", "All of them", tables=files)]


def shown(selection: Selection, chosen: dict[str, Any]) -> list[Section]:
    """What a page shows under the reader's settings."""
    sections = []
    for options in settings_of(selection, chosen):
        sections += [section(selection, options), pair_section(selection, options)]
    if strengths.has_strengths(selection.campaign):
        sections.append(strengths.section(selection))
    return sections


def found(selection: Selection, chosen: dict[str, Any]) -> list[SystemScores]:
    """The scores that such a page shows."""
    return [results.system_scores(selection, **o) for o in settings_of(selection, chosen)]


def settings_of(selection: Selection, chosen: dict[str, Any]) -> list[dict[str, Any]]:
    """The reader's settings for every dimension, or for comparisons."""
    dimensions = results.dimensions_of(selection.campaign)
    return [{"dimension": d.slug} | chosen for d in dimensions] or [chosen]


def section(selection: Selection, options: dict[str, Any]) -> Section:
    """The scores of all systems. options: as `results.system_scores` takes them."""
    scores = cache(lambda: results.system_scores(selection, **options))
    of, title = "-".join(_named(options)), _title(selection, options)
    return Section(
        slug=f"scores-{of}",
        title=title,
        sentence=lambda: lead(selection, scores()),
        charts=[Lazy(f"scores-{of}", title, lambda: score_chart(selection, scores()))],
        tables=[Lazy(f"scores-{of}", title, lambda: score_table(selection, scores()))],
        remark=lambda: meaning(scores()),
    )


def pair_section(selection: Selection, options: dict[str, Any]) -> Section:
    """Every pair of systems."""
    scores = cache(lambda: results.system_scores(selection, **options))
    if not results.dimensions_of(selection.campaign):
        return head_to_head.compared_section(selection, scores)
    what = _what(selection, options) + KINDS_OF_SCORE.get(options["method"], "")
    return head_to_head.section(scores, of="-".join(_named(options)), what=what)


def _named(options: dict[str, Any]) -> list[str]:
    """What names the files of scores: dimension and method, or the model."""
    return [options[key] for key in ("dimension", "method", "model") if options.get(key)]


def segment_table(selection: Selection) -> Table:
    """One row per dimension, system and segment, for files."""
    rows: list[tuple] = []
    slugs: list[str | None] = [d.slug for d in results.dimensions_of(selection.campaign)]
    slugs = slugs or [None]
    for slug in slugs:
        raw = results.segment_scores(selection, slug)
        z = results.segment_scores(selection, slug, "z").values if slug else raw.values * math.nan
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


def significance_table(selection: Selection) -> Table:
    """Every two systems of every dimension and normalization, the better one first."""
    rows = [
        (scores.dimension, scores.method, scores.test, *row)
        for scores in scores_of(selection)
        for row in pair_rows(scores)
    ]
    columns = ("dimension", "method", "test", *PAIRS)
    return Table("significance", "Tests between systems", columns, rows)


def _title(selection: Selection, options: dict[str, Any]) -> str:
    kind = KINDS_OF_SCORE.get(options.get("method", ""), "")
    return f"Systems by {_what(selection, options)}{kind}"


def data(selection: Selection) -> dict[str, Any]:
    found = {"systems": [plain(scores) for scores in scores_of(selection)]}
    if not results.dimensions_of(selection.campaign):
        found["head_to_head"] = plain(results.head_to_head(selection))
    return found


PAGE = ResultsPage("scores", "Scores", sections, data, asked=with_page("scores"))
