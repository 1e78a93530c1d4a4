"""Metrics in a campaign's exports: tables, charts and data."""

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.results.selection.selection import Selection
from judgments.web.columns import HIGH, LOW
from judgments.web.sections import FILE, Lazy, ResultsPage, Section, table_objects
from judgments.web.tables import Column, Table
from metrics.scores.comparisons import UNITS, compare_columns
from metrics.scores.controls import signature_of
from metrics.scores.tables import ScoreTable, score_table, segment_matrix
from metrics.with_people import exports as agreement
from metrics.with_people import results_sections


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
    """Return corpus scores, one row for each system and metric."""
    columns = (
        "system",
        "metric",
        "references",
        Column("score", kind="number"),
        Column("n_segments", _("Segments"), "count"),
        "out_of_date",
        "computed",
        "signature",
    )
    rows = score_rows(score_table(selection.campaign.test_set))
    return Table("metric-scores", _("Metric scores of systems"), columns, rows)


def metric_segment_table(selection: Selection) -> Table:
    """Return scores of segments, one column per metric, for files: of the systems and segments that
    pass the filters. Columns have different keys, as files need them."""
    table = score_table(selection.campaign.test_set, check_stale=False)
    chosen, wanted = selection.system_ids, selection.segment_ids
    systems = [each for each in table.systems if chosen is None or each.pk in chosen]
    segments = list(selection.campaign.test_set.segments.values_list("pk", "key"))
    places = set(wanted or ())
    ids, n = [system.pk for system in systems], len(segments)
    matrices = [segment_matrix(column, ids, n).tolist() for column in table.columns]
    rows = [
        (system.name, key, *(matrix[i][j] for matrix in matrices))
        for i, system in enumerate(systems)
        for j, (pk, key) in enumerate(segments)
        if wanted is None or pk in places
    ]
    n_named = Counter(map(signature_of, table.columns))
    columns = tuple(
        Column(name if n_named[name] == 1 else f"{name} {each.slug}", each.label, "number")
        for each in table.columns
        for name in [signature_of(each)]
    )
    return Table(
        "metric-segment-scores",
        _("Metric scores of segments"),
        ("system", "segment", *columns),
        rows,
    )


COMPARISON_COLUMNS = (
    "system",
    "against",
    "metric",
    "references",
    "unit",
    Column(
        "difference",
        gettext_lazy("Difference"),
        "number",
        gettext_lazy("Score of the first minus score of the second"),
    ),
    LOW,
    HIGH,
    Column("n", gettext_lazy("Units"), "count"),
    Column("p_randomization", gettext_lazy("p, randomization"), "p"),
    Column("p_randomization_holm", gettext_lazy("p, randomization, Holm"), "p"),
    Column("p_randomization_bh", gettext_lazy("p, randomization, Benjamini–Hochberg"), "p"),
    Column("p_bootstrap", gettext_lazy("p, bootstrap"), "p"),
    Column("p_bootstrap_holm", gettext_lazy("p, bootstrap, Holm"), "p"),
    Column("p_bootstrap_bh", gettext_lazy("p, bootstrap, Benjamini–Hochberg"), "p"),
    Column("swaps", kind="count"),
    Column("resamples", kind="count"),
    Column("seed", kind="count"),
    "reason",
    "signature",
)
COMPARISON_NOTE = gettext_lazy(
    "The better system first. Approximate randomization, two-sided; paired bootstrap,"
    " one-sided; adjusted over all pairs of a metric. Untested pairs are not listed."
)


def comparison_rows(table: ScoreTable) -> Iterator[tuple]:
    """Yield every tested pair of systems, metric by metric, by segment and by document."""
    names = {system.pk: system.name for system in table.systems}
    for unit in UNITS:
        kept = compare_columns(table.columns, table, unit=unit)
        for column in table.columns:
            tested = kept[column.slug]
            # Scores uploaded by document are compared by document either way.
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
        _("Differences between systems by metric"),
        COMPARISON_COLUMNS,
        rows,
        str(COMPARISON_NOTE),
    )


TABLES = (
    ("metric-scores", gettext_lazy("Metric scores of systems"), metric_score_table),
    ("metric-segment-scores", gettext_lazy("Metric scores of segments"), metric_segment_table),
    ("metric-differences", gettext_lazy("Differences between systems by metric"), comparison_table),
)


def sections(selection: Selection) -> list[Section]:
    """Return the agreement of the test set's scores with people, and the scores."""
    if not selection.campaign.test_set.metric_scores.exists():
        return []
    tables = [
        Lazy(slug, str(title), partial(make, selection), FILE) for slug, title, make in TABLES
    ]
    scores = Section("metrics", _("Metric scores"), tables=tables)
    return [*results_sections.sections(selection), scores]


def data(selection: Selection) -> dict[str, Any]:
    """Return scores with their signatures, differences and agreement with people, as JSON
    values."""
    tables = {
        "scores": metric_score_table(selection),
        "differences": comparison_table(selection),
        **agreement.data_tables(selection),
    }
    return {name: table_objects(table) for name, table in tables.items()}


PAGE = ResultsPage(
    "metrics",
    gettext_lazy("Metrics and correlation"),
    sections,
    data,
    shown_at="correlation",
)
