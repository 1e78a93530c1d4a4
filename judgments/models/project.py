"""A project: campaigns that belong together, such as those of a shared task, a year or a course."""

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.urls import reverse
from django.utils import timezone

from .campaign import Campaign, new_token

# Other addresses stand where a project's does.
RESERVED = {"new", "from-file", "join"}


def not_reserved(slug: str) -> None:
    if slug in RESERVED:
        raise ValidationError(f"“{slug}” is a reserved address. Choose another word.")


class ProjectRole(models.TextChoices):
    """What somebody may do in a project that is not theirs: manage its campaigns, watch how far
    they are, read their results, or judge in them."""

    MANAGER = "manager", "Manager"
    WATCHER = "watcher", "Watcher"
    READER = "reader", "Reader"
    ANNOTATOR = "annotator", "Annotator"


class ProjectQuerySet(models.QuerySet):
    def visible_to(self, user):
        """Return projects that the user owns, manages or watches, or in which they may read the
        results of a campaign."""
        if user.is_superuser:
            return self
        readable = Campaign.objects.visible_to(user).order_by().values("pk")
        mine = models.Q(owner=user) | models.Q(joined__campaign__in=readable)
        with_part = ProjectMember.objects.filter(user=user).exclude(role=ProjectRole.ANNOTATOR)
        return self.filter(mine | models.Q(pk__in=with_part.values("project"))).distinct()

    def matching(self, words: str):
        """Return those that have every word in their name, address or description."""
        found = self
        for word in words.split():
            found = found.filter(
                models.Q(name__icontains=word)
                | models.Q(slug__icontains=word)
                | models.Q(description__icontains=word)
            )
        return found


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
    # Since when it and its campaigns are out of the lists and only read.
    archived_at = models.DateTimeField(null=True, blank=True, editable=False)

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
    # Which round of the project it is, where the project counts them.
    round = models.PositiveSmallIntegerField(null=True, blank=True)
    joined_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["campaign_id"]
        constraints = [models.UniqueConstraint(fields=["project", "campaign"], name="joined_once")]

    def __str__(self):
        return f"campaign {self.campaign_id} in project {self.project_id}"


class ProjectMember(models.Model):
    """Somebody's part in a project. What it opens in the campaigns are memberships there, which
    name it (`judgments.people.projects.sharing`); a watcher has none."""

    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, related_name="people", db_index=False
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="parts_in_projects"
    )
    role = models.CharField(max_length=10, choices=ProjectRole.choices)
    # The name in results.
    alias = models.CharField(max_length=150)
    # Of languages, such as "en-de"; empty: all that the project has and will have.
    pairs = models.JSONField(default=list, blank=True)
    added_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["role", "alias"]
        constraints = [
            models.UniqueConstraint(fields=["project", "user"], name="once_in_a_project")
        ]

    def __str__(self):
        return f"{self.alias} ({self.role} of project {self.project_id})"


class ProjectLinkQuerySet(models.QuerySet):
    def usable(self):
        """Return those that still let somebody in."""
        is_in_time = models.Q(expires_at=None) | models.Q(expires_at__gt=timezone.now())
        return self.filter(is_in_time, closed_at=None, used_at=None, project__archived_at=None)


class ProjectLink(models.Model):
    """A link that gives one person a part in a project."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="links")
    role = models.CharField(max_length=10, choices=ProjectRole.choices)
    pairs = models.JSONField(default=list, blank=True)
    token = models.CharField(max_length=64, unique=True, default=new_token, editable=False)
    name = models.CharField(max_length=150, blank=True, default="")
    email = models.EmailField(blank=True, default="")
    alias = models.CharField(max_length=60, blank=True, default="")
    expires_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True, editable=False)
    used_at = models.DateTimeField(null=True, blank=True, editable=False)
    used_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    objects = ProjectLinkQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]

    def __str__(self):
        return f"link {self.pk} to project {self.project_id}"

    def get_absolute_url(self):
        return reverse("project-join", args=[self.token])
