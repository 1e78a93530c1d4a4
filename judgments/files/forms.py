"""Forms that take files."""

from collections.abc import Callable
from typing import TypeVar

from django import forms
from django.conf import settings
from django.template.defaultfilters import filesizeformat

from judgments.files import ImportProblem
from judgments.files.lines import stem_of

Imported = TypeVar("Imported")


def sent(request):
    """Return what a form gets from a request: (data, files), or (None, None) before anything is
    sent."""
    return (request.POST, request.FILES) if request.method == "POST" else (None, None)


class FilesInput(forms.ClearableFileInput):
    allow_multiple_selected = True


class OneFileField(forms.FileField):
    """A file; what is wrong with it names it."""

    def to_python(self, data):
        try:
            return super().to_python(data)
        except forms.ValidationError as error:
            if data is None or not getattr(data, "name", ""):
                raise
            reason = "it is empty, or a folder." if error.code == "empty" else error.messages[0]
            raise forms.ValidationError(f"{data.name}: {reason}", code=error.code) from None


class FilesField(OneFileField):
    """Any number of files; cleans to a list."""

    widget = FilesInput

    def clean(self, data, initial=None):
        if not data:
            return [super().clean(None, initial)] if self.required else []
        return [super(FilesField, self).clean(file, initial) for file in data]


class FilesForm(forms.Form):
    """A form with files: bounds their size together, and knows which field a file came from."""

    def uploads(self):
        """Return (name of the field, file) for each file that was sent."""
        return [(name, file) for name in self.files for file in self.files.getlist(name)]

    def clean(self):
        cleaned = super().clean()
        total = sum(file.size for _, file in self.uploads())
        if total > settings.MAX_UPLOAD_BYTES:
            raise forms.ValidationError(
                f"The files have {filesizeformat(total)}; this site accepts "
                f"{filesizeformat(settings.MAX_UPLOAD_BYTES)} at once."
            )
        return cleaned

    def check_names(self, field: str) -> None:
        """Files of a field are named after what is in them: no two alike."""
        names = [stem_of(file) for file in self.cleaned_data.get(field) or []]
        for name in sorted({name for name in names if names.count(name) > 1}):
            self.add_error(field, f"Two files have the name “{name}”.")

    def imported(self, import_them: Callable[[], Imported]) -> Imported | None:
        """Return what comes of the import of a valid form's files; None, and the form says what is
        wrong, if nothing does."""
        if self.is_valid():
            try:
                return import_them()
            except ImportProblem as problem:
                self.add_problem(problem)
        return None

    def add_problem(self, problem: ImportProblem) -> None:
        """Show what is wrong with a file beside the field it came from."""
        fields = [name for name, file in self.uploads() if file.name == problem.file]
        self.add_error(fields[0] if len(fields) == 1 else None, f"Nothing was imported. {problem}")
