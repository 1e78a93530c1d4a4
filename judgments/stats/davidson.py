"""Strengths of systems from comparisons with ties: Davidson's (1970) model, and Bradley-Terry's
with ties as half a win for each, for one table of wins or a thousand resampled ones at once.

Davidson: P(i beats j) ∝ π_i, P(j beats i) ∝ π_j, P(tie) ∝ ν √(π_i π_j). Both likelihoods are those
of log-linear models, hence concave in the log-strengths and log ν; Newton's method with halved
steps. Which tables have a finite solution is decided first (Ford 1957; for Davidson's model,
directions in which its likelihood never falls): see `solvable`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from judgments.stats.comparison_graph import why_apart

TOLERANCE = 1e-9
MOST_STEPS = 100
LARGEST_STEP = 1.0
FAR = 1e6

TIES_ONLY = "no finite strengths: there are only ties"
TIES_SEPARATE = "no finite strengths: wins and ties never contradict an order of the systems"
NO_CONVERGENCE = "no convergence"


@dataclass(frozen=True)
class Davidson:
    """``log_strength`` (n,) with mean 0, and ``tie``, ν: 0 without ties, larger with more ties. NaN
    with a ``reason`` where no finite solution exists."""

    log_strength: np.ndarray
    tie: float
    n_comparisons: float
    reason: str = ""


def davidson(wins: ArrayLike, ties: ArrayLike, *, systems: ArrayLike | None = None) -> Davidson:
    """Return the maximum likelihood estimate of Davidson's model from wins (n, n) and ties (n, n),
    symmetric.

    ``systems`` (n,): names for the reason.
    """
    wins, ties = _clean(wins, ties)
    systems = np.arange(len(wins)) if systems is None else np.asarray(systems)
    n_comparisons = float(wins.sum() + ties.sum() / 2)
    reason = _reason(wins, ties, systems)
    strength, tie = np.full(len(wins), np.nan), math.nan
    if not reason:
        found, ties_found = strengths(wins[None], ties[None], model="davidson")
        strength, tie = found[0], float(ties_found[0])
        reason = NO_CONVERGENCE if np.isnan(strength).any() else ""
    return Davidson(strength, tie, n_comparisons, reason)


def strengths(
    wins: ArrayLike, ties: ArrayLike, *, model: str = "bradley-terry"
) -> tuple[np.ndarray, np.ndarray]:
    """Return log-strengths (b, n) and ν (b,) of b tables of wins and ties (b, n, n), NaN without a
    solution.

    ``model``: "bradley-terry", in which a tie is half a win for each (ν is NaN), or "davidson".
    """
    if model not in ("bradley-terry", "davidson"):
        raise ValueError(f"model is bradley-terry or davidson, not {model!r}")
    wins, ties = _clean(wins, ties)
    if model == "bradley-terry":
        wins, ties = wins + ties / 2, np.zeros_like(ties)
    found = np.full(wins.shape[:2], np.nan)
    nu = np.full(len(wins), np.nan)
    for with_ties in (False, True):
        some = solvable(wins, ties) & (ties.any(axis=(1, 2)) == with_ties)
        if some.any():
            theta, delta = _newton(wins[some], ties[some], with_ties)
            found[some] = theta
            nu[some] = np.exp(delta) if with_ties else np.where(np.isnan(theta[:, 0]), np.nan, 0)
    return found, np.full(len(wins), np.nan) if model == "bradley-terry" else nu


def solvable(wins: np.ndarray, ties: np.ndarray) -> np.ndarray:
    """Return which tables (b, n, n) have a finite solution, bool (b,).

    None exists if there is a direction in which the likelihood never falls. Strengths u and log ν =
    s can grow without end if s = 0, u_i ≥ u_j where i won and u_i = u_j where they tied, not all
    equal; or if s = ½, u_i ≥ u_j + 1 where i won and |u_i - u_j| ≤ 1 where they tied. The first is
    impossible if wins and ties connect every system with every other both ways; the second if some
    cycle of steps has more wins than ties (Bellman: a cycle of negative length, -1 a win, +1 a
    tie).
    """
    n = wins.shape[-1]
    length = np.where(wins > 0, -1.0, np.where(ties > 0, 1.0, np.inf))
    length[:, np.arange(n), np.arange(n)] = 0
    for k in range(n):  # Floyd and Warshall
        through = length[:, :, k, None] + length[:, None, k, :]
        length = np.maximum(np.minimum(length, through), -FAR)
    connected = np.isfinite(length).all(axis=(1, 2))
    circle = (np.diagonal(length, axis1=1, axis2=2) < 0).any(axis=1)
    return connected & (circle | ~ties.any(axis=(1, 2))) & (n > 1)


def _newton(wins: np.ndarray, ties: np.ndarray, with_ties: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return theta (b, n) and delta (b,) by Newton's method on all tables (b, n, n) at once, until
    none moves. Steps are shortened to LARGEST_STEP, then halved for tables whose likelihood fell.
    """
    b, n = wins.shape[:2]
    theta, delta = np.zeros((b, n)), np.zeros(b)
    value = _likelihood(wins, ties, theta, delta, with_ties)
    moving = np.ones(b, bool)
    for _ in range(MOST_STEPS):
        at = np.flatnonzero(moving)
        gradient, information = _derivatives(wins[at], ties[at], theta[at], delta[at], with_ties)
        step = np.linalg.solve(information, gradient[..., None])[..., 0]
        size = np.abs(step).max(axis=1)
        step *= np.minimum(1, LARGEST_STEP / np.maximum(size, 1e-300))[:, None]
        for _ in range(30):
            new_theta, new_delta = theta[at] + step[:, :n], delta[at] + step[:, n]
            new = _likelihood(wins[at], ties[at], new_theta, new_delta, with_ties)
            worse = new < value[at] - 1e-9 * np.abs(value[at])
            if not worse.any():
                break
            step[worse] /= 2
        theta[at], delta[at], value[at] = new_theta, new_delta, new
        moving[at] = size > TOLERANCE
        if not moving.any():
            break
    theta -= theta.mean(axis=1, keepdims=True)
    theta[moving] = np.nan
    return theta, np.where(moving, np.nan, delta)


