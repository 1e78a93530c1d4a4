"""Two systems of a campaign: which is better, on which segments, and what makes the difference."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.protocols.pages import with_page
from judgments.results.observations import observations
from judgments.results.selection.selection import Selection
from judgments.web.extension_points import registered
from judgments.web.sections import ASIDE, FILE, Lazy, ResultsPage, Section, plain

from . import parts as compare_parts
from . import tables as compare_tables
from . import words as compare_words
from .pair import PairAsked, PairPage


def sections(selection: Selection) -> list[Section]:
    """Return for the nearest two systems at the top, on the first dimension."""
    return shown(PairPage(selection, PairAsked()))


def shown(page: PairPage) -> list[Section]:
    """Return what a page shows under the reader's settings."""
    found = [_first(page), _segments(page), compare_parts.section(page)]
    for section in registered("compared_systems"):
        found.append(section(page))
    found += compare_parts.error_sections(page)
    return found


def _first(page: PairPage) -> Section:
    """Return which is better, by every dimension."""
    every = _("Both systems by every dimension")
    return Section(
        slug="compared",
        title=_("Which of two systems is better"),
        sentence=lambda: compare_words.lead(page),
        notes=lambda: compare_words.notes(page),
        tables=[Lazy("compared", every, lambda: compare_tables.facts(page))],
    )


def _segments(page: PairPage) -> Section:
    """Where one is better than the other."""
    first = _("Where the first is furthest ahead")
    second = _("Where the second is furthest ahead")
    tables = [
        Lazy("compared-first", first, partial(compare_tables.first_ahead, page)),
        Lazy("compared-second", second, partial(compare_tables.second_ahead, page), ASIDE),
    ]
    if page.asked.low is not None or page.asked.high is not None:
        name = _("Segments with such a difference")
        tables = [Lazy("compared-range", name, partial(compare_tables.in_range, page))]
    name, title = _("Differences of all segments"), _("Differences by segment")
    every = Lazy("compared-segments", name, lambda: compare_tables.every(page), FILE)
    return Section(
        slug="compared-differences",
        title=title,
        sentence=lambda: compare_words.segments(page),
        charts=[Lazy("compared-differences", title, lambda: compare_tables.histogram(page))],
        tables=[*tables, every],
        exists=page.exists,
    )


def data(selection: Selection) -> dict[str, Any]:
    """Return the nearest two systems at the top, on every dimension."""
    slugs: list[str | None] = [d.slug for d in observations.dimensions_of(selection.campaign)]
    found = []
    for slug in slugs or [None]:
        page = PairPage(selection, PairAsked(dimension=slug))
        if page.pair is not None:
            two = plain(page.two)
            found.append(two | {"parts": plain(compare_parts.every_part(page))})
    return {"pairs": found}


PAGE = ResultsPage(
    "compare", gettext_lazy("Two systems"), sections, data, asked=with_page("scores")
)
