"""The form that rates two outputs side by side."""

from django.forms import Script

from ..differences import WithDifferences
from .form import RatingForm


class SideBySideForm(WithDifferences, RatingForm):
    """With the words underlined that differ between the two."""

    side_by_side = True
    relative_color = False
    """Whether sliders show their rank among those of the screen."""

    class Media:
        js = [Script("js/protocols/relative-color.js", type="module")]
