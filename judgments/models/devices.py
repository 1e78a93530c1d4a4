"""On which devices people judge, as codes that nobody can turn back."""

from django.db import models

from .campaign import Membership


class MarkKind(models.TextChoices):
    BROWSER = "browser", "Same browser"
    NETWORK = "network", "Same network and kind of browser"


class DeviceMarkQuerySet(models.QuerySet):
    def shared_with(self, user):
        """Return marks of others who judge where the user judges, unless both are told apart."""
        own = self.filter(membership__user=user)
        undecided = models.Q(accepted_at=None) | models.Q(
            mark__in=own.filter(accepted_at=None).values("mark")
        )
        return self.filter(undecided, mark__in=own.values("mark")).exclude(membership__user=user)


class DeviceMark(models.Model):
    """A code for what a member judges with; members of a campaign with the same one share it.

    `mark` is a keyed hash over the campaign too, so that it tells nothing about other campaigns
    (judgments/people/devices.py makes it, and forgets it).
    """

    membership = models.ForeignKey(
        Membership, on_delete=models.CASCADE, related_name="marks", db_index=False
    )
    kind = models.CharField(max_length=10, choices=MarkKind.choices)
    mark = models.CharField(max_length=64, db_index=True)
    first_seen = models.DateTimeField()
    last_seen = models.DateTimeField(db_index=True)
    # Told apart from others for whom this is set: by an owner, or by the names of their browsers.
    accepted_at = models.DateTimeField(null=True, blank=True)

    objects = DeviceMarkQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["membership", "mark"], name="mark_once"),
        ]

    def __str__(self):
        return f"{self.kind} of member {self.membership_id}"
