"""A reference set from a file."""

from typing import Any, cast

from django import forms

from judgments.files.forms import FilesForm, OneFileField
from judgments.files.reference_texts import read_reference
from judgments.files.table import problem_with_name
from judgments.files.texts import LONGEST_REFERENCE_NAME
from judgments.models import CloningStep, TestSet

from .importing import AddedReference, Correction, add_reference


class ReferenceSetForm(FilesForm):
    """One file, its name, and what it corrects."""

    name = forms.CharField(
        max_length=LONGEST_REFERENCE_NAME,
        strip=False,
        label="Name",
        help_text="Tells the references of the test set apart, such as refB or ref-errors.",
    )
    file = OneFileField(
        label="Reference translations",
        help_text="Plain text, where line n translates segment n and is empty if there is no such "
        "reference; or a .tsv, .csv or .jsonl with the columns segment and text.",
    )
    original = forms.ChoiceField(
        required=False,
        label="Corrected copy of",
        help_text="The reference that it was made from. Leave it empty for an independent "
        "translation.",
    )
    step = forms.ChoiceField(
        required=False,
        label="Correction step",
        choices=[("", "not stated"), *CloningStep.choices],
    )
    replace = forms.BooleanField(required=False, label="Replace a reference of the same name")

    def __init__(self, test_set: TestSet, names: list[str], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.test_set = test_set
        original = cast(forms.ChoiceField, self.fields["original"])
        original.choices = [("", "no other reference"), *((name, name) for name in names)]
        if not names:
            for field in ("original", "step", "replace"):
                del self.fields[field]

    def clean_name(self) -> str:
        name = self.cleaned_data["name"]
        if problem := problem_with_name(name, LONGEST_REFERENCE_NAME):
            raise forms.ValidationError(problem.capitalize())
        return name

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if cleaned.get("step") and not cleaned.get("original"):
            self.add_error("original", "Choose the reference that was corrected.")
        return cleaned

    def add(self) -> AddedReference:
        """Store what a valid form holds. Raise ImportProblem."""
        data = self.cleaned_data
        original, file = data.get("original", ""), data["file"]
        rows = read_reference(file, data["name"], self.test_set.segments.count())
        return add_reference(
            self.test_set,
            data["name"],
            rows,
            file=file.name,
            correction=Correction(original, data["step"]) if original else None,
            replace=data.get("replace", False),
        )
