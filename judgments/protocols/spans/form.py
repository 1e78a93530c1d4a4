"""The form of the protocol `spans`: the errors of each translation, and a score where it is asked.

Errors come as JSON that the screen's script writes into a hidden field:

    [{"start": 4, "end": 9, "side": "target", "severity": "major", "category": "accuracy/omission",
      "prefill": "1f0c…"}, …]

Offsets are code points of the stored text, the end exclusive; an error of what is missing has
neither. An empty list says that there are no errors; an empty field says nothing.
"""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple, cast

from django import forms
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from judgments.models import WITHOUT_PLACE, Side
from judgments.protocols.screen_form import ScreenForm

from ..model_questions import ModelQuestion, of_number
from ..rating.form import asked_in_words, field_name, rating_field
from . import practice
from . import screen as spans_screen
from .marking import NON_TRANSLATION, Marking
from .model_errors import question_of
from .practice import expected_errors, in_words, is_right

LONGEST = 50_000  # characters of JSON: fifty errors with long names are a fifth of it
KEYS = {"start", "end", "side", "severity", "category", "prefill"}
GARBLED = _("The marked errors could not be read. Open the page again and mark them once more.")


class Mark(NamedTuple):
    """One error. `prefill`: the key of the suggestion that it was made from; "" for one's own."""

    side: str
    start: int
    end: int
    severity: str
    category: str = ""
    prefill: str = ""


def prefill_key(pk: int) -> str:
    """Return what the screen calls a suggestion; the number itself could tell systems apart."""
    return salted_hmac("judgments.prefill", str(pk)).hexdigest()[:12]


def place_shown(proposed, row) -> tuple[int, int] | None:
    """Where a suggestion for an output stands in the text that is shown; None where an altered
    text has other words there. row: the output's `ItemOutput`."""
    start, end, altered = proposed.start, proposed.end, row.altered
    if altered is None or proposed.side != "target":
        return start, end
    if altered.start is None:
        return None
    added = len(altered.text) - len(row.output.text)
    if end <= altered.start:
        return start, end
    return (start + added, end + added) if start >= altered.end - added else None


def written(marks) -> str:
    """Return marks as the script reads and writes them."""
    return json.dumps([mark._asdict() for mark in marks], separators=(",", ":"))


class SpansField(forms.CharField):
    """JSON → a tuple of Marks; see the module. texts: the text of each side that has one."""

    widget = forms.HiddenInput
    default_error_messages = {
        "required": _("Mark the errors, or say that there are none."),
        "garbled": GARBLED,
        "category": _("Choose a category for each marked error."),
    }

    def __init__(
        self, *, marking: Marking, texts: Mapping[str, str], prefills: Mapping[str, int], **kwargs
    ):
        super().__init__(required=not marking.score, strip=False, **kwargs)
        self.max_length = LONGEST  # checked in `parsed`, in words of its own
        self.marking = marking
        self.texts = texts
        self.prefills = prefills

    def clean(self, value):
        text = super().clean(value)
        if not text:
            return ()
        rows = self.parsed(text)
        if len(rows) > self.marking.most:
            message = ngettext_lazy(
                "Mark at most %(most)d error.", "Mark at most %(most)d errors.", "most"
            )
            raise forms.ValidationError(message, code="many", params={"most": self.marking.most})
        marks = tuple(self.mark(row) for row in rows)
        self.check_together(marks)
        return marks

    def parsed(self, text: str) -> list[dict[str, Any]]:
        if len(text) > LONGEST:
            raise self.problem("garbled")
        try:
            rows = json.loads(text, parse_constant=_refuse, parse_float=_refuse)
        except (ValueError, RecursionError):
            raise self.problem("garbled") from None
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise self.problem("garbled")
        return rows

    def mark(self, row: dict[str, Any]) -> Mark:
        """Return one checked error."""
        words = [row.get(key, "") for key in ("side", "severity", "category", "prefill")]
        if not row.keys() <= KEYS or not all(isinstance(word, str) for word in words):
            raise self.problem("garbled")
        side, severity, category, prefill = words
        start, end = row.get("start", 0), row.get("end", 0)
        # A bool is an int in Python.
        if type(start) is not int or type(end) is not int:
            raise self.problem("garbled")
        if severity not in self.marking.severities or (prefill and prefill not in self.prefills):
            raise self.problem("garbled")
        if side in WITHOUT_PLACE:
            fits = start == end == 0
        else:
            fits = 0 <= start < end <= len(self.texts.get(side, ""))
        if not fits or not self.may_be(side, category, start, end):
            raise self.problem("garbled")
        if self.marking.slugs and not category:
            raise self.problem("category")
        return Mark(side, start, end, severity, category, prefill)

    def may_be(self, side: str, category: str, start: int, end: int) -> bool:
        """Return whether an error of this category may be on this side, from here to there."""
        if category == NON_TRANSLATION:
            whole = len(self.texts["target"])
            place = ("target", 0, whole) if whole else ("missing", 0, 0)
            return self.marking.non_translation and (side, start, end) == place
        if side == Side.OUTPUT:
            return category in self.marking.marks_by_slug
        return side in self.marking.sides and (not category or category in self.marking.slugs)

    def check_together(self, marks: tuple[Mark, ...]) -> None:
        places = {(mark.side, mark.start, mark.end, mark.category) for mark in marks}
        prefills = [mark.prefill for mark in marks if mark.prefill]
        alone = any(mark.category == NON_TRANSLATION for mark in marks)
        if (
            len(places) < len(marks)
            or len(set(prefills)) < len(prefills)
            or (alone and (len(marks) > 1 or marks[0].severity != self.marking.worst))
        ):
            raise self.problem("garbled")

    # ---- Tutorial items: see judgments.judging.practice.practice

    def check_expected(self, rows: Any) -> None:
        expected_errors(self.marking, self.texts, rows)

    def is_accepted(self, marks, rows) -> bool:
        return is_right(marks, expected_errors(self.marking, self.texts, rows))

    def in_words(self, marks) -> str:
        return in_words(self.marking, self.texts, marks)

    def expected_words(self, rows) -> str:
        return self.in_words(expected_errors(self.marking, self.texts, rows))

    def columns(self) -> dict[str, forms.Field]:
        return practice.columns(self.marking)

    def as_columns(self, row) -> dict[str, Any]:
        return practice.as_columns(self.texts, row)

    def from_columns(self, cleaned) -> dict[str, Any]:
        return practice.from_columns(self.texts, cleaned)

    def problem(self, code: str) -> forms.ValidationError:
        return forms.ValidationError(self.error_messages[code], code=code)


