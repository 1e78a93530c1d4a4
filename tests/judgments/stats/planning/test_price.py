"""Costs of a question, a promise and a difference."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtri

from judgments.stats.paired_difference import paired_difference
from judgments.stats.planning.price import (
    BH_MEASURED,
    SMALL_POOL,
    Design,
    alpha_of_pair,
    number_of_pairs,
    price_of_question,
    segments_needed,
    segments_per_document,
    smallest_difference,
)
from judgments.stats.power import minimum_detectable_effect, required_judgments


def test_twelve_systems():
    """Figures of the planner, computed from the definition: power .9."""
    assert price_of_question(12, "all") == 1
    assert price_of_question(12, "one-against-others") == pytest.approx(0.79, abs=0.0055)
    assert price_of_question(12, "one-pair") == pytest.approx(0.49, abs=0.005)
    assert number_of_pairs(12) == 66 and number_of_pairs(12, "one-against-others") == 11


@pytest.mark.parametrize("n_pairs", [66, 105])
def test_the_weaker_promise_costs_what_was_measured(n_pairs):
    holm, bh = (
        segments_needed(
            0.05, 1, Design(), pair_alpha=alpha_of_pair(n_pairs, promise=promise), power=0.9
        ).n
        for promise in ("holm", "bh")
    )
    assert BH_MEASURED[0] < bh / holm < BH_MEASURED[1]
    assert alpha_of_pair(n_pairs, promise="bh", separated=0.001) == pytest.approx(0.05 / n_pairs)


def test_independent_segments_are_the_known_formula():
    """σ = 20, δ = 2, α = .05, power .8: 785 items in the usual table."""
    plain = segments_needed(2, 20, Design())
    assert plain.n == 785 == required_judgments(2, 20).n
    found = smallest_difference(400, 20, Design())
    assert found.difference == pytest.approx(minimum_detectable_effect(20, 400).effect)


def test_by_hand():
    """(z.975 + z.8)² = 7.849; δ = σ/10, so 784.9 independent segments. Documents of 9, ρ = .13:
    times 2.04. R² = .2 of a pool of 4,000 in documents of 9, blocks of 3: n = 784.9·.8·1.26 +
    784.9·.2·2.04·n/4000, so 791.2/(1 - .0801) = 860.0."""
    whole = Design(judged_per_document=9)
    assert segments_needed(1, 10, whole).n == 1602
    blocks = Design(
        pool=4000, judged_per_document=3, pooled_per_document=9, rho=0.13, r_squared=0.2
    )
    assert segments_needed(1, 10, blocks).n == pytest.approx(860.1, abs=1)


@given(
    st.integers(20, 3000),
    st.floats(1, 10),
    st.floats(1, 10),
    st.floats(0, 0.5),
    st.floats(0, 0.5),
    st.integers(1, 200),
)
def test_needed_and_shown_are_each_other_turned_round(n, h, pooled, rho, r_squared, m):
    design = Design(4000, h, pooled, rho, r_squared)
    alpha = alpha_of_pair(m)
    shown = smallest_difference(n, 5, design, pair_alpha=alpha)
    needed = segments_needed(shown.difference, 5, design, pair_alpha=alpha)
    assert needed.n == pytest.approx(n, abs=1.001)


def test_a_pool_can_be_too_small():
    design = Design(pool=500, r_squared=0.2)
    found = segments_needed(1, 10, design)
    assert math.isnan(found.n) and found.reason == SMALL_POOL
    at_most = smallest_difference(500, 10, design)
    assert segments_needed(at_most.difference * 1.0001, 10, design).n <= 500
    with pytest.raises(ValueError):
        smallest_difference(501, 10, design)


def test_systems_that_do_not_differ():
    assert segments_needed(0, 10, Design()).reason
    assert segments_needed(1, 0, Design()).reason
    assert smallest_difference(10, 0, Design()).reason


def test_documents_have_the_power_of_the_formula():
    """Simulated: differences with ρ = .3 in documents of 4, found in 80 % of campaigns."""
    rng, design = np.random.default_rng(3), Design(judged_per_document=4, rho=0.3)
    n = int(segments_needed(0.25, 1, design).n)
    documents = np.repeat(np.arange(-(-n // 4)), 4)
    found = 0
    for _ in range(600):
        shared = rng.normal(0, math.sqrt(0.3), documents.max() + 1)[documents]
        d = 0.25 + shared + rng.normal(0, math.sqrt(0.7), len(documents))
        found += paired_difference(d, documents).p_value < 0.05
    assert found / 600 == pytest.approx(0.8, abs=0.045)


def test_segments_per_document():
    """Five segments of documents of 1 and 4: (1·1 + 4·4)/5."""
    assert segments_per_document([1, 4, 0]) == pytest.approx(3.4)
    assert segments_per_document([3, 3]) == 3
    assert math.isnan(segments_per_document([]))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Design(rho=1),
        lambda: Design(judged_per_document=0.5),
        lambda: number_of_pairs(3, "some"),
        lambda: alpha_of_pair(3, promise="none"),
        lambda: segments_needed(1, -1, Design()),
    ],
)
def test_senseless_arguments(wrong):
    with pytest.raises(ValueError):
        wrong()


def test_few_documents_need_a_larger_difference():
    """In simulation: sums of documents that are normal, tested by Σ S_g/√(Σ S_g²) at p = .001."""
    rng = np.random.default_rng(4)
    for n in (20, 40, 200):
        found = smallest_difference(n, 1.0, Design(), clusters=n, pair_alpha=0.001)
        sums = rng.normal(found.difference, 1, (20_000, n))
        z = sums.sum(axis=1) / np.sqrt((sums**2).sum(axis=1))
        assert np.mean(z > ndtri(0.9995)) == pytest.approx(0.8, abs=0.05)
    # A p of .001 needs z = 3.29; with eight documents z is never more than √8 = 2.83.
    never = smallest_difference(8, 1.0, Design(), clusters=8, pair_alpha=0.001)
    assert math.isnan(never.difference)
    assert never.reason == "too few documents"
