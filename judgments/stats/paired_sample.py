"""Judged differences of pairs of systems, with controls known for a whole pool.

The common part of signed ranks with shared slopes (`controlled_ranks`) and the estimate from people
and metrics (`joint_estimate`): which systems were judged where, the controls there and in the pool,
and the interval of a mean difference by documents.
"""

from __future__ import annotations

import functools
import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtr, stdtrit

Pairs = list[tuple[int, int]]

FLAT = 1e-10  # a smaller share of the square of controls, once centered, is rounding


@dataclass(frozen=True)
class MeanDifferences:
    """First minus second system of each pair (P,): ``estimate``, standard error, interval at
    ``level``, t, degrees of freedom and two-sided p; NaN where undefined. ``sd`` of the judged
    differences; ``r_squared`` (P,): the share of their variance that the controls explain;
    ``slopes`` (q,) that all pairs share."""

    estimate: np.ndarray
    se: np.ndarray
    low: np.ndarray
    high: np.ndarray
    t: np.ndarray
    df: np.ndarray
    p_value: np.ndarray
    sd: np.ndarray
    r_squared: np.ndarray
    slopes: np.ndarray
    level: float


@dataclass(frozen=True)
class PairedSample:
    """A sample of P pairs on the n segments on which any was judged, numbers ``seen`` (n,) of the
    pool: differences ``d``, 0 where not judged; controls ``x`` (P, n, q) minus their mean over the
    pool, 0 where not scored; ``w`` sums to 1 over the judged ones. Of the pool: ``n_scored`` (P,),
    ``documents_x`` (P, G, q), sums of x, and ``square_x`` (P, q), mean squares of the controls
    before their mean is subtracted; ``size`` N."""

    d: np.ndarray
    x: np.ndarray
    w: np.ndarray
    judged: np.ndarray
    controlled: np.ndarray
    seen: np.ndarray
    code: np.ndarray
    n_scored: np.ndarray
    documents_x: np.ndarray
    square_x: np.ndarray
    size: int

    @classmethod
    def of_systems(
        cls,
        table: ArrayLike,
        documents: ArrayLike,
        controls: ArrayLike | None = None,
        weights: ArrayLike | None = None,
        pairs: Pairs | None = None,
    ) -> tuple[PairedSample, np.ndarray]:
        """Return the sample of all ``pairs`` (P, 2) of systems, or of those given, and the pairs.

        ``table`` (S, N), NaN where not judged; ``documents`` (N,); ``controls`` (S, N, q) or
        (S, N); ``weights`` (N,). Raise ValueError for arrays that do not fit each other.
        """
        y, names = np.asarray(table, np.float64), np.asarray(documents)
        if y.ndim != 2 or names.shape != y.shape[1:]:
            raise ValueError("a table (S, N), and N documents")
        if pairs is None:
            pairs = list(itertools.combinations(range(len(y)), 2))
        w = np.ones(y.shape[1]) if weights is None else np.asarray(weights, np.float64)
        if w.shape != names.shape or not (w > 0).all():
            raise ValueError("weights are above 0, one for each segment")
        x = np.zeros((*y.shape, 0)) if controls is None else np.asarray(controls, np.float64)
        x = x[:, :, None] if x.ndim == 2 else x
        if x.ndim != 3 or x.shape[:2] != y.shape:
            raise ValueError("controls have the shape (S, N, q)")
        _, code = np.unique(names, return_inverse=True)
        a, b = np.array(pairs, np.intp).reshape(-1, 2).T
        return cls.of(y[a] - y[b], x[a] - x[b], w, code), np.stack([a, b], axis=1)

    @classmethod
    def of(cls, d: np.ndarray, x: np.ndarray, w: np.ndarray, code: np.ndarray) -> PairedSample:
        scored = ~np.isnan(x).any(axis=2)
        controlled = scored.any(axis=1) & (x.shape[2] > 0)
        scored = scored | ~controlled[:, None]
        judged = scored & ~np.isnan(d)
        x = np.where(scored[:, :, None] & controlled[:, None, None], x, 0.0)
        n_scored = scored.sum(axis=1)
        mean = x.sum(axis=1) / np.maximum(n_scored, 1)[:, None]
        square = (x**2).sum(axis=1) / np.maximum(n_scored, 1)[:, None]
        x = np.where(scored[:, :, None], x - mean[:, None], 0.0)
        groups = int(code.max(initial=-1)) + 1
        sums = np.zeros((len(d), groups, x.shape[2]))
        for k in range(x.shape[2]):
            sums[:, :, k] = _by_document(x[:, :, k], code, groups)
        seen = np.flatnonzero(judged.any(axis=0))
        at = judged[:, seen]
        share = np.where(at, w[seen], 0.0)
        total = share.sum(axis=1, keepdims=True)
        share = share / np.where(total > 0, total, 1)
        d = np.where(at, d[:, seen], 0.0)
        return cls(
            d,
            x[:, seen],
            share,
            at,
            controlled,
            seen,
            code[seen],
            n_scored,
            sums,
            square,
            len(code),
        )

    @functools.cached_property
    def mean_x(self) -> np.ndarray:
        """Weighted mean (P, q) of the judged segments' controls, minus that of the pool."""
        return np.asarray((self.w[:, None] @ self.x)[:, 0])

    def mean(self, values: np.ndarray) -> np.ndarray:
        """Return the weighted mean (P,) of values (P, n)."""
        return np.asarray((self.w * values).sum(axis=1))

    def by_document(self, values: np.ndarray) -> np.ndarray:
        """Return document sums (P, G) of values (P, n)."""
        return _by_document(values, self.code, self.documents_x.shape[1])

    def slopes(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return one vector (q,) for all pairs by weighted least squares; and the variance (P,) of
        ``values`` (P, n) by which pairs are weighted."""
        inside = np.where(self.judged, values - self.mean(values)[:, None], 0.0)
        variance = self.mean(inside**2)
        used, q = variance > FLAT * self.mean(values**2), self.x.shape[2]
        if not q:
            return np.zeros(0), variance
        centered = (self.x - self.mean_x[:, None])[used]
        weight = (self.w[used] / variance[used, None])[:, :, None] * centered
        gram = centered.reshape(-1, q).T @ weight.reshape(-1, q)
        moment = weight.reshape(-1, q).T @ inside[used].ravel()
        flat = FLAT * (1 / variance[used] @ self.square_x[used])
        return least_squares(gram, moment, flat), variance

    def extra(self, slopes: np.ndarray) -> np.ndarray:
        """Return the variance (P,) of the pool's mean of the predictions of the controls with
        slopes (q,), or with each pair's own (P, q)."""
        sums = (self.documents_x @ slopes[..., None])[..., 0]
        return np.asarray((sums**2).sum(axis=1) / np.maximum(self.n_scored, 1) ** 2)

    @functools.cached_property
    def n_clusters(self) -> np.ndarray:
        """Number of documents with judged segments, (P,)."""
        return (self.by_document(self.judged.astype(np.float64)) > 0).sum(axis=1)

    def everywhere(self, values: np.ndarray) -> np.ndarray:
        """Return values (P, n) as (P, N), 0 where not judged."""
        whole = np.zeros((len(values), self.size))
        whole[:, self.seen] = values
        return whole


def _by_document(values: np.ndarray, code: np.ndarray, groups: int) -> np.ndarray:
    n = len(values)
    place = (np.arange(n)[:, None] * groups + code).ravel()
    sums = np.bincount(place, values.ravel(), n * groups)
    return sums.reshape(n, groups).astype(np.float64)  # empty sums are integers


def mean_differences(
    sample: PairedSample, predicted: np.ndarray, slopes: np.ndarray, level: float
) -> MeanDifferences:
    """Return the weighted mean of the differences minus ``predicted`` (P, n), with t intervals by
    documents.

    ``slopes`` (q,) or (P, q): those of the mean over the pool, with centered controls.
    """
    groups = sample.n_clusters
    inside = np.where(sample.judged, sample.d - sample.mean(sample.d)[:, None], 0.0)
    variance = sample.mean(inside**2)
    estimate = sample.mean(sample.d) - sample.mean(predicted)
    residual = sample.d - predicted - estimate[:, None]
    sums = sample.by_document(sample.w * residual)
    scale = np.divide(groups, groups - 1, out=np.full(len(groups), np.nan), where=groups > 1)
    spread = scale * (sums**2).sum(axis=1) + sample.extra(slopes)  # noqa: S610  not Django's
    n = sample.judged.sum(axis=1)
    free = np.divide(n, n - 1, out=np.full(len(n), np.nan), where=n > 1)
    sd = np.sqrt(variance * free)  # equals that of unweighted differences if weights are equal
    varies = np.sqrt(spread) > 1e-12 * np.maximum(np.abs(estimate), np.nan_to_num(sd))
    se = np.sqrt(np.where(varies, spread, np.nan))
    df = np.maximum(groups - 1, 0)
    t = estimate / se
    half = stdtrit(np.maximum(df, 1), (1 + level) / 2) * se
    return MeanDifferences(
        estimate=np.where(n > 0, estimate, np.nan),
        se=se,
        low=estimate - half,
        high=estimate + half,
        t=t,
        df=df,
        p_value=2 * stdtr(np.maximum(df, 1), -np.abs(t)),
        sd=sd,
        r_squared=explained(sample, residual, variance),
        slopes=slopes,
        level=level,
    )


def explained(sample: PairedSample, residual: np.ndarray, variance: np.ndarray) -> np.ndarray:
    """Return the share (P,) of a variance (P,) that is not in the residuals (P, n) of mean 0; below
    0 where they vary more; 0 without controls."""
    left = sample.mean(residual**2)
    share = 1 - np.divide(left, variance, out=np.ones_like(left), where=variance > 0)
    return np.where(sample.controlled, share, 0.0)


def least_squares(gram: np.ndarray, moment: np.ndarray, flat: np.ndarray) -> np.ndarray:
    """Return the least-squares solution from sums of products (q, q) and (q,); 0 for controls that
    do not vary, whose sums of squares are at most ``flat`` (q,)."""
    slopes = np.zeros(len(moment))
    varies = np.diag(gram) > flat
    if varies.any():
        gram = gram[np.ix_(varies, varies)]
        scale = np.sqrt(np.diag(gram))  # controls come in very different units
        values, vectors = np.linalg.eigh(gram / np.outer(scale, scale))
        kept = values > 1e-10 * len(values)
        part = vectors[:, kept] / np.sqrt(values[kept])
        slopes[varies] = part @ (part.T @ (moment[varies] / scale)) / scale
    return slopes
