"""A campaign: what is asked of whom, about which texts."""

import secrets
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q, Value
from django.db.models.functions import Concat
from django.urls import reverse
from django.utils import timezone

from .corpus import TestSet

EMPTY = Value({}, models.JSONField())


def new_token() -> str:
    """Return a secret for a link: 192 bits from the system's generator."""
    return secrets.token_urlsafe(24)


def utc_moment(text: str | None) -> datetime | None:
    """Return the moment of a text such as "2027-01-31T12:00", which is in UTC; None for none.
    Raises ValueError."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC) if text else None


class Status(models.TextChoices):
    DRAFT = "draft", "Draft"
    OPEN = "open", "Open"
    PAUSED = "paused", "Paused"
    CLOSED = "closed", "Closed"


class Role(models.TextChoices):
    OWNER = "owner", "Owner"
    RESEARCHER = "researcher", "Researcher"
    ANNOTATOR = "annotator", "Annotator"


class CampaignQuerySet(models.QuerySet):
    def visible_to(self, user):
        """Return campaigns whose results the user may read."""
        if user.is_superuser:
            return self
        read = Membership.objects.current().filter(
            user=user, role__in=[Role.OWNER, Role.RESEARCHER]
        )
        campaigns = read.order_by().values("campaign")
        return self.filter(Q(pk__in=campaigns) | Q(judge__campaign__in=campaigns))

    def of_people(self):
        """Without those that hold answers of language models."""
        return self.filter(by_model=False)

    def matching(self, words: str):
        """Return those that have every word in their name, their state, or the name or the
        languages (such as en-de) of their test set."""
        found: Any = self
        if words.split():
            pair = Concat("test_set__source_language", Value("-"), "test_set__target_language")
            found = found.annotate(pair_of_languages=pair)
        for word in words.split():
            found = found.filter(
                Q(name__icontains=word)
                | Q(status__iexact=word)
                | Q(test_set__name__icontains=word)
                | Q(pair_of_languages__icontains=word)
            )
        return found


class Campaign(models.Model):
    name = models.CharField(max_length=200)
    test_set = models.ForeignKey(TestSet, on_delete=models.PROTECT, related_name="campaigns")
    protocol = models.CharField(max_length=40)
    preset = models.CharField(max_length=60)
    # What the preset leaves open, and what the manager changed; the protocol validates it.
    options = models.JSONField(default=dict, blank=True)
    # Who judges what, with which control items: `judgments.plans.settings` reads it.
    plan = models.JSONField(default=dict, blank=True)
    # Markdown by interface language, such as {"en": "…", "de": "…"}.
    instructions = models.JSONField(default=dict, blank=True)
    # Consent, questionnaire, codes, pay: what `judgments.people.staffing.settings` reads, checks
    # and sets.
    staffing = models.JSONField(default=dict, db_default=EMPTY, blank=True, editable=False)
    guideline_version = models.PositiveIntegerField(default=1)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.DRAFT)
    simulated = models.BooleanField(default=False, help_text="Judgments made up by a program.")
    # Whether it holds the answers of a language model (`Judge.answers`), and nobody's.
    by_model = models.BooleanField(default=False, db_default=False, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    # Since when it is out of the lists and only read.
    archived_at = models.DateTimeField(null=True, blank=True, editable=False)
    members = models.ManyToManyField(
        settings.AUTH_USER_MODEL, through="Membership", related_name="campaigns"
    )

    objects = CampaignQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self):
        return self.name

    def get_absolute_url(self):
        return reverse("campaign", args=[self.pk])

    @property
    def starts_at(self) -> datetime | None:
        return utc_moment(self.staffing.get("dates", {}).get("start"))

    @property
    def deadline(self) -> datetime | None:
        return utc_moment(self.staffing.get("dates", {}).get("deadline"))

    @property
    def has_begun(self) -> bool:
        return self.starts_at is None or self.starts_at <= timezone.now()

    @property
    def is_over(self) -> bool:
        """Whether its deadline has passed; a task closes it a moment later."""
        return self.deadline is not None and self.deadline <= timezone.now()

    @property
    def is_open(self) -> bool:
        """Whether people can judge: it was opened, and now is between its dates."""
        return self.status == Status.OPEN and self.has_begun and not self.is_over


class MembershipQuerySet(models.QuerySet):
    def current(self):
        """Without those who were removed: what they judged stays under their name, that is all."""
        return self.filter(removed_at=None)


class Membership(models.Model):
    """A person's part in a campaign. `token` is their own link, which signs them in again."""

    campaign = models.ForeignKey(
        Campaign, on_delete=models.CASCADE, related_name="memberships", db_index=False
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships"
    )
    role = models.CharField(max_length=10, choices=Role.choices)
    # The name that results show for an annotator; the account's name may be a person's own.
    alias = models.CharField(max_length=150)
    token = models.CharField(max_length=64, unique=True, default=new_token, editable=False)
    joined_at = models.DateTimeField(auto_now_add=True)
    # How far they are in the tutorial. Where it is a test (`judgments.judging.practice.gate`): the
    # answers of this try that were right and that were asked for, the tries that have ended, and
    # when they passed.
    n_practiced = models.PositiveSmallIntegerField(default=0, db_default=0)
    n_tutorial_right = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    n_tutorial_asked = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    n_tutorial_tries = models.PositiveSmallIntegerField(default=0, db_default=0, editable=False)
    qualified_at = models.DateTimeField(null=True, blank=True, editable=False)
    removed_at = models.DateTimeField(null=True, blank=True, editable=False)
    link_used_at = models.DateTimeField(null=True, blank=True, editable=False)
    link_revoked_at = models.DateTimeField(null=True, blank=True, editable=False)
    # A link that an owner has seen, because it was renewed: using it exchanges it for another.
    link_is_passed_on = models.BooleanField(default=False, db_default=False, editable=False)
    # Who they are to the site that sent them, such as {"PROLIFIC_PID": "…"}; `external_ids`.
    external_ids = models.JSONField(default=dict, db_default=EMPTY, blank=True, editable=False)
    # The version of the consent that they gave; null: none, or it was refused.
    consent_version = models.PositiveIntegerField(null=True, blank=True, editable=False)
    # What they said to the campaign's questionnaire, by the names of its questions.
    about = models.JSONField(null=True, blank=True, editable=False)
    invitation = models.ForeignKey(
        "Invitation",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        editable=False,
        related_name="brought",
    )
    # The part in a project that this one comes of, and goes with.
    by_project = models.ForeignKey(
        "ProjectMember",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        editable=False,
        related_name="shared",
    )
    # The role of their own that a part in a project has raised; they have it again after the part.
    role_before = models.CharField(
        max_length=10, blank=True, default="", db_default="", editable=False
    )

    objects = MembershipQuerySet.as_manager()

    class Meta:
        ordering = ["alias"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "user"], name="member_once"),
            models.UniqueConstraint(fields=["campaign", "alias"], name="alias_once"),
        ]

    def __str__(self):
        return f"{self.alias} ({self.role})"

    def get_return_url(self):
        return reverse("return", args=[self.token])


