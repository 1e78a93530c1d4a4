"""Exports of metrics against people: every figure with signature and n."""

from collections.abc import Iterator
from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.results.scores.figures import METHODS
from judgments.results.selection.selection import Selection
from judgments.web.tables import Column, Table

from . import average_tables, pair_tables, ranking
from .agreement import MetricAgreement, MetricRow
from .averages import averages_of, campaign_tasks
from .board import Board, board_of
from .differences import COMPARED, differences
from .donor_effect import donor_effect, donor_words
from .ranking import system_ranking
from .segments import GROUPINGS, segment_agreement
from .study import OVER, StudyChoice, has_donors, human_choices, is_judged
from .system_kinds import kind_agreement, kind_table, look_of
from .systems import system_agreement
from .tables import TURNED, rules, with_ends

AGREEMENT_COLUMNS = (
    "metric",
    "references",
    "kind",
    TURNED,
    Column("human", gettext_lazy("Human score")),
    "level",
    "segments",
    "grouping",
    "statistic",
    *with_ends("estimate", gettext_lazy("Value")),
    Column("p", "p", "p"),
    Column("n", kind="count"),
    Column("n_undefined", gettext_lazy("Without a value"), "count"),
    Column("epsilon", gettext_lazy("ε of ties"), "number"),
    Column("n_systems", kind="count"),
    Column("n_segments", kind="count"),
    "left_out",
    "outliers",
    Column("permutations", kind="count"),
    Column("seed", kind="count"),
    "reason",
    "signature",
)
NOTE = gettext_lazy(
    "Higher is better everywhere: metrics whose column says turned are multiplied by "
    "−1. Human references among the systems are left out. n counts what the statistic"
    " is taken over: systems, pairs of systems, outputs or groups; the permutations "
    "are those of soft pairwise accuracy."
)
PAIR_COLUMNS = (
    Column("human", gettext_lazy("Human score")),
    Column("statistic"),
    *pair_tables.PAIR_COLUMNS,
    Column("cluster", gettext_lazy("Cluster of the better"), "count"),
    Column("cluster_against", gettext_lazy("Cluster of the worse"), "count"),
    "test",
    "unit",
    Column("n", kind="count"),
    Column("resamples", kind="count"),
    Column("seed", kind="count"),
    "signature",
    "signature_against",
)


def choices(selection: Selection) -> list[StudyChoice]:
    """Return every human score of a campaign, with human references left out."""
    known = human_choices(selection.campaign)
    return [StudyChoice(slug, method) for slug, _ in known for method in METHODS] or [StudyChoice()]


def judged_board(selection: Selection) -> Board | None:
    """Return the scores of a campaign, if it has scores and judgments."""
    board = board_of(selection.campaign.test_set)
    return board if board.table.columns and is_judged(selection) else None


def agreements(selection: Selection, board: Board) -> Iterator[MetricAgreement]:
    """Yield the agreement over systems (all and judged segments) and over segments (in every
    grouping)."""
    for choice in choices(selection):
        for over in OVER:
            yield system_agreement(selection, replace(choice, over=over), board)
        for grouping in GROUPINGS:
            yield segment_agreement(selection, choice, board, grouping)


def agreement_rows(found: MetricAgreement, row: MetricRow) -> Iterator[tuple]:
    """Yield one row per statistic."""
    metric = row.metric
    is_system = found.level == "system"
    for key, figure in row.figures.items():
        is_soft = key == "spa"
        yield (
            metric.label,
            "+".join(metric.references),
            metric.kind,
            metric.turned,
            found.human_name,
            found.level,
            found.over or "judged",
            found.grouping,
            found.statistics[key],
            figure.estimate,
            figure.low,
            figure.high,
            figure.p_value,
            figure.n,
            figure.n_undefined,
            row.epsilon if key == "acc_eq" else None,
            len(found.systems),
            found.n_segments,
            "+".join(found.left_out),
            "+".join(found.outliers),
            found.permutations if is_soft else None,
            found.seed if is_soft else None,
            figure.reason or figure.no_interval,
            metric.signature if is_system and not is_soft else metric.segment_signature,
        )


