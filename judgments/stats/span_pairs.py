"""The errors of one marker against those of another, output by output: of people and of a metric,
or of two people.

- Characters: the credit of a character that both marked is 1 with the same severity and ½ with
  another (the span task of WMT23, Blain et al. 2023). Precision is the credit over the second's
  characters, recall over the first's, F1 twice the credit over both.
- Exact: errors with the same start, end and severity, one to one.
- Partial: the one-to-one assignment of errors that maximizes Σ |p ∩ j| / |p ∪ j| in characters.

Micro sums over outputs first. Macro is the mean of the outputs' own F1, 1 where neither marked
anything and 0 where one did: it rewards whoever marks little where most outputs have no error.
"""

from dataclasses import dataclass
from math import nan

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from judgments.stats.spans import Marks, PlacedMarks, marked_characters, placed_marks

Sums = NDArray[np.number]
Ints = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class SpanPairs:
    """Sums of n pairs of judgments of one output each, first and second.

    ``characters`` and ``spans`` (n, 2): marked by each; ``credit``, ``exact`` and ``partial`` (n,).
    Of the k errors of the first, once a pair: ``error``, its row among the marks; ``of``, its pair;
    ``length``; ``covered``, the credit of its characters; ``is_met``, whether any error of the
    second overlaps it.
    """

    characters: Sums
    spans: Sums
    credit: Sums
    exact: Sums
    partial: Sums
    error: Ints
    of: Ints
    length: Ints
    covered: Sums
    is_met: NDArray[np.bool_]

    @property
    def sums(self) -> Sums:
        """Columns (n, 8) of what `figures_of` is made of; they add up over pairs."""
        return np.column_stack(
            [self.characters, self.spans, self.credit, self.exact, self.partial, self.f1]
        )

    @property
    def f1(self) -> Sums:
        """F1 of characters of each pair, (n,)."""
        total = self.characters.sum(axis=1)
        return np.where(total > 0, 2 * self.credit / np.maximum(total, 1), 1.0)


@dataclass(frozen=True)
class SpanFigures:
    """Precision and recall are NaN where nothing is marked on the side that they are over."""

    precision: float = nan
    recall: float = nan
    f1: float = nan
    macro_f1: float = nan
    exact_f1: float = nan
    partial_f1: float = nan
    n: int = 0


def micro_f1(sums: Sums) -> Sums:
    """Return F1 of characters (...,) of sums (..., 8); 1 where nobody marked anything."""
    total = sums[..., 0] + sums[..., 1]
    return np.where(total > 0, 2 * sums[..., 4] / np.maximum(total, 1), 1.0)


def figures_of(pairs: SpanPairs) -> SpanFigures:
    """Return all figures of some pairs; NaN without any."""
    n = len(pairs.credit)
    if not n:
        return SpanFigures()
    first, second, p, j, credit, exact, partial, f1 = pairs.sums.sum(axis=0).tolist()
    n_spans = p + j
    return SpanFigures(
        precision=credit / second if second else nan,
        recall=credit / first if first else nan,
        f1=float(micro_f1(pairs.sums.sum(axis=0))),
        macro_f1=f1 / n,
        exact_f1=2 * exact / n_spans if n_spans else 1.0,
        partial_f1=2 * partial / n_spans if n_spans else 1.0,
        n=n,
    )


def compare_spans(marks: Marks, n_judgments: int, first: Ints, second: Ints) -> SpanPairs:
    """Return the sums of pairs of judgments ``first`` (n,) and ``second`` (n,), of 0 to
    ``n_judgments``. Where the errors of one judgment overlap, a character has the worst of their
    severities."""
    placed = placed_marks(marks, n_judgments)
    n, width = len(first), int(placed.end.max(initial=0)) + 1
    owner, place, severity = marked_characters(placed)
    sides = [_rows_of(owner, n_judgments, each) for each in (first, second)]
    keys = [pair * width + place[row] for row, pair in sides]
    at, there = _found(keys[0], keys[1])
    same = severity[sides[0][0][at]] == severity[sides[1][0][there]]
    credit = np.bincount(sides[1][1][there], np.where(same, 1, 0.5), n)
    order = np.argsort(placed.judgment, kind="stable")
    rows = [_rows_of(placed.judgment[order], n_judgments, each) for each in (first, second)]
    (left, of_left), (right, of_right) = ((order[row], pair) for row, pair in rows)
    covered = _covered(placed, left, of_left, width, keys[1], severity[sides[1][0]])
    return SpanPairs(
        np.column_stack([np.bincount(pair, minlength=n) for _, pair in sides]).astype(float),
        np.column_stack([np.bincount(pair, minlength=n) for pair in (of_left, of_right)]) * 1.0,
        credit,
        _exact(placed, (left, of_left), (right, of_right), n),
        _partial(placed, (left, of_left), (right, of_right), n),
        left,
        of_left,
        (placed.end - placed.start)[left],
        covered[0],
        covered[1] > 0,
    )


