import itertools
import math

import numpy as np
import pytest

from metrics.scorers import get_scorer
from metrics.stats import draws, significance
from metrics.stats.significance import (
    approximate_randomization,
    bootstrap_interval,
    paired_bootstrap,
)

TER = get_scorer("ter")
BLEU = get_scorer("bleu")


def rng(seed=1):
    return np.random.default_rng(seed)


def ter_stats(edits, length=10):
    return np.column_stack([edits, np.full(len(edits), float(length))])


def bleu_stats(n=40, quality=0.5, seed=0):
    r = rng(seed)
    totals = np.array([20, 19, 18, 17.0])
    correct = r.binomial(totals.astype(int), quality, size=(n, 4))
    return np.column_stack([np.full(n, 20.0), np.full(n, 20.0), correct, np.tile(totals, (n, 1))])


def test_interval_of_a_mean_is_the_normal_one():
    # TER of segments of one length is a mean, whose bootstrap interval is x̄ ± 1.96 σ/√n (Efron and
    # Tibshirani 1993), with σ the deviation of the sample itself.
    edits = rng(5).normal(5, 2, size=400)
    result = bootstrap_interval(TER, ter_stats(edits), rng=rng(), resamples=20_000)
    half = 1.959964 * 10 * edits.std() / math.sqrt(400)
    assert result.estimate == pytest.approx(10 * edits.mean())
    assert (result.low, result.high) == pytest.approx(
        (10 * edits.mean() - half, 10 * edits.mean() + half), abs=0.1 * half
    )
    assert (result.n, result.resamples, result.level) == (400, 20_000, 0.95)


def test_interval_is_that_of_resampling_one_by_one(monkeypatch):
    # The same draws, scored one after the other; blocks of three draws must not matter.
    stats = bleu_stats()
    monkeypatch.setattr(draws, "MOST_DRAWS", 3)
    result = bootstrap_interval(BLEU, stats, rng=rng(7), resamples=100)
    generator = rng(7)
    sizes = [3] * 33 + [1]
    drawn = [row for size in sizes for row in generator.integers(0, 40, size=(size, 40))]
    scores = sorted(float(BLEU.score(stats[rows].sum(axis=0))) for rows in drawn)
    # 2.5 of 100 are to be dropped at either end: two are.
    assert (result.low, result.high) == pytest.approx((scores[2], scores[97]))


def test_a_thousand_resamples_drop_25_at_either_end():
    assert significance.percentiles(np.arange(1000.0), 0.95) == (25, 974)
    assert significance.percentiles(np.arange(10.0), 0.95) == (0, 9)


def test_the_seed_decides():
    stats = bleu_stats()
    first, again, other = (
        bootstrap_interval(BLEU, stats, rng=rng(seed), resamples=200) for seed in (3, 3, 4)
    )
    assert first == again and first != other


def test_documents_are_drawn_whole():
    # Two documents: only both scores and their mean are possible.
    edits = np.array([1, 1, 1, 9, 9, 9.0])
    result = bootstrap_interval(
        TER, ter_stats(edits), rng=rng(), resamples=500, documents=["a"] * 3 + ["b"] * 3
    )
    assert (result.low, result.estimate, result.high, result.n) == (10, 50, 90, 2)


def test_one_segment_has_no_interval():
    result = bootstrap_interval(TER, ter_stats([3.0]), rng=rng())
    assert result.estimate == 30 and math.isnan(result.low) and math.isnan(result.high)
    assert result.reason == "fewer than 2 units to draw"
    test = paired_bootstrap(TER, ter_stats([3.0]), ter_stats([4.0]), rng=rng())
    assert test.difference == -10 and math.isnan(test.p_value)
    assert test.reason == "fewer than 2 units to draw"


def test_identical_systems_do_not_differ():
    stats = bleu_stats()
    test = approximate_randomization(BLEU, stats, stats, rng=rng(), resamples=200)
    assert (test.difference, test.p_value) == (0, 1)
    test = paired_bootstrap(BLEU, stats, stats, rng=rng(), resamples=200)
    assert (test.difference, test.p_value, test.low, test.high) == (0, 1, 0, 0)


