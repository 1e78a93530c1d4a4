"""Decisions about annotators, and rules for them. Rows here are only ever added."""

from django.conf import settings
from django.db import models

from judgments.models.campaign import Campaign


class DecisionQuerySet(models.QuerySet):
    def latest_of_each(self):
        """The decision in force for every annotator about whom there is one."""
        return self.order_by("campaign_id", "annotator_id", "-pk").distinct(
            "campaign_id", "annotator_id"
        )


class Decision(models.Model):
    """An owner's decision to leave an annotator out of a campaign's results, or to take them in
    again, with the reason.

    Never changed and never deleted: the last one about an annotator counts, and the earlier ones
    are its history.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="decisions")
    annotator = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="decisions"
    )
    excluded = models.BooleanField()
    reason = models.TextField()
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    decided_at = models.DateTimeField(auto_now_add=True)

    objects = DecisionQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]

    def __str__(self):
        what = "left out" if self.excluded else "included again"
        return f"annotator {self.annotator_id} {what} of campaign {self.campaign_id}"


class QualityRule(models.Model):
    """What will lead to an exclusion, written down by an owner, best before the first judgment.

    Never changed and never deleted: the last one counts, and `written_at` says what was known.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="quality_rules")
    text = models.TextField(blank=True)
    # Less time than this for a word of the source is too fast to have read it; null: no floor.
    seconds_per_word = models.FloatField(null=True, blank=True)
    n_judgments = models.PositiveIntegerField(help_text="How many judgments there were then.")
    written_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    written_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self):
        return f"rule {self.pk} of campaign {self.campaign_id}"
