"""A campaign's file, with the files of texts that it names."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from django import forms
from django.core.files.storage import FileSystemStorage
from django.template.defaultfilters import filesizeformat

from judgments.exchange.campaign_files.nodes import LARGEST
from judgments.files.forms import FilesField, OneFileField
from judgments.files.uploads import path_inside

from ..releases.forms import FolderForm, FolderInput

Made = TypeVar("Made")

# A page waits while these are read; larger ones come in by the page Import, which has workers.
MOST_BYTES = 30 * 1024 * 1024


class CampaignFileForm(FolderForm):
    file = OneFileField(
        label="The campaign's file",
        help_text="YAML or JSON.",
        widget=forms.ClearableFileInput(attrs={"accept": ".yaml,.yml,.json"}),
    )
    several = FilesField(
        required=False,
        label="Files that it names",
        help_text="Texts and tables, if the file names any. The texts of an existing test set "
        "need no files.",
    )
    folder = FilesField(
        required=False,
        label="Or a whole folder of them",
        help_text="Paths in the file begin with the folder's name.",
        widget=FolderInput,
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if sum(file.size for _, file in self.uploads()) > MOST_BYTES:
            raise forms.ValidationError(
                f"The files have more than {filesizeformat(MOST_BYTES)}. Upload the texts on the "
                "page Import, and write the name of the test set in the campaign's file."
            )
        try:
            paths = {path_inside(path) for path, _ in self.brought()}
        except ValueError as problem:
            raise forms.ValidationError(f"A file {problem}.") from None
        if any(paths & set(path.parents) for path in paths):
            raise forms.ValidationError("A file has the same name as a folder with other files.")
        return cleaned

    def create(self, user: Any, make: Callable[..., Made]) -> Made:
        """Return what `make` makes of the files of a valid form, such as `create_campaign`. Raises
        BadCampaignFile."""
        file = self.cleaned_data["file"]
        content = file.read(LARGEST + 1)  # more is refused
        with tempfile.TemporaryDirectory(prefix="mteval-campaign-") as name:
            folder = Path(name)
            store = FileSystemStorage(folder, allow_overwrite=True)
            for path, file_beside in self.brought():
                store.save(str(path_inside(path)), file_beside)
            return make(content, user, name=file.name or "", folder=folder)
