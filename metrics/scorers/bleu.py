"""BLEU (Papineni et al. 2002), with sacreBLEU's defaults (Post 2018) and figures."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .base import Floats, Scorer, Stream, check_integer, prepared, yes_no
from .ngrams import clipped_matches, ngram_totals
from .tokenizers import TOKENIZERS, get_tokenizer

# Chen and Cherry 2014 give 0.1 for floor and 1 for add-k; the other two take no value.
SMOOTHING: dict[str, float | None] = {"none": None, "floor": 0.1, "add-k": 1.0, "exp": None}
REFERENCE_LENGTHS = ("closest", "shortest", "average")


@dataclass(kw_only=True)
class BLEU(Scorer):
    """Geometric mean of n-gram precisions times a brevity penalty, from 0 to 100.

    Statistics: hypothesis length, reference length, ``max_order`` match counts, ``max_order``
    n-gram counts.

    ``effective_order``: leave out the orders a text is too short for, in the scores of whole
    corpora too; scores of single segments always do, as sacreBLEU's ``sentence_bleu`` does.
    ``reference_length``: with several references, the one closest to the hypothesis (ties: the
    shorter; Papineni), the shortest, or their average. ``smoothing_value``: ε of floor, k of add-k.
    """

    slug = "bleu"
    name = "BLEU"
    family = "Runs of words"
    description = "How many runs of one to four words the output shares with the reference."
    same_as = "sacrebleu"
    higher_is_better = True
    score_range = (0.0, 100.0)
    option_values = {
        "tokenize": TOKENIZERS,
        "smoothing": tuple(SMOOTHING),
        "reference_length": REFERENCE_LENGTHS,
    }

    tokenize: str = "13a"
    lowercase: bool = False
    max_order: int = 4
    smoothing: str = "exp"
    smoothing_value: float | None = None
    effective_order: bool = False
    reference_length: str = "closest"

    def __post_init__(self) -> None:
        check_integer("max_order", self.max_order, 1)
        if self.smoothing not in SMOOTHING:
            raise ValueError(f"smoothing must be one of {', '.join(SMOOTHING)}.")
        if self.smoothing_value is not None and not 0 <= self.smoothing_value < np.inf:
            raise ValueError("smoothing_value must be a number of at least 0.")
        if self.reference_length not in REFERENCE_LENGTHS:
            raise ValueError(f"reference_length must be one of {', '.join(REFERENCE_LENGTHS)}.")
        self._tokenizer = get_tokenizer(self.tokenize)

    def _statistics(
        self, hypotheses: Sequence[str], references: Sequence[Stream], sources: Sequence[str]
    ) -> Floats:
        encoder = self._tokenizer.encoder
        encoder.forget()
        hypothesis = encoder.encode_kept(prepared(hypotheses, self.lowercase))
        encoded = [encoder.encode_kept(prepared(stream, self.lowercase)) for stream in references]
        stats = np.empty((len(hypotheses), 2 + 2 * self.max_order))
        stats[:, 0] = hypothesis.lengths
        stats[:, 1] = self._reference_lengths(
            stats[:, 0], np.array([reference.lengths for reference in encoded]), references
        )
        stats[:, 2 : 2 + self.max_order] = clipped_matches(hypothesis, encoded, self.max_order)
        stats[:, 2 + self.max_order :] = ngram_totals(hypothesis.lengths, self.max_order)
        return stats

    def _reference_lengths(
        self, hypothesis: Floats, lengths: np.ndarray, references: Sequence[Stream]
    ) -> Floats:
        """Return one reference length a segment; ``lengths`` has shape (n_references,
        n_segments)."""
        if len(references) == 1:
            return lengths[0].astype(np.float64)
        missing = np.array([[text is None for text in stream] for stream in references])
        lengths = np.where(missing, np.nan, lengths)
        if self.reference_length == "average":
            return np.nanmean(lengths, axis=0)
        lengths = np.sort(lengths, axis=0)  # shorter first, missing last: a tie goes to the shorter
        if self.reference_length == "shortest":
            return lengths[0]
        closest = np.nanargmin(np.abs(lengths - hypothesis), axis=0)
        return np.take_along_axis(lengths, closest[None], axis=0)[0]

    def _score(self, stats: Floats) -> Floats:
        return self._bleu(stats, self.effective_order)

    def segment_scores(self, stats: ArrayLike) -> Floats:
        return self._bleu(np.asarray(stats, dtype=np.float64), True)

    def _bleu(self, stats: Floats, effective_order: bool) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            score = 100 * _brevity_penalty(stats)
            score *= np.exp(self._mean_log_precision(stats, effective_order))
        return np.where(self._correct(stats).any(axis=-1), score, 0.0)

    def _mean_log_precision(self, stats: Floats, effective_order: bool) -> Floats:
        log_sum = np.zeros(stats.shape[:-1])
        n_orders = np.zeros(stats.shape[:-1])
        with np.errstate(divide="ignore", invalid="ignore"):
            for precision in self._precisions(stats):
                reached = ~np.isnan(precision)
                if effective_order:
                    log_sum += np.where(reached, np.log(precision), 0.0)
                    n_orders += reached
                else:
                    log_sum += np.log(np.where(reached, precision, 0.0))
                    n_orders += 1
            return log_sum / n_orders

    def _precisions(self, stats: Floats) -> Iterator[Floats]:
        """Yield the smoothed precision of each order, from 0 to 1; nan from the first order on that
        the output is too short for."""
        correct, total = self._correct(stats), stats[..., 2 + self.max_order :]
        reached = np.ones(stats.shape[:-1], dtype=bool)
        zeros = np.zeros(stats.shape[:-1])
        for n in range(self.max_order):
            matched, possible = self._smooth(correct[..., n], total[..., n], n)
            reached &= possible > 0
            zeros += matched == 0
            if self.smoothing == "exp":
                matched = np.where(matched == 0, 0.5**zeros, matched)
            with np.errstate(divide="ignore", invalid="ignore"):
                yield np.where(reached, matched / possible, np.nan)

    def _correct(self, stats: Floats) -> Floats:
        """Return match counts of each order."""
        return stats[..., 2 : 2 + self.max_order]

    def details(self, stats: ArrayLike) -> list[tuple[str, float]]:
        """Return lengths in tokens, brevity penalty, smoothed precisions in percent (all 0 without
        any match, as sacreBLEU has it), and the logarithms: of the penalty, the mean one of the
        precisions, and their sum, which is log(BLEU / 100)."""
        sums = np.asarray(stats, dtype=np.float64)
        matched = bool(self._correct(sums).any())
        with np.errstate(divide="ignore", invalid="ignore"):
            penalty = _brevity_penalty(sums)
            log_penalty = np.log(penalty)
        log_precision = -np.inf
        if matched:
            log_precision = float(self._mean_log_precision(sums, self.effective_order))
        precisions = np.array(list(self._precisions(sums)))
        if not matched:
            precisions *= 0  # not what smoothing makes of it; and nan stays nan
        return [
            ("Output length in tokens", float(sums[0])),
            ("Reference length in tokens", float(sums[1])),
            *(
                (f"Precision of {n}-grams (%)", 100 * float(precision))
                for n, precision in enumerate(precisions, start=1)
            ),
            ("Brevity penalty", float(penalty)),
            ("Log of the brevity penalty", float(log_penalty)),
            ("Mean log of the precisions", log_precision),
            ("Log of BLEU / 100", float(log_penalty) + log_precision),
        ]

    def _smooth(self, matched: Floats, possible: Floats, n: int) -> tuple[Floats, Floats]:
        """Match and n-gram counts of order n + 1 after smoothing (Chen and Cherry 2014)."""
        value = self._value()
        if self.smoothing == "floor":
            return np.where(matched == 0, value, matched), possible
        if self.smoothing == "add-k" and n > 0:
            return matched + value, possible + value
        return matched, possible

    def _value(self) -> float:
        if self.smoothing_value is not None:
            return self.smoothing_value
        return SMOOTHING[self.smoothing] or 0.0

    def _signature_fields(self, level: str) -> dict[str, object]:
        smoothing = self.smoothing
        if SMOOTHING[smoothing] is not None:
            smoothing += f"[{self._value():.2f}]"
        pairs: dict[str, object] = {
            "case": "lc" if self.lowercase else "mixed",
            "eff": yes_no(self.effective_order or level == "segment"),
            "tok": self._tokenizer.signature,
            "smooth": smoothing,
        }
        if self.max_order != 4:
            pairs["order"] = self.max_order
        if self.reference_length != "closest":
            pairs["reflen"] = self.reference_length
        return pairs


def _brevity_penalty(stats: Floats) -> Floats:
    """Return 1 where the output is at least as long as the reference, else exp(1 - r/c)."""
    ours, theirs = stats[..., 0], stats[..., 1]
    return np.where(ours < theirs, np.exp(1 - theirs / ours), 1.0)
