"""What is settled before the work is planned: read, checked, and stored again."""

import dataclasses
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.plans.settings import BOUNDS, OPTIONAL, PlanSettings


def test_what_is_not_said_has_its_default():
    assert PlanSettings.read({}) == PlanSettings()
    assert PlanSettings().stored() == {}


@given(st.data())
def test_settings_come_back_as_they_were_stored(data):
    values = {}
    for name, low, high in BOUNDS:
        if data.draw(st.booleans()):
            whole = isinstance(getattr(PlanSettings(), name), int) or name in OPTIONAL[:3]
            numbers = st.integers(low, high) if whole else st.floats(low, high)
            values[name] = data.draw(numbers)
    for name in ("repeats", "references", "degraded"):
        values.pop(name, None)
    settings = PlanSettings.read({**values, "systems": ["B", "A"], "pool": True})
    assert settings.systems == ("B", "A")
    assert settings.pool
    assert PlanSettings.read(settings.stored()) == settings


@pytest.mark.parametrize(
    ("stored", "words"),
    [
        ({"seat": 2}, "there is no setting 'seat'"),
        ({"seats": 0}, "seats is 0, not from 1 to 100"),
        ({"repeats": 0.25}, "not a number of halves"),
        ({"seats": 1.5}, "seats is 1.5, not a whole number"),
        ({"seats": True}, "seats is True, not a number"),
        ({"seats": None}, "seats has no value"),
        ({"spread": math.nan}, "spread is nan, not a number"),
        ({"seats": math.inf}, "seats is inf, not a number"),
        ({"pool": 1}, "pool is 1, not true or false"),
        ({"design": 3}, "design is 3, not a text"),
        ({"design": "round"}, "design is 'round', not one of paired"),
        ({"systems": "A"}, "systems is a list of names"),
        ({"repeats": 3, "degraded": 3}, "of ten items at most 5 can be controls"),
    ],
)
def test_what_is_wrong_is_said(stored, words):
    with pytest.raises(ValueError, match=words):
        PlanSettings.read(stored)


def test_every_number_has_bounds():
    numbers = {
        field.name
        for field in dataclasses.fields(PlanSettings)
        if not isinstance(field.default, str | bool | tuple)
    }
    assert numbers == {name for name, _, _ in BOUNDS}
