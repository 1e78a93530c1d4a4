"""What meta-evaluation brings to a campaign's exports: every figure with signature, n and seed."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from judgments import results
from judgments.charts import Chart
from judgments.pages.base import FILE, Lazy
from judgments.results.scores import METHODS
from judgments.results.selection import Selection
from judgments.tables import Column, Table
from metrics.evaluation import OVER

from . import shown, shown_averages, shown_pairs
from .averages import averages_of, tasks
from .board import Board, board_of
from .differences import COMPARED, differences
from .rows import Agreement, MetricRow
from .segments import GROUPINGS, segment_agreement
from .study import Choice
from .systems import system_agreement

AGREEMENT_COLUMNS = (
    "metric",
    "references",
    "kind",
    Column("human", "Human score"),
    "level",
    "segments",
    "grouping",
    "statistic",
    Column("estimate", "Value", "number"),
    Column("low", "95 % from", "number"),
    Column("high", "to", "number"),
    Column("n", kind="count"),
    Column("n_undefined", "Without a value", "count"),
    Column("epsilon", "ε of ties", "number"),
    Column("n_systems", kind="count"),
    Column("n_segments", kind="count"),
    "left_out",
    "outliers",
    Column("resamples", kind="count"),
    Column("seed", kind="count"),
    "reason",
    "signature",
)
NOTE = (
    "Metrics of errors are turned: higher is better everywhere. Intervals are percentile "
    "bootstraps over systems and segments. Human references among the systems are left out. n "
    "counts what the statistic is taken over: systems, pairs of systems, outputs or groups."
)
PAIR_COLUMNS = (
    Column("human", "Human score"),
    Column("statistic"),
    *shown_pairs.PAIR_COLUMNS,
    Column("cluster", "Cluster of the better", "count"),
    Column("cluster_against", "Cluster of the worse", "count"),
    "test",
    "unit",
    Column("n", kind="count"),
    Column("resamples", kind="count"),
    Column("seed", kind="count"),
    "signature",
    "signature_against",
)


def choices(selection: Selection) -> list[Choice]:
    """Every human score of a campaign, with human references left out."""
    dimensions = results.dimensions_of(selection.campaign)
    if not dimensions:
        return [Choice()]
    return [Choice(each.slug, method) for each in dimensions for method in METHODS]


def judged_board(selection: Selection) -> Board | None:
    """The scores of a campaign, if it has scores and judgments."""
    board = board_of(selection.campaign.test_set)
    has_both = board.table.columns and results.system_scores(selection).names.size
    return board if has_both else None


def agreements(selection: Selection, board: Board) -> Iterator[Agreement]:
    """Over systems (all and judged segments) and over segments (in every grouping)."""
    for choice in choices(selection):
        for over in OVER:
            yield system_agreement(selection, replace(choice, over=over), board)
        for grouping in GROUPINGS:
            yield segment_agreement(selection, choice, board, grouping)


def agreement_rows(found: Agreement, row: MetricRow) -> Iterator[tuple]:
    """One row a statistic."""
    metric = row.metric
    is_system = found.level == "system"
    for key, figure in row.figures.items():
        is_soft = key == "spa"
        yield (
            metric.label,
            "+".join(metric.references),
            "sentinel" if metric.is_sentinel else "metric",
            found.human_name,
            found.level,
            found.over or "judged",
            found.grouping,
            found.statistics[key],
            figure.estimate,
            figure.low,
            figure.high,
            figure.n,
            figure.n_undefined,
            row.epsilon if key == "acc_eq" else None,
            len(found.systems),
            found.n_segments,
            "+".join(found.left_out),
            "+".join(found.outliers),
            found.resamples,
            found.permutation_seed if is_soft else found.seed,
            figure.reason,
            metric.signature if is_system and not is_soft else metric.segment_signature,
        )


def agreement_table(selection: Selection) -> Table:
    board = judged_board(selection)
    found = agreements(selection, board) if board else iter(())
    rows = [line for each in found for row in each.rows for line in agreement_rows(each, row)]
    title = "Agreement of metrics with people"
    return Table("metric-agreement", title, AGREEMENT_COLUMNS, rows, NOTE)


def pair_table(selection: Selection) -> Table:
    """Every pair of metrics under every statistic, for people's first score."""
    board = judged_board(selection)
    rows: list[tuple] = []
    for compared in COMPARED if board else ():
        assert board is not None
        found = differences(selection, choices(selection)[0], board, compared)
        known = (found.test, found.unit, found.n, found.resamples, found.seed)
        places = {metric.title: i for i, metric in enumerate(found.metrics)}
        for pair in shown_pairs.pair_rows(found):
            i, j = places[pair[0]], places[pair[1]]
            metrics = found.metrics[i], found.metrics[j]
            is_system = found.unit == "system"
            signatures = [m.signature if is_system else m.segment_signature for m in metrics]
            ranks = int(found.ranks[i]), int(found.ranks[j])
            rows.append((found.human_name, found.name, *pair, *ranks, *known, *signatures))
    return Table("metric-pairs", "Differences between metrics", PAIR_COLUMNS, rows)


def average_table(selection: Selection) -> Table:
    """Averages over tasks, for people's first score."""
    board = judged_board(selection)
    choice = choices(selection)[0]
    return shown_averages.average_table(
        averages_of([tasks(selection, choice, board)] if board else [])
    )


TABLES = (
    ("metric-agreement", "Agreement of metrics with people", agreement_table),
    ("metric-pairs", "Differences between metrics", pair_table),
    ("metric-averages", "Averages of metrics over tasks", average_table),
)


def data_tables(selection: Selection) -> dict[str, Table]:
    """For the JSON export, by key."""
    return {
        slug.removeprefix("metric-").removesuffix("s") + "s": make(selection)
        for slug, _, make in TABLES
    }


def charts(selection: Selection) -> list[Lazy[Chart | None]]:
    """The charts of the page as it opens; under other settings the page gives its files itself."""
    choice = choices(selection)[0]

    def lazy(name: str, title: str, make: Callable[[Board], Chart | None]) -> Lazy[Chart | None]:
        def drawn() -> Chart | None:
            board = judged_board(selection)
            return make(board) if board else None

        return Lazy(name, title, drawn, FILE)

    return [
        lazy(
            "agreement-systems",
            "Agreement of metrics with people, over systems",
            lambda board: shown.agreement_chart(
                system_agreement(selection, choice, board), "agreement-systems"
            ),
        ),
        lazy(
            "agreement-segments",
            "Agreement of metrics with people, over segments",
            lambda board: shown.agreement_chart(
                segment_agreement(selection, choice, board, "item"), "agreement-segments"
            ),
        ),
        lazy(
            "metric-differences",
            "Differences between metrics",
            lambda board: shown_pairs.difference_chart(
                differences(selection, choice, board), "metric-differences"
            ),
        ),
        lazy(
            "metric-averages",
            "Averages of metrics over tasks",
            lambda board: shown_averages.average_chart(
                averages_of([tasks(selection, choice, board)])
            ),
        ),
    ]
