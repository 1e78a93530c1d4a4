"""Which words of an output stand for which words of a reference, as METEOR sees it.

An alignment links each word with at most one of the other text; words may be linked if they are
equal, have the same stem, or are synonyms. Three ways of choosing among all such alignments:

- ``longest_runs``: as many equal words and stems as possible, the longest runs of them first, which
  leaves few chunks (`meteor_runs`); then synonyms in the same way.
- ``fewest_chunks`` (Denkowski and Lavie 2011): as many linked words as possible, then as few
  chunks, that is, runs of words that stand together in both texts. An inexact link counts half,
  as in the program METEOR 1.5.
- ``greedy``, as NLTK's ``meteor_score`` does: equal words first, from the end of the output to
  its beginning, each with the last word of the reference that is left; then stems, then synonyms.

All take the outputs and the references of all segments, and give for every token of the outputs,
the 0 after each of them included, the place of its word in the reference of its segment, or -1.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from metrics.scorers.encoding import Encoded

from .meteor_groups import MatchProblem, Option
from .meteor_runs import MOST_PAIRS, equal_pairs, link_runs
from .meteor_search import search
from .meteor_words import Words

Integers = NDArray[np.int64]

_MOST_OPTIONS = 200_000  # for texts with more of them time would grow with their square


class MeteorReference(dict[int, list[Option]]):
    """A reference, and for every word that was looked for in it the possible links: by stem, the
    exact ones worth more, and as synonyms. Outputs of other systems look for the same words."""

    def __init__(self, words: list[int], known: Words) -> None:
        self.words = words
        self._known = known
        self._by_stem = _places(known.stems[word] for word in words)
        self._by_sense = _places(known.sense_keys[word] for word in words)
        self._senses = frozenset(self._by_sense)

    def __missing__(self, word: int) -> list[Option]:
        known = self._known
        stems, stem = known.stems, known.stems[word]
        choices = [
            (place, 2 if self.words[place] == word else 1) for place in self._by_stem.get(stem, ())
        ]
        synonyms = known.related[known.sense_keys[word]]
        if not synonyms.isdisjoint(self._senses):
            for key in sorted(synonyms & self._senses):
                places = self._by_sense[key]
                choices += [(place, 1) for place in places if stems[self.words[place]] != stem]
        self[word] = choices or _NO_OPTIONS
        return choices


_NO_OPTIONS: list[Option] = []


def _places(numbers: Iterable[int]) -> dict[int, list[int]]:
    places: dict[int, list[int]] = {}
    for place, number in enumerate(numbers):
        places.setdefault(number, []).append(place)
    return places


def fewest_chunks(hypothesis: Encoded, reference: Encoded, known: Words) -> Integers:
    ids, edges = hypothesis.ids.tolist(), hypothesis.edges.tolist()
    links: list[int] = []
    for (start, stop), text in zip(
        pairwise(edges), reference.kept(_read_references, known), strict=True
    ):
        links += align(ids[start : stop - 1], text, known)
        links.append(-1)
    return np.array(links, dtype=np.int64)


def _read_references(reference: Encoded, known: Words) -> list[MeteorReference]:
    ids, edges = reference.ids.tolist(), reference.edges.tolist()
    return [MeteorReference(ids[start : stop - 1], known) for start, stop in pairwise(edges)]


def align(words: Sequence[int], reference: MeteorReference, known: Words) -> list[int]:
    """``fewest_chunks`` of one segment.

    Texts with very many possible links, of thousands of words, are aligned greedily, and so are
    large groups of words that can be linked with each other in many ways, at different worth.
    """
    if words == reference.words:
        return list(range(len(words)))
    options = [reference[word] for word in words]
    wanted = [0] * len(reference.words)
    if sum(map(len, options)) > _MOST_OPTIONS:
        return _align_greedily(words, reference, known)
    for choices in options:
        for place, _ in choices:
            wanted[place] += 1
    links, contested = [-1] * len(words), []
    for place, choices in enumerate(options):
        if len(choices) == 1 and wanted[choices[0][0]] == 1:
            links[place] = choices[0][0]
        elif choices:
            contested.append(place)
    if not contested:
        return links
    problem = MatchProblem(links, contested, options, wanted)
    if problem.too_large:
        problem.settle(_align_greedily(words, reference, known))
    problem.reduce()
    return search(problem, len(wanted)) if problem.group_of else links


def _align_greedily(words: Sequence[int], reference: MeteorReference, known: Words) -> list[int]:
    ours, theirs = (
        Encoded(np.array([*text, 0]), np.array([len(text)])) for text in (words, reference.words)
    )
    return greedy(ours, theirs, known).tolist()[:-1]


def greedy(hypothesis: Encoded, reference: Encoded, known: Words) -> Integers:
    links = np.full(len(hypothesis.ids), -1)
    free = reference.ids > 0
    stems = np.array(known.stems)
    _link_equal(links, free, hypothesis, reference, np.arange(len(stems)))
    _link_equal(links, free, hypothesis, reference, stems)
    for token, choices in _synonyms(links, free, hypothesis, reference, known):
        if left := [places for places in choices if places]:
            links[token] = max(left, key=lambda places: places[-1]).pop()
    return _places_in_segments(links, hypothesis, reference)


def longest_runs(hypothesis: Encoded, reference: Encoded, known: Words) -> Integers:
    """Where a segment has very many possible links, they are made greedily."""
    links = np.full(len(hypothesis.ids), -1)
    free = reference.ids > 0
    texts = hypothesis, reference
    segments = hypothesis.segments, reference.segments
    stems = np.array(known.stems)
    by_stem = [np.where(text.ids > 0, stems[text.ids], -1) for text in texts]
    for ours, theirs in (_exact_before_stems(texts, segments, by_stem, stems), by_stem):
        numbers = np.where(links < 0, ours, -1), np.where(free, theirs, -1)
        for pairs in equal_pairs(*numbers, *segments):
            link_runs(links, free, pairs)
    if (hypothesis.lengths * reference.lengths).max() > MOST_PAIRS:
        _link_equal(links, free, hypothesis, reference, np.arange(len(stems)))
        _link_equal(links, free, hypothesis, reference, stems)
    found = [
        (token, place)
        for token, choices in _synonyms(links, free, hypothesis, reference, known)
        for place in chain.from_iterable(choices)
    ]
    if found:
        tokens, places = np.array(found, dtype=np.int64).T
        link_runs(links, free, (tokens, places))
    return _places_in_segments(links, hypothesis, reference)


def _exact_before_stems(
    texts: tuple[Encoded, Encoded],
    segments: tuple[Integers, Integers],
    by_stem: Sequence[Integers],
    stems: Integers,
) -> list[Integers]:
    """Return numbers by which tokens may be linked first: those of their stems, but where a segment
    has several words of one stem, so that inexact links could prevent exact ones, those of the
    words.
    """
    has_others = np.bincount(stems)[stems] > 1
    keys = [of * len(stems) + stem for of, stem in zip(segments, by_stem, strict=True)]
    several = [np.zeros(0, np.int64)]
    for text, key in zip(texts, keys, strict=True):
        at = np.flatnonzero(has_others[text.ids] & (text.ids > 0))
        at = at[np.lexsort((text.ids[at], key[at]))]
        new = (np.diff(key[at]) == 0) & (np.diff(text.ids[at]) != 0)
        several.append(key[at][1:][new])
    mixed = np.concatenate(several)
    if not len(mixed):
        return list(by_stem)
    return [
        np.where(np.isin(key, mixed) & (text.ids > 0), len(stems) + text.ids, stem)
        for text, key, stem in zip(texts, keys, by_stem, strict=True)
    ]


def _places_in_segments(links: Integers, hypothesis: Encoded, reference: Encoded) -> Integers:
    """Return the links to tokens of the references as places in their segments."""
    return np.where(links >= 0, links - reference.edges[hypothesis.segments], -1)


def _link_equal(
    links: Integers,
    free: NDArray[np.bool_],
    hypothesis: Encoded,
    reference: Encoded,
    numbers: Integers,
) -> None:
    """Link what is left of either text and has equal ``numbers``: in each segment the last with
    the last, the last but one with the last but one, and so on."""
    ours = np.flatnonzero((links < 0) & (hypothesis.ids > 0))
    theirs = np.flatnonzero(free)
    ours, our_keys = _ranked_from_the_end(ours, hypothesis, numbers)
    theirs, their_keys = _ranked_from_the_end(theirs, reference, numbers)
    if not len(theirs):
        return
    found = np.minimum(np.searchsorted(their_keys, our_keys), len(theirs) - 1)
    equal = their_keys[found] == our_keys
    theirs = theirs[found[equal]]
    links[ours[equal]] = theirs
    free[theirs] = False


def _ranked_from_the_end(
    places: Integers, text: Encoded, numbers: Integers
) -> tuple[Integers, Integers]:
    """Return the places, ordered by segment and number and from the end of the segment, and for
    each a key of segment, number and rank in that order, sorted."""
    places = places[::-1]
    keys = text.segments[places] * (numbers.max() + 1) + numbers[text.ids[places]]
    order = np.argsort(keys, kind="stable")
    places, keys = places[order], keys[order]
    new = np.append(True, keys[1:] != keys[:-1])[: len(keys)]
    ranks = np.arange(len(keys)) - np.flatnonzero(new)[np.cumsum(new) - 1]
    return places, (keys << 24) + ranks  # no text has 16 million words


def _synonyms(
    links: Integers,
    free: NDArray[np.bool_],
    hypothesis: Encoded,
    reference: Encoded,
    known: Words,
) -> Iterator[tuple[int, list[list[int]]]]:
    """Yield each word that is left and has synonyms, from the end of its segment, with the places
    of each synonym that are left: lists that all words of the segment share."""
    if not known.has_synonyms:
        return
    tokens = np.flatnonzero((links < 0) & (hypothesis.ids > 0))[::-1]
    left = np.flatnonzero(free)
    # Only words that have synonyms anywhere are worth a look.
    keys = np.array(known.sense_keys)
    synonyms = {key: known.related[key] for key in np.unique(keys[hypothesis.ids[tokens]]).tolist()}
    tokens = tokens[
        np.isin(keys[hypothesis.ids[tokens]], [key for key, of in synonyms.items() if of])
    ]
    left = left[np.isin(keys[reference.ids[left]], list(set().union(*synonyms.values())))]
    there: dict[int, dict[int, list[int]]] = {}
    for segment, place, key in zip(
        reference.segments[left].tolist(),
        left.tolist(),
        keys[reference.ids[left]].tolist(),
        strict=True,
    ):
        there.setdefault(segment, {}).setdefault(key, []).append(place)
    for token, segment, key in zip(
        tokens.tolist(),
        hypothesis.segments[tokens].tolist(),
        keys[hypothesis.ids[tokens]].tolist(),
        strict=True,
    ):
        if places_of := there.get(segment):
            yield token, [places_of[other] for other in synonyms[key] & places_of.keys()]
