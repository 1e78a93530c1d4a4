"""Options of a report: parts and columns."""

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from judgments.publishing.report.contents import PARTS, columns

# The names of fields are those of addresses.
PART, WITHOUT_COLUMN = "part", "no_column"
LINES = 6


class ReportForm(forms.Form):
    """Form for the report; an address without parts requests all of them."""

    part = forms.MultipleChoiceField(
        choices=[(slug, title) for slug, (title, _make) in PARTS.items()],
        required=False,
        label=_("Parts"),
        help_text=_("If none is chosen, all of them."),
    )
    no_column = forms.MultipleChoiceField(
        choices=lambda: list(columns().items()),
        required=False,
        label=_("Without these columns"),
        help_text=_("The columns that name a row always stay."),
    )

    def __init__(self, asked: QueryDict):
        initial = {name: asked.getlist(name) for name in (PART, WITHOUT_COLUMN)}
        super().__init__(initial=initial, auto_id="report_%s")
        for field in self.fields.values():
            field.widget.attrs["size"] = LINES