def agreement_table(selection: Selection) -> Table:
    board = judged_board(selection)
    found = agreements(selection, board) if board else iter(())
    rows = [line for each in found for row in each.rows for line in agreement_rows(each, row)]
    title = _("Agreement of metrics with people")
    note = [str(NOTE), rules("pearson", "share", "jackknife")]
    if board and has_donors(board):
        note += donor_words(donor_effect(selection, choices(selection)[0], board), "out")
    return Table("metric-agreement", title, AGREEMENT_COLUMNS, rows, " ".join(note))


# With more metrics, permutations of soft pairwise accuracy take longer than all the rest together.
MOST_SOFT = 20
PAIR_NOTE = gettext_lazy(
    "One-sided permutation tests, not adjusted for the number of pairs. Differences "
    "in soft pairwise accuracy are here for up to %(most)s metrics; the page of "
    "metrics has them for more."
)


def pair_table(selection: Selection) -> Table:
    """Return all pairs of metrics under every statistic, for people's first score."""
    board = judged_board(selection)
    rows: list[tuple] = []
    for compared in COMPARED if board else ():
        assert board is not None
        if compared == "spa" and len(board.table.columns) > MOST_SOFT:
            continue
        found = differences(selection, choices(selection)[0], board, compared)
        known = (found.test, found.unit, found.n, found.resamples, found.seed)
        places = pair_tables.pair_places(found)
        for (i, j), pair in zip(places, pair_tables.pair_rows(found), strict=True):
            metrics = found.metrics[i], found.metrics[j]
            is_system = found.unit == "system"
            signatures = [m.signature if is_system else m.segment_signature for m in metrics]
            ranks = int(found.ranks[i]), int(found.ranks[j])
            rows.append((found.human_name, found.name, *pair, *ranks, *known, *signatures))
    return Table(
        "metric-pairs",
        _("Differences between metrics"),
        PAIR_COLUMNS,
        rows,
        PAIR_NOTE % {"most": MOST_SOFT},
    )


def average_table(selection: Selection) -> Table:
    """Return averages over tasks, for people's first score."""
    board = judged_board(selection)
    choice = choices(selection)[0]
    return average_tables.average_table(
        averages_of([campaign_tasks(selection, choice, board)] if board else [])
    )


def kinds_table(selection: Selection) -> Table:
    """Return figures with and without each kind of systems, for people's first score."""
    board = judged_board(selection)
    if board is None or not (look := look_of(board)).has_kinds:
        return Table("metric-kinds", str(KINDS_TITLE), ("metric",), [])
    return kind_table(kind_agreement(selection, choices(selection)[0], board, look))


KINDS_TITLE = gettext_lazy("Metrics and people without a kind of systems")


def ranking_table(selection: Selection) -> Table:
    """Return people's ranking next to AutoRank, for people's first score."""
    board = judged_board(selection)
    if board is None:
        return Table("metric-ranking", str(ranking.TITLE), ("system",), [])
    found = system_ranking(selection, choices(selection)[0], board)
    return ranking.ranking_table(found, selection)


TABLES = (
    ("metric-ranking", ranking.TITLE, ranking_table),
    ("metric-agreement", gettext_lazy("Agreement of metrics with people"), agreement_table),
    ("metric-pairs", gettext_lazy("Differences between metrics"), pair_table),
    ("metric-kinds", KINDS_TITLE, kinds_table),
    ("metric-averages", gettext_lazy("Averages of metrics over tasks"), average_table),
)


def data_tables(selection: Selection) -> dict[str, Table]:
    """Return the tables of the JSON export, by key."""
    return {
        slug.removeprefix("metric-").removesuffix("s") + "s": make(selection)
        for slug, title, make in TABLES
    }
