"""Deciding whose judgments count, and writing down by which rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.files.forms import FilesForm
from judgments.models import Campaign, Segment, System
from judgments.models.quality_control import THRESHOLDS
from judgments.quality.decisions.exclusions import LONGEST_REASON
from judgments.quality.rules.figures import QualityReport
from judgments.results.observations.observations import dimensions_of
from judgments.results.selection.exclusions import Exclusions
from judgments.web.widgets import ShortSelect

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

LEAVE_OUT, TAKE_IN = "leave-out", "take-in"
ACTIONS = [
    (LEAVE_OUT, gettext_lazy("Leave out of the results")),
    (TAKE_IN, gettext_lazy("Include again")),
]


class DecisionForm(forms.Form):
    """One annotator is left out of the results, or included again, for a reason."""

    annotator = forms.TypedChoiceField(
        coerce=int, label=gettext_lazy("Annotator"), widget=ShortSelect
    )
    dimension = forms.ChoiceField(
        required=False, widget=ShortSelect, label=gettext_lazy("Of which scores")
    )
    action = forms.ChoiceField(
        choices=ACTIONS, widget=forms.RadioSelect, label=gettext_lazy("What to do")
    )
    reason = forms.CharField(
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 3}),
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy(
            "It stays in the history and goes into reports and exports. Disagreeing with "
            "the majority is not a reason."
        ),
    )

    def __init__(self, campaign: Campaign, report: QualityReport, *args, **kwargs):
        super().__init__(*args, **kwargs)
        out = Exclusions.of(campaign).annotators
        dimensions = [(d.slug, d.name) for d in dimensions_of(campaign)]
        if len(dimensions) > 1:
            all_dimensions = ("", gettext_lazy("All dimensions"))
            self.fields["dimension"].choices = [all_dimensions, *dimensions]  # type: ignore[attr-defined]
        else:
            del self.fields["dimension"]
        self.fields["annotator"].choices = [  # type: ignore[attr-defined]
            (
                a.user,
                _("%(name)s (left out)") % {"name": a.alias} if a.user in out else a.alias,
            )
            for a in report.annotators
        ]

    @property
    def leaves_out(self) -> bool:
        return self.cleaned_data["action"] == LEAVE_OUT


class ItemForm(forms.Form):
    """A segment, or one system's translation of it, is left out of the results, or included."""

    segment = forms.CharField(max_length=200, label=gettext_lazy("Segment, by its key"))
    system = forms.CharField(
        max_length=200,
        required=False,
        label=gettext_lazy("Only of this system"),
        help_text=gettext_lazy("Empty: the translations of all systems."),
    )
    action = forms.ChoiceField(
        choices=ACTIONS, widget=forms.RadioSelect, label=gettext_lazy("What to do")
    )
    reason = forms.CharField(
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 3}),
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("It stays in the history and goes into reports and exports."),
    )

    def __init__(self, campaign: Campaign, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.campaign = campaign

    def clean_segment(self) -> Segment:
        found = self.campaign.test_set.segments.filter(key=self.cleaned_data["segment"]).first()
        if found is None:
            raise forms.ValidationError(_("The test set has no segment with this key."))
        return found

    def clean_system(self) -> System | None:
        name = self.cleaned_data["system"]
        found = self.campaign.test_set.systems.filter(name=name).first()
        if name and found is None:
            raise forms.ValidationError(_("The test set has no system with this name."))
        return found

    @property
    def removes(self) -> bool:
        return self.cleaned_data["action"] == LEAVE_OUT


class ExclusionsFileForm(FilesForm):
    file = forms.FileField(
        label=gettext_lazy("A table of exclusions"),
        help_text=gettext_lazy(
            "A .tsv or .jsonl with the columns annotator, dimension, segment, system and reason."
        ),
    )


def share(initial: float, label: StrOrPromise, help_text: StrOrPromise) -> forms.FloatField:
    """Return the field of a threshold between 0 and 1; empty, it is not asked."""
    return forms.FloatField(
        min_value=0,
        max_value=1,
        required=False,
        initial=initial,
        label=label,
        help_text=help_text,
    )


class RuleForm(forms.Form):
    """The rule of exclusion, to be written before judgments come in."""

    text = forms.CharField(
        max_length=5000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        label=gettext_lazy("Who will be left out"),
        help_text=gettext_lazy(
            "For example: whoever fails the test of degraded copies with ten pairs or more."
        ),
    )
    seconds_per_word = forms.FloatField(
        min_value=0.01,
        max_value=60,
        required=False,
        label=gettext_lazy("Minimum seconds per word of the source"),
        help_text=gettext_lazy(
            "Annotators whose median is lower get a flag and fail the rule. Silent reading takes"
            " about 0.25 seconds a word."
        ),
    )

    least_checks = share(
        0.7,
        gettext_lazy("Least share of attention checks passed"),
        gettext_lazy("From 0 to 1. Empty: not asked, as with the others."),
    )
    degraded_level = forms.FloatField(
        min_value=0.0001,
        max_value=0.5,
        required=False,
        initial=0.05,
        label=gettext_lazy("Largest p of the test of degraded copies"),
        help_text=gettext_lazy("With fewer than six pairs there is no verdict."),
    )
    most_deviation = share(
        0.25,
        gettext_lazy("Largest mean difference of repeats"),
        gettext_lazy("As a share of the scale, from 0 to 1."),
    )
    least_references = share(
        0.5,
        gettext_lazy("Least share of references at or above the median of the outputs"),
        gettext_lazy("From 0 to 1. Poor references fail careful people."),
    )

    def clean(self):
        cleaned = super().clean() or {}
        given = [cleaned.get(name) for name in THRESHOLDS]
        if not self.errors and not cleaned.get("text") and all(each is None for each in given):
            raise forms.ValidationError(_("Write a rule or a threshold."))
        return cleaned


class LeaveOutForm(forms.Form):
    """Those whom the rule fails are left out, once the owner has read who they are."""

    confirm = forms.BooleanField(
        label=gettext_lazy("I have read whom the rule leaves out, and why"),
        error_messages={"required": gettext_lazy("Tick the box to leave them out.")},
    )
    rule = forms.IntegerField(widget=forms.HiddenInput)
    users = forms.CharField(widget=forms.HiddenInput, max_length=100_000)
