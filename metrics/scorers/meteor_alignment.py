"""Which words of an output stand for which words of a reference, as METEOR sees it.

An alignment links each word with at most one of the other text; words may be linked if they are
equal, have the same stem, or are synonyms. Two ways of choosing among all such alignments:

- ``fewest_chunks`` (Denkowski and Lavie 2011): as many linked words as possible, then as few
  chunks, that is, runs of words that stand together in both texts. An inexact link counts half,
  as in the program METEOR 1.5.
- ``greedy``, as NLTK's ``meteor_score`` does: equal words first, from the end of the output to
  its beginning, each with the last word of the reference that is left; then stems, then synonyms.

Both take the outputs and the references of all segments, and give for every token of the outputs,
the 0 after each of them included, the place of its word in the reference of its segment, or -1.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .encoded import Encoded
from .meteor_search import Option, Problem, search
from .meteor_words import Words

Integers = NDArray[np.int64]

_MOST_OPTIONS = 200_000  # for texts with more of them time would grow with their square


class Reference(NamedTuple):
    """A reference, and where its stems and senses stand in it."""

    words: list[int]
    by_stem: dict[int, list[int]]
    by_sense: dict[int, list[int]]
    senses: frozenset[int]


def read_reference(words: list[int], known: Words) -> Reference:
    """A text, given by the numbers of its words."""
    keys = known.sense_keys
    by_sense = _places(keys[word] for word in words)
    return Reference(
        words, _places(known.stems[word] for word in words), by_sense, frozenset(by_sense)
    )


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


def _read_references(reference: Encoded, known: Words) -> list[Reference]:
    ids, edges = reference.ids.tolist(), reference.edges.tolist()
    return [read_reference(ids[start : stop - 1], known) for start, stop in pairwise(edges)]


def align(words: Sequence[int], reference: Reference, known: Words) -> list[int]:
    """``fewest_chunks`` of one segment.

    Texts with very many possible links, of thousands of words, are aligned greedily, and so are
    large groups of words that can be linked with each other in many ways, at different worth.
    """
    if words == reference.words:
        return list(range(len(words)))
    options = _options(words, reference, known)
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
    problem = Problem(links, contested, options, wanted)
    if problem.too_large:
        problem.settle(_align_greedily(words, reference, known))
    return search(problem)


def _options(words: Sequence[int], reference: Reference, known: Words) -> list[list[Option]]:
    """All possible links of every word; equal words share a list."""
    stems, keys, related = known.stems, known.sense_keys, known.related
    theirs, by_stem, senses = reference.words, reference.by_stem, reference.senses
    of_word: dict[int, list[Option]] = {}
    for word in words:
        if word in of_word:
            continue
        stem = stems[word]
        choices = [(place, 2 if theirs[place] == word else 1) for place in by_stem.get(stem, ())]
        synonyms = related[keys[word]]
        if synonyms and not synonyms.isdisjoint(senses):
            for key in sorted(synonyms & senses):
                places = reference.by_sense[key]
                choices += [(place, 1) for place in places if stems[theirs[place]] != stem]
        of_word[word] = choices
    return [of_word[word] for word in words]


def _align_greedily(words: Sequence[int], reference: Reference, known: Words) -> list[int]:
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
    _link_synonyms(links, free, hypothesis, reference, known)
    return links


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
    links[ours[equal]] = theirs - reference.edges[segments_of(reference)[theirs]]
    free[theirs] = False


def _ranked_from_the_end(
    places: Integers, text: Encoded, numbers: Integers
) -> tuple[Integers, Integers]:
    """The places, ordered by segment and number and from the end of the segment, and for each a
    key of segment, number and rank in that order, sorted."""
    places = places[::-1]
    keys = segments_of(text)[places] * (numbers.max() + 1) + numbers[text.ids[places]]
    order = np.argsort(keys, kind="stable")
    places, keys = places[order], keys[order]
    new = np.append(True, keys[1:] != keys[:-1])[: len(keys)]
    ranks = np.arange(len(keys)) - np.flatnonzero(new)[np.cumsum(new) - 1]
    return places, (keys << 24) + ranks  # no text has 16 million words


def segments_of(text: Encoded) -> Integers:
    """The segment of every token."""
    return np.repeat(np.arange(len(text.lengths)), text.lengths + 1)


def _link_synonyms(
    links: Integers,
    free: NDArray[np.bool_],
    hypothesis: Encoded,
    reference: Encoded,
    known: Words,
) -> None:
    """Link each word that is left, from the end of its segment, with the last word left there
    that is a synonym of it."""
    keys, related = known.sense_keys, known.related
    left: dict[int, dict[int, list[int]]] = {}
    free_places = np.flatnonzero(free)
    segments = segments_of(reference)[free_places]
    for segment, place, word in zip(
        segments.tolist(),
        (free_places - reference.edges[segments]).tolist(),
        reference.ids[free_places].tolist(),
        strict=True,
    ):
        left.setdefault(segment, {}).setdefault(keys[word], []).append(place)
    tokens = np.flatnonzero((links < 0) & (hypothesis.ids > 0))[::-1]
    segments = segments_of(hypothesis)[tokens]
    for token, segment, word in zip(
        tokens.tolist(), segments.tolist(), hypothesis.ids[tokens].tolist(), strict=True
    ):
        there = left.get(segment, {})
        found = [places for key in related[keys[word]] & there.keys() if (places := there[key])]
        if found:
            links[token] = max(found, key=lambda places: places[-1]).pop()
