"""What a reader who compares may choose: two systems, a dimension, a range of differences."""

from __future__ import annotations

import math

from django import forms
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.models import Campaign, Judgment, System
from judgments.protocols import protocol_of
from judgments.results.compare.pair import PairAsked
from judgments.results.compare.two_systems import judged_systems
from judgments.results.observations import observations
from judgments.results.selection.selection import Selection


class TwoSystemsForm(forms.Form):
    """Two systems that were judged; what is not valid falls back to those at the top."""

    a = forms.ChoiceField(required=False, label=gettext_lazy("System"))
    b = forms.ChoiceField(required=False, label=gettext_lazy("Against"))
    low = forms.FloatField(required=False, widget=forms.HiddenInput)
    high = forms.FloatField(required=False, widget=forms.HiddenInput)

    def __init__(self, selection: Selection, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        names = sorted(judged_systems(selection))
        for field in ("a", "b"):
            self.fields[field].choices = [(name, name) for name in names]  # type: ignore[attr-defined]
        dimensions = observations.dimensions_of(selection.campaign)
        if len(dimensions) > 1:
            self.fields["dimension"] = forms.ChoiceField(
                choices=[(d.slug, d.name) for d in dimensions],
                required=False,
                label=_("Dimension"),
            )

    def asked(self) -> PairAsked:
        """Return what was asked for and is valid."""
        self.is_valid()  # what was not valid is not in cleaned_data
        found = self.cleaned_data
        first, second = (found.get(side) or self.data.get(side, "") for side in ("a", "b"))
        ends = (found.get(end) for end in ("low", "high"))
        low, high = (end if end is not None and math.isfinite(end) else None for end in ends)
        return PairAsked(first, second, found.get("dimension") or None, low, high)


def others_of(campaign: Campaign, readable: QuerySet[Campaign]) -> dict[str, list[Campaign]]:
    """Return the campaigns that can stand beside one, of those that somebody may read: on the same
    test set; then of the same languages with at least two systems of the same names. ``judged`` of
    each says whether it has judgments."""
    test_set = campaign.test_set
    languages = {
        "test_set__source_language": test_set.source_language,
        "test_set__target_language": test_set.target_language,
    }
    judged = Exists(Judgment.objects.filter(campaign=OuterRef("pk")))
    found = readable.filter(**languages).exclude(pk=campaign.pk).annotate(judged=judged)
    every = found.select_related("test_set")
    scored: list[Campaign] = [each for each in every if protocol_of(each).has_page("scores")]
    names: dict[int, set[str]] = {}
    of = {each.test_set_id for each in scored} | {test_set.pk}
    for pk, name in System.objects.filter(test_set__in=of).values_list("test_set", "name"):
        names.setdefault(pk, set()).add(name)
    own = names.get(test_set.pk, set())
    same = [each for each in scored if each.test_set_id == test_set.pk]
    alike = [each for each in scored if each.test_set_id != test_set.pk]
    alike = [each for each in alike if len(own & names.get(each.test_set_id, set())) > 1]
    return {"same": same, "alike": alike}


class TwoCampaignsForm(forms.Form):
    """Another campaign, and a dimension of either where there are several."""

    def __init__(
        self, campaign: Campaign, others: dict[str, list[Campaign]], *args, **kwargs
    ) -> None:
        super().__init__(*args, **kwargs)
        listed = {str(each.pk): each for group in others.values() for each in group}
        self.chosen = listed.get(self.data.get("with", ""))
        self.groups = [
            (label, [(each.pk, each.name) for each in others[key] if self._is_offered(each)])
            for key, label in (
                ("same", _("On the same test set")),
                ("alike", _("With systems of the same names")),
            )
        ]
        self.groups = [(label, choices) for label, choices in self.groups if choices]
        self.fields["with"] = forms.ChoiceField(
            choices=self.groups, required=False, label=_("Beside this campaign")
        )
        self._add("dimension", campaign, _("Dimension"))
        if self.chosen is not None:
            self._add("other_dimension", self.chosen, _("Its dimension"))

    def _is_offered(self, campaign: Campaign) -> bool:
        return campaign == self.chosen or getattr(campaign, "judged", False)

    def _add(self, name: str, campaign: Campaign, label: str) -> None:
        dimensions = observations.dimensions_of(campaign)
        if len(dimensions) > 1:
            self.fields[name] = forms.ChoiceField(
                choices=[(d.slug, d.name) for d in dimensions], required=False, label=label
            )

    def dimensions(self) -> tuple[str | None, str | None]:
        """Return what was chosen and is valid; None for the first."""
        self.is_valid()
        own, other = (self.cleaned_data.get(key) for key in ("dimension", "other_dimension"))
        return own or None, other or None
