"""The form that takes scores of other programs."""

from typing import cast

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.files import ImportProblem
from judgments.files.forms import FilesField, FilesForm
from judgments.models import TestSet
from metrics.formats import kit_files
from metrics.formats.entries import WITHOUT_REFERENCE
from metrics.formats.score_tables import LONGEST_METRIC_NAME
from metrics.scores.importing import Instructions
from metrics.scores.importing.reading import MOST_METRICS

HIGHER, LOWER = "higher", "lower"


class ScoresForm(FilesForm):
    files_of_scores = FilesField(
        label=gettext_lazy("Files"),
        error_messages={"required": gettext_lazy("Choose at least one file.")},
        help_text=gettext_lazy(
            "Of mt-metrics-eval, such as COMET-22-refA.seg.score, .doc.score, .domain.score "
            "or .sys.score; or tables, .tsv, .csv or .jsonl. Any of them may be packed as .gz."
        ),
    )
    direction = forms.ChoiceField(
        label=gettext_lazy("Which scores are better"),
        choices=[
            (HIGHER, gettext_lazy("Higher is better")),
            (LOWER, gettext_lazy("Lower is better")),
        ],
        widget=forms.RadioSelect,
        error_messages={"required": gettext_lazy("Say whether higher or lower scores are better.")},
    )
    exceptions = forms.CharField(
        required=False,
        max_length=MOST_METRICS * (LONGEST_METRIC_NAME + 2),
        label=gettext_lazy("Except these metrics"),
        help_text=gettext_lazy(
            "Names separated by commas, for files with metrics of both directions."
        ),
    )
    name = forms.CharField(
        required=False,
        max_length=LONGEST_METRIC_NAME,
        label=gettext_lazy("Name of the metric"),
        help_text=gettext_lazy(
            "Needed if the files contain one metric without naming it, or under another name."
        ),
    )
    references = forms.MultipleChoiceField(
        required=False,
        label=gettext_lazy("References that the metrics read"),
        help_text=gettext_lazy("Needed if the files do not say; mt-metrics-eval file names do."),
        widget=forms.CheckboxSelectMultiple,
    )
    skip_unknown = forms.BooleanField(
        required=False, label=gettext_lazy("Leave out systems that this test set does not have")
    )
    replace = forms.BooleanField(
        required=False, label=gettext_lazy("Replace existing scores of these metrics")
    )

    def __init__(self, test_set: TestSet, *args, **kwargs):
        super().__init__(*args, **kwargs)
        references = cast(forms.ChoiceField, self.fields["references"])
        references.choices = [
            *((name, name) for name in test_set.reference_names),
            (WITHOUT_REFERENCE, _("none: they read only sources and outputs")),
        ]

    def clean_references(self) -> tuple[str, ...] | None:
        chosen = self.cleaned_data["references"]
        if WITHOUT_REFERENCE not in chosen:
            return tuple(chosen) or None
        if len(chosen) > 1:
            raise forms.ValidationError(_("Choose references, or none of them."))
        return ()

    def instructions(self) -> Instructions:
        """Return what a valid form asks for."""
        data = self.cleaned_data
        names = (name.strip() for name in data["exceptions"].split(","))
        return Instructions(
            higher_is_better=data["direction"] == HIGHER,
            exceptions=frozenset(filter(None, names)),
            name=data["name"],
            references=data["references"],
            skip_unknown=data["skip_unknown"],
            replace=data["replace"],
        )


class KitScoresForm(FilesForm):
    """Files that a kit wrote: they say by themselves what their scores are."""

    files_of_scores = FilesField(
        label=gettext_lazy("Files"),
        error_messages={"required": gettext_lazy("Choose at least one file.")},
        help_text=gettext_lazy("Each ends in .scores.jsonl, and may be packed as .gz."),
    )
    replace = forms.BooleanField(
        required=False, label=gettext_lazy("Replace existing scores of these metrics")
    )

    def clean_files_of_scores(self):
        files = self.cleaned_data["files_of_scores"]
        for file in files:
            if not self._is_of_a_kit(file):
                raise forms.ValidationError(
                    _(
                        "%(name)s was not written by a file of texts. "
                        "“Add scores from a file” takes others."
                    )
                    % {"name": file.name}
                )
        return files

    @staticmethod
    def _is_of_a_kit(file) -> bool:
        try:
            return kit_files.is_kit_file(file)
        except ImportProblem:
            return False

    def instructions(self) -> Instructions:
        """Return what a valid form asks for; each file says which direction is better."""
        return Instructions(higher_is_better=True, replace=self.cleaned_data["replace"])
