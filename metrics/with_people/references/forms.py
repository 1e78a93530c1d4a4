"""What the page of references is to show: which metric, which system, whose judgments beside it."""

from collections.abc import Sequence
from typing import Any, cast

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.models import Campaign, System
from metrics.scorers import SCORERS
from metrics.with_people.references.findings import METRICS


class ReferencesForm(forms.Form):
    """Read from the address. `settings()` gives clean values, the defaults for unknown ones."""

    metric = forms.ChoiceField(label=gettext_lazy("Metric"), required=False)
    system = forms.ChoiceField(label=gettext_lazy("System that is diagnosed"), required=False)
    campaign = forms.ChoiceField(label=gettext_lazy("Scores of people"), required=False)

    def __init__(
        self, systems: Sequence[System], campaigns: Sequence[Campaign], data: Any = None
    ) -> None:
        super().__init__(data)
        self.choice_field("metric").choices = [(slug, SCORERS[slug].name) for slug in METRICS]
        self.choice_field("system").choices = [(str(each.pk), each.name) for each in systems]
        named = [(str(each.pk), each.name) for each in campaigns]
        self.choice_field("campaign").choices = [("", _("none")), *named]
        if not campaigns:
            del self.fields["campaign"]

    def choice_field(self, name: str) -> forms.ChoiceField:
        return cast(forms.ChoiceField, self.fields[name])

    def settings(self) -> dict[str, str]:
        """Return a value for each field, "" for a system or a campaign that is not there."""
        self.is_valid()
        found = {"campaign": ""}
        for name in self.fields:
            values = [value for value, _ in cast(list, self.choice_field(name).choices)]
            found[name] = self.cleaned_data.get(name) or next(iter(values), "")
        return found
