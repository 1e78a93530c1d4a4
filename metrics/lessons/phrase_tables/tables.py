"""Figures of a page of phrases as tables, for the page and for files."""

import math

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from judgments.web.tables import Column, Table
from metrics.lessons.baselines.consistency import SideFigures, side_figures

from .page import PhrasePage


def consistency_table(page: PhrasePage) -> Table:
    """Return a row a side: how it translates the terms, and how often as each reference does."""
    references = [n for n, side in enumerate(page.sides) if side.kind == "reference"]
    columns = [
        Column("translation", _("Translation")),
        Column("terms", _("Terms"), "count"),
        Column("always_alike", _("Always alike"), "count"),
        Column("share", _("Share"), "number"),
        Column("ways", _("Ways, mean"), "number"),
        Column("index", _("Index, mean"), "number", _("Herfindahl–Hirschman; 1: always alike")),
        *(
            Column(
                f"as_{page.sides[n].name}",
                _("As %(side)s") % {"side": page.sides[n].label},
                "number",
                _("Of the places that both translate, the share with the same translation"),
            )
            for n in references
        ),
    ]
    rows = [
        (
            page.sides[number].label,
            figures.n_terms,
            figures.always_alike,
            share_of(figures),
            figures.mean_ways,
            figures.mean_index,
            *(as_reference(page, number, reference) for reference in references),
        )
        for number, figures in enumerate(side_figures(page.kept.figures))
    ]
    return Table("consistency", _("Consistency"), tuple(columns), rows)


def share_of(figures: SideFigures) -> float:
    return figures.always_alike / figures.n_terms if figures.n_terms else math.nan


def as_reference(page: PhrasePage, side: int, reference: int) -> float:
    figures = page.kept.figures
    shared = int(figures.shared[side, reference])
    if side == reference or not shared:
        return math.nan
    return int(figures.alike[side, reference]) / shared


def sentence(page: PhrasePage) -> str:
    """Return the most and the least consistent side, beside the first reference."""
    found = side_figures(page.kept.figures)
    n = found[0].n_terms if found else 0
    if not n:
        return _("No term is translated at least twice in every translation.")
    if len(found) == 1:
        return ngettext(
            "Of %(n)s term that occurs again, %(alike)s is always translated alike (%(share)s %%).",
            (
                "Of %(n)s terms that occur again, %(alike)s are always translated alike "
                "(%(share)s %%)."
            ),
            n,
        ) % {"n": f"{n:,}", "alike": f"{found[0].always_alike:,}", "share": percent(found[0])}
    ranked = sorted(range(len(found)), key=lambda side: -found[side].always_alike)
    most, least = ranked[0], ranked[-1]
    return ngettext(
        "Of %(n)s term that every translation has at least twice, %(most)s has %(high)s %% always "
        "alike, %(least)s %(low)s %%.",
        "Of %(n)s terms that every translation has at least twice, %(most)s has %(high)s %% always "
        "alike, %(least)s %(low)s %%.",
        n,
    ) % {
        "n": f"{n:,}",
        "most": page.sides[most].label,
        "high": percent(found[most]),
        "least": page.sides[least].label,
        "low": percent(found[least]),
    }


def percent(figures: SideFigures) -> int:
    return round(100 * share_of(figures))


def terms_table(page: PhrasePage) -> Table:
    """Return a row a term and side, for files."""
    figures = page.kept.figures
    columns = (
        *("term", "segments", "places", "translation_by", "kind"),
        *("translated", "ways", "index", "most_frequent", "places_of_it"),
    )
    rows = []
    for place in page.term_places:
        known = page.term_texts[place], int(figures.n_segments[place]), int(figures.n_places[place])
        for number, side in enumerate(page.sides):
            cell = page.term_cell(place, number)
            rest = (cell.n, cell.ways) if cell else (0, 0)
            index = float(figures.index[place, number])
            top = (cell.top, cell.n_top) if cell else (None, None)
            rows.append((*known, side.name, side.kind, *rest, index, *top))
    return Table("terms", _("Terms"), columns, rows)


def translations_table(page: PhrasePage) -> Table:
    """Return a row a translation of the phrase that is looked for and side, for files."""
    rows = [
        (page.question["q"], page.question["where"], row.text, row.way, side.name, side.kind, count)
        for row in [*page.renderings, *page.without.values()]
        for side, count in zip(page.sides, row.counts, strict=True)
        if count
    ]
    columns = ("phrase", "in", "translation", "number", "translation_by", "kind", "places")
    return Table("translations", _("Translations"), columns, rows)


TABLES = {
    "consistency": consistency_table,
    "terms": terms_table,
    "translations": translations_table,
}
