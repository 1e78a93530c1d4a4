"""All pairs of systems tested by signed ranks, less what registered metrics explain of them.

Metrics score every segment of a pool of documents, of which some were judged. One vector of slopes
for all pairs says how signed ranks go with the metrics' differences, and what the judged segments
owe to being these and not others of the pool is taken out. A metric that prefers a system does not
bias the result, it only explains less. Documents are the clusters, however few of their segments
were judged. Without metrics this is the signed-rank test by document (Rosner, Glynn and Lee 2006)
and the paired t with clustered errors; with them the regression estimator of survey sampling
(Cochran 1977, ch. 7; Särndal, Swensson and Wretman 1992).
"""

from __future__ import annotations

import functools
import itertools
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, stdtr, stdtrit

from judgments.stats.paired_difference import PairedDifference

Pairs = list[tuple[int, int]]


@dataclass(frozen=True)
class MeanDifferences:
    """First minus second system of each pair (P,): ``estimate``, standard error, interval at
    ``level``, t, degrees of freedom and two-sided p; NaN where undefined. ``sd`` of the judged
    differences, ``r_squared`` (P,) of their variance is what the controls explain; ``slopes`` (q,)
    that all pairs share."""

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
class ControlledRanks:
    """The test of each of the ``pairs`` (P, 2), and the difference that goes with it.

    ``z`` (P,) is above 0 where the first system is better; ``p_value`` is two-sided; both are NaN
    where nothing differs. ``sums`` (P, G) of each document, whose total is the numerator of z;
    ``extra`` (P,): the part of its variance that comes from the pool; ``ranks`` (P, N): signed
    ranks T, 0 where not judged; ``slopes`` (q,) of T; ``r_squared`` (P,): the share of the variance
    of T that the controls explain. ``n``, ``n_clusters`` and ``n_scored`` (P,) count judged
    segments, their documents, and segments of the pool; ``controlled`` (P,): whether there were
    controls.
    """

    pairs: np.ndarray
    z: np.ndarray
    p_value: np.ndarray
    sums: np.ndarray
    extra: np.ndarray
    ranks: np.ndarray
    slopes: np.ndarray
    r_squared: np.ndarray
    n: np.ndarray
    n_clusters: np.ndarray
    n_scored: np.ndarray
    controlled: np.ndarray
    difference: MeanDifferences

    @property
    def contradictory(self) -> np.ndarray:
        """(P,): ranks and mean point to different systems; such a pair must not be separated."""
        return np.sign(self.z) * np.sign(self.difference.estimate) < 0

    def paired_difference(self, p: int) -> PairedDifference:
        """The difference of pair number ``p`` in the form of a single pair's."""
        d, df = self.difference, int(self.difference.df[p])
        reason = ""
        if not self.n[p]:
            reason = "no item was judged of both systems"
        elif math.isnan(d.se[p]):
            reason = "there are too few documents" if df < 1 else "the differences do not vary"
        return PairedDifference(
            estimate=float(d.estimate[p]),
            se=float(d.se[p]),
            low=float(d.low[p]),
            high=float(d.high[p]),
            t=float(d.t[p]),
            df=df,
            p_value=float(d.p_value[p]),
            n=int(self.n[p]),
            n_clusters=int(self.n_clusters[p]),
            n_scored=int(self.n_scored[p] if self.controlled[p] else self.n[p]),
            sd=float(d.sd[p]),
            r_squared=float(d.r_squared[p]),
            slopes=d.slopes,
            level=d.level,
            method="paired, clustered" + (", shared slopes" if self.controlled[p] else ""),
            reason=reason,
        )


