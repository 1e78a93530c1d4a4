"""HTER, human-targeted translation edit rate (Snover et al. 2006)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .base import Floats, Scorer, Stream, yes_no
from .ter import TER
from .words import error_rate


@dataclass(kw_only=True)
class HTER(Scorer):
    """TER of an output against its own post-edits: the edits of a person who mended it, in percent
    of the words of the post-edit; 0 is best, no upper bound unless ``capped``.

    Statistics: edits and words of the post-edit that was reached with the lowest rate (ties: the
    shorter). A corpus pools them.

    ``capped``: count at most as many edits as the post-edit has words, segment by segment, so that
    no segment passes 100. The published figures of the data for quality estimation (Fomicheva et
    al. 2022) are capped; Snover et al. did not cap. The other options are those of TER.
    """

    slug = "hter"
    name = "HTER"
    family = "Edits"
    description = "How many words people changed or moved when they post-edited the output."
    same_as = "sacrebleu"
    higher_is_better = False
    score_range = (0.0, np.inf)
    targeted = True

    normalized: bool = False
    no_punct: bool = False
    asian_support: bool = False
    case_sensitive: bool = False
    capped: bool = False

    def __post_init__(self) -> None:
        options = {name: value for name, value in self.options().items() if name != "capped"}
        self._ter = TER(**options)

    def _statistics(
        self, hypotheses: Sequence[str], references: Sequence[Stream], sources: Sequence[str]
    ) -> Floats:
        best = np.full((len(hypotheses), 2), np.nan)
        for stream in references:
            there = [segment for segment, text in enumerate(stream) if text is not None]
            if not there:
                continue
            texts = [hypotheses[segment] for segment in there]
            rows = self._ter.statistics(texts, [[stream[segment] for segment in there]])
            best[there] = _better(best[there], rows)
        if self.capped:
            edits, length = best.T
            best[:, 0] = np.where(length > 0, np.minimum(edits, length), edits)
        return best

    def _score(self, stats: Floats) -> Floats:
        return 100 * error_rate(stats[..., 0], stats[..., 1])

    def details(self, stats: ArrayLike) -> list[tuple[str, float]]:
        """Return edits, and the length of the post-edits in words."""
        edits, length = np.asarray(stats, dtype=np.float64)
        return [("Edits", float(edits)), ("Length of the post-edits in words", float(length))]

    def _signature_fields(self, level: str) -> dict[str, object]:
        return {**self._ter._signature_fields(level), "cap": yes_no(self.capped)}


def _better(rows: Floats, others: Floats) -> Floats:
    """Return for each pair of rows the one with the lower rate, of equal rates the shorter."""
    rate, other_rate = (error_rate(*stats.T) for stats in (rows, others))
    rate[np.isnan(rows[:, 0])] = np.inf
    shorter = (other_rate == rate) & (others[:, 1] < rows[:, 1])
    return np.where(((other_rate < rate) | shorter)[:, None], others, rows)
