"""What a page shows of linked texts: one phrase and how it is translated, and the terms."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from django.http import QueryDict
from django.utils.http import urlencode

from metrics.lessons.baselines.concordance import (
    BEYOND,
    ENTANGLED,
    TRANSLATED,
    UNLINKED,
    PhraseFound,
    find_phrase,
    in_lower_case,
)
from metrics.lessons.baselines.phrase_pairs import Integers
from metrics.lessons.phrase_tables.forms import ALL, UNEVEN, PhraseForm, TermsForm
from metrics.models import LinkedTexts

from .contexts import Example, example_of
from .sides import TranslationSide, sides_of
from .storage import KeptTexts, from_data
from .words import fold_of, words_of

MOST_RENDERINGS = 100
MOST_EXAMPLES = 25
# What an address says in the place of the number of a translation.
WITHOUT = {"unlinked": UNLINKED, "entangled": ENTANGLED, "beyond": BEYOND}


class RenderingRow(NamedTuple):
    """A translation and how often each side has it; ``way`` names it in addresses."""

    way: str
    text: str
    n: int
    counts: list[int]


class TermRow(NamedTuple):
    """A term; ``cells``: of each side in how many ways it translates the term how often, and its
    most frequent translation, None where it has no translation."""

    text: str
    n_segments: int
    cells: list["TermCell | None"]


class TermCell(NamedTuple):
    ways: int
    n: int
    top: str
    n_top: int


@dataclass
class PhrasePage:
    """Of linked texts that have data, for what an address asks."""

    linked: LinkedTexts
    languages: tuple[str, str]
    asked: QueryDict | Mapping[str, Any]

    @cached_property
    def form(self) -> PhraseForm:
        return PhraseForm(self.asked if self.asked.get("q") else None)

    @cached_property
    def terms_form(self) -> TermsForm:
        return TermsForm(self.terms_asked)

    @cached_property
    def question(self) -> dict[str, Any]:
        return PhraseForm(self.asked).settings()

    @cached_property
    def terms_asked(self) -> dict[str, Any]:
        return TermsForm(self.asked).settings()

    def query(self, **changes: object) -> str:
        """Return the address of this page with some changes."""
        said = {name: value for name, value in self.asked.items() if name != "page"} | changes
        return urlencode({name: str(value) for name, value in said.items() if value})

    @cached_property
    def kept(self) -> KeptTexts:
        return from_data(self.linked.data)

    @cached_property
    def sides(self) -> list[TranslationSide]:
        return sides_of(self.linked)

    @property
    def in_target(self) -> bool:
        return self.question["where"] == "target"

    @property
    def phrase(self) -> list[str]:
        return self._phrase_and_found[0]

    @property
    def found(self) -> PhraseFound:
        return self._phrase_and_found[1]

    @cached_property
    def _phrase_and_found(self) -> tuple[list[str], PhraseFound]:
        """What is looked for, cut as the texts are, and its places. Words that were cut before may
        be cut otherwise alone: if there are no places, those of the words as they are given."""
        folds = in_lower_case, fold_of(self.languages[1])
        cut = words_of([self.question["q"]], self.languages[self.in_target])[0]
        found = find_phrase(self.kept.sides, cut, folds, in_target=self.in_target)
        given = self.question["q"].split()
        if len(found.numbers) or given == cut:
            return cut, found
        return given, find_phrase(self.kept.sides, given, folds, in_target=self.in_target)

    @cached_property
    def renderings(self) -> list[RenderingRow]:
        """All of them, the most frequent first."""
        counts = self.found.counts()
        return [
            RenderingRow(str(number), " ".join(words), sum(by_side), by_side)
            for number, (words, by_side) in enumerate(
                zip(self.found.renderings, counts.tolist(), strict=True)
            )
        ]

    @cached_property
    def without(self) -> dict[str, RenderingRow]:
        """Places where nothing could be told, by the reason."""
        found = {}
        for way, state in WITHOUT.items():
            counts = self.found.counts(state).tolist()
            found[way] = RenderingRow(way, "", sum(counts), counts)
        return found

    @cached_property
    def chosen(self) -> Integers:
        """The places of the examples that the address asks for."""
        way, of = self.asked.get("way", ""), self.asked.get("of", "")
        fits = np.ones(len(self.found.numbers), dtype=bool)
        if way in WITHOUT:
            fits &= self.found.states == WITHOUT[way]
        elif way.isdecimal() and len(way) < 10:
            fits &= self.found.numbers == int(way)
        if of.isdecimal() and len(of) < 10:
            fits &= self.found.sides == int(of)
        return np.flatnonzero(fits)

    def examples(self) -> list[Example]:
        found, texts = self.found, self.kept.sides
        examples = []
        for row in self.chosen[:MOST_EXAMPLES].tolist():
            own = int(found.starts[row]), len(self.phrase)
            over = None
            if found.states[row] == TRANSLATED:
                over = int(found.opposite_starts[row]), int(found.opposite_lengths[row])
            spans = (over, own) if self.in_target else (own, over)
            side, segment = int(found.sides[row]), int(found.segments[row])
            examples.append(example_of(texts, segment, side, *spans))
        return examples

    @cached_property
    def term_texts(self) -> list[str]:
        figures, source = self.kept.figures, self.kept.sides.source
        places = zip(figures.starts.tolist(), figures.lengths.tolist(), strict=True)
        return [" ".join(source.phrase(start, length)) for start, length in places]

    @cached_property
    def term_places(self) -> list[int]:
        """The numbers of the terms that the address asks for, in its order."""
        figures, asked = self.kept.figures, self.terms_asked
        is_shown = (figures.ways > 1).any(axis=1) | (asked["show"] == ALL)
        places = np.flatnonzero(is_shown)
        if asked["show"] == UNEVEN:
            known = ~np.isnan(figures.index)
            mean = np.where(known, figures.index, 0).sum(axis=1) / np.maximum(known.sum(axis=1), 1)
            places = places[np.argsort(mean[places], kind="stable")]
        wanted = asked["term"].lower()
        return [place for place in places.tolist() if wanted in self.term_texts[place].lower()]

    def term_rows(self, places: Sequence[int]) -> list[TermRow]:
        return [
            TermRow(
                self.term_texts[place],
                int(self.kept.figures.n_segments[place]),
                [self.term_cell(place, side) for side in range(len(self.sides))],
            )
            for place in places
        ]

    def term_cell(self, place: int, side: int) -> TermCell | None:
        figures = self.kept.figures
        if not figures.translated[place, side]:
            return None
        start, length = figures.top_starts[place, side], figures.top_lengths[place, side]
        return TermCell(
            int(figures.ways[place, side]),
            int(figures.translated[place, side]),
            " ".join(self.kept.sides.target.phrase(int(start), int(length))),
            int(figures.top[place, side]),
        )
