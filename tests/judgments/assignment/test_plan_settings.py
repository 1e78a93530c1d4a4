"""What is stored of a plan's settings, and what is refused."""

import pytest

from judgments.assignment.plan_settings import PlanSettings


def test_what_is_stored_reads_back():
    settings = PlanSettings(systems=("A", "B"), repeats=0.5, references=1.0, segments=40)
    stored = settings.stored()
    assert stored == {"systems": ["A", "B"], "repeats": 0.5, "references": 1.0, "segments": 40}
    assert PlanSettings.read(stored) == settings
    assert PlanSettings.read({"repeats": 1}).repeats == 1.0


@pytest.mark.parametrize(
    ("stored", "words"),
    [
        ({"repeats": 0.25}, "not a number of halves"),
        ({"repeats": 3, "degraded": 2.5}, "at most 5"),
        ({"repeats": True}, "not a number"),
        ({"batch_words": 100.5}, "not a whole number"),
        ({"design": "random"}, "not one of paired"),
        ({"colour": 1}, "there is no setting 'colour'"),
        ({"seats": 0}, "not from 1 to 100"),
    ],
)
def test_what_is_refused_is_named(stored, words):
    with pytest.raises(ValueError, match=words):
        PlanSettings.read(stored)
