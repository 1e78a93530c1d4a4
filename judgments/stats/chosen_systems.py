"""Differences between systems that were drawn for each block, by how likely they were to meet.

Blocks show some outputs only, drawn at random: so many of all, or more often those about which
something is still open. Documents come in waves. Within a wave the probabilities are fixed and
follow from earlier waves alone, so that each difference, divided by the probability that both
systems were shown, is unbiased whatever rule set the probabilities (Horvitz and Thompson 1952), and
the sums over documents are a martingale.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, stdtrit

from judgments.stats.planning.choice import SystemChoice
from judgments.stats.significance import holm

AIMS = ("top", "best", "all")
ALPHA = 0.05


@dataclass(frozen=True)
class WeightedDifferences:
    """Row minus column, (S, S): ``estimate`` with ``se``, and ``low`` and ``high`` of intervals
    that hold for all m pairs at once, t of level 1 - (1 - level)/m; ``z`` and two-sided
    ``p_values``, ``adjusted`` by Holm. ``n`` segments in ``n_documents``. NaN where nothing can be
    said, and ``reason`` why."""

    estimate: np.ndarray
    se: np.ndarray
    low: np.ndarray
    high: np.ndarray
    z: np.ndarray
    p_values: np.ndarray
    adjusted: np.ndarray
    n: int
    n_documents: int
    level: float
    reason: str = ""

    @property
    def sign(self) -> np.ndarray:
        """(S, S): 1 where the row is better, -1 where it is worse, 0 where that is not decided."""
        decided = np.nan_to_num(self.adjusted, nan=1.0) < ALPHA
        return np.where(decided, np.sign(np.nan_to_num(self.z)), 0).astype(np.int64)

    @property
    def order(self) -> np.ndarray:
        """Systems from the best to the worst by their mean difference from the others."""
        return np.argsort(-np.nan_to_num(self.estimate).mean(axis=1), kind="stable")


def segment_differences(scores: ArrayLike, choice: SystemChoice) -> np.ndarray:
    """Return ψ (N, S, S) of ``scores`` (S, N), NaN where a system was not shown.

    ψ_ab = H I_ab D_ab/π_ab + Σ_c h_c (I_ac D_ac/π_ac - I_bc D_bc/π_bc), H ∝ π_ab, h_c ∝ 1/(1/π_ac +
    1/π_bc), H + Σ h_c = 1: directly, and by way of every third system. Its expected value is the
    difference. NaN where two can meet in no way.
    """
    y = np.asarray(scores, np.float64).T
    meeting = choice.meeting
    difference = np.nan_to_num(y[:, :, None] - y[:, None, :])
    seen = np.where(meeting > 0, difference / np.where(meeting > 0, meeting, 1.0), 0.0)
    indirect = np.einsum("abc,nac->nab", choice.ways, seen, optimize=True)
    total = meeting + choice.ways.sum(axis=2)
    found = meeting * seen + indirect - indirect.transpose(0, 2, 1)
    return np.where(total > 0, found / np.where(total > 0, total, 1.0), np.nan)


def weighted_differences(
    scores: ArrayLike,
    documents: ArrayLike,
    waves: ArrayLike,
    choices: Sequence[SystemChoice],
    *,
    level: float = 0.95,
) -> WeightedDifferences:
    """Return differences of ``scores`` (S, N), NaN where a system was not shown, with ``documents``
    (N,) as clusters. ``waves`` (N,): which of the ``choices`` each segment was shown by.

    With S_g the sum of ψ over a document, each times its wave's weight: θ = Σ S_g/Σ w; Z =
    Σ S_g/√Σ S_g², which is self-normalized, with its normal p; the error of θ is clustered by
    document (Liang and Zeger 1986) and its t has G - 1 degrees of freedom. Raise ValueError for
    arrays that do not fit each other.
    """
    table = np.asarray(scores, np.float64)
    group, wave = np.asarray(documents), np.asarray(waves)
    if table.ndim != 2 or group.shape != wave.shape or group.shape != table.shape[1:]:
        raise ValueError("scores have a row for each system and a column for each segment")
    n_systems, n = table.shape
    _, code = np.unique(group, return_inverse=True)
    n_documents = int(code.max(initial=-1)) + 1
    sums, weights = (np.zeros((n_documents, n_systems, n_systems)) for _ in range(2))
    for k, choice in enumerate(choices):
        at = np.flatnonzero(wave == k)
        if len(at):
            found = segment_differences(table[:, at], choice) * choice.weight
            np.add.at(sums, code[at], found)
            np.add.at(weights, code[at], choice.weight)
    return _result(sums, weights, n, level)


def _result(sums: np.ndarray, weights: np.ndarray, n: int, level: float) -> WeightedDifferences:
    """``sums`` (G, S, S) of weighted ψ and of their ``weights``."""
    n_documents, n_systems = sums.shape[:2]
    with np.errstate(invalid="ignore", divide="ignore"):
        total = weights.sum(axis=0)
        estimate = sums.sum(axis=0) / total
        z = sums.sum(axis=0) / np.sqrt((sums**2).sum(axis=0))
        left = sums - weights * estimate
        spread = (left**2).sum(axis=0) * n_documents / max(n_documents - 1, 1)
        se = np.sqrt(spread) / total
    reason = "there are too few documents" if n_documents < 2 else ""
    same = np.eye(n_systems, dtype=bool)
    estimate[same] = 0.0
    for each in (z, se):
        each[same] = np.nan
        if reason:
            each[:] = np.nan
    p_values = 2 * ndtr(-np.abs(z))
    upper = np.triu_indices(n_systems, 1)
    adjusted = np.full_like(p_values, np.nan)
    adjusted[upper] = holm(p_values[upper])
    adjusted.T[upper] = adjusted[upper]
    half = math.nan
    if not reason and len(upper[0]):
        half = float(stdtrit(n_documents - 1, 1 - (1 - level) / (2 * len(upper[0]))))
    return WeightedDifferences(
        estimate=estimate,
        se=se,
        low=estimate - half * se,
        high=estimate + half * se,
        z=z,
        p_values=p_values,
        adjusted=adjusted,
        n=n,
        n_documents=n_documents,
        level=level,
        reason=reason,
    )


def contenders(found: WeightedDifferences, aim: str) -> np.ndarray:
    """Return (S,): about which systems something is still open, at least two.

    "all": those with a pair that is not decided; "best": the unbeaten, those that none is better
    than; "top": these, and whoever is not worse than all of them.
    """
    if aim not in AIMS:
        raise ValueError(f"the aim is one of {', '.join(AIMS)}, not {aim!r}")
    sign, order = found.sign, found.order
    n = len(order)
    unbeaten = ~(sign == -1).any(axis=1)
    still = {
        "all": (sign == 0).sum(axis=1) > 1,  # its own place on the diagonal is 0
        "top": unbeaten | (sign[unbeaten] != 1).any(axis=0),
        "best": unbeaten,
    }[aim]
    for system in order:
        if still.sum() >= min(2, n):
            break
        still[system] = True
    return still
