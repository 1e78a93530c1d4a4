"""Copies of the demo on a public demo server: one for each visitor, for a day."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from .campaign import Membership


class DemoCopyQuerySet(models.QuerySet):
    def ready(self) -> DemoCopyQuerySet:
        """Copies that were made ahead and belong to nobody yet."""
        return self.filter(taken_at=None)

    def running(self) -> DemoCopyQuerySet:
        """Copies that somebody has, and whose day is not over."""
        return self.filter(ends_at__gt=timezone.now())

    def over(self) -> DemoCopyQuerySet:
        return self.filter(ends_at__lte=timezone.now())

    def with_account(self, user) -> DemoCopyQuerySet:
        return self.filter(models.Q(manager=user) | models.Q(annotator=user))

    def worked_in_by(self, user) -> DemoCopyQuerySet:
        """The copy of an account, or those to whose campaigns it was invited."""
        managers = Membership.objects.filter(user=user).values("campaign__test_set__owner")
        return self.with_account(user) | self.filter(manager__in=managers)


class DemoCopy(models.Model):
    """One copy of the demo: a test set with its campaigns, which belong to `manager`. A worker
    makes it before anybody asks for it, and deletes it with all that was done in it."""

    # The row leaves last, by a function of the database; PostgreSQL checks that no account leaves
    # without it.
    manager = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.DO_NOTHING, related_name="demo_copy"
    )
    # The account with which the same visitor judges.
    annotator = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.DO_NOTHING, related_name="demo_part"
    )
    made_at = models.DateTimeField(auto_now_add=True)
    taken_at = models.DateTimeField(null=True, editable=False)
    ends_at = models.DateTimeField(null=True, editable=False, db_index=True)
    # A keyed hash that tells the browser that took it: a second click gets the same copy.
    browser = models.CharField(max_length=64, blank=True, default="", editable=False)

    objects = DemoCopyQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "demo copies"
        ordering = ["pk"]

    def __str__(self):
        return f"demo copy {self.pk}"
