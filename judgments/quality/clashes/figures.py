"""Clashes: what two annotators said of the same output, or of the same pair, that lies far apart.

A clash has an address that stays as long as the two screens do, whatever is revised or judged
besides: the ids of the two items, and of the segment and the system, or of the question.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from django.utils.translation import gettext_noop

from judgments.protocols import protocol_of
from judgments.results.answers.figures import Given, given_answers
from judgments.results.observations.observations import SCORED_KINDS, Observed, cached
from judgments.results.observations.pairs import pairs_of
from judgments.results.selection.selection import Selection

LEAST_SD = 1.0  # a smaller difference is none to look at
MOST = 1000  # clashes that are listed, the largest
MOST_OPPOSED = 200_000  # opposed comparisons that are gathered by screens


@dataclass(frozen=True)
class Clash:
    """Two annotators (aliases) on two items (ids). ``size``: the difference in standard deviations
    of the campaign's ratings on the ``dimension``; or how many comparisons are opposed; or 1 where
    answers to the question differ. ``segment`` is 0 where
    a question is about a document. ``values`` are theirs, ``share`` the difference as a share of
    the scale (NaN: it has no ends, or nothing is rated)."""

    key: str
    size: float
    annotators: tuple[str, str]
    items: tuple[int, int]
    segment: int
    system: str = ""
    dimension: str = ""
    values: tuple[float, float] = (math.nan, math.nan)
    share: float = math.nan


@dataclass(frozen=True)
class ClashReport:
    """``clashes``, the largest first, of ``n_found`` in all; ``measure`` says what their size is:
    "sd", "opposed" or "answers", empty where ``reason`` says why there are none."""

    measure: str
    clashes: tuple[Clash, ...]
    n_found: int
    reason: str = ""


@dataclass(frozen=True)
class FarPairs:
    """Rows ``low`` and ``high`` (m,) of one group by two annotators, whose values are ``gap``
    apart, the largest first; ``n_found`` in all."""

    low: np.ndarray
    high: np.ndarray
    gap: np.ndarray
    n_found: int


def clashes(selection: Selection) -> ClashReport:
    """Return the clashes of a campaign's annotators."""
    if "answers" in protocol_of(selection.campaign).kinds:
        return _of_answers(selection)
    return cached(selection, "clashes", clashes_of)


def clashes_of(observed: Observed) -> ClashReport:
    """`clashes` of rows that were loaded."""
    observed = observed.of_kinds(SCORED_KINDS).as_shown()
    if observed.rates:
        return _of_ratings(observed)
    if len(observed.rows) == 0:
        return ClashReport("", (), 0, gettext_noop("there are no ratings and no comparisons"))
    return _of_comparisons(observed)


def far_pairs(
    group: np.ndarray, annotator: np.ndarray, value: np.ndarray, *, least: float, most: int
) -> FarPairs:
    """Return each two rows (n,) of one group, by different annotators, ``least`` or more apart.

    Rows stand by value in their groups, and each is compared with the first, second, … after it,
    for all groups at once: as many steps as the largest group has rows. Rows without a value
    (NaN) are left out.
    """
    known = np.flatnonzero(~np.isnan(value))
    order = known[np.lexsort((value[known], group[known]))]
    g, who, v = group[order], annotator[order], value[order]
    at, lag, n_found = np.arange(len(order)), 1, 0
    low = high = np.zeros(0, np.int64)
    gap = np.zeros(0)
    while True:
        at = at[at + lag < len(order)]
        at = at[g[at] == g[at + lag]]
        if not len(at):
            break
        apart = v[at + lag] - v[at]
        far = (apart >= least) & (who[at] != who[at + lag])
        n_found += int(far.sum())
        low = np.concatenate([low, order[at[far]]])
        high = np.concatenate([high, order[at[far] + lag]])
        gap = np.concatenate([gap, apart[far]])
        if len(gap) > 2 * most:
            keep = np.argpartition(-gap, most)[:most]
            low, high, gap = low[keep], high[keep], gap[keep]
        lag += 1
    # Of equal gaps the first rows first, so that the list stays as it is.
    best = np.lexsort((high, low, -gap))[:most]
    return FarPairs(low[best], high[best], gap[best], n_found)