def test_randomization_is_near_the_exact_permutation_test():
    # All 2^10 swaps of ten segments, counted.
    r = rng(11)
    ours, theirs = ter_stats(r.integers(0, 9, 10)), ter_stats(r.integers(1, 10, 10))
    observed = abs(TER.score(ours.sum(0)) - TER.score(theirs.sum(0)))
    as_large = 0
    for swapped in itertools.product([False, True], repeat=10):
        mask = np.array(swapped)[:, None]
        first, second = np.where(mask, theirs, ours), np.where(mask, ours, theirs)
        as_large += abs(TER.score(first.sum(0)) - TER.score(second.sum(0))) >= observed - 1e-9
    exact = as_large / 2**10
    assert 0.02 < exact < 0.9
    test = approximate_randomization(TER, ours, theirs, rng=rng(), resamples=20_000)
    assert test.p_value == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 20_000))


def test_smallest_p_value_is_one_in_resamples_plus_one():
    better, worse = bleu_stats(200, 0.8), bleu_stats(200, 0.3)
    test = approximate_randomization(BLEU, worse, better, rng=rng(), resamples=99)
    assert test.p_value == pytest.approx(1 / 100)
    test = paired_bootstrap(BLEU, better, worse, rng=rng(), resamples=99)
    assert test.p_value == pytest.approx(1 / 100) and 0 < test.low < test.difference < test.high
    assert paired_bootstrap(BLEU, worse, better, rng=rng(), resamples=99).p_value == 1


def test_lower_is_better_where_the_metric_says_so():
    good, bad = ter_stats(np.arange(20) % 4.0), ter_stats(np.arange(20) % 4 + 2.0)
    assert paired_bootstrap(TER, good, bad, rng=rng(), resamples=99).p_value == pytest.approx(0.01)
    assert paired_bootstrap(TER, bad, good, rng=rng(), resamples=99).p_value == 1


def test_documents_are_swapped_whole():
    # One document: swapped or not, the difference is as large as observed.
    ours, theirs = ter_stats([1.0, 2, 3]), ter_stats([4.0, 6, 8])
    test = approximate_randomization(
        TER, ours, theirs, rng=rng(), resamples=99, documents=["d"] * 3
    )
    assert (test.p_value, test.n) == (1, 1)


def test_randomization_holds_its_level():
    # Two equal systems: p ≤ .1 in about a tenth of 200 trials (binomial: 99.9 % within 7 to 34).
    r, hits = rng(2), 0
    for _ in range(200):
        ours, theirs = ter_stats(r.normal(5, 2, 30)), ter_stats(r.normal(5, 2, 30))
        test = approximate_randomization(TER, ours, theirs, rng=r, resamples=199)
        hits += test.p_value <= 0.1
    assert 7 <= hits <= 34


@pytest.mark.parametrize("test", [paired_bootstrap, approximate_randomization])
def test_statistics_that_do_not_pair_are_refused(test):
    with pytest.raises(ValueError, match="differ in shape"):
        test(TER, ter_stats([1.0, 2]), ter_stats([1.0]), rng=rng())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"documents": ["a"]}, "2 segments but 1 document"),
        ({"resamples": 0}, "resamples must be at least 1"),
        ({"level": 95}, "level must be between 0 and 1"),
    ],
)
def test_bad_arguments_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        bootstrap_interval(TER, ter_stats([1.0, 2]), rng=rng(), **options)


def test_statistics_of_the_wrong_shape_are_refused():
    with pytest.raises(ValueError, match="n_segments, k"):
        bootstrap_interval(TER, [1.0, 2.0], rng=rng())
    with pytest.raises(ValueError, match="n_segments, k"):
        bootstrap_interval(TER, np.zeros((0, 2)), rng=rng())
