"""Power by resampling: the results of a test in campaigns like this one, of any size.

A campaign of n items is drawn with replacement from the judged ones (whole documents where they are
the clusters) and tested as the campaign is; power is the share of draws in which the test separates
the systems, in the direction in which they differ now. The tests only need to know how often each
value occurs in a draw, so that the cost of a draw depends on the number of distinct values, not on
n.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from judgments.stats.power import NO_EFFECT, NO_SPREAD, DetectableEffect, SampleSize
from judgments.stats.ranks import tied

TESTS = (
    *("signed-rank-clustered", "signed-rank", "permutation-clustered", "permutation"),
    *("mann-whitney", "sign"),
)
DRAWS = 400
MOST_ITEMS = 1_000_000
"""No campaign has more items, and the difference is then practically zero."""
STEPS = 4
FEWEST = 6  # pairs; fewer can never be significant by the signed-rank test


@dataclass(frozen=True)
class PairSample:
    """Judgments of two systems on the same items (n,) each, NaN left out, and their clusters.

    Clusters are numbered, and cluster g stands for ``times[g]`` equal ones.
    """

    first: np.ndarray
    second: np.ndarray
    cluster: np.ndarray
    times: np.ndarray

    @property
    def differences(self) -> np.ndarray:
        return self.first - self.second

    @property
    def n_clusters(self) -> int:
        return len(self.times)

    @property
    def n_items(self) -> int:
        return int(self.times[self.cluster].sum())

    @property
    def mean_difference(self) -> float:
        """Mean difference; NaN without items."""
        if not len(self.first):
            return math.nan
        return float(np.average(self.differences, weights=self.times[self.cluster]))

    def swapped(self, where: np.ndarray | bool = True) -> PairSample:
        """Return the sample with the two systems swapped ``where`` true."""
        first = np.where(where, self.second, self.first)
        second = np.where(where, self.first, self.second)
        return PairSample(first, second, self.cluster, self.times)

    def collapsed(self, test: str) -> PairSample:
        """Return the sample with equal differences of single items merged into one: fewer to draw
        from."""
        if test == "mann-whitney" or len(self.first) > self.n_clusters or (self.times > 1).any():
            return self
        d = np.round(self.differences, 12)
        values, times = np.unique(d, return_counts=True)
        return PairSample(values, np.zeros(len(values)), np.arange(len(values)), times)


def pair_sample(
    first: ArrayLike, second: ArrayLike | None = None, clusters: ArrayLike | None = None
) -> PairSample:
    """Return a sample from arrays (n,), NaN where not judged. Raise ValueError if they are not
    equally long.

    Without ``second``, ``first`` holds the differences; without clusters each item is its own.
    """
    a = np.asarray(first, np.float64)
    b = np.zeros_like(a) if second is None else np.asarray(second, np.float64)
    group = np.arange(len(a)) if clusters is None else np.asarray(clusters)
    if a.ndim != 1 or b.shape != a.shape or group.shape != a.shape:
        raise ValueError("first, second and clusters must be equally long")
    known = ~np.isnan(a - b)
    names, code = np.unique(group[known], return_inverse=True)
    return PairSample(a[known], b[known], code, np.ones(len(names), np.int64))


def observed_z(sample: PairSample, test: str) -> float:
    """Return z of the sample by the normal approximation of a test of `resampled_power`, above 0
    where the first system is better; NaN if nothing differs."""
    if test not in TESTS:
        raise ValueError(f"test is one of {', '.join(TESTS)}, not {test!r}")
    if not len(sample.first) or not sample.differences.any():
        return math.nan
    return float(_Tables.of(sample, test).z(np.ones((1, sample.n_clusters)))[0])


def resampled_power(
    sample: PairSample,
    n: int,
    *,
    test: str,
    rng: np.random.Generator,
    draws: int = DRAWS,
    alpha: float = 0.05,
) -> float:
    """Return the share of campaigns of about ``n`` items in which the two-sided ``test`` separates
    the systems in the direction of the sample's mean difference; NaN for an empty sample.

    Tests, all by their normal approximation: "signed-rank-clustered" (items of a document are a
    unit; Rosner, Glynn and Lee 2006), "signed-rank", "permutation" (signs of differences flipped),
    "permutation-clustered" (of documents), "mann-whitney" (the same items, treated as unpaired),
    "sign".
    """
    if test not in TESTS:
        raise ValueError(f"test is one of {', '.join(TESTS)}, not {test!r}")
    if n < 1 or draws < 1:
        raise ValueError("n and draws are at least 1")
    if not len(sample.first):
        return math.nan
    if sample.mean_difference < 0:
        sample = sample.swapped()
    sample = sample.collapsed(test)
    weights = _draw(sample, n, draws, rng)
    z = _Tables.of(sample, test).z(weights)
    return float((z > -ndtri(alpha / 2)).mean())


def resampled_requirement(
    sample: PairSample,
    *,
    test: str,
    rng: np.random.Generator,
    guess: float,
    draws: int = DRAWS,
    alpha: float = 0.05,
    power: float = 0.8,
) -> SampleSize:
    """Return the items with which ``test`` separates systems that differ as in the sample, by
    resampling.

    Starts at ``guess`` items (of the formula) and follows Φ⁻¹(power) + z_{1-α/2}, which grows with
    √n. NaN with a reason if no number within a million is enough.
    """
    sample, effect = sample.collapsed(test), sample.mean_difference
    reason = _why_not(sample)
    if not reason and effect == 0:
        reason = NO_EFFECT
    n = min(max(guess if math.isfinite(guess) else 1000.0, FEWEST), MOST_ITEMS)
    for _ in range(0 if reason else STEPS):
        found = resampled_power(sample, round(n), test=test, rng=rng, draws=draws, alpha=alpha)
        step = _ratio(found, alpha, power, draws) ** 2
        if n * step > MOST_ITEMS:
            reason = "the systems differ too little for any campaign"
            break
        n = max(n * step, FEWEST)
        if abs(step - 1) < 0.02:
            break
    size = math.nan if reason else float(math.ceil(n))
    return SampleSize(size, effect, alpha, power, test, reason)


def resampled_effect(
    sample: PairSample,
    *,
    test: str,
    rng: np.random.Generator,
    guess: float,
    draws: int = DRAWS,
    alpha: float = 0.05,
    power: float = 0.8,
) -> DetectableEffect:
    """Return the mean difference that ``test`` would separate with the existing items, by
    resampling.

    The sizes of the differences are those of the sample, their signs are drawn: each item (or
    document) is in favor of the first system with a chance of ½ + x. The effect is 2x times the
    mean size; x starts from ``guess`` (the effect of the formula). Moving all differences by the
    same amount instead would turn every tie into a win. NaN with a reason if they do not vary, or
    if even x = ½ is not enough.
    """
    n, sample = sample.n_items, sample.collapsed(test)
    reason = _why_not(sample) or ("" if math.isfinite(guess) else NO_SPREAD)
    sums = np.bincount(sample.cluster, weights=sample.differences, minlength=sample.n_clusters)
    largest = float(np.abs(sums) @ sample.times) / n if n else 0.0
    if reason or not largest:
        return DetectableEffect(math.nan, n, alpha, power, test, reason or NO_SPREAD)
    flipped = sums[sample.cluster] < 0
    tables = _Tables.of(sample.swapped(flipped), test)
    excess = min(guess / largest, 1.0)
    for _ in range(STEPS):
        weights = _draw(sample, n, draws, rng)
        plus = rng.binomial(weights.astype(np.int64), (1 + excess) / 2).astype(np.float64)
        found = float((tables.z(plus, weights - plus) > -ndtri(alpha / 2)).mean())
        step = _ratio(found, alpha, power, draws)
        if excess == 1 and step > 1:
            reason = "even if every difference were on one side"
            return DetectableEffect(math.nan, n, alpha, power, test, reason)
        excess = min(excess * step, 1.0)
        if abs(step - 1) < 0.01:
            break
    return DetectableEffect(excess * largest, n, alpha, power, test)


def _ratio(found: float, alpha: float, power: float, draws: int) -> float:
    """Return the factor by which the effect, or √n, has to grow for the wanted power; at most 3."""
    within = min(max(found, 0.5 / draws), 1 - 0.5 / draws)
    at = ndtri(within) - ndtri(alpha / 2)
    return float(np.clip((ndtri(power) - ndtri(alpha / 2)) / max(at, 1e-3), 1 / 3, 3))


def _why_not(sample: PairSample) -> str:
    if sample.n_items < FEWEST:
        return f"fewer than {FEWEST} items were judged of both"
    return "" if np.ptp(sample.differences) > 0 else NO_SPREAD


def _draw(sample: PairSample, n: int, draws: int, rng: np.random.Generator) -> np.ndarray:
    """Return how often each cluster is drawn for about n items, (R, G)."""
    total = int(sample.times.sum())
    drawn = max(1, round(n * total / sample.n_items))
    return rng.multinomial(drawn, sample.times / total, size=draws).astype(np.float64)


@dataclass(frozen=True)
class _Tables:
    """Counts of each of k values in each cluster, (G, k): sizes of differences above and below 0,
    or (Mann-Whitney) the scores of the first and of the second system."""

    test: str
    values: np.ndarray
    first: np.ndarray
    second: np.ndarray

    @classmethod
    def of(cls, sample: PairSample, test: str) -> _Tables:
        ones, n = np.ones(len(sample.first)), len(sample.first)
        if test == "mann-whitney":
            values, code = np.unique([sample.first, sample.second], return_inverse=True)
            first, second = (code.ravel()[:n], ones), (code.ravel()[n:], ones)
        else:
            d = tied(sample.differences)
            values, code = np.unique(np.abs(d), return_inverse=True)
            first, second = (code, ones * (d > 0)), (code, ones * (d < 0))
        shape = sample.n_clusters, len(values)

        def counts(place: np.ndarray, weights: np.ndarray) -> np.ndarray:
            cell = sample.cluster * shape[1] + place
            return np.bincount(cell, weights=weights, minlength=math.prod(shape)).reshape(shape)

        return cls(test, values, counts(*first), counts(*second))

    def z(self, plus: np.ndarray, minus: np.ndarray | None = None) -> np.ndarray:
        """Return z of each draw (R,) from the counts of clusters unchanged and with the systems
        swapped, (R, G) each: above 0 where the first system is better."""
        up, down = plus @ self.first, plus @ self.second
        if minus is None:
            minus = np.zeros((1, 1))
        else:
            up, down = up + minus @ self.second, down + minus @ self.first
        if self.test == "mann-whitney":
            return _unpaired_z(up, down)
        if self.test == "sign":
            wins, losses = up.sum(axis=1), down.sum(axis=1)
            return _over(_nearer(wins - losses, 1.0), np.sqrt(wins + losses))
        if self.test == "permutation":
            return _over((up - down) @ self.values, np.sqrt((up + down) @ self.values**2))
        if self.test == "permutation-clustered":
            return self._over_clusters(plus, minus, self.values[None, :])
        ties = up + down
        ranks = np.cumsum(ties, axis=1) - (ties - 1) / 2
        if self.test == "signed-rank":
            return _signed_rank_z(up, down, ranks)
        return self._over_clusters(plus, minus, ranks)

    def _over_clusters(self, plus: np.ndarray, minus: np.ndarray, sizes: np.ndarray) -> np.ndarray:
        """Return z (R,) of sums of clusters, each as a unit; ``sizes`` (R or 1, k) of the
        values."""
        of_cluster = sizes @ (self.first - self.second).T
        total = ((plus - minus) * of_cluster).sum(axis=1)
        return _over(total, np.sqrt(((plus + minus) * of_cluster**2).sum(axis=1)))


def _signed_rank_z(up: np.ndarray, down: np.ndarray, ranks: np.ndarray) -> np.ndarray:
    ties = up + down
    n = ties.sum(axis=1)
    total = ((up - down) * ranks).sum(axis=1) / 2
    variance = n * (n + 1) * (2 * n + 1) / 24 - (ties**3 - ties).sum(axis=1) / 48
    return _over(_nearer(total, 0.5), np.sqrt(variance))


def _unpaired_z(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    n, ties = x.sum(axis=1), x + y
    u = (x * (np.cumsum(y, axis=1) - y / 2)).sum(axis=1) - n**2 / 2
    correction = (ties**3 - ties).sum(axis=1) / (2 * n * np.maximum(2 * n - 1, 1))
    return _over(_nearer(u, 0.5), np.sqrt(n**2 / 12 * (2 * n + 1 - correction)))


def _nearer(values: np.ndarray, by: float) -> np.ndarray:
    """Return values moved towards 0: the continuity correction."""
    return np.sign(values) * np.maximum(np.abs(values) - by, 0)


def _over(values: np.ndarray, spread: np.ndarray) -> np.ndarray:
    """Return values / spread, 0 without spread: nothing is separated there."""
    return np.divide(values, spread, out=np.zeros_like(values), where=spread > 0)
