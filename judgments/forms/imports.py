"""Forms that take files: texts of a test set, judgments of a campaign."""

from django import forms
from django.conf import settings
from django.template.defaultfilters import filesizeformat

from judgments.formats import ImportProblem, post_edits, texts
from judgments.formats.lines import stem_of
from judgments.formats.texts import LONGEST_REFERENCE_NAME
from judgments.models import TestSet

PLAIN_FILES = ("source", "references", "systems", "documents")


class FilesInput(forms.ClearableFileInput):
    allow_multiple_selected = True


class FilesField(forms.FileField):
    """Any number of files; cleans to a list."""

    widget = FilesInput

    def clean(self, data, initial=None):
        if not data:
            return [super().clean(None, initial)] if self.required else []
        return [super(FilesField, self).clean(file, initial) for file in data]


class FilesForm(forms.Form):
    """A form with files: bounds their size together, and knows which field a file came from."""

    def uploads(self):
        """(name of the field, file) for each file that was sent."""
        return [(name, file) for name in self.files for file in self.files.getlist(name)]

    def clean(self):
        cleaned = super().clean()
        total = sum(file.size for _, file in self.uploads())
        if total > settings.MAX_UPLOAD_BYTES:
            raise forms.ValidationError(
                f"The files have {filesizeformat(total)}; this site takes "
                f"{filesizeformat(settings.MAX_UPLOAD_BYTES)} at once."
            )
        return cleaned

    def add_problem(self, problem: ImportProblem) -> None:
        """Show what is wrong with a file beside the field it came from."""
        fields = [name for name, file in self.uploads() if file.name == problem.file]
        self.add_error(fields[0] if len(fields) == 1 else None, f"Nothing was imported. {problem}")


class TestSetForm(FilesForm, forms.ModelForm):
    """Name, languages, and either plain text files or one table."""

    __test__ = False

    source = forms.FileField(
        label="Source text",
        error_messages={"required": "Choose the source text, or a table with all texts."},
        help_text="Plain text in UTF-8, one segment per line. Every file may be compressed as .gz.",
    )
    references = FilesField(
        required=False,
        label="Reference translations",
        help_text="One file for each; line n translates line n of the source.",
    )
    systems = FilesField(
        label="System outputs",
        error_messages={"required": "Choose at least one file of system outputs."},
        help_text="One file for each system, named after it: online-A.txt is the system online-A.",
    )
    documents = forms.FileField(
        required=False,
        label="Documents",
        help_text="The document of each segment, one name a line. Without it, all is one document.",
    )
    table = forms.FileField(
        required=False,
        label="Or one table with all of these",
        help_text="A .tsv or .jsonl with the columns source, reference, document, and system:NAME "
        "for each system.",
    )

    class Meta:
        model = TestSet
        fields = ["name", "source_language", "target_language", "note"]
        labels = {"note": "Where the texts come from"}
        widgets = {"note": forms.Textarea(attrs={"rows": 2})}
        help_texts = {
            "source_language": "A language tag such as de, pt-BR or zh-Hant.",
            "target_language": "The language of the translations.",
        }

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        if "table" in self.files:
            self.fields["source"].required = self.fields["systems"].required = False

    def clean(self):
        cleaned = super().clean()
        if cleaned.get("table") and any(cleaned.get(name) for name in PLAIN_FILES):
            self.add_error("table", "Choose either the plain text files or a table, not both.")
        for field in ("references", "systems"):
            names = [stem_of(file) for file in cleaned.get(field) or []]
            for name in {name for name in names if names.count(name) > 1}:
                self.add_error(field, f"Two files have the name “{name}”.")
        return cleaned

    def segments(self):
        """The texts of a valid form, as `importing.import_test_set` reads them."""
        data = self.cleaned_data
        if data["table"]:
            return texts.from_table(data["table"])
        return texts.from_lines(
            data["source"],
            {stem_of(file): file for file in data["references"]},
            {stem_of(file): file for file in data["systems"]},
            data["documents"],
        )


class JudgmentsFileForm(FilesForm):
    file = forms.FileField(label="File of judgments")


class PostEditsForm(FilesForm):
    """Either a plain text file for each system or one table."""

    systems = FilesField(
        required=False,
        label="Post-edited outputs",
        help_text="One plain text file for each system, named after it, such as online-A.txt. "
        "Line n is the post-edit of its output for segment n; leave it empty if there is none.",
    )
    table = forms.FileField(
        required=False,
        label="Or one table",
        help_text="A .tsv or .jsonl with the columns system, segment, text and, if you like, name.",
    )
    name = forms.CharField(
        max_length=LONGEST_REFERENCE_NAME,
        initial=post_edits.THE_NAME,
        label="Name of this set",
        help_text="Tells sets apart if several people edited the same output.",
    )
    replace = forms.BooleanField(
        required=False, label="Replace existing post-edits of the same name"
    )

    def clean(self):
        cleaned = super().clean()
        if bool(cleaned.get("systems")) == bool(cleaned.get("table")) and not self.errors:
            field = "table" if cleaned.get("table") else "systems"
            self.add_error(field, "Choose either plain text files or a table.")
        names = [stem_of(file) for file in cleaned.get("systems") or []]
        for name in {name for name in names if names.count(name) > 1}:
            self.add_error("systems", f"Two files have the name “{name}”.")
        return cleaned

    def edits(self, n_segments: int):
        """The post-edits of a valid form, as `importing.import_post_edits` reads them."""
        data = self.cleaned_data
        if data["table"]:
            return post_edits.from_table(data["table"], data["name"])
        files = {stem_of(file): file for file in data["systems"]}
        return post_edits.from_lines(files, n_segments, data["name"])
