"""The forms of a tutorial item: its texts, and what is expected of each question of its screen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django import forms

from judgments.files.markdown import LONGEST
from judgments.models import Campaign
from judgments.plans.campaigns.forms import NO_VERSION
from judgments.protocols import protocol_of

from .practice import LONGEST_TEXT, ExpectsRows, KnowsExpected, expected_words, is_accepted

MORE_ROWS, MOST_ROWS = 2, 50
ASKED = (("", "Any answer is right"), ("none", "No errors"), ("some", "These errors, and no other"))
TICKED = (("", "Any answer is right"), ("True", "Ticked"), ("False", "Not ticked"))


class PracticeTextsForm(forms.Form):
    """What a tutorial item shows, and what is told after the answer."""

    source = forms.CharField(
        required=False, max_length=LONGEST_TEXT, widget=forms.Textarea(attrs={"rows": 2})
    )
    reference = forms.CharField(
        required=False,
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="If the campaign shows one.",
    )
    feedback = forms.CharField(
        required=False,
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Markdown, shown after the answer.",
    )
    place = forms.IntegerField(
        required=False, min_value=1, label="Place", help_text="Items are shown in this order."
    )
    version = forms.CharField(
        max_length=64, widget=forms.HiddenInput, error_messages={"required": NO_VERSION}
    )

    def __init__(self, campaign: Campaign, row: Mapping[str, Any], *, initial, data=None):
        """row: of the stored item; empty for a new one. Another translation has a place as long as
        the protocol shows more."""
        outputs = row.get("outputs", [])
        fewest, most = protocol_of(campaign).outputs_per_item()
        texts = {f"output{n}": text for n, text in enumerate(outputs, 1)}
        super().__init__(data, initial={**row, **texts, **initial})
        self.output_names = []
        for number in range(1, min(most, max(fewest, len(outputs) + 1)) + 1):
            self.output_names.append(f"output{number}")
            self.fields[f"output{number}"] = forms.CharField(
                required=number <= fewest,
                max_length=LONGEST_TEXT,
                strip=False,
                widget=forms.Textarea(attrs={"rows": 2}),
                label=f"Translation {number}",
            )
        first = ("place", "source", "reference", *self.output_names, "feedback", "version")
        self.order_fields(first)

    def row(self) -> dict[str, Any]:
        """As `read_row` reads it, without what is expected."""
        said = self.cleaned_data
        outputs = [said[name] for name in self.output_names if said[name]]
        return {"outputs": outputs} | {
            key: said[key] for key in ("source", "reference", "feedback")
        }


@dataclass
class AskedQuestion:
    """What the page shows of one question of the screen. kept: in words, what was expected and has
    no place in these fields; it stays unless they are filled in."""

    label: str
    fields: list[forms.BoundField] = field(default_factory=list)
    rows: list[list[forms.BoundField]] = field(default_factory=list)
    kept: str = ""


class ExpectedForm(forms.Form):
    """The expected answers, by the fields of the screen that annotators answer."""

    def __init__(self, screen_form: forms.Form, expected: Mapping[str, Any], data=None):
        super().__init__(data, prefix="expected")
        self.screen_form, self.expected = screen_form, expected
        self.asked = {
            name: each
            for name, each in screen_form.fields.items()
            if isinstance(each, KnowsExpected) or not each.widget.is_hidden
        }
        for name, each in self.asked.items():
            for suffix, made in self.fields_of(name, each).items():
                made.has_default = True  # type: ignore[attr-defined]  # what is empty is not asked
                self.fields[f"{name}{suffix}"] = made
        self.kept = {
            name: expected[name]
            for name, each in self.asked.items()
            if name in expected and not isinstance(each, ExpectsRows)
            if plain(self.read(name, self.initials(name))) != plain(expected[name])
        }
        for name in self.asked:
            for suffix, value in self.initials(name).items():
                if name not in self.kept:
                    self.initial[f"{name}{suffix}"] = value

    def fields_of(self, name: str, each: Any) -> dict[str, forms.Field]:
        """Return the fields of a question, by what is added to its name."""
        if isinstance(each, ExpectsRows):
            found: dict[str, forms.Field] = {
                "": forms.ChoiceField(required=False, choices=ASKED, label="Expected")
            }
            for number in range(self.n_rows(name)):
                for column, made in each.columns().items():
                    found[f"-{number}-{column}"] = made
            return found
        if isinstance(each, KnowsExpected):
            hint = "Such as 0-0 1-2 2p3, counted from 0; p: possible."
            return {"": text_field("Expected", hint, forms.TextInput())}
        if isinstance(each, forms.ChoiceField):
            choices = [(value, words) for value, words in choices_of(each) if value != ""]
            boxes = forms.CheckboxSelectMultiple
            label = "Accepted answers"
            return {
                "": forms.MultipleChoiceField(
                    required=False, choices=choices, widget=boxes, label=label
                )
            }
        if isinstance(each, forms.BooleanField):
            return {"": forms.ChoiceField(required=False, choices=TICKED, label="Expected")}
        if isinstance(each, forms.IntegerField):  # as a field of decimals is
            ends: dict[str, Any] = {"min_value": each.min_value, "max_value": each.max_value}
            found = {
                "-from": forms.FloatField(required=False, label="From", **ends),
                "-to": forms.FloatField(required=False, label="To", **ends),
            }
            others = [
                (other, self.screen_form[other].label)
                for other, field in self.asked.items()
                if other != name and isinstance(field, forms.IntegerField)
            ]
            if others:
                found["-above"] = forms.ChoiceField(
                    required=False, choices=[("", "–"), *others], label="And above"
                )
            return found
        return {"": text_field("Accepted texts", "One per line.", forms.Textarea({"rows": 2}))}

    def n_rows(self, name: str) -> int:
        """As many as were sent, or as there are and some more."""
        if self.is_bound:
            sent = range(MOST_ROWS)
            return sum(self.add_prefix(f"{name}-{n}-text") in self.data for n in sent)
        return min(len(self.expected.get(name, ())) + MORE_ROWS, MOST_ROWS)

    def initials(self, name: str) -> dict[str, Any]:
        """Return what the fields show of what is stored, by what is added to the name."""
        each: Any = self.asked[name]
        accepted = self.expected.get(name)
        if accepted is None:
            return {}
        if isinstance(each, ExpectsRows):
            found: dict[str, Any] = {"": "some" if accepted else "none"}
            for number, row in enumerate(accepted):
                for column, value in each.as_columns(row).items():
                    found[f"-{number}-{column}"] = value
            return found
        if isinstance(each, KnowsExpected):
            return {"": accepted}
        if isinstance(each, forms.ChoiceField):
            return {
                "": [str(v) for v, _ in choices_of(each) if v != "" and is_accepted(v, accepted)]
            }
        if isinstance(each, forms.IntegerField):
            bounds = accepted if isinstance(accepted, dict) else {"from": accepted, "to": accepted}
            return {f"-{end}": value for end, value in bounds.items()}
        if isinstance(each, forms.BooleanField):
            return {"": str(bool(accepted))}
        texts = accepted if isinstance(accepted, list) else [accepted]
        return {"": "\n".join(map(str, texts))}

    def read(self, name: str, said: Mapping[str, Any]) -> Any:
        """Return what is expected, as it is stored; None where nothing is. said: by what is added
        to the name. Raise ValueError in words."""
        each: Any = self.asked[name]
        value = said.get("")
        if isinstance(each, ExpectsRows):
            return self.read_rows(each, said)
        if isinstance(each, KnowsExpected):
            return value or None
        if isinstance(each, forms.ChoiceField):
            coerce = getattr(each, "coerce", str)
            answers = [whole(coerce(answer)) for answer in value or ()]
            return answers[0] if len(answers) == 1 else answers or None
        if isinstance(each, forms.IntegerField):
            low, high, above = said.get("-from"), said.get("-to"), said.get("-above")
            found: dict[str, Any] = {"above": above} if above else {}
            if low is not None or high is not None:
                found["from"] = whole(each.min_value if low is None else low)
                found["to"] = whole(each.max_value if high is None else high)
                if found["from"] > found["to"]:
                    raise ValueError("“From” is greater than “To”.")
            return found or None
        if isinstance(each, forms.BooleanField):
            return {"True": True, "False": False}.get(value or "")
        texts = [line for line in (value or "").splitlines() if line.strip()]
        return texts[0] if len(texts) == 1 else texts or None

    def read_rows(self, each: ExpectsRows, said: Mapping[str, Any]) -> list[dict] | None:
        rows = []
        for number in range(MOST_ROWS):
            start = f"-{number}-"
            row = {k.removeprefix(start): v for k, v in said.items() if k.startswith(start)}
            if any(value for column, value in row.items() if column != "side") or (
                row.get("side") not in (None, "", "target")
            ):
                rows.append(each.from_columns({"text": ""} | row))
        if rows and said.get("") != "some":
            raise ValueError("Errors are listed, so choose “These errors, and no other”.")
        if said.get("") == "some" and not rows:
            raise ValueError("List the errors that are expected.")
        return rows if said.get("") else None

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        self.found: dict[str, Any] = {}
        for name, each in self.asked.items():
            suffixes = {key: key.removeprefix(name) for key in self.fields if self.is_of(key, name)}
            said = {suffix: cleaned.get(key) for key, suffix in suffixes.items()}
            first = next(iter(suffixes))
            try:
                accepted = self.read(name, said)
                before = self.expected.get(name)
                if accepted is None:
                    accepted = self.kept.get(name)
                elif plain(accepted) == plain(before):
                    accepted = before  # in the words of the file that it came with
                if accepted is not None:
                    if isinstance(each, KnowsExpected):
                        each.check_expected(accepted)
                    self.found[name] = accepted
            except ValueError as error:
                self.add_error(first, str(error))
        return cleaned

    def is_of(self, key: str, name: str) -> bool:
        return key == name or (key.startswith(f"{name}-") and key not in self.asked)

    def questions(self) -> Iterator[AskedQuestion]:
        """Yield for the page."""
        for name in self.asked:
            label = str(self.screen_form[name].label)
            question = AskedQuestion(label)
            if name in self.kept:
                question.kept = expected_words(self.screen_form, name, self.kept[name])
            rows: dict[str, list[forms.BoundField]] = {}
            for key in self.fields:
                suffix = key.removeprefix(name)
                if not self.is_of(key, name):
                    continue
                number = suffix[1:].partition("-")[0]
                if number.isdigit():
                    rows.setdefault(number, []).append(self[key])
                else:
                    question.fields.append(self[key])
            question.rows = list(rows.values())
            yield question


def choices_of(field: forms.ChoiceField) -> list[tuple[Any, Any]]:
    found: Any = field.choices
    return list(found)


def text_field(label: str, hint: str, widget: forms.Widget) -> forms.CharField:
    return forms.CharField(
        required=False, max_length=LONGEST_TEXT, label=label, help_text=hint, widget=widget
    )


def whole(value: Any) -> Any:
    """Return a number without a fraction as a whole one, as people write it."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def plain(accepted: Any) -> Any:
    """Return two ways to write the same expected answer are the same here."""
    if isinstance(accepted, list):
        values = [plain(each) for each in accepted]
        return values[0] if len(values) == 1 else sorted(values, key=str)
    if isinstance(accepted, dict):
        if accepted.keys() == {"from", "to"} and accepted["from"] == accepted["to"]:
            return plain(accepted["from"])
        return {key: plain(value) for key, value in accepted.items()}
    try:
        return float(accepted)
    except (TypeError, ValueError):
        return accepted
