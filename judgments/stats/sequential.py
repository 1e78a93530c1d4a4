"""When a campaign may stop: a group-sequential rule, and one without an end.

Looking at the judgments again and again and stopping at the first p < .05 errs far more often than
in 5 % of campaigns. Here the error is spent over looks that were planned: a little at the first
ones, most at the last, by one of two functions of Lan and DeMets (1983), `SPENDING`. Fractions of
the planned documents stand for the information at a look.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri, stdtr

MOST_LOOKS = 10
FIRST_LOOK_ITEMS = 40
FUTILE_BELOW = 0.1
FUTILITY_FROM = 0.3
POINTS = 401
"""Points of the grid between two bounds, odd for Simpson's rule: bounds are exact to 1e-8."""
FARTHEST = 8.0
"""Standard deviations at which a bound is infinite for all purposes: chance 1e-15."""


@dataclass(frozen=True)
class StoppingPlan:
    """Looks (K,), fixed before the first: ``fractions`` of the planned documents, the cumulated
    ``spent`` error and the ``bounds`` that |Z| of a pair must exceed. ``alpha`` is that of a pair:
    the campaign's divided by the number of pairs; ``spending`` a key of `SPENDING`."""

    fractions: np.ndarray
    spent: np.ndarray
    bounds: np.ndarray
    alpha: float
    n_pairs: float
    spending: str


def one_sided_form_spending(fractions: ArrayLike, alpha: float) -> np.ndarray:
    """Return error spent up to each fraction: 2 - 2Φ(z(1 - α/2)/√f).

    Lan and DeMets (1983) wrote it for a one-sided test; here its α is the error of both sides
    together. It spends more at the first looks than `obrien_fleming_spending`.
    """
    return 2 * ndtr(ndtri(alpha / 2) / np.sqrt(np.asarray(fractions, np.float64)))


def obrien_fleming_spending(fractions: ArrayLike, alpha: float) -> np.ndarray:
    """Return two-sided error spent up to each fraction: 4 - 4Φ(z(1 - α/4)/√f).

    The function above with α/2 on each side, as Lan and DeMets (1983) approach the bounds of
    O'Brien and Fleming (1979) in a two-sided test; Reboussin et al. (2000) tabulate its bounds.
    """
    return 2 * one_sided_form_spending(fractions, alpha / 2)


SPENDING: dict[str, Callable[[ArrayLike, float], np.ndarray]] = {
    "one-sided-form": one_sided_form_spending,
    "obrien-fleming": obrien_fleming_spending,
}
DEFAULT_SPENDING = "one-sided-form"


def stopping_plan(
    documents: Sequence[int],
    *,
    most_documents: int | None = None,
    first_items: int | None = None,
    n_pairs: float = 1,
    alpha: float = 0.05,
    spending: str = DEFAULT_SPENDING,
) -> StoppingPlan:
    """Return the bounds of looks after so many ``documents`` (K,), rising, of ``most_documents``
    planned.

    Without ``most_documents`` the last look is the end. ``first_items``: items at the first look,
    if documents are not items. ``spending``: a key of `SPENDING`. Raise ValueError for another one,
    more than ten looks, a first look before 40 items, or looks that do not rise to at most
    ``most_documents``.
    """
    counts = [int(n) for n in documents]
    most = counts[-1] if most_documents is None and counts else int(most_documents or 0)
    if not 1 <= len(counts) <= MOST_LOOKS:
        raise ValueError(f"a plan has 1 to {MOST_LOOKS} looks, not {len(counts)}")
    if any(a >= b for a, b in zip([0, *counts], counts, strict=False)) or counts[-1] > most:
        raise ValueError("looks come after more and more documents, the last within the plan")
    if (counts[0] if first_items is None else first_items) < FIRST_LOOK_ITEMS:
        raise ValueError(f"the first look comes after at least {FIRST_LOOK_ITEMS} items")
    if n_pairs < 1 or not 0 < alpha < 1:
        raise ValueError("a plan has at least one pair and an alpha between 0 and 1")
    if spending not in SPENDING:
        raise ValueError(f"spending is one of {', '.join(SPENDING)}, not {spending!r}")
    return _plan(tuple(count / most for count in counts), alpha / n_pairs, n_pairs, spending)


def with_pairs(plan: StoppingPlan, n_pairs: float) -> StoppingPlan:
    """Return the same looks with the campaign's alpha divided by another number of pairs.

    For Holm's step-down: once r of m pairs are decided, the others may use the bounds of m - r
    (Maurer and Bretz 2013).
    """
    campaign_alpha = plan.alpha * plan.n_pairs
    fractions = tuple(plan.fractions.tolist())
    return _plan(fractions, campaign_alpha / n_pairs, n_pairs, plan.spending)


