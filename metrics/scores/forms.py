"""The form that asks for scores: which metrics, with which options, against which references."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.models import TestSet
from metrics.scorers import SCORERS
from metrics.scorers.tokenizers import TOKENIZERS
from metrics.scoring import catalog, choices
from metrics.scoring.catalog import Supply
from metrics.scoring.languages import main_language, suggested_tokenizer, usable_tokenizers


def known_values(slug: str, option: str) -> Sequence[str]:
    if option == "tokenize":
        wanted = choices.values_of(slug, option) or TOKENIZERS
        usable = usable_tokenizers()
        return [name for name in wanted if name in usable or name not in TOKENIZERS]
    return choices.values_of(slug, option)


def suggested(slug: str, option: str, default: Any, test_set: TestSet) -> Any:
    """Return what an option starts with on the form of a test set: its default, unless the target
    language says otherwise."""
    language = test_set.target_language
    if option == "tokenize":
        found = suggested_tokenizer(language, default)
        return found if found in known_values(slug, option) else default
    if option == "language":
        known = known_values(slug, option)
        if not known:  # any language will do
            return main_language(language)
        fallback = "" if "" in known else default
        return next((tag for tag in (language, main_language(language)) if tag in known), fallback)
    return default


def option_field(slug: str, name: str, kind: type, default: Any) -> forms.Field:
    """Return a field for one option of a metric; left empty it means the default."""
    common: dict[str, Any] = {
        "label": name.replace("_", " ").capitalize(),
        "required": False,
        "initial": default,
    }
    if kind is bool:
        return forms.BooleanField(**common)
    if kind is int:
        lowest = -choices.HIGHEST_INTEGER if default is not None and default < 0 else 0
        highest = choices.highest_integer(name)
        return forms.IntegerField(min_value=lowest, max_value=highest, **common)
    if kind is float:
        return forms.FloatField(**common)
    values = known_values(slug, name)
    if not values:
        return forms.CharField(max_length=choices.longest_text(name), **common)
    return forms.ChoiceField(choices=[(value, value or "none") for value in values], **common)


@dataclass(frozen=True)
class Offer:
    """A metric as the form shows it. `reason`: why it cannot be chosen, and what to do."""

    slug: str
    name: str
    description: str
    reason: str
    is_chosen: bool
    fields: list[forms.BoundField]

    @property
    def needs_corpus(self) -> bool:
        return catalog.needs_corpus(SCORERS[self.slug])

    @property
    def needs_post_edits(self) -> bool:
        return SCORERS[self.slug].targeted

    @property
    def has_errors(self) -> bool:
        return any(field.errors for field in self.fields)


class ScoringForm(forms.Form):
    """`cleaned_data`: `choices` (a list of MetricChoice) and `references` (names)."""

    metrics = forms.MultipleChoiceField(
        label=gettext_lazy("Metrics"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={
            "required": gettext_lazy("Choose at least one metric."),
            "invalid_choice": gettext_lazy(
                "%(value)s is not one of the metrics that can be computed here."
            ),
        },
    )
    references = forms.MultipleChoiceField(
        label=gettext_lazy("References"),
        help_text=gettext_lazy(
            "If you choose several, they are used together: an output may match any of them."
        ),
        widget=forms.CheckboxSelectMultiple,
        required=False,
        error_messages={"invalid_choice": gettext_lazy("There is no reference set %(value)s.")},
    )

    def __init__(self, test_set: TestSet, *args, user=None, supply: Supply | None = None, **kwargs):
        super().__init__(*args, **kwargs)
        supply = supply or catalog.supply_of(test_set, user)
        metrics = catalog.computed_metrics()
        self.reasons = {
            slug: scorer.unavailable() or catalog.lacking(scorer, supply)
            for slug, scorer in metrics.items()
        }
        offered = [slug for slug, reason in self.reasons.items() if not reason]
        chosen = cast(forms.ChoiceField, self.fields["metrics"])
        chosen.choices = [(slug, SCORERS[slug].name) for slug in offered]
        chosen.initial = [slug for slug in choices.DEFAULTS if slug in offered]
        references = cast(forms.ChoiceField, self.fields["references"])
        references.choices = [(name, name) for name in supply.references]
        references.initial = supply.references
        for slug in offered:
            self.add_options(slug, test_set, supply)

    def add_options(self, slug: str, test_set: TestSet, supply: Supply) -> None:
        defaults = choices.default_options(slug)
        for name, kind in choices.option_types(slug).items():
            initial = suggested(slug, name, defaults[name], test_set)
            field = option_field(slug, name, kind, initial)
            if name == "corpus" and catalog.needs_corpus(SCORERS[slug]):
                names = [(corpus, corpus) for corpus in supply.corpora]
                field = forms.ChoiceField(label=_("Corpus"), required=False, choices=names)
            self.fields[f"{slug}-{name}"] = field

    def families(self) -> list[tuple[str, list[Offer]]]:
        """Return for templates: the metrics under the names of their families."""
        chosen = self["metrics"].value() or []
        return [
            (family, [self.offer(slug, slug in chosen) for slug in slugs])
            for family, slugs in catalog.by_family(list(self.reasons))
        ]

    def offer(self, slug: str, is_chosen: bool) -> Offer:
        scorer, reason = SCORERS[slug], self.reasons[slug]
        names = [] if reason else choices.option_types(slug)
        options = [self[f"{slug}-{name}"] for name in names]
        return Offer(slug, scorer.name, scorer.description, reason, is_chosen, options)

    def options_of(self, slug: str) -> dict[str, Any]:
        """Return the options filled in for a metric."""
        given = {}
        for name, kind in choices.option_types(slug).items():
            value = self.cleaned_data.get(f"{slug}-{name}")
            if value is None or (value == "" and "" not in choices.values_of(slug, name)):
                continue
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
        scorers = [SCORERS[choice.slug] for choice in chosen]
        needs_some = any(s.needs_references and not s.targeted for s in scorers)
        if needs_some and self.cleaned_data.get("references") == []:
            self.add_error("references", _("Choose at least one reference set."))
        return self.cleaned_data | {"choices": chosen}
