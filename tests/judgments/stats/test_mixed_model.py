"""The mixed model against statsmodels' MixedLM, and against plain regression where it reduces."""

import math
import warnings

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy import stats
from statsmodels.regression.mixed_linear_model import MixedLM

from judgments.stats.mixed_model import contrasts, mixed_model
from judgments.stats.normalization import aggregate


def _data(seed=1, *, annotators=6, items=15, n=120, annotator_sd=8.0, item_sd=5.0, systems=3):
    """Return ratings of random systems on random items by random annotators, unbalanced."""
    rng = np.random.default_rng(seed)
    s, a, i = (rng.integers(0, k, n) for k in (systems, annotators, items))
    s[:systems], a[:annotators], i[:items] = range(systems), range(annotators), range(items)
    y = 60 + 6.0 * s + annotator_sd * rng.normal(size=annotators)[a]
    y += item_sd * rng.normal(size=items)[i] + 7 * rng.normal(size=n)
    return s, a, i, y


def _statsmodels(s, a, i, y):
    """Return crossed effects as variance components of a single group."""
    data = pd.DataFrame({"y": y, "s": s, "a": a, "i": i, "one": 1})
    parts = {"a": "0 + C(a)", "i": "0 + C(i)"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = MixedLM.from_formula("y ~ 0 + C(s)", data, groups="one", vc_formula=parts)
        return model.fit(reml=True, method=["lbfgs"], gtol=1e-8, maxiter=500)


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("shape", [{}, {"annotators": 12, "items": 5}])
def test_against_statsmodels(seed, shape):
    data = _data(seed, **shape)
    found, expected = mixed_model(*data), _statsmodels(*data)
    np.testing.assert_allclose(found.mean, expected.fe_params, rtol=2e-4)
    np.testing.assert_allclose(np.sqrt(np.diag(found.covariance)), expected.bse_fe, rtol=2e-3)
    assert found.residual_sd**2 == pytest.approx(expected.scale, rel=2e-3)
    components = dict(zip(expected.model.exog_vc.names, expected.vcomp, strict=True))
    assert found.annotator_sd**2 == pytest.approx(components["a"], rel=1e-2)
    assert found.item_sd**2 == pytest.approx(components["i"], rel=1e-2)
    assert found.criterion == pytest.approx(-2 * expected.llf, abs=1e-3)
    assert found.criterion <= -2 * expected.llf + 1e-6  # ours is the smaller of the two
    for k, effect in enumerate(found.annotator_effects):
        expected_effect = expected.random_effects[1][f"a[C(a)[{k}]]"]
        assert effect == pytest.approx(expected_effect, abs=0.02)


def _waves(seed=8, shift=-6.0):
    """Return data in which system 2 comes with the second wave, which rates everything lower."""
    s, a, i, y = _data(seed, annotators=8, n=240)
    wave = np.where(a < 4, 1, 2)
    kept = (s != 2) | (wave == 2)
    s, a, i, y, wave = (column[kept] for column in (s, a, i, y, wave))
    return s, a, i, y + np.where(wave == 2, shift, 0), wave


def test_waves_against_statsmodels():
    """The wave as a further fixed effect of MixedLM."""
    s, a, i, y, wave = _waves()
    data = pd.DataFrame({"y": y, "s": s, "a": a, "i": i, "w": (wave == 2) * 1.0, "one": 1})
    parts = {"a": "0 + C(a)", "i": "0 + C(i)"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = MixedLM.from_formula("y ~ 0 + C(s) + w", data, groups="one", vc_formula=parts)
        expected = model.fit(reml=True, method=["lbfgs"], gtol=1e-8, maxiter=500)
    found = mixed_model(s, a, i, y, wave)
    np.testing.assert_allclose(found.mean, expected.fe_params.iloc[:3], rtol=1e-3)
    np.testing.assert_allclose(found.wave_effects, [0, expected.fe_params["w"]], atol=0.02)
    errors = np.sqrt(np.diag(found.covariance))
    np.testing.assert_allclose(errors, expected.bse_fe.iloc[:3], rtol=3e-3)
    assert found.criterion == pytest.approx(-2 * expected.llf, abs=1e-3)
    test = expected.t_test(np.array([[1, 0, -1, 0]]))
    against = contrasts(found)
    assert against.difference[0, 2] == pytest.approx(float(test.effect[0]), abs=0.02)
    assert against.standard_error[0, 2] == pytest.approx(float(test.sd.item()), rel=3e-3)


def test_waves_that_nothing_links_are_part_of_systems():
    s, a, i, y, wave = _waves()
    kept = (wave == 1) | (s == 2)
    found = mixed_model(*(column[kept] for column in (s, a, i, y, wave)))
    plain = mixed_model(*(column[kept] for column in (s, a, i, y)))
    np.testing.assert_allclose(found.mean, plain.mean)
    assert "no systems link the waves" in found.notes[0]
    assert found.wave_effects.tolist() == [0]


def test_waves_take_ratings_too():
    """Two systems, two waves, three ratings: as many as fixed effects."""
    found = mixed_model([0, 1, 0], [0, 0, 1], [0, 0, 0], [1.0, 2.0, 3.0], [1, 1, 2])
    assert "too few ratings" in found.reason


def test_contrasts_are_wald_tests():
    data = _data(4)
    model = mixed_model(*data)
    found = contrasts(model)
    fit = _statsmodels(*data)
    test = fit.t_test(np.array([[1, -1, 0]]))
    assert found.difference[0, 1] == pytest.approx(float(test.effect[0]), rel=1e-3)
    assert found.standard_error[0, 1] == pytest.approx(float(test.sd.item()), rel=1e-3)
    z = found.difference / found.standard_error
    off = ~np.eye(3, dtype=bool)
    np.testing.assert_allclose(found.p_values[off], stats.norm.sf(z[off]))
    assert 2 * found.p_values[1, 0] == pytest.approx(float(test.pvalue), rel=0.05)
    assert np.isnan(np.diag(found.p_values)).all()
    half = stats.norm.ppf(0.975) * found.standard_error[0, 1]
    assert found.low[0, 1] == pytest.approx(found.difference[0, 1] - half)
    assert found.high[0, 1] == pytest.approx(-found.low[1, 0])


def test_severe_annotators_do_not_harm_the_systems_they_happened_to_judge():
    """A strict annotator judged mostly system 1: means are off by some points, the model is not."""
    rng = np.random.default_rng(3)
    n = 600
    s = rng.integers(0, 2, n)
    a = np.where(rng.random(n) < np.where(s == 1, 0.9, 0.1), 0, rng.integers(1, 6, n))
    i = rng.integers(0, 50, n)
    y = 70 + np.array([-30.0, 5, 3, 0, 4, 6])[a] + 3 * rng.normal(size=50)[i]
    y += 4 * rng.normal(size=n)
    means = aggregate(s, i, y).mean
    found = mixed_model(s, a, i, y)
    assert means[0] - means[1] > 15
    assert abs(found.mean[0] - found.mean[1]) < 1.5
    assert found.low[1] < found.mean[1] < found.high[1]
    assert found.annotator_effects[0] < -20


def test_without_random_effects_it_is_regression():
    """One annotator, each item rated once: only means of systems, by least squares."""
    s, _, _, y = _data(5, n=40)
    found = mixed_model(s, np.zeros(40), np.arange(40), y)
    fit = sm.OLS(y, (s[:, None] == np.arange(3)).astype(float)).fit()
    np.testing.assert_allclose(found.mean, fit.params)
    np.testing.assert_allclose(found.covariance, fit.cov_params(), atol=1e-12)
    assert math.isnan(found.annotator_sd)
    assert math.isnan(found.item_sd)
    assert "one annotator only" in found.notes[0]
    assert "each item has one rating" in found.notes[1]


def test_an_effect_that_is_not_there_is_zero():
    s, a, i, y = _data(6, annotator_sd=0, n=300)
    y -= np.bincount(a, weights=y)[a] / np.bincount(a)[a]  # annotators agree more than by chance
    found = mixed_model(s, a, i, y)
    assert found.annotator_sd == 0
    assert (found.annotator_effects == 0).all()
    assert found.item_sd > 1


def test_the_order_of_rows_and_missing_values_do_not_matter():
    s, a, i, y = _data(7)
    order = np.random.default_rng(1).permutation(len(y))
    s, a, i, y = (np.append(column, last) for column, last in ((s, 0), (a, 3), (i, 2), (y, np.nan)))
    one = mixed_model(s, a, i, y)
    two = mixed_model(*(np.array(column)[order] for column in (s, a, i, y)))
    np.testing.assert_allclose(one.mean, two.mean, rtol=1e-6)
    assert one.n_ratings.sum() == 120


def test_values_far_from_zero_keep_their_digits():
    s, a, i, y = _data(8)
    near, far = mixed_model(s, a, i, y), mixed_model(s, a, i, y + 1e7)
    np.testing.assert_allclose(far.mean - 1e7, near.mean, atol=1e-4)
    assert far.item_sd == pytest.approx(near.item_sd, rel=1e-4)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([], "there are no ratings"),
        ([(0, 0, 0, np.nan)], "there are no ratings"),
        ([(0, 0, 0, 1), (1, 0, 0, 2)], "no more ratings than systems"),
        ([(0, 0, 0, 3), (1, 0, 0, 3), (1, 1, 0, 3)], "all ratings are the same"),
    ],
)
def test_nothing_to_fit(rows, reason):
    found = mixed_model(*np.array(rows, float).reshape(-1, 4).T)
    assert reason in found.reason
    assert np.isnan(found.mean).all()
    assert np.isnan(contrasts(found).p_values).all()


def test_ratings_without_error():
    """Systems explain everything: no exception, no wrong figure."""
    s, a, i = np.repeat([0, 1], 6), np.tile([0, 1, 2], 4), np.tile([0, 0, 1, 1, 2, 2], 2)
    found = mixed_model(s, a, i, 10.0 * s)
    assert found.reason or found.mean == pytest.approx([0, 10])
    with pytest.raises(ValueError, match="equally long"):
        mixed_model([1], [1], [1], [1, 2])
