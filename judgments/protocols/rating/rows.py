"""The form that rates several outputs, as rows if they are short."""

from django.forms import Script

from ..compact import Compact
from .form import RatingForm


class RowsForm(Compact, RatingForm):
    anchors_once = digits_alone = True

    class Media:
        js = [Script("js/protocols/differences.js", type="module")]
