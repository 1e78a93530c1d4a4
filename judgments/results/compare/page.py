"""Two systems of a campaign: which is better, on which segments, and what makes the difference."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.protocols.pages import with_page
from judgments.results.compare.two_systems import (
    PartOfDifference,
    SegmentFacts,
    TwoSystems,
    facts_of,
    judged_systems,
    nearest_at_top,
    nothing_of,
    two_systems,
)
from judgments.results.observations import observations
from judgments.results.power import figures as power_figures
from judgments.results.power.figures import PairPower, PowerReport
from judgments.results.selection.selection import Selection
from judgments.web.charts import short
from judgments.web.extension_points import registered
from judgments.web.sections import ASIDE, FILE, Lazy, ResultsPage, Section, plain
from judgments.web.tables import in_a_sentence

from . import parts as compare_parts
from . import tables as compare_tables
from . import words as compare_words
from .pair_links import to_pair


@dataclass(frozen=True)
class PairAsked:
    """What a reader chose: two systems ("" for the nearest two at the top), a dimension (None: the
    first, or comparisons), and from which difference to which segments are listed."""

    first: str = ""
    second: str = ""
    dimension: str | None = None
    low: float | None = None
    high: float | None = None

    def query(self, **changed: object) -> list[tuple[str, str]]:
        """As the address of the page says it."""
        found: dict[str, object] = {"a": self.first, "b": self.second}
        found |= {"dimension": self.dimension, "low": self.low, "high": self.high} | changed
        return [(key, str(value)) for key, value in found.items() if value not in (None, "")]


class PairPage:
    """Two systems of a selection, and what is found of them when somebody asks for it."""

    def __init__(self, selection: Selection, asked: PairAsked) -> None:
        self.selection, self.asked = selection, asked
        self.parts: dict[str, list[PartOfDifference]] = {}  # by kind, as they are asked for

    @cached_property
    def dimension(self) -> str | None:
        """The slug; None for comparisons."""
        slugs = [d.slug for d in observations.dimensions_of(self.selection.campaign)]
        return self.asked.dimension if self.asked.dimension in slugs else next(iter(slugs), None)

    @cached_property
    def what(self) -> str:
        """What the systems were judged on, in a sentence."""
        dimensions = observations.dimensions_of(self.selection.campaign)
        names = {d.slug: in_a_sentence(d.name) for d in dimensions}
        return names.get(self.dimension or "", _("comparisons"))

    @cached_property
    def pair(self) -> tuple[str, str] | None:
        """The names: those asked for if both were judged, else the two at the top."""
        known = judged_systems(self.selection, self.dimension)
        names = self.asked.first, self.asked.second
        if names[0] != names[1] and set(names) <= set(known):
            return names
        return nearest_at_top(self.selection, self.dimension)

    @cached_property
    def two(self) -> TwoSystems:
        """Of the pair; without one, no segments of two systems without names."""
        if self.pair is None:
            return nothing_of(self.dimension)
        return two_systems(self.selection, *self.pair, self.dimension)

    @cached_property
    def called(self) -> list[str]:
        """The names without what both start with, for where there is little room."""
        return short(self.two.names)

    @cached_property
    def facts(self) -> SegmentFacts:
        return facts_of(self.selection, self.two)

    @cached_property
    def power_report(self) -> PowerReport:
        """What the page Power says of all pairs, by formula."""
        return power_figures.power(self.selection, self.dimension, resample=False)

    @cached_property
    def power(self) -> PairPower | None:
        """What it says of this one."""
        names = set(self.pair or ())
        pairs = self.power_report.pairs
        return next((each for each in pairs if {each.first, each.second} == names), None)

    def exists(self) -> bool:
        return self.pair is not None and len(self.two.difference) > 0

    def address(self, **changed: object) -> str:
        """The page with the same pair; ``changed``: low and high of the differences."""
        first, second = self.pair or ("", "")
        return to_pair(self.selection, first, second, dimension=self.dimension, **changed)


def sections(selection: Selection) -> list[Section]:
    """Of the nearest two systems at the top, on the first dimension."""
    return shown(PairPage(selection, PairAsked()))


def shown(page: PairPage) -> list[Section]:
    """What a page shows under the reader's settings."""
    found = [_first(page), _segments(page), compare_parts.section(page)]
    for section in registered("compared_systems"):
        found.append(section(page))
    found += compare_parts.error_sections(page)
    return found


def _first(page: PairPage) -> Section:
    """Which is better, by every dimension."""
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
    """The nearest two systems at the top, on every dimension."""
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
