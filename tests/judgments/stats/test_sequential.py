"""Bounds against published ones and Monte Carlo; errors of the whole rule by simulation."""

import math

import numpy as np
import pytest
from scipy import stats
from scipy.special import ndtr, ndtri

from judgments.models import RegisteredPlan, Spending
from judgments.stats.elimination import pairs_to_share
from judgments.stats.paired_difference import paired_difference
from judgments.stats.sequential import (
    DEFAULT_SPENDING,
    SPENDING,
    bounds_of_spending,
    conditional_power,
    decide,
    stopping_plan,
    with_pairs,
    z_of_t,
)
from tests.judgments.stats.replay import (
    crossing_probability,
    difference_z,
    open_ended_bound,
    rho_for,
    run_looks,
    signed_rank_z,
)

RNG = np.random.default_rng
FIFTHS = np.arange(1, 6) / 5


@pytest.mark.parametrize(
    ("looks", "error"),
    [(1, 0.05), (2, 0.083), (3, 0.107), (4, 0.126), (5, 0.142), (10, 0.193), (20, 0.248)],
)
def test_repeated_tests_at_5_percent(looks, error):
    """Armitage, McPherson and Rowe (1969), table 2: equal steps, two-sided z = 1.96."""
    found = crossing_probability(np.arange(1, looks + 1) / looks, np.full(looks, ndtri(0.975)))
    assert found == pytest.approx(error, abs=6e-4)


@pytest.mark.parametrize(
    ("spent", "bounds"),
    [
        (
            # Lan and DeMets' function of O'Brien and Fleming, .025 on each side.
            4 - 4 * ndtr(ndtri(1 - 0.05 / 4) / np.sqrt(FIFTHS)),
            (4.8769, 3.3569, 2.6803, 2.2898, 2.0310),
        ),
        (
            # Their function of Pocock.
            0.05 * np.log(1 + (math.e - 1) * FIFTHS),
            (2.4380, 2.4268, 2.4101, 2.3966, 2.3859),
        ),
    ],
)
def test_published_bounds_of_spending(spent, bounds):
    """Reboussin, DeMets, Kim and Lan (2000), five looks; their program rounds a bit differently."""
    assert bounds_of_spending(FIFTHS, spent) == pytest.approx(bounds, abs=3e-4)


@pytest.mark.parametrize(
    "bounds", [2.040 / np.sqrt(FIFTHS), np.full(5, 2.413)], ids=["O'Brien–Fleming", "Pocock"]
)
def test_classical_bounds_cross_in_5_percent(bounds):
    """Jennison and Turnbull (2000), tables 2.1 and 2.3, K = 5."""
    assert crossing_probability(FIFTHS, bounds) == pytest.approx(0.05, abs=1e-4)


@pytest.mark.parametrize("n_pairs", [1, 10])
def test_bounds_of_a_plan_by_monte_carlo(n_pairs):
    plan = stopping_plan([20, 45, 60, 100], first_items=60, n_pairs=n_pairs)
    steps = np.diff(plan.fractions, prepend=0)
    walks = np.cumsum(RNG(1).normal(size=(400_000, 4)) * np.sqrt(steps), axis=1)
    crossed = np.abs(walks) / np.sqrt(plan.fractions) > plan.bounds
    at_or_before = np.maximum.accumulate(crossed, axis=1).mean(axis=0)
    error = 4 * np.sqrt(plan.spent / 400_000)
    assert (np.abs(at_or_before - plan.spent) <= error + 1e-9).all()
    assert plan.spent[-1] == pytest.approx(0.05 / n_pairs)
    assert crossing_probability(plan.fractions, plan.bounds) == pytest.approx(0.05 / n_pairs)


def test_obrien_fleming_by_name_has_the_published_bounds():
    """Reboussin et al. (2000), five looks, two-sided .05."""
    plan = stopping_plan([100, 200, 300, 400, 500], spending="obrien-fleming")
    assert np.round(plan.bounds, 3).tolist() == [4.877, 3.357, 2.680, 2.290, 2.031]
    assert with_pairs(plan, 3).spending == "obrien-fleming"


