"""What people bring to import, and what only they can say of it."""

import json
from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from judgments.exchange.releases.records import OpenQuestion
from judgments.files.forms import FilesField, FilesForm, FilesInput
from judgments.models import TestSet, Upload

LONGEST_ANSWER = 400
LONGEST_LINE = 1_000_000  # characters of a row that is mended
LONGEST_PATHS = 1_000_000  # all names of a folder's files


class FolderInput(FilesInput):
    """Chooses a folder with all that is in it."""

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        super().__init__({"webkitdirectory": True, **(attrs or {})})


class FolderForm(FilesForm):
    """Files (``several``), or a folder. paths: of the files of the folder in their order, as JSON;
    a browser sends only their names, and static/js/exchange/folder.js this beside."""

    paths = forms.CharField(
        required=False,
        max_length=LONGEST_PATHS,
        widget=forms.HiddenInput(attrs={"data-paths-of": "id_folder"}),
    )

    def brought(self) -> list[tuple[str, UploadedFile]]:
        """Return the files with their paths."""
        data = self.cleaned_data
        folder = data.get("folder") or []
        found = [(file.name, file) for file in data.get("several") or []]
        return found + list(zip(paths_of(folder, data.get("paths", "")), folder, strict=True))


class BringForm(FolderForm):
    several = FilesField(
        required=False,
        label="Files",
        help_text="One or several, also .gz, .zip or .tar.gz.",
        allow_empty_file=True,
    )
    folder = FilesField(
        required=False,
        label="Or a whole folder",
        help_text="Everything in it is examined.",
        allow_empty_file=True,
        widget=FolderInput,
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if not self.errors and not (cleaned.get("several") or cleaned.get("folder")):
            self.add_error("several", "Choose a file, several files or a folder.")
        return cleaned


def paths_of(files: Sequence[UploadedFile], text: str) -> list[str]:
    """Return the paths that were sent beside files, or their names where nothing fitting was."""
    names = [file.name or "" for file in files]
    try:
        paths = json.loads(text)
    except (ValueError, RecursionError):
        return names
    fits = (
        isinstance(paths, list)
        and len(paths) == len(names)
        and all(isinstance(path, str) for path in paths)
    )
    return paths if fits else names


class MendForm(forms.Form):
    """A line of a file, as it should be."""

    line = forms.CharField(
        label="The line",
        strip=False,
        required=False,
        max_length=LONGEST_LINE,
        widget=forms.Textarea(attrs={"rows": 8, "dir": "auto", "spellcheck": "false"}),
        help_text="Tabs separate the cells of a table; keep them. An empty line is skipped.",
    )

    def clean_line(self) -> str:
        line = self.cleaned_data["line"].replace("\0", "")
        if "\n" in line.rstrip("\r\n"):
            raise forms.ValidationError("Write one line, without a line break.")
        return line.rstrip("\r\n")


class QuestionsForm(forms.Form):
    """The questions of a release, each a field; and which test set its judgments are of, where it
    brings no texts."""

    def __init__(self, upload: Upload, questions: Sequence[OpenQuestion], *args: Any) -> None:
        super().__init__(*args)
        self.upload = upload
        self.names: dict[str, str] = {}
        self.defaults: dict[str, str] = {}
        for n, question in enumerate(questions):
            self.names[f"q{n}"] = question.name
            self.defaults[f"q{n}"] = question.default
            self.fields[f"q{n}"] = field_of(question, upload.answers.get(question.name))
        lacking = upload.outcome.get("lacks_texts", ())
        if len(lacking) == 1:
            self.fields["test_set"] = test_set_field(upload, *lacking[0])

    @property
    def asked(self) -> list[forms.BoundField]:
        """What the files cannot say."""
        return [self[n] for n in self.fields if not (self.is_name(n) or self.is_column(n))]

    @property
    def columns(self) -> list[forms.BoundField]:
        """What the columns of tables mean."""
        return [self[name] for name in self.fields if self.is_column(name)]

    @property
    def named(self) -> list[forms.BoundField]:
        """What has a name from the files."""
        return [self[name] for name in self.fields if self.is_name(name)]

    def is_column(self, field: str) -> bool:
        return self.names.get(field, "").startswith("column:")

    def is_name(self, field: str) -> bool:
        return self.names.get(field, "").startswith(("test-set-", "campaign-", "name:"))

    def answers(self) -> dict[str, str]:
        """Return a name or a meaning that nobody ever changed is no answer: files may yet suggest a
        better one."""
        given = {self.names[field]: (field, self.cleaned_data[field]) for field in self.names}
        return {
            name: answer
            for name, (field, answer) in given.items()
            if answer != self.defaults[field]
            or not (self.is_name(field) or self.is_column(field))
            or (self.is_column(field) and name in self.upload.answers)
        }


def field_of(question: OpenQuestion, answer: str | None) -> forms.Field:
    common: dict[str, Any] = {
        "label": question.label,
        "help_text": question.help,
        "required": question.required,
        "initial": question.default if answer is None else answer,
    }
    if question.choices:
        choices = list(question.choices)
        if question.default not in dict(choices):
            choices = [("", "—"), *choices]
        return forms.ChoiceField(choices=choices, **common)
    return forms.CharField(max_length=LONGEST_ANSWER, **common)


def test_set_field(upload: Upload, source: str, target: str) -> forms.Field:
    sets = TestSet.objects.visible_to(upload.owner)
    if source and target:
        base = [language.partition("-")[0] for language in (source, target)]
        sets = sets.filter(
            source_language__istartswith=base[0], target_language__istartswith=base[1]
        )
    return forms.ModelChoiceField(
        sets,
        required=False,
        initial=upload.test_set_id,
        empty_label="None of them: keep the judgments without texts",
        label="Which texts are these judgments of?",
        help_text="The files contain no texts. With a test set whose segments and systems have "
        "the same names, pages can show what was judged.",
    )
