"""NEVA, WAFT and the difference in length of every segment: Forsbom's diagnosis of whole systems
(2003), in the numbers that `diagnostic.diagnose` gives for one segment."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .base import Floats, Stream, check_stream, prepared
from .neva import NEVA
from .substitutions import nearest_of
from .tokenizers import get_tokenizer
from .wer import WAFT


@dataclass(frozen=True, eq=False)
class WordFigures:
    """``neva`` and ``waft`` (n,), 0 to 100, over all references; ``longer`` (n,): words of the
    output − words of the reference with the highest WAFT (ties: the shorter). NaN for a segment
    without an output or a reference. ``closeness`` (n_references,): WAFT against each reference
    alone, over the segments with both."""

    neva: Floats
    waft: Floats
    longer: Floats
    closeness: Floats

    @property
    def difference(self) -> Floats:
        """NEVA − WAFT, in points; above 0 where order may be what is wrong."""
        return self.neva - self.waft


def word_figures(
    systems: Sequence[Stream],
    references: Sequence[Stream],
    *,
    tokenize: str = "13a",
    lowercase: bool = True,
) -> list[WordFigures]:
    """Return the figures of each system; all texts are cut once. At least one stream of references.

    Raises ValueError where texts cannot be tokenized.
    """
    for what, streams in (("Outputs", systems), ("References", references)):
        for stream in streams:
            check_stream(what, stream, may_miss=True)
    encoder = get_tokenizer(tokenize).encoder
    theirs = [encoder.encode(prepared(stream, lowercase)) for stream in references]
    missing = np.array([[text is None for text in stream] for stream in references])
    neva, waft = NEVA(tokenize=tokenize), WAFT(tokenize=tokenize)
    found = []
    for outputs in systems:
        ours = encoder.encode(prepared(outputs, lowercase))
        absent = np.array([text is None for text in outputs])
        undefined = absent | missing.all(axis=0)
        # Edits and the longer length against each reference, from which all but NEVA follows.
        alone = np.array([waft.statistics_of(ours, [text], missing) for text in theirs])
        with np.errstate(invalid="ignore"):
            scores = [
                np.where(undefined, np.nan, scorer.score(stats))
                for scorer, stats in (
                    (neva, neva.statistics_of(ours, theirs, missing)),
                    (waft, waft.best(alone, theirs, missing)),
                )
            ]
        nearest = nearest_of(alone[..., 0], alone[..., 1], theirs, missing)
        lengths = np.array([text.lengths for text in theirs])[nearest, np.arange(len(outputs))]
        longer = np.where(undefined, np.nan, ours.lengths - lengths)
        sums = [
            stats[~(absent | gone)].sum(axis=0) for stats, gone in zip(alone, missing, strict=True)
        ]
        found.append(WordFigures(scores[0], scores[1], longer, waft.score(np.array(sums))))
    return found
