"""Coefficients over systems for many resamples at once, and their percentile intervals.

A resample draws segments and systems, both with replacement (Deutsch, Dror and Roth 2021). A system
drawn twice is tied with itself in both scores; pairs of a system with itself do not count for
accuracies.
"""

from dataclasses import dataclass
from math import nan

import numpy as np
from numpy.typing import NDArray

from judgments.stats.resampling import percentile_bounds

Floats = NDArray[np.float64]
# A metric whose coefficient is undefined in more than half of the resamples gets no interval.
LEAST_DEFINED = 0.5
FEWEST_SYSTEMS = 3
NAMES = ("pearson", "spearman", "kendall", "accuracy", "accuracy_separated")


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """A percentile interval; NaN with a reason if too few resamples have a value."""

    low: float = nan
    high: float = nan
    n_undefined: int = 0
    reason: str = ""


def draw_systems(rng: np.random.Generator, n_systems: int, resamples: int) -> NDArray[np.intp]:
    """Return the systems of each resample, (resamples, n_systems)."""
    return rng.integers(0, n_systems, size=(resamples, n_systems)).astype(np.intp)


def counts_of(drawn: NDArray[np.intp], n: int) -> Floats:
    """Return how often each of n units is in each draw (B, units drawn), (B, n)."""
    places = drawn + np.arange(len(drawn))[:, None] * n
    return np.bincount(places.ravel(), minlength=len(drawn) * n).reshape(-1, n).astype(np.float64)


def resampled_coefficients(
    human: Floats, metric: Floats, drawn: NDArray, separated: NDArray[np.bool_] | None = None
) -> dict[str, Floats]:
    """Return the coefficients of every resample, each (B,), under the names in `NAMES`.

    `human`, `metric`: scores of all systems in each resample of segments, (B, S), or (S,) if
    segments are not drawn; `drawn`: (B, S) from `draw_systems`; `separated` (S, S): the pairs
    counted by "accuracy_separated". Systems without a score are left out of the resamples; a
    coefficient of fewer than three different systems is NaN.
    """
    shape = drawn.shape
    x = np.take_along_axis(np.broadcast_to(human, shape), drawn, axis=1)
    y = np.take_along_axis(np.broadcast_to(metric, shape), drawn, axis=1)
    there = ~(np.isnan(x) | np.isnan(y))
    ordered = np.sort(np.where(there, drawn, -1), axis=1)
    is_new = (np.diff(ordered, axis=1, prepend=-1) > 0) & (ordered >= 0)
    enough = is_new.sum(axis=1) >= FEWEST_SYSTEMS
    found = {
        "pearson": masked_pearson(x, y, there),
        "spearman": masked_pearson(masked_ranks(x, there), masked_ranks(y, there), there),
        **pair_coefficients(x, y, there, drawn, separated),
    }
    return {name: np.where(enough, found[name], nan) for name in NAMES}


def masked_pearson(x: Floats, y: Floats, there: NDArray[np.bool_]) -> Floats:
    """Return Pearson's r of each row over the places in ``there``, NaN if a row does not vary."""
    x, y = centered(x, there), centered(y, there)
    scale = np.sqrt((x**2).sum(axis=1) * (y**2).sum(axis=1))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(scale > 0, (x * y).sum(axis=1) / scale, nan).clip(-1, 1)


def centered(values: Floats, there: NDArray[np.bool_]) -> Floats:
    """Return each row minus its mean; 0 where values are missing, and in a row that does not
    vary."""
    values = np.where(there, values, 0)
    n = np.maximum(there.sum(axis=1, keepdims=True), 1)
    found = np.where(there, values - values.sum(axis=1, keepdims=True) / n, 0)
    largest = np.abs(values).max(axis=1, keepdims=True, initial=0)
    # Differences at the 13th digit are rounding, not variation.
    varies = np.abs(found).max(axis=1, keepdims=True, initial=0) > 1e-13 * largest
    return np.where(varies, found, 0)


def masked_ranks(values: Floats, there: NDArray[np.bool_]) -> Floats:
    """Return ranks within each row, equal values sharing their mean rank; missing ones are
    ignored."""
    less = values[:, :, None] > values[:, None, :]
    equal = values[:, :, None] == values[:, None, :]
    among = there[:, None, :]
    return (less & among).sum(axis=2) + ((equal & among).sum(axis=2) + 1) / 2


def pair_coefficients(
    x: Floats,
    y: Floats,
    there: NDArray[np.bool_],
    drawn: NDArray,
    separated: NDArray[np.bool_] | None = None,
) -> dict[str, Floats]:
    """Return Kendall's tau-b over all pairs, and pairwise accuracies over pairs of different
    systems."""
    first, second = np.triu_indices(x.shape[1], 1)
    both = there[:, first] & there[:, second]
    with np.errstate(invalid="ignore"):
        dx = np.where(both, np.sign(x[:, first] - x[:, second]), 0)
        dy = np.where(both, np.sign(y[:, first] - y[:, second]), 0)
    pairs = both & (drawn[:, first] != drawn[:, second])
    with np.errstate(divide="ignore", invalid="ignore"):
        size = np.sqrt((dx != 0).sum(axis=1) * (dy != 0).sum(axis=1))
        tau = (dx * dy).sum(axis=1) / size
        accuracy = (pairs & (dx == dy)).sum(axis=1) / pairs.sum(axis=1)
        if separated is None:
            return {"kendall": tau, "accuracy": accuracy, "accuracy_separated": accuracy * nan}
        pairs &= separated[drawn[:, first], drawn[:, second]]
        apart = (pairs & (dx == dy)).sum(axis=1) / pairs.sum(axis=1)
    return {"kendall": tau, "accuracy": accuracy, "accuracy_separated": apart}


def resampled_pair_means(values: Floats, drawn: NDArray) -> Floats:
    """Return the mean over the pairs of different systems in each resample, (B,), of a symmetric
    matrix (S, S) with a value for each pair, NaN if missing; for soft pairwise accuracy. NaN for
    resamples of fewer than three different systems, as above."""
    first, second = np.triu_indices(drawn.shape[1], 1)
    one, other = drawn[:, first], drawn[:, second]
    of_pairs = np.where(one == other, nan, values[one, other])
    n = (~np.isnan(of_pairs)).sum(axis=1)
    n_different = (np.diff(np.sort(drawn, axis=1), axis=1) > 0).sum(axis=1) + 1
    is_defined = (n > 0) & (n_different >= FEWEST_SYSTEMS)
    return np.nansum(of_pairs, axis=1) / np.where(is_defined, n, nan)


def bounds(values: Floats, level: float) -> Bounds:
    """Return the interval of one statistic's resampled values, (B,)."""
    n_undefined = int(np.isnan(values).sum())
    if len(values) - n_undefined < LEAST_DEFINED * len(values) or not len(values):
        return Bounds(n_undefined=n_undefined, reason="too few resamples have a value")
    low, high = percentile_bounds(values, level)
    return Bounds(low=float(low), high=float(high), n_undefined=n_undefined)
