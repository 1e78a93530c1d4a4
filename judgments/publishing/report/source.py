"""What the parts of a report are made of: facts, and the sections of the pages of results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from django.utils import translation

from judgments.results.selection.selection import Selection
from judgments.web import sections as web_sections
from judgments.web.sections import Section

from .blocks import Block
from .facts import Facts, facts_of
from .page_parts import blocks_of

Found = Iterator[Block]
# Reports are for papers, whatever language somebody reads the site in.
in_english = translation.override("en")


class SourcePage(NamedTuple):
    """web: the name of its address."""

    of: Selection
    sections: Sequence[Section]
    name: str
    web: str


@dataclass(frozen=True)
class Source:
    """What parts are made of, found once. ``is_release``: the campaign is the copy of a release,
    which has no pages and no chains."""

    selection: Selection
    is_release: bool = False

    @cached_property
    def facts(self) -> Facts:
        return facts_of(self.selection, is_release=self.is_release)

    @cached_property
    def pages(self) -> dict[str, SourcePage]:
        found = web_sections.pages_of(self.selection)
        return {
            page.slug: SourcePage(of, sections, str(page.name), page.web)
            for page, of, sections in found
        }

    def page(
        self, slug: str, wanted: Callable[[Section], bool] = lambda section: True, **kept: Any
    ) -> Found:
        """Yield the blocks of the sections of a page that are wanted; none where there is no page.
        kept: what of them, as `blocks_of` takes it."""
        if slug in self.pages:
            of, sections, _name, web = self.pages[slug]
            chosen = [each for each in sections if wanted(each)]
            yield from blocks_of(chosen, of, web=web, **kept)