def _rows_of(owner: Ints, n_owners: int, wanted: Ints) -> tuple[Ints, Ints]:
    """Return the rows of each wanted owner, and the place of the wish; ``owner`` is sorted."""
    counts = np.bincount(owner, minlength=n_owners)
    starts, lengths = np.cumsum(counts) - counts, counts[wanted]
    pair = np.repeat(np.arange(len(wanted)), lengths)
    before = np.cumsum(lengths) - lengths
    return starts[wanted][pair] + np.arange(len(pair)) - before[pair], pair


def _found(known: Ints, asked: Ints) -> tuple[Ints, Ints]:
    """Return for sorted keys that are ``known``, once each, those that are asked for: the places of
    each in the two."""
    if not len(known):
        return np.zeros(0, np.intp), np.zeros(0, np.intp)
    at = np.minimum(np.searchsorted(known, asked), len(known) - 1)
    there = np.flatnonzero(known[at] == asked)
    return at[there], there


def _covered(
    placed: PlacedMarks, left: Ints, of_left: Ints, width: int, keys: Ints, severity: Ints
) -> tuple[Sums, Sums]:
    """Return credit, and number of characters, that the second gives to each error of the first."""
    lengths = (placed.end - placed.start)[left]
    error = np.repeat(np.arange(len(left)), lengths)
    before = np.cumsum(lengths) - lengths
    place = placed.start[left][error] + np.arange(len(error)) - before[error]
    at, there = _found(keys, of_left[error] * width + place)
    of = error[there]
    same = severity[at] == placed.severity[left][of]
    credit = np.bincount(of, np.where(same, 1, 0.5), len(left))
    return credit, np.bincount(of, np.ones(len(of)), len(left))


Side = tuple[Ints, Ints]


def _exact(placed: PlacedMarks, first: Side, second: Side, n: int) -> Sums:
    """Return errors of both with one place and severity, as often as both have them, (n,)."""
    columns = np.column_stack([placed.start, placed.end, placed.severity])
    kind = np.unique(columns, axis=0, return_inverse=True)[1].reshape(-1)
    n_kinds = int(kind.max(initial=0)) + 1
    left, right = (
        np.unique(pair * n_kinds + kind[row], return_counts=True) for row, pair in (first, second)
    )
    at, there = _found(left[0], right[0])
    both = np.minimum(left[1][at], right[1][there])
    return np.bincount(right[0][there] // n_kinds, both.astype(np.float64), n)


def _partial(placed: PlacedMarks, first: Side, second: Side, n: int) -> Sums:
    """Return the largest Σ |p ∩ j| / |p ∪ j| of one-to-one assignments, (n,)."""
    counts = np.bincount(second[1], minlength=n)
    starts = np.cumsum(counts) - counts
    each = counts[first[1]]
    i = np.repeat(np.arange(len(first[0])), each)
    before = np.cumsum(each) - each
    j = starts[first[1]][i] + np.arange(len(i)) - before[i]
    p, q = first[0][i], second[0][j]
    both = np.minimum(placed.end[p], placed.end[q]) - np.maximum(placed.start[p], placed.start[q])
    meet = both > 0
    i, j, p, q, both = i[meet], j[meet], p[meet], q[meet], both[meet]
    length = placed.end - placed.start
    overlap = both / (length[p] + length[q] - both)
    pair = first[1][i]
    total = np.bincount(pair, overlap, n)
    # Where no error meets two others there is nothing to choose.
    twice = (np.bincount(i)[i] > 1) | (np.bincount(j)[j] > 1)
    for crowded in np.unique(pair[twice]).tolist():
        here = slice(*np.searchsorted(pair, [crowded, crowded + 1]))
        rows, columns = (np.unique(x[here], return_inverse=True)[1] for x in (i, j))
        table = np.zeros((rows.max() + 1, columns.max() + 1))
        table[rows, columns] = overlap[here]
        total[crowded] = table[linear_sum_assignment(table, maximize=True)].sum()
    return total


def matthews(first: NDArray, second: NDArray) -> float:
    """Return Matthews' (1975) coefficient of two columns (n,) of truth values; NaN where one of
    them does not vary."""
    a, b = np.asarray(first, bool).astype(float), np.asarray(second, bool).astype(float)
    spread = np.sqrt(a.var() * b.var()) if len(a) else 0.0
    return float((np.mean(a * b) - a.mean() * b.mean()) / spread) if spread else nan


def area_under_curve(scores: Sums, positive: NDArray) -> float:
    """Return the chance that a positive (n,) has a higher score (n,) than a negative, ties counted
    half (Hanley and McNeil 1982); NaN where one kind is missing."""
    truth = np.asarray(positive, bool)
    n, m = int(truth.sum()), int((~truth).sum())
    if not n or not m:
        return nan
    _, code, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = np.cumsum(counts) - (counts - 1) / 2
    return float((ranks[code][truth].sum() - n * (n + 1) / 2) / (n * m))
