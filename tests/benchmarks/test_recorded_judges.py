"""Recorded answers come in as a judge's: GEMBA's and people's on WMT23 English–German, as the study
of error span annotation released them (Kocmi et al. 2024; Zouhar et al. 2025)."""

import pytest
import recorded_judges

from tests.shared import shared_data

pytestmark = [pytest.mark.django_db, pytest.mark.proof]


@pytest.fixture
def found():
    shared_data("12_judges", "240315rc5GEMBA.scores.csv.gz")
    return recorded_judges.replays(shared_data(), 6)


def test_recorded_answers_are_stored_and_published_as_they_were(found):
    for replay in found.values():
        assert replay.n_judged == replay.n_items > 60
        assert replay.n_equal == replay.n_single > 60
        assert replay.n_unplaced == 0
    # Quoted with what stands around them all errors are found where they were.
    assert found["ESA-AI"].n_errors == found["ESA-AI"].n_same > 60
    assert found["ESA-AI"].n_elsewhere == 0
    # Without that a few are located at another place with the same words.
    assert 0.9 < found["GEMBA"].n_same / found["GEMBA"].n_errors <= 1
