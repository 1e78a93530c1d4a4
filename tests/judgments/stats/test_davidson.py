"""Strengths with ties, against choix (three systems), a general optimizer, and each other."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.optimize import minimize

from judgments.stats.davidson import davidson, solvable, strengths
from judgments.stats.ranking import bradley_terry

WINS = np.array([[0, 7, 8], [3, 0, 6], [2, 4, 0]], float)
NO_TIES = np.zeros((3, 3))
COUNTS = st.sampled_from([0, 0, 1, 2, 7])
TABLES = st.integers(2, 5).flatmap(
    lambda n: st.tuples(
        hnp.arrays(np.float64, (n, n), elements=COUNTS),
        hnp.arrays(np.float64, (n, n), elements=COUNTS),
    )
)


def _table(pair):
    wins, ties = pair
    ties = np.triu(ties, 1)
    np.fill_diagonal(wins, 0)
    return wins, ties + ties.T


def _log_likelihood(wins, ties, theta, nu):
    """Return the likelihood of Davidson (1970), equation by equation."""
    total, strength = 0.0, np.exp(theta)
    for i in range(len(wins)):
        for j in range(len(wins)):
            if i != j:
                tied = nu * math.sqrt(strength[i] * strength[j])
                whole = strength[i] + strength[j] + tied
                total += wins[i, j] * math.log(strength[i] / whole)
                if i < j and ties[i, j]:
                    total += ties[i, j] * math.log(tied / whole)
    return total


def test_five_systems_as_by_choix():
    """choix 0.4.1, mm_pairwise and ilsr_pairwise, to six digits."""
    wins = [[0, 5, 3, 9, 4], [2, 0, 6, 1, 7], [4, 4, 0, 8, 2], [0, 3, 5, 0, 1], [6, 2, 2, 7, 0]]
    expected = [0.46061, 0.195231, -0.013911, -0.843099, 0.201168]
    assert bradley_terry(wins).log_strength == pytest.approx(expected, abs=1e-6)
    found, _ = strengths(np.array([wins]), np.zeros((1, 5, 5)))
    assert found[0] == pytest.approx(expected, abs=1e-6)


def test_without_ties_it_is_bradley_terry():
    """Log-strengths of three systems by choix."""
    found = davidson(WINS, NO_TIES)
    assert found.log_strength == pytest.approx([0.74057, -0.1491, -0.59147], abs=1e-5)
    assert (found.tie, found.reason, found.n_comparisons) == (0, "", 30)


@given(st.lists(hnp.arrays(np.int64, (4, 4), elements=st.integers(0, 6)), min_size=1, max_size=3))
@settings(max_examples=30, deadline=None)
def test_bradley_terry_by_newton_against_mm(tables):
    for wins in tables:
        np.fill_diagonal(wins, 0)
    found, nu = strengths(np.array(tables), np.zeros((len(tables), 4, 4)))
    assert np.isnan(nu).all()
    for wins, ours in zip(tables, found, strict=True):
        np.testing.assert_allclose(ours, bradley_terry(wins).log_strength, atol=1e-6)


@given(TABLES)
@settings(max_examples=30, deadline=None)
def test_davidson_against_a_general_optimizer(pair):
    wins, ties = _table(pair)
    found = davidson(wins, ties)
    assume(found.tie > 0)
    best = _log_likelihood(wins, ties, found.log_strength, found.tie)

    def loss(x):
        return -_log_likelihood(wins, ties, np.concatenate([[0], x[1:]]), math.exp(x[0]))

    fit = minimize(loss, np.zeros(len(wins)), method="BFGS", options={"gtol": 1e-7})
    assert best >= -fit.fun - 1e-7 * abs(fit.fun)
    assert found.log_strength.mean() == pytest.approx(0, abs=1e-9)
    if fit.success and np.abs(fit.x).max() < 8:
        theta = np.concatenate([[0], fit.x[1:]])
        np.testing.assert_allclose(found.log_strength, theta - theta.mean(), atol=1e-3)
        assert found.tie == pytest.approx(math.exp(fit.x[0]), rel=1e-3)


@pytest.mark.slow
@given(TABLES)
@settings(max_examples=60, deadline=None)
def test_where_there_is_no_solution_the_likelihood_has_no_top(pair):
    """If we find no solution, Davidson's likelihood still rises far from the middle."""
    wins, ties = _table(pair)
    assume(ties.any())
    found = davidson(wins, ties)
    if not found.reason:
        assert np.isfinite([*found.log_strength, found.tie]).all()
        return
    assert np.isnan([*found.log_strength, found.tie]).all()
    if "never compared" in found.reason:
        return

    def loss(x):
        return -_log_likelihood(wins, ties, x[1:], math.exp(x[0]))

    size = len(wins) + 1
    near, far = (
        minimize(loss, np.zeros(size), method="L-BFGS-B", bounds=[(-b, b)] * size).fun
        for b in (3, 30)
    )
    assert far < near - 1e-6


@pytest.mark.parametrize(
    ("wins", "ties", "reason"),
    [
        ([[0, 3, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]], {}, "2 groups that were never"),
        ([[0, 3, 4], [0, 0, 2], [0, 1, 0]], {}, "always lost"),
        ([[0, 0], [0, 0]], {(0, 1): 4}, "only ties"),
        ([[0, 3], [0, 0]], {(0, 1): 2}, "never contradict"),
        ([[0]], {}, "at least two"),
        (np.zeros((0, 0)), {}, "at least two"),
    ],
)
def test_no_finite_strengths(wins, ties, reason):
    table = np.zeros(np.shape(wins))
    for (i, j), n in ties.items():
        table[i, j] = table[j, i] = n
    found = davidson(wins, table)
    assert reason in found.reason
    assert np.isnan(found.log_strength).all()
    assert math.isnan(found.tie)
    if len(table):
        assert np.isnan(strengths(np.array([wins]), table[None], model="davidson")[0]).all()


def test_halves_and_davidson_differ_by_what_a_tie_says():
    """Ties only between the first two: by halves they are pulled together, and by Davidson they are
    closer than without the ties, too."""
    ties = np.array([[0, 10, 0], [10, 0, 0], [0, 0, 0]], float)
    plain = strengths(WINS[None], NO_TIES[None])[0][0]
    halves = strengths(WINS[None], ties[None])[0][0]
    model = davidson(WINS, ties)
    np.testing.assert_allclose(halves, bradley_terry(WINS, ties=ties).log_strength, atol=1e-7)
    for found in (halves, model.log_strength):
        assert 0 < found[0] - found[1] < plain[0] - plain[1]
    assert model.tie > 0


def test_many_tables_at_once_are_the_tables_one_by_one():
    rng = np.random.default_rng(1)
    wins = rng.poisson(2, (30, 4, 4)).astype(float)
    ties = np.triu(rng.poisson(0.7, (30, 4, 4)), 1).astype(float)
    ties += np.swapaxes(ties, 1, 2)
    found, nu = strengths(wins, ties, model="davidson")
    for k in range(30):
        one = davidson(wins[k], ties[k])
        np.testing.assert_allclose(found[k], one.log_strength, atol=1e-8)
        assert nu[k] == pytest.approx(one.tie, nan_ok=True)


def test_bad_input():
    with pytest.raises(ValueError, match="must be"):
        davidson([[0, 1]], [[0, 1]])
    with pytest.raises(ValueError, match="symmetric"):
        davidson(WINS, WINS)
    with pytest.raises(ValueError, match="model is"):
        strengths(WINS[None], NO_TIES[None], model="elo")
    assert solvable(np.zeros((0, 2, 2)), np.zeros((0, 2, 2))).shape == (0,)
