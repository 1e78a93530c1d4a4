"""What the metrics bring to a campaign's exports: tables, charts and data."""

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

import numpy as np

from judgments import results
from judgments.charts import Chart
from judgments.pages.base import FILE, Lazy, ResultsPage, Section, table_objects
from judgments.results.scores import METHODS
from judgments.results.selection import Selection
from judgments.tables import Column, Table
from metrics.comparing import UNITS, compare_columns
from metrics.evaluation import OVER, Evaluation, Row, segment_level, system_level
from metrics.figures import segment_figure, system_figure
from metrics.meta_evaluation import reports
from metrics.meta_evaluation.board import board_of
from metrics.tables import ScoreTable, score_table, segment_matrix

CORRELATION_COLUMNS = (
    Column("level"),
    Column("dimension"),
    Column("method", "Human score"),
    Column("segments"),
    Column("metric"),
    Column("references"),
    Column("higher_is_better"),
    Column("coefficient"),
    Column("estimate", "Value", "number"),
    Column("low", "95 % from", "number"),
    Column("high", "to", "number"),
    Column("p", "p", "p"),
    Column("n", kind="count"),
    Column("n_missing", "Without a pair", "count"),
    Column("reason"),
    Column("signature"),
)
NOTE = (
    "Metrics enter as they are: for a metric that is better when lower, a negative coefficient is "
    "the good one. Intervals by Fisher's z; over segments all outputs count as independent."
)


def human_scores(selection: Selection) -> list[tuple[str | None, str]]:
    """Every (dimension, method) that people's scores come in."""
    dimensions = results.dimensions_of(selection.campaign)
    if not dimensions:
        return [(None, "raw")]
    return [(dimension.slug, method) for dimension in dimensions for method in METHODS]


def evaluations(selection: Selection) -> Iterator[Evaluation]:
    """Over systems (all and judged segments) and over segments, for every human score; sentinels
    count as metrics, and human references are no systems."""
    board = board_of(selection.campaign.test_set, statistics=True)
    if not board.table.columns:
        return
    known: dict[str, Any] = {"table": board.table, "left_out": board.humans}
    for dimension, method in human_scores(selection):
        for over in OVER:
            yield system_level(selection, dimension, method, over=over, **known)
        yield segment_level(selection, dimension, method, **known)


def correlation_rows(evaluation: Evaluation, row: Row) -> Iterator[tuple]:
    """One row a coefficient."""
    for found in (row.pearson, row.spearman, row.kendall):
        yield (
            evaluation.level,
            evaluation.dimension or "comparisons",
            evaluation.method,
            evaluation.over or "judged",
            row.column.label,
            "+".join(row.column.references),
            "yes" if row.column.higher_is_better else "no",
            found.coefficient,
            found.estimate,
            found.low,
            found.high,
            found.p_value,
            found.n,
            found.n_missing,
            found.reason,
            signature_of(evaluation, row),
        )


def signature_of(evaluation: Evaluation, row: Row) -> str:
    is_segment = evaluation.level == "segment"
    return row.column.segment_signature if is_segment else row.column.signature


def correlation_table(selection: Selection) -> Table:
    rows = [
        line
        for evaluation in evaluations(selection)
        for row in evaluation.rows
        for line in correlation_rows(evaluation, row)
    ]
    return Table("correlation", "Metrics against people", CORRELATION_COLUMNS, rows, NOTE)


def score_rows(table: ScoreTable) -> list[tuple]:
    return [
        (
            system.name,
            cell.column.label,
            "+".join(cell.column.references),
            cell.score.score,
            cell.score.n_segments,
            "yes" if cell.is_stale else "no",
            cell.score.created_at.isoformat(),
            cell.column.signature,
        )
        for system, cells in table.rows()
        for cell in cells
        if cell.score is not None
    ]


def metric_score_table(selection: Selection) -> Table:
    """Corpus scores, one row for each system and metric."""
    columns = (
        "system",
        "metric",
        "references",
        Column("score", kind="number"),
        Column("n_segments", "Segments", "count"),
        "out_of_date",
        "computed",
        "signature",
    )
    rows = score_rows(score_table(selection.campaign.test_set))
    return Table("metric-scores", "Metric scores of systems", columns, rows)


def metric_segment_table(selection: Selection) -> Table:
    """Scores of segments, one column a metric, for files."""
    table = score_table(selection.campaign.test_set, check_stale=False)
    systems = [system.pk for system in table.systems]
    keys = list(selection.campaign.test_set.segments.values_list("key", flat=True))
    matrices = [segment_matrix(column, systems, len(keys)).tolist() for column in table.columns]
    rows = [
        (system.name, key, *(matrix[i][j] for matrix in matrices))
        for i, system in enumerate(table.systems)
        for j, key in enumerate(keys)
    ]
    columns = tuple(Column(c.segment_signature, c.label, "number") for c in table.columns)
    return Table(
        "metric-segment-scores", "Metric scores of segments", ("system", "segment", *columns), rows
    )


