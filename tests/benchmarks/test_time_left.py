"""The time left, forecast for simulated readers of whom everything is known."""

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
        assert ours < 0.8 * by_items, share
        assert abs(bias) < 0.25, share
