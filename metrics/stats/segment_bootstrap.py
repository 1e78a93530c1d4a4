"""Segment-level coefficients in many resamples at once: systems and segments drawn again.

A draw is a weight for each system and each segment (Deutsch, Dror and Roth 2021, "boot-both"), and
a coefficient needs weighted sums only: over outputs for Pearson's r, over pairs of outputs for
tau-b and the accuracies. An output drawn twice makes no pair with itself. A draw of systems may
serve several draws of segments, the ones in its turn, where there are fewer of them.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from metrics.stats.columns import FEWEST, Floats, signs
from metrics.stats.permutation import standardized
from metrics.stats.ties import pairs_of

# So many numbers of one kind are worked on at a time.
_CELLS = 1 << 19


def counts_of(drawn: NDArray[np.intp], n: int) -> Floats:
    """How often each of n units is in each draw (B, units drawn), (B, n)."""
    places = drawn + np.arange(len(drawn))[:, None] * n
    return np.bincount(places.ravel(), minlength=len(drawn) * n).reshape(-1, n).astype(np.float64)


def resampled_pearson(
    human: Floats,
    metric: Floats,
    systems: Floats,
    segments: Floats,
    grouping: str,
    fewest: int = FEWEST,
) -> Floats:
    """Pearson's r of one metric with people, both (S, N), in every resample (B,).

    ``systems`` (B, S), ``segments`` (B, N): how often each is drawn; by item there may be fewer
    draws of systems. ``grouping``: as in ``metrics.stats.groups``.
    """
    there = ~(np.isnan(human) | np.isnan(metric))
    x, y = standardized(np.where(there, np.stack([human, metric]), np.nan))
    x, y = np.where(np.isfinite(x), x, 0.0), np.where(np.isfinite(y), y, 0.0)
    # Sums of these over outputs give r; the last counts outputs.
    terms = np.stack([x, y, x * x, y * y, x * y, there.astype(np.float64)])
    if grouping == "none":
        sums = [np.sum((segments @ term.T) * systems, axis=1) for term in terms]
        n_different = np.sum(((segments > 0) @ there.T.astype(np.float64)) * (systems > 0), axis=1)
        return _r(sums, n_different, fewest)
    if grouping == "system":
        terms, there = terms.transpose(0, 2, 1), there.T
        systems, segments = segments, systems
    found = []
    for within, across in _blocks(systems, segments):
        sums = [within @ term for term in terms]
        n_different = (within > 0).astype(np.float64) @ there
        found.append(_mean(_r(sums, n_different, fewest), across))
    return np.concatenate(found)


def resampled_pairs(
    human: Floats,
    metric: Floats,
    systems: Floats,
    segments: Floats,
    epsilon: float,
    fewest: int = FEWEST,
) -> dict[str, Floats]:
    """By item, in every resample (B,) each: "kendall-b"; "accuracy", "tau23" with ties as they are;
    "acc_eq" with scores at most ``epsilon`` apart tied. Arguments as in ``resampled_pearson``."""
    first, second = np.triu_indices(len(human), 1)
    there = ~(np.isnan(human) | np.isnan(metric))
    valid = there[first] & there[second]
    theirs = np.where(valid, signs(human[first], human[second]), 0)
    ours = np.where(valid, signs(metric[first], metric[second]), 0)
    right, close = np.zeros((2, *valid.shape), dtype=np.bool_)
    pairs = pairs_of(human, metric)
    right[valid], close[valid] = pairs.correct(0.0), pairs.correct(epsilon)
    # Counts, which single precision holds.
    terms = [
        term.astype(np.float32)
        for term in (valid, right, close, theirs * ours, np.abs(theirs), np.abs(ours))
    ]
    found: dict[str, list[Floats]] = {name: [] for name in ("kendall-b", "accuracy", "acc_eq")}
    for within, across in _blocks(systems, segments):
        weights = (within[:, first] * within[:, second]).astype(np.float32)
        n, n_right, n_close, difference, of_human, of_metric = (
            (weights @ term).astype(np.float64) for term in terms
        )
        n_different = (within > 0).astype(np.float64) @ there
        with np.errstate(divide="ignore", invalid="ignore"):
            tau = difference / np.sqrt(of_human * of_metric)
            tau[n_different < fewest] = np.nan
            found["kendall-b"].append(_mean(tau, across))
            found["accuracy"].append(_mean(n_right / n, across))
            found["acc_eq"].append(_mean(n_close / n, across))
    drawn = {name: np.concatenate(values) for name, values in found.items()}
    return drawn | {"tau23": 2 * drawn["accuracy"] - 1}


def resampled_differences(
    human: Floats, metric: Floats, systems: Floats, segments: Floats
) -> Floats:
    """By item, r of the differences of pairs in every resample (B,), each pair in both orders
    (``metrics.stats.groups``)."""
    there = ~(np.isnan(human) | np.isnan(metric))
    x, y = standardized(np.where(there, np.stack([human, metric]), np.nan))
    x, y = np.where(np.isfinite(x), x, 0.0), np.where(np.isfinite(y), y, 0.0)
    found = []
    for within, across in _blocks(systems, segments):
        n, x1, y1, xx, yy, xy = (within @ term for term in (there * 1.0, x, y, x * x, y * y, x * y))
        products = np.stack([n * xy - x1 * y1, n * xx - x1 * x1, n * yy - y1 * y1])
        turns = across.reshape(len(within), -1, across.shape[1])
        total, of_x, of_y = np.einsum("pbg,bkg->pbk", products, turns)
        with np.errstate(divide="ignore", invalid="ignore"):
            r = np.where((of_x > 0) & (of_y > 0), total / np.sqrt(of_x * of_y), np.nan)
        found.append(r.clip(-1, 1).ravel())
    return np.concatenate(found)


def _r(sums: list[Floats], n_different: Floats, fewest: int) -> Floats:
    """Pearson's r from sums of x, y, x², y², xy and 1; NaN for too few outputs."""
    x, y, xx, yy, xy, n = sums
    with np.errstate(divide="ignore", invalid="ignore"):
        of_x, of_y = xx - x * x / n, yy - y * y / n
        r = (xy - x * y / n) / np.sqrt(of_x * of_y)
        # Less than this is rounding, not variation.
        is_defined = (of_x > 1e-12 * xx) & (of_y > 1e-12 * yy) & (n_different >= fewest)
    return np.where(is_defined, r, np.nan)


def _mean(values: Floats, weights: Floats) -> Floats:
    """Weighted means over groups that have a value: (b, G) and (b · k, G) to (b · k,), each row of
    values under its k rows of weights."""
    there = ~np.isnan(values)
    turns = weights.reshape(len(values), -1, weights.shape[1])
    total = np.einsum("bg,bkg->bk", np.where(there, values, 0.0), turns)
    with np.errstate(divide="ignore", invalid="ignore"):
        return (total / np.einsum("bg,bkg->bk", there.astype(np.float64), turns)).ravel()


def _blocks(within: Floats, across: Floats) -> Iterator[tuple[Floats, Floats]]:
    """Some draws at a time: of what a group holds, and those of groups that they serve."""
    turns = len(across) // len(within)
    step = max(1, _CELLS // max(1, across.shape[1]))
    for start in range(0, len(within), step):
        yield within[start : start + step], across[start * turns : (start + step) * turns]
