"""A project: campaigns that belong together, such as those of a shared task, a year or a course."""

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.urls import reverse

from .campaign import Campaign

# Other addresses stand where a project's does.
RESERVED = {"new"}


def not_reserved(slug: str) -> None:
    if slug in RESERVED:
        raise ValidationError(f"“{slug}” is an address of its own. Choose another word.")


class ProjectQuerySet(models.QuerySet):
    def visible_to(self, user):
        """Projects that the user owns, or in which they may read the results of a campaign."""
        if user.is_superuser:
            return self
        readable = Campaign.objects.visible_to(user).order_by().values("pk")
        mine = models.Q(owner=user) | models.Q(joined__campaign__in=readable)
        return self.filter(mine).distinct()


class Project(models.Model):
    """Results of its campaigns stand together; each stays what it is."""

    name = models.CharField(max_length=200)
    slug = models.SlugField(
        "address",
        max_length=60,
        unique=True,
        validators=[not_reserved],
        help_text="A short word for addresses and files, such as wmt23.",
    )
    description = models.TextField(blank=True, default="")
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="projects"
    )
    campaigns = models.ManyToManyField(
        Campaign, through="ProjectCampaign", related_name="projects", blank=True
    )
    created_at = models.DateTimeField(auto_now_add=True)

    objects = ProjectQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self):
        return self.name

    def get_absolute_url(self):
        return reverse("project", args=[self.slug])


class ProjectCampaign(models.Model):
    """That a campaign has joined a project, and what it is ranked by there."""

    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, related_name="joined", db_index=False
    )
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="joined")
    # What its systems are ranked by here; empty: the first that it asks.
    dimension = models.CharField(max_length=40, blank=True, default="", db_default="")
    joined_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["campaign_id"]
        constraints = [models.UniqueConstraint(fields=["project", "campaign"], name="joined_once")]

    def __str__(self):
        return f"campaign {self.campaign_id} in project {self.project_id}"
