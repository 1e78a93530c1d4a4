"""The form that takes word links which a program proposes."""

from django import forms

from judgments.formats import prefilled_links
from judgments.formats.lines import stem_of
from judgments.forms.imports import FilesField, FilesForm


class PrefilledLinksForm(FilesForm):
    """Either a plain text file for each system or one table."""

    systems = FilesField(
        required=False,
        label="Links of each system's outputs",
        help_text="One plain text file for each system, named after it, such as online-A.txt. "
        "Line n has the links of its output for segment n, such as “0-0 1-2 2p3”.",
    )
    table = forms.FileField(
        required=False,
        label="Or one table",
        help_text="A .tsv or .jsonl with the columns system, segment, links.",
    )

    def clean(self):
        cleaned = super().clean()
        if bool(cleaned.get("systems")) == bool(cleaned.get("table")) and not self.errors:
            field = "table" if cleaned.get("table") else "systems"
            self.add_error(field, "Choose either plain text files or a table.")
        names = [stem_of(file) for file in cleaned.get("systems") or []]
        for name in sorted({name for name in names if names.count(name) > 1}):
            self.add_error("systems", f"Two files have the name “{name}”.")
        return cleaned

    def links(self, n_segments: int):
        """The links of a valid form, as `importing.import_prefilled_links` reads them."""
        data = self.cleaned_data
        if data["table"]:
            return prefilled_links.from_table(data["table"])
        return prefilled_links.from_lines(
            {stem_of(file): file for file in data["systems"]}, n_segments
        )