def controlled_signed_ranks(
    table: ArrayLike,
    documents: ArrayLike,
    *,
    controls: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    pairs: Pairs | None = None,
    level: float = 0.95,
) -> ControlledRanks:
    """Signed-rank test and difference of all ``pairs`` of systems, or of those given.

    ``table`` (S, N): scores, NaN where not judged; N are the segments of the whole pool.
    ``documents`` (N,). ``controls`` (S, N, q) or (S, N), as of
    `metric_controls`: a segment without them is left out of a pair, and a pair without any is
    tested without. ``weights`` (N,): 1/π of segments drawn with chance π, all equal by default.

    With D_ip = y_a - y_b, W = w/Σw over the judged segments of a pair, T_ip = sign(D)·R/n₀, R the
    mid-rank of |D| weighted by w scaled to mean 1 over the n₀ differences that are not 0, X the
    differences of controls, ~ centered on the weighted mean, v_p = ΣWT̃²:
    β = [Σ_pΣ_i W x̃x̃ᵀ/v_p]⁻¹[Σ_pΣ_i W x̃T̃/v_p]; S_gp = Σ_{i∈g} W(T - (X - X̄_pool)ᵀβ);
    extra_p = Σ_{g in pool}[Σ_{i∈g}(X - X̄_pool)ᵀβ]²/N²; Z_p = ΣS_gp/√(ΣS_gp² + extra_p).

    Difference: b as β, but of D; θ = ΣWD - (X̄_W - X̄_pool)ᵀb with the residuals
    e = D - D̄_W - (X - X̄_W)ᵀb and variance G/(G-1)·Σ_g(Σ_{i∈g}We)² + extra (with b); t has G - 1
    degrees of freedom. ValueError for arrays that do not fit each other.
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
    sample = _Sample.of(y[a] - y[b], x[a] - x[b], w, code)
    return _tested(sample, np.stack([a, b], axis=1), level)


@dataclass(frozen=True)
class _Sample:
    """Of P pairs on the n segments at which any was judged, numbers ``seen`` (n,) of the pool:
    differences ``d``, 0 where not judged; controls ``x`` (P, n, q) less their mean over the pool,
    0 where not scored; ``w`` sums to 1 over the judged ones. Of the pool: ``n_scored`` (P,) and the
    ``documents_x`` (P, G, q), sums of x; ``size`` N."""

    d: np.ndarray
    x: np.ndarray
    w: np.ndarray
    judged: np.ndarray
    controlled: np.ndarray
    seen: np.ndarray
    code: np.ndarray
    n_scored: np.ndarray
    documents_x: np.ndarray
    size: int

    @classmethod
    def of(cls, d: np.ndarray, x: np.ndarray, w: np.ndarray, code: np.ndarray) -> _Sample:
        scored = ~np.isnan(x).any(axis=2)
        controlled = scored.any(axis=1) & (x.shape[2] > 0)
        scored = scored | ~controlled[:, None]
        judged = scored & ~np.isnan(d)
        x = np.where(scored[:, :, None] & controlled[:, None, None], x, 0.0)
        n_scored = scored.sum(axis=1)
        mean = x.sum(axis=1) / np.maximum(n_scored, 1)[:, None]
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
            d, x[:, seen], share, at, controlled, seen, code[seen], n_scored, sums, len(code)
        )

    @functools.cached_property
    def mean_x(self) -> np.ndarray:
        """Weighted mean (P, q) of the judged segments' controls, less that of the pool."""
        return np.asarray((self.w[:, None] @ self.x)[:, 0])

    def mean(self, values: np.ndarray) -> np.ndarray:
        """Weighted mean (P,) of values (P, n)."""
        return np.asarray((self.w * values).sum(axis=1))

    def by_document(self, values: np.ndarray) -> np.ndarray:
        """Sums (P, G) of values (P, n)."""
        return _by_document(values, self.code, self.documents_x.shape[1])

    def slopes(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """One vector (q,) for all pairs by weighted least squares; and the variance (P,) of
        ``values`` (P, n) by which a pair counts."""
        inside = np.where(self.judged, values - self.mean(values)[:, None], 0.0)
        variance = self.mean(inside**2)
        used, q = variance > 0, self.x.shape[2]
        if not q:
            return np.zeros(0), variance
        centered = (self.x - self.mean_x[:, None])[used]
        weight = (self.w[used] / variance[used, None])[:, :, None] * centered
        gram = centered.reshape(-1, q).T @ weight.reshape(-1, q)
        return _solved(gram, weight.reshape(-1, q).T @ inside[used].ravel()), variance

    def extra(self, slopes: np.ndarray) -> np.ndarray:
        """Variance (P,) of the pool's own mean of what the controls predict."""
        sums = self.documents_x @ slopes
        return np.asarray((sums**2).sum(axis=1) / np.maximum(self.n_scored, 1) ** 2)

    def everywhere(self, values: np.ndarray) -> np.ndarray:
        """Values (P, n) as (P, N), 0 where nothing was judged."""
        whole = np.zeros((len(values), self.size))
        whole[:, self.seen] = values
        return whole


def _by_document(values: np.ndarray, code: np.ndarray, groups: int) -> np.ndarray:
    n = len(values)
    place = (np.arange(n)[:, None] * groups + code).ravel()
    sums = np.bincount(place, values.ravel(), n * groups)
    return sums.reshape(n, groups).astype(np.float64)  # of nothing it counts in whole numbers


def _tested(sample: _Sample, pairs: np.ndarray, level: float) -> ControlledRanks:
    ranks = _signed_ranks(sample)
    slopes, variance = sample.slopes(ranks)
    predicted = sample.x @ slopes
    sums = sample.by_document(sample.w * (ranks - predicted))
    extra = sample.extra(slopes)  # noqa: S610  not Django's
    spread = np.sqrt((sums**2).sum(axis=1) + extra)
    some = np.abs(ranks).any(axis=1)
    total = sums.sum(axis=1)
    # Documents whose halves cancel exactly say that neither system is better.
    z = np.where(some, np.divide(total, spread, out=np.zeros_like(total), where=spread > 0), np.nan)
    residual = ranks - predicted - (sample.mean(ranks) - sample.mean(predicted))[:, None]
    judged = sample.by_document(sample.judged.astype(np.float64)) > 0
    return ControlledRanks(
        pairs=pairs,
        z=z,
        p_value=2 * ndtr(-np.abs(z)),
        sums=sums,
        extra=extra,
        ranks=sample.everywhere(ranks),
        slopes=slopes,
        r_squared=_explained(sample, residual, variance),
        n=sample.judged.sum(axis=1),
        n_clusters=judged.sum(axis=1),
        n_scored=sample.n_scored,
        controlled=sample.controlled,
        difference=_differences(sample, judged.sum(axis=1), level),
    )


def _differences(sample: _Sample, groups: np.ndarray, level: float) -> MeanDifferences:
    slopes, variance = sample.slopes(sample.d)
    predicted = sample.x @ slopes
    estimate = sample.mean(sample.d) - sample.mean_x @ slopes
    residual = sample.d - predicted - estimate[:, None]
    sums = sample.by_document(sample.w * residual)
    scale = np.divide(groups, groups - 1, out=np.full(len(groups), np.nan), where=groups > 1)
    spread = scale * (sums**2).sum(axis=1) + sample.extra(slopes)  # noqa: S610  not Django's
    n = sample.judged.sum(axis=1)
    free = np.divide(n, n - 1, out=np.full(len(n), np.nan), where=n > 1)
    sd = np.sqrt(variance * free)  # of the unweighted differences where weights are equal
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
        r_squared=_explained(sample, residual, variance),
        slopes=slopes,
        level=level,
    )


