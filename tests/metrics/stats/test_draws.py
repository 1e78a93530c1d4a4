"""Draws are NumPy's own, for any block size; sums are exact."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from metrics.stats import draws
from metrics.stats.draws import Sums, bootstrap_weights, exact, swap_masks


def rng(seed=12345):
    return np.random.default_rng(seed)


@pytest.mark.parametrize(("n", "cells"), [(3, 10**6), (7, 10), (2000, 10**6), (2000, 70_000)])
def test_weights_count_the_indices_that_sacrebleu_draws(n, cells, monkeypatch):
    monkeypatch.setattr(draws, "BLOCK_CELLS", cells)
    # As drawn by sacreBLEU 2.6, significance.py.
    indices = rng().choice(n, size=(300, n), replace=True)
    expected = np.array([np.bincount(row, minlength=n) for row in indices])
    found = np.concatenate(list(bootstrap_weights(rng(), n, 300)))
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(("n", "cells"), [(1, 10**6), (7, 10), (33, 3000), (557, 10**6)])
def test_masks_are_those_that_sacrebleu_draws(n, cells, monkeypatch):
    monkeypatch.setattr(draws, "BLOCK_CELLS", cells)
    generator = rng()
    expected = generator.integers(2, size=(300, n), dtype=bool)
    own = rng()
    found = np.concatenate(list(swap_masks(own, n, 300)))
    np.testing.assert_array_equal(found, expected)
    # And the stream is at NumPy's position, for the next draws.
    np.testing.assert_array_equal(own.integers(0, n, 9), generator.integers(0, n, 9))


def test_blocks_fit_into_memory():
    sizes = [len(block) for block in swap_masks(rng(), 20_000, 100)]
    assert sizes == [32, 32, 32, 4]
    assert [len(block) for block in bootstrap_weights(rng(), 10, 300)] == [128, 128, 44]


@pytest.mark.parametrize("largest", [3.0, 2.0**20, 2.0**24])
def test_whole_numbers_are_summed_exactly_in_either_precision(largest):
    values = rng().integers(0, int(largest), size=(3, 50, 4)).astype(float)
    values[0, 0, 0] = largest
    sums = Sums(values)
    assert sums._columns.dtype == (np.float32 if largest == 3 or largest == 2**18 else np.float64)
    for weights in bootstrap_weights(rng(1), 50, 20):
        expected = np.einsum("bn,kns->ksb", weights.astype(int), values.astype(int))
        np.testing.assert_array_equal(sums.over(weights), expected)


values = st.floats(-1e6, 1e6).map(lambda value: value if abs(value) > 1e-100 else 0.0)


@settings(max_examples=60)
@given(arrays(np.float64, (2, 9, 2), elements=values), st.integers(0, 2**32))
def test_sums_of_fractions_do_not_depend_on_their_order(units, seed):
    rounded = exact(units)
    largest = np.abs(units).max(axis=(0, 1))
    assert (np.abs(rounded - units) <= 9 * largest * 2.0**-51).all()
    order = rng(seed).permutation(9)
    weights = rng(seed).integers(0, 2, 9).astype(float)
    forward = np.cumsum((weights[:, None] * rounded[0]), axis=0)[-1]
    other = np.cumsum((weights[:, None] * rounded[0])[order], axis=0)[-1]
    np.testing.assert_array_equal(forward, other)


def test_nothing_but_zeros_gives_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not exact(np.zeros((2, 3, 2))).any()
        assert exact(np.full((1, 2, 1), 5e-324)).max() < 1e-300


def test_resamples_are_counted_from_one():
    with pytest.raises(ValueError, match="at least 1"):
        next(bootstrap_weights(rng(), 3, 0))
