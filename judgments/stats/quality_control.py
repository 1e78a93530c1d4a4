"""How carefully an annotator judged: controls, repeats, references, habits, times.

Each function takes the rows of one annotator. What comes out are figures and flags to look at, no
sentence on a person: who judges unlike the others may still be right.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from judgments.stats.icc import icc
from judgments.stats.signed_rank import exact_signed_rank, paired_t
from judgments.stats.significance import holm, mann_whitney, mean_interval

MIN_PAIRS = 6
"""Fewer pairs cannot tell care from chance: five can reach p = .031 at best."""
LEVEL = 0.05
PASS, FAIL, INSUFFICIENT = "pass", "fail", "insufficient"
RUN_LEVEL = 0.01


@dataclass(frozen=True)
class ControlTest:
    """Whether an annotator scores degraded copies below the originals.

    ``p_value`` of the one-sided signed-rank test, ``p_holm`` adjusted over the annotators tested,
    ``p_t`` of the paired t test (Graham et al. 2017), ``p_mann_whitney`` of the unpaired test (as
    Appraise has it; z-scores of one annotator are in the order of the raw scores, so p is the
    same). ``n_pairs`` originals with a degraded copy, ``n_zero`` of them scored alike;
    ``mean_drop`` with its 95 % t interval ``low`` and ``high``.
    """

    n_pairs: int
    n_zero: int
    mean_drop: float
    p_value: float
    p_t: float
    p_mann_whitney: float
    verdict: str
    test: str = ""
    reason: str = ""
    p_holm: float = math.nan
    low: float = math.nan
    high: float = math.nan


@dataclass(frozen=True)
class Consistency:
    """How near an annotator's second scores of the same outputs are to the first.

    ``mean_difference`` is the mean absolute difference, ``exact`` the share of equal scores,
    ``icc`` is ICC(3,1) (NaN: ``reason``).
    """

    n_pairs: int
    mean_difference: float
    exact: float
    icc: float
    reason: str = ""


@dataclass(frozen=True)
class ReferenceCheck:
    """An annotator's median score of references beside that of system outputs; ``share`` of the
    references score at least the median of the outputs."""

    n_references: int
    median_references: float
    median_outputs: float
    share: float
    reason: str = ""

    @property
    def is_low(self) -> bool:
        """References score below system outputs, which careful people rarely do."""
        return self.median_references < self.median_outputs


@dataclass(frozen=True)
class Run:
    """The longest run of one score: ``length`` times ``value`` in a row, among ``n`` scores.

    ``expected`` bounds the chance of such a run of any score, if the annotator's scores came in
    random order (the expected number of windows of that length with one score).
    """

    n: int
    length: int
    value: float
    expected: float

    @property
    def is_long(self) -> bool:
        """Longer than the order of the same scores by chance would explain."""
        return self.expected < RUN_LEVEL


def pair_by_key(
    first_key: ArrayLike, first: ArrayLike, second_key: ArrayLike, second: ArrayLike
) -> tuple[np.ndarray, np.ndarray, int]:
    """Return values of the same thing side by side: two arrays (n_pairs,), in the order of the
    keys.

    Keys are whole numbers (n,) and (m,). Several values of a key on one side are averaged. The
    third result counts the keys of ``second`` that ``first`` lacks.
    """
    keys_a, means_a = _means(first_key, first)
    keys_b, means_b = _means(second_key, second)
    _, at_a, at_b = np.intersect1d(keys_a, keys_b, assume_unique=True, return_indices=True)
    return means_a[at_a], means_b[at_b], len(keys_b) - len(at_b)


def _means(key: ArrayLike, value: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    value = np.asarray(value, np.float64)
    known = ~np.isnan(value)
    keys, group, counts = np.unique(
        np.asarray(key, np.int64)[known], return_inverse=True, return_counts=True
    )
    return keys, np.bincount(group, weights=value[known], minlength=len(keys)) / counts


def control_test(original: ArrayLike, degraded: ArrayLike) -> ControlTest:
    """Return the verdict on one annotator from scores (n_pairs,) of originals and their degraded
    copies.

    Pass at p ≤ .05 of the exact one-sided signed-rank test, zero differences dropped. With fewer
    than six pairs the verdict is "insufficient". Pairs with a NaN are left out. `adjusted` adds
    Holm's p.
    """
    original, degraded = (np.asarray(x, np.float64).ravel() for x in (original, degraded))
    known = ~(np.isnan(original) | np.isnan(degraded))
    original, degraded = original[known], degraded[known]
    n = len(original)
    if n == 0:
        nan, reason = math.nan, "no degraded copy of an output that was judged too"
        return ControlTest(0, 0, nan, nan, nan, nan, INSUFFICIENT, reason=reason)
    found = exact_signed_rank(original - degraded)
    reason = found.reason
    if n < MIN_PAIRS:
        verdict, reason = INSUFFICIENT, f"fewer than {MIN_PAIRS} pairs"
    else:
        verdict = PASS if found.p_value <= LEVEL else FAIL
    drop = mean_interval(original - degraded)
    return ControlTest(
        n_pairs=n,
        n_zero=found.n_dropped,
        mean_drop=drop.estimate,
        p_value=found.p_value,
        p_t=paired_t(original, degraded),
        p_mann_whitney=mann_whitney(original, degraded).p_value,
        verdict=verdict,
        test=found.test,
        reason=reason,
        low=drop.low,
        high=drop.high,
    )


def adjusted(tests: Sequence[ControlTest]) -> list[ControlTest]:
    """Return the tests with Holm's p over the annotators who had enough pairs for a verdict."""
    tried = [math.nan if t.verdict == INSUFFICIENT else t.p_value for t in tests]
    return [
        dataclasses.replace(t, p_holm=float(p)) for t, p in zip(tests, holm(tried), strict=True)
    ]