def _explained(sample: _Sample, residual: np.ndarray, variance: np.ndarray) -> np.ndarray:
    """Share (P,) of a variance (P,) that residuals (P, n) leave out; 0 without controls."""
    left = sample.mean(residual**2)
    share = 1 - np.divide(left, variance, out=np.ones_like(left), where=variance > 0)
    return np.where(sample.controlled, np.maximum(share, 0.0), 0.0)


def _signed_ranks(sample: _Sample) -> np.ndarray:
    """T (P, n): sign(D)·R/n₀, 0 where D is 0 or not judged."""
    size = np.abs(sample.d)
    if not size.size:
        return size
    counted = size > 0
    w = np.where(counted, sample.w, 0.0)
    n = counted.sum(axis=1, keepdims=True)
    total = w.sum(axis=1, keepdims=True)
    w = w * n / np.where(total > 0, total, 1)
    order = np.argsort(size, axis=1, kind="stable")
    rising = np.take_along_axis(size, order, axis=1)
    upto = np.cumsum(np.take_along_axis(w, order, axis=1), axis=1)
    # Where a run of equal sizes begins and ends: its members share what is up to either.
    new = np.diff(rising, axis=1) > 0
    first = np.concatenate([np.zeros((len(size), 1)), np.where(new, upto[:, :-1], 0.0)], axis=1)
    smaller = np.maximum.accumulate(first, axis=1)
    last = np.concatenate([np.where(new, upto[:, :-1], np.inf), upto[:, -1:]], axis=1)
    not_larger = np.minimum.accumulate(last[:, ::-1], axis=1)[:, ::-1]
    rank = np.empty_like(size)
    np.put_along_axis(rank, order, (smaller + not_larger + 1) / 2, axis=1)
    return np.asarray(np.sign(sample.d) * rank / np.maximum(n, 1))


def _solved(gram: np.ndarray, moment: np.ndarray) -> np.ndarray:
    """Least squares from sums of products (q, q) and (q,); 0 for controls that do not vary."""
    size = np.sqrt(np.maximum(np.diag(gram), 0))
    scale = np.where(size > 0, size, 1.0)  # controls come in very different units
    values, vectors = np.linalg.eigh(gram / np.outer(scale, scale))
    kept = values > 1e-10 * max(len(values), 1)
    part = vectors[:, kept] / np.sqrt(values[kept])
    return np.asarray(part @ (part.T @ (moment / scale)) / scale)