def _chances(
    theta: np.ndarray, delta: np.ndarray, with_ties: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the probabilities that i wins and that they tie, and the log of the normalizing
    sum."""
    half = (theta[:, :, None] - theta[:, None, :]) / 2
    tie = (
        np.broadcast_to(delta[:, None, None], half.shape)
        if with_ties
        else np.full_like(half, -np.inf)
    )
    most = np.maximum(np.abs(half), tie)
    total = most + np.log(np.exp(half - most) + np.exp(-half - most) + np.exp(tie - most))
    return np.exp(half - total), np.exp(tie - total), total


def _likelihood(
    wins: np.ndarray, ties: np.ndarray, theta: np.ndarray, delta: np.ndarray, with_ties: bool
) -> np.ndarray:
    _, _, total = _chances(theta, delta, with_ties)
    half = (theta[:, :, None] - theta[:, None, :]) / 2
    games = (wins + np.swapaxes(wins, 1, 2) + ties) / 2
    score = wins * half - games * total
    return score.sum(axis=(1, 2)) + delta * ties.sum(axis=(1, 2)) / 2


def _derivatives(
    wins: np.ndarray, ties: np.ndarray, theta: np.ndarray, delta: np.ndarray, with_ties: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Return the gradient (b, n + 1) and information (b, n + 1, n + 1), regularized: the mean
    strength is held at 0, and without ties delta is."""
    b, n = theta.shape
    games = wins + np.swapaxes(wins, 1, 2) + ties
    win, tie, _ = _chances(theta, delta, with_ties)
    points = win + tie / 2
    gradient = np.zeros((b, n + 1))
    gradient[:, :n] = (wins + ties / 2 - games * points).sum(axis=2)
    gradient[:, n] = (ties - games * tie).sum(axis=(1, 2)) / 2
    information = np.zeros((b, n + 1, n + 1))
    variance = games * (win + tie / 4 - points**2)
    information[:, :n, :n] = 1 / n - variance
    diagonal = np.arange(n)
    information[:, diagonal, diagonal] += variance.sum(axis=2)
    both = (games * tie * (np.swapaxes(win, 1, 2) - win) / 2).sum(axis=2)
    information[:, :n, n] = information[:, n, :n] = both
    information[:, n, n] = (games * tie * (1 - tie)).sum(axis=(1, 2)) / 2 if with_ties else 1
    return gradient, information


def _reason(wins: np.ndarray, ties: np.ndarray, systems: np.ndarray) -> str:
    met = why_apart(wins + wins.T + ties > 0, systems)
    reason = met or why_apart(wins + ties > 0, systems, strong=True)
    if reason or solvable(wins[None], ties[None])[0]:
        return reason
    return TIES_SEPARATE if wins.any() else TIES_ONLY


def _clean(wins: ArrayLike, ties: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return float tables (..., n, n) with an empty diagonal."""
    wins, ties = np.asarray(wins, np.float64), np.asarray(ties, np.float64)
    if wins.shape != ties.shape or wins.ndim < 2 or wins.shape[-1] != wins.shape[-2]:
        raise ValueError(f"wins and ties must be (n, n), not {wins.shape} and {ties.shape}")
    if not np.array_equal(ties, np.swapaxes(ties, -1, -2)):
        raise ValueError("ties must be symmetric")
    off = ~np.eye(wins.shape[-1], dtype=bool)
    return wins * off, ties * off
