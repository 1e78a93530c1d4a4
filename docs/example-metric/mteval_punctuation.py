"""Punctuation agreement: an example of a metric that another package brings to mteval."""

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from metrics.scorers import Scorer
from metrics.scorers.base import Floats, Stream, yes_no

# What writers of one language use side by side for the same mark.
ALIKE = str.maketrans("“”„«»‘’‚–—", '"""""\'\'\'--')


@dataclass(kw_only=True)
class PunctuationAgreement(Scorer):
    """F1 of punctuation marks, from 0 to 100: of those in the output and those in the reference,
    how many the two share, wherever they stand.

    Statistics: shared marks, marks of the output, marks of the reference. Of several references a
    segment takes the one with the highest F1. Without a mark on either side nothing disagrees: 100.

    ``alike``: take curly, low and straight quotation marks for the same, and dashes for hyphens.
    """

    slug = "punctuation"
    name = "Punctuation"
    family = "Words"
    description = "How many punctuation marks the output shares with the reference."
    higher_is_better = True
    score_range = (0.0, 100.0)

    alike: bool = True

    def _statistics(
        self, hypotheses: Sequence[str], references: Sequence[Stream], sources: Sequence[str]
    ) -> Floats:
        rows = []
        for hypothesis, *texts in zip(hypotheses, *references, strict=True):
            marks = self._marks(hypothesis)
            candidates = np.array(
                [compare(marks, self._marks(text)) for text in texts if text is not None],
                dtype=np.float64,
            )
            rows.append(candidates[np.argmax(self._score(candidates))])
        return np.array(rows)

    def _marks(self, text: str) -> Counter[str]:
        if self.alike:
            text = text.translate(ALIKE)
        return Counter(mark for mark in text if unicodedata.category(mark).startswith("P"))

    def _score(self, stats: Floats) -> Floats:
        shared, total = stats[..., 0], stats[..., 1] + stats[..., 2]
        return np.where(total > 0, 200 * shared / np.maximum(total, 1), 100.0)

    def _signature_fields(self, level: str) -> dict[str, object]:
        return {"alike": yes_no(self.alike)}


def compare(output: Counter[str], reference: Counter[str]) -> tuple[int, int, int]:
    """Shared marks, and those of each side."""
    return (output & reference).total(), output.total(), reference.total()
