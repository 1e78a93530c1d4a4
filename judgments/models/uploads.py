"""Uploaded files, until they are imported."""

from django.conf import settings
from django.db import models
from django.urls import reverse

from .corpus import TestSet


class UploadState(models.TextChoices):
    WAITING = "waiting", "Waiting"
    RUNNING = "running", "Running"
    LOOKED_AT = "found", "Looked at"
    FAILED = "failed", "Failed"
    DONE = "done", "Done"
    CANCELLED = "cancelled", "Cancelled"


ON_ITS_WAY = (UploadState.WAITING, UploadState.RUNNING)


class Upload(models.Model):
    """Files that one person uploaded together. Deleted after a day; its files are deleted once they
    are imported."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="uploads"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    n_files = models.PositiveIntegerField()
    n_bytes = models.PositiveBigIntegerField()
    answers = models.JSONField(default=dict)  # to the questions, by their names
    test_set = models.ForeignKey(TestSet, null=True, blank=True, on_delete=models.SET_NULL)
    leave_out = models.FloatField(null=True)  # percent of the rows that may be left out, if any
    keeps = models.BooleanField(default=False)  # whether the result is stored, or only reviewed
    state = models.CharField(
        max_length=10, choices=UploadState.choices, default=UploadState.WAITING
    )
    n_rows = models.PositiveBigIntegerField(default=0)  # read so far
    moved_at = models.DateTimeField(auto_now_add=True)
    outcome = models.JSONField(default=dict)  # as releases/uploads.py writes it

    class Meta:
        ordering = ["-pk"]

    def __str__(self):
        return f"upload {self.pk}"

    def get_absolute_url(self):
        return reverse("import-found", args=[self.pk])

    @property
    def is_on_its_way(self) -> bool:
        return self.state in ON_ITS_WAY


class UploadPiece(models.Model):
    """At most a megabyte of a file: hosts share only the database."""

    upload = models.ForeignKey(
        Upload, on_delete=models.CASCADE, related_name="pieces", db_index=False
    )
    file = models.PositiveIntegerField()
    path = models.CharField(max_length=400)  # including the folders above it
    position = models.PositiveIntegerField()
    content = models.BinaryField()

    class Meta:
        ordering = ["file", "position"]
        constraints = [
            models.UniqueConstraint(
                fields=["upload", "file", "position"], name="upload_piece_once"
            ),
        ]

    def __str__(self):
        return self.path
