"""Differences of systems from people's judgments of a sample and metrics' scores of everything.

People's mean difference, minus the metrics' on the judged segments, plus the metrics' on the whole
pool: prediction-powered inference (Angelopoulos, Duchi and Zrnic 2023, PPI++) on paired
differences, or the regression estimator of survey sampling. A metric's weight is learned from other
documents than those it is used on, and is 0 where it does not help there. So a metric that is
uninformative, inverted or favors a system adds only some noise. Documents are the clusters.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from judgments.stats.paired_sample import (
    FLAT,
    MeanDifferences,
    PairedSample,
    Pairs,
    least_squares,
    mean_differences,
)

MOST_FOLDS = 10
FEWEST_FOLDS = 5
DOCUMENTS_A_FOLD = 2
LEAST_VARIANCE = 0.25  # of that of a typical pair, in the weight of a pair
FEWEST_DOCUMENTS = FEWEST_FOLDS * DOCUMENTS_A_FOLD


@dataclass(frozen=True)
class JointEstimate:
    """``people`` and ``joint``: the same differences of the ``pairs`` (P, 2), without and with
    metrics. ``joint.r_squared`` (P,), out of sample, is the share of the variance of people's
    differences that the metrics explain; below 0 they add to it.

    ``slopes`` (K, q): of each of K folds of documents, learned from the others; 0 where a metric
    did not help. ``n``, ``n_clusters`` and ``n_scored`` (P,) count judged segments, their documents
    and the segments of the pool. ``enough``: whether there are enough documents to learn from; if
    not, people alone are used.
    """

    pairs: np.ndarray
    people: MeanDifferences
    joint: MeanDifferences
    slopes: np.ndarray
    n: np.ndarray
    n_clusters: np.ndarray
    n_scored: np.ndarray
    enough: bool

    @property
    def share_explained(self) -> float:
        """Mean of ``joint.r_squared`` over pairs, weighted by their segments; pairs whose
        differences hardly vary count less, because their R² has no lower bound."""
        variance = self.people.sd**2
        varies = variance > 0
        if not varies.any():
            return 0.0
        least = LEAST_VARIANCE * np.median(variance[varies])
        share = (self.n * np.minimum(variance / least, 1.0))[varies]
        return float((share * self.joint.r_squared[varies]).sum() / share.sum())

    @property
    def is_in_use(self) -> bool:
        """Whether any metric counts in any fold."""
        return bool(self.slopes.any())


def joint_estimate(
    table: ArrayLike,
    documents: ArrayLike,
    metrics: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    pairs: Pairs | None = None,
    slopes: ArrayLike | None = None,
    level: float = 0.95,
) -> JointEstimate:
    """Return differences of all ``pairs`` of systems, or of those given, from people and metrics.

    ``table`` (S, N): people's scores, NaN where not judged; N are the segments of the whole pool.
    ``documents`` (N,). ``metrics`` (S, N, q): a segment without a score of one of them is left out
    of a pair, and a pair without any scores uses people alone. ``weights`` (N,): 1/π of segments
    drawn with probability π, all equal by default. ``slopes`` (q,): those of a pilot, instead of
    learned ones.

    With D = y_a - y_b, W = w/Σw over the judged segments of a pair, X the differences of metrics: θ
    = Σ_i W_i (D_i - (X_i - X̄_pool)ᵀλ_k(i)), k(i) the fold of i's document. λ_k is fitted by
    weighted least squares on the documents of the other folds, one vector for all pairs, each pair
    with the weight n / variance (at least a quarter of the median variance); a metric is left out
    (λ = 0) as long as the error, cross-validated over those other folds, does not rise without it.
    Variance G/(G-1)·Σ_g(Σ_{i∈g}W_i e_i)² + Σ_{g in pool}[Σ_{i∈g}(X_i - X̄_pool)ᵀλ̄]²/N² with the
    residuals e = D - (X - X̄_pool)ᵀλ - θ and λ̄ = Σ_i W_i λ_k(i); t has G - 1 degrees of freedom.
    Documents, in the order of their names, go to 10 folds in turn, or fewer if a fold would have
    less than 2; with fewer than 10 documents nothing is learned. Raise ValueError for arrays that
    do not fit each other.
    """
    sample, of = PairedSample.of_systems(table, documents, metrics, weights, pairs)
    seen, place = np.unique(sample.code, return_inverse=True)
    n_folds = min(MOST_FOLDS, len(seen) // DOCUMENTS_A_FOLD)
    enough = n_folds >= FEWEST_FOLDS or slopes is not None
    q = sample.x.shape[2]
    if slopes is not None:
        fold, by_fold = np.zeros(len(place), np.intp), np.asarray(slopes, np.float64).reshape(1, q)
    elif enough and q:
        fold = place % n_folds
        by_fold = cross_fitted(sample, fold, n_folds)
    else:
        fold, by_fold = np.zeros(len(place), np.intp), np.zeros((1, q))
    predicted = np.einsum("pnq,nq->pn", sample.x, by_fold[fold])
    shares = np.stack([sample.w[:, fold == k].sum(axis=1) for k in range(len(by_fold))], axis=1)
    none = np.zeros(q)
    return JointEstimate(
        pairs=of,
        people=mean_differences(sample, np.zeros_like(sample.d), none, level),
        joint=mean_differences(sample, predicted, shares @ by_fold, level),
        slopes=by_fold,
        n=sample.judged.sum(axis=1),
        n_clusters=sample.n_clusters,
        n_scored=sample.n_scored,
        enough=enough,
    )


def cross_fitted(sample: PairedSample, fold: np.ndarray, n_folds: int) -> np.ndarray:
    """Return slopes (K, q), one vector per fold, learned from the segments outside it."""
    folds = [_Moments.of(sample, fold == k) for k in range(n_folds)]
    total = _Moments.sum(folds)
    q = sample.x.shape[2]
    # Parts are compared with the whole: what is left after a subtraction is rounding of the whole.
    flat = FLAT * (total.of_pairs @ sample.square_x)
    found = np.zeros((n_folds, q))
    for k, left_out in enumerate(folds):
        rest = total.less(left_out)
        inner = []
        for each in folds[:k] + folds[k + 1 :]:
            train = rest.less(each)
            inner.append((train.equations(), each.errors_from(train)))
        kept = _kept(inner, flat)
        found[k] = _solved(rest.equations(), kept, flat)
    return found


Equations = tuple[np.ndarray, np.ndarray]  # (q, q) and (q,) of least squares
Quadratic = tuple[np.ndarray, np.ndarray]  # b'Ab - 2c'b of slopes b: (q, q) and (q,)


@dataclass(frozen=True)
class _Moments:
    """Weighted sums over some segments of each pair: of 1 and d, and of x, xd and xx', (P, …)."""

    n: np.ndarray
    w: np.ndarray
    d: np.ndarray
    dd: np.ndarray
    x: np.ndarray
    xd: np.ndarray
    xx: np.ndarray

    @classmethod
    def of(cls, sample: PairedSample, part: np.ndarray) -> _Moments:
        w, d, x = sample.w[:, part], sample.d[:, part], sample.x[:, part]
        weighted = np.swapaxes(x * w[:, :, None], 1, 2)
        return cls(
            sample.judged[:, part].sum(axis=1).astype(np.float64),
            w.sum(axis=1),
            (w * d).sum(axis=1),
            (w * d**2).sum(axis=1),
            weighted.sum(axis=2),
            (weighted @ d[:, :, None])[:, :, 0],
            weighted @ x,
        )

    @classmethod
    def sum(cls, parts: list[_Moments]) -> _Moments:
        every = [vars(part).values() for part in parts]
        return cls(*(np.sum(each, axis=0) for each in zip(*every, strict=True)))

    def less(self, other: _Moments) -> _Moments:
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        return _Moments(*(mine - others for mine, others in pairs))

    @property
    def mean_d(self) -> np.ndarray:
        return np.divide(self.d, self.w, out=np.zeros_like(self.d), where=self.has_any)

    @property
    def mean_x(self) -> np.ndarray:
        some = self.has_any[:, None]
        return np.divide(self.x, self.w[:, None], out=np.zeros_like(self.x), where=some)

    @property
    def has_any(self) -> np.ndarray:
        return self.w > 1e-9  # of sums to 1, after subtraction

    @property
    def of_pairs(self) -> np.ndarray:
        """Weight of each pair (P,): segments / variance of its differences, 0 where these do not
        vary. Otherwise two systems that hardly differ would outweigh all others."""
        mean_square = np.divide(self.dd, self.w, out=np.zeros_like(self.d), where=self.has_any)
        variance = mean_square - self.mean_d**2
        varies = variance > 1e-9 * np.maximum(mean_square, 1e-300)
        least = LEAST_VARIANCE * np.median(variance[varies]) if varies.any() else 0.0
        counted = np.maximum(variance, least)
        return np.divide(self.n, counted, out=np.zeros_like(variance), where=varies)

    def equations(self) -> Equations:
        """Return the equations of all pairs together, each centered on its means."""
        share = np.divide(self.of_pairs, self.w, out=np.zeros_like(self.w), where=self.has_any)
        gram = self.xx - self.x[:, :, None] * self.mean_x[:, None]
        moment = self.xd - self.x * self.mean_d[:, None]
        return np.tensordot(share, gram, 1), share @ moment

    def errors_from(self, train: _Moments) -> Quadratic:
        """Return the squared errors here of slopes with the means of ``train``, minus those of
        slopes 0."""
        share, mean, x = train.of_pairs, train.mean_x, self.x
        cross = x[:, :, None] * mean[:, None]
        square = self.xx - cross - np.swapaxes(cross, 1, 2)
        square += self.w[:, None, None] * mean[:, :, None] * mean[:, None]
        linear = self.xd - mean * self.d[:, None]
        linear -= train.mean_d[:, None] * (x - mean * self.w[:, None])
        return np.tensordot(share, square, 1), share @ linear


def _kept(inner: list[tuple[Equations, Quadratic]], flat: np.ndarray) -> list[int]:
    """Return the metrics without which the cross-validated error would rise."""

    def error(some: list[int]) -> float:
        total = 0.0
        for equations, (square, linear) in inner:
            slopes = _solved(equations, some, flat)
            total += float(slopes @ square @ slopes - 2 * linear @ slopes)
        return total

    kept = list(range(len(flat)))
    least = error(kept)
    while kept:
        without = [[j for j in kept if j != left_out] for left_out in kept]
        errors = [error(each) for each in without]
        best = int(np.argmin(errors))
        if errors[best] > least:
            break
        kept, least = without[best], errors[best]
    return kept if least < 0 else []


def _solved(equations: Equations, kept: list[int], flat: np.ndarray) -> np.ndarray:
    """Return slopes (q,) of the metrics in ``kept``, 0 for the others and those that do not
    vary."""
    gram, moment = equations
    slopes = np.zeros(len(moment))
    if kept:
        slopes[kept] = least_squares(gram[np.ix_(kept, kept)], moment[kept], flat[kept])
    return slopes
