"""The form for uploading a text for training language models."""

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.files.forms import FilesForm, OneFileField
from metrics.models import MonolingualCorpus
from metrics.scoring.corpora import check_name


class CorpusForm(FilesForm, forms.ModelForm):
    """The instance already has its owner; `read_corpus` of metrics.scoring fills in the text."""

    file = OneFileField(
        label=gettext_lazy("Text"),
        help_text=gettext_lazy(
            "Plain text in UTF-8, one sentence per line, optionally compressed as .gz."
        ),
        error_messages={
            "required": gettext_lazy("Choose a file."),
            "empty": gettext_lazy("The file is empty."),
        },
    )

    class Meta:
        model = MonolingualCorpus
        fields = ["name", "language"]
        help_texts = {
            "name": gettext_lazy(
                "The name by which you choose it; signatures of scores identify its content."
            ),
            "language": gettext_lazy("A language tag such as de, pt-BR or zh-Hant."),
        }

    def clean_name(self):
        name = self.cleaned_data["name"]
        try:
            check_name(name)
        except ValueError as error:
            raise forms.ValidationError(str(error)) from None
        if MonolingualCorpus.objects.filter(owner=self.instance.owner, name=name).exists():
            raise forms.ValidationError(
                _("You already have a corpus named “%(name)s”.") % {"name": name}
            )
        return name
