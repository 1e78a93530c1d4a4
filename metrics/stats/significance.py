"""Sampling error of corpus scores, from sufficient statistics of segments.

Every resample is a row of weights, so a thousand scores are one product ``weights @ stats`` and one
vectorized call of the scorer. Where segments of a document depend on one another, pass
``documents``: whole documents are then drawn or swapped.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import floor, nan
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics.scorers.base import Scorer

Floats = NDArray[np.float64]

_BLOCK_CELLS = 2_000_000  # weights held in memory at once


@dataclass(frozen=True, kw_only=True)
class BootstrapInterval:
    """A corpus score with its percentile interval; ``n`` units (segments or documents) drawn."""

    estimate: float
    low: float
    high: float
    level: float
    n: int
    resamples: int
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class PairedTest:
    """Two systems on the same segments.

    ``difference``: score of the first minus score of the second, in the metric's own direction;
    ``low``, ``high``: its percentile interval (bootstrap only); ``n``: units drawn or swapped.
    """

    test: str
    difference: float
    p_value: float
    n: int
    resamples: int
    low: float = nan
    high: float = nan
    level: float = nan
    reason: str = ""


def bootstrap_interval(
    scorer: Scorer,
    stats: ArrayLike,
    *,
    rng: np.random.Generator,
    resamples: int = 1000,
    level: float = 0.95,
    documents: ArrayLike | None = None,
) -> BootstrapInterval:
    """Percentile bootstrap interval of a corpus score (Koehn 2004): ``resamples`` draws of as many
    segments as there are, with replacement; the same share is dropped at either end.

    ``stats``: (n_segments, k); ``documents``: one label a segment.
    Raises ValueError where they do not fit.
    """
    units = _units(stats, documents)
    estimate = float(scorer.score(units.sum(axis=0)))
    n = len(units)
    known: dict[str, Any] = {"level": level, "n": n, "resamples": resamples}
    if n < 2:
        return BootstrapInterval(
            estimate=estimate, low=nan, high=nan, reason="fewer than 2 units to draw", **known
        )
    scores = _in_blocks(resamples, n, lambda size: scorer.score(_weights(rng, size, n) @ units))
    low, high = _percentiles(scores, level)
    return BootstrapInterval(estimate=estimate, low=low, high=high, **known)


def paired_bootstrap(
    scorer: Scorer,
    stats_a: ArrayLike,
    stats_b: ArrayLike,
    *,
    rng: np.random.Generator,
    resamples: int = 1000,
    level: float = 0.95,
    documents: ArrayLike | None = None,
) -> PairedTest:
    """Paired bootstrap (Koehn 2004): both systems are scored on the same draws.

    One-sided: c counts the draws in which the first system does not beat the second, and
    p = (c + 1) / (resamples + 1). Errors as in ``bootstrap_interval``.
    """
    ours, theirs = _paired_units(stats_a, stats_b, documents)
    difference = float(scorer.score(ours.sum(axis=0)) - scorer.score(theirs.sum(axis=0)))
    n = len(ours)
    known: dict[str, Any] = {
        "test": "paired bootstrap",
        "difference": difference,
        "n": n,
        "resamples": resamples,
    }
    if n < 2:
        return PairedTest(p_value=nan, reason="fewer than 2 units to draw", **known)

    def differences(size: int) -> Floats:
        weights = _weights(rng, size, n)
        return scorer.score(weights @ ours) - scorer.score(weights @ theirs)

    drawn = _in_blocks(resamples, n, differences)
    better = drawn > 0 if scorer.higher_is_better else drawn < 0
    p_value = float((np.sum(~better) + 1) / (resamples + 1))
    low, high = _percentiles(drawn, level)
    return PairedTest(p_value=p_value, low=low, high=high, level=level, **known)


def approximate_randomization(
    scorer: Scorer,
    stats_a: ArrayLike,
    stats_b: ArrayLike,
    *,
    rng: np.random.Generator,
    resamples: int = 10_000,
    documents: ArrayLike | None = None,
) -> PairedTest:
    """Approximate randomization (Riezler and Maxwell 2005): the outputs of each segment are swapped
    with probability ½.

    Two-sided: c counts the trials whose difference is at least as large as the one observed, and
    p = (c + 1) / (resamples + 1), so that identical systems get p = 1.
    Errors as in ``bootstrap_interval``.
    """
    ours, theirs = _paired_units(stats_a, stats_b, documents)
    total, second = ours.sum(axis=0) + theirs.sum(axis=0), theirs.sum(axis=0)
    difference = float(scorer.score(total - second) - scorer.score(second))
    n = len(ours)
    gain = ours - theirs

    def differences(size: int) -> Floats:
        kept = rng.integers(0, 2, size=(size, n), dtype=np.int8).astype(np.float64)
        first = second + kept @ gain
        return np.abs(scorer.score(first) - scorer.score(total - first))

    drawn = _in_blocks(resamples, n, differences)
    # Equal differences may differ by rounding where statistics are not whole numbers.
    as_large = drawn >= abs(difference) * (1 - 1e-9)
    return PairedTest(
        test="approximate randomization",
        difference=difference,
        p_value=float((as_large.sum() + 1) / (resamples + 1)),
        n=n,
        resamples=resamples,
    )


def _units(stats: ArrayLike, documents: ArrayLike | None) -> Floats:
    """What is drawn: the statistics of segments, or their sums over documents."""
    stats = np.asarray(stats, dtype=np.float64)
    if stats.ndim != 2 or not len(stats):
        raise ValueError(f"Statistics must have the shape (n_segments, k), not {stats.shape}.")
    if documents is None:
        return stats
    labels, which = np.unique(np.asarray(documents), return_inverse=True)
    if which.shape != (len(stats),):
        raise ValueError(f"There are {len(stats)} segments but {which.size} document labels.")
    units = np.zeros((len(labels), stats.shape[1]))
    np.add.at(units, which, stats)
    return units


def _paired_units(
    stats_a: ArrayLike, stats_b: ArrayLike, documents: ArrayLike | None
) -> tuple[Floats, Floats]:
    ours, theirs = _units(stats_a, documents), _units(stats_b, documents)
    if ours.shape != theirs.shape:
        raise ValueError(f"Paired statistics differ in shape: {ours.shape} and {theirs.shape}.")
    return ours, theirs


def _weights(rng: np.random.Generator, size: int, n: int) -> Floats:
    """How often each of n units is drawn, in each of ``size`` draws of n: (size, n)."""
    drawn = rng.integers(0, n, size=(size, n)) + np.arange(size)[:, None] * n
    counts = np.bincount(drawn.ravel(), minlength=size * n)
    return counts.reshape(size, n).astype(np.float64)


def _in_blocks(resamples: int, n: int, draw: Callable[[int], Floats]) -> Floats:
    """``resamples`` values, drawn in blocks that fit into memory."""
    if resamples < 1:
        raise ValueError(f"resamples must be at least 1, not {resamples!r}.")
    block = max(1, _BLOCK_CELLS // n)
    sizes = [min(block, resamples - start) for start in range(0, resamples, block)]
    return np.concatenate([np.atleast_1d(draw(size)) for size in sizes])


def _percentiles(values: Floats, level: float) -> tuple[float, float]:
    """The lowest and the highest value left when (1 - level) / 2 are dropped at either end."""
    if not 0 < level < 1:
        raise ValueError(f"level must be between 0 and 1, not {level!r}.")
    ordered = np.sort(values)
    dropped = floor(round(len(values) * (1 - level) / 2, 9))
    return float(ordered[dropped]), float(ordered[len(values) - 1 - dropped])
