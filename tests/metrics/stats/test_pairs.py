"""All pairs at once equal the single tests, pair by pair, whatever is missing."""

import itertools
import warnings

import numpy as np
import pytest

from judgments.stats.significance import holm
from metrics.scorers import get_scorer
from metrics.scorers.base import MeanScorer
from metrics.stats import resamples as resampled
from metrics.stats.pairs import compare_all, resolution_note
from metrics.stats.significance import (
    approximate_randomization,
    bootstrap_interval,
    paired_bootstrap,
)

TER, BLEU, CHRF = (get_scorer(slug) for slug in ("ter", "bleu", "chrf"))
N = 50


class Mean(MeanScorer):
    name = "mean"
    higher_is_better = True


def rng(seed=5):
    return np.random.default_rng(seed)


def ter_stats(k=4, n=N, seed=0):
    edits = rng(seed).binomial(10, np.linspace(0.3, 0.5, k)[:, None], size=(k, n))
    return np.stack([edits, np.full((k, n), 10)], axis=2).astype(float)


def texts_stats(scorer, k=3, n=N):
    words = ["ba", "do", "ke", "li", "mu", "na", "po", "ri", "su", "ta", "ve", "wi"]
    r = rng(9)
    reference = [" ".join(r.choice(words, size=r.integers(1, 15))) for _ in range(n)]

    def output(error):
        return [
            " ".join(r.choice(words) if r.random() < error else word for word in text.split())
            for text in reference
        ]

    return np.stack([scorer.statistics(output(0.2 + i / 20), [reference]) for i in range(k)])


def mean_stats(k=3, n=N):
    values = rng(3).normal(size=(k, n)) + 0.05 * np.arange(k)[:, None]
    return np.stack([values, np.ones((k, n))], axis=2)


CASES = {
    "TER": (TER, ter_stats()),
    "BLEU": (BLEU, texts_stats(BLEU)),
    "chrF": (CHRF, texts_stats(CHRF)),
    "mean": (Mean(), mean_stats()),
}


