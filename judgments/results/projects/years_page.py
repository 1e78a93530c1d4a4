"""Systems over the years of a project: progressive evaluation of successive versions.

A system's versions are recognized by its name, without the number or year at its end. Between two
years only figures that do not depend on the texts are comparable: how many of the other systems it
outranks; scores are, if both years judged the same texts by the same protocol.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import isnan, nan

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.web.sections import Lazy, Section
from judgments.web.tables import Column, Table

from .figures import JoinedCampaigns, ProjectResults, RankedSystem
from .one_system_page import ahead
from .pages import ProjectPage

VERSION = re.compile(r"[\s._-]*(v\.?|version)?\s*\d+(\.\d+)*$", re.IGNORECASE)
YEAR = re.compile(r"(?:19|20)?\d\d$")
COLUMNS = (
    Column("system", kind="text"),
    Column("pair", gettext_lazy("Language pair"), "text"),
    Column("protocol", gettext_lazy("Protocol"), "text"),
    Column("year", gettext_lazy("Year"), "text"),
    Column("version", gettext_lazy("Version"), "text"),
    Column("score", kind="number"),
    Column("cluster", gettext_lazy("Cluster"), "count"),
    Column("ahead", gettext_lazy("Ahead of"), "number", gettext_lazy("Share of other systems")),
    Column("change", gettext_lazy("Change"), "number", gettext_lazy("Of that share")),
    Column("points", gettext_lazy("Points"), "number", gettext_lazy("On the same texts")),
)


@dataclass(frozen=True)
class DatedVersion:
    """A version of a system as one column of a year judged it."""

    system: str
    year: int
    column: JoinedCampaigns
    found: RankedSystem


def family(name: str) -> str:
    """Return a system's name without the version at its end; the whole name if nothing else is
    left."""
    return VERSION.sub("", name) or name


def year_of(column: JoinedCampaigns) -> int:
    """Return the year of the release (wmt23 → 2023), otherwise of the creation of the first
    campaign."""
    campaign = column.selections[0].campaign
    if found := YEAR.search(campaign.test_set.release):
        return int(found[0]) if len(found[0]) == 4 else 2000 + int(found[0])
    return campaign.created_at.year


def versions(results: ProjectResults) -> list[list[DatedVersion]]:
    """Return the versions of each system, language pair and protocol with several versions or
    years, oldest first."""
    found: dict[tuple[str, str, str], list[DatedVersion]] = {}
    for column in results.columns:
        for each in column.systems:
            system = family(each.name)
            dated = DatedVersion(system, year_of(column), column, each)
            found.setdefault((system, column.pair_name, column.asks), []).append(dated)
    several = [each for each in found.values() if len({(v.year, v.found.name) for v in each}) > 1]
    return [sorted(each, key=lambda v: (v.year, v.found.name)) for each in several]


def sections(results: ProjectResults, asked: Mapping[str, str]) -> list[Section]:
    return [
        Section(
            slug="years",
            title=_("Systems over the years"),
            sentence=lambda: lead(results),
            tables=[Lazy("project-years", _("Versions"), lambda: table(results))],
            remark=lambda: _(
                "Years judge different texts next to different systems: a change of “Ahead of” "
                "may be a change of the others. Points are the difference of the scores, and "
                "only given where both were judged on the same texts by the same protocol."
            ),
        )
    ]


def lead(results: ProjectResults) -> str:
    found = versions(results)
    if not found:
        return _("No system was judged in two versions or two years of one language pair.")
    better = sum(ahead_of(each[-1]) > ahead_of(each[0]) for each in found)
    return _(
        "Of %(n)s systems with several versions or years (each in one language pair), %(better)s "
        "are ahead of more of the others at the end than at the beginning."
    ) % {"n": len(found), "better": better}


def ahead_of(version: DatedVersion) -> float:
    return ahead(version.column, version.found)


def table(results: ProjectResults) -> Table:
    rows = []
    for each in versions(results):
        before: DatedVersion | None = None
        for version in each:
            column, found = version.column, version.found
            share, change, points = ahead_of(version), nan, nan
            if before is not None:
                change = share - ahead_of(before)
                if before.column.texts == column.texts and before.column.compares_as(column):
                    points = found.score - before.found.score
            rows.append(
                (
                    *(version.system, column.pair_name, column.protocol_name, str(version.year)),
                    *(found.name, found.score, found.cluster, share),
                    *(None if isnan(value) else value for value in (change, points)),
                )
            )
            before = version
    return Table("project-years", _("Versions"), COLUMNS, rows)


PAGE = ProjectPage("years", gettext_lazy("Years"), sections)
