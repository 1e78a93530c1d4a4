"""The form of the page of transducers, read from the URL."""

from collections.abc import Callable

from django import forms
from django.utils.translation import gettext_lazy

from metrics.lessons.baselines.lecture_example import TOY_ROWS, TOY_SENTENCE, TOY_TEXT
from metrics.lessons.transducers import exercise_texts
from metrics.lessons.transducers.steps import Exercise

DEFAULTS = {
    "sentence": TOY_SENTENCE,
    "table": "\n".join(f"{source} | {target}" for source, target in TOY_ROWS),
    "window": "1",
    "cost": "1",
    "text": "\n".join(f"{n} × {line}" if n > 1 else line for n, line in TOY_TEXT),
    "order": "2",
    "smoothing": "stupid-backoff",
    "n": "8",
}
MOST_LETTERS_OF_TABLE = 1_800
MOST_LETTERS_OF_TEXT = 1_500


class TextOf(forms.CharField):
    """A text parsed by a function that raises ValueError with the error message."""

    def __init__(self, read: Callable[[str], object], **options) -> None:
        self.read = read
        super().__init__(**options)

    def clean(self, value):
        try:
            return self.read(super().clean(value))
        except ValueError as error:
            raise forms.ValidationError(str(error)) from error


class LanguageModelFields(forms.Form):
    """A language model of a text in the URL, and the requested number of best sentences."""

    text = TextOf(
        exercise_texts.text_of,
        label=gettext_lazy("Text of the language model"),
        required=False,
        max_length=MOST_LETTERS_OF_TEXT,
        widget=forms.Textarea({"rows": 8, "spellcheck": "false"}),
        help_text=gettext_lazy(
            "A sentence in each line, in the language of the translations. “20 × ” before it makes "
            "it count 20 times."
        ),
    )
    smoothing = forms.ChoiceField(
        label=gettext_lazy("Back-off"),
        choices=[
            ("stupid-backoff", gettext_lazy("Stupid back-off")),
            ("kneser-ney", gettext_lazy("Kneser–Ney")),
        ],
    )
    order = forms.ChoiceField(
        label=gettext_lazy("Longest n-grams"),
        choices=[
            ("1", gettext_lazy("one word")),
            ("2", gettext_lazy("two words")),
            ("3", gettext_lazy("three words")),
        ],
    )
    n = forms.IntegerField(label=gettext_lazy("Best sentences"), min_value=1, max_value=20)


class TransducersForm(LanguageModelFields):
    """Fields missing in the URL are as in the lecture's example. ``exercise`` once valid."""

    sentence = TextOf(
        exercise_texts.sentence_of,
        label=gettext_lazy("Sentence"),
        max_length=200,
        help_text=gettext_lazy("At most 12 words, with spaces between them."),
        error_messages={"required": gettext_lazy("Write a sentence.")},
    )
    table = TextOf(
        exercise_texts.table_of,
        label=gettext_lazy("Phrase table"),
        max_length=MOST_LETTERS_OF_TABLE,
        widget=forms.Textarea({"rows": 14, "spellcheck": "false"}),
        help_text=gettext_lazy(
            "A row in each line: a phrase, “|”, its translation and, optionally, “|” and its "
            "probability."
        ),
        error_messages={"required": gettext_lazy("Write at least one row.")},
    )
    window = forms.ChoiceField(
        label=gettext_lazy("Phrases change places"),
        choices=[
            ("0", gettext_lazy("not at all")),
            ("1", gettext_lazy("up to one place early")),
            ("2", gettext_lazy("up to two places early")),
        ],
    )
    cost = forms.FloatField(
        label=gettext_lazy("Weight of each phrase that waits"), min_value=0, max_value=20
    )

    field_order = ("sentence", "table", "text", "smoothing", "order", "window", "cost", "n")

    def __init__(self, asked) -> None:
        super().__init__({name: asked.get(name, value) for name, value in DEFAULTS.items()})

    def exercise(self) -> Exercise:
        data = self.cleaned_data
        return Exercise(
            sentence=data["sentence"],
            pairs=data["table"],
            window=int(data["window"]),
            waiting_cost=data["cost"],
            text=data["text"],
            order=int(data["order"]),
            smoothing=data["smoothing"],
            n=data["n"],
        )
