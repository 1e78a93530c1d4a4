"""Newton's steps against known minima."""

import numpy as np
import pytest

from judgments.stats.newton import newton


def bowl(at):
    """Return a function with its minimum at (2, 0.5): a quadratic form, and a term that bends
    it."""
    a, b = at[0] - 2, at[1] - 0.5
    return 1e6 + 1e4 * (a**2 + a * b + 3 * b**2 + 0.1 * a**4)


def test_two_numbers_and_one():
    found = newton(bowl, np.array([1.5, 0.6]))
    assert found == pytest.approx([2, 0.5], rel=1e-4)
    found = newton(lambda at: at[0] - np.log(at[0]), np.array([0.8]))
    assert found == pytest.approx([1], rel=1e-4)


def test_few_evaluations():
    counted = []
    newton(lambda at: counted.append(1) or bowl(at), np.array([1.9, 0.52]))
    assert len(counted) <= 6 * 4 + 2


@pytest.mark.parametrize(
    "loss",
    [
        lambda at: -(at @ at),  # a hill
        lambda at: float(at.sum()),  # down to 0, without curvature
        lambda at: (at**2).sum(),  # a minimum at 0, which relative steps never reach
        lambda at: np.inf,
        lambda at: np.nan,
    ],
)
def test_none_where_there_is_nothing_to_find(loss):
    assert newton(loss, np.array([0.5, 0.7])) is None
