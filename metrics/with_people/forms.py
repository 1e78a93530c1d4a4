"""What the page of metrics is to show: which human score, which segments, which statistics."""

from collections.abc import Collection
from typing import Any, cast

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.models import Campaign
from metrics.scores.tables import MetricColumn
from metrics.with_people import (
    COMPARED,
    CONTROLS,
    DONORS,
    FEWEST,
    GROUPINGS,
    HUMANS,
    OVER,
    Settings,
    human_choices,
)

METHODS = [
    ("raw", gettext_lazy("raw ratings")),
    ("z", gettext_lazy("z-scores, normalized for each annotator")),
]


def named(words: dict) -> list[tuple[Any, Promise]]:
    """Return keys with their words, for a choice."""
    return [(key, gettext_lazy(text)) for key, text in words.items()]


class CorrelationForm(forms.Form):
    """Read from the address. `settings()` gives clean values, the defaults for unknown ones."""

    dimension = forms.ChoiceField(label=gettext_lazy("What people said or did"), required=False)
    method = forms.ChoiceField(label=gettext_lazy("Human score"), choices=METHODS, required=False)
    over = forms.ChoiceField(
        label=gettext_lazy("A metric scores a system on"), choices=named(OVER), required=False
    )
    humans = forms.ChoiceField(
        label=gettext_lazy("Human references among the systems"),
        choices=named(HUMANS),
        required=False,
    )
    controls = forms.ChoiceField(
        label=gettext_lazy("Control systems among the systems"),
        choices=named(CONTROLS),
        required=False,
    )
    donors = forms.ChoiceField(
        label=gettext_lazy("Donors of references"), choices=named(DONORS), required=False
    )
    grouping = forms.ChoiceField(
        label=gettext_lazy("Segments are grouped"), choices=named(GROUPINGS), required=False
    )
    fewest = forms.ChoiceField(
        label=gettext_lazy("A group correlates from"), choices=named(FEWEST), required=False
    )
    compared = forms.ChoiceField(
        label=gettext_lazy("Metrics are compared by"),
        choices=named({key: each.name for key, each in COMPARED.items()}),
        required=False,
    )
    metric = forms.ChoiceField(label=gettext_lazy("Metric in the scatter plots"), required=False)
    rank = forms.MultipleChoiceField(
        label=gettext_lazy("AutoRank is made of"),
        required=False,
        widget=forms.SelectMultiple(attrs={"size": 4}),
    )

    def __init__(
        self,
        campaign: Campaign,
        columns: list[MetricColumn],
        data=None,
        *,
        without: Collection[str] = (),
    ):
        """without: fields of which the test set has nothing."""
        super().__init__(data)
        known = human_choices(campaign)
        self.choice_field("dimension").choices = [(slug, _(name)) for slug, name in known]
        closest = ("", _("the one closest to people"))
        self.choice_field("metric").choices = [closest, *((c.slug, c.title) for c in columns)]
        self.choice_field("rank").choices = [(c.slug, c.title) for c in columns]
        if not known:  # outputs were compared: there is one score, and nothing to normalize
            del self.fields["dimension"], self.fields["method"]
        for name in without:
            del self.fields[name]

    def choice_field(self, name: str) -> forms.ChoiceField:
        return cast(forms.ChoiceField, self.fields[name])

    def settings(self) -> Settings:
        self.is_valid()
        found: dict[str, Any] = {"dimension": None, "method": "raw"}
        known = {slug for slug, _ in cast(list, self.choice_field("rank").choices)}
        asked = self.data.getlist("rank") if hasattr(self.data, "getlist") else ()
        found["rank"] = tuple(slug for slug in dict.fromkeys(asked) if slug in known)
        for name in self.fields:
            if name == "rank":
                continue
            values = [value for value, _ in cast(list, self.choice_field(name).choices)]
            found[name] = self.cleaned_data.get(name) or values[0]
        return Settings(**found | {"fewest": int(found["fewest"])})
