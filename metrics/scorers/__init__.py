"""The automatic metrics. To add one, write a module and add one line to ``SCORERS``."""

from typing import Any

from .base import Scorer, count_references
from .bleu import BLEU
from .chrf import CHRF, CHRFPlusPlus
from .ter import TER

__all__ = ["SCORERS", "Scorer", "count_references", "get_scorer"]

SCORERS: dict[str, type[Scorer]] = {
    scorer.slug: scorer
    for scorer in (
        BLEU,
        CHRF,
        CHRFPlusPlus,
        TER,
    )
}


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
