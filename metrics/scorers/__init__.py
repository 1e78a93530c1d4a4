"""The automatic metrics. To add one, write a module and add one line to ``SCORERS``.

Metrics of other packages join them (see ``plugins``); ``PLUGIN_PROBLEMS`` holds those left out.
"""

from typing import Any

from .alignment import AER, AlignmentError
from .base import Scorer, count_references
from .bleu import BLEU
from .chrf import CHRF, CHRFPlusPlus
from .hter import HTER
from .neva import NEVA
from .ngram_lm import NgramLM
from .nist import NIST
from .plugins import find_plugins
from .sentinels import LengthRatio, RandomScore, SourceLength
from .ter import TER
from .uploaded import Uploaded
from .wer import WAFT, WER, WordAccuracy
from .word_overlap import PER, FMeasure, Precision, Recall

__all__ = ["PLUGIN_PROBLEMS", "SCORERS", "Scorer", "count_references", "get_scorer"]

SCORERS: dict[str, type[Scorer]] = {
    scorer.slug: scorer
    for scorer in (
        BLEU,
        NIST,
        CHRF,
        CHRFPlusPlus,
        TER,
        HTER,
        WER,
        PER,
        WordAccuracy,
        WAFT,
        NEVA,
        Precision,
        Recall,
        FMeasure,
        NgramLM,
        AER,
        AlignmentError,
        LengthRatio,
        SourceLength,
        RandomScore,
        Uploaded,
    )
}
_plugins, PLUGIN_PROBLEMS = find_plugins(SCORERS)
SCORERS |= _plugins


def get_scorer(slug: str, **options: Any) -> Scorer:
    """The metric ``slug`` with ``options``.

    Raises ValueError, naming what is known, for an unknown slug, option or value of an option.
    """
    if slug not in SCORERS:
        raise ValueError(f"Unknown metric {slug!r}; known metrics: {', '.join(SCORERS)}.")
    scorer = SCORERS[slug]
    known = scorer.option_names()
    for name in options:
        if name not in known:
            raise ValueError(
                f"Unknown option {name!r} of metric {slug!r}; known options: {', '.join(known)}."
            )
    return scorer(**options)
