"""Which two metrics are compared, over what."""

from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy

from metrics.scores.tables import MetricColumn

from .figures import CONTROLS, LEVELS


class MetricPairForm(forms.Form):
    """Read from the URL. `settings()` returns clean values, the defaults for unknown ones."""

    first = forms.ChoiceField(label=gettext_lazy("One metric"), required=False)
    second = forms.ChoiceField(label=gettext_lazy("The other"), required=False)
    level = forms.ChoiceField(
        label=gettext_lazy("Over"),
        choices=[(key, gettext_lazy(name)) for key, name in LEVELS.items()],
        required=False,
    )
    controls = forms.ChoiceField(
        label=gettext_lazy("Control systems among the systems"),
        choices=[(key, gettext_lazy(name)) for key, name in CONTROLS.items()],
        required=False,
    )

    def __init__(
        self, columns: list[MetricColumn], data: Any = None, *, has_controls: bool
    ) -> None:
        super().__init__(data)
        for name in ("first", "second"):
            self.choice_field(name).choices = [(c.slug, c.title) for c in columns]
        if not has_controls:
            del self.fields["controls"]

    def choice_field(self, name: str) -> forms.ChoiceField:
        return cast(forms.ChoiceField, self.fields[name])

    def settings(self) -> dict[str, str]:
        """Return a value for each field; two different metrics."""
        self.is_valid()
        found = {"controls": "out"}
        for name in self.fields:
            values = [value for value, _ in cast(list, self.choice_field(name).choices)]
            found[name] = self.cleaned_data.get(name) or values[0]
        if found["first"] == found["second"]:
            slugs = [slug for slug, _ in cast(list, self.choice_field("second").choices)]
            found["second"] = next(slug for slug in slugs if slug != found["first"])
        return found
