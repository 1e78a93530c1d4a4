"""The pairs of systems that a campaign separates, and the work needed to separate the others."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.translation import gettext_noop

from judgments.results.observations.observations import (
    SCORED_KINDS,
    SEED,
    Observed,
    cached,
    checked,
)
from judgments.results.observations.tables import places
from judgments.stats.paired_difference import PairedDifference, paired_difference
from judgments.stats.power import minimum_detectable_effect, required_judgments
from judgments.stats.resampled_power import (
    PairSample,
    pair_sample,
    resampled_effect,
    resampled_requirement,
)

from ..observations.pairs import pairs_of
from ..observations.units import clusters_of
from ..scores.comparisons import signs_of
from ..scores.figures import SystemScores, segment_scores_of, system_scores_of
from ..scores.pair_test import ALPHA, PairTest, pair_test_of
from ..selection.selection import Selection

POWER = 0.8
WEIGHTED = "weighted"  # the test of campaigns that draw the systems of a block
TOO_FEW = gettext_noop("fewer than two systems were judged")
TOO_LITTLE = gettext_noop("too few documents were judged for both")
DRAWS = 200
MOST_RESAMPLED = 12
# The tests between two systems by their names in `judgments.stats.resampled_power`.
RESAMPLED_TESTS = {"signed-rank": "signed-rank-clustered", "permutation": "permutation-clustered"}


@dataclass(frozen=True)
class PairPower:
    """Two systems, the better one by mean first.

    ``difference`` with its clustered standard error and 95 % interval; ``p_value``, two-sided, and
    ``adjusted`` as on the page of scores; ``n`` items judged for both. If they are not separated:
    the difference that is ``detectable`` with these items, and the items ``needed`` in all if the
    true difference is the observed one, by formula and by resampling (NaN if undefined or not
    requested; ``reason`` says why for the last).
    """

    first: str
    second: str
    difference: PairedDifference
    p_value: float
    adjusted: float
    separated: bool
    detectable: float = math.nan
    needed: float = math.nan
    detectable_resampled: float = math.nan
    needed_resampled: float = math.nan
    reason: str = ""

    @property
    def n(self) -> int:
        return self.difference.n

    def more(self, needed: float) -> float:
        """Return items still to be judged; NaN if it is unknown how many are needed."""
        return math.nan if math.isnan(needed) else max(0.0, needed - self.n)


@dataclass(frozen=True)
class PowerReport:
    """All pairs of systems on one dimension (empty slug: comparisons), undecided ones first.

    ``clusters`` names the unit of resampling and clustering: documents or segments. ``alpha_open``
    is the bound for p of the next of the open pairs, by the adjustment: with m of n pairs open,
    alpha / m (Holm), or alpha · (n − m + 1) / n (Benjamini–Hochberg).
    """

    dimension: str
    test: str
    clusters: str
    n_systems: int
    pairs: tuple[PairPower, ...]
    alpha_open: float
    ratings_per_item: int
    adjust: str = "holm"
    alpha: float = ALPHA
    power: float = POWER
    seed: int = SEED
    draws: int = 0
    reason: str = ""

    @property
    def open(self) -> tuple[PairPower, ...]:
        return tuple(pair for pair in self.pairs if not pair.separated)

    @property
    def typical_sd(self) -> float:
        """Median over pairs of the standard deviation of a difference, adjusted for documents."""
        known = [p.difference.effective_sd for p in self.pairs if not math.isnan(p.difference.se)]
        return float(np.median(known)) if known else math.nan


def power(
    selection: Selection, dimension: str | None = None, *, resample: bool = True
) -> PowerReport:
    """Return all pairs of systems of a campaign. ``dimension`` None is the first; comparisons have
    none.

    Without ``resample`` only the results of formulas.
    """
    how = pair_test_of(selection.campaign)
    options: dict[str, Any] = {"dimension": dimension, "resample": resample}
    return cached(
        selection, "power", lambda o: power_of(o, **options, how=how), **options, how=how.options
    )


def power_of(
    observed: Observed,
    dimension: str | None = None,
    resample: bool = True,
    how: PairTest = PairTest(),  # noqa: B008 - frozen
) -> PowerReport:
    """Return the report on rows that were loaded."""
    slug = checked(dimension, observed.dimensions) if observed.rates else ""
    clusters, unit = _units(observed, slug)
    scores = (
        system_scores_of(observed, slug, how.compared_by, how=how)
        if slug
        else system_scores_of(observed, how=how)
    )
    if scores.test == WEIGHTED:
        return _of_drawn_systems(scores, unit, how)
    found = list(_ratings(observed, slug, how) if slug else _comparisons(observed))
    decided = _decided(scores)
    pairs = []
    for data in found:
        difference = paired_difference(data.first - data.second, clusters[data.segment])
        p_value, adjusted, differs = decided[frozenset(data.names)]
        pairs.append(PairPower(*data.names, difference, p_value, adjusted, differs))
    alpha = alpha_of_next(sum(not pair.separated for pair in pairs), len(pairs), how.adjust)
    order = sorted(range(len(pairs)), key=lambda i: _closeness(pairs[i]))
    done = []
    for place, i in enumerate(order):
        pair = pairs[i]
        if not pair.separated:
            asked = resample and place < MOST_RESAMPLED
            sample = pair_sample(found[i].first, found[i].second, clusters[found[i].segment])
            pair = _needs(pair, sample, how.test, alpha, asked, seed=i)
        done.append(pair)
    return PowerReport(
        dimension=slug,
        test=scores.test,
        clusters=unit,
        n_systems=len({name for data in found for name in data.names}),
        pairs=tuple(done),
        alpha_open=alpha,
        adjust=how.adjust,
        ratings_per_item=2 if slug else 1,
        draws=DRAWS if resample else 0,
        reason="" if done else TOO_FEW,
    )


def alpha_of_next(n_open: int, n: int, adjust: str) -> float:
    """Return the bound for p of the next of the open pairs; see `PowerReport`."""
    if adjust == "bh" and n_open:
        return ALPHA * (n - n_open + 1) / n
    return ALPHA / max(n_open, 1)


def _of_drawn_systems(scores: SystemScores, unit: str, how: PairTest) -> PowerReport:
    """Return the report on a campaign that draws the systems of its blocks."""
    pairs = sorted(_weighted(scores), key=_closeness)
    return PowerReport(
        dimension=scores.dimension,
        test=WEIGHTED,
        clusters=unit,
        n_systems=len(scores.names),
        pairs=tuple(pairs),
        alpha_open=math.nan,
        ratings_per_item=2,
        adjust=how.adjust,
        reason="" if pairs else TOO_FEW,
    )


def _weighted(scores: SystemScores) -> Iterator[PairPower]:
    """Yield all pairs as on the page of scores. How much work separates them depends on later
    draws: nothing is said about it."""
    decided, pairs = _decided(scores), scores.pairs
    assert pairs is not None
    for i, j in itertools.combinations(range(len(scores.names)), 2):
        first, second = (i, j) if not pairs.difference[i, j] < 0 else (j, i)
        difference = PairedDifference(
            estimate=float(pairs.difference[first, second]),
            se=math.nan,
            low=float(pairs.low[first, second]),
            high=float(pairs.high[first, second]),
            t=math.nan,
            df=0,
            p_value=math.nan,
            n=int(pairs.n[first, second]),
            n_clusters=0,
            n_scored=0,
            sd=math.nan,
            r_squared=math.nan,
            slopes=np.zeros(0),
            level=0.95,
            method=WEIGHTED,
            reason="" if np.isfinite(pairs.low[first, second]) else TOO_LITTLE,
        )
        names = str(scores.names[first]), str(scores.names[second])
        p_value, adjusted, differs = decided[frozenset(names)]
        yield PairPower(*names, difference, p_value, adjusted, differs, reason=difference.reason)


def _units(observed: Observed, slug: str) -> tuple[np.ndarray, str]:
    """Return the unit that is kept together, by segment, and its name."""
    scored = observed.of_kinds(SCORED_KINDS)
    return clusters_of(scored.of_dimension(slug) if slug else scored)


def _decided(scores: SystemScores) -> dict[frozenset[str], tuple[float, float, bool]]:
    """Return p, p adjusted, and whether they differ, for all pairs of systems."""
    if scores.p_values is None or scores.adjusted is None:
        return {}
    names, differs = scores.names.tolist(), scores.differs
    return {
        frozenset((names[i], names[j])): (
            float(scores.p_values[i, j]),
            float(scores.adjusted[i, j]),
            bool(differs[i, j]),
        )
        for i, j in itertools.combinations(range(len(names)), 2)
    }


@dataclass(frozen=True)
class _PairData:
    """Judgments of two systems (n,), the better one's first, and the codes of their segments; for
    comparisons the sign is the value of one of the two, and the other has 0."""

    names: tuple[str, str]
    first: np.ndarray
    second: np.ndarray
    segment: np.ndarray

    def better_first(self) -> _PairData:
        d = self.first - self.second
        if np.isnan(d).all() or np.nanmean(d) >= 0:
            return self
        return _PairData(self.names[::-1], self.second, self.first, self.segment)


def _ratings(observed: Observed, slug: str, how: PairTest) -> Iterator[_PairData]:
    scores = segment_scores_of(observed, slug, how.compared_by)
    segments = places(scores.segment_ids, observed.segment_ids)
    for a, b in itertools.combinations(range(len(scores.names)), 2):
        names = str(scores.names[a]), str(scores.names[b])
        yield _PairData(names, scores.values[a], scores.values[b], segments).better_first()


def _comparisons(observed: Observed) -> Iterator[_PairData]:
    pairs = pairs_of(observed.of_kinds(SCORED_KINDS))
    for (i, j), rows in signs_of(pairs).items():
        names = str(observed.system_names[i]), str(observed.system_names[j])
        none = np.zeros(len(rows.sign))
        yield _PairData(names, rows.sign, none, pairs.segment[rows.place]).better_first()


def _closeness(pair: PairPower) -> tuple[bool, float]:
    """Return a sort key: open pairs first, the one closest to a decision at the top."""
    return pair.separated, math.inf if math.isnan(pair.p_value) else pair.p_value


def _needs(
    pair: PairPower, sample: PairSample, test: str, alpha: float, resample: bool, seed: int
) -> PairPower:
    """Return the pair with the work needed to separate it."""
    sd, shares = pair.difference.effective_sd, {"alpha": alpha, "power": POWER}
    detectable = minimum_detectable_effect(sd, pair.n, **shares)
    needed = required_judgments(pair.difference.estimate, sd, **shares)
    pair = dataclasses.replace(
        pair,
        detectable=detectable.effect,
        needed=needed.n,
        reason=pair.difference.reason or needed.reason,
    )
    if not resample:
        return pair
    options: dict[str, Any] = shares | {"test": RESAMPLED_TESTS[test], "draws": DRAWS}
    options["rng"] = np.random.default_rng([SEED, seed])
    size = resampled_requirement(sample, guess=needed.n, **options)
    effect = resampled_effect(sample, guess=detectable.effect, **options)
    return dataclasses.replace(
        pair,
        detectable_resampled=effect.effect,
        needed_resampled=size.n,
        reason=pair.reason or size.reason or effect.reason,
    )
