"""Signed-rank tests of all pairs of systems, adjusted for what registered metrics explain.

Metrics score every segment of a pool of documents, of which some were judged. One vector of slopes
for all pairs says how signed ranks depend on the metrics' differences, and the part due to which
segments of the pool were judged is removed. A metric that favors a system does not bias the result;
it only explains less. Documents are the clusters, however few of their segments were judged.
Without metrics this is the signed-rank test by document (Rosner, Glynn and Lee 2006) and the paired
t with clustered errors; with them the regression estimator of survey sampling (Cochran 1977, ch. 7;
Särndal, Swensson and Wretman 1992).
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from judgments.stats.paired_difference import PairedDifference
from judgments.stats.paired_sample import (
    MeanDifferences,
    PairedSample,
    Pairs,
    explained,
    mean_differences,
)
from judgments.stats.ranks import tied


@dataclass(frozen=True)
class ControlledRanks:
    """The test of each of the ``pairs`` (P, 2), and its difference.

    ``z`` (P,) is above 0 where the first system is better; ``p_value`` is two-sided; both are NaN
    where nothing differs. ``sums`` (P, G): those of each document, whose total is the numerator of
    z; ``extra`` (P,): the part of its variance that comes from the pool; ``ranks`` (P, N): signed
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
        """(P,): whether ranks and mean point to different systems; such pairs must not be
        separated."""
        return np.sign(self.z) * np.sign(self.difference.estimate) < 0

    def paired_difference(self, p: int) -> PairedDifference:
        """Return the difference of pair number ``p`` as that of a single pair."""
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
    """Return signed-rank tests and differences of all ``pairs`` of systems, or of those given.

    ``table`` (S, N): scores, NaN where not judged; N are the segments of the whole pool.
    ``documents`` (N,). ``controls`` (S, N, q) or (S, N), as from `metric_controls`: a segment
    without them is left out of a pair, and a pair without any is tested without. ``weights`` (N,):
    1/π of segments drawn with probability π, all equal by default.

    With D_ip = y_a - y_b, W = w/Σw over the judged segments of a pair, T_ip = sign(D)·R/n₀, R the
    mid-rank of |D| weighted by w scaled to mean 1 over the n₀ differences that are not 0, X the
    differences of controls, ~ centered on the weighted mean, v_p = ΣWT̃²: β = [Σ_pΣ_i W
    x̃x̃ᵀ/v_p]⁻¹[Σ_pΣ_i W x̃T̃/v_p]; S_gp = Σ_{i∈g} W(T - (X - X̄_pool)ᵀβ); extra_p = Σ_{g in
    pool}[Σ_{i∈g}(X - X̄_pool)ᵀβ]²/N²; Z_p = ΣS_gp/√(ΣS_gp² + extra_p).

    Difference: b as β, but of D; θ = ΣWD - (X̄_W - X̄_pool)ᵀb with the residuals e = D - D̄_W - (X
    - X̄_W)ᵀb and variance G/(G-1)·Σ_g(Σ_{i∈g}We)² + extra (with b); t has G - 1 degrees of freedom.
    Raise ValueError for arrays that do not fit each other.
    """
    sample, of = PairedSample.of_systems(table, documents, controls, weights, pairs)
    return _tested(sample, of, level)


def _tested(sample: PairedSample, pairs: np.ndarray, level: float) -> ControlledRanks:
    ranks = _signed_ranks(sample)
    slopes, variance = sample.slopes(ranks)
    predicted = sample.x @ slopes
    sums = sample.by_document(sample.w * (ranks - predicted))
    extra = sample.extra(slopes)  # noqa: S610  not Django's
    spread = np.sqrt((sums**2).sum(axis=1) + extra)
    some = np.abs(ranks).any(axis=1)
    total = sums.sum(axis=1)
    # Documents whose halves cancel exactly mean that neither system is better.
    z = np.where(some, np.divide(total, spread, out=np.zeros_like(total), where=spread > 0), np.nan)
    residual = ranks - predicted - (sample.mean(ranks) - sample.mean(predicted))[:, None]
    return ControlledRanks(
        pairs=pairs,
        z=z,
        p_value=2 * ndtr(-np.abs(z)),
        sums=sums,
        extra=extra,
        ranks=sample.everywhere(ranks),
        slopes=slopes,
        r_squared=np.maximum(explained(sample, residual, variance), 0.0),
        n=sample.judged.sum(axis=1),
        n_clusters=sample.n_clusters,
        n_scored=sample.n_scored,
        controlled=sample.controlled,
        difference=_differences(sample, level),
    )


def _differences(sample: PairedSample, level: float) -> MeanDifferences:
    slopes, _ = sample.slopes(sample.d)
    found = mean_differences(sample, sample.x @ slopes, slopes, level)
    # The slopes come from the same judgments, so that there is nothing left for controls to spoil.
    return dataclasses.replace(found, r_squared=np.maximum(found.r_squared, 0.0))


def _signed_ranks(sample: PairedSample) -> np.ndarray:
    """Return T (P, n): sign(D)·R/n₀, 0 where D is 0 or not judged."""
    difference = tied(sample.d)
    size = np.abs(difference)
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
    # Start and end of each run of equal sizes: its members share both.
    new = np.diff(rising, axis=1) > 0
    first = np.concatenate([np.zeros((len(size), 1)), np.where(new, upto[:, :-1], 0.0)], axis=1)
    smaller = np.maximum.accumulate(first, axis=1)
    last = np.concatenate([np.where(new, upto[:, :-1], np.inf), upto[:, -1:]], axis=1)
    not_larger = np.minimum.accumulate(last[:, ::-1], axis=1)[:, ::-1]
    rank = np.empty_like(size)
    np.put_along_axis(rank, order, (smaller + not_larger + 1) / 2, axis=1)
    return np.asarray(np.sign(difference) * rank / np.maximum(n, 1))
