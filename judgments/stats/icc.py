"""Intraclass correlation from the mean squares of an analysis of variance.

Shrout and Fleiss (1979); the names of the forms are theirs.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from judgments.stats.coefficients import Agreement, with_interval

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
    """ICC of ``ratings`` (n_annotators, n_items), NaN for missing.

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
    # Around the grand mean sums of squares lose fewer digits.
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


def _undefined(values: np.ndarray) -> str:
    """Why values (n_items, n_annotators) have no ICC; empty if they may have one."""
    if values.shape[1] < 2:
        return "the intraclass correlation needs at least two annotators"
    if values.shape[0] < 2:
        return "fewer than two items were rated by every annotator"
    return "every rating has the same value" if values.min() == values.max() else ""


def _icc(sums: np.ndarray, form: str) -> np.ndarray:
    """Sums (..., 3 + k) of 1, squares, squared item means and values → ICC (...)."""
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
