"""One system through all language pairs and protocols of a project."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.web.charts import Chart, intervals
from judgments.web.columns import HIGH, LOW
from judgments.web.sections import Lazy, Section
from judgments.web.tables import Column, Table, figure

from .figures import JoinedCampaigns, ProjectResults, RankedSystem
from .pages import PageChoice, ProjectPage

COLUMNS = (
    Column("pair", gettext_lazy("Language pair"), "text"),
    Column("protocol", gettext_lazy("Protocol"), "text"),
    Column("score", kind="number"),
    LOW,
    HIGH,
    Column("rank_low", gettext_lazy("Best rank"), "count"),
    Column("rank_high", gettext_lazy("Worst rank"), "count"),
    Column("n_systems", gettext_lazy("of systems"), "count"),
    Column("cluster", gettext_lazy("Cluster"), "count"),
    Column("ahead", gettext_lazy("Ahead of"), "number", gettext_lazy("Share of other systems")),
    Column("best", gettext_lazy("Best system"), "text"),
    Column("to_best", gettext_lazy("Behind it by"), "number", gettext_lazy("In points of score")),
)


def choices(results: ProjectResults) -> list[PageChoice]:
    return [PageChoice("system", gettext_lazy("system"), {n: n for n in results.system_names})]


def sections(results: ProjectResults, asked: Mapping[str, str]) -> list[Section]:
    name = asked.get("system", "")
    return [
        Section(
            slug="one-system",
            title=_("%(system)s through all language pairs") % {"system": name},
            sentence=lambda: lead(results, name),
            charts=[Lazy("project-one-ranks", _("Ranks"), lambda: rank_chart(results, name))],
            tables=[
                Lazy("project-one-system", _("By language pair"), lambda: table(results, name))
            ],
            remark=lambda: _(
                "Do not compare scores of different protocols and language pairs; compare ranks, "
                "and the share of other systems that it is ahead of."
            ),
            exists=lambda: bool(name),
        )
    ]


def places(results: ProjectResults, name: str) -> list[tuple[JoinedCampaigns, RankedSystem]]:
    """Where it was judged, and how it came out."""
    found = [(each, system) for each in results.columns for system in each.systems]
    return [(column, system) for column, system in found if system.name == name]


def ahead(column: JoinedCampaigns, system: RankedSystem) -> float:
    """Return the share of the other systems that it is ranked before; NaN without any."""
    n = len(column.systems)
    return (n - system.rank) / (n - 1) if n > 1 else float("nan")


def lead(results: ProjectResults, name: str) -> str:
    found = places(results, name)
    top = [column.name for column, system in found if system.cluster == 1]
    known = {"system": name, "n": len(found), "all": len(results.columns), "top": len(top)}
    said = _("%(system)s was judged in %(n)s of %(all)s; in %(top)s it is in the top cluster.")
    shares = [ahead(*each) for each in found]
    mean = _("On average it is ahead of %(share)s of the other systems.") % {
        "share": figure(float(np.nanmean(shares)), 2)
    }
    return f"{said % known} {mean}" if not np.isnan(shares).all() else said % known


def table(results: ProjectResults, name: str) -> Table:
    rows = []
    for column, system in places(results, name):
        best = column.systems[0]
        rows.append(
            (
                *(column.pair_name, column.protocol_name, system.score, system.low, system.high),
                *(system.rank_low, system.rank_high, len(column.systems), system.cluster),
                *(ahead(column, system), best.name, best.score - system.score),
            )
        )
    return Table("project-one-system", _("By language pair"), COLUMNS, rows)


def rank_chart(results: ProjectResults, name: str) -> Chart | None:
    found = places(results, name)
    if not found:
        return None
    names = [column.name for column, _system in found]
    ranks = [(each.rank, each.rank_low, each.rank_high) for _column, each in found]
    mean, low, high = (np.array(values, float) for values in zip(*ranks, strict=True))
    return Chart(
        name="project-one-ranks",
        title=_("Ranks"),
        caption=_("Ranks of %(system)s, from the best to the worst that it may have; 1 is best.")
        % {"system": name},
        spec=intervals(names, mean, low, high, axis=_("Rank"), places=1, description=name),
        columns=("pair", Column("rank", _("Rank"), "number"), "rank_low", "rank_high"),
        rows=[[n, *values] for n, values in zip(names, ranks, strict=True)],
    )


PAGE = ProjectPage("one-system", gettext_lazy("One system"), sections, choices, is_reported=False)
