"""The form of the page of hierarchical rules, read from the URL."""

from django import forms
from django.utils.translation import gettext_lazy

from metrics.lessons.transducers import exercise_texts
from metrics.lessons.transducers.rule_examples import FIRST, RULE_EXAMPLES
from metrics.lessons.transducers.rule_steps import RuleExercise

from .forms import LanguageModelFields, TextOf


class RulesForm(LanguageModelFields):
    """Fields missing in the URL are as in the chosen example. ``exercise`` once valid."""

    sentence = TextOf(
        exercise_texts.cased_sentence_of,
        label=gettext_lazy("Sentence"),
        max_length=200,
        help_text=gettext_lazy("At most 12 words, with spaces between them."),
        error_messages={"required": gettext_lazy("Write a sentence.")},
    )
    rules = TextOf(
        exercise_texts.rules_of,
        label=gettext_lazy("Rules"),
        max_length=1_800,
        widget=forms.Textarea({"rows": 12, "spellcheck": "false"}),
        help_text=gettext_lazy(
            "A rule in each line, such as ne X1 pas → not X1. -> is also an arrow; a weight may "
            "be added at the end: | 0.7."
        ),
        error_messages={"required": gettext_lazy("Write at least one rule.")},
    )

    text = TextOf(
        exercise_texts.cased_text_of,
        label=gettext_lazy("Text of the language model"),
        required=False,
        max_length=1_500,
        widget=forms.Textarea({"rows": 6, "spellcheck": "false"}),
        help_text=gettext_lazy(
            "A sentence in each line, in the language of the translations. Capital letters count."
        ),
    )

    field_order = ("sentence", "rules", "text", "smoothing", "order", "n")

    def __init__(self, asked) -> None:
        self.example = asked.get("example", FIRST)
        example = RULE_EXAMPLES.get(self.example, RULE_EXAMPLES[FIRST])
        defaults = {
            "sentence": example.sentence,
            "rules": "\n".join(example.rules),
            "text": "\n".join(example.text),
            "order": "2",
            "smoothing": "kneser-ney",
            "n": "8",
        }
        super().__init__({name: asked.get(name, value) for name, value in defaults.items()})

    def exercise(self) -> RuleExercise:
        data = self.cleaned_data
        return RuleExercise(
            sentence=data["sentence"],
            rules=data["rules"],
            text=data["text"],
            order=int(data["order"]),
            smoothing=data["smoothing"],
            n=data["n"],
        )
