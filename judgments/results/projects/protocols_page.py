"""The page of a project on which protocols stand against each other."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.results.compare.two_campaigns_page import cost_cells, cost_columns
from judgments.web import plurals as counted
from judgments.web.sections import Lazy, Section
from judgments.web.tables import Column, Table, figure

from . import contrast
from .figures import ProjectResults
from .pages import ProjectPage
from .protocols import TwoProtocols, compared, protocol_pairs

TWO = (
    Column("pair", gettext_lazy("Language pair"), "text"),
    Column("first", gettext_lazy("Protocol"), "text"),
    Column("second", gettext_lazy("Against"), "text"),
)
AGREEMENT = (
    Column("n", gettext_lazy("Pairs of scores"), "count"),
    Column("pearson", "Pearson", "number"),
    Column("spearman", "Spearman", "number"),
    Column("kendall", "Kendall τ-b", "number"),
)
COSTS_OF = (
    Column("pair", gettext_lazy("Language pair"), "text"),
    Column("protocol", gettext_lazy("Protocol"), "text"),
    Column("systems", gettext_lazy("Systems"), "count"),
)


def sections(results: ProjectResults, asked: Mapping[str, str]) -> list[Section]:
    def there() -> bool:
        return bool(compared(results))

    return [
        Section(
            slug="protocols",
            title=_("Do protocols find the same?"),
            sentence=lambda: lead(results),
            tables=[
                Lazy("project-protocol-systems", _("Over systems"), lambda: of_systems(results)),
                Lazy("project-protocol-outputs", _("Over outputs"), lambda: of_outputs(results)),
            ],
            remark=lambda: _(
                "Over systems: of their scores. Over outputs: of the mean scores of all outputs "
                "that both protocols judged, whatever their system and segment."
            ),
        ),
        Section(
            slug="protocol-ranks",
            title=_("Ranks side by side"),
            tables=[Lazy("project-protocol-ranks", _("Ranks"), lambda: rank_table(results))],
            exists=there,
        ),
        Section(
            slug="protocol-costs",
            title=_("What a decision costs"),
            tables=[Lazy("project-protocol-costs", _("Costs"), lambda: cost_table(results))],
            remark=lambda: _(
                "A pair is separated where the page Scores finds one system better. Judgments are "
                "those that count, controls included, and hours are active time. Protocols that "
                "judged different numbers of systems or segments differ in that, too."
            ),
            exists=there,
        ),
        Section(
            slug="contrast",
            title=_("What direct contrast is worth"),
            sentence=lambda: contrast.lead(results),
            tables=[
                Lazy("project-contrast", _("Few systems and all"), lambda: contrast.table(results))
            ],
            remark=lambda: _(
                "Of the difference of two systems on a segment that one block of either campaign "
                "showed: its variances, pooled over pairs. A block is what one person judges of a "
                "document; what a screen does not hold follows on the next. Shared is their "
                "covariance, which is of the texts; the rest is of people and occasions. Intervals "
                "by bootstrap over documents."
            ),
            exists=lambda: bool(contrast.experiments(results)),
        ),
    ]


def lead(results: ProjectResults) -> str:
    found = protocol_pairs(results)
    if not found:
        return _("No two protocols judged the same texts.")
    said = []
    for each in found:
        known = {
            "first": each.first.name,
            "second": each.second.protocol_name,
            "correct": f"{each.accuracy.n_correct:,}",
            "pairs": counted.pairs_of_systems(each.accuracy.n_pairs),
            "kendall": figure(each.outputs["kendall"].estimate, 2),
        }
        said.append(
            _(
                "%(first)s and %(second)s agree on the order of %(correct)s of %(pairs)s "
                "(τ-b over outputs %(kendall)s)."
            )
            % known
        )
    return " ".join(said)


def of_systems(results: ProjectResults) -> Table:
    """Return for two campaigns a row leads to what their page says besides: the decisions that
    differ, and how far annotators agree."""
    found = protocol_pairs(results)
    correct = Column("correct", gettext_lazy("Same order"), "count")
    columns = (*TWO, *AGREEMENT, correct, Column("pairs", gettext_lazy("of pairs"), "count"))
    rows = [
        (
            *(each.first.pair_name, each.first.protocol_name, each.second.protocol_name),
            len(each.names),
            *(each.systems[name].estimate for name in ("pearson", "spearman", "kendall")),
            *(each.accuracy.n_correct, each.accuracy.n_pairs),
        )
        for each in found
    ]
    links = {(i, "second"): address for i, each in enumerate(found) if (address := to_both(each))}
    return Table("project-protocol-systems", _("Over systems"), columns, rows, "", links)


def to_both(two: TwoProtocols) -> str:
    """Return the page of the two campaigns; "" where one side has several."""
    sides = two.first, two.second
    if any(len(each.selections) > 1 for each in sides):
        return ""
    own, other = (each.selections[0].campaign.pk for each in sides)
    names = ("dimension", "other_dimension")
    asked = {n: each.dimension for n, each in zip(names, sides, strict=True) if each.dimension}
    return f"{reverse('compare-campaigns', args=[own])}?{urlencode({'with': other} | asked)}"


def of_outputs(results: ProjectResults) -> Table:
    rows = [
        (
            *(each.first.pair_name, each.first.protocol_name, each.second.protocol_name),
            each.outputs["pearson"].n,
            *(each.outputs[name].estimate for name in ("pearson", "spearman", "kendall")),
        )
        for each in protocol_pairs(results)
    ]
    return Table("project-protocol-outputs", _("Over outputs"), (*TWO, *AGREEMENT), rows)


def rank_table(results: ProjectResults) -> Table:
    """Return a row for each language pair and system, and a column for each protocol."""
    columns = compared(results)
    protocols = list(dict.fromkeys(each.protocol_name for each in columns))
    cells: dict[tuple[str, str], dict[str, str]] = {}
    for column in columns:
        for each in column.systems:
            row = cells.setdefault((column.pair_name, each.name), {})
            row[column.protocol_name] = each.place
    heads = [Column(f"protocol-{n}", name, "text") for n, name in enumerate(protocols, 1)]
    rows = [
        (name, pair, *(row.get(p, "") for p in protocols)) for (pair, name), row in cells.items()
    ]
    of_pair = Column("pair", gettext_lazy("Language pair"), "text")
    note = _("Cluster, with the system's ranks in brackets; empty where it was not judged.")
    columns_of = (Column("system", kind="text"), of_pair, *heads)
    return Table("project-protocol-ranks", _("Ranks"), columns_of, rows, note)


def cost_table(results: ProjectResults) -> Table:
    rows = [
        (each.pair_name, each.protocol_name, len(each.systems), *cost_cells(each.cost))
        for each in compared(results)
    ]
    columns = (*COSTS_OF, *cost_columns())
    return Table("project-protocol-costs", _("Costs"), columns, rows)


PAGE = ProjectPage("protocols", gettext_lazy("Protocols"), sections)
