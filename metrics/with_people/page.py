"""Metrics against people as a list of sections: the web page, files and the API read it."""

from dataclasses import asdict, dataclass, fields
from functools import cached_property
from math import isnan

from django.utils.translation import gettext as _

from judgments.results.selection.selection import Selection
from judgments.web.charts import Chart
from judgments.web.tables import Table

from . import average_tables, card_figures, pair_tables, ranking, tables, words
from .agreement import Figure, MetricAgreement
from .alternative_annotators import AnnotatorTestSection
from .averages import Averages, averages_of, campaign_tasks
from .board import Board
from .card_figures import PartAgreement, part_agreement
from .differences import Differences, differences
from .donor_effect import OF_DONORS, OF_PAIRS, DonorEffect, donor_effect, donor_table, donor_words
from .literalness.tables import of_metrics as literalness_of_metrics
from .metric_section import MetricSection, section
from .ranking import SystemRanking, system_ranking
from .ridge_metric import (
    LearnedMetric,
    learned_lead,
    learned_metric,
    learned_notes,
    learned_table,
    not_learned,
    weight_lead,
    weight_table,
)
from .scatter import farthest_table, outputs_scatter, system_scatter
from .segments import output_agreement, segment_agreement
from .span_tables import SpanSections
from .study import (
    OVER,
    Study,
    StudyChoice,
    first_choice,
    full_board,
    has_donors,
    leaves_donors_out,
    spoken,
    study_of,
)
from .system_kinds import (
    KindAgreement,
    SystemLook,
    kind_agreement,
    kind_table,
    kind_words,
    kinds_to_leave_out,
    look_of,
    other_words,
)
from .systems import system_agreement
from .year import is_gold, year_averages, year_lead, year_table, year_title

# A longer table takes seconds to write, and nobody reads it.
MOST_PAIRS_SHOWN = 300


@dataclass(frozen=True)
class Settings:
    """What a reader chose, as clean values; dimension None is for comparisons, metric is a
    column's slug, or empty for the metric that follows people most; rank: the slugs of AutoRank's
    metrics, or empty for the usual ones."""

    dimension: str | None = None
    method: str = "raw"
    over: str = "all"
    humans: str = "out"
    fewest: int = 3
    grouping: str = "item"
    compared: str = "system-pearson"
    metric: str = ""
    rank: tuple[str, ...] = ()
    controls: str = "out"
    donors: str = "out"

    @property
    def choice(self) -> StudyChoice:
        names = [each.name for each in fields(StudyChoice)]
        return StudyChoice(**{name: getattr(self, name) for name in names})

    def query(self) -> list[tuple[str, str]]:
        """As the address of a page says it."""
        found = asdict(self)
        several = [("rank", slug) for slug in found.pop("rank")]
        return [(name, str(value)) for name, value in found.items() if value is not None] + several


