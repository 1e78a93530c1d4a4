"""Which pairs of systems a campaign separates, and what it would take to separate the others."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.translation import gettext_noop
from scipy.special import ndtr

from judgments.models import Campaign
from judgments.results.observations.observations import (
    SCORED_KINDS,
    SEED,
    Observed,
    cached,
    checked,
    dimensions_of,
)
from judgments.stats.paired_difference import PairedDifference, paired_difference
from judgments.stats.power import minimum_detectable_effect, required_judgments
from judgments.stats.resampled_power import (
    observed_z,
    pair_sample,
    resampled_effect,
    resampled_requirement,
)
from judgments.stats.significance import holm

from ..observations.pairs import pairs_of
from ..scores.figures import segment_scores_of
from ..selection.selection import Selection

ALPHA, POWER = 0.05, 0.8
MIN_DOCUMENTS = 20  # fewer documents make a poor sample: segments are taken for independent then
DRAWS = 200
MOST_RESAMPLED = 12
# Tests between two systems: for ratings, and for comparisons, whose differences are signs.
RATING_TESTS = ("signed-rank-clustered", "signed-rank", "permutation", "mann-whitney")
COMPARISON_TESTS = ("signed-rank-clustered", "sign")


@dataclass(frozen=True)
class PairPower:
    """Two systems, the better one by mean first.

    ``difference`` with its clustered standard error and 95 % interval; ``p_value`` of the report's
    test, two-sided, and ``adjusted`` by Holm; ``n`` items judged of both. Where they are not
    separated: the difference that is ``detectable`` with these items, and the items ``needed`` in
    all if the difference is what it seems, by formula and by resampling (NaN where undefined or not
    asked for; ``reason`` says why of the last).
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
        """Items still to be judged; NaN where it is not known what is needed."""
        return math.nan if math.isnan(needed) else max(0.0, needed - self.n)


@dataclass(frozen=True)
class PowerReport:
    """All pairs of systems on one dimension (empty slug: comparisons), undecided ones first.

    ``clusters`` names what is resampled and clustered: documents or segments. ``alpha_open`` is
    what p of the next pair must fall below: alpha divided by the number of open pairs (Holm).
    """

    dimension: str
    test: str
    clusters: str
    n_systems: int
    pairs: tuple[PairPower, ...]
    alpha_open: float
    ratings_per_item: int
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
        """Median over pairs of the standard deviation of a difference, documents reckoned in."""
        known = [p.difference.effective_sd for p in self.pairs if not math.isnan(p.difference.se)]
        return float(np.median(known)) if known else math.nan


def tests_of(campaign: Campaign) -> tuple[str, ...]:
    """The tests to choose from, the default first."""
    return RATING_TESTS if dimensions_of(campaign) else COMPARISON_TESTS


def power(
    selection: Selection,
    dimension: str | None = None,
    *,
    test: str = "signed-rank-clustered",
    resample: bool = True,
) -> PowerReport:
    """Every two systems of a campaign. ``dimension`` None is the first; comparisons have none.

    Without ``resample`` only what formulas say. ValueError for a test that the campaign's kind of
    judgments has not.
    """
    options: dict[str, Any] = {"dimension": dimension, "test": test, "resample": resample}
    return cached(selection, "power", lambda o: power_of(o, **options), **options)


def power_of(
    observed: Observed,
    dimension: str | None = None,
    test: str = "signed-rank-clustered",
    resample: bool = True,
) -> PowerReport:
    """`power` of rows that were loaded."""
    is_rating = observed.rates
    known = RATING_TESTS if is_rating else COMPARISON_TESTS
    if test not in known:
        raise ValueError(f"test is one of {', '.join(known)}, not {test!r}")
    slug = checked(dimension, observed.dimensions) if is_rating else ""
    found = list(_ratings(observed, slug) if is_rating else _comparisons(observed))
    names = {name for data in found for name in data.names}
    by_document = _by_document(observed)
    compared = [_compare(data, test, by_document) for data in found]
    adjusted = holm([pair.p_value for pair in compared])
    pairs = [
        dataclasses.replace(pair, adjusted=float(p), separated=bool(p < ALPHA))
        for pair, p in zip(compared, adjusted, strict=True)
    ]
    n_open = sum(not pair.separated for pair in pairs)
    alpha = ALPHA / max(n_open, 1)
    order = sorted(range(len(pairs)), key=lambda i: _closeness(pairs[i]))
    done = []
    for place, i in enumerate(order):
        pair = pairs[i]
        if not pair.separated:
            asked = resample and place < MOST_RESAMPLED
            pair = _needs(pair, found[i], test, alpha, by_document, asked, seed=i)
        done.append(pair)
    return PowerReport(
        dimension=slug,
        test=test,
        clusters="documents" if by_document else "segments",
        n_systems=len(names),
        pairs=tuple(done),
        alpha_open=alpha,
        ratings_per_item=2 if is_rating else 1,
        draws=DRAWS if resample else 0,
        reason="" if done else gettext_noop("fewer than two systems were judged"),
    )


