"""Sampling error of corpus scores, from sufficient statistics of segments.

Every resample is a row of weights, so a thousand scores are one product ``weights @ stats`` and one
vectorized call of the scorer. Where segments of a document depend on one another, pass
``documents``: whole documents are then drawn or swapped. For all pairs of many systems at once, see
``metrics.stats.pairs``.
"""

from dataclasses import dataclass
from math import floor, isnan, nan
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from metrics.scorers.base import Scorer
from metrics.stats.draws import Floats, Sums
from metrics.stats.resamples import bootstrap_scores, count_as_large, is_worse

TOO_FEW = "fewer than 2 units to draw"
UNDEFINED = "a score is undefined"
_ONE_PAIR = np.array([[0, 1]])


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
    """Return percentile bootstrap interval of a corpus score (Koehn 2004): ``resamples`` draws of
    as many segments as there are, with replacement; the same share is dropped at either end.

    ``stats``: (n_segments, k); ``documents``: one label a segment.
    Raises ValueError where they do not fit.
    """
    units = units_of(stats, documents)
    estimate = float(scorer.score(units.sum(axis=0)))
    n = len(units)
    known: dict[str, Any] = {"estimate": estimate, "level": level, "n": n, "resamples": resamples}
    if reason := TOO_FEW if n < 2 else UNDEFINED if isnan(estimate) else "":
        return BootstrapInterval(low=nan, high=nan, reason=reason, **known)
    scores = bootstrap_scores(scorer, Sums(units[None]), rng=rng, resamples=resamples)[0]
    low, high = percentiles(scores, level)
    return BootstrapInterval(low=low, high=high, **known)


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
    """Return paired bootstrap (Koehn 2004): both systems are scored on the same draws.

    One-sided: c counts the draws in which the first system does not beat the second, and
    p = (c + 1) / (resamples + 1). Errors as in ``bootstrap_interval``.
    """
    units, known = _pair(scorer, stats_a, stats_b, documents, resamples)
    known["test"] = "paired bootstrap"
    if reason := TOO_FEW if known["n"] < 2 else UNDEFINED if isnan(known["difference"]) else "":
        return PairedTest(p_value=nan, reason=reason, **known)
    ours, theirs = bootstrap_scores(scorer, Sums(units), rng=rng, resamples=resamples)
    p_value = float((is_worse(scorer, ours - theirs).sum() + 1) / (resamples + 1))
    low, high = percentiles(ours - theirs, level)
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
    """Return approximate randomization (Riezler and Maxwell 2005): the outputs of each segment are
    swapped with probability ½.

    Two-sided: c counts the trials whose difference is at least as large as the one observed, and
    p = (c + 1) / (resamples + 1), so that identical systems get p = 1.
    Errors as in ``bootstrap_interval``.
    """
    units, known = _pair(scorer, stats_a, stats_b, documents, resamples)
    known["test"] = "approximate randomization"
    if isnan(known["difference"]):
        return PairedTest(p_value=nan, reason=UNDEFINED, **known)
    count = count_as_large(scorer, Sums(units), _ONE_PAIR, rng=rng, trials=resamples)[0]
    return PairedTest(p_value=float((count + 1) / (resamples + 1)), **known)


def units_of(stats: ArrayLike, documents: ArrayLike | None) -> Floats:
    """Return what is drawn: the statistics of segments, or their sums over documents; (..., n, s).

    ``stats``: (..., n_segments, s). Raise ValueError where the labels do not fit.
    """
    stats = np.asarray(stats, dtype=np.float64)
    if stats.ndim < 2 or not stats.shape[-2]:
        raise ValueError(f"Statistics must have the shape (n_segments, k), not {stats.shape}.")
    if documents is None:
        return stats
    labels, which = np.unique(np.asarray(documents), return_inverse=True)
    if which.shape != (stats.shape[-2],):
        raise ValueError(f"There are {stats.shape[-2]} segments but {which.size} document labels.")
    order = np.argsort(which, kind="stable")
    starts = np.searchsorted(which[order], np.arange(len(labels)))
    return np.add.reduceat(stats[..., order, :], starts, axis=-2)


def _pair(
    scorer: Scorer,
    stats_a: ArrayLike,
    stats_b: ArrayLike,
    documents: ArrayLike | None,
    resamples: int,
) -> tuple[Floats, dict[str, Any]]:
    """Return the units of two systems, (2, n, s), and what a result says of them."""
    ours, theirs = units_of(stats_a, documents), units_of(stats_b, documents)
    if ours.shape != theirs.shape:
        raise ValueError(f"Paired statistics differ in shape: {ours.shape} and {theirs.shape}.")
    difference = float(scorer.score(ours.sum(axis=0)) - scorer.score(theirs.sum(axis=0)))
    known = {"difference": difference, "n": len(ours), "resamples": resamples}
    return np.stack([ours, theirs]), known


def percentiles(values: Floats, level: float) -> tuple[float, float]:
    """Return the lowest and the highest value left when (1 - level) / 2 are dropped at either end.

    Draws without a score are left out first.
    """
    if not 0 < level < 1:
        raise ValueError(f"level must be between 0 and 1, not {level!r}.")
    ordered = np.sort(values[~np.isnan(values)])
    if not len(ordered):
        return nan, nan
    dropped = dropped_at_an_end(len(ordered), level)
    return float(ordered[dropped]), float(ordered[len(ordered) - 1 - dropped])


def dropped_at_an_end(n: int, level: float) -> int:
    """Return how many of ``n`` draws a percentile interval leaves out at either end."""
    return floor(round(n * (1 - level) / 2, 9))
