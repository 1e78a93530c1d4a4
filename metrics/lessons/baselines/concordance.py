"""Where a phrase stands in linked texts, and what stands opposite.

A source text has translations by several sides (systems, references, or the one of a bitext). Each
place of a phrase has at most one translation: the shortest phrase that is a pair with it, which is
what its links span, without words at the borders that have no link (phrase_pairs).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics.lessons.baselines.aligner import LONGEST
from metrics.lessons.baselines.phrase_numbers import NumberedWords, number_phrases, number_words
from metrics.lessons.baselines.phrase_pairs import Integers, Links, linked_words, reached

# A longer span is no translation of a phrase but a sentence whose links went astray.
LONGEST_TRANSLATION = 10
# What stands opposite a place.
TRANSLATED, UNLINKED, ENTANGLED, BEYOND = range(4)

Fold = Callable[[Sequence[str]], list[str]]


def in_lower_case(words: Sequence[str]) -> list[str]:
    return [word.lower() for word in words]


@dataclass(frozen=True)
class RunningWords:
    """A text in a row. ``words``: the distinct words; ``ids``: which of them stands where;
    ``lengths``: words per segment."""

    words: list[str]
    ids: Integers
    lengths: Integers

    @classmethod
    def of(cls, segments: Sequence[Sequence[str]]) -> "RunningWords":
        numbered = number_words(segments)
        lengths = np.array([len(segment) for segment in segments], dtype=np.int64)
        return cls(numbered.words, numbered.ids, lengths)

    @cached_property
    def segments(self) -> Integers:
        """The segment of every word."""
        return np.repeat(np.arange(len(self.lengths)), self.lengths)

    @cached_property
    def starts(self) -> Integers:
        """Where each segment begins, and where the last one ends."""
        return np.concatenate([[0], np.cumsum(self.lengths)])

    def folded(self, fold: Fold) -> NumberedWords:
        """Return the text with words that ``fold`` makes equal known by one number."""
        forms = fold(self.words)
        words = sorted(set(forms))
        number = {word: i for i, word in enumerate(words)}
        return NumberedWords(words, np.array([number[form] for form in forms], int)[self.ids])

    def segment(self, number: int) -> list[str]:
        start, end = self.starts[number : number + 2].tolist()
        return list(self.phrase(start, end - start))

    def phrase(self, start: int, length: int) -> tuple[str, ...]:
        return tuple(self.words[i] for i in self.ids[start : start + length].tolist())


@dataclass(frozen=True)
class LinkedSides:
    """A source text and its translations, word by word linked.

    ``target`` has the segments of the first side, then those of the second and so on; an absent
    text is empty. ``source_places`` and ``target_places``: both ends of every link, places in
    ``source`` and in ``target``.
    """

    source: RunningWords
    target: RunningWords
    source_places: Integers
    target_places: Integers

    @classmethod
    def of(
        cls,
        sources: Sequence[Sequence[str]],
        sides: Sequence[Sequence[Sequence[str]]],
        links: Sequence[Sequence[Links]],
    ) -> "LinkedSides":
        """Return for tokens: ``sides[s][k]`` translates ``sources[k]`` by ``links[s][k]``."""
        targets = [segment for side in sides for segment in side]
        flat = [found for side in links for found in side]
        linked = linked_words([*sources] * len(sides), targets, flat)
        source = RunningWords.of(sources)
        n = max(len(source.ids), 1)
        return cls(source, RunningWords.of(targets), linked.source_places % n, linked.target_places)

    def bitext_of(
        self, side: int
    ) -> tuple[list[list[str]], list[list[str]], list[list[tuple[int, int]]]]:
        """Return sources, targets and links of one side, as `phrase_table` takes them."""
        n = len(self.source.lengths)
        sources = [self.source.segment(number) for number in range(n)]
        targets = [self.target.segment(side * n + number) for number in range(n)]
        links: list[list[tuple[int, int]]] = [[] for _ in range(n)]
        rows = np.flatnonzero(self.side_of(self.target_places) == side)
        segments = self.source.segments[self.source_places[rows]]
        for segment, source, target in zip(
            segments.tolist(),
            (self.source_places[rows] - self.source.starts[segments]).tolist(),
            (self.target_places[rows] - self.target.starts[side * n + segments]).tolist(),
            strict=True,
        ):
            links[segment].append((source, target))
        return sources, targets, links

    @cached_property
    def n_sides(self) -> int:
        return len(self.target.lengths) // max(len(self.source.lengths), 1)

    def side_of(self, target_places: Integers) -> Integers:
        return self.target.segments[target_places] // len(self.source.lengths)

    @cached_property
    def _reach(self) -> tuple[tuple[Integers, Integers], tuple[Integers, Integers]]:
        """First and last word opposite, of source words (once for every side) and target words."""
        n_source, n_target = len(self.source.ids), len(self.target.ids)
        places = self.source_places + n_source * self.side_of(self.target_places)
        return (
            reached(places, self.target_places, n_source * self.n_sides, n_target),
            reached(self.target_places, places, n_target, n_source * self.n_sides),
        )

    def opposite_source(self, starts: Integers, lengths: Integers, side: int) -> "Opposite":
        """Return what a side has for phrases of the source."""
        there, back = self._reach
        found = opposite(there, back, starts + side * len(self.source.ids), lengths)
        return found._replace(states=_told(self.source, starts, lengths, found.states))

    def opposite_target(self, starts: Integers, lengths: Integers) -> "Opposite":
        """Return what phrases of targets stand for; starts are places in the source."""
        there, back = self._reach
        found = opposite(back, there, starts, lengths)
        return found._replace(
            states=_told(self.target, starts, lengths, found.states),
            starts=found.starts % max(len(self.source.ids), 1),
        )


class Opposite(NamedTuple):
    """``states``: TRANSLATED, UNLINKED (no word has a link), ENTANGLED (links join words of the
    phrase and others) or BEYOND (the aligner did not see so much of the text); where translated,
    ``starts`` and ``lengths`` of the translation."""

    states: Integers
    starts: Integers
    lengths: Integers


def _told(text: RunningWords, starts: Integers, lengths: Integers, states: Integers) -> Integers:
    """Return the states, with those told apart that have no link because they were cut off."""
    places = starts - text.starts[text.segments[starts]] if len(starts) else starts
    return np.where((states == UNLINKED) & (places + lengths > LONGEST), BEYOND, states)


def opposite(
    there: tuple[Integers, Integers],
    back: tuple[Integers, Integers],
    starts: Integers,
    lengths: Integers,
) -> Opposite:
    """Return the shortest phrase that is a pair with each of some phrases."""
    low, high = extremes(there, starts, lengths)
    sizes = high - low + 1
    states = np.where(high < 0, UNLINKED, ENTANGLED)
    rows = np.flatnonzero((high >= 0) & (sizes <= LONGEST_TRANSLATION))
    first, last = extremes(back, low[rows], sizes[rows])
    inside = (first >= starts[rows]) & (last < starts[rows] + lengths[rows])
    states[rows[inside]] = TRANSLATED
    return Opposite(states, low, sizes)


def extremes(
    reach: tuple[Integers, Integers], starts: Integers, lengths: Integers
) -> tuple[Integers, Integers]:
    """Return the first and the last place that the words of each phrase reach."""
    low, high = reach[0][starts], reach[1][starts]
    for place in range(1, int(lengths.max(initial=0))):
        rows = np.flatnonzero(lengths > place)
        low[rows] = np.minimum(low[rows], reach[0][starts[rows] + place])
        high[rows] = np.maximum(high[rows], reach[1][starts[rows] + place])
    return low, high


def places_of(text: NumberedWords, segments: Integers, phrase: Sequence[str]) -> Integers:
    """Where a phrase, folded as the text is, begins; nowhere across the border of a segment."""
    if not phrase or len(phrase) > len(text.ids) or not set(phrase) <= set(text.words):
        return np.zeros(0, dtype=np.int64)
    numbers = [text.words.index(word) for word in phrase]
    n = len(text.ids) - len(phrase) + 1
    fits: NDArray[np.bool_] = segments[:n] == segments[len(phrase) - 1 :]
    for place, number in enumerate(numbers):
        fits &= text.ids[place : place + n] == number
    return np.flatnonzero(fits)


@dataclass(frozen=True)
class PhraseFound:
    """Every place of a phrase and what stands opposite, a number each.

    ``renderings``: the different translations, each as it is written most often, the most frequent
    first; ``numbers``: which of them stands opposite a place, -1 for none; ``states``: as above.
    ``sides``, ``segments``: where the place is; ``starts``: in the text of the phrase;
    ``opposite_starts``, ``opposite_lengths``: of the translation in the other text.
    """

    renderings: list[tuple[str, ...]]
    numbers: Integers
    states: Integers
    sides: Integers
    segments: Integers
    starts: Integers
    opposite_starts: Integers
    opposite_lengths: Integers
    n_sides: int

    def counts(self, state: int | None = None) -> Integers:
        """Return how often each side has each translation, (translations, sides); or with a state,
        how many places of each side are in it, (sides,)."""
        if state is not None:
            return np.bincount(self.sides[self.states == state], minlength=self.n_sides)
        rows = self.numbers >= 0
        cells = self.numbers[rows] * self.n_sides + self.sides[rows]
        n = len(self.renderings) * self.n_sides
        return np.bincount(cells, minlength=n).reshape(-1, self.n_sides)


def find_phrase(
    texts: LinkedSides, phrase: Sequence[str], folds: tuple[Fold, Fold], *, in_target: bool = False
) -> PhraseFound:
    """Return how each side translates a phrase of the source; or with ``in_target``, what of the
    source each side translates by a phrase. ``folds``: which forms count as one, in source and
    target; of the phrase's side only capitals are folded."""
    here, over = (texts.target, texts.source) if in_target else (texts.source, texts.target)
    starts = places_of(here.folded(in_lower_case), here.segments, in_lower_case(phrase))
    lengths = np.full(len(starts), len(phrase))
    if in_target:
        sides = texts.side_of(starts) if len(starts) else starts
        found = texts.opposite_target(starts, lengths)
    else:
        sides = np.repeat(np.arange(texts.n_sides), len(starts))
        parts = [texts.opposite_source(starts, lengths, side) for side in range(texts.n_sides)]
        found = Opposite(*(np.concatenate(part) for part in zip(*parts, strict=True)))
        starts = np.tile(starts, texts.n_sides)
    rows = found.states == TRANSLATED
    own, renderings = ranked(over, folds[not in_target], found.starts[rows], found.lengths[rows])
    numbers = np.full(len(starts), -1)
    numbers[rows] = own
    segments = here.segments[starts] % max(len(texts.source.lengths), 1)
    return PhraseFound(
        renderings,
        numbers,
        found.states,
        sides,
        segments,
        starts,
        found.starts,
        found.lengths,
        texts.n_sides,
    )


def ranked(
    text: RunningWords, fold: Fold, starts: Integers, lengths: Integers
) -> tuple[Integers, list[tuple[str, ...]]]:
    """Return the phrases of some spans, the most frequent first, each as it is written most often,
    and which of them is in each span."""
    numbers, phrases = number_phrases(text.folded(fold), starts, lengths)
    forms, written = number_phrases(NumberedWords(text.words, text.ids), starts, lengths)
    counts = np.bincount(numbers, minlength=len(phrases))
    pairs, n_pairs = np.unique(numbers * max(len(written), 1) + forms, return_counts=True)
    of, form = pairs // max(len(written), 1), pairs % max(len(written), 1)
    order = np.lexsort((-form, n_pairs, of))  # the last of each is written so most often
    best = np.zeros(len(phrases), dtype=np.int64)
    best[of[order]] = form[order]
    by_rank = np.lexsort((best, -counts))
    rank = np.zeros(len(phrases), dtype=np.int64)
    rank[by_rank] = np.arange(len(phrases))
    return rank[numbers], [written[number] for number in best[by_rank].tolist()]
