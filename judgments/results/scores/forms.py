"""Settings that decide which systems of a campaign differ."""

from collections.abc import Sequence

from django import forms
from django.utils.translation import gettext_lazy

from judgments.models import Campaign
from judgments.plans.settings import COMPARED_BY, PROMISES, TESTS, PlanSettings
from judgments.protocols import protocol_of

from ..observations.outside_scores import OutsideScores
from ..selection.selection import WITH_METRIC
from .pair_test import pair_test_of


class RaceWaveForm(forms.Form):
    """The wave to plan: two simultaneous requests plan one."""

    number = forms.IntegerField(min_value=2, max_value=1_000_000)


class WithMetricsForm(forms.Form):
    """Metrics that are combined with people in one estimate."""

    with_metric = forms.MultipleChoiceField(
        required=False, label=gettext_lazy("Metrics"), widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, known: Sequence[OutsideScores], chosen: Sequence[str]):
        super().__init__(initial={WITH_METRIC: chosen})
        field = self.fields[WITH_METRIC]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = [(each.slug, each.title) for each in known]


class PairTestForm(forms.Form):
    """Scores, test and adjustment; comparisons have no choice of scores."""

    compared_by = forms.ChoiceField(
        choices=list(COMPARED_BY.items()),
        widget=forms.RadioSelect,
        label=gettext_lazy("Scores of segments"),
    )
    test = forms.ChoiceField(
        choices=list(TESTS.items()),
        widget=forms.RadioSelect,
        label=gettext_lazy("Test between two systems"),
        help_text=gettext_lazy(
            "Whole documents are used if there are 20 with several segments, otherwise segments."
        ),
    )
    promise = forms.ChoiceField(
        choices=list(PROMISES.items()),
        widget=forms.RadioSelect,
        label=gettext_lazy("Adjustment for all pairs of systems"),
        help_text=gettext_lazy("The second is a weaker promise, not the same at a lower price."),
    )

    def __init__(self, campaign: Campaign, data=None):
        now = pair_test_of(campaign)
        initial = {"compared_by": now.compared_by, "test": now.test, "promise": now.adjust}
        super().__init__(data, initial=initial)
        if not protocol_of(campaign).rates:
            del self.fields["compared_by"]

    @property
    def chosen(self) -> dict[str, str]:
        """The values that differ from the defaults, by the names of the plan's settings."""
        return PlanSettings.read(self.cleaned_data).stored()
