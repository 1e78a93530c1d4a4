"""The options of a campaign: read for the product, and set by managers.

What the product reads is a frozen `Options`, or a subclass that a protocol names in `reads`: one
field for each option with its default, filled from the preset and from the campaign above it.

What a manager may set beyond the preset is data for the form New campaign: `option_fields(preset)`
of a protocol. The form has a field for each, begins with the preset's value, and stores the clean
value in `Campaign.options` under the option's slug. So an option is added where it is read, in its
protocol, and the form, its view and its template stay as they are:

    @dataclass(frozen=True)
    class ReasonOptions(Options):
        explain: bool = False

    class Reasons(Protocol):
        reads = ReasonOptions

        @classmethod
        def option_fields(cls, preset):
            return SHOW_SOURCE, yes_no("explain", "Ask for a reason"), outputs_on_screen(1, 5)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Self

from django import forms

from .presets import preset_named

if TYPE_CHECKING:
    from judgments.models import Campaign

Choices = Sequence[tuple[str, str]]
LONGEST = 30_000  # characters that `parse` gets: 200 lines of 120, and room for line ends


@dataclass(frozen=True)
class Options:
    """What every protocol reads."""

    show_source: bool = True
    show_reference: bool = True
    held_back: tuple[str, ...] = ()
    """"source" and "reference", where seeing them would give the answer away."""
    context: str = "none"
    """"document" where the screen shows the document around a segment."""
    fewest_per_item: int = 1
    outputs_per_item: int = 1
    unit: str = "segment"
    edits_of: int = 0
    """The campaign whose edits are judged, where the unit is an edit."""
    are_means: bool = False
    """Whether its values are means over raters whom a release does not name."""
    rows_left_out: int = 0
    """How many rows of the imported files are left out, because they could not be read."""
    sentence_steps: bool = False
    """Whether paragraphs are read sentence by sentence, unless an annotator likes it otherwise."""
    word_links: bool = False
    """Whether the words that correspond are marked, as an aligner links them."""
    omission_hints: bool = False
    """Whether words of the source are marked to which an aligner finds nothing that answers."""
    hidden_progress: bool = False
    """Whether annotators do not see how much is done and how much is left."""
    relative_color: bool = False
    """Whether a slider's color tells its place among those of the other translations."""

    OF_JUDGMENTS: ClassVar[tuple[str, ...]] = ("rows_left_out",)
    """What is said of judgments that came in, and not of what is to be judged."""

    FIXED: ClassVar[tuple[str, ...]] = ("held_back",)
    """What a preset decides alone."""

    @classmethod
    def of(cls, campaign: Campaign) -> Self:
        """Return the options of a campaign: what it says itself, and its preset beneath."""
        return cls.read(preset_named(campaign.preset).options, campaign.options)

    @classmethod
    def read(cls, preset: Mapping[str, Any], campaign: Mapping[str, Any] | None = None) -> Self:
        """From what is stored. What is not there, null or an empty text has its default."""
        found = {}
        campaign = campaign or {}
        for name, default, is_fixed in _fields(cls):  # type: ignore[arg-type]
            value = None if is_fixed else campaign.get(name)
            if value is None or value == "":
                value = preset.get(name)
            if value is not None and value != "":
                found[name] = as_typed(value, default)
        return cls(**found)


@cache  # every page of a judging annotator reads options
def _fields(options: type[Options]) -> list[tuple[str, Any, bool]]:
    """Return the name of each, its default, and whether the preset decides it alone."""
    return [(field.name, field.default, field.name in options.FIXED) for field in fields(options)]


def as_typed(value: Any, default: Any) -> Any:
    """Return a value as JSON has it, of the type of its default."""
    if isinstance(default, bool | int | str):
        return type(default)(value)
    return tuple(value) if isinstance(value, list) else value


@dataclass(frozen=True)
class Option:
    """One field of the form, and one key of a campaign's file.

    field: makes the form field; it gets the user who makes the campaign, because what there is to
    choose may depend on them, as `of_user` says. shown: turns a value into what the field shows at
    first. shape: the JSON Schema of a value that the form has as lines; of all others it follows
    from the field. kept: (clean value, value of a file) → what is stored of a file that may say
    more than the form.
    """

    slug: str
    field: Callable[[Any], forms.Field]
    shown: Callable[[Any], Any] = lambda value: value
    of_user: bool = False
    shape: Mapping[str, Any] | None = None
    kept: Callable[[Any, Any], Any] = lambda clean, value: clean

    def initial(self, options: Options) -> Any:
        return self.shown(getattr(options, self.slug))

    def from_file(self, value: Any, user: Any) -> Any:
        """Return the clean value of one that fits the schema. Raise ValidationError."""
        return self.kept(self.field(user).clean(self.shown(value)), value)

    def schema(self) -> dict[str, Any]:
        if self.of_user:
            return {"type": ["integer", "string"]}
        found = schema_of(self.field(None))
        return found if self.shape is None else {**self.shape, "description": found["description"]}


