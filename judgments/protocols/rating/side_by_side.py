"""The form that rates two outputs beside each other."""

from django.forms import Script

from ..differences import WithDifferences
from .form import RatingForm


class SideBySideForm(WithDifferences, RatingForm):
    """With the words underlined in which the two differ."""

    side_by_side = True
    relative_color = False
    """Whether sliders tell their place among those of the screen."""

    class Media:
        js = [Script("js/protocols/relative-color.js", type="module")]
