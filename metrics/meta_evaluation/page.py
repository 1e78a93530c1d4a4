"""The page of a campaign's metrics against people: sentences, charts and tables, in sections."""

from dataclasses import dataclass, field, replace

from judgments.charts import Chart
from judgments.results.selection import Selection
from judgments.tables import Table
from metrics import figures
from metrics.evaluation import segment_level, system_level
from metrics.tables import ScoreTable

from . import shown, shown_averages, shown_pairs, words
from .averages import averages_of, tasks
from .board import Board
from .differences import differences
from .segments import segment_agreement
from .settings import Settings
from .systems import system_agreement

# A longer table takes seconds to write, and nobody reads it.
MOST_PAIRS_SHOWN = 300


@dataclass(frozen=True)
class Section:
    """A heading, a sentence first, charts, tables of metrics or plain tables, then small words."""

    slug: str
    title: str
    lead: str
    meaning: str
    charts: list[Chart] = field(default_factory=list)
    agreements: list[shown.Shown] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    scatter: Chart | None = None
    words: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Page:
    """`lead` is the first sentence; `warnings` are about sentinels."""

    lead: str
    warnings: list[str]
    sections: list[Section]

    @property
    def charts(self) -> list[Chart]:
        """Every chart."""
        found = [(*section.charts, section.scatter) for section in self.sections]
        return [chart for charts in found for chart in charts if chart is not None]


def page_of(selection: Selection, chosen: Settings, board: Board) -> Page:
    """All sections, for the settings that the reader chose."""
    systems = system_agreement(selection, chosen.choice, board)
    segments = segment_agreement(selection, chosen.choice, board, chosen.grouping)
    return Page(
        lead=words.lead(systems),
        warnings=words.warnings(systems) + words.warnings(segments),
        sections=[
            system_section(selection, chosen, board),
            segment_section(selection, chosen, board),
            difference_section(selection, chosen, board),
            average_section(selection, chosen, board),
        ],
    )


def system_section(selection: Selection, chosen: Settings, board: Board) -> Section:
    systems = system_agreement(selection, chosen.choice, board)
    drawn = system_level(
        selection,
        chosen.dimension,
        chosen.method,
        over=chosen.over,
        table=drawn_table(chosen, board),
        left_out=left_out(chosen, board),
    )
    return Section(
        slug="systems",
        title="Over systems",
        lead=words.system_lead(systems),
        meaning=words.OF_SYSTEMS,
        charts=present(shown.agreement_chart(systems, "agreement-systems")),
        agreements=shown.system_tables(systems),
        scatter=figures.system_figure(selection, drawn, chosen.metric),
        words=[
            words.humans_words(systems, chosen.humans),
            words.outlier_words(systems),
            words.pairs_words(systems),
        ],
    )


def segment_section(selection: Selection, chosen: Settings, board: Board) -> Section:
    segments = segment_agreement(selection, chosen.choice, board, chosen.grouping)
    drawn = segment_level(
        selection,
        chosen.dimension,
        chosen.method,
        table=drawn_table(chosen, board),
        left_out=left_out(chosen, board),
    )
    return Section(
        slug="segments",
        title="Over segments",
        lead=words.segment_lead(segments),
        meaning=words.OF_SEGMENTS[chosen.grouping],
        charts=present(shown.agreement_chart(segments, "agreement-segments")),
        agreements=shown.segment_tables(segments),
        scatter=figures.segment_figure(selection, drawn, chosen.metric),
    )


def difference_section(selection: Selection, chosen: Settings, board: Board) -> Section:
    found = differences(selection, chosen.choice, board, chosen.compared)
    pairs = shown_pairs.pair_table(found)
    is_short = len(pairs.rows) <= MOST_PAIRS_SHOWN
    return Section(
        slug="differences",
        title="Which metrics are better than which",
        lead=shown_pairs.difference_lead(found),
        meaning=words.OF_DIFFERENCES,
        charts=present(shown_pairs.difference_chart(found, "metric-differences")),
        tables=[shown_pairs.cluster_table(found), *([pairs] if is_short else [])],
        words=[] if is_short else [f"The table of all {len(pairs.rows):,} pairs is an export."],
    )


def average_section(selection: Selection, chosen: Settings, board: Board) -> Section:
    found = averages_of([tasks(selection, chosen.choice, board)])
    return Section(
        slug="averages",
        title="Averages over tasks",
        lead=shown_averages.average_lead(found),
        meaning=words.OF_AVERAGES,
        charts=present(shown_averages.average_chart(found)),
        tables=[shown_averages.average_table(found)],
    )


def drawn_table(chosen: Settings, board: Board) -> ScoreTable:
    """Only the metric in the scatter plots: coefficients of all of them take half a second."""
    columns = [column for column in board.table.columns if column.slug == chosen.metric]
    return replace(board.table, columns=columns or board.table.columns[:1])


def left_out(chosen: Settings, board: Board) -> frozenset[int]:
    """Systems that take no part."""
    return board.humans if chosen.humans == "out" else frozenset()


def present(chart: Chart | None) -> list[Chart]:
    return [] if chart is None else [chart]