def schema_of(field: forms.Field, words: str = "") -> dict[str, Any]:
    """Return the JSON Schema of what a form's field takes. words: what is said of it instead of its
    label and help."""
    told: dict[str, Any] = {"description": words or f"{field.label}. {field.help_text}".strip()}
    if isinstance(field, forms.BooleanField):
        return {"type": "boolean", **told}
    if isinstance(field, forms.IntegerField):  # as a field of decimals is
        kind = "number" if isinstance(field, forms.FloatField) else "integer"
        ends = {"minimum": field.min_value, "maximum": field.max_value}
        told |= {name: end for name, end in ends.items() if end is not None}
        return {"type": kind if field.required else [kind, "null"], **told}
    known = [value for value, _ in getattr(field, "choices", ())]
    text: dict[str, Any] = {"type": "string", **({"enum": known} if known else {})}
    if isinstance(field, forms.MultipleChoiceField):
        return {"type": "array", "items": text, **told}
    if most := getattr(field, "max_length", None):
        text["maxLength"] = most
    return {**text, **told}


class ParsedField(forms.CharField):
    """Text that `parse` turns into what is stored; its ValueError is what the manager reads."""

    def __init__(self, *, parse: Callable[[str], Any], **kwargs):
        super().__init__(max_length=LONGEST, **kwargs)
        self.parse = parse

    def clean(self, value):
        text = super().clean(value)
        try:
            return self.parse(text)
        except ValueError as error:
            raise forms.ValidationError(str(error)) from None


def yes_no(slug: str, label: str, help_text: str = "") -> Option:
    def field(user):
        return forms.BooleanField(required=False, label=label, help_text=help_text)

    return Option(slug, field)


def whole_number(
    slug: str,
    label: str,
    low: int,
    high: int,
    help_text: str = "",
    *,
    shown: Callable[[Any], Any] = lambda value: value,
) -> Option:
    """Return a number from low to high."""

    def field(user):
        return forms.IntegerField(min_value=low, max_value=high, label=label, help_text=help_text)

    return Option(slug, field, shown)


def choice(
    slug: str,
    label: str,
    choices: Choices | Callable[[Any], Choices],
    help_text: str = "",
) -> Option:
    """Return one of (value, words); choices may be a function of the user who makes the
    campaign."""

    def field(user):
        return forms.ChoiceField(
            choices=choices(user) if callable(choices) else choices,
            widget=forms.RadioSelect if not callable(choices) else forms.Select,
            label=label,
            help_text=help_text,
        )

    return Option(slug, field, of_user=callable(choices))


def lines(
    slug: str,
    label: str,
    parse: Callable[[str], Any],
    help_text: str = "",
    *,
    shown: Callable[[Any], str] = str,
    required: bool = False,
    rows: int = 4,
    shape: Mapping[str, Any] | None = None,
    kept: Callable[[Any, Any], Any] = lambda clean, value: clean,
) -> Option:
    """Return lines of text, such as a tree of categories. parse: text → a value that JSON can hold;
    raises ValueError in words. shown: the other way around. shape, kept: see `Option`."""

    def field(user):
        return ParsedField(
            parse=parse,
            required=required,
            widget=forms.Textarea(attrs={"rows": rows}),
            label=label,
            help_text=help_text,
        )

    return Option(slug, field, lambda value: shown(value) if value else "", shape=shape, kept=kept)


# What several protocols ask.
SHOW_SOURCE = yes_no("show_source", "Show the source text")
SHOW_REFERENCE = yes_no(
    "show_reference",
    "Show a reference translation",
    "A reference steers people towards its own wording, and cannot be rated itself.",
)
CONTEXT = choice(
    "context",
    "What annotators see around a segment",
    (
        ("none", "Nothing: each segment by itself"),
        ("document", "The whole document, segment after segment in order"),
    ),
    "Errors across sentences, such as a wrong pronoun, can only be seen in the document.",
)

SENTENCE_STEPS = yes_no(
    "sentence_steps",
    "Lead through paragraphs sentence by sentence",
    "The current sentence is highlighted together with its counterpart, unread text is gray, and "
    "the space bar moves on. Segments and scores stay those of the paragraph; annotators may "
    "turn it off.",
)

WORD_LINKS = yes_no(
    "word_links",
    "Show which words correspond (by an automatic aligner)",
    "Pointing at a word marks its counterparts, and the source scrolls by them. The links are made "
    "when the work is planned, of altered texts too, and are sometimes wrong.",
)
OMISSION_HINTS = yes_no(
    "omission_hints",
    "Hint at words of the source that may be left out (by an automatic aligner)",
    "They are listed and underlined with dots. Hints steer people; which were shown is stored with "
    "each judgment.",
)

HIDDEN_PROGRESS = yes_no(
    "hidden_progress",
    "Hide progress from annotators",
    "They do not see the number of items, the bar and the time left. They do see what is still "
    "missing on a screen, and when everything is done.",
)
RELATIVE_COLOR = yes_no(
    "relative_color",
    "Color sliders by their place among the translations on the screen",
    "The best is green, the worst red, with its rank in words. It makes ties and slips visible, "
    "but draws people towards ranking: scores of different screens are then harder to compare.",
)


def outputs_on_screen(low: int, high: int) -> Option:
    return whole_number(
        "outputs_per_item",
        "Most translations on one screen",
        low,
        high,
        "Translations seen side by side are compared with less noise, but more of "
        "them take longer to read.",
    )
