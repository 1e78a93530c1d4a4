"""Word links of pairs of sentences, learned from the pairs alone.

Two directions are trained (ibm_models), each word linked to the one that most probably made it, and
both made one (symmetrization).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from .ibm_models import Floats, Lexicon, matrices, train_lexicon
from .symmetrization import METHODS, Link, Links

MODELS = ("diagonal", "ibm1")
# Of longer texts the beginning is aligned.
LONGEST = 200
# A lexicon is learned from pairs of so many cells together, taken evenly from all.
MOST_CELLS = 10_000_000

Texts = Sequence[Sequence[str]]


@dataclass(frozen=True)
class AlignedTexts:
    """``links``: of each pair, sorted (source place, target place) from 0.

    ``probabilities``: of each pair one number a link, the mean of what both directions give it.
    ``support``: of each pair one number a source word, the highest such mean over the words of the
    target: how far anything answers to it. NaN for words that were cut off. ``cut``: the pairs of
    which one text is longer than ``LONGEST`` words.
    """

    links: tuple[Links, ...]
    probabilities: tuple[Floats, ...]
    support: tuple[Floats, ...]
    cut: tuple[int, ...]


@dataclass(frozen=True)
class Aligner:
    """What was learned: p(target word | source word) and the other way round.

    ``n_pairs``: of so many pairs of texts; ``n_given``: out of so many.
    """

    model: str
    tension: float | None
    null: float
    prefix: int
    forward: Lexicon
    backward: Lexicon
    n_pairs: int
    n_given: int

    def align(
        self, sources: Texts, targets: Texts, *, method: str = "grow-diag-final-and"
    ) -> AlignedTexts:
        """Link the words of pairs of texts, of those it learned from or of others.

        Raises ValueError for a method that is none of METHODS, or lists of different lengths.
        """
        if method not in METHODS:
            raise ValueError(f"method must be one of {', '.join(METHODS)}, not {method}.")
        combine = METHODS[method]
        links, probabilities, support = [], [], []
        for source, there, back in zip(sources, *self._directions(sources, targets), strict=True):
            mean = (there[:, :-1] + back[:, :-1].T) / 2
            found = combine(_best(there), {(i, j) for j, i in _best(back)})
            links.append(found)
            places = np.array(found, dtype=np.int64).reshape(-1, 2)
            probabilities.append(mean[places[:, 1], places[:, 0]])
            answered = np.full(len(source), np.nan)
            answered[: mean.shape[1]] = mean.max(axis=0, initial=0)
            support.append(answered)
        pairs = enumerate(zip(sources, targets, strict=True))
        cut = tuple(k for k, pair in pairs if max(map(len, pair)) > LONGEST)
        return AlignedTexts(tuple(links), tuple(probabilities), tuple(support), cut)

    def _directions(self, sources: Texts, targets: Texts):
        options: dict[str, Any] = {"tension": self.tension, "null": self.null}
        givers, made = (_prepared(texts, self.prefix) for texts in (sources, targets))
        return (
            matrices(self.forward, givers, made, **options),
            matrices(self.backward, made, givers, **options),
        )


def train_aligner(
    sources: Texts,
    targets: Texts,
    *,
    model: str = "diagonal",
    iterations: int = 5,
    tension: float = 4.0,
    null: float = 0.08,
    prefix: int = 4,
) -> Aligner:
    """Learn from pairs of texts, which are lists of words.

    ``model``: IBM 2 with the diagonal prior, or IBM 1. ``tension``, ``null``: λ and p0 of the
    prior, as fast_align begins with them (Dyer et al. 2013). ``prefix``: words are known by their
    first characters, in lower case, which stands for stemming where there are few pairs (Fraser and
    Marcu 2005, "ISI's participation in the Romanian-English alignment task"); 0 for whole words.

    Raises ValueError for another model, numbers outside their ranges, or lists of different
    lengths.
    """
    if model not in MODELS:
        raise ValueError(f"model must be one of {', '.join(MODELS)}, not {model}.")
    if iterations < 1 or prefix < 0 or tension < 0 or not 0 < null < 1:
        raise ValueError("iterations ≥ 1, prefix ≥ 0, tension ≥ 0 and 0 < null < 1 are needed.")
    if len(sources) != len(targets):
        raise ValueError(f"{len(sources)} sources and {len(targets)} targets are no pairs.")
    strength = None if model == "ibm1" else tension
    chosen = _evenly(sources, targets)
    givers, made = (_prepared([texts[k] for k in chosen], prefix) for texts in (sources, targets))
    options: dict[str, Any] = {"iterations": iterations, "tension": strength, "null": null}
    return Aligner(
        model,
        strength,
        null,
        prefix,
        train_lexicon(givers, made, **options),
        train_lexicon(made, givers, **options),
        len(chosen),
        len(sources),
    )


def align(
    sources: Texts, targets: Texts, *, method: str = "grow-diag-final-and", **options
) -> AlignedTexts:
    """Learn from pairs of texts and link their words; ``options`` are those of train_aligner."""
    return train_aligner(sources, targets, **options).align(sources, targets, method=method)


def _best(posteriors: Floats) -> set[Link]:
    """Return each row's best column, none where that is the last, NULL: (column, row)."""
    if not posteriors.size:
        return set()
    best = posteriors.argmax(axis=1)
    last = posteriors.shape[1] - 1
    return {(int(column), row) for row, column in enumerate(best) if column < last}


def _prepared(texts: Texts, prefix: int) -> list[list[str]]:
    end = prefix or None
    return [[word.lower()[:end] for word in islice(text, LONGEST)] for text in texts]


def _evenly(sources: Texts, targets: Texts) -> list[int]:
    """Return which pairs are learned from: all, or evenly so many that their cells stay in
    bounds."""
    sizes = [
        min(len(source), LONGEST) * min(len(target), LONGEST)
        for source, target in zip(sources, targets, strict=True)
    ]
    step = -(-sum(sizes) // MOST_CELLS) or 1
    return [k for k in range(0, len(sizes), step) if sizes[k]]
