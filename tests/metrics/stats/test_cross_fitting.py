"""Cross-fitted ridge regression, with scikit-learn as the oracle, and noise that explains nothing.

Oracles: sklearn's Ridge on StandardScaler, its alpha n times our penalty, folds of whole documents
as in GroupKFold; LinearRegression for one metric alone.
"""

import numpy as np
import pytest
from scipy import stats
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import LeaveOneGroupOut, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from metrics.stats.cross_fitting import (
    PENALTIES,
    alone,
    cross_fitted,
    explained,
    folds_of,
)

N_DOCUMENTS = 14


@pytest.fixture
def rows():
    """Scores of outputs that two of five features explain in part; one feature is constant."""
    rng = np.random.default_rng(3)
    documents = np.repeat(np.arange(N_DOCUMENTS), rng.integers(3, 12, N_DOCUMENTS))
    features = rng.normal(size=(len(documents), 5)) * [1, 50, 0.01, 3, 0] + [0, 40, 0.7, -2, 5]
    scores = features @ [2.0, -0.1, 0, 0, 0] + rng.normal(size=len(documents)) * 2 - 30
    return features, scores, documents


def fitted_by_sklearn(features, scores, penalty):
    return make_pipeline(StandardScaler(), Ridge(alpha=penalty * len(scores))).fit(features, scores)


def test_predictions_and_penalties_are_those_of_sklearn(rows):
    features, scores, documents = rows
    folds = folds_of(documents, np.random.default_rng(1))
    found = cross_fitted(features, scores, folds)
    for k in range(10):
        rest = folds != k
        errors = []
        for penalty in PENALTIES:
            total = 0.0
            for j in set(range(10)) - {k}:
                fit, test = rest & (folds != j), folds == j
                model = fitted_by_sklearn(features[fit], scores[fit], penalty)
                total += np.sum((scores[test] - model.predict(features[test])) ** 2)
            errors.append(total)
        assert found.penalties[k] == PENALTIES[np.argmin(errors)]
        model = fitted_by_sklearn(features[rest], scores[rest], found.penalties[k])
        assert found.predicted[~rest] == pytest.approx(model.predict(features[~rest]), abs=1e-9)
        assert found.weights[k] == pytest.approx(model[-1].coef_, abs=1e-9)
        assert found.means[~rest] == pytest.approx(scores[rest].mean())


def test_one_metric_alone_is_a_line(rows):
    features, scores, documents = rows
    folds = folds_of(documents, np.random.default_rng(1))
    found = alone(features, scores, folds)
    for i in range(4):
        expected = cross_val_predict(
            LinearRegression(), features[:, [i]], scores, groups=folds, cv=LeaveOneGroupOut()
        )
        assert found[:, i] == pytest.approx(expected, abs=1e-9)
    # A constant explains nothing: the mean of the other folds remains.
    assert found[:, 4] == pytest.approx(cross_fitted(features, scores, folds).means)


def test_folds_hold_whole_documents_and_depend_on_the_seed_alone(rows):
    documents = rows[2]
    folds = folds_of(documents, np.random.default_rng(1))
    assert {len(set(folds[documents == name])) for name in documents} == {1}
    sizes = [len(set(documents[folds == k])) for k in range(10)]
    assert sorted(sizes) == [1] * 6 + [2] * 4
    assert (folds == folds_of(documents, np.random.default_rng(1))).all()
    assert (folds != folds_of(documents, np.random.default_rng(2))).any()
    assert set(folds_of(documents[documents < 6], np.random.default_rng(1))) == set(range(6))


def test_scales_and_units_of_features_do_not_matter(rows):
    features, scores, documents = rows
    folds = folds_of(documents, np.random.default_rng(1))
    found = cross_fitted(features, scores, folds)
    other = cross_fitted(features * 1e7 + 1e9, scores, folds)
    assert other.predicted == pytest.approx(found.predicted, abs=1e-4)


def test_noise_explains_nothing():
    """20 features of noise, and scores with effects of documents that a leak would find: over 30
    sets the mean R² is not above 0. Fitted and tested on the same outputs it would be above .05 in
    every set."""
    found, leaking = [], []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        documents = np.repeat(np.arange(20), 15)
        rows = rng.normal(size=(20, 21))[documents] + rng.normal(size=(300, 21))
        features, scores = rows[:, :20], rows[:, 20]
        fitted = cross_fitted(features, scores, folds_of(documents, rng, 5))
        found.append(explained(scores, fitted.means, documents, fitted.predicted).estimate)
        seen = fitted_by_sklearn(features, scores, 1e-4).predict(features)
        leaking.append(explained(scores, fitted.means, documents, seen).estimate)
    assert np.mean(found) < 0
    assert min(found) > -0.5 and max(found) < 0.2
    assert min(leaking) > 0.05


def test_what_is_there_is_found():
    rng = np.random.default_rng(5)
    documents = np.repeat(np.arange(40), 25)
    features = rng.normal(size=(1000, 10))
    scores = features.sum(axis=1) + rng.normal(size=1000) * np.sqrt(10)
    fitted = cross_fitted(features, scores, folds_of(documents, rng))
    share = explained(scores, fitted.means, documents, fitted.predicted)
    assert share.low < 0.5 < share.high  # half of the variance
    assert share.estimate == pytest.approx(0.5, abs=0.06)


def test_interval_by_hand():
    """Three documents of one output each: gained (3, 3, −1) of (4, 4, 1)."""
    scores, means = np.array([2.0, 2.0, 1.0]), np.zeros(3)
    predicted = np.array([1.0, 1.0, 1 + np.sqrt(2)])
    found = explained(scores, means, np.arange(3), predicted)
    assert found.estimate == pytest.approx(5 / 9)
    each = np.array([2 / 5, 2 / 5, 6 / 8])
    error = np.sqrt(2 / 3 * np.sum((each - each.mean()) ** 2))
    half = stats.t.ppf(0.975, 2) * error
    assert (found.low, found.high) == pytest.approx((5 / 9 - half, 5 / 9 + half))
    against = np.array([2.0, 0.0, 1.0])  # gains (4, 0, 1)
    paired = explained(scores, means, np.arange(3), predicted, against)
    assert paired.estimate == pytest.approx(5 / 9 - 5 / 9)


def test_scores_that_do_not_vary_have_no_share():
    found = explained(np.ones(4), np.ones(4), np.arange(4), np.zeros(4))
    assert np.isnan([found.estimate, found.low, found.high]).all()


def test_a_feature_that_varies_in_one_document_only_is_not_used_there():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        documents = np.repeat(np.arange(6), rng.integers(6, 20, 6))
        good = rng.normal(20, 3, len(documents))
        scores = (2 * good + rng.normal(50, 4, len(documents))).round()
        single = np.where(documents == 2, rng.random(len(documents)) * 100, 0.37)
        folds = folds_of(documents, rng)
        found = cross_fitted(np.column_stack([good, single]), scores, folds)
        fold = folds[documents == 2][0]
        assert found.weights[fold, 1] == 0
        assert explained(scores, found.means, documents, found.predicted).estimate > 0.4
