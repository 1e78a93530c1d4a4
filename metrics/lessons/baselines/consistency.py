"""Whether terms that come again are translated alike.

A term is a phrase of the source in at least two segments. How even its translations are is the
Herfindahl–Hirschman index, Σ (n_i / n)² over its different translations: 1 if all are alike, 1 / k
if k translations are equally frequent (Itagaki et al. 2007; Guillou 2013 compares translators and
systems by it).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics.lessons.baselines.concordance import (
    TRANSLATED,
    Fold,
    LinkedSides,
    RunningWords,
    in_lower_case,
)
from metrics.lessons.baselines.phrase_numbers import number_phrases
from metrics.lessons.baselines.phrase_pairs import Integers

LONGEST_TERM = 4
MOST_TERMS = 5_000
# Words that are no borders of terms: more frequent than this, and spread over documents as chance
# would spread them, by their residual IDF in bits (Church and Gale 1995). “The”, “with”, “maybe”.
MOST_PLACES, MOST_OF_ALL, LEAST_RESIDUAL_IDF = 10, 3e-4, 1.2
# Where there are fewer documents than this, segments stand in for them.
FEWEST_DOCUMENTS = 10

Floats = NDArray[np.float64]


class TermPlaces(NamedTuple):
    """Every place of every term: which term, where it begins in the source, how many words."""

    terms: Integers
    starts: Integers
    lengths: Integers


@dataclass(frozen=True)
class TermFigures:
    """Figures of terms (t) and sides (s), the term in the most segments first.

    ``starts``, ``lengths``: the first place of each term in the source, (t,); ``n_places``,
    ``n_segments``: how often it stands there and in how many segments. ``translated``: places with
    a translation, ``ways``: different translations, ``index``: the Herfindahl–Hirschman index, NaN
    for fewer than two places translated, ``top``: places with the most frequent translation, which
    stands in the target at ``top_starts`` with ``top_lengths`` words; all (t, s). ``shared`` and
    ``alike``: places that both of two sides translate, and those that they translate alike, (s, s).
    """

    starts: Integers
    lengths: Integers
    n_places: Integers
    n_segments: Integers
    translated: Integers
    ways: Integers
    index: Floats
    top: Integers
    top_starts: Integers
    top_lengths: Integers
    shared: Integers
    alike: Integers


class SideFigures(NamedTuple):
    """A side over the terms that every side translates at least twice, so that all are measured by
    the same ones. ``n_terms``: how many; ``always_alike``: of those, with one translation only;
    ``mean_ways``, ``mean_index``: means over terms, NaN without any."""

    n_terms: int
    always_alike: int
    mean_ways: float
    mean_index: float


def side_figures(figures: TermFigures, sides: Sequence[int] | None = None) -> list[SideFigures]:
    """Return figures of sides, of all unless some are named; comparable among these."""
    chosen = range(figures.translated.shape[1]) if sides is None else sides
    common = (figures.translated[:, list(chosen)] >= 2).all(axis=1)
    n = int(common.sum())
    return [
        SideFigures(
            n,
            int((figures.ways[common, side] == 1).sum()),
            float(figures.ways[common, side].mean()) if n else float("nan"),
            float(figures.index[common, side].mean()) if n else float("nan"),
        )
        for side in chosen
    ]


def find_terms(source: RunningWords, documents: Sequence[int]) -> TermPlaces:
    """Return the terms of a source; ``documents``: the document of each segment.

    Phrases of at most LONGEST_TERM words in two segments or more, which begin and end with a word
    that is not a common one, hold no punctuation, and stand elsewhere than within one longer term.
    Capitals make no difference.
    """
    text = source.folded(in_lower_case)
    has_letters = np.array([any(map(str.isalnum, word)) for word in text.words], dtype=bool)
    is_word = has_letters[text.ids] if len(text.ids) else np.zeros(0, dtype=bool)
    is_border = is_word & ~common_words(text.ids, source.segments, documents)
    spans = [(np.zeros(0, dtype=np.int64),) * 2]
    for length in range(1, min(LONGEST_TERM, len(text.ids)) + 1):
        n = len(text.ids) - length + 1
        fits = is_border[:n] & is_border[length - 1 :]
        fits &= source.segments[:n] == source.segments[length - 1 :]
        for place in range(length):
            fits &= is_word[place : place + n]
        starts = np.flatnonzero(fits)
        spans.append((starts, np.full(len(starts), length)))
    starts, lengths = (np.concatenate(part) for part in zip(*spans, strict=True))
    numbers, phrases = number_phrases(text, starts, lengths)
    n_segments = segments_with(numbers, source.segments[starts], len(phrases))
    kept = (n_segments >= 2) & ~only_within(numbers, starts, lengths, n_segments >= 2)
    order = np.lexsort((-np.diff(phrases.starts), -n_segments))
    order = order[kept[order]][:MOST_TERMS]
    rank = np.full(len(phrases), -1)
    rank[order] = np.arange(len(order))
    rows = np.flatnonzero(rank[numbers] >= 0)
    rows = rows[np.lexsort((starts[rows], rank[numbers[rows]]))]
    return TermPlaces(rank[numbers[rows]], starts[rows], lengths[rows])


def common_words(ids: Integers, segments: Integers, documents: Sequence[int]) -> NDArray[np.bool_]:
    """Return which places hold a word that is frequent and evenly spread: one of grammar, mostly.

    Residual IDF is how much rarer, in bits, the documents with a word are than if its n places fell
    into D documents by chance: log2((1 - e^(-n/D)) / (df/D)).
    """
    of_segment = np.array(documents, dtype=np.int64)
    by_document = len(set(documents)) >= FEWEST_DOCUMENTS
    units = of_segment[segments] if by_document else segments
    n_units = len(set(documents)) if by_document else len(of_segment)
    n_words = int(ids.max(initial=-1)) + 1
    n = np.bincount(ids, minlength=n_words)
    share = segments_with(ids, units, n_words) / max(n_units, 1)
    residual = np.log2(-np.expm1(-n / max(n_units, 1)) / share)
    frequent = (n > MOST_PLACES) & (n > MOST_OF_ALL * len(ids))
    return (frequent & (residual < LEAST_RESIDUAL_IDF))[ids]


def segments_with(numbers: Integers, segments: Integers, n: int) -> Integers:
    """In how many segments each of ``n`` phrases stands."""
    size = int(segments.max(initial=0)) + 1
    return np.bincount(np.unique(numbers * size + segments) // size, minlength=n)


def only_within(
    numbers: Integers, starts: Integers, lengths: Integers, repeated: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return which phrases stand nowhere but in one repeated phrase that is a word longer."""
    counts = np.bincount(numbers, minlength=len(repeated))
    found = np.zeros(len(repeated), dtype=bool)
    by_place = {
        (start, length): number
        for start, length, number in zip(
            starts.tolist(), lengths.tolist(), numbers.tolist(), strict=True
        )
        if repeated[number]
    }
    for (start, length), number in by_place.items():
        for inner in ((start, length - 1), (start + 1, length - 1)):
            within = by_place.get(inner)
            if within is not None and counts[within] == counts[number]:
                found[within] = True
    return found


