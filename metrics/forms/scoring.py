"""The form that asks for scores: which metrics, with which options, against which references."""

from importlib.util import find_spec
from typing import Any, cast

from django import forms

from judgments.models import TestSet
from metrics import choices
from metrics.scorers import SCORERS
from metrics.scorers.tokenizers import TOKENIZERS

# Tokenizers with packages of their own, and those that would fetch a model from the network.
NEEDS: dict[str, str | None] = {
    "ja-mecab": "MeCab",
    "ko-mecab": "mecab_ko",
    "flores101": None,
    "flores200": None,
}
BY_LANGUAGE = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}


def usable_tokenizers() -> list[str]:
    return [name for name in TOKENIZERS if name not in NEEDS or is_installed(NEEDS[name])]


def is_installed(package: str | None) -> bool:
    return package is not None and find_spec(package) is not None


def suggested_tokenizer(language: str) -> str:
    """What sacreBLEU takes for a target language; single characters where its package is absent."""
    wanted = BY_LANGUAGE.get(language.split("-")[0].lower(), "13a")
    return wanted if wanted in usable_tokenizers() else "char"


def known_values(slug: str, option: str) -> list[str]:
    if option == "tokenize":
        return usable_tokenizers()
    return list(SCORERS[slug].option_values.get(option, ()))


def option_field(slug: str, name: str, kind: type, default: Any) -> forms.Field:
    """A field for one option of a metric; left empty it means the default."""
    common: dict[str, Any] = {
        "label": name.replace("_", " ").capitalize(),
        "required": False,
        "initial": default,
    }
    if kind is bool:
        return forms.BooleanField(**common)
    if kind is int:
        return forms.IntegerField(min_value=0, max_value=choices.HIGHEST_INTEGER, **common)
    if kind is float:
        return forms.FloatField(**common)
    values = known_values(slug, name)
    if not values:
        return forms.CharField(max_length=100, **common)
    return forms.ChoiceField(choices=[(value, value) for value in values], **common)


class ScoringForm(forms.Form):
    """`cleaned_data`: `choices` (a list of MetricChoice) and `references` (names)."""

    metrics = forms.MultipleChoiceField(
        label="Metrics",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one metric."},
    )
    references = forms.MultipleChoiceField(
        label="References",
        help_text="Several are used together: an output may agree with any of them.",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one reference set."},
    )

    def __init__(self, test_set: TestSet, *args, **kwargs):
        super().__init__(*args, **kwargs)
        names = test_set.reference_names
        metrics = cast(forms.ChoiceField, self.fields["metrics"])
        metrics.choices = [(slug, scorer.name) for slug, scorer in SCORERS.items()]
        metrics.initial = list(choices.DEFAULTS)
        references = cast(forms.ChoiceField, self.fields["references"])
        references.choices = [(name, name) for name in names]
        references.initial = names
        for slug in SCORERS:
            defaults = choices.default_options(slug)
            for name, kind in choices.option_types(slug).items():
                self.fields[f"{slug}-{name}"] = option_field(slug, name, kind, defaults[name])
        self.fields["bleu-tokenize"].initial = suggested_tokenizer(test_set.target_language)

    def option_groups(self) -> list[tuple[str, str, list[forms.BoundField]]]:
        """For templates: (metric's name, what it counts, fields of its options)."""
        return [
            (
                scorer.name,
                scorer.description,
                [self[f"{slug}-{name}"] for name in choices.option_types(slug)],
            )
            for slug, scorer in SCORERS.items()
        ]

    def options_of(self, slug: str) -> dict[str, Any]:
        """The options filled in for a metric."""
        given = {}
        for name, kind in choices.option_types(slug).items():
            value = self.cleaned_data.get(f"{slug}-{name}")
            if value not in (None, ""):
                # A whole number in a field for any number is that number: beta 3 and not 3.0.
                is_whole = kind is float and float(value).is_integer()
                given[name] = int(value) if is_whole else value
        return given

    def clean(self):
        super().clean()
        chosen = []
        for slug in self.cleaned_data.get("metrics", []):
            try:
                chosen.append(choices.choose(slug, self.options_of(slug)))
            except ValueError as error:
                self.add_error("metrics", f"{SCORERS[slug].name}: {error}")
        return self.cleaned_data | {"choices": chosen}
