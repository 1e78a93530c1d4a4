"""The automatic metrics. To add one, write a module and add one line to ``METRICS``.

Metrics of other packages join them (see ``plugins``); ``PLUGIN_PROBLEMS`` holds those left out.
"""

from importlib import import_module
from typing import Any

from .base import Scorer, count_references
from .plugins import find_plugins

__all__ = ["PLUGIN_PROBLEMS", "SCORERS", "Scorer", "count_references", "get_scorer"]

# Module and class, in the order of pages.
METRICS = (
    "bleu:BLEU",
    "nist:NIST",
    "gleu:GLEU",
    "chrf:CHRF",
    "chrf:CHRFPlusPlus",
    "ter:TER",
    "hter:HTER",
    "wer:WER",
    "word_overlap:PER",
    "wer:WordAccuracy",
    "wer:WAFT",
    "neva:NEVA",
    "word_overlap:Precision",
    "word_overlap:Recall",
    "word_overlap:FMeasure",
    "ribes:RIBES",
    "meteor:METEOR",
    "neural:COMET",
    "neural:CometKiwi",
    "neural:MetricX",
    "neural:MetricXQE",
    "neural:BERTScore",
    "neural:BLEURT",
    "ngram_lm:NgramLM",
    "alignment:AER",
    "alignment:AlignmentError",
    "sentinels:LengthRatio",
    "sentinels:SourceLength",
    "sentinels:RandomScore",
    "uploads:Uploaded",
)


def _load(metric: str) -> type[Scorer]:
    module, _, name = metric.partition(":")
    return getattr(import_module(f".{module}", __name__), name)


SCORERS: dict[str, type[Scorer]] = {scorer.slug: scorer for scorer in map(_load, METRICS)}
_plugins, PLUGIN_PROBLEMS = find_plugins(SCORERS)
SCORERS |= _plugins


def get_scorer(slug: str, **options: Any) -> Scorer:
    """Return the metric ``slug`` with ``options``.

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
