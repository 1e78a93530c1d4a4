"""The spread of differences from judgments: variances by the standard library, ranks by SciPy, and
the correlation of the grades of normal values by Pearson (1907)."""

import math
import statistics
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import rankdata

from judgments.stats.planning.spread_refit import (
    JudgedShares,
    correlation_within,
    refit_spread,
    signed_ranks,
)
from judgments.stats.planning.spreads import MQM, DifferenceSpread

FLAT = DifferenceSpread()


def judged(values, documents=None, segments=None, words=20.0):
    n = np.shape(values)[1]
    return JudgedShares(
        np.asarray(values, float),
        np.arange(1, n + 1) if segments is None else np.asarray(segments),
        np.arange(n) if documents is None else np.asarray(documents),
        np.full(n, words),
    )


def test_the_logarithm_moves_by_how_many_differences_are_free():
    """100 segments of four systems have 300, next to the prior 100: three quarters of the way."""
    values = np.random.default_rng(1).normal(0, 0.3, (4, 100))
    differences = [values[a] - values[b] for a, b in combinations(range(4), 2)]
    variance = statistics.mean(statistics.variance(each.tolist()) for each in differences)
    found = refit_spread(FLAT, [judged(values)])
    assert found.share(20, 400) == pytest.approx(0.2 * (1.1 * variance**0.5 / 0.2) ** 0.75)
    assert found.rho == FLAT.rho  # no document has two of them


def test_another_campaign_counts_as_what_was_known_before_at_most():
    """With 300 free differences in each of two, the cube root of the product of both sizes and the
    usual one."""
    rng = np.random.default_rng(6)
    sizes, campaigns = [0.2], []
    for sd in (0.1, 0.5):
        values = rng.normal(0, sd, (2, 300))
        campaigns.append(judged(values))
        sizes.append(1.1 * statistics.stdev((values[0] - values[1]).tolist()))
    found = refit_spread(FLAT, campaigns, most=1)
    assert found.share(20, 400) == pytest.approx(math.prod(sizes) ** (1 / 3))


def test_how_it_goes_with_length_stays():
    values = np.random.default_rng(2).normal(0, 0.1, (2, 40))
    long = refit_spread(MQM, [judged(values, words=60.0)])
    assert long.share(60, 3600) < MQM.share(60, 3600)
    ratio = long.share(60, 3600) / MQM.share(60, 3600)
    assert long.share(15, 225) == pytest.approx(ratio * MQM.share(15, 225))


def test_only_what_one_person_said_of_both_is_compared():
    """Two people give every segment the same score: as many segments as before, and the same
    spread."""
    values = np.random.default_rng(3).normal(0, 0.3, (3, 20))
    once = refit_spread(FLAT, [judged(values)])
    twice = judged(np.hstack([values, values]), segments=[*range(1, 21)] * 2)
    assert twice.n_segments == 20
    assert refit_spread(FLAT, [twice]).times == pytest.approx(once.times, rel=0.02)
    alone = np.full((2, 40), math.nan)
    alone[0, :20], alone[1, 20:] = values[0], values[1]
    assert refit_spread(FLAT, [judged(alone)]) == FLAT


@pytest.mark.parametrize("values", [np.empty((0, 0)), np.zeros((2, 30)), [[1.0], [0.0]]])
def test_what_says_nothing_moves_nothing(values):
    assert refit_spread(FLAT, [judged(values)]) == FLAT


def test_signed_ranks_are_those_of_scipy():
    d = np.array([0.3, -0.1, 0.0, 0.1, -0.7, 0.1])
    ranks = rankdata(np.abs(d[d != 0])) * np.sign(d[d != 0])
    assert signed_ranks(d)[d != 0].tolist() == ranks.tolist()
    assert signed_ranks(d)[2] == 0


@pytest.mark.parametrize("rho", [0.0, 0.4])
def test_the_correlation_is_that_of_grades(rho):
    """Signed ranks of differences that are normal about zero are their grades, whose correlation is
    6/π·asin(ρ/2) (Pearson 1907)."""
    rng, found = np.random.default_rng(4), []
    documents = np.repeat(np.arange(80), [2, 3, 3, 4, 4, 4, 5, 5] * 10)
    for _ in range(100):
        shared, own = rng.normal(size=80)[documents], rng.normal(size=300)
        differences = rho**0.5 * shared + (1 - rho) ** 0.5 * own
        correlation, neighbors = correlation_within(judged([differences, 0 * own], documents))
        assert neighbors == pytest.approx(220)
        found.append(correlation)
    error = statistics.stdev(found) / math.sqrt(len(found))
    assert statistics.mean(found) == pytest.approx(6 / math.pi * math.asin(rho / 2), abs=3 * error)


def test_the_correlation_moves_by_the_segments_beside_the_first_of_a_document():
    rng = np.random.default_rng(5)
    documents = np.repeat(np.arange(25), 5)
    of_documents = rng.normal(0, 0.3, (3, 25))[:, documents]
    made = judged(rng.normal(0, 0.3, (3, 125)) + of_documents, documents)
    correlation, neighbors = correlation_within(made)
    assert neighbors == pytest.approx(2 * 100)
    assert refit_spread(FLAT, [made]).rho == pytest.approx((correlation + FLAT.rho) / 2)


@pytest.mark.parametrize(("first", "second"), [(0.9, 0.8), (0.35, 0.0), (0.5, 0.5)])
def test_differences_that_are_all_the_same_say_nothing(first, second):
    """Somebody scored one system always the same, and the other one; the rest is rounding."""
    found = refit_spread(FLAT, [judged([[first] * 30, [second] * 30])])
    assert found.times == 1


def test_no_campaign_moves_it_without_end():
    values = np.random.default_rng(3).normal(0, 1e-5, (12, 300))
    found = refit_spread(FLAT, [judged(values)])
    assert found.times >= 1 / 5
