"""The time left, forecast for simulated readers with known properties."""

import random

import pytest
import time_left as benchmark


@pytest.mark.parametrize("two_passes", [True, False])
@pytest.mark.parametrize("seed", [1, 2])
def test_simulated_readers_are_forecast_better_than_by_the_time_of_an_item(two_passes, seed):
    rng = random.Random(seed)
    batches = [benchmark.simulated(rng, 100, two_passes=two_passes) for _ in range(100)]
    for share, ways in benchmark.errors(batches).items():
        (by_items, _), _, (ours, bias) = ways
        assert ours < 1 / 3, share
        assert ours < 0.8 * by_items, share
        assert abs(bias) < 1 / 3, share


@pytest.mark.parametrize("seed", [1, 2])
def test_a_reader_of_given_speed_is_forecast_within_a_third(seed):
    rng = random.Random(seed)
    batches = [benchmark.of_given_speed(rng, 100) for _ in range(100)]
    for share, (*_, (ours, bias)) in benchmark.errors(batches).items():
        assert ours < (0.3 if share < 0.25 else 0.12), share
        assert abs(bias) < 1 / 3, share
