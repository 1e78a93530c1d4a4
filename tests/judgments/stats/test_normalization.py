import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from judgments.stats.normalization import aggregate, standardize
from judgments.stats.significance import mean_interval

N = np.nan


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 100)), min_size=1, max_size=40))
@settings(max_examples=80, deadline=None)
def test_z_against_scipy(rows):
    annotators = np.array([a for a, _ in rows])
    values = np.array([v for _, v in rows], float)
    result = standardize(values, annotators)
    for i, annotator in enumerate(result.annotators):
        own = values[annotators == annotator]
        assert result.n[i] == len(own)
        assert result.mean[i] == pytest.approx(own.mean())
        got = result.values[annotators == annotator]
        if len(own) < 2 or len(set(own)) == 1:
            assert np.isnan(got).all()
            assert "standard deviation" in result.excluded[annotator]
        else:
            np.testing.assert_allclose(got, stats.zscore(own, ddof=1), atol=1e-9)
            assert annotator not in result.excluded


def test_mask_says_what_mean_and_sd_come_from():
    """A degraded copy is normalized, but does not shift the annotator's mean."""
    result = standardize([10, 20, 30, 0], ["a"] * 4, mask=[True, True, True, False])
    assert (result.mean[0], result.sd[0], result.n[0]) == (20, 10, 3)
    assert result.values.tolist() == [-1, 0, 1, -2]
    everything = standardize([10, 20, 30, 0], ["a"] * 4)
    assert everything.mean[0] == 15


def test_methods():
    values, annotators = [1, 3, N, 5, 0.1, 0.1, 0.1], ["a", "a", "a", "b", "c", "c", "c"]
    z, raw, center = (standardize(values, annotators, method=m) for m in ("z", "raw", "center"))
    half = math.sqrt(0.5)
    np.testing.assert_allclose(z.values, [-half, half, N, N, N, N, N], atol=1e-12)
    np.testing.assert_array_equal(raw.values, values)
    np.testing.assert_allclose(center.values, [-1, 1, N, 0, 0, 0, 0], atol=1e-15)
    assert list(z.excluded) == ["b", "c"]
    assert "only one" in z.excluded["b"]
    assert "the same" in z.excluded["c"]
    assert z.sd[2] == 0  # exactly, although the mean of three 0.1 is not 0.1
    assert raw.excluded == center.excluded == {}


def test_an_annotator_whose_rows_are_all_masked():
    result = standardize([1, 2, 9], ["a", "a", "b"], mask=[True, True, False], method="center")
    assert math.isnan(result.values[2])
    assert result.excluded == {"b": "no scores to normalize by"}


def test_standardize_without_data_and_bad_input():
    assert len(standardize([], []).values) == 0
    with pytest.raises(ValueError, match="method is one of"):
        standardize([1], ["a"], method="minmax")
    with pytest.raises(ValueError, match="equally long"):
        standardize([1, 2], ["a"])
    with pytest.raises(ValueError, match="mask"):
        standardize([1, 2], ["a", "a"], mask=[True])


def test_repeated_ratings_are_averaged_before_segments():
    """Segment 1 of A was rated three times but counts once: (2 + 8)/2, not (1 + 2 + 3 + 8)/4."""
    scores = aggregate(["A", "A", "A", "A", "B"], [1, 1, 1, 2, 2], [1, 2, 3, 8, 4])
    assert scores.mean.tolist() == [5, 4]
    assert scores.n_segments.tolist() == [2, 1]
    assert scores.n_ratings.tolist() == [4, 1]
    np.testing.assert_array_equal(scores.table(), [[2, 8], [N, 4]])
    assert scores.segment_n.tolist() == [3, 1, 1]
    assert np.isnan([scores.low[1], scores.high[1]]).all()
    assert scores.reasons == ("", "an interval needs at least two segments")


def test_interval_of_a_system_is_the_t_interval_of_its_segments():
    rng = np.random.default_rng(1)
    system, segment = rng.integers(0, 3, 300), rng.integers(0, 40, 300)
    scores = aggregate(system, segment, rng.normal(size=300), level=0.9)
    for i, means in enumerate(scores.table()):
        expected = mean_interval(means, level=0.9)
        assert scores.mean[i] == pytest.approx(expected.estimate)
        assert scores.low[i] == pytest.approx(expected.low)
        assert scores.high[i] == pytest.approx(expected.high)
        assert scores.n_segments[i] == expected.n


def test_missing_values_in_aggregate():
    scores = aggregate(["A", "A", "B"], [1, 2, 1], [5, N, N])
    assert scores.mean[0] == 5
    assert math.isnan(scores.mean[1])
    assert scores.n_ratings.tolist() == [1, 0]
    assert scores.reasons[1] == "there are no scores"
    assert len(aggregate([], [], []).mean) == 0
    with pytest.raises(ValueError, match="equally long"):
        aggregate(["A"], [1, 2], [1, 2])
