"""Notices sent when a campaign is complete or an annotator is flagged."""

import secrets

from django.conf import settings
from django.db import models
from django.utils import timezone

from .campaign import Campaign


def new_secret() -> str:
    """Return the key that signs the payload of a webhook: 256 bits."""
    return secrets.token_hex(32)


class NoticeWay(models.TextChoices):
    MAIL = "mail", "Mail"
    WEBHOOK = "webhook", "Webhook"


class NoticeEvent(models.TextChoices):
    COMPLETE = "complete", "The campaign is complete"
    FLAG = "flag", "An annotator is flagged"


class NoticeState(models.TextChoices):
    WAITING = "waiting", "Waiting"
    SENT = "sent", "Sent"
    FAILED = "failed", "Failed"


class NoticeRule(models.Model):
    """The recipient of a campaign's notices: a mail address, or the address of a webhook."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="notice_rules")
    way = models.CharField(max_length=10, choices=NoticeWay.choices)
    address = models.CharField(max_length=500)
    site = models.CharField(max_length=200, blank=True)  # for links: https://eval.example.org/
    on_complete = models.BooleanField(default=True)
    on_flag = models.BooleanField(default=True)
    secret = models.CharField(max_length=64, default=new_secret, editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self):
        return f"{self.way} of campaign {self.campaign_id}"


class Notice(models.Model):
    """One notice by one rule. `about` distinguishes notices of one event: how many items were
    complete, or which annotator (a user id) has which flags, and is held by which `AnnotatorState`
    (`held:17`). It holds no name: names are looked up when it is sent."""

    rule = models.ForeignKey(
        NoticeRule, on_delete=models.CASCADE, related_name="notices", db_index=False
    )
    event = models.CharField(max_length=10, choices=NoticeEvent.choices)
    about = models.CharField(max_length=200)
    state = models.CharField(
        max_length=10, choices=NoticeState.choices, default=NoticeState.WAITING
    )
    n_tries = models.PositiveSmallIntegerField(default=0)
    problem = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["rule", "event", "about"], name="notice_once"),
        ]

    def __str__(self):
        return f"notice {self.pk} by rule {self.rule_id}"
