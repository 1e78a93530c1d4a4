"""Forms for the sound, pictures and videos of a test set that is already there."""

from django import forms

from judgments.files import media_rows
from judgments.files.forms import FilesForm, OneFileField
from judgments.models import TestSet
from judgments.test_sets.media.adding import AddedMedia, add_media
from judgments.test_sets.media.archive import media_archive, unused_words


class AddedMediaForm(FilesForm):
    """A zip of files, and which segment each belongs to."""

    media_files = OneFileField(
        label="Files",
        help_text="A .zip. Its files are named after the segments, such as h1.mp3 and h1.vtt for "
        "captions, or a table says which file belongs to which segment, or it is a "
        "release of mteval that contains them.",
    )
    table = OneFileField(
        required=False,
        label="Table",
        help_text="A .tsv, .csv or .jsonl with the columns segment, media and, optionally, "
        "captions, media_start and media_end. It may also be in the zip.",
    )
    replace = forms.BooleanField(
        required=False,
        label="Replace what segments already have",
        help_text="Only for segments that nobody has judged. A row with an empty cell in the "
        "column media removes the file.",
    )

    def add_to(self, test_set: TestSet) -> tuple[AddedMedia, list[str]]:
        """Return what the files of a valid form changed, and what the owner should know. Raises
        ImportProblem."""
        data = self.cleaned_data
        with media_archive(data["media_files"]) as media:
            assert media is not None
            if data["table"] or media.has_table:
                rows = media_rows.from_table(data["table"] or media.table())
            else:
                rows = media_rows.from_names(media.names, media.archive)
            added = add_media(test_set, rows, media, replace=data["replace"])
            return added, unused_words(media)


class RemovedMediaForm(forms.Form):
    """Which segments are to have none any more."""

    segments = forms.CharField(
        required=False,
        max_length=100_000,
        label="Segments",
        help_text="Their names, one per line. Leave empty for all segments.",
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def clean_segments(self) -> list[str]:
        lines = self.cleaned_data["segments"].splitlines()
        return list(dict.fromkeys(line.strip() for line in lines if line.strip()))