def consistency(first: ArrayLike, second: ArrayLike) -> Consistency:
    """Return scores (n_pairs,) of the same outputs at the first and the second time; NaN left
    out."""
    first, second = (np.asarray(x, np.float64).ravel() for x in (first, second))
    known = ~(np.isnan(first) | np.isnan(second))
    first, second = first[known], second[known]
    if not len(first):
        return Consistency(0, math.nan, math.nan, math.nan, "nothing was judged twice")
    difference = np.abs(first - second)
    found = icc(np.stack([first, second]), "3,1")
    reason = found.reason
    if len(first) == 1:
        reason = "only one output was judged twice"
    return Consistency(
        len(first),
        float(difference.mean()),
        float((difference == 0).mean()),
        found.estimate,
        reason,
    )


def reference_check(references: ArrayLike, outputs: ArrayLike) -> ReferenceCheck:
    """Return an annotator's scores of references (n,) and of system outputs (m,), NaN left out."""
    references, outputs = (np.asarray(x, np.float64).ravel() for x in (references, outputs))
    references, outputs = references[~np.isnan(references)], outputs[~np.isnan(outputs)]
    n = len(references)
    middle = float(np.median(outputs)) if len(outputs) else math.nan
    if not n or not len(outputs):
        reason = "no reference was judged" if not n else "no system's output was judged"
        own = float(np.median(references)) if n else math.nan
        return ReferenceCheck(n, own, middle, math.nan, reason)
    share = float((references >= middle).mean())
    return ReferenceCheck(n, float(np.median(references)), middle, share)


def spread(values: ArrayLike) -> float:
    """Return sample standard deviation of scores (n,), NaN left out; exactly 0 if all are the same,
    NaN for fewer than two."""
    values = np.asarray(values, np.float64).ravel()
    values = values[~np.isnan(values)]
    if len(values) < 2:
        return math.nan
    return 0.0 if values.min() == values.max() else float(values.std(ddof=1))


def longest_run(values: ArrayLike) -> Run:
    """Return the longest run of one score among scores (n,) in the order of judging, NaN left
    out."""
    values = np.asarray(values, np.float64).ravel()
    values = values[~np.isnan(values)]
    n = len(values)
    if n == 0:
        return Run(0, 0, math.nan, math.nan)
    starts = np.concatenate([[0], np.flatnonzero(np.diff(values)) + 1, [n]])
    lengths = np.diff(starts)
    longest = int(lengths.max())
    _, counts = np.unique(values, return_counts=True)
    expected = float((n - longest + 1) * ((counts / n) ** longest).sum())
    return Run(n, longest, float(values[starts[lengths.argmax()]]), expected)


def median(values: ArrayLike) -> float:
    """Return the median of values (n,), NaN left out; NaN for none."""
    values = np.asarray(values, np.float64).ravel()
    values = values[~np.isnan(values)]
    return float(np.median(values)) if len(values) else math.nan


def n_overlapping(started: ArrayLike, ended: ArrayLike, *, tolerance: float = 1.0) -> int:
    """Return how many judgments began before an earlier one had ended, by more than ``tolerance``.

    ``started``, ``ended`` (n,): seconds on one clock; NaN where unknown, and left out. Somebody who
    works in two windows at once, or two people with one account, look like this.
    """
    start, end = np.asarray(started, np.float64), np.asarray(ended, np.float64)
    known = ~(np.isnan(start) | np.isnan(end))
    start, end = start[known], end[known]
    order = np.lexsort((end, start))
    # When the last of those before it had ended.
    latest = np.maximum.accumulate(end[order])[:-1]
    return int((start[order][1:] < latest - tolerance).sum())