@functools.lru_cache(maxsize=512)
def _plan(
    fractions: tuple[float, ...], alpha: float, n_pairs: float, spending: str
) -> StoppingPlan:
    times = np.array(fractions)
    spent = SPENDING[spending](times, alpha)
    return StoppingPlan(times, spent, bounds_of_spending(times, spent), alpha, n_pairs, spending)


def bounds_of_spending(fractions: ArrayLike, spent: ArrayLike) -> np.ndarray:
    """Return bounds c (K,) on |Z| that use up ``spent`` (K,), the cumulated two-sided error at
    fractions.

    P(|B(f_j)|/√f_j ≤ c_j for j < k, |B(f_k)|/√f_k > c_k) is what is spent between looks k - 1 and
    k, B a Brownian motion: by recursion over its density (Armitage, McPherson and Rowe 1969).
    """
    times = _times(fractions)
    shares = np.diff(np.asarray(spent, np.float64), prepend=0.0)
    if shares.shape != times.shape or (shares < 0).any() or shares.sum() >= 1:
        raise ValueError("spent rises with the fractions, and stays below 1")
    bounds = np.empty(len(times))
    walk = _Walk()
    for k, (time, share) in enumerate(zip(times, shares, strict=True)):
        bounds[k] = walk.bound(time, share)
        walk.go(time, bounds[k])
    return bounds


class _Walk:
    """The density of B at the last look, on the paths that have not crossed a bound."""

    def __init__(self) -> None:
        self.time = 0.0
        self.at = np.zeros(1)
        self.mass = np.ones(1)  # density times Simpson's weights

    def outside(self, time: float, limit: float) -> float:
        """Return chance of |B(time)|/√time > limit."""
        edge, spread = limit * math.sqrt(time), math.sqrt(time - self.time)
        return float(
            self.mass @ (ndtr((self.at - edge) / spread) + ndtr(-(self.at + edge) / spread))
        )

    def bound(self, time: float, share: float) -> float:
        """Return the limit at which `outside` is ``share``, by bisection."""
        low, high = 0.0, 2 * FARTHEST
        while high - low > 1e-10:
            middle = (low + high) / 2
            low, high = (middle, high) if self.outside(time, middle) > share else (low, middle)
        return (low + high) / 2

    def go(self, time: float, limit: float) -> None:
        """On to the density at ``time`` within the limit."""
        edge, spread = min(limit, FARTHEST) * math.sqrt(time), math.sqrt(time - self.time)
        grid = np.linspace(-edge, edge, POINTS)
        weights = np.ones(POINTS)
        weights[1:-1:2], weights[2:-1:2] = 4, 2
        steps = np.exp(-(((grid[:, None] - self.at) / spread) ** 2) / 2)
        density = steps @ self.mass / (spread * math.sqrt(2 * math.pi))
        self.time, self.at = time, grid
        self.mass = density * weights * (grid[1] - grid[0]) / 3 if edge else np.zeros(POINTS)


def _times(fractions: ArrayLike) -> np.ndarray:
    times = np.asarray(fractions, np.float64)
    rising = times.ndim == 1 and len(times) and (np.diff(times, prepend=0.0) > 0).all()
    if not rising or times[-1] > 1:
        raise ValueError("fractions rise, above 0 and up to 1")
    return times


def z_of_t(t: float, df: int) -> float:
    """Return the standard normal value as far out as t with ``df`` degrees of freedom; NaN
    stays."""
    if math.isnan(t) or df < 1:
        return math.nan
    return math.copysign(-float(ndtri(stdtr(df, -abs(t)))), t)


def conditional_power(z: float, fraction: float, bound: float) -> float:
    """Return chance to exceed ``bound`` at the end on this side of 0, if the trend goes on.

    With B = z√f: Φ((B/f - bound)/√(1 - f)) (Lan and Wittes 1988).
    """
    if fraction >= 1:
        return float(abs(z) > bound)
    drift = abs(z) * math.sqrt(fraction) / fraction
    return float(ndtr((drift - bound) / math.sqrt(1 - fraction)))


@dataclass(frozen=True)
class PairDecision:
    """Of a pair at a look: ``sign`` is +1 or -1 where the pair is separated, else 0. ``futile``
    says that to go on is unlikely to separate it; nobody is bound to stop by that."""

    sign: int
    futile: bool
    conditional_power: float


def decide(z: float, look: int, plan: StoppingPlan) -> PairDecision:
    """Return what Z of a pair says at a look, counted from 0. NaN decides nothing."""
    if math.isnan(z):
        return PairDecision(0, False, math.nan)
    if abs(z) > plan.bounds[look]:
        return PairDecision(1 if z > 0 else -1, False, 1.0)
    fraction = float(plan.fractions[look])
    power = conditional_power(z, fraction, float(plan.bounds[-1]))
    return PairDecision(0, fraction >= FUTILITY_FROM and power < FUTILE_BELOW, power)
