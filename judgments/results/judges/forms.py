"""What a reader says of the systems that a judge is held against."""

from typing import cast

from django import forms
from django.utils.translation import gettext_lazy as _

from judgments.models import Judge, System


class JudgeFamilyForm(forms.Form):
    """Which systems are of the judge's own family; those whose names hold the family's until
    somebody says."""

    family = forms.MultipleChoiceField(
        label=_("Systems of its own family"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, judge: Judge, data) -> None:
        systems = System.objects.filter(test_set=judge.answers.test_set_id).order_by("name")
        names = list(systems.values_list("name", flat=True))
        known = judge.family.strip().casefold()
        named = [name for name in names if known and known in name.casefold()]
        is_said = "family" in data or "own" in data
        super().__init__(data if is_said else None, initial={"family": named})
        field = cast(forms.MultipleChoiceField, self.fields["family"])
        field.choices = [(name, name) for name in names]
        self.named = named

    def chosen(self) -> list[str]:
        """Return ValueError, in words, for systems that are not there."""
        if not self.is_bound:
            return self.named
        if not self.is_valid():
            raise ValueError(" ".join(map(str, self.errors["family"])))
        return self.cleaned_data["family"]
