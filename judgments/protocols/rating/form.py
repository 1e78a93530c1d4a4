"""The form that rates every output of a screen on several dimensions, for all protocols with
ratings."""

from copy import deepcopy
from functools import lru_cache

from django import forms
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from judgments.models.new_observations import Observations
from judgments.protocols.base import Dimension
from judgments.protocols.model_questions import ModelQuestion, of_fields
from judgments.protocols.screen_form import ScreenForm


def field_name(place: int, dimension: Dimension) -> str:
    """Return a name by the place on the screen, from 1, so that it does not reveal the output."""
    return f"output{place}-{dimension.slug}"


@lru_cache(maxsize=1000)
def wording(place: int, name: str, page_language: str | None) -> tuple[str, str, str]:
    """Return the label of a question, and the messages for a choice or a slider without an answer,
    in the active language."""
    label = _("%(dimension)s of translation %(place)d") % {"dimension": _(name), "place": place}
    return (
        label,
        _("Choose a value: %(question)s.") % {"question": label},
        _("Set the slider: %(question)s.") % {"question": label},
    )


def rating_field(place: int, dimension: Dimension) -> forms.Field:
    """Return a new field, which its form may change. Like Django with the fields of a class, copy
    one that was made before: making it takes three times as long."""
    return deepcopy(field_in(place, dimension, get_language()))


@lru_cache(maxsize=1000)
def field_in(place: int, dimension: Dimension, page_language: str | None) -> forms.Field:
    scale = dimension.scale
    label, no_choice, not_set = wording(place, str(dimension.name), page_language)
    if scale.widget == "radio":
        return forms.TypedChoiceField(
            choices=[(f"{value:g}", words) for value, words in scale.anchors],
            coerce=float,
            widget=forms.RadioSelect,
            label=label,
            error_messages={"required": no_choice},
        )
    return forms.FloatField(
        min_value=scale.low,
        max_value=scale.high,
        step_size=scale.step,
        label=label,
        error_messages={"required": not_set},
    )


def asked_in_words(label: str, dimension: Dimension) -> str:
    """Return a question as a language model reads it, with the meanings of the positions on a
    slider."""
    parts = [f"{label}: {dimension.question}".removesuffix(": ")]
    if dimension.scale.widget != "radio":
        parts += [f"{value:g} = {words}." for value, words in dimension.scale.anchors if words]
    return " ".join(parts)


class RatingForm(ScreenForm):
    """One field for each place on the screen and each dimension."""

    def __init__(self, dimensions, n_places, **kwargs):
        super().__init__(**kwargs)
        self.dimensions = dimensions
        self.n_places = n_places
        for place, dimension in self.places():
            self.fields[field_name(place, dimension)] = rating_field(place, dimension)

    def places(self):
        """Yield (place from 1, dimension) in the order of the screen."""
        return [(p, d) for p in range(1, self.n_places + 1) for d in self.dimensions]

    def blocks(self):
        """Yield the (dimension, bound field) pairs of each place, for templates."""
        return [
            (place, [(d, self[field_name(place, d)]) for d in self.dimensions])
            for place in range(1, self.n_places + 1)
        ]

    def model_questions(self) -> list[ModelQuestion]:
        asked = self.asked_in_words
        return of_fields(
            self, {field_name(place, d): asked(place, d) for place, d in self.places()}
        )

    def asked_in_words(self, place: int, dimension: Dimension) -> str:
        label = wording(place, str(dimension.name), get_language())[0]
        return asked_in_words(label, dimension)


def observations(dimensions, shown, cleaned) -> Observations:
    return Observations(
        ratings=tuple(
            (
                item_output.output_id,
                dimension.slug,
                cleaned[field_name(place, dimension)],
            )
            for place, item_output in enumerate(shown, 1)
            for dimension in dimensions
        )
    )


def initial(dimensions, shown, judgment) -> dict:
    """Return field values from a stored judgment, in the format of the form's choices."""
    values = {(r.output_id, r.dimension): r.value for r in judgment.ratings.all()}
    return {
        field_name(place, dimension): f"{values[item_output.output_id, dimension.slug]:g}"
        for place, item_output in enumerate(shown, 1)
        for dimension in dimensions
        if (item_output.output_id, dimension.slug) in values
    }
