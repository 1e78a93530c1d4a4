"""The ranking over the course of the judgments, and the results of random halves of them."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from judgments.stats.coefficients import codes_of
from judgments.stats.correlation import pearson
from judgments.stats.head_to_head import decided_comparisons
from judgments.stats.learning import (
    counts_so_far,
    half_means,
    halves,
    means_so_far,
    same_order,
)
from judgments.stats.ranking import expected_wins

from ..observations.observations import SCORED_KINDS, SEED, Observed, cached
from ..observations.pairs import pairs_of
from ..observations.storage import read_times
from ..observations.tables import places
from ..observations.units import clusters_of
from ..scores.figures import (
    SystemScores,
    segment_scores_of,
    standardized,
    system_scores_of,
)
from ..scores.pair_test import ALPHA, PairTest, pair_test_of
from ..selection.selection import Selection

POINTS = 10
DRAWS = 200
TESTED = 20
"""Number of halves in which every pair is also tested: tests cost more than means."""


@dataclass(frozen=True)
class Halves:
    """Results of ``draws`` random halves, by whole ``units`` ("documents" or "segments").

    ``same`` (S, S): share of halves in which two systems have the same order as in the whole.
    ``with_whole`` and ``with_other``: Pearson's r of the scores of a half with all, and with the
    other half, as mean, and 2.5th and 97.5th percentile. Of ``tested`` halves, means:
    ``significant`` pairs, those ``kept`` of the ``whole`` campaign's, and those ``turned`` around
    (ratings: by the campaign's test; comparisons: all of them by the sign test).
    """

    units: str
    draws: int
    tested: int
    same: np.ndarray
    with_whole: tuple[float, float, float]
    with_other: tuple[float, float, float]
    whole: int
    significant: float
    kept: float
    turned: float
    seed: int = SEED


@dataclass(frozen=True)
class LearningCurve:
    """Systems (S,) ``names``, best first, with the interval ``low`` to ``high`` of all judgments.

    ``scores`` and ``ranks`` (K, S) after ``n`` (K,) ratings or comparisons, the ``shares`` (K,) of
    all. ``by_time``: in the order of submission; otherwise whole ``units`` follow each other in a
    random order, because times are unknown and files are often sorted by system.
    """

    dimension: str
    names: tuple[str, ...]
    low: np.ndarray
    high: np.ndarray
    shares: np.ndarray
    n: np.ndarray
    scores: np.ndarray
    ranks: np.ndarray
    by_time: bool
    units: str
    halves: Halves | None

    @property
    def stands_since(self) -> float:
        """The share of judgments after which the order is the final one."""
        same = (self.ranks == self.ranks[-1]).all(axis=1)
        changed = np.flatnonzero(~same)
        return float(self.shares[changed[-1] + 1 if len(changed) else 0])


def learning_curve(selection: Selection, dimension: str | None = None) -> LearningCurve:
    """Return the curve of the scores by which systems are compared, or of expected wins.
    ``dimension`` None is the first."""
    return cached(
        selection,
        "learning_curve",
        lambda observed: learning_curve_of(selection, observed, dimension),
        dimension=dimension,
        how=pair_test_of(selection.campaign).options,
    )


def learning_curve_of(
    selection: Selection, observed: Observed, dimension: str | None = None
) -> LearningCurve:
    """Return the curve for rows that were loaded."""
    how = pair_test_of(selection.campaign)
    if observed.rates:
        # As the campaign compares systems; rows without a z are not among its scores either.
        observed, scaled = standardized(observed, dimension, how.compared_by, "regular")
        ratings = observed.ratings.replaced("value", scaled.values)[~np.isnan(scaled.values)]
        observed = dataclasses.replace(observed, ratings=ratings)
    scores = system_scores_of(observed, dimension, how=how)
    order = scores.order[~np.isnan(scores.mean[scores.order])]
    observed = observed.of_kinds(SCORED_KINDS)
    if observed.rates:
        observed = observed.of_dimension(scores.dimension)
    clusters, units = clusters_of(observed)
    arrival, by_time = _arrival(selection, observed, clusters)
    n_rows = len(arrival)
    ends = np.unique(np.ceil(np.arange(1, POINTS + 1) / POINTS * n_rows).astype(np.int64))
    compute = _of_ratings if observed.rates else _of_comparisons
    so_far, found = compute(observed, scores, how, arrival, ends, order)
    better = so_far[:, None, :] > so_far[:, :, None]
    ranks = np.where(np.isnan(so_far), np.nan, 1 + better.sum(axis=2))
    return LearningCurve(
        dimension=scores.dimension,
        names=tuple(str(scores.names[i]) for i in order),
        low=scores.low[order],
        high=scores.high[order],
        shares=ends / max(n_rows, 1),
        n=ends,
        scores=so_far,
        ranks=ranks,
        by_time=by_time,
        units=units,
        halves=found,
    )


def _arrival(
    selection: Selection, observed: Observed, clusters: np.ndarray
) -> tuple[np.ndarray, bool]:
    """Return the rows (n,) in the order of submission; if a time is missing, in a random order of
    ``clusters`` (n_segments,), within each as stored."""
    rows = observed.rows
    ids = observed.judgments["judgment"]
    submitted = read_times(selection.campaign, ids)["submitted"]
    when = submitted[places(rows["judgment"], ids)] if len(rows) else np.zeros(0)
    known = not np.isnan(when).any()
    if not known:
        names, code = codes_of(clusters)
        turn = np.random.default_rng(SEED).permutation(len(names))
        when = turn[code[rows["segment"]]]
    return np.argsort(when, kind="stable"), known


Found = tuple[np.ndarray, Halves | None]


def _of_ratings(
    observed: Observed,
    scores: SystemScores,
    how: PairTest,
    arrival: np.ndarray,
    ends: np.ndarray,
    order: np.ndarray,
) -> Found:
    rows = observed.ratings[arrival]
    known, system = codes_of(rows["system"])
    _, segment = codes_of(rows["segment"])
    so_far = means_so_far(system, segment, rows["value"], ends)
    at = places(scores.system_ids[order], observed.system_ids[known])
    table = segment_scores_of(observed, scores.dimension)
    unit, units = _units(observed, table.segment_ids)

    own = clusters_of(observed)[0][places(table.segment_ids, observed.segment_ids)]

    def tested(chosen: np.ndarray) -> np.ndarray:
        kept = chosen[unit]
        rng = np.random.default_rng(SEED)
        p_values = how.p_values(table.values[order][:, kept], own[kept], rng)
        return _decided(
            how.adjusted(p_values), half_means(table.values[order], unit, chosen[None])[0]
        )

    def of_halves(chosen: np.ndarray) -> np.ndarray:
        return half_means(table.values[order], unit, chosen)

    whole = _decided_in(scores, order)
    return so_far[:, at], _halves(scores.mean[order], whole, unit, units, of_halves, tested)


def _of_comparisons(
    observed: Observed,
    scores: SystemScores,
    how: PairTest,
    arrival: np.ndarray,
    ends: np.ndarray,
    order: np.ndarray,
) -> Found:
    pairs = pairs_of(observed)
    n = len(observed.system_ids)
    place = np.empty(len(arrival), np.int64)
    place[arrival] = np.arange(len(arrival))
    came = place[pairs.row]
    decided = np.flatnonzero(pairs.label != 0)
    decided = decided[np.argsort(came[decided], kind="stable")]
    won = pairs.label[decided] > 0
    first, second = pairs.first[decided].astype(np.int64), pairs.second[decided].astype(np.int64)
    cell = np.where(won, first * n + second, second * n + first)
    upto = np.searchsorted(came[decided], ends, side="left")
    at = places(scores.system_ids[order], observed.system_ids)

    def wins_of(counts: np.ndarray) -> np.ndarray:
        # without systems, -1 instead of the number of rows would be ambiguous
        rows = np.atleast_2d(counts)
        return rows.reshape(len(rows), n, n)[:, at][:, :, at]

    def scored(wins: np.ndarray) -> np.ndarray:
        return np.array([expected_wins(each).estimate for each in wins]).reshape(len(wins), len(at))

    so_far = scored(wins_of(counts_so_far(cell, upto, n * n)))
    met, segment = codes_of(pairs.segment[decided])
    unit, units = _units(observed, observed.segment_ids[met])
    n_units = 1 + int(unit.max(initial=-1))
    cells = unit[segment] * (n * n) + cell
    counts = np.bincount(cells, minlength=n_units * n * n).reshape(n_units, n * n)

    def wins_in(chosen: np.ndarray) -> np.ndarray:
        return wins_of(chosen.astype(np.float64) @ counts)

    def tested(chosen: np.ndarray) -> np.ndarray:
        wins = wins_in(chosen[None])[0]
        adjusted = how.adjusted(decided_comparisons(wins).p_values)
        return _decided(adjusted, scored(wins[None])[0])

    found = _halves(
        so_far[-1] if len(so_far) else np.zeros(0),
        tested(np.ones(n_units, bool)),
        unit,
        units,
        lambda chosen: scored(wins_in(chosen)),
        tested,
    )
    return so_far, found


def _units(observed: Observed, segment_ids: np.ndarray) -> tuple[np.ndarray, str]:
    """Return the unit that is halved, by segment, as codes from 0, and its name."""
    clusters, name = clusters_of(observed)
    return codes_of(clusters[places(segment_ids, observed.segment_ids)])[1], name


def _halves(
    mean: np.ndarray, whole: np.ndarray, unit: np.ndarray, units: str, of_halves: Any, tested: Any
) -> Halves | None:
    """Return the results of random halves for the scores ``mean`` (S,) and the decisions ``whole``
    (S, S); None if there is nothing to halve or to compare."""
    n_units = 1 + int(unit.max(initial=-1))
    if n_units < 2 or len(mean) < 2:
        return None
    chosen = halves(n_units, DRAWS, np.random.default_rng(SEED))
    ones, others = of_halves(chosen), of_halves(~chosen)
    some = [tested(each) for each in chosen[:TESTED]]
    return Halves(
        units=units,
        draws=DRAWS,
        tested=TESTED,
        same=same_order(mean, ones),
        with_whole=_spread([pearson(mean, one).estimate for one in ones]),
        with_other=_spread([pearson(a, b).estimate for a, b in zip(ones, others, strict=True)]),
        whole=int(whole.sum()),
        significant=float(np.mean([each.sum() for each in some])),
        kept=float(np.mean([(each & whole).sum() for each in some])),
        turned=float(np.mean([(each & whole.T).sum() for each in some])),
    )


def _decided(adjusted: np.ndarray, mean: np.ndarray) -> np.ndarray:
    """Return which systems are better than which, (S, S), by p (S, S) and their scores (S,)."""
    with np.errstate(invalid="ignore"):
        return (adjusted < ALPHA) & (mean[:, None] > mean[None, :])


def _decided_in(scores: SystemScores, order: np.ndarray) -> np.ndarray:
    """Return the same for all judgments, best first."""
    if scores.adjusted is None:
        return np.zeros((len(order),) * 2, bool)
    return _decided(scores.adjusted, scores.mean)[np.ix_(order, order)]


def _spread(values: list[float]) -> tuple[float, float, float]:
    known = np.array([value for value in values if not math.isnan(value)])
    if not len(known):
        return math.nan, math.nan, math.nan
    low, high = np.percentile(known, (2.5, 97.5))
    return float(known.mean()), float(low), float(high)
