"""BLEU (Papineni et al. 2002), with sacreBLEU's defaults (Post 2018) and figures."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .base import Floats, Scorer, Stream, check_integer, yes_no
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
        hypothesis = encoder.encode(self._prepare(hypotheses))
        encoded = [encoder.encode_kept(self._prepare(stream)) for stream in references]
        stats = np.empty((len(hypotheses), 2 + 2 * self.max_order))
        stats[:, 0] = hypothesis.lengths
        stats[:, 1] = self._reference_lengths(
            stats[:, 0], np.array([reference.lengths for reference in encoded]), references
        )
        stats[:, 2 : 2 + self.max_order] = clipped_matches(hypothesis, encoded, self.max_order)
        stats[:, 2 + self.max_order :] = ngram_totals(hypothesis.lengths, self.max_order)
        return stats

    def _prepare(self, texts: Stream) -> list[str]:
        """The texts, a missing one empty."""
        return [(text or "").lower() if self.lowercase else text or "" for text in texts]

    def _reference_lengths(
        self, hypothesis: Floats, lengths: np.ndarray, references: Sequence[Stream]
    ) -> Floats:
        """One reference length a segment; ``lengths`` has shape (n_references, n_segments)."""
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

    def segment_scores(self, stats: np.typing.ArrayLike) -> Floats:
        return self._bleu(np.asarray(stats, dtype=np.float64), True)

    def _bleu(self, stats: Floats, effective_order: bool) -> Floats:
        correct = stats[..., 2 : 2 + self.max_order]
        total = stats[..., 2 + self.max_order :]
        log_sum = np.zeros(stats.shape[:-1])
        n_orders = np.zeros(stats.shape[:-1])
        reached = np.ones(stats.shape[:-1], dtype=bool)
        zeros = np.zeros(stats.shape[:-1])
        with np.errstate(divide="ignore", invalid="ignore"):
            for n in range(self.max_order):
                matched, possible = self._smooth(correct[..., n], total[..., n], n)
                reached &= possible > 0
                zeros += matched == 0
                if self.smoothing == "exp":
                    matched = np.where(matched == 0, 0.5**zeros, matched)
                counts = reached | (not effective_order)
                precision = np.where(reached, matched / possible, 0.0)
                log_sum += np.where(counts, np.log(precision), 0.0)
                n_orders += counts
            score = 100 * _brevity_penalty(stats) * np.exp(log_sum / n_orders)
        return np.where(correct.any(axis=-1), score, 0.0)

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
    """1 where the output is at least as long as the reference, else exp(1 - r/c)."""
    ours, theirs = stats[..., 0], stats[..., 1]
    return np.where(ours < theirs, np.exp(1 - theirs / ours), 1.0)
