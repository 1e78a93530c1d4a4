"""The common interface of comparison models; each model's figures are tested with the model."""

import numpy as np
import pytest

from judgments.stats.comparison_models import MODELS, scores_of_comparisons
from judgments.stats.davidson import davidson
from judgments.stats.ranking import bradley_terry, count_wins


def _judgments(n=400, seed=1):
    rng = np.random.default_rng(seed)
    first, second = rng.integers(0, 4, n), rng.integers(1, 4, n)
    second = (first + second) % 4
    label = np.sign(first - second) * np.where(rng.random(n) < 0.75, 1, -1)
    label[rng.random(n) < 0.15] = 0
    return first, second, label, rng.integers(0, 50, n)


def _scores(model, data, seed=3, **options):
    *rows, units = data
    rng = np.random.default_rng(seed)
    return scores_of_comparisons(*rows, model=model, units=units, rng=rng, **options)


@pytest.mark.parametrize("model", MODELS)
def test_every_model_finds_the_order(model):
    found = _scores(model, _judgments(), resamples=200)
    assert np.argsort(found.estimate).tolist() == [0, 1, 2, 3]
    assert (found.low <= found.estimate).all()
    assert (found.estimate <= found.high).all()
    assert found.resampled.shape == (200, 4)
    again = _scores(model, _judgments(), resamples=200)
    np.testing.assert_array_equal(found.resampled, again.resampled)


@pytest.mark.parametrize("model", ["bradley-terry", "davidson"])
def test_resampled_strengths_against_a_plain_bootstrap(model):
    first, second, label, units = data = _judgments()
    found = _scores(model, data, resamples=400)
    rng, plain = np.random.default_rng(8), []
    rows = [np.flatnonzero(units == u) for u in range(50)]
    for _ in range(150):
        drawn = np.concatenate([rows[u] for u in rng.integers(0, 50, 50)])
        counted = count_wins(first[drawn], second[drawn], label[drawn], systems=np.arange(4))
        fit = (
            davidson(counted.wins, counted.ties)
            if model == "davidson"
            else bradley_terry(counted.wins, ties=counted.ties)
        )
        plain.append(fit.log_strength)
    spread, expected = found.resampled.std(axis=0), np.std(plain, axis=0)
    assert spread == pytest.approx(expected, rel=0.25)
    assert found.resampled.mean(axis=0) == pytest.approx(np.mean(plain, axis=0), abs=0.06)
    assert found.n_units == 50


def test_resamples_without_a_solution_are_counted():
    """One win against the order keeps it finite; a resample without it has none."""
    first, second = np.array([1] * 9 + [0]), np.array([0] * 9 + [1])
    data = first, second, np.ones(10, int), np.arange(10)
    found = _scores("bradley-terry", data)
    assert np.isfinite(found.estimate).all()
    assert 250 < found.n_undefined < 450  # (9/10)^10 = .35 of 1,000
    assert np.isfinite(found.low).all()


@pytest.mark.parametrize("model", MODELS)
def test_comparisons_that_fall_apart_are_not_ranked(model):
    data = [0, 2], [1, 3], [1, 1], [0, 1]
    found = _scores(model, data, names=np.array(["A", "B", "C", "D"]))
    assert np.isnan(found.estimate).all()
    assert "2 groups that were never compared" in found.reason
    empty = _scores(model, ([], [], [], []))
    assert empty.estimate.shape == (0,)
    assert empty.reason


def test_unknown_model():
    with pytest.raises(ValueError, match="model is one of"):
        _scores("elo", _judgments())
