"""Approved payments of annotators."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from .campaign import Membership


class PaymentKind(models.TextChoices):
    WORK = "work", "Work"
    BONUS = "bonus", "Bonus"


class Payment(models.Model):
    """A sum that somebody approved for an annotator, in the currency of the campaign's pay; it is
    paid once `paid_at` is set. Earnings that are in no payment for work are due.

    A payment through Prolific was requested, and is paid once Prolific confirms it."""

    membership = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="payments")
    kind = models.CharField(max_length=5, choices=PaymentKind.choices)
    amount = models.DecimalField(max_digits=12, decimal_places=2)
    reason = models.CharField(max_length=200, blank=True)  # of a bonus
    approved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    approved_at = models.DateTimeField(auto_now_add=True)
    paid_at = models.DateTimeField(null=True, blank=True)
    sent_at = models.DateTimeField(null=True, blank=True, editable=False)
    # Prolific's number of the submission that this rewards, or of the bonuses that include it.
    prolific = models.CharField(
        max_length=64, blank=True, default="", db_default="", editable=False
    )

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=Q(amount__gt=0), name="payment_of_something")
        ]

    def __str__(self):
        return f"{self.kind} {self.amount} to {self.membership_id}"
