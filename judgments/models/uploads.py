"""Uploaded files, until they are imported."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.urls import reverse

from .corpus import TestSet
from .jobs import Job, JobQuerySet, JobStatus


class UploadQuerySet(JobQuerySet):
    def not_imported(self):
        return self.exclude(status=JobStatus.DONE, keeps=True)


class Upload(Job):
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
    n_rows = models.PositiveBigIntegerField(default=0)  # read so far
    outcome = models.JSONField(default=dict)  # as releases/uploads.py writes it

    objects: ClassVar = UploadQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]

    def __str__(self):
        return f"upload {self.pk}"

    def get_absolute_url(self):
        return reverse("import-found", args=[self.pk])

    @property
    def is_reviewed(self) -> bool:
        """Whether its files were read and can be imported."""
        return self.status == JobStatus.DONE and not self.keeps

    @property
    def is_imported(self) -> bool:
        return self.status == JobStatus.DONE and self.keeps


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
