"""Coefficients over segments under many weights of systems and segments at once.

Weight 0 leaves a system or segment out, as in the jackknife; weight 2 counts it twice, as in a
bootstrap. A coefficient needs only weighted sums: over outputs for Pearson's r, over pairs of
outputs for tau-b and the accuracies. An output that counts twice forms no pair with itself.
"""

import numpy as np
from numpy.typing import NDArray

from judgments.stats.correlation import signs
from metrics.stats.columns import FEWEST, Floats
from metrics.stats.permutation import standardized
from metrics.stats.ties import pairs_of

# A smaller share of a sum of squares is rounding, not variation.
ROUNDING = 1e-12


def weighted_pearson(
    human: Floats,
    metric: Floats,
    systems: Floats,
    segments: Floats,
    grouping: str,
    fewest: int = FEWEST,
) -> Floats:
    """Return Pearson's r of one metric with people, both (S, N), under weights ``systems`` (B, S)
    and ``segments`` (B, N): (B,). ``grouping``: as in ``metrics.stats.groups``."""
    terms, there = _terms(human, metric)
    if grouping == "none":
        sums = [np.sum((segments @ term.T) * systems, axis=1) for term in terms]
        n_different = np.sum(((segments > 0) @ there.T.astype(np.float64)) * (systems > 0), axis=1)
        return _r(sums, n_different, fewest)
    if grouping == "system":
        terms, there = terms.transpose(0, 2, 1), there.T
        systems, segments = segments, systems
    sums = [systems @ term for term in terms]
    n_different = (systems > 0).astype(np.float64) @ there
    return _mean(_r(sums, n_different, fewest), segments)


def weighted_pairs(
    human: Floats,
    metric: Floats,
    systems: Floats,
    segments: Floats,
    epsilon: float,
    fewest: int = FEWEST,
) -> dict[str, Floats]:
    """Return by item, under the weights of ``weighted_pearson`` (B,) each: "kendall-b"; "accuracy",
    "tau23" with ties unchanged; "acc_eq" with scores at most ``epsilon`` apart tied."""
    first, second = np.triu_indices(len(human), 1)
    there = ~(np.isnan(human) | np.isnan(metric))
    valid = there[first] & there[second]
    theirs = np.where(valid, signs(human[first], human[second]), 0)
    ours = np.where(valid, signs(metric[first], metric[second]), 0)
    right, close = np.zeros((2, *valid.shape), dtype=np.bool_)
    pairs = pairs_of(human, metric)
    right[valid], close[valid] = pairs.correct(0.0), pairs.correct(epsilon)
    weights = (systems[:, first] * systems[:, second]).astype(np.float32)
    n, n_right, n_close, difference, of_human, of_metric = (
        # counts, which single precision represents
        (weights @ term.astype(np.float32)).astype(np.float64)
        for term in (valid, right, close, theirs * ours, np.abs(theirs), np.abs(ours))
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        tau = difference / np.sqrt(of_human * of_metric)
        tau[(systems > 0).astype(np.float64) @ there < fewest] = np.nan
        accuracy = _mean(n_right / n, segments)
        return {
            "kendall-b": _mean(tau, segments),
            "accuracy": accuracy,
            "acc_eq": _mean(n_close / n, segments),
            "tau23": 2 * accuracy - 1,
        }


def weighted_differences(
    human: Floats, metric: Floats, systems: Floats, segments: Floats
) -> Floats:
    """Return, by item, r of the differences of pairs, each in both orders
    (``metrics.stats.groups``), under the weights of ``weighted_pearson``: (B,)."""
    terms, _ = _terms(human, metric)
    x, y, xx, yy, xy, n = (systems @ term for term in terms)
    products = (n * xy - x * y, n * xx - x * x, n * yy - y * y)
    total, of_x, of_y = (np.sum(each * segments, axis=1) for each in products)
    least_x, least_y = (ROUNDING * np.sum(n * each * segments, axis=1) for each in (xx, yy))
    with np.errstate(divide="ignore", invalid="ignore"):
        is_defined = (of_x > least_x) & (of_y > least_y)
        r = np.where(is_defined, total / np.sqrt(of_x * of_y), np.nan)
    return r.clip(-1, 1)


def _terms(human: Floats, metric: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Return x, y, x², y², xy and 1 of every output, (6, S, N), 0 if a score is missing; and which
    outputs have both, (S, N)."""
    there = ~(np.isnan(human) | np.isnan(metric))
    x, y = standardized(np.where(there, np.stack([human, metric]), np.nan))
    x, y = np.where(np.isfinite(x), x, 0.0), np.where(np.isfinite(y), y, 0.0)
    return np.stack([x, y, x * x, y * y, x * y, there.astype(np.float64)]), there


def _r(sums: list[Floats], n_different: Floats, fewest: int) -> Floats:
    """Return Pearson's r from sums of x, y, x², y², xy and 1; NaN for too few outputs."""
    x, y, xx, yy, xy, n = sums
    with np.errstate(divide="ignore", invalid="ignore"):
        of_x, of_y = xx - x * x / n, yy - y * y / n
        r = (xy - x * y / n) / np.sqrt(of_x * of_y)
        is_defined = (of_x > ROUNDING * xx) & (of_y > ROUNDING * yy) & (n_different >= fewest)
    return np.where(is_defined, r, np.nan)


def _mean(values: Floats, weights: Floats) -> Floats:
    """Return weighted means over the groups with a value, both (B, G): (B,)."""
    there = ~np.isnan(values)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.sum(np.where(there, values, 0.0) * weights, axis=1) / np.sum(
            there * weights, axis=1
        )
