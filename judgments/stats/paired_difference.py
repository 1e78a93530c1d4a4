"""The difference between two systems on items that were judged for both.

One annotator judges both systems of an item, so that the item's difficulty and the annotator's
strictness cancel; items of a document are similar, so that documents are the units that vary. A
control variate, such as the difference of a metric's scores, is known for more items than were
judged, and removes the part of the judged difference that is due to the choice of items.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtr, stdtrit

from judgments.stats.paired_sample import FLAT


@dataclass(frozen=True)
class PairedDifference:
    """``estimate`` of first minus second, with its standard error, interval and two-sided p.

    ``n`` judged items in ``n_clusters``, controls known for ``n_scored`` items; ``sd`` of the
    differences; ``r_squared``: the share of their variance that the controls explain; ``slopes``
    (q,) of the controls; ``df`` of t. NaN where undefined, and ``reason`` says why.
    """

    estimate: float
    se: float
    low: float
    high: float
    t: float
    df: int
    p_value: float
    n: int
    n_clusters: int
    n_scored: int
    sd: float
    r_squared: float
    slopes: np.ndarray
    level: float
    method: str
    reason: str = ""

    @property
    def effective_sd(self) -> float:
        """se · √n: the standard deviation to use in a formula for independent items."""
        return self.se * math.sqrt(self.n)


def paired_difference(
    differences: ArrayLike,
    clusters: ArrayLike | None = None,
    *,
    controls: ArrayLike | None = None,
    level: float = 0.95,
) -> PairedDifference:
    """Return the mean difference, its error clustered by document, with or without control
    variates.

    ``differences`` (N,): first minus second system, NaN where either was not judged. ``clusters``
    (N,): the document of each item; None makes each item its own cluster. ``controls`` (N,) or (N,
    q), chosen before the first judgment was seen: NaN means not scored, and the item is left out.

    With D on n judged items in G documents and X on N scored ones: β from least squares of D on X
    with an intercept; θ = D̄_n - βᵀ(X̄_n - X̄_N); e the residuals; variance G/(G-1) · Σ_g(Σ_{i∈g}
    e_i)²/n² · (1 + n·hᵀC⁻¹h) + max(0, s²_D - s²_e)/N with h = X̄_n - X̄_N and C = Σ(X - X̄_n)(X -
    X̄_n)ᵀ; t = θ/√V has G - 1 - q degrees of freedom. s_e² has n - 1 - q of them. The regression
    estimator of survey sampling (Cochran 1977, ch. 7), with clustered errors (Liang and Zeger
    1986). Raise ValueError for arrays that do not fit each other.
    """
    d = np.asarray(differences, np.float64)
    if d.ndim != 1:
        raise ValueError(f"differences have the shape (N,), not {d.shape}")
    group = np.arange(len(d)) if clusters is None else np.asarray(clusters)
    x = np.zeros((len(d), 0)) if controls is None else np.asarray(controls, np.float64)
    x = x[:, None] if x.ndim == 1 else x
    if group.shape != d.shape or x.ndim != 2 or len(x) != len(d):
        raise ValueError("differences, clusters and controls must be equally long")
    scored = ~np.isnan(x).any(axis=1)
    judged = scored & ~np.isnan(d)
    _, code = np.unique(group[judged], return_inverse=True)
    fit = _fit(d[judged], x[judged], x[scored].mean(axis=0) if scored.any() else np.zeros(0), code)
    # Without controls every item counts as scored.
    n_scored = int(scored.sum()) if x.shape[1] else int(judged.sum())
    method = "paired, clustered" + (", control variate" if x.shape[1] else "")
    return _result(fit, n_scored, x.shape[1], level, method)


@dataclass(frozen=True)
class _Fit:
    n: int
    groups: int
    rank: int
    estimate: float
    sampling: float
    sd: float
    sd_residual: float
    slopes: np.ndarray


def _fit(d: np.ndarray, x: np.ndarray, target: np.ndarray, code: np.ndarray) -> _Fit:
    """Return the estimate, and the clustered part of its variance, from judged items only."""
    n, groups = len(d), int(code.max()) + 1 if len(d) else 0
    if not n:
        return _Fit(0, 0, 0, math.nan, math.nan, math.nan, math.nan, np.zeros(0))
    mean = d.mean()
    residual, shift, leverage, rank = d - mean, 0.0, 0.0, 0
    slopes = np.zeros(x.shape[1])
    if x.shape[1]:
        centered = x - x.mean(axis=0)
        inverse, rank = _inverse(centered, FLAT * (x**2).sum(axis=0))
        if rank:
            slopes = inverse @ (centered.T @ residual)
            residual = residual - centered @ slopes
            h = x.mean(axis=0) - target
            shift, leverage = float(slopes @ h), float(n * h @ inverse @ h)
    sums = np.bincount(code, weights=residual, minlength=groups)
    sampling = math.nan
    if groups > 1:
        sampling = groups / (groups - 1) * float(sums @ sums) / n**2 * (1 + leverage)
    sd = float(d.std(ddof=1)) if n > 1 else math.nan
    free = n - 1 - rank
    sd_residual = math.sqrt(float(residual @ residual) / free) if free > 0 else math.nan
    return _Fit(n, groups, rank, float(mean) - shift, sampling, sd, sd_residual, slopes)


def _inverse(centered: np.ndarray, flat: np.ndarray) -> tuple[np.ndarray, int]:
    """Return the pseudo-inverse of XᵀX, and its rank: a control that does not vary, whose sum of
    squares is at most ``flat`` (q,), has no effect."""
    squares = (centered**2).sum(axis=0)
    varies = squares > flat
    inverse = np.zeros((len(squares), len(squares)))
    if not varies.any():
        return inverse, 0
    scale = np.sqrt(squares[varies])  # controls come in very different units
    values, vectors = np.linalg.eigh(
        (centered[:, varies] / scale).T @ (centered[:, varies] / scale)
    )
    kept = values > 1e-10 * len(values)
    part = vectors[:, kept] / np.sqrt(values[kept]) / scale[:, None]
    inverse[np.ix_(varies, varies)] = part @ part.T
    return inverse, int(kept.sum())


def _result(fit: _Fit, n_scored: int, q: int, level: float, method: str) -> PairedDifference:
    df = fit.groups - 1 - fit.rank
    variance = fit.sampling
    if q and fit.n:
        gained = fit.sd**2 - fit.sd_residual**2
        variance += max(0.0, gained) / n_scored if not math.isnan(gained) else math.nan
    reason = ""
    if not fit.n:
        reason = "no item was judged of both systems"
    elif df < 1:
        reason = "there are too few documents" if q or fit.groups < fit.n else "there is one item"
    elif not variance > (1e-12 * max(abs(fit.estimate), fit.sd)) ** 2:
        reason = "the differences do not vary"
    t = p_value = se = low = high = r_squared = math.nan
    if fit.sd > 0 and not math.isnan(fit.sd_residual):
        r_squared = max(0.0, 1 - (fit.sd_residual / fit.sd) ** 2) if q else 0.0
    if not reason:
        se = math.sqrt(variance)
        t = fit.estimate / se
        half = float(stdtrit(df, (1 + level) / 2)) * se
        low, high = fit.estimate - half, fit.estimate + half
        p_value = 2 * float(stdtr(df, -abs(t)))
    return PairedDifference(
        estimate=fit.estimate,
        se=se,
        low=low,
        high=high,
        t=t,
        df=max(df, 0),
        p_value=p_value,
        n=fit.n,
        n_clusters=fit.groups,
        n_scored=n_scored,
        sd=fit.sd,
        r_squared=r_squared,
        slopes=fit.slopes,
        level=level,
        method=method,
        reason=reason,
    )
