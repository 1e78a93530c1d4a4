"""Scores by domain and by original language: where systems are good, and what a test set mixes."""

from __future__ import annotations

from functools import cache, partial
from math import nan
from typing import Any

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from judgments.protocols.pages import with_page
from judgments.results.domains.figures import DomainReport, domain_report, parts_of
from judgments.results.observations import observations
from judgments.results.selection.selection import Selection
from judgments.web import charts
from judgments.web import plurals as counted
from judgments.web.charts import Chart
from judgments.web.columns import HIGH, LOW
from judgments.web.sections import ASIDE, EmptyState, Lazy, ResultsPage, Section, plain
from judgments.web.tables import Column, Table, decimals, figure, in_a_sentence

from ..scores.figures import system_scores
from ..scores.page import ranks
from ..segments.links import to_segments

TITLES = {
    "domains": gettext_lazy("Domains"),
    "languages": gettext_lazy("Original languages"),
}
PART = {"domains": gettext_lazy("Domain"), "languages": gettext_lazy("Original language")}
TRUST = gettext_lazy(
    "A part has fewer segments than the whole, so its intervals are wider and its ranks move by "
    "chance: believe a change only where the ranks in both parts do not overlap. Ranks are those "
    "that the test between systems allows within the part."
)
OTHER_PARTS = gettext_lazy(
    "Means of different parts are of different texts and often of different annotators: compare "
    "systems within a column, not columns with each other."
)


def has_parts(selection: Selection, by: str) -> bool:
    return any(part for part in parts_of(selection, by))


def sections(selection: Selection) -> list[Section]:
    """Return for each dimension, or for comparisons, by domain and by original language."""
    found = []
    for by in TITLES:
        for dimension in observations.dimensions_of(selection.campaign) or (None,):
            slug, name = (dimension.slug, dimension.name) if dimension else ("comparisons", "")
            found.append(section(selection, by, slug, name))
    return found


def section(selection: Selection, by: str, slug: str, name: str) -> Section:
    """`name`: of the dimension, or empty."""
    dimension = slug if name else None
    report = cache(lambda: domain_report(selection, by, dimension))
    title = f"{TITLES[by]}: {in_a_sentence(name)}" if name else str(TITLES[by])
    moves = _("Systems whose rank changes most")
    every = _("Every system in every part")
    return Section(
        slug=f"{by}-{slug}",
        title=title,
        sentence=lambda: lead(report()),
        notes=lambda: notes(selection, report()),
        charts=[Lazy(f"{by}-{slug}", title, lambda: chart(selection, report(), f"{by}-{slug}"))],
        tables=[
            Lazy(f"{by}-{slug}", title, lambda: table(selection, report(), f"{by}-{slug}", title)),
            Lazy(
                f"{by}-moves-{slug}",
                moves,
                lambda: move_table(selection, report(), f"{by}-moves-{slug}", moves),
                ASIDE,
            ),
            Lazy(
                f"{by}-all-{slug}",
                every,
                lambda: long_table(selection, report(), f"{by}-all-{slug}", every),
                ASIDE,
            ),
        ],
        exists=partial(has_parts, selection, by),
    )


def lead(report: DomainReport) -> str:
    """Return who is best where, and who moves most."""
    if not report.parts:
        return _("Nothing of a named part has been judged yet.")
    best: dict[str, list[str]] = {}
    for part in report.parts:
        first = [name for name in report.names if _place(report, name, part) == 1]
        best.setdefault(counted.names(first), []).append(part)
    if len(report.parts) == 1:
        ((names, parts),) = best.items()
        return _("Everything that was judged belongs to one part, %(part)s; %(names)s is best.") % {
            "part": parts[0],
            "names": names,
        }
    said = "; ".join(
        _("%(names)s in %(parts)s") % {"names": names, "parts": counted.names(parts)}
        for names, parts in best.items()
    )
    words = _("Best by the mean: %(said)s.") % {"said": said}
    moves = report.moves()
    if not moves or not report.spread(moves[0]):
        return f"{words} {_('No system changes its place.')}"
    name, high, low = moves[0]
    moved = _("%(name)s moves most: place %(best)s in %(high)s, place %(worst)s in %(low)s.") % {
        "name": name,
        "best": _place(report, name, high),
        "high": high,
        "worst": _place(report, name, low),
        "low": low,
    }
    return f"{words} {moved}"


def _place(report: DomainReport, name: str, part: str) -> int:
    cell = report.cells.get((name, part))
    return cell.place if cell else 0


