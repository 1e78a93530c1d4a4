"""The form that asks for a baseline system."""

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.models import TestSet
from metrics.baselines.registry import KINDS


class BaselineForm(forms.Form):
    kind = forms.ChoiceField(
        label=gettext_lazy("Kind of system"),
        choices=[(kind.slug, kind.name) for kind in KINDS.values()],
    )
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=200,
        help_text=gettext_lazy("Annotators do not see it."),
    )

    def __init__(self, test_set: TestSet, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.taken = set(test_set.systems.values_list("name", flat=True))
        names = ["Baseline", *(f"Baseline {n}" for n in range(2, len(self.taken) + 3))]
        self.fields["name"].initial = next(name for name in names if name not in self.taken)

    def clean_name(self) -> str:
        name = self.cleaned_data["name"]
        if name in self.taken:
            raise forms.ValidationError(_("There is a system of this name already."))
        return name
