"""The first page of a project: language pairs × systems, and ranks averaged over the pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import isnan
from urllib.parse import urlencode

import numpy as np
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from judgments.stats.macro_ranks import FEWEST_TASKS
from judgments.web import plurals as counted
from judgments.web.charts import Chart, intervals
from judgments.web.columns import HIGH, LOW
from judgments.web.sections import ASIDE, OPEN, Lazy, Section
from judgments.web.tables import Column, Table, figure

from .figures import JoinedCampaigns, ProjectResults, SystemAverages
from .pages import PageChoice, ProjectPage

MOST_SAID = 6
LONG = (
    Column("pair", gettext_lazy("Language pair"), "text"),
    Column("protocol", gettext_lazy("Protocol"), "text"),
    Column("campaigns", gettext_lazy("Campaigns"), "text"),
    Column("system", kind="text"),
    Column("score", kind="number"),
    LOW,
    HIGH,
    Column("rank_low", gettext_lazy("Best rank"), "count"),
    Column("rank_high", gettext_lazy("Worst rank"), "count"),
    Column("cluster", gettext_lazy("Cluster"), "count"),
    Column("n_segments", gettext_lazy("Segments"), "count"),
    Column("n_judgments", gettext_lazy("Judgments"), "count"),
)
AVERAGES = (
    Column("system", kind="text"),
    Column("kind", gettext_lazy("Kind"), "text"),
    Column("rank", gettext_lazy("Average rank"), "number"),
    LOW,
    HIGH,
    Column(
        "ahead", _("Ahead of"), "number", gettext_lazy("Mean share of the other systems of a pair")
    ),
    Column("n_pairs", gettext_lazy("Language pairs"), "count"),
    Column("missing", gettext_lazy("Not judged in"), "text"),
)


def choices(results: ProjectResults) -> list[PageChoice]:
    """Return which protocol is averaged, of those that judged several language pairs."""
    names = results.protocols.items()
    several = {each: name for each, name in names if len(results.averages(each).pairs) > 1}
    return [PageChoice("protocol", gettext_lazy("protocol"), several)]


def sections(results: ProjectResults, asked: Mapping[str, str]) -> list[Section]:
    protocol = asked.get("protocol") or next(iter(results.protocols), "")
    return [
        Section(
            slug="systems",
            title=_("Systems by language pair"),
            sentence=lambda: systems_lead(results),
            notes=lambda: notes(results),
            tables=[
                Lazy("project-systems", _("Clusters and ranks"), lambda: wide_table(results)),
                Lazy("project-scores", _("Scores"), lambda: long_table(results), ASIDE),
            ],
            exists=lambda: bool(results.columns),
        ),
        Section(
            slug="averages",
            title=_("Ranks over language pairs"),
            sentence=lambda: average_lead(results, protocol),
            notes=lambda: average_notes(results, protocol),
            charts=[
                Lazy(
                    "project-average-ranks",
                    _("Average ranks"),
                    lambda: average_chart(results, protocol),
                )
            ],
            tables=[
                Lazy(
                    "project-averages",
                    _("Average ranks and what they are of"),
                    lambda: average_table(results, protocol),
                    OPEN,
                )
            ],
            remark=lambda: _(
                "The rank of a system in a language pair is the middle of its ranks there, which "
                "come from its significant wins and losses. The average is over the pairs in which "
                "it was judged, with equal weight (Demšar 2006; the macro average of WMT26). "
                "Intervals resample language pairs: they say how far the average depends on which "
                "pairs these are."
            ),
            exists=lambda: len(results.averages(protocol).pairs) > 1,
        ),
    ]


def systems_lead(results: ProjectResults) -> str:
    """Return who is in the top clusters; of many columns, who is there most often."""
    tops = [[each.name for each in c.systems if each.cluster == 1] for c in results.columns]
    if len(tops) > MOST_SAID:
        n = Counter(name for top in tops for name in top).most_common(3)
        names = counted.names([f"{name} ({times:,})" for name, times in n])
        return _("Most often in the top cluster of %(n)s columns: %(names)s.") % {
            "n": len(tops),
            "names": names,
        }
    said = [
        f"{column.name}: {counted.names(top)}"
        for column, top in zip(results.columns, tops, strict=True)
    ]
    return _("In the top cluster are, in %(columns)s.") % {"columns": "; ".join(said)}


def notes(results: ProjectResults) -> list[str]:
    found = []
    if results.without_scores:
        names = counted.names(results.without_scores)
        found.append(_("No systems are ranked in: %(names)s.") % {"names": names})
    for column in results.columns:
        if len(column.selections) > 1:
            names = counted.names([each.campaign.name for each in column.selections])
            found.append(
                _("%(names)s asked the same about texts that they share, and count as one.")
                % {"names": names}
            )
    for selection in results.selections:
        if not selection.is_usual:
            found.append(f"{selection.campaign.name}: {selection.sentence}.")
    simulated = [s.campaign.name for s in results.selections if s.campaign.simulated]
    if simulated:
        names = counted.names(simulated)
        found.append(_("Made up by a program: the judgments of %(names)s.") % {"names": names})
    return found


def wide_table(results: ProjectResults) -> Table:
    """Return systems × columns; a cell has the cluster, and ranks where there are several."""
    columns = results.columns
    rows, links = [], {}
    place = {name: i for i, name in enumerate(_order(results))}
    for name, i in place.items():
        cells = [_cell(column, name) for column in columns]
        rows.append((name, results.kinds.get(name, ""), *cells))
        links[i, "system"] = of_system(results, name)
    asked, pairs = {each.protocol_name for each in columns}, {each.pair for each in columns}
    is_short = len(asked) == 1 and len(pairs) == len(columns)
    names = [each.pair_name if is_short else each.name for each in columns]
    heads = [Column(f"column-{n}", name, "text") for n, name in enumerate(names, 1)]
    note = _("Cluster, with the system's ranks in brackets; empty where it was not judged.")
    return Table(
        "project-systems",
        _("Clusters and ranks"),
        (Column("system", kind="text"), Column("kind", _("Kind"), "text"), *heads),
        rows,
        f"{asked.pop()}. {note}" if is_short else note,
        links,
    )


def _order(results: ProjectResults) -> list[str]:
    """Return those of the widest protocol by their average, then the others by name."""
    first = next(iter(results.protocols), None)
    if first is None:
        return []
    found = results.averages(first)
    ranked = [found.names[i] for i in found.macro.order]
    return ranked + [name for name in results.system_names if name not in set(ranked)]


def _cell(column: JoinedCampaigns, name: str) -> str:
    found = next((each for each in column.systems if each.name == name), None)
    return found.place if found else ""


def of_system(results: ProjectResults, name: str) -> str:
    page = reverse("project-page", args=[results.project.slug, "one-system"])
    return f"{page}?{urlencode({'system': name})}"


def long_table(results: ProjectResults) -> Table:
    rows = [
        (
            column.pair_name,
            column.protocol_name,
            counted.names([each.campaign.name for each in column.selections]),
            *(each.name, each.score, each.low, each.high, each.rank_low, each.rank_high),
            *(each.cluster, each.n_segments, each.n_judgments),
        )
        for column in results.columns
        for each in column.systems
    ]
    return Table("project-scores", _("Scores"), LONG, rows)


def average_lead(results: ProjectResults, protocol: str) -> str:
    found = results.averages(protocol)
    complete = [i for i in found.macro.order if found.macro.n_tasks[i] == len(found.pairs)]
    known = {
        "protocol": results.protocols.get(protocol, ""),
        "pairs": counted_pairs(len(found.pairs)),
    }
    if not complete:
        return _("%(protocol)s: no system was judged in all of %(pairs)s.") % known
    best = complete[0]
    known |= {"system": found.names[best], "rank": figure(float(found.macro.mean[best]), 2)}
    said = _("%(protocol)s, over %(pairs)s: %(system)s has the best average rank, %(rank)s") % known
    low, high = found.macro.low[best], found.macro.high[best]
    if isnan(low):
        return said + "."
    known_bounds = {"low": figure(float(low), 2), "high": figure(float(high), 2)}
    return said + " " + _("(95 %% interval %(low)s to %(high)s).") % known_bounds


def counted_pairs(n: int) -> str:
    return ngettext("%(n)s language pair", "%(n)s language pairs", n) % {"n": f"{n:,}"}


def average_notes(results: ProjectResults, protocol: str) -> list[str]:
    found = results.averages(protocol)
    n, notes = len(found.pairs), []
    if n < FEWEST_TASKS:
        notes.append(_("Of fewer than three language pairs an average has no interval."))
    elif n < 8:
        notes.append(
            _("Of so few language pairs (%(n)s) percentile intervals are too narrow.") % {"n": n}
        )
    some = [found.names[i] for i in range(len(found.names)) if found.macro.n_tasks[i] < n]
    if some:
        notes.append(
            _(
                "Not judged in every pair: %(names)s. They are listed below the others, since "
                "their averages are over other pairs; “Ahead of” compares them more fairly."
            )
            % {"names": counted.names(some)}
        )
    return notes


def average_table(results: ProjectResults, protocol: str) -> Table:
    found = results.averages(protocol)
    rows = []
    for i in found.macro.order:
        absent = [p for p, rank in zip(found.pairs, found.ranks[i], strict=True) if isnan(rank)]
        macro, name = found.macro, found.names[i]
        figures = (macro.mean[i], macro.low[i], macro.high[i], macro.ahead[i])
        kind = results.kinds.get(name, "")
        rows.append((name, kind, *map(float, figures), int(macro.n_tasks[i]), ", ".join(absent)))
    links = {(i, "system"): of_system(results, str(row[0])) for i, row in enumerate(rows)}
    title = _("Average ranks and what they are of")
    return Table("project-averages", title, AVERAGES, rows, "", links)


def average_chart(results: ProjectResults, protocol: str) -> Chart | None:
    """Return the average ranks of systems that all pairs judged."""
    found: SystemAverages = results.averages(protocol)
    macro, n = found.macro, len(found.pairs)
    at = [i for i in macro.order if macro.n_tasks[i] == n]
    if not at or n < 2:
        return None
    names = [found.names[i] for i in at]
    mean, low, high = macro.mean[at], macro.low[at], macro.high[at]
    bounds = np.where(np.isnan(low), mean, low), np.where(np.isnan(high), mean, high)
    return Chart(
        name="project-average-ranks",
        title=_("Average ranks"),
        caption=_("Average rank over %(pairs)s; 1 is best. Systems judged in all of them.")
        % {"pairs": counted_pairs(n)},
        spec=intervals(names, mean, *bounds, axis=_("Average rank"), description=_("Ranks")),
        columns=("system", Column("rank", _("Average rank"), "number"), LOW, HIGH),
        rows=[
            list(row) for row in zip(names, *(x.tolist() for x in (mean, low, high)), strict=True)
        ],
    )


PAGE = ProjectPage("systems", gettext_lazy("Systems"), sections, choices)