def notes(selection: Selection, report: DomainReport) -> list[str]:
    found = [direction_words(selection, report)] if report.by == "languages" else []
    if len(report.parts) > 1:
        found += [str(TRUST), str(OTHER_PARTS)]
    if report.n_unnamed:
        found.append(
            ngettext(
                "%(n)s document has no stated part; it counts only in the whole.",
                "%(n)s documents have no stated part; they count only in the whole.",
                report.n_unnamed,
            )
            % {"n": f"{report.n_unnamed:,}"}
        )
    if report.n_more:
        found.append(
            ngettext(
                "%(n)s more part with fewer documents is left out: use a filter to see it.",
                "%(n)s more parts with fewer documents are left out: use a filter to see them.",
                report.n_more,
            )
            % {"n": f"{report.n_more:,}"}
        )
    return found


def direction_words(selection: Selection, report: DomainReport) -> str:
    """Return whether sources are originals. Läubli et al. (2020), recommendation 5: texts that were
    first written in the target language, and translated to be sources, are easier and mislead."""
    test_set = selection.campaign.test_set
    of = dict(zip(report.parts, report.n_documents, strict=True))
    written = {base_of(part): 0 for part in of}
    for part, n in of.items():
        written[base_of(part)] += n
    source, target = base_of(test_set.source_language), base_of(test_set.target_language)
    forth = written.pop(source, 0)
    back, other = written.pop(target, 0), sum(written.values())
    if not back and not other:
        every = _("Every document was written in the source language, %(language)s.")
        if report.n_unnamed or report.n_more:
            every = _("Written in the source language, %(language)s: all whose language is known.")
        return every % {"language": test_set.source_language}
    known = {"source": test_set.source_language, "target": test_set.target_language}
    known |= {"forth": f"{forth:,}", "back": f"{back:,}", "other": f"{other:,}"}
    words = _("Documents written in the source language, %(source)s: %(forth)s.")
    if back:
        words = _(
            "This test set mixes directions. Documents written in the source language, %(source)s: "
            "%(forth)s; written in the target language, %(target)s, so that their sources are "
            "translations (translationese): %(back)s."
        )
    found = [words % known]
    if other:
        found.append(_("Written in a third language: %(other)s.") % known)
    found.append(
        _(
            "Translated sources are simpler than texts that were written in their language, and "
            "flatter machines: conclude from the original direction, and keep the other apart."
        )
    )
    return " ".join(found)


def base_of(tag: str) -> str:
    """Return the language of a tag without script and region."""
    return tag.lower().partition("-")[0]


def chart(selection: Selection, report: DomainReport, name: str) -> Chart | None:
    """Return a heat map, one row a system, whose cells lead to segments; None with one part."""
    names, parts = report.names, report.parts
    if len(parts) < 2 or not names:
        return None
    cells = [[report.cells.get((system, part)) for part in parts] for system in names]
    values = np.array([[cell.mean if cell else nan for cell in row] for row in cells])
    places = decimals(values.ravel().tolist())
    title, part = _("Mean by system and part"), str(PART[report.by])
    spec = charts.heat_map(
        names,
        parts,
        values - np.nanmean(values, axis=0),
        row_title="",
        column_title=part,
        legend=_("Above the part's mean"),
        texts=[[figure(value, places) for value in row] for row in values.tolist()],
        description=title,
    )
    addresses = {
        f"{i}-{j}": cell_address(selection, report.by, name, part)
        for i, name in enumerate(names)
        for j, part in enumerate(parts)
    }
    return Chart(
        name,
        title,
        _(
            "Means over segments; the stronger the color, the further above the mean of the part. "
            "Systems by their mean over everything."
        ),
        charts.linked(spec, addresses, key="cell"),
        ("system", *parts),
        [(system, *row) for system, row in zip(names, values.tolist(), strict=True)],
        hint=_("A cell leads to its segments."),
    )


def cell_address(selection: Selection, by: str, system: str, part: str) -> str:
    return to_segments(selection, systems=[system], **{by: [part]}, sort="lowest")


def table(selection: Selection, report: DomainReport, slug: str, title: str) -> Table:
    """Return one row a system: the mean over everything, then mean and ranks of each part."""
    columns = [Column("system"), Column("all", _("All texts"), "number")]
    columns.append(Column("ranks", _("Ranks"), "text"))
    for place, part in enumerate(report.parts, 1):
        columns.append(Column(f"part_{place}", part, "number"))
        columns.append(
            Column(f"ranks_{place}", _("Ranks"), "text", _("Ranks in %(part)s") % {"part": part})
        )
    rows: list[Any] = []
    links: dict[tuple[int, str], str] = {}
    for n, name in enumerate(report.names):
        whole = report.whole.get(name)
        row: list[Any] = [name, whole.mean if whole else nan]
        row.append(ranks(whole.rank_low, whole.rank_high) if whole else "")
        links[n, "system"] = to_segments(selection, systems=[name], sort="lowest")
        for place, part in enumerate(report.parts, 1):
            cell = report.cells.get((name, part))
            row += [cell.mean, ranks(cell.rank_low, cell.rank_high)] if cell else [nan, ""]
            if cell:
                links[n, f"part_{place}"] = cell_address(selection, report.by, name, part)
        rows.append(row)
    return Table(slug, title, tuple(columns), rows, links=links)


