"""What the replay of a random model says a judge explains, where that is known."""

import numpy as np
import pytest
import random_judge


def test_what_a_judge_explains_is_known_out_of_sample():
    rng = np.random.default_rng(3)
    people = rng.normal(size=(4, 3000))
    noise = rng.normal(size=people.shape)
    assert random_judge.explained(people, people) == pytest.approx(1)
    # A judge who says the opposite tells as much.
    assert random_judge.explained(-2 * people, people) == pytest.approx(1)
    # As much noise as signal: half of the variance.
    assert random_judge.explained(people + noise, people) == pytest.approx(0.5, abs=0.03)
    assert random_judge.explained(np.zeros_like(people), people) == 0
    # Slopes that fit chance make it worse than nothing.
    assert -0.01 < random_judge.explained(noise, people) < 0
    people[:, ::3] = np.nan
    assert random_judge.explained(people, people) == pytest.approx(1)
