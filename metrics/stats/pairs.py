"""Every pair of many systems tested at once, from sufficient statistics of segments."""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import combinations
from math import ceil

import numpy as np
from numpy.typing import ArrayLike, NDArray

from judgments.stats.significance import benjamini_hochberg, holm
from metrics.scorers.base import Scorer
from metrics.stats.draws import Floats, Sums
from metrics.stats.resamples import Pairs, bootstrap_scores, count_as_large, is_worse
from metrics.stats.significance import TOO_FEW, UNDEFINED, percentiles, units_of

NOTHING_COMMON = "no common segment"


@dataclass(frozen=True, kw_only=True)
class PValues:
    """p-values of one test of m pairs, (m,) each: raw, and adjusted for there being m of them.

    NaN where there is no test.
    """

    test: str
    raw: Floats
    holm: Floats
    bh: Floats


@dataclass(frozen=True, kw_only=True)
class AllPairs:
    """k systems, their intervals, and all m = k(k - 1)/2 pairs.

    ``estimates``, ``low``, ``high`` (k,): corpus scores with their bootstrap intervals, over
    ``n_units`` (k,) segments or documents. ``pairs`` (m, 2): numbers of systems, in the order of
    ``itertools.combinations``. ``differences`` (m,): score of the first minus score of the second
    over the ``n`` (m,) units that both have, with their bootstrap intervals. ``randomization`` is
    two-sided; ``bootstrap`` one-sided, that the one with the better score is not better.
    ``reasons`` (m,): why a pair has no test. ``notes``: sentences about all of it.
    """

    estimates: Floats
    low: Floats
    high: Floats
    n_units: NDArray[np.intp]
    pairs: Pairs
    differences: Floats
    difference_low: Floats
    difference_high: Floats
    n: NDArray[np.intp]
    randomization: PValues
    bootstrap: PValues
    reasons: tuple[str, ...]
    resamples: int
    trials: int
    level: float
    notes: tuple[str, ...]


def compare_all(
    scorer: Scorer,
    stats: ArrayLike,
    *,
    rng: np.random.Generator,
    resamples: int = 1000,
    trials: int = 10_000,
    level: float = 0.95,
    alpha: float = 0.05,
    documents: ArrayLike | None = None,
) -> AllPairs:
    """Return bootstrap intervals of all systems; paired bootstrap (Koehn 2004) and approximate
    randomization (Riezler and Maxwell 2005) of all pairs, with p-values adjusted after Holm (1979)
    and after Benjamini and Hochberg (1995).

    ``stats``: (k, n_segments, s), NaN rows where a system has no score; a pair is compared over the
    segments that both have. ``documents``: one label a segment, to draw and swap whole documents.
    ``resamples`` are bootstrap draws, ``trials`` random swaps.

    ``rng`` is copied wherever drawing begins, so all systems and pairs over the same segments see
    the same draws, and a pair's raw p-values do not depend on which other systems there are: they
    are those of ``paired_bootstrap`` and ``approximate_randomization`` with such a generator.

    Raises ValueError where the arguments do not fit together.
    """
    stats = np.asarray(stats, dtype=np.float64)
    if stats.ndim != 3 or not stats.size:
        raise ValueError(f"Statistics must have the shape (k, n_segments, s), not {stats.shape}.")
    if documents is not None and len(np.asarray(documents)) != stats.shape[1]:
        n_labels = len(np.asarray(documents))
        raise ValueError(f"There are {stats.shape[1]} segments but {n_labels} document labels.")
    work = _Work(scorer, stats, documents, rng, resamples, trials, level)
    for present, systems, places in _alike(np.isfinite(stats).all(axis=2), work.pairs):
        work.compare(present, systems, places)
    return work.result(alpha)


def _alike(
    present: NDArray[np.bool_], pairs: Pairs
) -> Iterator[tuple[NDArray[np.bool_], list[int], list[int]]]:
    """Yield what can be drawn together: a set of segments, the systems that have just these, and
    the pairs (by place) that have just these in common. One such set, if all systems are
    complete."""
    systems: dict[bytes, list[int]] = {}
    places: dict[bytes, list[int]] = {}
    for system, own in enumerate(present):
        systems.setdefault(own.tobytes(), []).append(system)
    for place, (a, b) in enumerate(pairs):
        places.setdefault((present[a] & present[b]).tobytes(), []).append(place)
    for key in {**systems, **places}:
        yield np.frombuffer(key, dtype=bool), systems.get(key, []), places.get(key, [])


