"""Examples of the source documents as input of scorers: a few words, counts and scores."""

import numpy as np
import pytest

from metrics.scorers import get_scorer

from .shared import shared_data


def stats_of(slug: str, output: str, *references: str, **options) -> np.ndarray:
    return get_scorer(slug, **options).statistics([output], [[text] for text in references])[0]


def score_of(slug: str, output: str, *references: str, **options) -> float:
    """Return the score from 0 to 1, by default without changes to the words."""
    if slug != "ter":
        options = {"tokenize": "none", **options}
    stats = stats_of(slug, output, *references, **options)
    return float(get_scorer(slug, **options).score(stats)) / 100


def matches(output: str, *references: str, **options) -> list[tuple[int, int]]:
    """Return clipped matches and n-grams of each order, as BLEU counts them."""
    _, _, *counts = stats_of("bleu", output, *references, **options).astype(int).tolist()
    return list(zip(counts[:4], counts[4:], strict=True))


def details(output: str, *references: str, **options) -> dict[str, float]:
    stats = stats_of("bleu", output, *references, **options)
    return dict(get_scorer("bleu", **options).details(stats))


def document(number: str) -> str:
    """Return the text of the source document with this number; skips if it is missing."""
    found = list((shared_data().parent / "seeds").glob(f"{number}_*.txt"))
    if not found:
        pytest.skip("needs shared/seeds beside the checkout")
    return found[0].read_text(encoding="utf-8")