def test_the_one_sided_form_is_lan_and_demets_function_of_the_whole_error():
    """2 - 2Φ(1.96/√f), as their one-sided function at α = .05 (1983): stricter at the end only."""
    plan = stopping_plan([100, 200, 300, 400, 500])
    assert plan.spending == "one-sided-form"
    assert plan.spent == pytest.approx(2 * stats.norm.sf(stats.norm.ppf(0.975) / np.sqrt(FIFTHS)))
    other = stopping_plan([100, 200, 300, 400, 500], spending="obrien-fleming")
    assert ((plan.bounds < other.bounds) == [True, True, True, True, False]).all()


@pytest.mark.parametrize("spending", SPENDING)
def test_a_single_look_is_the_ordinary_test(spending):
    plan = stopping_plan([50], spending=spending)
    assert plan.bounds == pytest.approx([ndtri(0.975)])
    assert SPENDING[spending]([1.0], 0.05) == pytest.approx([0.05])


def test_every_spending_function_can_be_registered():
    assert set(Spending.values) == set(SPENDING)
    assert RegisteredPlan._meta.get_field("spending").default == DEFAULT_SPENDING


def test_fewer_open_pairs_have_lower_bounds():
    plan = stopping_plan([40, 80, 120], n_pairs=6)
    last = with_pairs(plan, 1)
    assert (last.bounds < plan.bounds).all()
    assert last.bounds == pytest.approx(stopping_plan([40, 80, 120]).bounds)


def test_plans_that_are_none():
    for wrong in (
        lambda: stopping_plan([]),
        lambda: stopping_plan(range(40, 51)),
        lambda: stopping_plan([39, 80]),
        lambda: stopping_plan([20, 80], first_items=30),
        lambda: stopping_plan([80, 60]),
        lambda: stopping_plan([40, 80], most_documents=70),
        lambda: stopping_plan([40, 80], n_pairs=0),
        lambda: stopping_plan([40, 80], alpha=1),
        lambda: stopping_plan([40, 80], spending="pocock"),
        lambda: crossing_probability([0.5, 1.0], [2.0]),
        lambda: bounds_of_spending([0.5, 1.0], [0.05, 0.01]),
        lambda: bounds_of_spending([0.5, 1.2], [0.01, 0.05]),
        lambda: open_ended_bound(0, rho=1),
        lambda: rho_for(0),
        lambda: pairs_to_share(1),
        lambda: pairs_to_share(4, "some"),
        lambda: run_looks(np.zeros((2, 50)), range(50), stopping_plan([40]), most_documents=60),
        lambda: run_looks(np.zeros((2, 50)), range(50), stopping_plan([40]), aim="some"),
    ):
        with pytest.raises(ValueError):
            wrong()


def test_z_of_t():
    assert z_of_t(-2.5, 7) == pytest.approx(stats.norm.ppf(stats.t.cdf(-2.5, 7)))
    assert z_of_t(30.0, 200) > 17  # far out, where 1 - p is 1
    assert math.isnan(z_of_t(math.nan, 7))
    assert math.isnan(z_of_t(2.0, 0))


def test_conditional_power_by_simulation():
    """The rest of the walk with the drift seen so far."""
    z, fraction, bound = 1.2, 0.4, 2.0
    start, drift = z * math.sqrt(fraction), z / math.sqrt(fraction)
    ends = start + drift * 0.6 + RNG(2).normal(size=200_000) * math.sqrt(0.6)
    found = conditional_power(z, fraction, bound)
    assert (ends > bound).mean() == pytest.approx(found, abs=0.005)
    assert conditional_power(2.1, 1.0, 2.0) == 1
    assert conditional_power(-1.9, 1.0, 2.0) == 0


def test_decisions():
    plan = stopping_plan([40, 80, 120, 160])
    assert decide(-6.0, 0, plan).sign == -1
    assert decide(2.5, 0, plan).sign == 0
    assert decide(2.5, 3, plan).sign == 1
    assert decide(0.1, 0, plan).futile is False  # too early
    assert decide(0.1, 1, plan).futile is True
    assert decide(math.nan, 3, plan).sign == 0


def test_open_ended_bound():
    """At n = 100, ρ = .2: nρ² = 4, so √(2·5/4 · ln(√5/.05)) = 3.082..."""
    found = open_ended_bound([100], rho=0.2)[0]
    assert found == pytest.approx(math.sqrt(2.5 * math.log(math.sqrt(5) / 0.05)))
    rho = rho_for(200)
    around = [float(open_ended_bound(200, rho=rho * f)) for f in (0.8, 1.0, 1.25)]
    assert around[1] == min(around)


