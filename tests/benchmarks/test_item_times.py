"""The replay of item times: what it fits is what was published of the study."""

import item_times as benchmark
import pytest

from tests.shared import shared_data

STUDY = "03_mqm_esa_wmt23_en-de"
# Seconds of an output and of a word, worked out apart from this program, from the same release.
FITTED = {"ESA-1": (24.8, 0.155), "ESA-2": (38.6, 0.164), "MQM-1": (31.5, 0.162)}


def test_seconds_of_an_output_and_of_a_word_are_those_of_the_study():
    study = benchmark.esa_study(shared_data(STUDY))
    for campaign, (per_output, per_word) in FITTED.items():
        time, r_squared = benchmark.fitted(study[campaign].values())
        assert time.per_output == pytest.approx(per_output, abs=0.7)
        assert time.per_word == pytest.approx(per_word, abs=0.002)
        assert 0.11 < r_squared < 0.18
