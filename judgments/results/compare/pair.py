"""Two systems of a selection, and what is found of them when a page asks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext as _

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
from judgments.web.tables import in_a_sentence

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
        """Return the page with the same pair; ``changed``: low and high of the differences."""
        first, second = self.pair or ("", "")
        return to_pair(self.selection, first, second, dimension=self.dimension, **changed)
