"""The form that rates two outputs beside each other."""

from ..differences import WithDifferences
from .form import RatingForm


class SideBySideForm(WithDifferences, RatingForm):
    """With the words underlined in which the two differ."""

    side_by_side = True
