"""Forms for the exclusion rule, and for excluding annotators by it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.models.quality_control import THRESHOLDS

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


def share(initial: float, label: StrOrPromise, help_text: StrOrPromise) -> forms.FloatField:
    """Return a field for a threshold between 0 and 1; if empty, the threshold is not applied."""
    return forms.FloatField(
        min_value=0,
        max_value=1,
        required=False,
        initial=initial,
        label=label,
        help_text=help_text,
    )


class RuleForm(forms.Form):
    """The exclusion rule, to be stated before judgments are made."""

    text = forms.CharField(
        max_length=5000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        label=gettext_lazy("Who will be left out"),
        help_text=gettext_lazy(
            "For example: annotators who fail the test of degraded copies with ten pairs or more."
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
        gettext_lazy("From 0 to 1. If empty, not required, as with the others."),
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

    hold_after = forms.IntegerField(
        min_value=1,
        max_value=1000,
        required=False,
        label=gettext_lazy(
            "Hold annotators who fail after this many control items, or a first batch"
        ),
        help_text=gettext_lazy(
            "They get no more work until an owner decides on the page Watch; nobody is left out "
            "automatically. If empty, nobody is held."
        ),
    )

    def clean(self):
        cleaned = super().clean() or {}
        given = [cleaned.get(name) for name in THRESHOLDS]
        if not self.errors and not cleaned.get("text") and all(each is None for each in given):
            raise forms.ValidationError(_("Write a rule or a threshold."))
        return cleaned


class LeaveOutForm(forms.Form):
    """Exclude the annotators who fail the rule, once the owner has read who they are."""

    confirm = forms.BooleanField(
        label=gettext_lazy("I have read who is left out by the rule, and why"),
        error_messages={"required": gettext_lazy("Tick the box to leave them out.")},
    )
    rule = forms.IntegerField(widget=forms.HiddenInput)
    users = forms.CharField(widget=forms.HiddenInput, max_length=100_000)
