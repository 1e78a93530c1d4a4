"""Weights of a decoder, tuned on texts whose translation is known: the loop around the line search.

The n best translations change with the weights, so they are found again with what was tuned, and
tuning goes on over all that were ever found (Och 2003, section 5).
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from metrics.scorers import get_scorer

from .tuning import LEAST_GAIN, NBestList, chosen_score, tune

ROUNDS = 3
N_BEST = 50

Words = tuple[str, ...]
Weights = tuple[float, ...]


class PathLike(Protocol):
    @property
    def words(self) -> Words: ...

    @property
    def features(self) -> tuple[float, ...]: ...


class DecoderLike(Protocol):
    """Anything with weights that gives the best translations under them, best first."""

    weights: Weights

    def paths(self, sentence: Sequence[str], n: int) -> Sequence[PathLike]: ...


class Tuning(NamedTuple):
    """``n``: on so many pairs that were set aside; BLEU there (on tokens) with the weights from
    before and with the tuned ones."""

    n: int
    before: float
    after: float


def tune_decoder(
    decoder: DecoderLike,
    sources: Sequence[Words],
    targets: Sequence[Words],
    rng: np.random.Generator,
) -> tuple[Weights, Tuning]:
    """Tune a decoder's weights: translate with the n best, tune on all lists so far, and again with
    what was found. The best weights of all rounds, as measured by a translation with them."""
    bleu = get_scorer("bleu", tokenize="none")
    references = [" ".join(target) for target in targets]
    known: list[dict[Words, PathLike]] = [{} for _ in sources]
    weights: Weights = decoder.weights
    scores: list[tuple[float, Weights]] = []
    for _ in range(ROUNDS + 1):
        decoder.weights = weights
        firsts = _translated(decoder, sources, known)
        score = float(bleu.score(bleu.statistics(firsts, [references]).sum(axis=0)))
        scores.append((score, weights))
        candidates = [
            _candidates(lists, ref, bleu) for lists, ref in zip(known, references, strict=True)
        ]
        found = tune(candidates, weights, bleu.score, rng=rng)
        if found.score <= chosen_score(candidates, np.array(weights), bleu.score) + LEAST_GAIN:
            break
        weights = tuple(found.weights.tolist())
    best = max(scores, key=lambda each: each[0])
    return best[1], Tuning(len(sources), scores[0][0], best[0])


def _translated(
    decoder: DecoderLike, sources: Sequence[Words], known: Sequence[dict[Words, PathLike]]
) -> list[str]:
    """Return the best translation of each source; all of the n best are added to what is known."""
    firsts = []
    for source, lists in zip(sources, known, strict=True):
        paths = decoder.paths(source, N_BEST)
        firsts.append(" ".join(paths[0].words))
        for path in paths:
            lists.setdefault(path.words, path)
    return firsts


def _candidates(lists: dict[Words, PathLike], reference: str, bleu) -> NBestList:
    texts = [" ".join(words) for words in lists]
    return NBestList(
        np.array([path.features for path in lists.values()]),
        bleu.statistics(texts, [[reference] * len(texts)]),
    )
