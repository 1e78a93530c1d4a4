"""Agreement on marked errors: which characters are marked, how severe, and which spans match.

- Character F1 of two annotators, 2|A∩B| / (|A| + |B|) over the characters A and B that they marked:
  per pair of judgments (1 where neither marked anything) and, as "micro", with numerator and
  denominator summed over all pairs first.
- Weighted by severity: a character that both marked, but with different severities, counts half
  (the span task of the WMT shared task on quality estimation, 2023). Where an annotator's own spans
  overlap, a character has the worst of their severities.
- Match rates: the share of an annotator's spans that overlap one of the other's; one of the same
  severity; and one of the same severity and category (the scripts of Kocmi et al. 2024, "Error span
  annotation"). A rate has a direction: one who marks more is matched less.

An omission, marked by a token of its own beside the text, overlaps omissions only and is as long
as one character.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from judgments.stats.coefficients import (
    NO_PAIRS,
    NO_RATINGS,
    Agreement,
    Ratings,
    clean_ratings,
    codes_of,
    with_interval,
)
from judgments.stats.contingency import co_ratings

NO_ERRORS = "no error was marked in what two annotators judged"
MATCHES = (
    "spans matched: overlap",
    "spans matched: overlap and severity",
    "spans matched: overlap, severity and category",
)


@dataclass(frozen=True)
class Marks:
    """Marked errors, one a row, (n,) each.

    ``judgment`` is the row of the judgment that an error belongs to. ``start`` and ``end``
    (exclusive) are code points; an omission has the start -1, whatever its end. ``severity`` is a
    number, the larger the worse; ``category`` and ``side`` (text of the source or of the target)
    are any names, and the same for all if not given.
    """

    judgment: ArrayLike
    start: ArrayLike
    end: ArrayLike
    severity: ArrayLike
    category: ArrayLike | None = None
    side: ArrayLike | None = None


@dataclass(frozen=True)
class SpanAgreement:
    """``f1`` is micro over the corpus, ``segment_f1`` the mean over pairs of judgments,
    ``weighted_f1`` micro with half credit; ``matches`` are the three rates of `MATCHES` over both
    directions. ``annotators`` and ``directed`` (2, 3), the rates of the spans of each against
    those of the other, and ``n_spans`` (2,) are there where the annotators are two.
    """

    f1: Agreement
    segment_f1: Agreement
    weighted_f1: Agreement
    matches: tuple[Agreement, ...]
    annotators: tuple = ()
    directed: np.ndarray | None = None
    n_spans: np.ndarray | None = None


@dataclass(frozen=True)
class PlacedMarks:
    """Checked marks (n,) each: source and target and omissions have places of their own."""

    judgment: np.ndarray
    start: np.ndarray
    end: np.ndarray
    severity: np.ndarray
    category: np.ndarray


def span_agreement(
    item: ArrayLike,
    annotator: ArrayLike,
    marks: Marks,
    *,
    rng: np.random.Generator | None = None,
    resamples: int = 1000,
    level: float = 0.95,
    clusters: ArrayLike | None = None,
) -> SpanAgreement:
    """Return agreement of judgments (m,) of texts: ``item`` and ``annotator`` name them, ``marks``
    their errors; a judgment without errors has none there.

    Every two annotators of an item are compared. Intervals are bootstraps over items, or over
    ``clusters`` (m,), the document of each row; an item's judgments travel together. Where two
    annotators marked nothing they agree fully; rates of no spans at all are undefined. ValueError
    for an annotator who judged an item twice and for a span that is empty or outside the text.
    """
    judged = np.zeros(len(np.asarray(item)))
    ratings = clean_ratings(item, annotator, judged, clusters, unique=True)
    clean = placed_marks(marks, len(ratings))
    at, left, right = co_ratings(ratings.item, ratings.annotator)
    if not len(at):
        return _nothing(NO_PAIRS if len(ratings) else NO_RATINGS)
    used = np.bincount(at, minlength=len(ratings.items)) > 0
    both, credit, length, each, pairs = _characters(ratings, clean, at, left, right)[used].T
    matched, compared = _matches(ratings, clean)
    options: dict[str, Any] = {"rng": rng, "resamples": resamples, "level": level}
    options["clusters"] = None if ratings.cluster is None else ratings.cluster[used]
    n_annotators = len(np.unique(ratings.annotator[np.concatenate([left, right])]))

    def figure(name: str, over: np.ndarray, under: np.ndarray, empty: float) -> Agreement:
        found = _ratio(name, np.column_stack([over, under]), empty, options)
        return dataclasses.replace(found, n_annotators=n_annotators, n_pairs=len(at))

    in_all, spans = matched.sum(axis=1)[used], compared.sum(axis=1)[used]
    rates = [figure(name, in_all[:, i], spans, math.nan) for i, name in enumerate(MATCHES)]
    result = SpanAgreement(
        figure("character F1", both, length, 1.0),
        figure("character F1, mean of segments", each, pairs, math.nan),
        figure("character F1, severity-weighted", credit, length, 1.0),
        tuple(
            dataclasses.replace(rate, n_pairs=int(spans.sum()), n_agreeing=int(in_all[:, i].sum()))
            for i, rate in enumerate(rates)
        ),
    )
    if len(ratings.annotators) > 2:
        return result
    n_spans = compared.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        directed = matched.sum(axis=0) / n_spans[:, None]
    return dataclasses.replace(
        result,
        annotators=tuple(ratings.annotators.tolist()),
        directed=directed,
        n_spans=n_spans.astype(np.int64),
    )


def _ratio(name: str, stats: np.ndarray, empty: float, options: dict[str, Any]) -> Agreement:
    """Return for sums of ``stats`` (n_items, 2), first by second; ``empty`` where the second is
    0."""

    def statistic(sums: np.ndarray) -> np.ndarray:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(sums[..., 1] > 0, sums[..., 0] / sums[..., 1], empty)

    estimate = float(statistic(stats.sum(axis=0)))
    reason = NO_ERRORS if math.isnan(estimate) else ""
    result = Agreement(name, estimate, n_items=len(stats), reason=reason)
    return with_interval(result, statistic, stats, **options)


def _nothing(reason: str) -> SpanAgreement:
    names = ["character F1", "character F1, mean of segments", "character F1, severity-weighted"]
    f1, segment_f1, weighted, *rates = (
        Agreement(name, math.nan, reason=reason) for name in (*names, *MATCHES)
    )
    return SpanAgreement(f1, segment_f1, weighted, tuple(rates))


def placed_marks(marks: Marks, n_judgments: int) -> PlacedMarks:
    """Return marks as whole numbers; places are shifted so that source and target do not meet."""
    judgment = np.asarray(marks.judgment, np.intp)
    start, end = np.asarray(marks.start, np.int64), np.asarray(marks.end, np.int64)
    severity = np.asarray(marks.severity)
    same = np.zeros(len(judgment), np.int8)
    category = same if marks.category is None else np.asarray(marks.category)
    side = same if marks.side is None else np.asarray(marks.side)
    columns = (judgment, start, end, severity, category, side)
    if any(column.shape != (len(judgment),) for column in columns):
        raise ValueError("the columns of marks must be one-dimensional and equally long")
    if len(judgment) and not 0 <= judgment.min() <= judgment.max() < n_judgments:
        raise ValueError(f"marks of judgments that are not there: there are {n_judgments}")
    omitted = start == -1
    if (wrong := ~omitted & ((start < 0) | (end <= start))).any():
        row = int(np.flatnonzero(wrong)[0])
        raise ValueError(f"mark {row} goes from {start[row]} to {end[row]}")
    end = np.where(omitted, 0, end)
    place = codes_of(side)[1] * (int(end.max(initial=0)) + 2) + 1
    worse = codes_of(severity)[1]
    return PlacedMarks(judgment, start + place, end + place, worse, codes_of(category)[1])


def _characters(
    ratings: Ratings, marks: PlacedMarks, at: np.ndarray, left: np.ndarray, right: np.ndarray
) -> np.ndarray:
    """Return per item: 2|A∩B|, the same with half credit, |A| + |B|, F1 and 1, summed over its
    pairs."""
    judgment, place, severity = marked_characters(marks)
    length = np.bincount(judgment, minlength=len(ratings))
    width = int(place.max(initial=0)) + 1
    annotator = ratings.annotator[judgment]
    _, first, second = co_ratings(ratings.item[judgment] * width + place, annotator)
    n = len(ratings)
    # co_ratings puts the smaller annotator first both times, so that the keys of pairs meet.
    keys = left * n + right
    order = np.argsort(keys)
    pair = order[np.searchsorted(keys, judgment[first] * n + judgment[second], sorter=order)]
    both = np.bincount(pair, minlength=len(at))
    same = np.bincount(pair, weights=severity[first] == severity[second], minlength=len(at))
    total = length[left] + length[right]
    f1 = np.where(total > 0, 2 * both / np.maximum(total, 1), 1.0)
    columns = (2 * both, both + same, total, f1, np.ones(len(at)))
    n_items = len(ratings.items)
    return np.column_stack([np.bincount(at, weights=c, minlength=n_items) for c in columns])


def marked_characters(marks: PlacedMarks) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return judgment and place of each marked character, once, with the worst of its
    severities."""
    lengths = marks.end - marks.start
    row = np.repeat(np.arange(len(lengths)), lengths)
    before = np.cumsum(lengths) - lengths
    place = marks.start[row] + np.arange(len(row)) - before[row]
    judgment, severity = marks.judgment[row], marks.severity[row]
    order = np.lexsort((-severity, place, judgment))
    judgment, place, severity = judgment[order], place[order], severity[order]
    new = np.ones(len(order), bool)
    new[1:] = (np.diff(judgment) != 0) | (np.diff(place) != 0)
    return judgment[new], place[new], severity[new]


