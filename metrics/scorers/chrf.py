"""chrF (Popović 2015) and chrF++ (Popović 2017), with sacreBLEU's defaults and figures."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from metrics.scorers.encoding import Cached, Encoded, distinct

from .base import Floats, Scorer, Stream, check_integer, yes_no
from .ngrams import clipped_matches, ngram_totals
from .tokenizers import ChunkEncoder, always

_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_EPSILON = 1e-16


def _separate_punctuation(words: list[str]) -> list[list[str]]:
    return [_separate_mark(word) for word in words]


def _separate_mark(word: str) -> list[str]:
    """Return the word with one punctuation mark split off its end, or else its start."""
    if len(word) > 1 and word[-1] in _PUNCTUATION:
        return [word[:-1], word[-1]]
    if len(word) > 1 and word[0] in _PUNCTUATION:
        return [word[0], word[1:]]
    return [word]


@dataclass(kw_only=True)
class CHRF(Scorer):
    """F-score of character n-grams (and word n-grams), from 0 to 100.

    Statistics: for each order, characters first, the n-grams of the hypothesis, those of the
    reference, and the matches. With several references, each segment uses the one with the best
    score.

    ``whitespace``: let character n-grams contain white space. ``eps_smoothing``: average the
    F-scores of all orders like chrF++.py, rather than precision and recall of the orders that
    occur.
    """

    slug = "chrf"
    name = "chrF"
    family = "Runs of characters"
    description = "How many runs of one to six characters the output shares with the reference."
    same_as = "sacrebleu"
    in_label = ("word_order", "beta")
    higher_is_better = True
    score_range = (0.0, 100.0)

    char_order: int = 6
    word_order: int = 0
    beta: float = 2
    lowercase: bool = False
    whitespace: bool = False
    eps_smoothing: bool = False

    def __post_init__(self) -> None:
        check_integer("char_order", self.char_order, 0)
        check_integer("word_order", self.word_order, 0)
        if self.char_order + self.word_order == 0:
            raise ValueError("char_order and word_order cannot both be 0.")
        if not 0 < self.beta < np.inf:
            raise ValueError("beta must be a number above 0.")
        self._words = ChunkEncoder(str.split, _separate_punctuation, always)

    @cached_property
    def _alphabet(self) -> "_Alphabet":
        """Return the numbers of characters: 9 MB, which no label needs."""
        return _Alphabet(self.whitespace)

    @property
    def label(self) -> str:
        return f"chrF{self.beta:g}" + "+" * self.word_order

    def _statistics(
        self, hypotheses: Sequence[str], references: Sequence[Stream], sources: Sequence[str]
    ) -> Floats:
        self._words.forget()
        hypothesis = self._encode(hypotheses, self._alphabet.encode, self._words.encode)
        candidates = [
            self._against(hypothesis, self._encode_cached(stream)) for stream in references
        ]
        if len(candidates) == 1:
            return candidates[0]
        missing = np.array([[text is None for text in stream] for stream in references])
        scores = np.where(missing, -np.inf, [self._score(stats) for stats in candidates])
        return np.stack(candidates)[scores.argmax(axis=0), np.arange(len(hypotheses))]

    def _encode_cached(self, stream: Stream) -> list[tuple[Encoded, int]]:
        return self._encode(stream, self._alphabet.encode_cached, self._words.encode_cached)

    def _encode(
        self,
        texts: Stream,
        characters: Callable[[list[str]], Encoded],
        words: Callable[[list[str]], Encoded],
    ) -> list[tuple[Encoded, int]]:
        """Return characters and words of the texts, each with the highest order of its n-grams."""
        present = [(text or "").lower() if self.lowercase else text or "" for text in texts]
        encoded = []
        if self.char_order:
            encoded.append((characters(present), self.char_order))
        if self.word_order:
            encoded.append((words(present), self.word_order))
        return encoded

    def _against(
        self, hypothesis: list[tuple[Encoded, int]], reference: list[tuple[Encoded, int]]
    ) -> Floats:
        columns = []
        for (ours, order), (theirs, _) in zip(hypothesis, reference, strict=True):
            in_reference = ngram_totals(theirs.lengths, order)
            # sacreBLEU does not count n-grams of orders missing from the reference.
            in_hypothesis = np.where(in_reference > 0, ngram_totals(ours.lengths, order), 0)
            matches = clipped_matches(ours, [theirs], order)
            columns.append(np.stack([in_hypothesis, in_reference, matches], axis=2))
        stats = np.concatenate(columns, axis=1)
        return stats.reshape(len(stats), -1).astype(np.float64)

    def _score(self, stats: Floats) -> Floats:
        if self.eps_smoothing:
            return self._mean_of_f_scores(stats)
        return 100 * self._f_score(*self._means(stats), 0.0)

    def _mean_of_f_scores(self, stats: Floats) -> Floats:
        n_hypothesis, n_reference, n_match = (stats[..., part::3] for part in range(3))
        with np.errstate(divide="ignore", invalid="ignore"):
            precision = np.where(n_hypothesis > 0, n_match / n_hypothesis, _EPSILON)
            recall = np.where(n_reference > 0, n_match / n_reference, _EPSILON)
        f_scores = self._f_score(precision, recall, _EPSILON)
        return 100 * _sum_in_order(f_scores) / f_scores.shape[-1]

    def _means(self, stats: Floats) -> tuple[Floats, Floats]:
        """Return precision and recall, averaged over the orders that both sides have."""
        n_hypothesis, n_reference, n_match = (stats[..., part::3] for part in range(3))
        counted = (n_hypothesis > 0) & (n_reference > 0)
        n_orders = np.maximum(counted.sum(axis=-1), 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            precision = np.where(counted, n_match / n_hypothesis, 0.0)
            recall = np.where(counted, n_match / n_reference, 0.0)
        return _sum_in_order(precision) / n_orders, _sum_in_order(recall) / n_orders

    def details(self, stats: ArrayLike) -> list[tuple[str, float]]:
        """Return precision and recall in percent, averaged over the orders that both sides have;
        nan if they have none in common."""
        sums = np.asarray(stats, dtype=np.float64)
        means = np.array(self._means(sums))
        if not ((sums[0::3] > 0) & (sums[1::3] > 0)).any():
            means[:] = np.nan
        precision, recall = 100 * means
        return [("Mean precision (%)", float(precision)), ("Mean recall (%)", float(recall))]

    def _f_score(self, precision: Floats, recall: Floats, undefined: float) -> Floats:
        factor = self.beta**2
        denominator = factor * precision + recall
        with np.errstate(divide="ignore", invalid="ignore"):
            f_score = (1 + factor) * precision * recall / denominator
        return np.where(denominator > 0, f_score, undefined)

    def _signature_fields(self, level: str) -> dict[str, object]:
        pairs: dict[str, object] = {
            "case": "lc" if self.lowercase else "mixed",
            "eff": yes_no(not self.eps_smoothing),
            "nc": self.char_order,
            "nw": self.word_order,
            "space": yes_no(self.whitespace),
        }
        if self.beta != 2:
            pairs["beta"] = f"{self.beta:g}"
        return pairs


@dataclass(kw_only=True)
class CHRFPlusPlus(CHRF):
    """chrF with word n-grams up to two."""

    slug = "chrfpp"
    name = "chrF++"
    description = "chrF that also counts single words and pairs of words."

    word_order: int = 2


def _sum_in_order(values: Floats) -> Floats:
    """Return sums over the last axis from left to right: the choice between references depends on
    the last digit, so the order of addition has to be sacreBLEU's."""
    return np.add.accumulate(values, axis=-1)[..., -1]


# White space as in str.split.
_WHITE_SPACE = [code for code in range(0x3001) if chr(code).isspace()]


class _Alphabet:
    """Characters as small numbers, from 1 in order of first occurrence."""

    def __init__(self, whitespace: bool) -> None:
        self._numbers = np.zeros(0x110000, dtype=np.int64)
        if not whitespace:
            self._numbers[_WHITE_SPACE] = -1
        self._size = 0
        self.encode_cached = Cached(self.encode)

    def encode(self, texts: Sequence[str]) -> Encoded:
        """Return the characters of each text, without white space unless requested."""
        together = "\n".join([*texts, ""]).encode("utf-32-le", "surrogatepass")
        codes = np.frombuffer(together, dtype="<u4").astype(np.intp)
        lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
        ids = self._numbers.take(codes)
        if not ids.all():
            new = distinct(codes[ids == 0])
            self._numbers[new] = np.arange(self._size + 1, self._size + 1 + len(new))
            self._size += len(new)
            ids = self._numbers.take(codes)
        ids[np.cumsum(lengths + 1) - 1] = 0
        ids = ids.take(np.flatnonzero(ids >= 0))
        return Encoded(ids, np.diff(np.flatnonzero(ids == 0), prepend=-1) - 1)
