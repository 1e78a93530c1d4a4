"""Correlation of segment scores in groups: all together, by item, or by system.

No grouping rewards a metric for knowing which sources are hard; by item compares the systems of one
source at a time, by system the segments of one system. Of the coefficients, some are averaged over
groups (Pearson, Spearman, tau-b, tau-c, tau23, acc_eq), others pool the pairs of all groups, as the
campaigns did that introduced them (WMT12, WMT13, WMT14, daRR).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics.stats.columns import (
    FEWEST,
    ColumnPairCounts,
    Floats,
    align,
    check,
    count_pairs,
    kendall_columns,
    pearson_columns,
    regroup,
    spearman_columns,
)
from metrics.stats.pools import POOLED, pooled_tau
from metrics.stats.ties import calibrate_all

UNDEFINED = ("skip", "zero")


@dataclass(frozen=True, kw_only=True)
class Grouped:
    """A coefficient of M metrics with people, over groups of segment scores.

    ``estimates`` (M,): means over groups, or of pooled pairs; ``n_groups`` (M,):
    groups that have a coefficient (or a pair, if pooled), ``n_undefined`` (M,): groups that have
    none; ``undefined``: whether these were left out ("skip") or counted as 0 ("zero"); ``n`` (M,):
    outputs with both scores; ``epsilons`` (M,): how close scores count as a tie, NaN for
    coefficients without calibration; ``reasons`` (M,): why an estimate is NaN, else empty.
    """

    coefficient: str
    grouping: str
    estimates: Floats
    n_groups: NDArray[np.int64]
    n_undefined: NDArray[np.int64]
    undefined: str
    n: NDArray[np.int64]
    epsilons: Floats
    reasons: tuple[str, ...]


def grouped(
    human: ArrayLike,
    metrics: ArrayLike,
    *,
    grouping: str = "item",
    coefficient: str = "kendall-b",
    undefined: str = "skip",
    threshold: float = 25,
    fewest: int = FEWEST,
    counts: ColumnPairCounts | None = None,
) -> Grouped:
    """Return how well each of M metrics follows people on segments.

    ``human``: (S, N) scores of S systems on N segments; ``metrics``: (M, S, N); higher is better in
    both, NaN is missing. ``grouping``: "none" takes all outputs as one group, "item" the systems of
    one segment, "system" the segments of one system. ``coefficient``: a key of ``COEFFICIENTS``:

    - "pearson", "spearman", "kendall-b", "kendall-c": of at least ``fewest`` outputs in a group
      (with 2, as in mt-metrics-eval, a group of two counts as 1 or -1);
    - "difference-pearson": ``difference_pearson``;
    - "tau23": (C + T_hm - D - T_h - T_m) / all pairs; "acc_eq": (C + T_hm) / all pairs (Deutsch,
      Foster and Freitag 2023); "acc_eq*": acc_eq after tie calibration (``metrics.stats.ties``);
    - "kendall-12", "kendall-13", "kendall-14": pairs tied by people are dropped, pairs tied by the
      metric are discordant (WMT12), dropped (WMT13), or count in the denominator alone (WMT14); see
      Macháček and Bojar (2014);
    - "daRR": pairs whose human scores differ by ``threshold`` or more, a tie of the metric
      discordant (Ma et al. 2018).

    ``undefined``: "skip" leaves groups without a coefficient out, "zero" counts them as 0; groups
    without two common outputs are always left out. ``counts``: of ``counts_of``, if known.
    Raises ValueError for arrays that do not fit and for unknown names.
    """
    human, metrics = check(human, metrics)
    if coefficient not in COEFFICIENTS:
        raise ValueError(
            f"coefficient must be one of {', '.join(COEFFICIENTS)}, not {coefficient!r}."
        )
    if undefined not in UNDEFINED:
        raise ValueError(f"undefined must be 'skip' or 'zero', not {undefined!r}.")
    human, metrics = regroup(human, metrics, grouping)
    options = (undefined, threshold, fewest, counts)
    estimates, has_value, epsilons = _over_groups(human, metrics, coefficient, *options)
    n_groups = has_value.sum(axis=1)
    missing = {
        "none": "the coefficient is undefined",
        "item": "no segment has a coefficient",
        "system": "no system has a coefficient",
    }
    return Grouped(
        coefficient=coefficient,
        grouping=grouping,
        estimates=estimates,
        n_groups=n_groups,
        n_undefined=has_value.shape[1] - n_groups,
        undefined=undefined,
        n=np.sum(~(np.isnan(human) | np.isnan(metrics)), axis=(1, 2)),
        epsilons=epsilons,
        reasons=tuple(missing[grouping] if np.isnan(e) else "" for e in estimates),
    )


def _over_groups(
    human: Floats,
    metrics: Floats,
    coefficient: str,
    undefined: str,
    threshold: float,
    fewest: int,
    counts: ColumnPairCounts | None,
) -> tuple[Floats, NDArray[np.bool_], Floats]:
    """Return estimates (M,), which groups have a value (M, G), and epsilons (M,)."""
    nothing = np.full(len(metrics), np.nan)
    if coefficient in POOLED:
        return *pooled_tau(human, metrics, coefficient, threshold, counts), nothing
    if coefficient == "acc_eq*":
        estimates, epsilons, has_value = calibrate_all(human, metrics)
        return estimates, has_value, epsilons
    if coefficient == DIFFERENCES:
        return *difference_pearson(human, metrics), nothing
    needed: dict[str, object] = {"fewest": fewest} if coefficient in CORRELATIONS else {}
    if coefficient in COUNTING:
        needed["counts"] = counts
    values = VALUES[coefficient](human, metrics, **needed)
    has_value = ~np.isnan(values)
    averaged = has_value | has_pair(human, metrics) if undefined == "zero" else has_value
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.nansum(values, axis=1) / averaged.sum(axis=1), has_value, nothing


def has_pair(human: Floats, metrics: Floats) -> NDArray[np.bool_]:
    """Return which groups have at least two common outputs, (M, G)."""
    return np.sum(~(np.isnan(human) | np.isnan(metrics)), axis=1) >= 2


def counts_of(human: Floats, metrics: Floats, grouping: str) -> ColumnPairCounts:
    """Return the pairs of every group, counted once for all coefficients that need them."""
    return count_pairs(*regroup(human, metrics, grouping))


def _accuracy(human: Floats, metrics: Floats, counts: ColumnPairCounts | None = None) -> Floats:
    counts = counts or count_pairs(human, metrics)
    with np.errstate(divide="ignore", invalid="ignore"):
        return (counts.concordant + counts.tied_in_both) / counts.pairs


def _tau23(human: Floats, metrics: Floats, counts: ColumnPairCounts | None = None) -> Floats:
    return 2 * _accuracy(human, metrics, counts) - 1


def _tau_c(
    human: Floats, metrics: Floats, fewest: int = FEWEST, counts: ColumnPairCounts | None = None
) -> Floats:
    return kendall_columns(human, metrics, fewest, "c", counts)


def difference_pearson(human: Floats, metrics: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Return r of the differences of all pairs in all groups, (M,), and which groups have a pair,
    (M, G): the Pairwise Difference Pearson of DiIanni and Deutsch (EMNLP 2025).

    Each pair counts in both orders, so that it does not matter which system comes first; groups
    weigh as their pairs do, and what is hard for all systems of a segment cancels out. The mean
    difference is then 0, and the sum of n values' products of differences is n times that of their
    deviations from the mean.
    """
    x, y = align(human, metrics)
    n = np.sum(~np.isnan(y), axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        x, y = _deviations(x), _deviations(y)
        weight = n[:, None, :]
        sums = [np.sum(weight * each, axis=(1, 2)) for each in (x * y, x * x, y * y)]
        r = np.where((sums[1] > 0) & (sums[2] > 0), sums[0] / np.sqrt(sums[1] * sums[2]), np.nan)
    return r.clip(-1, 1), n >= 2


def _deviations(values: Floats) -> Floats:
    """Return values of a group less their mean, on the scale of the largest of a metric; 0 for NaN
    and where a group does not vary."""
    n = np.maximum(np.sum(~np.isnan(values), axis=-2, keepdims=True), 1)
    found = np.nan_to_num(values - np.nansum(values, axis=-2, keepdims=True) / n)
    largest = np.nan_to_num(np.abs(values)).max(axis=(-2, -1), keepdims=True, initial=0)
    # Differences at the 13th digit of the values are rounding, not variation.
    found = np.where(np.abs(found) > 1e-13 * largest, found, 0)
    reach = np.abs(found).max(axis=(-2, -1), keepdims=True, initial=0)
    return np.where(reach > 0, found / reach, 0)


COUNTING = ("kendall-b", "kendall-c", "tau23", "acc_eq")
CORRELATIONS = ("pearson", "spearman", "kendall-b", "kendall-c")
VALUES: dict[str, Callable[..., Floats]] = {
    "pearson": pearson_columns,
    "spearman": spearman_columns,
    "kendall-b": kendall_columns,
    "kendall-c": _tau_c,
    "tau23": _tau23,
    "acc_eq": _accuracy,
}
"""Coefficients that have a value in each group: functions of (n, G) and (M, n, G) to (M, G)."""
DIFFERENCES = "difference-pearson"
COEFFICIENTS = (*VALUES, "acc_eq*", DIFFERENCES, *POOLED)
