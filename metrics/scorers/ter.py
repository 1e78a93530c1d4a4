"""TER, translation edit rate (Snover et al. 2006), with sacreBLEU's defaults and figures."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

from .base import Floats, Scorer, Stream, yes_no
from .edits import as_characters, count_edits


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

    def _statistics(
        self, hypotheses: Sequence[str], references: Sequence[Stream], sources: Sequence[str]
    ) -> Floats:
        stats = np.empty((len(hypotheses), 2))
        for segment, (hypothesis, *texts) in enumerate(zip(hypotheses, *references, strict=True)):
            words = [self._reference_words(text) for text in texts if text is not None]
            output, *wanted = as_characters(self._words(hypothesis), *words)
            stats[segment, 0] = min(count_edits(output, reference) for reference in wanted)
            stats[segment, 1] = sum(map(len, wanted)) / len(wanted)
        return stats

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
        """Edits, and the length of the references in words."""
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
