"""Messages to annotators: by a manager or about the deadline, and their recipients."""

from django.db import models

from .campaign import Campaign, MailedRow, Membership


class Message(models.Model):
    """A message written by a manager; or the reminder due at `reminds_at`, whose words the pages
    have in every language."""

    campaign = models.ForeignKey(
        Campaign, on_delete=models.CASCADE, related_name="messages", db_index=False
    )
    # The manager's name in the campaign; empty: a reminder.
    sender = models.CharField(max_length=150, blank=True)
    text = models.TextField(blank=True)
    reminds_at = models.DateTimeField(null=True, blank=True)
    site = models.CharField(max_length=200, blank=True)  # for the link in a mail
    sent_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            # A manager's message has no `reminds_at`, and nulls are never equal.
            models.UniqueConstraint(fields=["campaign", "reminds_at"], name="reminder_once"),
        ]

    def __str__(self):
        return f"message {self.pk} of campaign {self.campaign_id}"


class Delivery(MailedRow):
    """A message to one person: whether they have read it on the site, and the state of the mail."""

    message = models.ForeignKey(
        Message, on_delete=models.CASCADE, related_name="deliveries", db_index=False
    )
    membership = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="deliveries")
    read_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["message", "membership"], name="delivered_once"),
        ]

    def __str__(self):
        return f"message {self.message_id} to {self.membership_id}"
