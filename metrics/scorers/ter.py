"""TER, translation edit rate (Snover et al. 2006), with sacreBLEU's defaults and figures."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

from .base import Floats, Scorer, Stream, yes_no
from .edits import EncodedReference, count_edits


@dataclass(kw_only=True)
class TER(Scorer):
    """Edits and shifts in percent of the average reference length; 0 is best, no upper bound.

    Statistics: the edits to the nearest reference, the average length of the references.

    ``normalized``: separate punctuation. ``no_punct``: remove it. ``asian_support``: with either,
    do so for Chinese and Japanese too, and split their characters.
    """

    slug = "ter"
    name = "TER"
    family = "Edits"
    description = "How many words must be changed or moved to turn the output into the reference."
    same_as = "sacrebleu"
    higher_is_better = False
    score_range = (0.0, np.inf)

    normalized: bool = False
    no_punct: bool = False
    asian_support: bool = False
    case_sensitive: bool = False

    def __post_init__(self) -> None:
        self._tokenizer = TercomTokenizer(**self.options())
        # References come again with every system, and systems often give the same output.
        self._reference = lru_cache(maxsize=5_000)(self._read_reference)
        self._edits = lru_cache(maxsize=50_000)(self._count_edits)

    def _statistics(
        self, hypotheses: Sequence[str], references: Sequence[Stream], sources: Sequence[str]
    ) -> Floats:
        stats = np.empty((len(hypotheses), 2))
        for segment, (hypothesis, *texts) in enumerate(zip(hypotheses, *references, strict=True)):
            present = [text for text in texts if text is not None]
            stats[segment, 0] = min(self._edits(hypothesis, text) for text in present)
            stats[segment, 1] = sum(len(self._reference(text).text) for text in present) / len(
                present
            )
        return stats

    def _count_edits(self, hypothesis: str, reference: str) -> int:
        return count_edits(self._words(hypothesis), self._reference(reference))

    def _read_reference(self, text: str) -> EncodedReference:
        return EncodedReference(self._reference_words(text))

    def _words(self, text: str) -> list[str]:
        if self.normalized or self.no_punct:
            return self._tokenizer(text.rstrip()).split()
        return (text if self.case_sensitive else text.lower()).split()

    def _reference_words(self, text: str) -> list[str]:
        words = self._words(text)
        if self.normalized or self.no_punct:
            # sacreBLEU tokenizes references twice, and the second time may find something to split.
            return self._words(" ".join(words))
        return words

    def _score(self, stats: Floats) -> Floats:
        edits, length = stats[..., 0], stats[..., 1]
        with np.errstate(divide="ignore", invalid="ignore"):
            rate = np.where(length > 0, edits / length, edits > 0)
        return 100 * rate

    def details(self, stats: ArrayLike) -> list[tuple[str, float]]:
        """Return edits, and the length of the references in words."""
        edits, length = np.asarray(stats, dtype=np.float64)
        return [("Edits", float(edits)), ("Reference length in words", float(length))]

    def _signature_fields(self, level: str) -> dict[str, object]:
        return {
            "case": "mixed" if self.case_sensitive else "lc",
            "tok": self._tokenizer.signature(),
            "norm": yes_no(self.normalized),
            "punct": yes_no(not self.no_punct),
            "asian": yes_no(self.asian_support),
        }
