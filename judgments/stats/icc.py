"""Intraclass correlation from the mean squares of an analysis of variance.

Shrout and Fleiss (1979); the names of the forms are theirs. For items with different numbers of
ratings: one-way, with the average number n0 of Donner (1986), "A review of inference procedures for
the intraclass correlation coefficient in the one-way random effects model".
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from judgments.stats.coefficients import (
    NO_PAIRS,
    NO_RATINGS,
    Agreement,
    Ratings,
    with_interval,
)

FORMS = ("1,1", "2,1", "3,1", "1,k", "2,k", "3,k")


def icc(
    ratings: ArrayLike,
    form: str = "2,1",
    *,
    rng: np.random.Generator | None = None,
    resamples: int = 1000,
    level: float = 0.95,
    clusters: ArrayLike | None = None,
) -> Agreement:
    """Return the ICC of ``ratings`` (n_annotators, n_items), NaN for missing.

    ``form``: "1,1" (other annotators for each item), "2,1" (the same annotators, a sample of all),
    "3,1" (these annotators only), and "1,k", "2,k", "3,k" for the mean of all the annotators. Only
    items rated by every annotator enter; n_items counts them. ``clusters`` (n_items,) is the
    document of each item.
    """
    if form not in FORMS:
        raise ValueError(f"form is one of {'; '.join(FORMS)}, not {form!r}")
    ratings = np.asarray(ratings, np.float64)
    if ratings.ndim != 2:
        raise ValueError(f"ratings must be (n_annotators, n_items), not {ratings.shape}")
    name = f"ICC({form})"
    complete = ~np.isnan(ratings).any(axis=0)
    values = ratings[:, complete].T
    n, k = values.shape
    if reason := _undefined(values):
        return Agreement(name, math.nan, n_items=n, n_annotators=k, reason=reason)
    # Around the grand mean, sums of squares lose fewer digits.
    values = values - values.mean()
    squares, of_means = (values**2).sum(axis=1), values.mean(axis=1) ** 2
    stats = np.column_stack([np.ones(n), squares, of_means, values])
    estimate = float(_icc(stats.sum(axis=0), form))
    result = Agreement(
        name,
        estimate,
        n_items=n,
        n_annotators=k,
        n_pairs=n * k * (k - 1) // 2,
        reason="the mean squares leave nothing to divide by" if math.isnan(estimate) else "",
    )
    return with_interval(
        result,
        lambda sums: _icc(sums, form),
        stats,
        rng=rng,
        resamples=resamples,
        level=level,
        clusters=None if clusters is None else np.asarray(clusters)[complete],
    )


def one_way_of(
    ratings: Ratings,
    *,
    rng: np.random.Generator | None = None,
    resamples: int = 1000,
    level: float = 0.95,
) -> Agreement:
    """Return ICC(1,1) of ratings, by any annotators, and any number per item.

    Items with one rating are left out. With the same number of ratings everywhere it equals
    ``icc(…, "1,1")``.
    """
    m = ratings.sizes.astype(np.float64)
    used = m > 1
    name = "ICC(1,1)"
    if not used.any():
        return Agreement(name, math.nan, reason=NO_PAIRS if len(ratings) else NO_RATINGS)
    kept = slice(None) if used.all() else used[ratings.item]
    values = ratings.values.astype(np.float64)[ratings.value]
    values = values - values[kept].mean()
    total = np.bincount(ratings.item, weights=values, minlength=len(m))[used]
    squares = np.bincount(ratings.item, weights=values**2, minlength=len(m))[used]
    m = m[used]
    reason = "fewer than two items were rated by two" if len(m) < 2 else ""
    if np.ptp(values[kept]) == 0:
        reason = "every rating has the same value"
    stats = np.column_stack([np.ones(len(m)), m, m**2, total, total**2 / m, squares])
    estimate = math.nan if reason else float(_one_way(stats.sum(axis=0)))
    result = Agreement(
        name,
        estimate,
        n_items=len(m),
        n_annotators=len(ratings.annotators_of(used)),
        n_pairs=round((m * (m - 1)).sum() / 2),
        reason=reason,
    )
    return with_interval(
        result,
        _one_way,
        stats,
        rng=rng,
        resamples=resamples,
        level=level,
        clusters=None if ratings.cluster is None else ratings.cluster[used],
    )


def crossed_of(ratings: Ratings, share: float = 0.5) -> tuple[np.ndarray, np.ndarray, str]:
    """Return the ratings of the annotators who rated most items together, in the form that `icc`
    takes.

    The ratings have at most one per annotator and item. The result is the matrix (n_annotators,
    n_items), the names of its items, and a reason if there is no matrix: more than ``share`` of the
    items with two or more ratings have to be rated by exactly the same people.
    """
    order, sizes = ratings.order, ratings.sizes
    starts = np.cumsum(sizes) - sizes
    n_several, best = int((sizes > 1).sum()), np.zeros((0, 0), np.intp)
    same_size = np.bincount(sizes[sizes > 1])
    for size in np.flatnonzero(same_size > share * n_several):
        rows = starts[sizes == size][:, None] + np.arange(size)
        rows = rows if order is None else order[rows]
        people = ratings.annotator[rows]
        _, group, counts = np.unique(people, axis=0, return_inverse=True, return_counts=True)
        if counts.max() > len(best):
            best = rows[group.ravel() == counts.argmax()]
    if not n_several:
        reason = NO_PAIRS if len(ratings) else NO_RATINGS
        return np.zeros((0, 0)), ratings.items[:0], reason
    if len(best) <= share * n_several:
        reason = "no set of annotators rated most of the items: read ICC(1,1)"
        return np.zeros((0, 0)), ratings.items[:0], reason
    values = ratings.values.astype(np.float64)[ratings.value[best]]
    return values.T, ratings.items[ratings.item[best[:, 0]]], ""


def _one_way(sums: np.ndarray) -> np.ndarray:
    """Return ICC(1,1) from sums (..., 6) of 1, m, m², x, x²/m and squares over items."""
    n, m, m_squared, total, of_means, squares = np.moveaxis(sums, -1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        within = (squares - of_means) / (m - n)
        between = (of_means - total**2 / m) / (n - 1)
        n0 = (m - m_squared / m) / (n - 1)
        spread = between + (n0 - 1) * within
        return np.where(spread > 1e-12 * squares / m, (between - within) / spread, np.nan)


def _undefined(values: np.ndarray) -> str:
    """Return why values (n_items, n_annotators) have no ICC; empty if they may have one."""
    if values.shape[1] < 2:
        return "the intraclass correlation needs at least two annotators"
    if values.shape[0] < 2:
        return "fewer than two items were rated by every annotator"
    return "every rating has the same value" if values.min() == values.max() else ""


def _icc(sums: np.ndarray, form: str) -> np.ndarray:
    """Return ICC (...) from sums (..., 3 + k) of 1, squares, squared item means and values."""
    n, squares, of_means = sums[..., 0], sums[..., 1], sums[..., 2]
    columns = sums[..., 3:]
    k = columns.shape[-1]
    correction = columns.sum(axis=-1) ** 2 / (n * k)
    between_items = k * of_means - correction
    between_annotators = (columns**2).sum(axis=-1) / n - correction
    within = squares - k * of_means
    msb = between_items / (n - 1)
    msw = within / (n * (k - 1))
    msj = between_annotators / (k - 1)
    mse = (within - between_annotators) / ((n - 1) * (k - 1))
    numerator = msb - (msw if form[0] == "1" else mse)
    denominator = {
        "1,1": msb + (k - 1) * msw,
        "2,1": msb + (k - 1) * mse + k * (msj - mse) / n,
        "3,1": msb + (k - 1) * mse,
        "1,k": msb,
        "2,k": msb + (msj - mse) / n,
        "3,k": msb,
    }[form]
    with np.errstate(divide="ignore", invalid="ignore"):
        defined = np.abs(denominator) > 1e-12 * (squares + 1e-300)
        return np.where(defined, numerator / denominator, np.nan)
