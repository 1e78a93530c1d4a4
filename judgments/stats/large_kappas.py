"""Pooled Cohen's kappa and Scott's pi of very many annotators, without listing pairs of ratings.

The same figures as `kappas.pairwise_cohen_kappa` gives with ``average="pooled"``, from sums: how
far the ratings of an item are apart follows from how often it got each value, and what is expected
of two annotators from how often each gave each value to the items that both rated, a product of two
sparse matrices for every value.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from judgments.stats.coefficients import (
    NO_PAIRS,
    NO_RATINGS,
    ONE_VALUE,
    Agreement,
    Ratings,
)
from judgments.stats.contingency import KAPPA, distances
from judgments.stats.resampling import BLOCK_CELLS
from judgments.stats.shared_items import by_annotator, by_item, by_value, given

NO_INTERVAL = "too many pairs of ratings for an interval"


def large_kappas_of(
    ratings: Ratings, codes: np.ndarray, k: int, readings: Sequence[tuple[str | None, bool]]
) -> tuple[Agreement, ...]:
    """Return a kappa for each of ``readings``: its weights, and whether chance is of pooled shares.

    Ratings of which each annotator gave an item one; ``codes`` are the places of their values among
    k categories. No intervals. Time grows with the square of the number of annotators who share
    items.
    """
    counts = ratings.counts_on(codes, k)
    sizes = ratings.sizes.astype(np.float64)
    names = [f"{KAPPA[pooled]} (pooled over pairs)" for _, pooled in readings]
    n_pairs = float((sizes * (sizes - 1)).sum() / 2)
    if not n_pairs:
        reason = NO_PAIRS if len(ratings) else NO_RATINGS
        return tuple(Agreement(name, math.nan, reason=reason) for name in names)
    settings = [(_distance(k, weights), pooled) for weights, pooled in readings]
    observed = [((counts @ far) * counts).sum() / 2 / n_pairs for far, _ in settings]
    by_chance = _by_chance(ratings)
    expected = [
        float((far[np.ix_(codes, codes)] * by_chance[int(pooled)]).sum()) / 2 / n_pairs
        for far, pooled in settings
    ]
    n = {
        "n_items": int((sizes > 1).sum()),
        "n_annotators": len(ratings.annotators_of(sizes > 1)),
        "n_pairs": round(n_pairs),
        "n_agreeing": round(float((counts * (counts - 1)).sum() / 2)),
    }
    return tuple(
        _kappa(name, float(found), by_luck, n)
        for name, found, by_luck in zip(names, observed, expected, strict=True)
    )


def _kappa(name: str, observed: float, expected: float, n: dict[str, int]) -> Agreement:
    kappa = 1 - observed / expected if expected > 1e-12 else math.nan
    return Agreement(
        name,
        kappa,
        p_observed=1 - observed,
        p_expected=1 - expected,
        d_observed=observed,
        d_expected=expected,
        reason=ONE_VALUE if math.isnan(kappa) else "",
        interval_reason=NO_INTERVAL,
        n_items=n["n_items"],
        n_annotators=n["n_annotators"],
        n_pairs=n["n_pairs"],
        n_agreeing=n["n_agreeing"],
    )


def _distance(k: int, weights: str | None) -> np.ndarray:
    found = distances(k, weights)
    return 1 - np.eye(k) if found is None else found


def _by_chance(ratings: Ratings) -> tuple[np.ndarray, np.ndarray]:
    """Return how often two annotators would give the values c and d (n_values, n_values) to what
    they share if each drew from the values that they gave to it, and if both drew from those of
    both.

    Summed over the pairs of annotators, both orders of each pair. All weights follow from these.
    """
    n, k = len(ratings.annotators), len(ratings.values)
    crossed, alike = np.zeros((k, k)), np.zeros((k, k))
    block = max(1, BLOCK_CELLS // max(2 * k * n, 1))
    for some, own, other in _given_in_blocks(ratings, block):
        shared = np.maximum(own.sum(axis=0), 1)
        shared[np.arange(len(some)), some] = np.inf  # nobody is paired with oneself
        weighted = (own / shared).reshape(k, -1)
        crossed += weighted @ other.reshape(k, -1).T
        alike += weighted @ own.reshape(k, -1).T
    return crossed, (2 * alike + crossed + crossed.T) / 4


def _given_in_blocks(
    ratings: Ratings, block: int
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Yield annotators (b,), and [c, a, b]: how often a of them gave the value c to items that b
    rated as well, and the reverse."""
    n = len(ratings.annotators)
    every = given(ratings)
    if every is not None:
        yield np.arange(n), every, every.transpose(0, 2, 1)
        return
    everyone, gave = by_item(ratings), by_value(ratings)
    people = by_annotator(ratings)
    for start in range(0, n, block):
        some = np.arange(start, min(start + block, n))
        own = np.array([(one[some] @ everyone).toarray() for one in gave])
        theirs = people[some].T
        yield some, own, np.array([(one @ theirs).toarray().T for one in gave])
