"""The form of a screen, and what its templates ask every such form."""

from django import forms


class ScreenForm(forms.Form):
    """Each protocol's form overrides what it has."""

    KEYS: tuple = ()
    dimensions: tuple = ()
    compact = False
    anchors_once = False
    side_by_side = False
    document = False
    pieces: tuple = ()
