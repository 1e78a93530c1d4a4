"""The replay of what a plan promises: its choice of texts and of sizes."""

import numpy as np
import promised_power as benchmark
import pytest

from judgments.stats.planning.price import Design, smallest_difference
from judgments.stats.planning.spreads import DA_SQM


def texts():
    rng = np.random.default_rng(1)
    documents = np.repeat(np.arange(60), 5)
    return benchmark.Scored(rng.normal(size=(3, 300)), documents, rng.uniform(1, 100, 300))


@pytest.mark.parametrize("times", [0.5, 2.0])
def test_texts_are_half_or_twice_as_long_as_near_as_it_can_be(times):
    whole = benchmark.Scored(np.zeros((2, 300)), np.arange(300), np.geomspace(1, 200, 300))
    part = whole.of_length(times)
    assert part.words.mean() == pytest.approx(times * whole.words.mean(), rel=0.02)
    assert part.table.shape == (2, len(part.words))
    assert part.documents.max() == len(part.words) - 1


def test_a_plan_is_as_large_as_the_page_says_that_its_difference_takes():
    plans = benchmark.Plans(texts(), DA_SQM, 0)
    n = plans.size_for(0.09, 0.01)
    design = Design(judged_per_document=5, rho=DA_SQM.rho)
    here, before = (
        smallest_difference(5 * g, DA_SQM.fixed, design, clusters=g, pair_alpha=0.01).difference
        for g in (n, n - 1)
    )
    assert here <= 0.09 < before