def _of_ratings(observed: Observed) -> ClashReport:
    rows = observed.ratings
    dimension, value = rows["dimension"], rows["value"]
    n_systems, n_dimensions = len(observed.system_ids), len(observed.dimensions)
    output = rows["segment"] * n_systems + rows["system"]
    sd = np.array([_sd(value[dimension == code]) for code in range(n_dimensions)])
    scaled = value / sd[dimension]
    group = output * n_dimensions + dimension
    # A clash is of an output: several dimensions of it come together below.
    found = far_pairs(
        group, rows["annotator"], scaled, least=LEAST_SD, most=MOST * max(n_dimensions, 1)
    )
    chosen: dict[str, Clash] = {}
    for low, high, gap in zip(found.low, found.high, found.gap, strict=True):
        made = _rated(observed, int(low), int(high), float(gap))
        chosen.setdefault(made.key, made)
        if len(chosen) == MOST:
            break
    # Where none was cut off, a clash on several dimensions is one, as in the list.
    is_whole = len(chosen) < MOST and len(found.gap) == found.n_found
    return ClashReport("sd", tuple(chosen.values()), len(chosen) if is_whole else found.n_found)


def _sd(values: np.ndarray) -> float:
    """Return NaN, which clashes with nothing, where values do not vary."""
    found = float(np.std(values, ddof=1)) if len(values) > 1 else math.nan
    return found if found > 0 else math.nan


def _rated(observed: Observed, low: int, high: int, gap: float) -> Clash:
    first, second = sorted((low, high))
    rows = observed.ratings[np.array([first, second])]
    items, who, values = rows["item"], rows["annotator"], rows["value"]
    segment = int(observed.segment_ids[rows["segment"][0]])
    system = int(rows["system"][0])
    dimension = observed.dimensions[int(rows["dimension"][0])]
    scale = dimension.scale
    share = math.nan
    if scale.low is not None and scale.high is not None and scale.high > scale.low:
        share = abs(float(values[0] - values[1])) / (scale.high - scale.low)
    a, b = sorted((0, 1), key=lambda i: int(items[i]))
    return Clash(
        key=f"{items[a]}-{items[b]}-{segment}-{observed.system_ids[system]}",
        size=gap,
        annotators=(str(observed.annotators[who[a]]), str(observed.annotators[who[b]])),
        items=(int(items[a]), int(items[b])),
        segment=segment,
        system=str(observed.system_names[system]),
        dimension=dimension.slug,
        values=(float(values[a]), float(values[b])),
        share=share,
    )


def _of_comparisons(observed: Observed) -> ClashReport:
    """Return opposed comparisons of the same two outputs, gathered by the two screens."""
    pairs = pairs_of(observed)
    n = len(observed.system_ids)
    a, b = np.minimum(pairs.first, pairs.second), np.maximum(pairs.first, pairs.second)
    label = np.where(pairs.first > pairs.second, -pairs.label, pairs.label).astype(np.float64)
    group = (pairs.segment.astype(np.int64) * n + a) * n + b
    found = far_pairs(group, pairs.annotator, label, least=2, most=MOST_OPPOSED)
    item = observed.rows["item"][pairs.row]
    sides = np.sort(np.stack([item[found.low], item[found.high]], axis=1), axis=1)
    screens, at, counts = np.unique(sides, axis=0, return_index=True, return_counts=True)
    made = []
    for place in np.lexsort((screens[:, 1], screens[:, 0], -counts))[:MOST]:
        low, high = found.low[at[place]], found.high[at[place]]
        first, second = (low, high) if item[low] < item[high] else (high, low)
        names = [str(observed.annotators[pairs.annotator[row]]) for row in (first, second)]
        items = int(screens[place, 0]), int(screens[place, 1])
        made.append(
            Clash(
                key=f"{items[0]}-{items[1]}",
                size=float(counts[place]),
                annotators=(names[0], names[1]),
                items=items,
                segment=int(observed.segment_ids[pairs.segment[low]]),
            )
        )
    return ClashReport("opposed", tuple(made), len(screens))


def _of_answers(selection: Selection) -> ClashReport:
    """Return answers to one question about one text that differ: one is right and the other is not,
    or, where nobody knows, they say something else. Not kept: a grade changes them."""
    groups: dict[tuple[int, int], list[Given]] = defaultdict(list)
    for given in given_answers(selection, everyone=False):
        if given.kind in SCORED_KINDS:
            groups[given.question, given.output].append(given)
    made = [
        _answered(selection, *sorted(two, key=lambda given: given.item))
        for answers in groups.values()
        for two in itertools.combinations(answers, 2)
        if two[0].annotator != two[1].annotator and not _same(*two)
    ]
    made.sort(key=lambda clash: clash.items)
    return ClashReport("answers", tuple(made[:MOST]), len(made))


def _answered(selection: Selection, first: Given, second: Given) -> Clash:
    return Clash(
        key=f"{first.item}-{second.item}-q{first.question}",
        size=1.0,
        annotators=(selection.alias(first.annotator), selection.alias(second.annotator)),
        items=(first.item, second.item),
        segment=0,
        system=first.system,
    )


def _same(first: Given, second: Given) -> bool:
    if first.is_right is not None and second.is_right is not None:
        return first.is_right == second.is_right
    one, other = (" ".join(each.text.casefold().split()) for each in (first, second))
    return one == other
