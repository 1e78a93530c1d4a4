"""Form fields and widgets used in several rooms.

The selects render their options themselves: Django renders a template for every option, which takes
most of the time of a page that lists a few hundred annotators twice.
"""

from django import forms
from django.forms.utils import flatatt
from django.utils.html import format_html, format_html_join
from django.utils.safestring import mark_safe

from judgments.files import markdown


class ShortSelect(forms.Select):
    """Like Django's, for ungrouped options."""

    def render(self, name, value, attrs=None, renderer=None):
        attrs = self.build_attrs(self.attrs, attrs) | {"name": name}
        if self.allow_multiple_selected:
            attrs["multiple"] = True
        chosen = set(self.format_value(value))
        options = (
            (key, mark_safe(" selected") if str(key) in chosen else "", label)
            for key, label in self.choices
        )
        return format_html(
            "<select{}>\n{}\n</select>",
            flatatt(attrs),
            format_html_join("\n", '<option value="{}"{}>{}</option>', options),
        )


class ShortSelectMultiple(ShortSelect, forms.SelectMultiple):
    """The same, for several choices."""


class MarkdownField(forms.CharField):
    """Text that `judgments.files.markdown` can show."""

    def __init__(self, **kwargs):
        super().__init__(max_length=markdown.LONGEST, required=False, **kwargs)

    def to_python(self, value):
        # Browsers count a line break as one character when they limit the length of a text.
        return (super().to_python(value) or "").replace("\r\n", "\n")

    def run_validators(self, value):
        if problem := markdown.problem_with(value):
            raise forms.ValidationError(problem)
        super().run_validators(value)
