"""What the owner of a test set states about one of its systems."""

import re

from django import forms

from judgments.models import System, SystemFacts
from judgments.models.system_facts import HUMAN, MOST_PARAMETERS, SYSTEM_KINDS
from judgments.web.tables import figure

UNITS = {"": 1, "K": 10**3, "M": 10**6, "B": 10**9, "T": 10**12}
SIZE = re.compile(r"(\d{1,15}(?:\.\d{1,6})?) ?([KMBT]?)", re.ASCII | re.IGNORECASE)
NOBODY_SAID = "not stated: decided from the texts"


class SizeField(forms.CharField):
    """A number of parameters: 7000000000, 7,000,000,000, 7B or 1.5 B. Cleans to a whole number."""

    def prepare_value(self, value):
        return in_units(value) if isinstance(value, int) else value

    def clean(self, value):
        text = super().clean(value).replace(",", "")
        if not text:
            return None
        found = SIZE.fullmatch(text)
        n = round(float(found[1]) * UNITS[found[2].upper()]) if found else 0
        if not 1 <= n <= MOST_PARAMETERS:
            raise forms.ValidationError("Write a number such as 60000000, 600M or 1.5B.")
        return n


def in_units(n: int) -> str:
    """Return 7000000000 → 7B; a number that no unit shortens without a loss stays as it is."""
    for unit, size in reversed(UNITS.items()):
        if n >= size and n * 10 % size == 0:
            return f"{n / size:.10g}{unit}"
    return str(n)


class SystemFactsForm(forms.ModelForm):
    """All of it optional. A system whose kind is human is a person."""

    parameters = SizeField(
        required=False,
        max_length=20,
        label="Size, in parameters",
        help_text="Such as 600M or 70B.",
    )
    is_human = forms.TypedChoiceField(
        required=False,
        label="A human translation",
        choices=[("", NOBODY_SAID), ("yes", "yes"), ("no", "no")],
        coerce=lambda value: value == "yes",
        empty_value=None,
        help_text="Human translations are left out of metric correlations, unless a reader keeps "
        "them. What is stated here overrides what names and texts suggest.",
    )

    class Meta:
        model = SystemFacts
        fields = [
            *("kind", "parameters", "words_per_second", "is_human", "post_edited_from"),
            "is_control",
        ]
        labels = {
            "kind": "Kind",
            "words_per_second": "Speed, in words per second",
            "post_edited_from": "Post-edited from",
            "is_control": "A control system of known weakness",
        }
        help_texts = {
            "kind": f"{', '.join(SYSTEM_KINDS)}, or a word of your own.",
            "post_edited_from": (
                "The system whose outputs people edited, if its texts were made that way."
            ),
            "is_control": "Every ranking should place it last, and pages of results say whether "
            "they do. Annotators do not see this. Correlations of metrics leave it "
            "out, unless a reader keeps it.",
        }
        widgets = {"kind": forms.TextInput(attrs={"list": "system-kinds"})}

    def __init__(self, system: System, data=None):
        facts = SystemFacts.objects.filter(system=system).first() or SystemFacts(system=system)
        super().__init__(data, instance=facts)
        others = System.objects.filter(test_set=system.test_set_id).exclude(pk=system.pk)
        self.fields["post_edited_from"] = forms.ModelChoiceField(
            others,
            required=False,
            label=self.fields["post_edited_from"].label,
            help_text=self.fields["post_edited_from"].help_text,
            empty_label="no system",
        )
        self.initial["is_human"] = {True: "yes", False: "no", None: ""}[facts.is_human]

    def clean(self):
        cleaned = super().clean() or {}
        if cleaned.get("kind", "").casefold() == HUMAN:
            cleaned["kind"] = HUMAN
            if cleaned.get("is_human") is False:
                self.add_error("is_human", "The kind says that it is human. Change one of the two.")
            cleaned["is_human"] = True
        if cleaned.get("is_human") and cleaned.get("is_control"):
            self.add_error(
                "is_control", "A human translation cannot be a control system of known weakness."
            )
        return cleaned

    def save(self, commit=True):
        """Stores what is stated; the row goes when nothing is."""
        if not self.instance.is_empty:
            return super().save(commit)
        SystemFacts.objects.filter(pk=self.instance.pk).delete()
        return self.instance


def facts_in_words(facts: SystemFacts | None) -> str:
    """Return one line for lists: `neural, 600M parameters, 12.5 words per second`."""
    if facts is None:
        return ""
    found = [facts.kind] if facts.kind else []
    if facts.is_control:
        found.append("control system of known weakness")
    if facts.is_human is not None and facts.kind != HUMAN:
        found.append("human" if facts.is_human else "not human")
    if facts.parameters is not None:
        found.append(f"{in_units(facts.parameters)} parameters")
    if facts.words_per_second is not None:
        found.append(f"{figure(facts.words_per_second, 1)} words per second")
    if facts.post_edited_from is not None:
        found.append(f"post-edited from {facts.post_edited_from.name}")
    return ", ".join(found)