@dataclass(frozen=True)
class MetricsPage:
    """The sections for the settings of a reader, and what they are made of, made when asked."""

    selection: Selection
    board: Board
    chosen: Settings

    @cached_property
    def systems(self) -> MetricAgreement:
        return system_agreement(self.selection, self.chosen.choice, self.board)

    @cached_property
    def segments(self) -> MetricAgreement:
        chosen = self.chosen
        return segment_agreement(self.selection, chosen.choice, self.board, chosen.grouping)

    @cached_property
    def outputs(self) -> MetricAgreement:
        return output_agreement(self.selection, self.chosen.choice, self.board)

    @cached_property
    def learned(self) -> LearnedMetric:
        chosen = self.chosen
        return learned_metric(self.selection, chosen.choice, self.board, chosen.grouping)

    @cached_property
    def spans(self) -> SpanSections:
        return SpanSections(self.selection, self.board)

    @cached_property
    def differences(self) -> Differences:
        chosen = self.chosen
        return differences(self.selection, chosen.choice, self.board, chosen.compared)

    @cached_property
    def averages(self) -> Averages:
        return averages_of([campaign_tasks(self.selection, self.chosen.choice, self.board)])

    @cached_property
    def ranking(self) -> SystemRanking:
        return system_ranking(self.selection, self.chosen.choice, self.board, self.chosen.rank)

    @cached_property
    def metric(self) -> str:
        """The slug of the metric in the scatter plots."""
        known = [column.slug for column in self.board.table.columns]
        if self.chosen.metric in known:
            return self.chosen.metric
        best = self.systems.best
        return best.metric.slug if best else known[0]

    @cached_property
    def output_metric(self) -> str:
        """The slug of the metric in the scatter plot of outputs: the same, unless nobody chose it
        and it has no scores of segments; then the one that follows people most over outputs."""
        row = self.outputs.row_of(self.metric)
        if self.chosen.metric or row is None or not isnan(row.figures["pearson"].estimate):
            return self.metric
        best = self.outputs.best
        return best.metric.slug if best else self.metric

    @cached_property
    def study(self) -> Study:
        """Of the metric in the scatter plots alone."""
        return self._study(self.metric)

    @cached_property
    def output_study(self) -> Study:
        return self.study if self.output_metric == self.metric else self._study(self.output_metric)

    def _study(self, metric: str) -> Study:
        choice = self.chosen.choice
        board = full_board(self.selection, choice, self.board)
        return study_of(self.selection, choice, board, only=metric)

    @cached_property
    def look(self) -> SystemLook:
        """What is stated of the systems."""
        return look_of(self.board)

    @cached_property
    def kinds(self) -> KindAgreement:
        return kind_agreement(self.selection, self.chosen.choice, self.board, self.look)

    @cached_property
    def donors(self) -> DonorEffect:
        """What outputs that references were made from change."""
        if not self.has_donors:
            return DonorEffect((), (), ())
        return donor_effect(self.selection, self.chosen.choice, self.board)

    @property
    def has_donors(self) -> bool:
        """Whether a metric was given a reference that was made from outputs."""
        return has_donors(self.board)

    @property
    def has_kinds(self) -> bool:
        """Whether there is a kind of systems to leave out."""
        return self.look.has_kinds and bool(kinds_to_leave_out(self.look.kinds_of(self.study)))

    def sections(self) -> list[MetricSection]:
        """Return all of them; none is made yet."""
        return [
            *self.year_sections(),
            *self.main_sections(),
            *self.donor_sections(),
            *self.kind_sections(),
            *self.segment_sections(),
            *self.learned_sections(),
            *AnnotatorTestSection(self.selection, self.chosen.choice, self.board).sections(),
            *self.spans.sections(),
            *self.other_sections(),
        ]

    def kind_sections(self) -> list[MetricSection]:
        """With and without each kind of systems, where kinds are stated."""
        if not self.has_kinds:
            return []
        return [
            section(
                slug="metric-kinds",
                title=_("Over systems, with and without a kind of systems"),
                sentence=lambda: kind_words(self.kinds, self.metric),
                chart=self.kind_scatter,
                table=lambda: kind_table(self.kinds),
                notes=lambda: other_words(self.kinds, self.metric),
                folded=True,
            )
        ]

    def donor_sections(self) -> list[MetricSection]:
        """With and without outputs that references were made from, where there are any."""
        if not self.has_donors:
            return []
        return [
            section(
                slug="metric-donors",
                title=_("Over systems, with and without donors of references"),
                sentence=lambda: " ".join(donor_words(self.donors, self.chosen.donors)),
                table=lambda: donor_table(self.donors),
                notes=lambda: [str(OF_DONORS)],
                folded=True,
            )
        ]

    def year_sections(self) -> list[MetricSection]:
        """Return the table of the year that the test set was released in, if it is of these
        judgments."""
        test_set = self.selection.campaign.test_set
        if not self.has_year:
            return []
        return [
            section(
                slug="metric-year",
                title=year_title(test_set),
                sentence=lambda: year_lead(self.year, test_set, self.board),
                table=lambda: year_table(self.year, test_set, self.board),
                brief=True,
            )
        ]

    @property
    def has_year(self) -> bool:
        return is_gold(self.selection.campaign)

    @cached_property
    def year(self) -> Averages:
        return year_averages(self.selection, self.board)

    def main_sections(self) -> list[MetricSection]:
        """Return for how far metrics agree with people."""
        return [
            section(
                slug="metric-overview",
                title=_("All metrics"),
                sentence=lambda: words.lead(self.systems),
                chart=self.system_chart,
                table=self.overview_table,
                warnings=self.warnings,
                aside=self.has_year,
                brief=True,
            ),
            section(
                slug="metric-ranking",
                title=str(ranking.TITLE),
                sentence=lambda: ranking.ranking_lead(self.ranking),
                table=lambda: ranking.ranking_table(self.ranking, self.selection),
                remark=lambda: str(ranking.ABOUT),
                folded=True,
            ),
            section(
                slug="metric-systems",
                title=_("Over systems"),
                sentence=lambda: words.system_lead(self.systems),
                chart=self.system_scatter,
                table=self.system_table,
                notes=self.system_notes,
                folded=True,
            ),
            section(
                slug="metric-outliers",
                title=_("Over systems, without outliers"),
                sentence=lambda: words.outlier_words(self.systems),
                table=self.outlier_table,
                folded=True,
            ),
        ]

    def warnings(self) -> list[str]:
        """Return what is always seen: donors of references, and metrics below a sentinel."""
        said = donor_words(self.donors, self.chosen.donors)
        return said + words.warnings(self.systems) + words.warnings(self.segments)

    def segment_sections(self) -> list[MetricSection]:
        return [
            section(
                slug="metric-segments",
                title=_("Over segments"),
                sentence=lambda: words.segment_lead(self.segments),
                chart=self.output_scatter,
                table=self.segment_table,
                notes=lambda: [
                    str(words.OF_SEGMENTS[self.chosen.grouping]),
                    *words.reasons(self.segments, tables.OVER_SEGMENTS),
                ],
                folded=True,
            ),
            section(
                slug="metric-farthest",
                title=_("The outputs farthest from the line"),
                sentence=lambda: _("Each leads to its segment, with what people said of it."),
                table=lambda: farthest_table(self.output_study, self.selection),
                folded=True,
            ),
        ]

    def learned_sections(self) -> list[MetricSection]:
        """Return for what a mixture of the metrics could reach."""
        return [
            section(
                slug="metric-learned",
                title=_("Learned here"),
                sentence=lambda: learned_lead(self.learned),
                table=lambda: learned_table(self.learned),
                notes=lambda: learned_notes(self.learned, has_donors=self.has_donors),
                missing=lambda: not_learned(self.learned),
                folded=True,
            ),
            section(
                slug="metric-weights",
                title=_("What the learned one is made of"),
                sentence=lambda: weight_lead(self.learned),
                table=lambda: weight_table(self.learned),
                folded=True,
            ),
        ]

    def other_sections(self) -> list[MetricSection]:
        """Return for what that is worth, and in other terms."""
        return [
            section(
                slug="metric-older",
                title=_("Over segments, older coefficients"),
                sentence=lambda: str(words.OF_OLDER),
                table=self.older_table,
                folded=True,
            ),
            section(
                slug="metric-differences",
                title=_("Which metrics are better than which"),
                sentence=lambda: pair_tables.difference_lead(self.differences),
                chart=self.difference_chart,
                table=lambda: pair_tables.cluster_table(self.differences),
                notes=lambda: [str(words.OF_DIFFERENCES)],
                folded=True,
            ),
            section(
                slug="metric-pairs",
                title=_("All pairs of metrics"),
                sentence=lambda: words.pairs_of_metrics(pair_tables.n_pairs(self.differences)),
                table=lambda: pair_tables.pair_table(self.differences),
                folded=True,
                is_long=lambda: pair_tables.n_pairs(self.differences) > MOST_PAIRS_SHOWN,
            ),
            section(
                slug="metric-stated",
                title=str(card_figures.TITLE),
                sentence=lambda: card_figures.stated_lead(*self.stated),
                table=lambda: card_figures.stated_table(*self.stated),
                notes=lambda: card_figures.stated_notes(self.stated[2]),
                folded=True,
            ),
            literalness_of_metrics(self.selection, self.chosen.choice, self.board),
            section(
                slug="metric-averages",
                title=_("Averages over tasks"),
                sentence=lambda: average_tables.average_lead(self.averages),
                table=lambda: average_tables.average_table(self.averages),
                notes=lambda: [str(words.OF_AVERAGES)],
                folded=True,
            ),
        ]

    def system_chart(self) -> Chart | None:
        return tables.agreement_chart(self.systems, "metric-overview")

    def overview_table(self) -> Table:
        return tables.overview_table(self.systems, self.segments, self.averages, self.differences)

    def system_table(self) -> Table:
        found = self.systems
        title = _("Against %(human)s, metrics over %(over)s") % {
            "human": spoken(found.human_name),
            "over": _(OVER[found.over]),
        }
        found = self.learned.beside(found)
        return tables.agreement_table(found, tables.OVER_SYSTEMS, "metric-systems", title)

    def outlier_table(self) -> Table | None:
        found = self.systems
        if not found.outliers:
            return None
        title = _("Over systems without outliers (%(names)s)") % {
            "names": ", ".join(found.outliers)
        }
        return tables.agreement_table(found, tables.WITHOUT_OUTLIERS, "metric-outliers", title)

    def segment_table(self) -> Table:
        found = self.segments
        title = _("Against %(human)s, on exactly the judged outputs, %(by)s") % {
            "human": spoken(found.human_name),
            "by": tables.by(found),
        }
        found = self.learned.beside(found)
        return tables.agreement_table(found, tables.OVER_SEGMENTS, "metric-segments", title)

    def older_table(self) -> Table:
        found = self.segments
        title = _("Other coefficients of pairs, against %(human)s, %(by)s") % {
            "human": spoken(found.human_name),
            "by": tables.by(found),
        }
        return tables.agreement_table(found, tables.OTHER_SEGMENT, "metric-older", title)

    @cached_property
    def stated(self) -> tuple[MetricAgreement, MetricAgreement, PartAgreement]:
        """Over systems, over segments by item, and over documents and domains."""
        asked = self.selection, self.chosen.choice, self.board
        by_item = segment_agreement(*asked, "item")
        return self.systems, by_item, part_agreement(*asked)

    def system_notes(self) -> list[str]:
        systems, choice = self.systems, self.chosen.choice
        return [
            words.humans_words(systems, self.chosen.humans),
            *words.control_words(self.control_names(), self.chosen.controls),
            words.outlier_words(systems),
            words.pairs_words(systems),
            *([str(OF_PAIRS)] if systems.test and leaves_donors_out(choice, self.board) else []),
            str(words.OF_SYSTEMS),
            *words.reasons(systems, tables.OVER_SYSTEMS),
        ]

    def control_names(self) -> list[str]:
        """Return for the systems that have scores, the controls."""
        board = self.board
        return [each.name for each in board.table.systems if each.pk in board.controls]

    def figure(self, found: MetricAgreement, metric: str) -> Figure:
        """Return Pearson's r of the metric in the scatter plots: the one that the tables show."""
        row = found.row_of(metric)
        assert row is not None
        return row.figures["pearson"]

    def difference_chart(self) -> Chart | None:
        return pair_tables.difference_chart(self.differences, "metric-differences")

    def system_scatter(self, name: str = "metric-systems") -> Chart:
        figure = self.figure(self.systems, self.metric)
        return system_scatter(self.study, figure, name, self.selection, self.look)

    def kind_scatter(self, name: str = "metric-kinds") -> Chart:
        """With a second line, without the kind that changes the correlation most."""
        without = self.kinds.most_telling(self.metric)
        figure = self.figure(self.systems, self.metric)
        return system_scatter(self.study, figure, name, self.selection, self.look, without)

    def output_scatter(self, name: str = "metric-segments") -> Chart:
        figure = self.figure(self.outputs, self.output_metric)
        return outputs_scatter(self.output_study, figure, name, self.selection)


def prepare(selection: Selection, board: Board) -> None:
    """Compute, and thereby keep, what takes long on the page as it opens."""
    first = first_choice(selection.campaign)
    page = MetricsPage(selection, board, Settings(dimension=first))
    for each in page.sections():
        each.table()