class MailState(models.TextChoices):
    NONE = "", "Not mailed"
    WAITING = "waiting", "Waiting"
    SENT = "sent", "Sent"
    FAILED = "failed", "Failed"


class MailedRow(models.Model):
    """What becomes of a mail; `judgments.people.mail` sends it."""

    mail_state = models.CharField(
        max_length=10,
        choices=MailState.choices,
        default=MailState.NONE,
        db_default=MailState.NONE,
        blank=True,
        editable=False,
    )
    mailed_at = models.DateTimeField(null=True, blank=True, editable=False)
    # Attempts that failed since it began to wait, and why the last one did.
    mail_tries = models.PositiveSmallIntegerField(default=0, db_default=0, editable=False)
    mail_problem = models.CharField(
        max_length=300, blank=True, default="", db_default="", editable=False
    )

    class Meta:
        abstract = True


class InvitationQuerySet(models.QuerySet):
    def usable(self):
        """Return those that still let somebody in; nobody can judge in a closed campaign any
        more."""
        open_to_role = ~Q(role=Role.ANNOTATOR, campaign__status=Status.CLOSED)
        return self.filter(
            open_to_role,
            Q(expires_at=None) | Q(expires_at__gt=timezone.now()),
            Q(max_uses=None) | Q(uses__lt=models.F("max_uses")),
            closed_at=None,
            campaign__archived_at=None,
        )


class Invitation(MailedRow):
    """A link that lets people join a campaign without a password."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="invitations")
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.ANNOTATOR)
    token = models.CharField(max_length=64, unique=True, default=new_token, editable=False)
    note = models.CharField(max_length=200, blank=True)
    # Links made for many people at once share a number; null: made alone.
    sheet = models.PositiveIntegerField(null=True, blank=True, editable=False)
    # Whom it is for, where that is one person.
    name = models.CharField(max_length=150, blank=True, default="", db_default="")
    email = models.EmailField(blank=True, default="", db_default="")
    alias = models.CharField(max_length=60, blank=True, default="", db_default="")
    max_uses = models.PositiveIntegerField(null=True, blank=True)
    uses = models.PositiveIntegerField(default=0, editable=False)
    expires_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True, editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    objects = InvitationQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self):
        return f"invitation {self.pk} to {self.campaign_id}"

    def get_absolute_url(self):
        return reverse("join", args=[self.token])


class ConsentRecord(models.Model):
    """That somebody accepted or refused a campaign's consent, and what exactly was shown to them.

    `membership` null: the person was erased, and only the number of the campaign stays. Nothing
    else of it is ever changed; it leaves with its campaign.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="consents")
    membership = models.ForeignKey(
        Membership, on_delete=models.PROTECT, null=True, related_name="consents"
    )
    version = models.PositiveIntegerField()
    language = models.CharField(max_length=10)
    text = models.TextField()
    accepted = models.BooleanField()
    recorded_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self):
        said = "accepted" if self.accepted else "refused"
        return f"consent {self.version} of campaign {self.campaign_id} {said}"
