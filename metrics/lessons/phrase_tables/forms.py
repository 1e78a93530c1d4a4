"""The settings of a phrase table's page, and the form for uploading a bitext."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.files.forms import FilesForm, OneFileField
from metrics.models import Bitext

LONGEST_QUESTION = 200
VARIED, UNEVEN, ALL = "varied", "uneven", "all"
SHOWN = {
    VARIED: gettext_lazy("in more than one way, the most frequent first"),
    UNEVEN: gettext_lazy("in more than one way, the least consistent first"),
    ALL: gettext_lazy("in any way, the most frequent first"),
}


class PhraseForm(forms.Form):
    """Read from the URL. `settings()` returns clean values, the defaults for unknown ones."""

    q = forms.CharField(
        label=gettext_lazy("Word or phrase"), required=False, max_length=LONGEST_QUESTION
    )
    where = forms.ChoiceField(
        label=gettext_lazy("In"),
        required=False,
        choices=[("source", gettext_lazy("the source")), ("target", gettext_lazy("translations"))],
    )

    def settings(self) -> dict[str, Any]:
        self.is_valid()
        return {
            "q": self.cleaned_data.get("q") or "",
            "where": self.cleaned_data.get("where") or "source",
        }


class TermsForm(forms.Form):
    """Read from the URL, like PhraseForm."""

    show = forms.ChoiceField(
        label=gettext_lazy("Terms translated"), required=False, choices=list(SHOWN.items())
    )
    term = forms.CharField(
        label=gettext_lazy("Only terms with"), required=False, max_length=LONGEST_QUESTION
    )

    def settings(self) -> dict[str, Any]:
        self.is_valid()
        return {
            "show": self.cleaned_data.get("show") or VARIED,
            "term": self.cleaned_data.get("term") or "",
        }


class BitextForm(FilesForm, forms.ModelForm):
    """The instance already has its owner; `read_bitext` of metrics.scores.importing fills in the
    texts."""

    source = OneFileField(
        label=gettext_lazy("Source text, or a table with both"),
        help_text=gettext_lazy(
            "Plain text in UTF-8, one sentence per line; in a table (TSV) each line is a text, a "
            "tab and its translation. May be compressed as .gz."
        ),
        error_messages={
            "required": gettext_lazy("Choose a file."),
            "empty": gettext_lazy("The file is empty."),
        },
    )
    target = OneFileField(
        label=gettext_lazy("Translations"),
        required=False,
        help_text=gettext_lazy(
            "Line n translates line n of the source. None if the first file is a table."
        ),
        error_messages={"empty": gettext_lazy("The file is empty.")},
    )

    class Meta:
        model = Bitext
        fields = ["name", "source_language", "target_language"]
        help_texts = {
            "source_language": gettext_lazy("A language tag such as de, pt-BR or zh-Hant."),
            "target_language": gettext_lazy("Also a language tag."),
        }

    def clean_name(self):
        name = self.cleaned_data["name"]
        if Bitext.objects.filter(owner=self.instance.owner, name=name).exists():
            raise forms.ValidationError(
                _("You already have a bitext named “%(name)s”.") % {"name": name}
            )
        return name
