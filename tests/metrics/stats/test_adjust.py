import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control
from statsmodels.stats.multitest import multipletests

from metrics.stats.adjust import benjamini_hochberg, holm, resolution_note


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_benjamini_hochberg_is_that_of_scipy(p_values):
    expected = false_discovery_control(p_values, method="bh")
    np.testing.assert_allclose(benjamini_hochberg(p_values), expected, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("m", [1, 2, 45])
def test_adjusted_p_values_are_those_of_statsmodels(m):
    p_values = np.random.default_rng(m).beta(0.3, 2, size=m).round(3)  # with ties
    for adjust, method in ((holm, "holm"), (benjamini_hochberg, "fdr_bh")):
        expected = multipletests(p_values, method=method)[1]
        np.testing.assert_allclose(adjust(p_values), expected, rtol=1e-12)


def test_benjamini_hochberg_leaves_out_what_was_not_tested():
    # The worked case of four p-values, with a gap: p · m / rank, from the largest down.
    found = benjamini_hochberg([0.01, np.nan, 0.04, 0.03, 0.5])
    np.testing.assert_allclose(found, [0.04, np.nan, 0.16 / 3, 0.16 / 3, 0.5])
    assert benjamini_hochberg([]).shape == (0,)
    assert np.isnan(benjamini_hochberg([np.nan])).all()
    assert benjamini_hochberg([[0.01, 0.02]]).shape == (1, 2)


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