@pytest.mark.parametrize("documents", [None, np.arange(N) // 4], ids=["segments", "documents"])
@pytest.mark.parametrize(("scorer", "stats"), CASES.values(), ids=CASES)
def test_every_pair_is_tested_as_it_is_alone(scorer, stats, documents):
    options = {"documents": documents}
    found = compare_all(scorer, stats, rng=rng(), resamples=300, trials=400, **options)
    for system, own in enumerate(stats):
        alone = bootstrap_interval(scorer, own, rng=rng(), resamples=300, **options)
        bounds = (found.low[system], found.high[system])
        assert bounds == pytest.approx((alone.low, alone.high), rel=1e-9)
        assert found.estimates[system] == pytest.approx(alone.estimate)
        assert found.n_units[system] == alone.n
    for place, (a, b) in enumerate(itertools.combinations(range(len(stats)), 2)):
        assert tuple(found.pairs[place]) == (a, b)
        swapped = approximate_randomization(
            scorer, stats[a], stats[b], rng=rng(), resamples=400, **options
        )
        assert found.randomization.raw[place] == swapped.p_value
        is_first = (found.differences[place] > 0) == scorer.higher_is_better
        first, second = (a, b) if is_first else (b, a)
        drawn = paired_bootstrap(
            scorer, stats[first], stats[second], rng=rng(), resamples=300, **options
        )
        assert found.bootstrap.raw[place] == drawn.p_value
        bounds = (found.difference_low[place], found.difference_high[place])
        turned = bounds if is_first else (-bounds[1], -bounds[0])
        assert turned == pytest.approx((drawn.low, drawn.high), abs=1e-12)
    assert (found.randomization.holm == holm(found.randomization.raw)).all()
    assert 0 < found.randomization.raw.min() < found.randomization.raw.max()


def test_randomization_is_that_of_swapping_one_by_one():
    # The masks drawn like NumPy's bools, the outputs swapped, the scores compared.
    stats = texts_stats(CHRF)
    found = compare_all(CHRF, stats, rng=rng(), resamples=2, trials=200)
    masks = rng().integers(2, size=(200, N), dtype=bool)
    for place, (a, b) in enumerate(found.pairs):
        scores = [CHRF.score(stats[system].sum(axis=0)) for system in (a, b)]
        count = 0
        for mask in masks:
            first = np.where(mask[:, None], stats[a], stats[b]).sum(axis=0)
            second = np.where(mask[:, None], stats[b], stats[a]).sum(axis=0)
            drawn = abs(CHRF.score(first) - CHRF.score(second))
            count += drawn >= abs(scores[0] - scores[1]) - 1e-9
        assert found.randomization.raw[place] == (count + 1) / 201


def test_a_pair_does_not_change_with_the_systems_beside_it():
    stats = ter_stats(5)
    all_five = compare_all(TER, stats, rng=rng(), resamples=100, trials=100)
    two = compare_all(TER, stats[[1, 3]], rng=rng(), resamples=100, trials=100)
    place = all_five.pairs.tolist().index([1, 3])
    assert two.randomization.raw[0] == all_five.randomization.raw[place]
    assert two.difference_low[0] == all_five.difference_low[place]


def test_blocks_of_pairs_do_not_matter(monkeypatch):
    stats = ter_stats(5)
    whole = compare_all(TER, stats, rng=rng(), resamples=50, trials=300)
    monkeypatch.setattr(resampled, "_ROWS", 600)
    parts = compare_all(TER, stats, rng=rng(), resamples=50, trials=300)
    np.testing.assert_array_equal(parts.randomization.raw, whole.randomization.raw)


def test_identical_systems_get_p_1():
    for scorer, stats in CASES.values():
        twice = np.stack([stats[0], stats[0], stats[1]])
        found = compare_all(scorer, twice, rng=rng(), resamples=100, trials=100)
        assert found.differences[0] == 0
        assert (found.randomization.raw[0], found.bootstrap.raw[0]) == (1, 1)
        assert (found.difference_low[0], found.difference_high[0]) == (0, 0)


def test_missing_segments_are_left_out_of_their_pairs_only():
    stats = ter_stats(4)
    stats[2, :9] = np.nan
    stats[3, 5:20] = np.nan
    documents = np.arange(N) // 3
    found = compare_all(TER, stats, rng=rng(), resamples=80, trials=90, documents=documents)
    for place, (a, b) in enumerate(found.pairs):
        common = ~np.isnan(stats[[a, b]]).any(axis=(0, 2))
        alone = compare_all(
            TER,
            stats[[a, b]][:, common],
            rng=rng(),
            resamples=80,
            trials=90,
            documents=documents[common],
        )
        assert found.n[place] == alone.n[0] == len(set(documents[common]))
        assert found.differences[place] == alone.differences[0]
        assert found.randomization.raw[place] == alone.randomization.raw[0]
        assert found.bootstrap.raw[place] == alone.bootstrap.raw[0]
    assert found.estimates[2] == TER.score(stats[2, 9:].sum(axis=0))
    assert set(found.reasons) == {""}


def test_what_cannot_be_tested_has_a_reason_and_no_warning():
    stats = ter_stats(4, n=6)
    stats[1, :3], stats[2, 3:], stats[3, 1:] = np.nan, np.nan, np.nan
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = compare_all(TER, stats, rng=rng(), resamples=20, trials=20)
    reasons = dict(zip(map(tuple, found.pairs.tolist()), found.reasons, strict=True))
    assert reasons[0, 1] == reasons[0, 2] == ""
    assert reasons[1, 2] == reasons[1, 3] == "no common segment"
    assert reasons[0, 3] == reasons[2, 3] == "fewer than 2 units to draw"
    undefined = [bool(reason) for reason in found.reasons]
    assert np.isnan(found.randomization.raw).tolist() == undefined
    assert np.isnan(found.bootstrap.holm).tolist() == undefined
    assert np.isnan(found.low[3]) and found.estimates[3] == TER.score(stats[3, 0])


def test_undefined_scores_have_a_reason():
    stats = mean_stats(2)
    stats[1] = 0  # nothing was counted: the mean is 0/0
    found = compare_all(Mean(), stats, rng=rng(), resamples=20, trials=20)
    assert np.isnan(found.randomization.raw[0]) and found.reasons == ("a score is undefined",)
    assert np.isnan(found.low[1]) and not np.isnan(found.low[0])


def test_too_few_trials_are_noted():
    stats = ter_stats(12)
    few = compare_all(TER, stats, rng=rng(), resamples=1400, trials=1000)
    assert len(few.notes) == 1 and "approximate randomization for 66 pairs" in few.notes[0]


def test_randomization_of_all_pairs_holds_its_level():
    # Four equal systems: a raw p ≤ .1 in about a tenth of 6 × 60 pairs; Holm's smallest ≤ .1 in at
    # most about a tenth of 60 (binomial, 99.9 %: at most 14).
    r, raw, any_holm = rng(2), 0, 0
    for _ in range(60):
        stats = np.stack([r.normal(size=(4, 30)), np.ones((4, 30))], axis=2)
        found = compare_all(Mean(), stats, rng=r, resamples=2, trials=199)
        r.random()
        raw += int((found.randomization.raw <= 0.1).sum())
        any_holm += bool((found.randomization.holm <= 0.1).any())
    assert 10 <= raw <= 70 and any_holm <= 14


def test_one_system_has_no_pairs():
    found = compare_all(TER, ter_stats(1), rng=rng(), resamples=20)
    assert found.pairs.shape == (0, 2) and found.low[0] < found.estimates[0] < found.high[0]


@pytest.mark.parametrize("stats", [[1.0], np.zeros((2, 3)), np.zeros((0, 3, 2))])
def test_statistics_of_the_wrong_shape_are_refused(stats):
    with pytest.raises(ValueError, match="n_segments"):
        compare_all(TER, stats, rng=rng())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"documents": ["a"]}, "50 segments but 1 document"),
        ({"resamples": 0}, "resamples must be at least 1"),
        ({"level": 95}, "level must be between 0 and 1"),
    ],
)
def test_bad_arguments_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        compare_all(TER, ter_stats(2), rng=rng(), **options)


def test_too_few_resamples_for_holm():
    # 120 pairs with 2,000 trials: 1/2001 is above .05/120, so that nothing can be rejected.
    assert resolution_note("test", 120, 2000).endswith("It needs 2,399.")
    assert holm(np.full(120, 1 / 2001)).min() > 0.05
    assert resolution_note("test", 120, 2399) == ""
    assert holm(np.full(120, 1 / 2400)).min() <= 0.05
    assert resolution_note("test", 0, 1) == ""


@pytest.mark.parametrize("alpha", [0.01, 0.1])
def test_the_number_needed_is_the_smallest(alpha):
    note = resolution_note("test", 45, 10, alpha)
    needed = int(note.rsplit(" ", 1)[1].rstrip(".").replace(",", ""))
    assert not resolution_note("test", 45, needed, alpha)
    assert resolution_note("test", 45, needed - 1, alpha)
