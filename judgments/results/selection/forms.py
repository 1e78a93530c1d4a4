"""Which of a campaign's judgments a page's figures are of."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from judgments.models import Kind
from judgments.results.selection.filters import ADJUDICATED, COUNTED, LISTS
from judgments.results.selection.schemes import schemes_of, weights_in_words
from judgments.results.selection.selection import Selection
from judgments.web.widgets import ShortSelectMultiple

MOST_LINES = 6
# Field of `Filters` → label. The names of the form's fields are those of addresses.
LABELS = {
    "systems": _("Systems"),
    "domains": _("Domains"),
    "documents": _("Documents"),
    "languages": _("Original languages"),
    "annotators": _("Annotators"),
    "kinds": _("Kinds of items"),
    "system_kinds": _("Kinds of systems"),
    "waves": _("Waves"),
}


class SelectionForm(forms.Form):
    """Offers what there is to choose from; an address may ask for the rest."""

    fewest_words = forms.IntegerField(min_value=0, required=False, label=_("Words, at least"))
    most_words = forms.IntegerField(min_value=0, required=False, label=_("Words, at most"))
    since = forms.DateField(
        required=False, label=_("Since"), widget=forms.DateInput(attrs={"type": "date"})
    )
    until = forms.DateField(
        required=False, label=_("Until"), widget=forms.DateInput(attrs={"type": "date"})
    )
    without = forms.MultipleChoiceField(required=False, label=_("Without these annotators"))

    field_order = [LISTS[name] for name in LABELS]

    def __init__(self, selection: Selection):
        filters = selection.filters
        initial: dict[str, Any] = {LISTS[name]: list(getattr(filters, name)) for name in LISTS}
        for name in ("fewest_words", "most_words", "since", "until"):
            initial[name] = getattr(filters, name)
        initial |= {"without": selection.without, "weights": selection.weights}
        super().__init__(initial=initial, auto_id="filter_%s")
        offered = choices_of(selection)
        for name, label in LABELS.items():
            choices = offered[name]
            if len(choices) > 1:
                self.fields[LISTS[name]] = chosen_of(choices, label)
        if not selection.campaign.test_set.has_texts:
            del self.fields["fewest_words"], self.fields["most_words"]
        aliases = offered["annotators"]
        self.fields["without"] = chosen_of(aliases, self.fields["without"].label)
        if filters.adjudicated:  # as the page Scores proposes it
            choices = [("", gettext("left out")), (COUNTED, gettext("count too"))]
            label = _("Third judgments of clashes")
            self.fields[ADJUDICATED] = forms.ChoiceField(
                choices=choices, initial=COUNTED, required=False, label=label
            )
        schemes = schemes_of(selection.campaign)
        if schemes or selection.weights:
            choices = [("", gettext("the campaign's own"))]
            choices += [(slug, gettext(scheme.name)) for slug, scheme in schemes.items()]
            if selection.weights and selection.weights not in schemes:
                choices.append((selection.weights, weights_in_words(selection.scheme)))
            self.fields["weights"] = forms.ChoiceField(
                choices=choices, required=False, label=_("Weights of errors")
            )
        self.order_fields(self.field_order)

    def __len__(self):
        return len(self.fields)


def chosen_of(choices, label) -> forms.MultipleChoiceField:
    widget = ShortSelectMultiple(attrs={"size": min(MOST_LINES, max(2, len(choices)))})
    return forms.MultipleChoiceField(choices=choices, required=False, label=label, widget=widget)


def choices_of(selection: Selection) -> dict[str, list[tuple[str, str]]]:
    """Return what a reader may choose, by the fields of `Filters`: names that the test set has."""
    test_set = selection.campaign.test_set
    rows = list(test_set.documents.values_list("name", "domain", "original_language"))
    systems = list(test_set.systems.order_by("name").values_list("name", "facts__kind"))
    found = {
        "systems": [name for name, _kind in systems],
        "system_kinds": sorted({kind for _name, kind in systems if kind}),
        "documents": [name for name, _domain, _language in rows],
        "domains": sorted({domain for _name, domain, _language in rows if domain}),
        "languages": sorted({language for _name, _domain, language in rows if language}),
        "annotators": sorted(alias for _user, alias in selection.members),
    }
    choices = {name: [(value, value) for value in values] for name, values in found.items()}
    kinds = [(kind.value, str(kind.label)) for kind in Kind if kind != Kind.TUTORIAL]
    waves = [(str(wave), gettext("Wave %(n)d") % {"n": wave}) for wave in selection.waves]
    return choices | {"kinds": kinds, "waves": waves}