def _refuse(word: str) -> Any:
    raise ValueError(word)


class SpansForm(ScreenForm):
    """For each place on the screen the errors, and where it is asked the score."""

    class Media:
        js = [forms.Script("js/protocols/spans/spans.js", type="module")]

    def __init__(self, marking, dimensions, texts, prefills, language, **kwargs):
        """texts: per place {"target": …} and what other side may be marked. prefills: per place
        {key: PrefilledSpan}. language: of the translations."""
        super().__init__(**kwargs)
        self.marking = marking
        self.dimensions = dimensions
        self.texts = texts
        self.prefills = prefills
        self.language = language
        for place, (sides, proposed) in enumerate(zip(texts, prefills, strict=True), 1):
            self.fields[f"output{place}-spans"] = SpansField(
                marking=marking,
                texts=sides,
                prefills=proposed,
                label=_("Errors of translation %(place)d") % {"place": place},
            )
            for dimension in dimensions:
                self.fields[field_name(place, dimension)] = rating_field(place, dimension)
            self.fields[f"output{place}-confirmed"] = forms.CharField(
                required=False, max_length=1, widget=forms.HiddenInput
            )

    def blocks(self):
        """Return for templates: per place, the (dimension, bound field) pairs."""
        return [
            (place, [(d, self[field_name(place, d)]) for d in self.dimensions])
            for place in range(1, len(self.texts) + 1)
        ]

    @property
    def relative_color(self) -> bool:
        return self.marking.relative_color

    def markings(self):
        """Return for the template: what it needs of each place."""
        return spans_screen.places(self)

    def common(self):
        return spans_screen.common(self.marking, self.language)

    @property
    def KEYS(self):
        """For the lists of keys, as other forms have them; what there is depends on the marking."""
        return spans_screen.keys(self.marking)

    def buttons(self):
        return spans_screen.buttons(self.marking)

    def marks(self):
        return spans_screen.marks(self.marking)

    def category_groups(self):
        return spans_screen.category_groups(self.marking)

    def model_questions(self) -> list[ModelQuestion]:
        """Return for each place the errors first, and then its score, as people are asked."""
        found = []
        for place in range(1, len(self.texts) + 1):
            name = f"output{place}-spans"
            found.append(question_of(name, self.marking, self.texts[place - 1]))
            for dimension in self.dimensions:
                name = field_name(place, dimension)
                field = cast(forms.FloatField, self.fields[name])
                words = asked_in_words(str(field.label), dimension)
                if self.marking.unmarked == "refuse":
                    words += f" A score below {self.marking.unmarked_below} needs a marked error."
                found.append(of_number(name, field, words))
        return found

    def clean(self):
        cleaned = super().clean() or {}
        cleaned["prefills"] = {
            key: span.pk for proposed in self.prefills for key, span in proposed.items()
        }
        for place in range(1, len(self.texts) + 1):
            marks = cleaned.get(f"output{place}-spans")
            for dimension in self.dimensions:
                score = cleaned.get(field_name(place, dimension))
                if marks is None or score is None:
                    continue
                severities = [mark.severity for mark in marks]
                doubt = self.marking.is_doubtful(score, severities)
                if doubt == "refused" or (doubt and not cleaned.get(f"output{place}-confirmed")):
                    words = spans_screen.doubt_words(self.marking)[doubt]
                    self.add_error(f"output{place}-spans", words)
        return cleaned
