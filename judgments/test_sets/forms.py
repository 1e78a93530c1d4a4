"""Forms that take files: texts of a test set, judgments of a campaign, what belongs to either."""

import re
from itertools import chain
from typing import ClassVar

from django import forms

from judgments.files import ImportProblem, texts
from judgments.files.file_roles import DOCUMENTS, REFERENCE, SOURCE, role_of
from judgments.files.forms import FilesField, FilesForm, OneFileField
from judgments.files.lines import stem_of
from judgments.files.output_texts import OUTPUTS, POST_EDITS, THE_SET, WORD_LINKS, OutputTexts
from judgments.files.texts import LONGEST_REFERENCE_NAME
from judgments.files.twins import reads_as
from judgments.models import TestSet
from judgments.test_sets.corpus import import_test_set
from judgments.test_sets.media.archive import media_archive, unused_words
from judgments.test_sets.resegmentation import SetOutput, digest_of, set_to_segments
from judgments.test_sets.same_texts import SameTexts

PLAIN_FILES = ("source", "references", "systems", "documents")
# Files that are no system, by what they are named like.
ROLES = {SOURCE: "a source", REFERENCE: "a reference", DOCUMENTS: "a list of documents"}


class TextsForm(FilesForm):
    """Either plain text files or one table with the texts of a test set."""

    source = OneFileField(
        label="Source text",
        error_messages={"required": "Choose the source text, or a table with all texts."},
        help_text="Plain text in UTF-8, one segment per line. Every file may be compressed as .gz.",
    )
    references = FilesField(
        required=False,
        label="Reference translations",
        help_text="One file for each; line n translates line n of the source, and is empty where "
        "there is no such reference.",
    )
    systems = FilesField(
        label="System outputs",
        error_messages={"required": "Choose at least one file of system outputs."},
        help_text="One file for each system, named after it: online-A.txt is the system online-A. "
        "An empty line is an empty translation.",
    )
    documents = OneFileField(
        required=False,
        label="Documents",
        help_text="The document of each segment, one name per line, or its domain, a tab and its "
        "name. Without this file, all segments form one document.",
    )
    table = OneFileField(
        required=False,
        label="Or one table with all of these",
        help_text="A .tsv, .csv or .jsonl with the columns source, reference, document, and "
        "system:NAME for each system.",
    )

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        if "table" in self.files:
            self.fields["source"].required = self.fields["systems"].required = False

    def clean(self):
        cleaned = super().clean()
        if cleaned.get("table") and any(cleaned.get(name) for name in PLAIN_FILES):
            self.add_error("table", "Choose either the plain text files or a table, not both.")
        for field in ("references", "systems"):
            self.check_names(field)
        return cleaned

    def segments(self):
        """Return the texts of a valid form, as `importing.import_test_set` reads them."""
        data = self.cleaned_data
        if data["table"]:
            return texts.from_table(data["table"])
        return texts.from_lines(
            data["source"],
            {stem_of(file): file for file in data["references"]},
            {stem_of(file): file for file in data["systems"]},
            data.get("documents"),
        )


class AddedTextsForm(TextsForm):
    """The texts of segments and documents that are known."""

    documents = None  # type: ignore[assignment]


class TestSetForm(TextsForm, forms.ModelForm):
    """Name, languages, and the texts."""

    __test__ = False

    media_files = OneFileField(
        required=False,
        label="Sound, pictures or videos of the table",
        help_text="A .zip of the files that the columns media and captions of the table name. The "
        "table may be in it.",
    )
    leave_out = forms.BooleanField(
        required=False,
        label="Leave out files that are source, reference or documents",
        help_text="For a whole folder: files with the same text as one of them, or named like "
        "one, do not become systems.",
    )
    note = forms.CharField(
        required=False,
        max_length=2000,
        label="Where the texts come from",
        widget=forms.Textarea(attrs={"rows": 2}),
    )

    class Meta:
        model = TestSet
        fields = ["name", "source_language", "target_language", "gloss_language", "note"]
        help_texts = {
            "source_language": "A language tag such as de, pt-BR or zh-Hant.",
            "target_language": "The language of the translations.",
            "gloss_language": "If a table has a column gloss: the language of the glosses.",
        }
        labels = {"gloss_language": "Language of glosses"}

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        if "media_files" in self.files:
            self.fields["source"].required = self.fields["systems"].required = False

    def clean(self):
        cleaned = super().clean()
        if cleaned.get("media_files") and any(cleaned.get(name) for name in PLAIN_FILES):
            self.add_error("media_files", "Files go with a table, not with plain text files.")
        elif not self.errors and not cleaned["table"] and not cleaned["media_files"]:
            self.check_systems()
        return cleaned

    def import_them(self) -> tuple[TestSet, list[str]]:
        """Return the test set of a valid form, and what its owner should know. Raises
        ImportProblem."""
        data = self.cleaned_data
        with media_archive(data["media_files"]) as media:
            if media is not None and not data["table"]:
                data["table"] = media.table()
            segments = SameTexts(self.segments())
            found = import_test_set(self.instance, segments, media)
            return found, [*segments.warnings(), *unused_words(media)]

    def check_systems(self) -> None:
        """No system is made of the source, a reference or the names of documents: the file is left
        out, or refused."""
        data = self.cleaned_data
        texts_there = [data["source"], *data["references"]]
        texts_there += [data["documents"]] if data["documents"] else []
        odd = {}
        for file in data["systems"]:
            role = role_of(file.name).role
            if role in ROLES:
                odd[file] = f"{file.name} is named like {ROLES[role]}"
            elif twin := next((text for text in texts_there if reads_as(file, text)), None):
                odd[file] = f"{file.name} has the same text as {twin.name} on every line"
        if data["leave_out"]:
            data["systems"] = [file for file in data["systems"] if file not in odd]
            if not data["systems"]:
                self.add_error("systems", "No file with outputs of a system is left.")
        elif odd:
            words = "; ".join(list(odd.values())[:5])
            more = f" (and {len(odd) - 5:,} more)" if len(odd) > 5 else ""
            self.add_error(
                "systems",
                f"{words}{more}. Choose the files again without those that are not systems, or "
                "tick “Leave out files that are source, reference or documents”.",
            )


