"""Word error rate and its relatives: edits of words, without shifts."""

from dataclasses import dataclass

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cpdist

from metrics.scorers.encoding import Encoded

from .base import Floats
from .words import WordScorer, error_rate

_HIGHEST_CHARACTER = 0x10FFFF


@dataclass(kw_only=True)
class WER(WordScorer):
    """Insertions, deletions and substitutions in percent of the reference's words; 0 is best, no
    upper bound (Levenshtein 1966; for translations Nießen et al. 2000).

    Statistics: edits, words of the reference. A corpus pools them: all edits over all reference
    words. An empty reference counts 0 for an empty output and 100 for any other, as with TER.
    """

    slug = "wer"
    name = "WER"
    family = "Edits"
    description = "How many words must be inserted, deleted or replaced to get the reference."
    higher_is_better = False
    score_range = (0.0, np.inf)
    statistic_names = ("Edits", "Reference length in words")

    def _against(self, hypothesis: Encoded, reference: Encoded) -> Floats:
        edits = edit_distances(hypothesis, reference)
        return np.stack([edits, reference.lengths.astype(np.float64)], axis=1)

    def _score(self, stats: Floats) -> Floats:
        return 100 * error_rate(stats[..., 0], stats[..., 1])


@dataclass(kw_only=True)
class WordAccuracy(WER):
    """100 − WER: at most 100, and below 0 where there are more edits than reference words
    (Alshawi et al. 1998). Statistics as WER."""

    slug = "wa"
    name = "WA"
    description = "Word accuracy: 100 minus the word error rate."
    higher_is_better = True
    score_range = (-np.inf, 100.0)

    def _score(self, stats: Floats) -> Floats:
        return 100 - super()._score(stats)


@dataclass(kw_only=True)
class WAFT(WordScorer):
    """Word accuracy for translation: 100 · (1 − edits / max(r, c)), from 0 to 100, with r and c the
    words of reference and output (Forsbom 2003).

    Statistics: edits, the longer of the two lengths. A corpus pools them, as it does for the word
    accuracy that WAFT redefines. Two empty texts are equal: 100.
    """

    slug = "waft"
    name = "WAFT"
    family = "Edits"
    description = "Word accuracy that stays between 0 and 100 for every single segment."
    higher_is_better = True
    score_range = (0.0, 100.0)
    statistic_names = ("Edits", "Words of the longer text of each segment")

    def _against(self, hypothesis: Encoded, reference: Encoded) -> Floats:
        longer = np.maximum(hypothesis.lengths, reference.lengths)
        return np.stack([edit_distances(hypothesis, reference), longer], axis=1)

    def _score(self, stats: Floats) -> Floats:
        return 100 * (1 - error_rate(stats[..., 0], stats[..., 1]))


def edit_distances(hypothesis: Encoded, reference: Encoded) -> Floats:
    """Return edit distances of words between the segments of two texts, (n_segments,)."""
    distances = cpdist(
        as_sequences(hypothesis),
        as_sequences(reference),
        scorer=Levenshtein.distance,
        dtype=np.float64,
    )
    return np.asarray(distances, dtype=np.float64)


def as_sequences(texts: Encoded) -> list[str] | list[list[int]]:
    """Return each segment as a string with one character a word, which rapidfuzz compares
    fastest."""
    ends = texts.edges[1:] - 1
    pieces = zip(texts.edges[:-1].tolist(), ends.tolist(), strict=True)
    if texts.highest > _HIGHEST_CHARACTER:
        return [texts.ids[start:end].tolist() for start, end in pieces]
    characters = texts.ids.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    return [characters[start:end] for start, end in pieces]
