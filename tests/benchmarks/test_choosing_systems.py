"""What the benchmark of choosing systems counts, on campaigns small enough to count by hand."""

import numpy as np
import pytest
from choosing_systems import DESIGNS, _passed, gaps_of, made_up, run, wanted_of
from human_cost_designs import Campaign

RNG = np.random.default_rng


def campaign(levels=(9.0, 8.9, 5.0, 1.0), n_documents=40, each=3):
    rng = RNG(3)
    documents = np.repeat(np.arange(n_documents), each)
    shape = (len(levels), len(documents))
    table = np.array(levels)[:, None] + rng.normal(size=shape)
    names = [f"{i}" for i in range(len(levels))]
    ones, texts = np.ones(shape), np.zeros(shape, int)
    return Campaign(names, table, documents, {}, ones, texts, ones[0])


def test_what_is_wanted():
    wanted = wanted_of(campaign())
    assert wanted.pairs["all pairs"].sum() == 5  # all but the first two against each other
    assert wanted.pairs["top cluster"].sum() == 4
    assert wanted.pairs["the best"].sum() == 2
    assert wanted.truth[0, 3] == pytest.approx(8, abs=0.3)


def test_how_many_outputs_each_design_judges():
    made = campaign()
    spent = {design: run(made, design, 90, RNG(1)).outputs for design in DESIGNS}
    # Blocks of three segments are whole documents here, and each segment counts four outputs.
    assert spent["complete"] == 4 * 90
    assert spent["random"] == 3 * 90
    for design in list(DESIGNS)[2:]:
        assert 4 * 24 <= spent[design] < 4 * 90  # after a wave of eight documents the last is out


def test_exchanged_systems_are_equally_good():
    made = campaign()
    found = [run(made, "random", 90, RNG(n), exchanged=True).found.estimate for n in range(60)]
    assert np.abs(np.mean(found, axis=0)).max() < 0.5
    assert run(made, "random", 90, RNG(0)).found.estimate[0, 3] > 5


def test_costs_lie_between_sizes():
    assert _passed([0.5, 0.8, 1.0], [100, 200, 400]) == pytest.approx(np.sqrt(200 * 400))
    assert _passed([0.95], [100]) == 100
    assert np.isnan(_passed([0.5, 0.8], [100, 200]))


def test_gaps_are_of_blocks():
    # Means with the variance 1, of blocks of three 9, of three outputs about them 3.
    made = campaign(levels=(0.0, 1.0, 2.0), n_documents=4000)
    assert gaps_of(made) == pytest.approx(9 / 3, rel=0.05)


def test_systems_without_data_are_made_up():
    made = made_up(RNG(1))
    assert made.table.shape == (12, 540) and made.table.max() <= 0 and made.table.min() >= -25
