"""Ratings: what the forms of every preset reject."""

import pytest

from judgments.protocols import PRESETS
from judgments.protocols.base import custom_dimensions, scale_from_options
from judgments.protocols.rating.form import RatingForm, field_name
from judgments.protocols.rating.options import parse_dimensions

RATED = [preset for preset in PRESETS.values() if preset.protocol == "rating"]
NEVER = ("", " ", "x", "nan", "inf", "1e999", "-1", "1.5", "1,5", "0x1", "³", "<b>3</b>")


def dimensions_of(preset):
    own = parse_dimensions("trust: 1-4\nbelief: 0-100")
    return preset.dimensions or custom_dimensions(own)


@pytest.mark.parametrize("preset", RATED, ids=lambda preset: preset.slug)
def test_every_bad_value_of_every_preset(preset):
    dimensions = dimensions_of(preset)
    for dimension in dimensions:
        scale = dimension.scale
        right = {field_name(p, d): f"{d.scale.low:g}" for p in (1, 2) for d in dimensions}
        name = field_name(2, dimension)
        beyond = (f"{scale.low - 1:g}", f"{scale.high + 1:g}")
        for value in (*NEVER, *beyond):
            if value == "1.5" and scale.step < 1:
                continue
            form = RatingForm(dimensions, 2, data=right | {name: value})
            assert list(form.errors) == [name], value
        del right[name]
        assert list(RatingForm(dimensions, 2, data=right).errors) == [name]


@pytest.mark.parametrize("preset", RATED, ids=lambda preset: preset.slug)
def test_both_ends_are_right(preset):
    dimensions = dimensions_of(preset)
    for end in ("low", "high"):
        values = {field_name(1, d): getattr(d.scale, end) for d in dimensions}
        form = RatingForm(dimensions, 1, data={name: f"{v:g}" for name, v in values.items()})
        assert form.is_valid(), form.errors
        assert form.cleaned_data == values


def test_a_wide_range_is_a_slider():
    assert scale_from_options(0, 100).widget == "slider"
    assert scale_from_options(0, 10).widget == "radio"