def move_table(selection: Selection, report: DomainReport, slug: str, title: str) -> Table:
    """Return systems by how far their places lie apart; each place leads to its segments."""
    part = str(PART[report.by])
    columns = (
        Column("system"),
        Column("place", _("Place"), "count", _("By the mean over all texts")),
        Column("best", _("Best place"), "count"),
        Column("best_in", part, "text"),
        Column("best_ranks", _("Ranks"), "text"),
        Column("worst", _("Worst place"), "count"),
        Column("worst_in", part, "text"),
        Column("worst_ranks", _("Ranks"), "text"),
        Column("moves_by", _("Moves by"), "count"),
    )
    rows: list[Any] = []
    links: dict[tuple[int, str], str] = {}
    for n, move in enumerate(report.moves()):
        name, high, low = move
        best, worst = report.cells[name, high], report.cells[name, low]
        rows.append(
            (
                name,
                report.whole[name].place,
                *(best.place, high, ranks(best.rank_low, best.rank_high)),
                *(worst.place, low, ranks(worst.rank_low, worst.rank_high)),
                report.spread(move),
            )
        )
        links[n, "best"] = cell_address(selection, report.by, name, high)
        links[n, "worst"] = cell_address(selection, report.by, name, low)
    note = _("Places by the mean; ranks that the test allows are shown next to them.")
    return Table(slug, title, columns, rows, note, links)


def long_table(selection: Selection, report: DomainReport, slug: str, title: str) -> Table:
    """Return one row for each part and system, with everything that is known."""
    columns = (
        Column("part", str(PART[report.by]), "text"),
        Column("system"),
        Column("mean", _("Mean"), "number"),
        LOW,
        HIGH,
        Column("place", _("Place"), "count"),
        Column("ranks", _("Ranks"), "text"),
        Column("cluster", _("Cluster"), "count"),
        Column("n_segments", _("Segments"), "count"),
        Column("n_judgments", _("Judgments"), "count"),
    )
    rows: list[Any] = []
    links: dict[tuple[int, str], str] = {}
    for part in report.parts:
        found = [
            (name, report.cells[name, part]) for name in report.names if _place(report, name, part)
        ]
        for name, cell in sorted(found, key=lambda each: each[1].place):
            links[len(rows), "system"] = cell_address(selection, report.by, name, part)
            rows.append(
                (
                    *(part, name, cell.mean, cell.low, cell.high, cell.place),
                    ranks(cell.rank_low, cell.rank_high),
                    *(cell.cluster or None, cell.n_segments, cell.n_judgments),
                )
            )
    return Table(slug, title, columns, rows, links=links)


def data(selection: Selection) -> dict[str, Any]:
    """Return the reports by dimension, as JSON knows them; a cell has its system and its part."""
    found: dict[str, Any] = {}
    for by in TITLES:
        if not has_parts(selection, by):
            continue
        found[by] = {}
        for dimension in observations.dimensions_of(selection.campaign) or (None,):
            report = domain_report(selection, by, dimension.slug if dimension else None)
            cells = [
                {"system": system, "part": part} | plain(cell)
                for (system, part), cell in report.cells.items()
            ]
            documents = dict(zip(report.parts, report.n_documents, strict=True))
            name = dimension.slug if dimension else "comparisons"
            found[by][name] = {"documents": documents, "scores": cells}
    return found


def empty(selection: Selection) -> EmptyState | None:
    """Nothing was judged, or nothing says of which domain a document is."""
    dimensions = observations.dimensions_of(selection.campaign)
    if not len(system_scores(selection, dimensions[0].slug if dimensions else None).names):
        return NOTHING_JUDGED
    return None if any(section.exists() for section in sections(selection)) else NO_PARTS


def links(selection: Selection) -> list[tuple[str, str]]:
    return [("scores", _("Scores over all texts"))]


NOTHING_JUDGED = EmptyState(
    gettext_lazy("No judgments yet"),
    gettext_lazy(
        "Scores by domain and by original language will appear here with the first judgment."
    ),
    "campaign",
    gettext_lazy("See the progress"),
)
NO_PARTS = EmptyState(
    gettext_lazy("No domains and no original languages"),
    gettext_lazy(
        "No document of these texts has a domain or an original language. Both come with the "
        "texts: import them with the columns domain and original_language."
    ),
    "scores",
    gettext_lazy("See the scores"),
    is_of_filter=False,
)
PAGE = ResultsPage(
    "domains",
    gettext_lazy("Domains and directions"),
    sections,
    data,
    asked=with_page("scores"),
    empty=empty,
    tab="scores",
    links=links,
)