@dataclass
class _Work:
    """The arrays of a result, filled for one set of segments after the other."""

    scorer: Scorer
    stats: Floats
    documents: ArrayLike | None
    rng: np.random.Generator
    resamples: int
    trials: int
    level: float
    pairs: Pairs = field(init=False)

    def __post_init__(self) -> None:
        k = len(self.stats)
        self.pairs = np.array(list(combinations(range(k), 2)), dtype=np.intp).reshape(-1, 2)
        m = len(self.pairs)
        self.systems = np.full((3, k), np.nan)  # estimate, low, high
        self.n_units = np.zeros(k, dtype=np.intp)
        self.differences = np.full((3, m), np.nan)  # difference, low, high
        self.n = np.zeros(m, dtype=np.intp)
        self.swapped, self.drawn = np.full(m, np.nan), np.full(m, np.nan)
        self.reasons = [""] * m

    def compare(self, present: NDArray[np.bool_], systems: list[int], places: list[int]) -> None:
        """Fill in these systems and pairs, over the segments that are present."""
        if not present.any():
            for place in places:
                self.reasons[place] = NOTHING_COMMON
            return
        members = np.unique(np.concatenate([systems, self.pairs[places].ravel()])).astype(np.intp)
        documents = None if self.documents is None else np.asarray(self.documents)[present]
        units = units_of(self.stats[members][:, present], documents)
        n = units.shape[1]
        estimates = np.atleast_1d(self.scorer.score(units.sum(axis=1)))
        self.n_units[systems] = n
        self.n[places] = n
        local = np.searchsorted(members, self.pairs[places])
        self.systems[0, systems] = estimates[np.searchsorted(members, systems)]
        self.differences[0, places] = estimates[local[:, 0]] - estimates[local[:, 1]]
        if n < 2:
            for place in places:
                self.reasons[place] = TOO_FEW
        else:
            self._draw(Sums(units), systems, np.searchsorted(members, systems), places, local)
        for place in places:
            if np.isnan(self.differences[0, place]):
                self.reasons[place] = UNDEFINED
                self.swapped[place] = self.drawn[place] = np.nan

    def _draw(
        self, sums: Sums, systems: list[int], rows: Pairs, places: list[int], local: Pairs
    ) -> None:
        """Draw and swap; ``rows`` and ``local`` number systems and pairs within ``sums``."""
        scorer = self.scorer
        rng = deepcopy(self.rng)
        scores = bootstrap_scores(scorer, sums, rng=rng, resamples=self.resamples)
        for system, row in zip(systems, rows, strict=True):
            self.systems[1:, system] = percentiles(scores[row], self.level)
        for place, (a, b) in zip(places, local, strict=True):
            drawn = scores[a] - scores[b]
            self.differences[1:, place] = percentiles(drawn, self.level)
            observed = self.differences[0, place]
            is_second_better = bool(observed) and is_worse(scorer, observed)
            worse = is_worse(scorer, -drawn if is_second_better else drawn)
            self.drawn[place] = (worse.sum() + 1) / (self.resamples + 1)
        if places:
            rng = deepcopy(self.rng)
            counts = count_as_large(scorer, sums, local, rng=rng, trials=self.trials)
            self.swapped[places] = (counts + 1) / (self.trials + 1)

    def result(self, alpha: float) -> AllPairs:
        randomization = _adjusted("approximate randomization", self.swapped)
        bootstrap = _adjusted("paired bootstrap", self.drawn)
        n_tests = int(np.sum(~np.isnan(self.swapped)))
        notes = [
            resolution_note(test.test, n_tests, n_draws, alpha)
            for test, n_draws in ((randomization, self.trials), (bootstrap, self.resamples))
        ]
        estimates, low, high = self.systems
        differences, difference_low, difference_high = self.differences
        return AllPairs(
            estimates=estimates,
            low=low,
            high=high,
            n_units=self.n_units,
            pairs=self.pairs,
            differences=differences,
            difference_low=difference_low,
            difference_high=difference_high,
            n=self.n,
            randomization=randomization,
            bootstrap=bootstrap,
            reasons=tuple(self.reasons),
            resamples=self.resamples,
            trials=self.trials,
            level=self.level,
            notes=tuple(note for note in notes if note),
        )


def _adjusted(test: str, raw: Floats) -> PValues:
    return PValues(test=test, raw=raw, holm=holm(raw), bh=benjamini_hochberg(raw))


def resolution_note(test: str, n_tests: int, resamples: int, alpha: float = 0.05) -> str:
    """Return a sentence if so many resamples are too few for Holm's method; nothing if they are
    enough.

    A p-value counted from R resamples is never below 1 / (R + 1), and Holm's method rejects nothing
    unless the smallest of m is below alpha / m.
    """
    if not n_tests or 1 / (resamples + 1) <= alpha / n_tests:
        return ""
    needed = ceil(n_tests / alpha) - 1
    return (
        f"{resamples:,} resamples are too few to adjust the {test} for {n_tests:,} pairs: its "
        f"smallest possible p-value is {1 / (resamples + 1):.2g}, above {alpha:g} / {n_tests:,}, "
        f"so that no pair could differ by Holm's method. It needs {needed:,}."
    )
