"""The form that asks for a baseline system."""

from typing import cast

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.models import TestSet
from metrics.lessons.baseline_jobs.texts import why_not_by_documents
from metrics.lessons.baselines.registry import KINDS
from metrics.lessons.bitext_files import bitexts_for
from metrics.models import Bitext


class BaselineForm(forms.Form):
    """`cleaned_data` is what `create_job` takes. `reason`: why there is nothing to learn from."""

    kind = forms.ChoiceField(
        label=gettext_lazy("Kind of system"),
        choices=[(kind.slug, kind.name) for kind in KINDS.values()],
    )
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=200,
        help_text=gettext_lazy("Annotators do not see it."),
    )
    bitext = forms.ChoiceField(
        label=gettext_lazy("Bitext that it learns from"),
        required=False,
        help_text=gettext_lazy(
            "One of yours in the same languages; pairs whose source occurs in this test set are "
            "left out. Without one it learns from the other documents."
        ),
    )

    def __init__(self, test_set: TestSet, *args, user, **kwargs):
        super().__init__(*args, **kwargs)
        self.taken = set(test_set.systems.values_list("name", flat=True))
        names = ["Baseline", *(f"Baseline {n}" for n in range(2, len(self.taken) + 3))]
        self.fields["name"].initial = next(name for name in names if name not in self.taken)
        self.bitexts = {str(each.pk): each for each in fitting(test_set, user)}
        self.reason = why_not_by_documents(test_set)
        choices = [] if self.reason else [("", _("the other documents of this test set"))]
        choices += [(pk, each.name) for pk, each in self.bitexts.items()]
        if self.bitexts:
            self.reason = ""
        cast(forms.ChoiceField, self.fields["bitext"]).choices = choices

    def clean_name(self) -> str:
        name = self.cleaned_data["name"]
        if name in self.taken:
            raise forms.ValidationError(_("There is already a system with this name."))
        return name

    def clean_bitext(self) -> Bitext | None:
        return self.bitexts.get(self.cleaned_data["bitext"])


def fitting(test_set: TestSet, user) -> list[Bitext]:
    """Return a person's bitexts in the languages of a test set, whatever their regions and
    scripts."""

    def languages(texts: TestSet | Bitext) -> list[str]:
        tags = (texts.source_language, texts.target_language)
        return [tag.split("-")[0].lower() for tag in tags]

    return [each for each in bitexts_for(user) if languages(each) == languages(test_set)]