def _matches(ratings: Ratings, marks: PlacedMarks) -> tuple[np.ndarray, np.ndarray]:
    """Return matched spans (n_items, 2, 3) and spans to be matched (n_items, 2), once per other
    annotator.

    The second axis tells an item's first of two annotators from the second, for the direction.
    """
    n, n_items = len(ratings), len(ratings.items)
    item = ratings.item[marks.judgment]
    side = np.minimum(ratings.annotator[marks.judgment], 1)
    others = np.bincount(ratings.item, minlength=n_items)[item] - 1
    compared = np.bincount(item * 2 + side, weights=others, minlength=2 * n_items)
    # Spans are told apart by their numbers, so that those of one annotator are listed as well.
    _, a, b = co_ratings(item, np.arange(len(item)))
    meet = (marks.start[a] < marks.end[b]) & (marks.start[b] < marks.end[a])
    meet &= marks.judgment[a] != marks.judgment[b]
    a, b = np.concatenate([a[meet], b[meet]]), np.concatenate([b[meet], a[meet]])
    severity = marks.severity[a] == marks.severity[b]
    category = severity & (marks.category[a] == marks.category[b])
    matched = np.zeros((n_items * 2, 3))
    for i, enough in enumerate((np.ones(len(a), bool), severity, category)):
        found = np.unique(a[enough] * n + marks.judgment[b[enough]]) // max(n, 1)
        matched[:, i] = np.bincount(item[found] * 2 + side[found], minlength=2 * n_items)
    return matched.reshape(n_items, 2, 3), compared.reshape(n_items, 2)
