"""What the metrics that compare words have in common."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from metrics.scorers.encoding import Encoded

from .base import Floats, Scorer, Stream, prepared
from .tokenizers import TOKENIZERS, get_tokenizer


@dataclass(kw_only=True)
class WordScorer(Scorer):
    """A metric that compares the words of an output with those of one reference.

    With several references, each segment takes the one that gives it the best score (ties: the
    shorter), and the statistics are those against it. Subclasses write ``_against``.
    """

    option_values = {"tokenize": TOKENIZERS}
    statistic_names: ClassVar[tuple[str, ...]]
    """What each column of the statistics counts, for people."""

    tokenize: str = "13a"
    lowercase: bool = False

    def __post_init__(self) -> None:
        self._tokenizer = get_tokenizer(self.tokenize)

    def _statistics(
        self, hypotheses: Sequence[str], references: Sequence[Stream], sources: Sequence[str]
    ) -> Floats:
        missing = np.array([[text is None for text in stream] for stream in references])
        return self.statistics_of(*self._encode(hypotheses, references), missing)

    def statistics_of(
        self, hypothesis: Encoded, references: Sequence[Encoded], missing: np.ndarray
    ) -> Floats:
        """Return the statistics of texts that are cut already; ``missing``: (n_references,
        n_segments)."""
        rows = np.array([self._against(hypothesis, reference) for reference in references])
        return self.best(rows, references, missing)

    def _encode(
        self, hypotheses: Sequence[str], references: Sequence[Stream]
    ) -> tuple[Encoded, list[Encoded]]:
        """Return token ids of all texts, a missing reference empty."""
        encoder = self._tokenizer.encoder
        encoder.forget()
        hypothesis = encoder.encode(prepared(hypotheses, self.lowercase))
        return hypothesis, [
            encoder.encode_kept(prepared(stream, self.lowercase)) for stream in references
        ]

    def _against(self, hypothesis: Encoded, reference: Encoded) -> Floats:
        """Return statistics against one reference, (n_segments, k)."""
        raise NotImplementedError

    def best(self, rows: Floats, references: Sequence[Encoded], missing: np.ndarray) -> Floats:
        """Return for each segment the row of its best reference: (n_references, n_segments, k) →
        (n_segments, k). An undefined score is worse than any, and better than no reference."""
        if len(references) == 1:
            return rows[0]
        lengths = np.array([reference.lengths for reference in references])
        goodness = self._score(rows) * (1 if self.higher_is_better else -1)
        goodness = np.where(np.isnan(goodness), np.finfo(np.float64).min, goodness)
        goodness[missing] = -np.inf
        tied = goodness == goodness.max(axis=0)
        chosen = np.where(tied, lengths, np.inf).argmin(axis=0)
        return rows[chosen, np.arange(rows.shape[1])]

    def details(self, stats: ArrayLike) -> list[tuple[str, float]]:
        """Return the summed statistics by name."""
        sums = np.asarray(stats, dtype=np.float64).tolist()
        return list(zip(self.statistic_names, sums, strict=True))

    def _signature_fields(self, level: str) -> dict[str, object]:
        return {
            "case": "lc" if self.lowercase else "mixed",
            "tok": self._tokenizer.signature,
        }


def ratio(part: Floats, whole: Floats) -> Floats:
    """``part / whole``, NaN where there is nothing to divide by."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(whole > 0, part / whole, np.nan)


def error_rate(edits: Floats, length: Floats) -> Floats:
    """``edits / length``; without any length 0 if nothing is wrong and else 1, as TER has it."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(length > 0, edits / length, edits > 0)
