"""Agreement on rankings, pair by pair of outputs (WMT 2011-2016).

A ranking says of each two of its outputs which is better, or that they tie. p(A) is the share of
equal labels among pairs of judgments of the same two outputs of a segment; with t the share of ties
among all labels, p(E) = t² + 2((1 - t)/2)²; kappa = (p(A) - p(E))/(1 - p(E)).

The script of the WMT organizers compares (A, B) only with (A, B) as displayed, never with (B, A),
and counts an annotator's own repeats as pairs of annotators. ``READINGS`` names the choices.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from judgments.stats.coefficients import (
    NO_PAIRS,
    NO_RATINGS,
    NO_REPEATS,
    ONE_VALUE,
    Agreement,
    Ratings,
    chance_corrected,
    clean_ratings,
    codes_of,
    has_repeats,
    key_of,
    order_of,
    with_interval,
)
from judgments.stats.pair_counts import pair_counts, repeated_rows

READINGS = {
    # name: (pairs of judgments that count, whether display order keeps (A, B) and (B, A) apart)
    "strict": ("cross", False),
    "wmt16-compat": ("all", True),
    "any-order": ("all", False),
    "intra": ("own", False),
    "intra-wmt16-compat": ("own", True),
}


@dataclass(frozen=True)
class RankedPairs:
    """Two outputs of one ranking a row, in display order.

    ``row`` (n,) is the row of the first one, ``ranking`` (n,) the ranking's name; ``first`` and
    ``second`` (n,) are systems, ``first`` displayed before; ``label`` (n,) is +1 where first is
    better, -1 where second is, 0 for a tie.
    """

    row: np.ndarray
    ranking: np.ndarray
    first: np.ndarray
    second: np.ndarray
    label: np.ndarray


def expand_rankings(
    ranking: ArrayLike,
    system: ArrayLike,
    rank: ArrayLike,
    position: ArrayLike | None = None,
) -> RankedPairs:
    """Return rankings in long form, (n,) each, → all pairs of outputs of a ranking.

    Rank 1 is best, equal ranks tie, NaN was not ranked and makes no pair. ``position`` is the place
    on the screen; without it the row order is the display order. Rankings of any size. ValueError
    if a system occurs twice in a ranking.
    """
    ranking, system = np.asarray(ranking), np.asarray(system)
    rank = np.asarray(rank, np.float64)
    shown = np.arange(len(ranking)) if position is None else np.asarray(position)
    if not ranking.shape == system.shape == rank.shape == shown.shape or ranking.ndim != 1:
        raise ValueError("ranking, system, rank and position must be equally long")
    present = ~np.isnan(rank)
    kept_systems, places, shown = system[present], rank[present], shown[present]
    names, code = codes_of(ranking[present])
    systems, system_code = codes_of(kept_systems)
    if has_repeats(key_of(code, len(systems), system_code)):
        raise ValueError("a system occurs twice in one ranking")
    places_shown, shown = codes_of(shown)
    order = order_of(key_of(code, len(places_shown), shown))
    size = np.bincount(code, minlength=len(names))
    start = np.cumsum(size) - size
    left, right = [np.zeros(0, np.intp)], [np.zeros(0, np.intp)]
    for m in np.unique(size[size > 1]):
        rows = order[start[size == m][:, None] + np.arange(m)]
        i, j = np.triu_indices(m, k=1)
        left.append(rows[:, i].ravel())
        right.append(rows[:, j].ravel())
    a, b = np.concatenate(left), np.concatenate(right)
    label = np.sign(places[b] - places[a]).astype(np.int8)
    rows = np.flatnonzero(present)[a]
    return RankedPairs(rows, names[code[a]], kept_systems[a], kept_systems[b], label)


def kappa_from_counts(
    agreeing: int, comparable: int, ties: int, labels: int, *, name: str = "pairwise kappa"
) -> Agreement:
    """Return the kappa of four counts: equal label pairs, label pairs, ties, labels."""
    if not labels or not comparable:
        reason = NO_PAIRS if labels else NO_RATINGS
        return Agreement(name, math.nan, n_ties=ties, n_labels=labels, reason=reason)
    observed, expected = agreeing / comparable, float(_tie_chance(ties / labels))
    estimate = float(chance_corrected(observed, expected))
    return Agreement(
        name,
        estimate,
        p_observed=observed,
        p_expected=expected,
        n_pairs=comparable,
        n_agreeing=agreeing,
        n_ties=ties,
        n_labels=labels,
        reason=ONE_VALUE if math.isnan(estimate) else "",
    )


def pairwise_agreement(
    segment: ArrayLike,
    annotator: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    label: ArrayLike,
    *,
    reading: str = "strict",
    rng: np.random.Generator | None = None,
    resamples: int = 1000,
    level: float = 0.95,
    clusters: ArrayLike | None = None,
) -> Agreement:
    """Return Kappa of judgments of two outputs, in long form (n,) each, as `expand_rankings` makes
    them.

    ``label`` is +1, 0 or -1: first is better, tie, second is better; NaN is missing. ``reading``:

    - ``strict``: pairs of two annotators, whatever the display order;
    - ``wmt16-compat``: same display order only, own repeats count too (the published figures);
    - ``any-order``: whatever the display order, own repeats count too;
    - ``intra``, ``intra-wmt16-compat``: an annotator's own repeats, in any or the same order; the
      ties are then counted over the segments in which the annotator repeated a pair.

    The interval resamples segments, or ``clusters`` (n,), the document of each row. ``n_items``
    counts segments with comparable pairs.
    """
    columns = (segment, annotator, first, second, label)
    options: dict[str, Any] = {"rng": rng, "resamples": resamples, "level": level}
    [found] = pairwise_agreements(*columns, readings=(reading,), clusters=clusters, **options)
    return found


def pairwise_agreements(
    segment: ArrayLike,
    annotator: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    label: ArrayLike,
    *,
    readings: Sequence[str],
    rng: np.random.Generator | None = None,
    resamples: int = 1000,
    level: float = 0.95,
    clusters: ArrayLike | None = None,
) -> list[Agreement]:
    """`pairwise_agreement` in several readings, for the price of sorting the judgments once."""
    for reading in readings:
        if reading not in READINGS:
            raise ValueError(f"reading is one of {', '.join(READINGS)}, not {reading!r}")
    by_segment = clean_ratings(segment, annotator, np.asarray(label, np.float64), clusters)
    present = ~np.isnan(np.asarray(label, np.float64))
    if not np.isin(by_segment.values, (-1, 0, 1)).all():
        raise ValueError(f"labels are +1, 0 and -1, not {by_segment.values[:5]}")
    first, second = np.asarray(first)[present], np.asarray(second)[present]
    systems, code = codes_of(np.concatenate([first, second]))
    small = code.astype(np.min_scalar_type(len(systems)))
    outputs = small[: len(first)], small[len(first) :]
    del first, second, code  # of millions of comparisons each column is large
    sums: dict[str, tuple[np.ndarray, int]] = {}
    for ordered in (False, True):
        some = [reading for reading in readings if READINGS[reading][1] == ordered]
        if not some:
            continue
        items = _items(by_segment, *outputs, len(systems), ordered)
        segment = items.items // max(len(systems), 1) ** 2
        for reading in some:
            sums[reading] = _sums_by_segment(by_segment, items, segment, READINGS[reading][0])
        del items
    return [
        _result(reading, *sums[reading], by_segment, rng, resamples, level) for reading in readings
    ]


def _sums_by_segment(
    ratings: Ratings, items: Ratings, segment: np.ndarray, which: str
) -> tuple[np.ndarray, int]:
    """Return agreeing and comparable pairs, ties and labels of each segment, (n_segments, 4), and
    the number of annotators; ``segment`` is that of each item."""
    counted = items.remember("pair counts", lambda: pair_counts(items))
    agree, pairs, n_annotators = counted.select(which)
    n, ties, labels = len(ratings.items), _ties(ratings), ratings.sizes
    if which == "own":
        counts = _counted_labels(ratings, items)
        labels = np.bincount(ratings.item[counts], minlength=n)
        ties = np.bincount(ratings.item[counts & _is_tie(ratings)], minlength=n)
    columns = (
        np.bincount(segment, weights=agree, minlength=n),
        np.bincount(segment, weights=pairs, minlength=n),
        ties,
        labels,
    )
    return np.column_stack(columns), n_annotators


def _is_tie(ratings: Ratings) -> np.ndarray:
    return (ratings.values == 0)[ratings.value]


def _ties(ratings: Ratings) -> np.ndarray:
    """Return the ties of each segment, (n_segments,)."""
    n = len(ratings.items)
    return ratings.remember(
        "ties", lambda: np.bincount(ratings.item[_is_tie(ratings)], minlength=n)
    )


def _items(
    ratings: Ratings, first: np.ndarray, second: np.ndarray, n_systems: int, ordered: bool
) -> Ratings:
    """``ratings`` of segments as ratings of (segment, first, second), turned round if needed."""
    label = ratings.values.astype(np.int8)[ratings.value]
    if not ordered:
        label = np.where(first > second, -label, label)
        first, second = np.minimum(first, second), np.maximum(first, second)
    key = key_of(ratings.item, n_systems, first)
    key *= n_systems
    key += second
    return clean_ratings(key, ratings.annotator, label)


def _counted_labels(ratings: Ratings, items: Ratings) -> np.ndarray:
    """Return which labels the share of ties of own repeats is taken over, bool (n,)."""
    of_segment = key_of(ratings.item, len(ratings.annotators), ratings.annotator)
    names, code = codes_of(of_segment)
    repeated = np.zeros(len(names), bool)
    repeated[code[repeated_rows(items)]] = True
    return repeated[code]


def _tie_chance(share: ArrayLike) -> np.ndarray:
    t = np.asarray(share, np.float64)
    return t**2 + 2 * ((1 - t) / 2) ** 2


def _result(
    reading: str,
    stats: np.ndarray,
    n_annotators: int,
    ratings: Ratings,
    rng: np.random.Generator | None,
    resamples: int,
    level: float,
) -> Agreement:
    """Return the result of (agreeing, comparable, ties, labels) per segment."""
    total = [round(x) for x in stats.sum(axis=0)]
    name = f"pairwise kappa ({reading})"
    result = kappa_from_counts(*total, name=name)
    if reading.startswith("intra") and len(ratings) and not total[1]:
        result = dataclasses.replace(result, reason=NO_REPEATS)
    result = dataclasses.replace(
        result, n_items=int((stats[:, 1] > 0).sum()), n_annotators=n_annotators
    )

    def statistic(sums: np.ndarray) -> np.ndarray:
        observed = sums[..., 0] / sums[..., 1]
        return chance_corrected(observed, _tie_chance(sums[..., 2] / sums[..., 3]))

    return with_interval(
        result,
        statistic,
        stats,
        rng=rng,
        resamples=resamples,
        level=level,
        clusters=ratings.cluster,
    )
