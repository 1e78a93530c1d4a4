"""Sources of an imported campaign, and parts of the files that were not imported."""

from django.db import models

from .campaign import Campaign

PLACE = ("file", "row", "column", "reason")


class ImportRecord(models.Model):
    """Judgments that were imported into a campaign at one time.

    files: the names of the files with its judgments. notes: remarks about the files, including what
    in them is not used. left_out: the first rows that could not be read and were left out, as
    [file, row, column, reason]; n_left_out counts all of them.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="import_records")
    imported_at = models.DateTimeField(auto_now_add=True)
    files = models.JSONField(default=list)
    notes = models.JSONField(default=list)
    n_judgments = models.PositiveBigIntegerField(default=0)
    n_left_out = models.PositiveIntegerField(default=0)
    left_out = models.JSONField(default=list)

    class Meta:
        ordering = ["campaign", "pk"]

    def __str__(self):
        return f"import of {self.campaign}"

    @property
    def problems(self) -> list[dict[str, str | int | None]]:
        """`left_out` as dictionaries: file, row, column, reason."""
        return [dict(zip(PLACE, row, strict=True)) for row in self.left_out]