def term_figures(texts: LinkedSides, documents: Sequence[int], fold: Fold) -> TermFigures:
    """Find the terms of a source and how each side translates them; ``fold`` says which forms of a
    translation count as one."""
    places = find_terms(texts.source, documents)
    n_terms, n_sides = int(places.terms.max(initial=-1)) + 1, texts.n_sides
    shape = n_sides, len(places.terms)
    states, starts, lengths = np.full(shape, -1), np.zeros(shape, int), np.zeros(shape, int)
    for side in range(n_sides):
        found = texts.opposite_source(places.starts, places.lengths, side)
        states[side], starts[side], lengths[side] = found
    rows = states == TRANSLATED
    numbers = np.full(shape, -1)
    numbers[rows] = number_phrases(texts.target.folded(fold), starts[rows], lengths[rows])[0]
    sides, place = np.nonzero(rows)
    by_way = _ways(places.terms[place] * n_sides + sides, numbers[rows], n_terms * n_sides)
    first = np.unique(places.terms, return_index=True)[1]
    cells = n_terms, n_sides
    return TermFigures(
        places.starts[first],
        places.lengths[first],
        np.bincount(places.terms, minlength=n_terms),
        segments_with(places.terms, texts.source.segments[places.starts], n_terms),
        by_way.n.reshape(cells),
        by_way.ways.reshape(cells),
        by_way.evenness.reshape(cells),
        by_way.top.reshape(cells),
        _at(by_way.top_row, starts[rows]).reshape(cells),
        _at(by_way.top_row, lengths[rows]).reshape(cells),
        *_in_pairs(numbers),
    )


def _at(rows: Integers, values: Integers) -> Integers:
    """Return the values at these rows, 0 for the row -1."""
    return np.where(rows >= 0, np.append(values, 0)[rows], 0)


class _ByWay(NamedTuple):
    n: Integers
    ways: Integers
    evenness: Floats
    top: Integers
    top_row: Integers


def _ways(cell: Integers, numbers: Integers, n_cells: int) -> _ByWay:
    """Return for each cell: places, different translations, the index, and the most frequent
    translation with a row that has it (-1: none), the first met of equals."""
    size = int(numbers.max(initial=0)) + 1
    keys, first, counts = np.unique(cell * size + numbers, return_index=True, return_counts=True)
    of = keys // size
    n = np.bincount(of, counts, n_cells).astype(np.int64)
    squares = np.bincount(of, counts.astype(float) ** 2, n_cells)
    index = np.where(n >= 2, squares / np.maximum(n, 1) ** 2, np.nan)
    order = np.lexsort((-first, counts, of))  # the last of each cell is its most frequent
    top, top_row = np.zeros(n_cells, dtype=np.int64), np.full(n_cells, -1)
    top[of[order]], top_row[of[order]] = counts[order], first[order]
    return _ByWay(n, np.bincount(of, minlength=n_cells), index, top, top_row)


def _in_pairs(numbers: Integers) -> tuple[Integers, Integers]:
    """Return TermPlaces that two sides both translate, and alike."""
    has = numbers >= 0
    shared = has.astype(np.int64) @ has.T.astype(np.int64)
    alike = np.zeros_like(shared)
    for a, row in enumerate(numbers):
        alike[a] = (has[a] & (numbers == row)).sum(axis=1)
    return shared, alike