def test_open_ended_bound_holds_at_all_times_together():
    walks = np.cumsum(RNG(3).normal(size=(1500, 3000)), axis=1)
    n = np.arange(1, 3001)
    bound = open_ended_bound(n, rho=rho_for(300))
    crossed = (np.abs(walks) / np.sqrt(n) > bound)[:, 20:].any(axis=1).mean()
    assert 0.005 < crossed <= 0.05
    peeking = (np.abs(walks[:, 299::300]) / np.sqrt(n[299::300]) > 1.96).any(axis=1).mean()
    assert peeking == pytest.approx(0.19, abs=0.04)  # ten looks at 1.96


def null_data(rng, n_documents, size, n_systems, slope):
    """Return systems of the same quality: (S, N) judgments and metric scores, and documents."""
    n = n_documents * size
    metric = rng.normal(size=(n_systems, n))
    by_document = np.repeat(rng.normal(0, 0.5, (n_systems, n_documents)), size, axis=1)
    table = slope * metric + by_document + rng.normal(size=(n_systems, n))
    return table, metric, np.repeat(np.arange(n_documents), size)


@pytest.mark.parametrize(("slope", "z_of"), [(0.7, difference_z), (0.0, signed_rank_z)])
def test_false_positives_of_looks(slope, z_of):
    """Two equal systems, five looks: separated at any look in about 5 %, with a control variate
    too. Five looks at p < .05 would make it 14 %."""
    rng, plan, n = RNG(4), stopping_plan([24, 43, 62, 81, 100], first_items=48), 700
    wrong = 0
    for _ in range(n):
        table, metric, documents = null_data(rng, 100, 2, 2, slope)
        controls = metric if slope else None
        result = run_looks(table, documents, plan, controls=controls, z_of=z_of)
        wrong += bool(result.sign.any())
    assert 0.025 <= wrong / n <= 0.075


@pytest.mark.parametrize("guarantee", ["every", "best"])
def test_elimination_of_equal_systems(guarantee):
    """Five systems of the same quality. "every": any of them is dropped in at most 5 %; "best": a
    given one (the true best, if another were slightly worse) in at most 5 %."""
    rng, n = RNG(5), 250
    plan = stopping_plan([40, 70, 100], n_pairs=pairs_to_share(5, guarantee))
    dropped = np.zeros((n, 5), bool)
    for i in range(n):
        table, _, documents = null_data(rng, 100, 1, 5, 0.0)
        dropped[i] = ~run_looks(table, documents, plan, aim="best").remaining
    of_any, of_one = dropped.any(axis=1).mean(), dropped.mean()
    assert (of_any if guarantee == "every" else of_one) <= 0.05 + 0.025
    if guarantee == "best":
        assert of_any > 0.05  # the price: some of several equal ones may be dropped


def test_elimination_finds_the_best_and_saves():
    rng = RNG(6)
    table = rng.normal(size=(4, 300)) + np.array([[1.0], [0.6], [0.0], [-0.5]])
    plan = stopping_plan(range(40, 301, 52), most_documents=300, n_pairs=pairs_to_share(4))
    best = run_looks(table, range(300), plan, aim="best")
    assert best.remaining.tolist() == [True, False, False, False]
    every = run_looks(table, range(300), plan, aim="all")
    assert best.n_judgments < every.n_judgments < 4 * 300
    assert (np.triu(every.sign, 1)[np.triu_indices(4, 1)] == 1).all()
    assert (every.sign == -every.sign.T).all()
    # Each system was judged until its last pair was decided.
    ends = np.round(plan.fractions * 300).astype(int)
    assert every.n_items.tolist() == ends[every.look.max(axis=1)].tolist()
    # The result of a look is that of the estimator on the documents so far.
    k = every.look[0, 3]
    z = difference_z(np.where(np.arange(300) < ends[k], table[0] - table[3], np.nan), None, None)
    assert z > plan.bounds[k] - 2
    first = paired_difference((table[0] - table[3])[: ends[0]])
    assert (z_of_t(first.t, first.df) > plan.bounds[0]) == (k == 0)
