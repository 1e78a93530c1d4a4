"""GLEU, n-gram precision or recall, whichever is lower (Wu et al. 2016)."""

from dataclasses import dataclass

import numpy as np

from metrics.scorers.encoding import Encoded

from .base import Floats, check_integer
from .ngrams import clipped_matches, ngram_totals
from .words import WordScorer


@dataclass(kw_only=True)
class GLEU(WordScorer):
    """Runs of one to four words in both texts, in percent of those of the text that has more: the
    lower of precision and recall, "Google BLEU" (Wu et al. 2016, section 4.5).

    Statistics: runs in both, each as often as in the text with fewer; runs of the text that has
    more. A corpus pools them, like NLTK's ``corpus_gleu``. With several references, each segment
    uses the one that scores highest. Without a run in either text the score is 0, as in NLTK.
    """

    slug = "gleu"
    name = "GLEU"
    family = "Runs of words"
    description = "Shared runs of one to four words, by precision or recall, whichever is lower."
    higher_is_better = True
    score_range = (0.0, 100.0)
    statistic_names = ("Runs of words in both", "Runs of the text that has more")

    max_order: int = 4

    def __post_init__(self) -> None:
        check_integer("max_order", self.max_order, 1)
        super().__post_init__()

    def _against(self, hypothesis: Encoded, reference: Encoded) -> Floats:
        matched = clipped_matches(hypothesis, [reference], self.max_order).sum(axis=1)
        ours, theirs = (
            ngram_totals(text.lengths, self.max_order).sum(axis=1)
            for text in (hypothesis, reference)
        )
        return np.stack([matched, np.maximum(ours, theirs)], axis=1).astype(np.float64)

    def _score(self, stats: Floats) -> Floats:
        matched, possible = stats[..., 0], stats[..., 1]
        return 100 * matched / np.where(possible > 0, possible, 1)

    def _signature_fields(self, level: str) -> dict[str, object]:
        pairs = super()._signature_fields(level)
        if self.max_order != 4:
            pairs["order"] = self.max_order
        return pairs
