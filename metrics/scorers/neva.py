"""NEVA, n-gram evaluation (Forsbom 2003): BLEU redefined for single, short segments."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from metrics.scorers.encoding import Encoded

from .base import Floats, check_integer
from .ngrams import clipped_matches, ngram_totals
from .words import WordScorer, ratio


@dataclass(kw_only=True)
class NEVA(WordScorer):
    """The arithmetic mean of n-gram precisions times BLEU's brevity penalty, from 0 to 100.

    Statistics: words of the output, words of the reference closest in length (ties: the shorter),
    ``max_order`` match counts, ``max_order`` n-gram counts; matches are clipped over all references
    together, as BLEU's.

    The mean runs over the orders that have n-grams at all: for a segment of c words the first
    min(4, c), as Forsbom defines it; for a corpus as many as its longest output. Precisions of a
    corpus are pooled, as in her definition of them. An output without words scores 0.
    """

    slug = "neva"
    name = "NEVA"
    family = "Runs of words"
    description = "The average share of the output's runs of one to four words in the reference."
    higher_is_better = True
    score_range = (0.0, 100.0)

    max_order: int = 4

    def __post_init__(self) -> None:
        check_integer("max_order", self.max_order, 1)
        super().__post_init__()

    def statistics_of(
        self, hypothesis: Encoded, references: Sequence[Encoded], missing: np.ndarray
    ) -> Floats:
        lengths = np.array([reference.lengths for reference in references], dtype=np.float64)
        lengths[missing] = np.inf
        lengths.sort(axis=0)  # so that a tie goes to the shorter
        closest = np.abs(lengths - hypothesis.lengths).argmin(axis=0)
        n_segments = len(hypothesis.lengths)
        stats = np.empty((n_segments, 2 + 2 * self.max_order))
        stats[:, 0] = hypothesis.lengths
        stats[:, 1] = lengths[closest, np.arange(n_segments)]
        stats[:, 2 : 2 + self.max_order] = clipped_matches(hypothesis, references, self.max_order)
        stats[:, 2 + self.max_order :] = ngram_totals(hypothesis.lengths, self.max_order)
        return stats

    def _score(self, stats: Floats) -> Floats:
        precisions = self._precisions(stats)
        defined = ~np.isnan(precisions)
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = np.where(defined, precisions, 0).sum(axis=-1) / defined.sum(axis=-1)
        return np.where(stats[..., 0] > 0, 100 * _penalty(stats) * mean, 0.0)

    def details(self, stats: ArrayLike) -> list[tuple[str, float]]:
        """Return lengths, the precision of each order, NaN where the output is too short for it,
        and the brevity penalty."""
        sums = np.asarray(stats, dtype=np.float64)
        precisions = enumerate(100 * self._precisions(sums), start=1)
        return [
            ("Output length in words", float(sums[0])),
            ("Reference length in words", float(sums[1])),
            *((f"Precision of {n}-grams (%)", float(value)) for n, value in precisions),
            ("Brevity penalty", float(_penalty(sums))),
        ]

    def _precisions(self, stats: Floats) -> Floats:
        """Return for each order, NaN where there are no n-grams: (..., k) → (..., max_order)."""
        return ratio(stats[..., 2 : 2 + self.max_order], stats[..., 2 + self.max_order :])

    def _signature_fields(self, level: str) -> dict[str, object]:
        pairs = super()._signature_fields(level)
        if self.max_order != 4:
            pairs["order"] = self.max_order
        return pairs


def _penalty(stats: Floats) -> Floats:
    """Return BLEU's brevity penalty: 1, or exp(1 - r/c) where the output is shorter than the
    reference."""
    ours, theirs = stats[..., 0], stats[..., 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(ours < theirs, np.exp(1 - theirs / ours), 1.0)
