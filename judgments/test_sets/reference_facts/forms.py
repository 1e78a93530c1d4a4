"""What the owner of a test set states about one of its references."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError

from judgments.models import CloningStep, ReferenceFacts, ReferenceKind, TestSet, reference_facts_of
from judgments.models.reference_facts import line_of


class ReferenceFactsForm(forms.Form):
    """All of it optional; without a kind nothing is stated. facts: what is stored of all references
    of the test set; said: what is being stated beside it, so that no copies go in a circle."""

    kind = forms.ChoiceField(
        required=False,
        label="Where it comes from",
        choices=[("", "not stated: decided from the texts"), *ReferenceKind.choices],
    )
    system = forms.TypedChoiceField(
        required=False,
        coerce=int,
        empty_value=None,
        label="Donor of the whole set",
        help_text="The system whose outputs were edited or chosen, or the model that wrote it. "
        "Leave it empty where segments have donors of their own, or the system is not here.",
    )
    original = forms.ChoiceField(
        required=False,
        label="Original",
        help_text="The reference that a corrected copy was made from.",
    )
    step = forms.ChoiceField(
        required=False,
        label="Correction step",
        choices=[("", "not stated"), *CloningStep.choices],
        help_text="What the copy corrects (Forsbom 2003).",
    )

    def __init__(
        self,
        test_set: TestSet,
        name: str,
        names: Sequence[str],
        systems: Mapping[int, str],
        facts: Mapping[str, ReferenceFacts],
        data=None,
        *,
        prefix: str | None = None,
        said: Mapping[str, str] | None = None,
    ) -> None:
        self.test_set, self.name = test_set, name
        self.stored = facts.get(name)
        self.facts, self.said = facts, said or {}
        initial = (
            {key: getattr(self.stored, key) for key in ("kind", "original", "step")}
            if (self.stored)
            else {}
        )
        if self.stored:
            initial["system"] = self.stored.system_id
        super().__init__(data, prefix=prefix, initial=initial)
        cast(forms.ChoiceField, self.fields["system"]).choices = [
            ("", "no system"),
            *systems.items(),
        ]
        others = [(other, other) for other in names if other != name]
        choices_of(self, "original", [("", "none"), *others])

    def clean(self):
        cleaned = super().clean() or {}
        kind = cleaned.get("kind")
        if not kind and any(cleaned.get(key) for key in ("system", "original", "step")):
            self.add_error("kind", "Also say where it comes from.")
        elif kind == ReferenceKind.HUMAN and cleaned.get("system"):
            self.add_error("system", "A human translation has no donor.")
        if kind and kind != ReferenceKind.CORRECTED:
            for key in ("original", "step"):
                if cleaned.get(key):
                    self.add_error(key, "Only a corrected copy has one.")
        if (original := cleaned.get("original")) and self.comes_back(original):
            self.add_error("original", f"{original} was itself made from {self.name}.")
        return cleaned

    def comes_back(self, original: str) -> bool:
        """Return whether the reference would be a copy of itself, by way of others."""
        stated = {
            name: each
            for name, each in self.facts.items()
            if name not in self.said and name != self.name
        }
        for name, of in self.said.items():
            stated[name] = ReferenceFacts(name=name, original=of)
        stated[self.name] = ReferenceFacts(name=self.name, original=original)
        line = line_of(stated, original)
        return self.name in line

    def save(self) -> None:
        """Stores what is stated; the row goes when nothing is."""
        said = self.cleaned_data
        found: dict[str, Any] = {"name": self.name, "test_set": self.test_set}
        if not said["kind"]:
            ReferenceFacts.objects.filter(**found).delete()
            return
        values = {key: said[key] for key in ("kind", "original", "step")}
        ReferenceFacts.objects.update_or_create(
            **found, defaults=values | {"system_id": said["system"]}
        )


class DonorsForm(forms.Form):
    """Of which reference donors are looked for in texts, or removed."""

    name = forms.ChoiceField()
    act = forms.ChoiceField(choices=[("find", "find"), ("forget", "forget")])

    def __init__(self, test_set: TestSet, data) -> None:
        super().__init__(data)
        cast(forms.ChoiceField, self.fields["name"]).choices = [
            (name, name) for name in test_set.reference_names
        ]


def choices_of(form: forms.Form, name: str, choices: list[tuple[Any, str]]) -> None:
    cast(forms.ChoiceField, form.fields[name]).choices = choices


def forms_of(test_set: TestSet, data=None) -> list[ReferenceFactsForm]:
    """Return a form for each reference of a test set, in alphabetical order. data: of those only
    that the page had, since one may have come meanwhile, whose facts stay."""
    names = test_set.reference_names
    prefixes = {name: prefix_of(name) for name in names}
    if data is not None:
        prefixes = {name: each for name, each in prefixes.items() if f"{each}-kind" in data}
    systems = dict(test_set.systems.order_by("name").values_list("pk", "name"))
    facts = reference_facts_of(test_set)
    said = None
    if data is not None:
        said = {name: data.get(f"{prefix}-original", "") for name, prefix in prefixes.items()}
    return [
        ReferenceFactsForm(test_set, name, names, systems, facts, data, prefix=prefix, said=said)
        for name, prefix in prefixes.items()
    ]


def save_all(forms: Sequence[ReferenceFactsForm]) -> None:
    """Store what all of them state. Raise ValidationError where one of them is wrong."""
    if not all(form.is_valid() for form in forms):
        raise ValidationError("One of the references has an error.")
    for form in forms:
        form.save()


def prefix_of(name: str) -> str:
    """Return a word for the fields of a reference, whose name may have any characters; the same
    whatever other references come meanwhile."""
    return f"r{sha256(name.encode()).hexdigest()[:8]}"
