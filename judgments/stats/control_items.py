"""Control items of one annotator: attention checks, planted errors, and deviation from the others.

What comes out are counts and figures; who judges unlike the others may still be right.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtrit

from judgments.stats.signed_rank import exact_signed_rank
from judgments.stats.significance import mean_interval

LOWEST_SHARE = 0.1
"""A check that says so is passed in the lowest tenth of the scale."""
LOWER_THAN = 2 / 3
"""One that does not is passed where so many of one's own scores of regular items are higher."""
MIN_DRIFT = 5


@dataclass(frozen=True)
class Checks:
    """Attention checks: how many there were, and how many were passed; ``loud`` ones say that they
    are checks, ``silent`` ones show another text's translation, ``expected`` ones name scores: a
    range, or that one output is above another."""

    n_loud: int = 0
    n_loud_passed: int = 0
    n_silent: int = 0
    n_silent_passed: int = 0
    n_expected: int = 0
    n_expected_passed: int = 0

    @property
    def n(self) -> int:
        return self.n_loud + self.n_silent + self.n_expected

    @property
    def n_passed(self) -> int:
        return self.n_loud_passed + self.n_silent_passed + self.n_expected_passed

    @property
    def share(self) -> float:
        return self.n_passed / self.n if self.n else math.nan


@dataclass(frozen=True)
class FoundErrors:
    """Planted phrases among marked errors. ``n_found`` of ``n_planted`` lie under a mark;
    ``mean_more`` errors were marked than in the originals (``n_pairs``), with the one-sided exact
    signed-rank ``p_value``."""

    n_planted: int = 0
    n_found: int = 0
    n_pairs: int = 0
    mean_more: float = math.nan
    p_value: float = math.nan

    @property
    def share(self) -> float:
        return self.n_found / self.n_planted if self.n_planted else math.nan


@dataclass(frozen=True)
class Deviation:
    """An annotator's scores beside the mean of all others of the same outputs (``n``): mean
    difference, mean absolute difference, Pearson's correlation; ``slope`` is the change of the
    difference in a hundred judgments of one's work, with its 95 % interval ``low`` and ``high``."""

    n: int = 0
    mean_difference: float = math.nan
    mean_absolute: float = math.nan
    correlation: float = math.nan
    slope: float = math.nan
    low: float = math.nan
    high: float = math.nan

    @property
    def drifts(self) -> bool:
        """Whether the interval of the slope lies on one side of 0."""
        return self.low > 0 or self.high < 0


NO_CHECKS, NOTHING_FOUND, NO_DEVIATION = Checks(), FoundErrors(), Deviation()


def is_lowest(values: ArrayLike, low: float, high: float) -> np.ndarray:
    """Return which of values (n,) lie in the lowest tenth of a scale."""
    return np.asarray(values, np.float64) <= low + LOWEST_SHARE * (high - low)


def is_low_for(values: ArrayLike, own: ArrayLike) -> np.ndarray:
    """Return which of values (n,) lie below at least two thirds of one's ``own`` scores (m,); none
    where there are no own scores."""
    asked, known = np.asarray(values, np.float64), np.sort(np.asarray(own, np.float64))
    if not len(known):
        return np.zeros(len(asked), bool)
    higher = len(known) - np.searchsorted(known, asked, side="right")
    return higher / len(known) >= LOWER_THAN - 1e-9


def found_errors(
    n_planted: int, n_found: int, original: ArrayLike, degraded: ArrayLike
) -> FoundErrors:
    """`FoundErrors` from the numbers of errors (n_pairs,) marked in originals and copies."""
    more = np.asarray(degraded, np.float64) - np.asarray(original, np.float64)
    if not len(more):
        return FoundErrors(n_planted, n_found)
    p = exact_signed_rank(more).p_value
    return FoundErrors(n_planted, n_found, len(more), mean_interval(more).estimate, p)


def others_mean(key: ArrayLike, annotator: ArrayLike, value: ArrayLike) -> np.ndarray:
    """Return for each score (n,) the mean of what all others gave the same key; NaN where nobody
    did.

    Each annotator has one vote on a key, the mean of their scores. key and annotator: codes from 0.
    """
    keys, people = np.asarray(key, np.int64), np.asarray(annotator, np.int64)
    if not len(keys):
        return np.zeros(0)
    n_annotators = int(people.max()) + 1
    votes, vote = np.unique(keys * n_annotators + people, return_inverse=True)
    mean = np.bincount(vote, weights=np.asarray(value, np.float64)) / np.bincount(vote)
    _, of_vote = np.unique(votes // n_annotators, return_inverse=True)
    total = np.bincount(of_vote, weights=mean)[of_vote]
    n = np.bincount(of_vote)[of_vote]
    others = np.full(len(votes), np.nan)
    np.divide(total - mean, n - 1, out=others, where=n > 1)
    return others[vote]


def deviation(own: ArrayLike, others: ArrayLike, place: ArrayLike) -> Deviation:
    """`Deviation` of scores (n,) from those of the others, NaN left out. place: how many judgments
    one had made before each."""
    mine, theirs, places = (np.asarray(values, np.float64) for values in (own, others, place))
    known = ~(np.isnan(mine) | np.isnan(theirs))
    mine, theirs, places = mine[known], theirs[known], places[known]
    n = len(mine)
    if not n:
        return NO_DEVIATION
    difference = mine - theirs
    correlation = math.nan
    if n > 2 and mine.std() > 0 and theirs.std() > 0:
        correlation = float(np.corrcoef(mine, theirs)[0, 1])
    slope = _slope(places / 100, difference)
    mean, absolute = float(difference.mean()), float(np.abs(difference).mean())
    return Deviation(n, mean, absolute, correlation, *slope)


def _slope(x: np.ndarray, y: np.ndarray) -> tuple[float, float, float]:
    """Return the least-squares slope with its 95 % t interval; NaN for fewer than five points."""
    n = len(x)
    spread = float(((x - x.mean()) ** 2).sum())
    if n < MIN_DRIFT or spread == 0:
        return math.nan, math.nan, math.nan
    slope = float(((x - x.mean()) * (y - y.mean())).sum()) / spread
    rest = y - y.mean() - slope * (x - x.mean())
    half = float(stdtrit(n - 2, 0.975)) * math.sqrt(float((rest**2).sum()) / (n - 2) / spread)
    return slope, slope - half, slope + half
