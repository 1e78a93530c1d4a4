"""Which words two texts share, whatever their order."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from metrics.scorers.encoding import Encoded

from .base import Floats
from .ngrams import clipped_matches
from .words import WordScorer, error_rate, ratio


def _lengths_and_matches(hypothesis: Encoded, reference: Encoded) -> Floats:
    """Return shared words (as often as the text has them that has them less often), words of the
    output, words of the reference: (n_segments, 3)."""
    matches = clipped_matches(hypothesis, [reference], 1)[:, 0]
    columns = [matches, hypothesis.lengths, reference.lengths]
    return np.stack(columns, axis=1).astype(np.float64)


@dataclass(kw_only=True)
class PER(WordScorer):
    """Position-independent error rate: (max(r, c) − m) / r in percent, with r and c the words of
    reference and output and m those they share; 0 is best, no upper bound (Tillmann et al. 1997).

    Statistics: max(r, c) − m, r. A corpus pools them. An empty reference counts 0 for an empty
    output and 100 for any other.
    """

    slug = "per"
    name = "PER"
    family = "Edits"
    description = "The word error rate of the same words in any order."
    higher_is_better = False
    score_range = (0.0, np.inf)
    statistic_names = ("Errors", "Reference length in words")

    def _against(self, hypothesis: Encoded, reference: Encoded) -> Floats:
        matches, ours, theirs = _lengths_and_matches(hypothesis, reference).T
        return np.stack([np.maximum(ours, theirs) - matches, theirs], axis=1)

    def _score(self, stats: Floats) -> Floats:
        return 100 * error_rate(stats[..., 0], stats[..., 1])


@dataclass(kw_only=True)
class _Overlap(WordScorer):
    """Statistics, pooled over a corpus: shared words, words of the output, of the reference."""

    family = "Words"
    higher_is_better = True
    score_range = (0.0, 100.0)
    statistic_names = ("Shared words", "Output length in words", "Reference length in words")

    def _against(self, hypothesis: Encoded, reference: Encoded) -> Floats:
        return _lengths_and_matches(hypothesis, reference)


@dataclass(kw_only=True)
class Precision(_Overlap):
    """The percentage of the output's words that the reference has (Melamed et al. 2003); undefined
    for an output without words. Statistics: as ``_Overlap``."""

    slug = "precision"
    name = "Precision"
    description = "How many of the words of the output are in the reference."

    def _score(self, stats: Floats) -> Floats:
        return 100 * ratio(stats[..., 0], stats[..., 1])


@dataclass(kw_only=True)
class Recall(_Overlap):
    """The percentage of the reference's words that the output has (Melamed et al. 2003); undefined
    for a reference without words. Statistics: as ``_Overlap``."""

    slug = "recall"
    name = "Recall"
    description = "How many of the words of the reference are in the output."

    def _score(self, stats: Floats) -> Floats:
        return 100 * ratio(stats[..., 0], stats[..., 2])


@dataclass(kw_only=True)
class FMeasure(_Overlap):
    """(1 + β²) · P · R / (β² · P + R) of the words' precision P and recall R (van Rijsbergen 1979;
    Melamed et al. 2003), from 0 to 100; undefined where both texts are without words.

    Statistics: as ``_Overlap``. ``beta``: how many times as much recall counts as precision.
    """

    slug = "f_measure"
    name = "F-measure"
    description = "Precision and recall of words in one figure, their harmonic mean."

    beta: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.beta < np.inf:
            raise ValueError(f"beta must be a number of at least 0, not {self.beta!r}.")

    @property
    def label(self) -> str:
        return f"F{self.beta:g}"

    def details(self, stats: ArrayLike) -> list[tuple[str, float]]:
        """Return the summed statistics by name, and precision and recall."""
        matches, ours, theirs = sums = np.asarray(stats, dtype=np.float64)
        return [
            *super().details(sums),
            ("Precision (%)", 100 * float(ratio(matches, ours))),
            ("Recall (%)", 100 * float(ratio(matches, theirs))),
        ]

    def _score(self, stats: Floats) -> Floats:
        matches, ours, theirs = (stats[..., column] for column in range(3))
        square = self.beta**2
        return 100 * ratio((1 + square) * matches, square * theirs + ours)

    def _signature_fields(self, level: str) -> dict[str, object]:
        return {**super()._signature_fields(level), "beta": f"{self.beta:g}"}
