"""N-gram language models in sorted arrays.

An n-gram is known by a number, its rank among all n-grams of its length: the key of an n-gram is
the rank of its first n - 1 words and its last word packed into one integer, and its rank is the
place of the key in the sorted keys. So counting and looking up are sorting and searching, order
after order, for all places of a text at once.

Sentences begin with one <s>, which is never predicted, and end with </s>, which is. An n-gram that
would reach back over the beginning of a sentence is cut short there.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics.scorers.encoding import Encoded, Integers

Floats = NDArray[np.float64]

UNKNOWN, END, START = 0, 1, 2
FIRST_WORD = 3
# What KenLM takes where a corpus is too small to estimate discounts (Heafield et al. 2013).
FALLBACK_DISCOUNTS = (0.5, 1.0, 1.5)


class Text(NamedTuple):
    """Sentences in a row. ``words``: the number of every word, <s> and </s> included; ``places``:
    where each stands in its sentence, 0 for <s>; ``sentences``: which sentence it belongs to."""

    words: Integers
    places: Integers
    sentences: Integers


def with_edges(encoded: Encoded, number_of: Integers) -> Text:
    """Return a text with <s> before and </s> after each sentence; ``number_of`` maps the tokens of
    ``encoded`` to words, 0 (the end) to END."""
    sizes = encoded.lengths + 2
    starts = np.cumsum(sizes) - sizes
    words = np.full(int(sizes.sum()), START, dtype=np.int64)
    is_word = np.ones(len(words), dtype=bool)
    is_word[starts] = False
    words[is_word] = number_of[encoded.ids]
    sentences = np.repeat(np.arange(len(sizes)), sizes)
    return Text(words, np.arange(len(words)) - starts[sentences], sentences)


class Counted(NamedTuple):
    """All n-grams of one length, sorted by key. ``prefixes``: ranks of their first n - 1 words,
    ``suffixes``: of their last n - 1."""

    keys: Integers
    counts: Integers
    prefixes: Integers
    suffixes: Integers


def count_ngrams(text: Text, order: int, n_words: int) -> list[Counted]:
    """Return the n-grams of a text for n = 1 ... ``order``; those of one word are all words there
    are."""
    counts = np.bincount(text.words, minlength=n_words)
    none = np.zeros(n_words, dtype=np.int64)
    levels = [Counted(np.arange(n_words), counts, none, none)]
    ranks = text.words
    for n in range(2, order + 1):
        ends = np.flatnonzero(text.places >= n - 1)
        keys, first, inverse, counts = np.unique(
            ranks[ends - 1] * n_words + text.words[ends],
            return_index=True,
            return_inverse=True,
            return_counts=True,
        )
        levels.append(Counted(keys, counts, keys // n_words, ranks[ends[first]]))
        ranks = np.full_like(ranks, -1)
        ranks[ends] = inverse
    return levels


class NgramLevel(NamedTuple):
    """N-grams of one length in a model: their keys, their scores, and the factor with which the
    score of a shorter one is taken when they are the context of a word they never preceded."""

    keys: Integers
    scores: Floats
    backoffs: Floats


class NgramModel(NamedTuple):
    """``unseen``: the factor for a context that itself was never seen."""

    n_words: int
    levels: Sequence[NgramLevel]
    unseen: float

    def scores(self, text: Text) -> Floats:
        """Return the score of every word of a text in its context; that of <s> is meaningless."""
        scores = self.levels[0].scores[text.words]
        ranks = text.words
        for n, level in enumerate(self.levels[1:], start=2):
            ends = np.flatnonzero(text.places >= n - 1)
            contexts = ranks[ends - 1]
            found = _find(level.keys, contexts * self.n_words + text.words[ends])
            found[contexts < 0] = -1
            shorter = np.full(len(ends), self.unseen)
            seen = contexts >= 0
            shorter[seen] = self.levels[n - 2].backoffs[contexts[seen]]
            values = shorter * scores[ends]
            values[found >= 0] = level.scores[found[found >= 0]]
            scores[ends] = values
            ranks = np.full_like(ranks, -1)
            ranks[ends] = found
        return scores


def _find(keys: Integers, wanted: Integers) -> Integers:
    """Return the rank of every wanted key, -1 where there is none."""
    if not len(keys):
        return np.full(len(wanted), -1)
    places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[places] == wanted, places, -1)


def stupid_backoff(levels: Sequence[Counted], factor: float) -> NgramModel:
    """Return S(w|h) = count(hw) / count(h) if hw was seen, else factor · S(w|h without its first
    word); S(w) = count(w) / number of words (Brants et al. 2007). These are not probabilities.

    A word that was never seen, of which the publication does not speak, gets factor / number of
    words: less than any that was seen.
    """
    made = []
    for n, (keys, counts, prefixes, _) in enumerate(levels, start=1):
        if n == 1:
            predicted = np.where(keys == START, 0, counts)
            scores = np.maximum(predicted, factor) / predicted.sum()
        else:
            scores = counts / np.bincount(prefixes, weights=counts)[prefixes]
        made.append(NgramLevel(keys, scores, np.full(len(keys), factor)))
    return NgramModel(len(levels[0].keys), made, factor)


def kneser_ney(
    levels: Sequence[Counted], discounts: Sequence[Sequence[float]] | None = None
) -> NgramModel:
    """Return interpolated modified Kneser–Ney smoothing (Chen and Goodman 1999, equations 26 ff.).

    p(w|h) = (a(hw) - D(a(hw))) / Σ a(h·) + γ(h) p(w|h without its first word), with the adjusted
    counts a; γ(h) is what the discounts took; below one word stands the uniform distribution over
    all words, </s> and the unknown word. ``discounts``: D(1), D(2) and D(3 or more) for every
    order; estimated from the text if not given. Every context's probabilities sum to 1.
    """
    adjusted = adjusted_counts(levels)
    if discounts is None:
        discounts = [estimate_discounts(counts) for counts in adjusted]
    n_words = len(levels[0].keys)
    # <s> is no word that could follow.
    shorter = np.where(levels[0].keys == START, 0.0, 1 / (n_words - 1))
    contexts = 1
    made: list[NgramLevel] = []
    for (keys, _, prefixes, suffixes), counts, taken in zip(
        levels, adjusted, discounts, strict=True
    ):
        discount = np.array([0.0, *taken])[np.minimum(counts, 3)]
        totals = np.bincount(prefixes, weights=counts, minlength=contexts)
        left = np.bincount(prefixes, weights=discount, minlength=contexts)
        backoffs = np.divide(left, totals, out=np.ones(contexts), where=totals > 0)
        if made:
            made[-1] = made[-1]._replace(backoffs=backoffs)
            shorter = made[-1].scores[suffixes]
        scores = (counts - discount) / totals[prefixes] + backoffs[prefixes] * shorter
        made.append(NgramLevel(keys, scores, np.empty(0)))
        contexts = len(keys)
    return NgramModel(n_words, made, 1.0)


def adjusted_counts(levels: Sequence[Counted]) -> list[Integers]:
    """Return Kneser and Ney's counts: of n-grams of the highest order how often they occur, of
    shorter ones how many different words precede them; of those that begin with <s>, which nothing
    can precede, how often they occur (as in KenLM)."""
    adjusted = []
    for n, level in enumerate(levels):
        counts = level.counts
        if n + 1 < len(levels):
            preceding = np.bincount(levels[n + 1].suffixes, minlength=len(counts))
            counts = np.where(preceding > 0, preceding, counts)
        if n == 0:
            counts = np.where(level.keys == START, 0, counts)
        adjusted.append(counts)
    return adjusted


def estimate_discounts(counts: Integers) -> Sequence[float]:
    """Return D(1), D(2), D(3 or more) from how many n-grams have the adjusted counts 1 to 4 (Chen
    and Goodman 1999, equation 27); fixed ones where the text is too small to tell."""
    ones, twos, threes, fours = (int(np.count_nonzero(counts == k)) for k in range(1, 5))
    if not (ones and twos and threes):
        return FALLBACK_DISCOUNTS
    share = ones / (ones + 2 * twos)
    found = (
        1 - 2 * share * twos / ones,
        2 - 3 * share * threes / twos,
        3 - 4 * share * fours / threes,
    )
    possible = all(0 < discount <= k for k, discount in enumerate(found, start=1))
    return found if possible else FALLBACK_DISCOUNTS