class TableForm(FilesForm):
    """One table."""

    file = OneFileField(help_text="A .tsv, .csv or .jsonl.")

    def __init__(self, *args, label: str, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["file"].label = label


class OutputTextsForm(FilesForm):
    """Either a plain text file for each system or one table: fields `systems` and `table`."""

    format: ClassVar[OutputTexts]

    def clean(self):
        cleaned = super().clean()
        if bool(cleaned.get("systems")) == bool(cleaned.get("table")) and not self.errors:
            field = "table" if cleaned.get("table") else "systems"
            self.add_error(field, "Choose either plain text files or a table.")
        self.check_names("systems")
        return cleaned

    def rows(self, test_set: TestSet):
        """Return the texts of a valid form, as `importing.import_rows` reads them."""
        data = self.cleaned_data
        name = data.get("name", "")
        if data["table"]:
            return self.format.from_table(data["table"], name)
        files = {stem_of(file): file for file in data["systems"]}
        return self.format.from_lines(files, test_set.segments.count(), name)


class PostEditsForm(OutputTextsForm):
    format = POST_EDITS

    systems = FilesField(
        required=False,
        label="Post-edited outputs",
        help_text="One plain text file for each system, named after it, such as online-A.txt. "
        "Line n is the post-edit of its output for segment n; leave it empty if there is none.",
    )
    table = OneFileField(
        required=False,
        label="Or one table",
        help_text="A .tsv, .csv or .jsonl with the columns system, segment, text and, "
        "optionally, name.",
    )
    name = forms.CharField(
        max_length=LONGEST_REFERENCE_NAME,
        initial=THE_SET,
        label="Name of this set",
        help_text="Tells sets apart if several people edited the same output.",
    )
    replace = forms.BooleanField(
        required=False, label="Replace existing post-edits of the same name"
    )


class LateSystemsForm(OutputTextsForm):
    """Outputs of systems that the test set does not have yet."""

    format = OUTPUTS

    systems = FilesField(
        required=False,
        label="System outputs",
        help_text="One plain text file for each new system, named after it: online-B.txt is the "
        "system online-B. Line n is its output for segment n; an empty line is an empty "
        "translation.",
    )
    table = OneFileField(
        required=False,
        label="Or one table",
        help_text="A .tsv, .csv or .jsonl with the columns system, segment, text. A segment that "
        "is not in it has no output of the system.",
    )
    reference = forms.ChoiceField(
        required=False,
        label="Lines of the plain text files",
        help_text="Without segments, a file is one text, or one text per line if it has as many "
        "lines as there are documents. You can check which text goes where before "
        "anything is stored.",
    )
    looked = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)

    def __init__(self, *args, test_set: TestSet, **kwargs):
        super().__init__(*args, **kwargs)
        self.test_set = test_set
        self.set_outputs: list[SetOutput] = []
        names = test_set.reference_names
        without = [(name, f"Without segments: set to those of reference {name}") for name in names]
        choices = [("", "A line for each segment"), *without]
        self.fields["reference"].choices = choices  # type: ignore[attr-defined]
        if not names:
            del self.fields["reference"]

    def clean(self):
        cleaned = super().clean()
        if not (name := cleaned.get("reference")) or self.errors:
            return cleaned
        if cleaned["table"]:
            problem = "The rows of a table name their segments: choose “A line for each segment”."
            self.add_error("table", problem)
            return cleaned
        files = {re.sub(r"\.(jsonl|log)$", "", stem_of(f)): f for f in cleaned["systems"]}
        try:
            self.set_outputs = set_to_segments(files, self.test_set, name)
        except ImportProblem as wrong:
            self.add_problem(wrong)
        return cleaned

    def imported(self, import_them):
        """Nothing yet if this was not looked at: what was set to which segment."""
        if self.is_valid() and self.set_outputs:
            shown = digest_of(self.set_outputs)
            if self.cleaned_data["looked"] != shown:
                self.data = {**self.data.dict(), "looked": shown}  # type: ignore[attr-defined]
                return None
        return super().imported(import_them)

    def rows(self, test_set: TestSet):
        if self.set_outputs:
            return chain.from_iterable(each.rows() for each in self.set_outputs)
        return super().rows(test_set)

    def clean_systems(self):
        files = self.cleaned_data["systems"]
        for file in files:
            role = role_of(file.name).role
            if role in ROLES:
                raise forms.ValidationError(f"{file.name} is named like {ROLES[role]}.")
        return files


class ProposedLinksForm(OutputTextsForm):
    format = WORD_LINKS

    systems = FilesField(
        required=False,
        label="Links of each system's outputs",
        help_text="One plain text file for each system, named after it, such as online-A.txt. "
        "Line n has the links of its output for segment n, such as “0-0 1-2 2p3”.",
    )
    table = OneFileField(
        required=False,
        label="Or one table",
        help_text="A .tsv, .csv or .jsonl with the columns system, segment, links.",
    )
