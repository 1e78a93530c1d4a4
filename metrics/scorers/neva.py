"""NEVA, n-gram evaluation (Forsbom 2003): BLEU redefined for single, short segments."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .base import Floats, Stream, check_integer
from .ngrams import clipped_matches, ngram_totals
from .words import WordScorer


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

    def _statistics(
        self, hypotheses: Sequence[str], references: Sequence[Stream], sources: Sequence[str]
    ) -> Floats:
        hypothesis, encoded = self._encode(hypotheses, references)
        lengths = np.array([reference.lengths for reference in encoded], dtype=np.float64)
        lengths[np.array([[text is None for text in stream] for stream in references])] = np.inf
        lengths.sort(axis=0)  # so that a tie goes to the shorter
        closest = np.abs(lengths - hypothesis.lengths).argmin(axis=0)
        stats = np.empty((len(hypotheses), 2 + 2 * self.max_order))
        stats[:, 0] = hypothesis.lengths
        stats[:, 1] = lengths[closest, np.arange(len(hypotheses))]
        stats[:, 2 : 2 + self.max_order] = clipped_matches(hypothesis, encoded, self.max_order)
        stats[:, 2 + self.max_order :] = ngram_totals(hypothesis.lengths, self.max_order)
        return stats

    def _score(self, stats: Floats) -> Floats:
        ours, theirs = stats[..., 0], stats[..., 1]
        matches = stats[..., 2 : 2 + self.max_order]
        totals = stats[..., 2 + self.max_order :]
        with np.errstate(divide="ignore", invalid="ignore"):
            precisions = np.where(totals > 0, matches / totals, 0).sum(axis=-1)
            mean = precisions / (totals > 0).sum(axis=-1)
            penalty = np.where(ours < theirs, np.exp(1 - theirs / ours), 1)
        return np.where(ours > 0, 100 * penalty * mean, 0.0)

    def _signature_fields(self, level: str) -> dict[str, object]:
        pairs = super()._signature_fields(level)
        if self.max_order != 4:
            pairs["order"] = self.max_order
        return pairs