@dataclass(frozen=True)
class _PairData:
    """Judgments of two systems (n,), the better one's first; of comparisons the sign is the value
    of one of the two, and the other has 0."""

    names: tuple[str, str]
    first: np.ndarray
    second: np.ndarray
    document: np.ndarray
    segment: np.ndarray

    def clusters(self, by_document: bool) -> np.ndarray:
        return self.document if by_document else self.segment

    def better_first(self) -> _PairData:
        d = self.first - self.second
        if np.isnan(d).all() or np.nanmean(d) >= 0:
            return self
        names, values = self.names[::-1], (self.second, self.first)
        return _PairData(names, *values, self.document, self.segment)


def _ratings(observed: Observed, slug: str) -> Iterator[_PairData]:
    scores = segment_scores_of(observed, slug)
    segments = np.arange(len(scores.segment_ids))
    for a, b in itertools.combinations(range(len(scores.names)), 2):
        names = str(scores.names[a]), str(scores.names[b])
        values = scores.values[a], scores.values[b]
        yield _PairData(names, *values, scores.document_ids, segments).better_first()


def _comparisons(observed: Observed) -> Iterator[_PairData]:
    pairs = pairs_of(observed.of_kinds(SCORED_KINDS))
    turned = pairs.first > pairs.second
    a, b = np.minimum(pairs.first, pairs.second), np.maximum(pairs.first, pairs.second)
    label = np.where(turned, -pairs.label, pairs.label).astype(np.float64)
    for i, j in sorted(set(zip(a.tolist(), b.tolist(), strict=True))):
        rows = (a == i) & (b == j)
        names = str(observed.system_names[i]), str(observed.system_names[j])
        segment = pairs.segment[rows]
        document = observed.document_ids[segment]
        signs = label[rows]
        yield _PairData(names, signs, np.zeros(len(signs)), document, segment).better_first()


def _by_document(observed: Observed) -> bool:
    """Whether documents are the clusters: if there are enough, and not each of one segment."""
    judged = np.unique(observed.of_kinds(SCORED_KINDS).rows["segment"])
    return MIN_DOCUMENTS <= len(np.unique(observed.document_ids[judged])) < len(judged)


def _compare(data: _PairData, test: str, by_document: bool) -> PairPower:
    clusters = data.clusters(by_document)
    difference = paired_difference(data.first - data.second, clusters)
    z = observed_z(pair_sample(data.first, data.second, clusters), test)
    p_value = 2 * float(ndtr(-abs(z)))
    return PairPower(*data.names, difference, p_value, math.nan, False)


def _closeness(pair: PairPower) -> tuple[bool, float]:
    """Open pairs first, the one nearest to a decision at the top."""
    return pair.separated, math.inf if math.isnan(pair.p_value) else pair.p_value


def _needs(
    pair: PairPower,
    data: _PairData,
    test: str,
    alpha: float,
    by_document: bool,
    resample: bool,
    seed: int,
) -> PairPower:
    """The pair with what it takes to separate it."""
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
    sample = pair_sample(data.first, data.second, data.clusters(by_document))
    options: dict[str, Any] = shares | {"test": test, "draws": DRAWS}
    options["rng"] = np.random.default_rng([SEED, seed])
    size = resampled_requirement(sample, guess=needed.n, **options)
    effect = resampled_effect(sample, guess=detectable.effect, **options)
    return dataclasses.replace(
        pair,
        detectable_resampled=effect.effect,
        needed_resampled=size.n,
        reason=pair.reason or size.reason or effect.reason,
    )
