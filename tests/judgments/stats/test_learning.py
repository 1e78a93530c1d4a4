"""Scores as judgments come in, and of halves; expected values by hand."""

import numpy as np

from judgments.stats.learning import counts_so_far, half_means, halves, means_so_far, same_order


def test_segments_are_averaged_before_systems():
    system, segment = [0, 1, 0, 0, 1], [0, 0, 0, 1, 1]
    values = [4.0, 1, 2, 5, 3]
    found = means_so_far(system, segment, values, [1, 3, 5])
    expected = [[4, np.nan], [(4 + 2) / 2, 1], [((4 + 2) / 2 + 5) / 2, (1 + 3) / 2]]
    np.testing.assert_array_equal(found, expected)


def test_nothing_yet():
    assert means_so_far([], [], [], [0]).shape == (1, 0)


def test_counts_so_far():
    assert counts_so_far([2, 0, 2, 1], [2, 4], 3).tolist() == [[1, 0, 1], [1, 1, 2]]


def test_every_half_has_half_of_the_units():
    found = halves(7, 50, np.random.default_rng(1))
    assert found.shape == (50, 7)
    assert (found.sum(axis=1) == 3).all()
    assert 5 < found.sum(axis=0).min() <= found.sum(axis=0).max() < 40  # no unit is always in


def test_means_of_halves_are_those_of_their_segments():
    table = np.array([[1.0, 2, np.nan, 4], [5, 6, 7, 8]])
    unit = np.array([0, 0, 1, 2])
    chosen = np.array([[True, False, False], [False, True, True], [False, True, False]])
    expected = [[1.5, 5.5], [4, 7.5], [np.nan, 7]]
    np.testing.assert_array_equal(half_means(table, unit, chosen), expected)


def test_the_share_of_halves_in_the_same_order():
    whole = [3.0, 2, 1]
    parts = [[3.0, 2, 1], [2, 3, 1], [3, np.nan, 4], [1, 1, 0]]
    share = same_order(whole, parts)
    np.testing.assert_allclose(share[0, 1], 1 / 3)  # once so, once reversed, once equal
    np.testing.assert_allclose(share[0, 2], 3 / 4)
    np.testing.assert_allclose(share[1, 2], 1)
    np.testing.assert_array_equal(share, share.T)
    assert np.isnan(np.diag(share)).all()
