"""What a manager may set about a campaign beyond its preset: data for the form New campaign.

A protocol names its options in `options(preset)`; the form has a field for each, begins with the
preset's value, and stores the clean value in `Campaign.options` under the option's slug. So an
option is added where it is read, in its protocol, and the form, its view and its template stay as
they are:

    def options(preset):
        return (SHOW_SOURCE, yes_no("explain", "Ask for a reason"), outputs_on_screen(1, 5))

What several options or the texts decide together, a protocol says in

    problems(preset, options, test_set)    a dict from an option's slug (None: the form as a whole)
                                           to what is wrong; empty when all is well
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from django import forms

from .base import Preset

Choices = Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Option:
    """One field of the form.

    field: makes the form field; it gets the user who makes the campaign, because what there is to
    choose may depend on them. shown: turns a stored value into what the field shows at first.
    default: the value where the preset names none.
    """

    slug: str
    field: Callable[[Any], forms.Field]
    shown: Callable[[Any], Any] = lambda value: value
    default: Any = None

    def initial(self, preset: Preset) -> Any:
        return self.shown(preset.options.get(self.slug, self.default))


class ParsedField(forms.CharField):
    """Text that `parse` turns into what is stored; its ValueError is what the manager reads."""

    def __init__(self, *, parse: Callable[[str], Any], **kwargs):
        super().__init__(**kwargs)
        self.parse = parse

    def clean(self, value):
        text = super().clean(value)
        try:
            return self.parse(text)
        except ValueError as error:
            raise forms.ValidationError(str(error)) from None


def yes_no(slug: str, label: str, help_text: str = "", *, default: bool = False) -> Option:
    def field(user):
        return forms.BooleanField(required=False, label=label, help_text=help_text)

    return Option(slug, field, default=default)


def whole_number(
    slug: str, label: str, low: int, high: int, help_text: str = "", *, default: int | None = None
) -> Option:
    """A number from low to high."""

    def field(user):
        return forms.IntegerField(min_value=low, max_value=high, label=label, help_text=help_text)

    return Option(slug, field, default=default)


def choice(
    slug: str,
    label: str,
    choices: Choices | Callable[[Any], Choices],
    help_text: str = "",
    *,
    default: str = "",
) -> Option:
    """One of (value, words); choices may be a function of the user who makes the campaign."""

    def field(user):
        return forms.ChoiceField(
            choices=choices(user) if callable(choices) else choices,
            widget=forms.RadioSelect if not callable(choices) else forms.Select,
            label=label,
            help_text=help_text,
        )

    return Option(slug, field, default=default)


def lines(
    slug: str,
    label: str,
    parse: Callable[[str], Any],
    help_text: str = "",
    *,
    shown: Callable[[Any], str] = str,
    required: bool = False,
    rows: int = 4,
) -> Option:
    """Lines of text, such as a tree of categories. parse: text → a value that JSON can hold;
    raises ValueError in words. shown: the other way around."""

    def field(user):
        return ParsedField(
            parse=parse,
            required=required,
            widget=forms.Textarea(attrs={"rows": rows}),
            label=label,
            help_text=help_text,
        )

    return Option(slug, field, lambda value: "" if value is None else shown(value))


# What several protocols ask.
SHOW_SOURCE = yes_no("show_source", "Show the source text", default=True)
SHOW_REFERENCE = yes_no(
    "show_reference",
    "Show a reference translation",
    "A reference steers people towards its own wording, and cannot be rated itself.",
    default=True,
)
CONTEXT = choice(
    "context",
    "What annotators see around a segment",
    (
        ("none", "Nothing: each segment by itself"),
        ("document", "The whole document, segment after segment in order"),
    ),
    "Errors across sentences, such as a wrong pronoun, only show in the document.",
    default="none",
)


def outputs_on_screen(low: int, high: int) -> Option:
    return whole_number(
        "outputs_per_item",
        "Translations on one screen, at most",
        low,
        high,
        "Those that are seen side by side are compared with less noise; more take longer to read.",
        default=high,
    )


def options_of(protocol: ModuleType, preset: Preset) -> tuple[Option, ...]:
    """The options of a preset: those of its protocol, or the texts that are shown."""
    named = getattr(protocol, "options", None)
    return named(preset) if named else (SHOW_SOURCE, SHOW_REFERENCE)


def problems_of(
    protocol: ModuleType, preset: Preset, options: Mapping[str, Any], test_set
) -> dict[str | None, str]:
    """What is wrong with options that are each right by themselves."""
    check = getattr(protocol, "problems", None)
    return check(preset, options, test_set) if check else {}
