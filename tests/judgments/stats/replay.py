"""A finished table of scores judged look by look, and comparisons for the stopping rules."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from judgments.stats.elimination import AIMS, decided, stays
from judgments.stats.paired_difference import paired_difference
from judgments.stats.sequential import StoppingPlan, _times, _Walk, z_of_t

ZFunction = Callable[[np.ndarray, np.ndarray, np.ndarray | None], float]


def difference_z(
    differences: np.ndarray, clusters: np.ndarray, controls: np.ndarray | None
) -> float:
    """Return Z of the mean difference, with controls if there are any (`paired_difference`)."""
    found = paired_difference(differences, clusters, controls=controls)
    return z_of_t(found.t, found.df)


@dataclass(frozen=True)
class ClusteredSignedRank:
    """``z`` is above 0 where the first system is better; two-sided p. NaN with a ``reason``."""

    z: float
    p_value: float
    n: int
    n_dropped: int
    n_clusters: int
    test: str = "signed-rank by document"
    reason: str = ""


def clustered_signed_rank(
    differences: ArrayLike, clusters: ArrayLike | None = None
) -> ClusteredSignedRank:
    """Return Wilcoxon's signed-rank test with the items of a document as a unit.

    ``differences`` (N,), NaN left out and zeros dropped; ``clusters`` (N,). With T_g the sum of the
    signed ranks of document g, z = ΣT_g/√ΣT_g² is normal (Rosner, Glynn and Lee 2006). With one
    item per document this is the ordinary test without continuity correction.
    """
    d = np.asarray(differences, np.float64)
    group = np.arange(len(d)) if clusters is None else np.asarray(clusters)
    if d.ndim != 1 or group.shape != d.shape:
        raise ValueError("differences and clusters must be equally long")
    known = ~np.isnan(d)
    kept = known & (d != 0)
    n, dropped = int(kept.sum()), int(known.sum() - kept.sum())
    if not n:
        reason = "every difference is 0" if dropped else "there are no pairs"
        return ClusteredSignedRank(math.nan, math.nan, 0, dropped, 0, reason=reason)
    _, code = np.unique(group[kept], return_inverse=True)
    _, size, counts = np.unique(np.abs(d[kept]), return_inverse=True, return_counts=True)
    rank = (np.cumsum(counts) - (counts - 1) / 2)[size]  # ties share the mean of their ranks
    signed = np.sign(d[kept]) * rank
    sums = np.bincount(code, weights=signed)
    spread = math.sqrt(float(sums @ sums))
    # Documents whose halves cancel exactly mean that neither system is better.
    z = float(sums.sum()) / spread if spread else 0.0
    return ClusteredSignedRank(z, 2 * float(ndtr(-abs(z))), n, dropped, len(sums))


def signed_rank_z(
    differences: np.ndarray, clusters: np.ndarray, controls: np.ndarray | None = None
) -> float:
    """Return Z of the signed-rank test by document, which has no controls."""
    return clustered_signed_rank(differences, clusters).z


@dataclass(frozen=True)
class SequentialResult:
    """``sign`` (S, S): +1 where the row was found better, -1 worse, 0 not separated; ``look`` (S,
    S): at which look, counted from 0, or -1. ``n_items`` (S,): judged items of each system;
    ``remaining`` (S,): systems that were never dropped."""

    aim: str
    sign: np.ndarray
    look: np.ndarray
    n_items: np.ndarray
    remaining: np.ndarray

    @property
    def n_judgments(self) -> int:
        return int(self.n_items.sum())


def run_looks(
    table: ArrayLike,
    documents: ArrayLike,
    plan: StoppingPlan,
    *,
    most_documents: int | None = None,
    controls: ArrayLike | None = None,
    aim: str = "all",
    z_of: ZFunction = difference_z,
    holm: bool = True,
) -> SequentialResult:
    """Judge ``table`` (S, N) document by document, and decide at each look of the plan.

    ``documents`` (N,): the document of each item, judged in the order in which they first occur.
    ``most_documents``: the total of the plan's fractions, all documents if None. ``controls`` (S,
    N) or (S, N, q): scores of metrics, known for all items and chosen before the first look; their
    differences are used for a pair. ``holm``: when all pairs are compared, each decision passes its
    share of alpha on to the pairs still open; not used in a search for the best.
    """
    scores, names = np.asarray(table, np.float64), np.asarray(documents)
    if scores.ndim != 2 or names.shape != scores.shape[1:] or aim not in AIMS:
        raise ValueError(f"a table (S, N), N documents, and an aim of {', '.join(AIMS)}")
    extra = None if controls is None else np.asarray(controls, np.float64)
    code, ends = _order(names, plan, most_documents)
    n = len(scores)
    sign, look = np.zeros((n, n), np.int8), np.full((n, n), -1)
    n_items, active = np.zeros(n, np.int64), np.ones(n, bool)
    for k, end in enumerate(ends):
        judged = code < end
        n_items[active] = judged.sum()
        z_values = {}
        for a, b in itertools.combinations(np.flatnonzero(active).tolist(), 2):
            if not sign[a, b]:
                differences = np.where(judged, scores[a] - scores[b], np.nan)
                pair_controls = None if extra is None else extra[a] - extra[b]
                z_values[a, b] = z_of(differences, code, pair_controls)
        for (a, b), found in decided(z_values, k, plan, holm and aim == "all", sign)[0].items():
            sign[a, b], sign[b, a] = found, -found
            look[a, b] = look[b, a] = k
        active &= stays(sign, active, aim)
        if active.sum() < 2:
            break
    remaining = (sign == 0).sum(axis=1) > 1 if aim == "all" else active
    return SequentialResult(aim, sign, look, n_items, remaining)


def _order(
    names: np.ndarray, plan: StoppingPlan, most: int | None
) -> tuple[np.ndarray, np.ndarray]:
    """Return documents numbered in order of occurrence, (N,), and how many are judged at each
    look."""
    _, first, code = np.unique(names, return_index=True, return_inverse=True)
    ends = np.round(plan.fractions * (len(first) if most is None else most)).astype(np.intp)
    if ends[-1] > len(first):
        raise ValueError(f"the plan needs {ends[-1]} documents, there are {len(first)}")
    return np.argsort(np.argsort(first))[code], ends


def crossing_probability(fractions: ArrayLike, bounds: ArrayLike) -> float:
    """Return the probability that |Z| exceeds its bound at some look although there is no
    difference."""
    times, limits = _times(fractions), np.asarray(bounds, np.float64)
    if limits.shape != times.shape:
        raise ValueError("there is one bound for each look")
    walk, crossed = _Walk(), 0.0
    for time, limit in zip(times, limits, strict=True):
        crossed += walk.outside(time, limit)
        walk.go(time, limit)
    return crossed


def open_ended_bound(n: ArrayLike, *, rho: float, alpha: float = 0.05) -> np.ndarray:
    """Return the bound on |Z| after n items that holds at all n together, with no last look.

    √(2(nρ² + 1)/(nρ²) · ln(√(nρ² + 1)/α)) (Robbins 1970; Waudby-Smith and others 2024); estimate ±
    bound · se is a confidence sequence. ``rho`` says where it is narrowest: `rho_for`.
    """
    n = np.asarray(n, np.float64)
    if rho <= 0 or not 0 < alpha < 1 or (n <= 0).any():
        raise ValueError("n and rho are above 0, and alpha is between 0 and 1")
    scale = n * rho**2
    return np.sqrt(2 * (scale + 1) / scale * np.log(np.sqrt(scale + 1) / alpha))


def rho_for(n: int, *, alpha: float = 0.05) -> float:
    """Return the ρ whose bound is about the narrowest after n items."""
    if n < 1:
        raise ValueError(f"n is at least 1, not {n}")
    return math.sqrt((-2 * math.log(alpha) + math.log(-2 * math.log(alpha) + 1)) / n)
