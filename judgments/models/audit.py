"""What owners, researchers and operators did."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models
from django.db.models import Q
from django.utils import timezone

if TYPE_CHECKING:
    from .campaign import Campaign


class Result(models.TextChoices):
    DONE = "done", "Done"
    REFUSED = "refused", "Refused"
    FAILED = "failed", "Failed"
    BEGUN = "begun", "Begun"  # a command; another row says how it ended


class ActQuerySet(models.QuerySet):
    def about(self, campaign: Campaign) -> ActQuerySet:
        """The acts on a campaign or on its test set."""
        return self.filter(Q(campaign=campaign.pk) | Q(test_set=campaign.test_set_id))


class Act(models.Model):
    """One act; a row is written and never changed, which the database refuses (migration 0011).

    Accounts, campaigns and test sets are plain numbers: the row outlasts what it names.
    """

    at = models.DateTimeField(default=timezone.now)
    request = models.CharField(max_length=64, blank=True)
    account = models.CharField(max_length=150)
    user = models.BigIntegerField(null=True)
    role = models.CharField(max_length=20)
    # The name of an address, such as "member-new", or of a command, such as "manage.py score".
    act = models.CharField(max_length=100)
    result = models.CharField(max_length=10, choices=Result.choices)
    campaign = models.BigIntegerField(null=True)
    test_set = models.BigIntegerField(null=True)
    # What else the address named, and what the form said: short values, no secrets.
    objects_named = models.JSONField(default=dict)
    facts = models.JSONField(default=dict)

    objects = ActQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["campaign", "id"], name="acts_of_campaign"),
            models.Index(fields=["test_set", "id"], name="acts_of_test_set"),
        ]

    def __str__(self):
        return f"{self.act} by {self.account}"
