"""Forms to decide which annotators and which items count."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.files.forms import FilesForm, OneFileField
from judgments.models import Campaign, Segment, System
from judgments.protocols import protocol_of
from judgments.quality.decisions.exclusions import LONGEST_REASON
from judgments.quality.rules.figures import QualityReport, quality
from judgments.results.answers.figures import Readers, readers
from judgments.results.observations.observations import dimensions_of
from judgments.results.selection.exclusions import Exclusions
from judgments.results.selection.selection import Selection
from judgments.web.widgets import ShortSelect

LEAVE_OUT, TAKE_IN = "leave-out", "take-in"
ACTIONS = [
    (LEAVE_OUT, gettext_lazy("Leave out of the results")),
    (TAKE_IN, gettext_lazy("Include again")),
]


def all_who_judged(campaign: Campaign) -> QualityReport | Readers:
    """Return a report whose annotators are those who can be decided about, also of those who are
    left out."""
    selection = Selection.of(campaign)
    return readers(selection) if protocol_of(campaign).has_page("answers") else quality(selection)


class DecisionForm(forms.Form):
    """Exclude one annotator from the results, or include them again, with a reason."""

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

    def __init__(self, campaign: Campaign, report: QualityReport | Readers, *args, **kwargs):
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
    """Exclude a segment, or one system's translation of it, from the results, or include it."""

    segment = forms.CharField(max_length=200, label=gettext_lazy("Segment, by its key"))
    system = forms.CharField(
        max_length=200,
        required=False,
        label=gettext_lazy("Only of this system"),
        help_text=gettext_lazy("If empty, the translations of all systems."),
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
    file = OneFileField(
        label=gettext_lazy("A table of exclusions"),
        help_text=gettext_lazy(
            "A .tsv, .csv or .jsonl with the columns annotator, dimension, segment, system, reason."
        ),
    )
