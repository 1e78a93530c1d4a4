"""What owners, researchers and operators did."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models
from django.db.models import OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
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
        """Return the acts on a campaign or on its test set."""
        return self.filter(Q(campaign=campaign.pk) | Q(test_set=campaign.test_set_id))

    def with_times(self) -> ActQuerySet:
        """Return the acts with `times`: how often each was refused within an hour, else 1."""
        times = Refusals.objects.filter(first=OuterRef("pk")).values("times")[:1]
        return self.annotate(times=Coalesce(Subquery(times), 1))


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


class Refusals(models.Model):
    """How often an account was refused the same act in an hour. The log has a row of the first
    time only: what one may not do must not fill a table from which nothing is ever deleted."""

    user = models.BigIntegerField()
    act = models.CharField(max_length=100)
    # 0 for none.
    campaign = models.BigIntegerField(default=0)
    test_set = models.BigIntegerField(default=0)
    hour = models.DateTimeField()
    times = models.PositiveIntegerField()
    # The number of the act that stands in the log for all of them.
    first = models.BigIntegerField(null=True)

    class Meta:
        verbose_name_plural = "refusals"
        constraints = [
            models.UniqueConstraint(
                fields=["user", "act", "campaign", "test_set", "hour"], name="one_count_an_hour"
            ),
        ]
        indexes = [models.Index(fields=["first"], name="refusals_of_act")]

    def __str__(self):
        return f"{self.act} by {self.user}: {self.times} times"