COMPARISON_COLUMNS = (
    "system",
    "against",
    "metric",
    "references",
    "unit",
    Column("difference", kind="number", hint="score of the first minus score of the second"),
    Column("low", "95 % from", "number"),
    Column("high", "to", "number"),
    Column("n", "Units", "count"),
    Column("p_randomization", "p, randomization", "p"),
    Column("p_randomization_holm", "p, randomization, Holm", "p"),
    Column("p_randomization_bh", "p, randomization, Benjamini–Hochberg", "p"),
    Column("p_bootstrap", "p, bootstrap", "p"),
    Column("p_bootstrap_holm", "p, bootstrap, Holm", "p"),
    Column("p_bootstrap_bh", "p, bootstrap, Benjamini–Hochberg", "p"),
    Column("swaps", kind="count"),
    Column("resamples", kind="count"),
    Column("seed", kind="count"),
    "reason",
    "signature",
)
COMPARISON_NOTE = (
    "The better system first. Approximate randomization, two-sided; paired bootstrap, one-sided; "
    "adjusted over all pairs of a metric. What has not been tested yet is not here."
)


def comparison_rows(table: ScoreTable) -> Iterator[tuple]:
    """Every tested pair of systems, metric by metric, by segment and by document."""
    names = {system.pk: system.name for system in table.systems}
    for unit in UNITS:
        kept = compare_columns(table.columns, table, unit=unit)
        for column in table.columns:
            tested = kept[column.slug]
            # Scores that were uploaded by document are compared by document either way.
            if tested is None or tested.unit != unit:
                continue
            for pair in tested.pairs:
                yield (
                    names[pair.first],
                    names[pair.second],
                    column.label,
                    "+".join(column.references),
                    tested.unit,
                    pair.difference,
                    pair.low,
                    pair.high,
                    pair.n,
                    *(pair.randomization.raw, pair.randomization.holm, pair.randomization.bh),
                    *(pair.bootstrap.raw, pair.bootstrap.holm, pair.bootstrap.bh),
                    tested.swaps,
                    tested.resamples,
                    tested.seed,
                    pair.reason,
                    column.signature,
                )


def comparison_table(selection: Selection) -> Table:
    rows = list(comparison_rows(score_table(selection.campaign.test_set, check_stale=False)))
    return Table(
        "metric-differences",
        "Differences between systems by metric",
        COMPARISON_COLUMNS,
        rows,
        COMPARISON_NOTE,
    )


def sections(selection: Selection) -> list[Section]:
    """Scores of the test set, and how far they agree with people."""
    if not selection.campaign.test_set.metric_scores.exists():
        return []
    files = [
        Lazy(slug, title, partial(make, selection), FILE)
        for slug, title, make in (
            ("metric-scores", "Metric scores of systems", metric_score_table),
            ("metric-segment-scores", "Metric scores of segments", metric_segment_table),
            ("metric-differences", "Differences between systems by metric", comparison_table),
            ("correlation", "Metrics against people", correlation_table),
            *reports.TABLES,
        )
    ]
    charts = [*reports.charts(selection), *scatter_plots(selection)]
    return [Section("metrics", "Metrics and correlation", charts=charts, tables=files)]


def scatter_plots(selection: Selection) -> Iterator[Lazy[Chart | None]]:
    """Of every metric and human score, over systems (all and judged segments) and over segments."""
    columns = board_of(selection.campaign.test_set).table.columns
    for dimension, method in human_scores(selection):
        score = [dimension, method] if dimension else []
        for level, over in (*(("system", over) for over in OVER), ("segment", None)):
            evaluation = cache(partial(evaluated, selection, dimension, method, over))
            for column in columns:
                judged = ["judged"] if over == "judged" else []
                slug = "-".join(["correlation", f"{level}s", *score, *judged])
                where = f"over {level}s" + (f" on {OVER[over]}" if over else "")
                yield Lazy(
                    f"{slug}-{column.slug}",
                    ", ".join([f"{column.label} against people {where}", *score]),
                    partial(scatter_plot, selection, evaluation, column.slug),
                    FILE,
                )


def evaluated(
    selection: Selection, dimension: str | None, method: str, over: str | None
) -> Evaluation:
    """Over systems, with the segments that `over` names; over segments where it is None."""
    board = board_of(selection.campaign.test_set, statistics=True)
    known: dict[str, Any] = {"table": board.table, "left_out": board.humans}
    if over is None:
        return segment_level(selection, dimension, method, **known)
    return system_level(selection, dimension, method, over=over, **known)


def scatter_plot(
    selection: Selection, evaluation: Callable[[], Evaluation], slug: str
) -> Chart | None:
    """None without a pair to draw."""
    found = evaluation()
    row = next((row for row in found.rows if row.column.slug == slug), None)
    if row is None or np.isnan(row.metric + row.human).all():
        return None
    draw = system_figure if found.level == "system" else segment_figure
    return draw(selection, found, slug)


def data(selection: Selection) -> dict[str, Any]:
    """Scores with their signatures, differences and correlations, as JSON knows them."""
    tables = {
        "scores": metric_score_table(selection),
        "differences": comparison_table(selection),
        "correlations": correlation_table(selection),
        **reports.data_tables(selection),
    }
    return {name: table_objects(table) for name, table in tables.items()}


PAGE = ResultsPage("metrics", "Metrics and correlation", sections, data)
