"""Files that take long to make, stored until they are downloaded."""

from collections.abc import Iterable
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.urls import reverse

from .campaign import Campaign
from .jobs import Job, JobQuerySet
from .project import Project, ProjectCampaign


class DownloadKind(models.TextChoices):
    ARCHIVE = "archive", "archive.zip"
    ALL_RESULTS = "all-results", "campaign.json"
    RELEASE = "release", "release.zip"
    RELEASE_WITH_MEDIA = "release-media", "release.zip, with sound, pictures and videos"
    RELEASE_OF_HASHES = "release-hashes", "release.zip, with hashes in place of the texts"


FOR_READERS = (DownloadKind.ARCHIVE, DownloadKind.ALL_RESULTS)  # the others are for owners


class DownloadQuerySet(JobQuerySet):
    def with_judgments_of(self, campaigns: Iterable[int]):
        """Return files that hold, or may soon hold, judgments of campaigns with these numbers:
        their own, and those of projects that released them or that they have joined."""
        numbers = list(campaigns)
        joined = ProjectCampaign.objects.filter(campaign__in=numbers).values("project")
        found = models.Q(campaign__in=numbers) | models.Q(project__in=joined)
        for number in numbers:
            found |= models.Q(released__contains=number)
        return self.filter(found)


class Download(Job):
    """A file of a campaign, or of a project, that one person requested. Deleted after a day."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="downloads"
    )
    campaign = models.ForeignKey(
        Campaign, on_delete=models.CASCADE, related_name="downloads", null=True
    )
    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, related_name="downloads", null=True
    )
    kind = models.CharField(max_length=20, choices=DownloadKind.choices)
    # The numbers of the campaigns in a project's file, including those that have left it since.
    released = models.JSONField(default=list, db_default=[], blank=True)
    query = models.TextField(blank=True)  # which judgments, as in an address
    site = models.CharField(max_length=300)  # where the links in the file lead
    n_bytes = models.PositiveBigIntegerField(default=0)  # made so far
    created_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar = DownloadQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(campaign=None) ^ models.Q(project=None),
                name="download_of_campaign_or_project",
            )
        ]

    def __str__(self):
        return f"download {self.pk}"

    def get_absolute_url(self):
        if self.project:
            return reverse("project-download", args=[self.project.slug, self.pk])
        return reverse("download", args=[self.campaign_id, self.pk])

    @property
    def of(self) -> Campaign | Project:
        """The campaign or project of the file."""
        found = self.campaign or self.project
        assert found is not None  # the constraint
        return found

    @property
    def file_name(self) -> str:
        """The name of the file among others of the campaign."""
        return str(self.get_kind_display()).partition(",")[0]


class DownloadPiece(models.Model):
    """At most a megabyte of the file: the host that sends it may be another than the one that made
    it."""

    download = models.ForeignKey(
        Download, on_delete=models.CASCADE, related_name="pieces", db_index=False
    )
    position = models.PositiveIntegerField()
    content = models.BinaryField()

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["download", "position"], name="download_piece_once"),
        ]

    def __str__(self):
        return f"piece {self.position}"
