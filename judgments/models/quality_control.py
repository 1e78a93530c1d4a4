"""Decisions about annotators and items, and rules for them. Rows here are only ever added."""

from django.conf import settings
from django.db import models

from judgments.models.campaign import Campaign
from judgments.models.corpus import Segment, System


class DecisionQuerySet(models.QuerySet):
    def latest_of_each(self):
        """Return the decision in force for every annotator and dimension about which there is
        one."""
        each = ("campaign_id", "annotator_id", "dimension")
        return self.order_by(*each, "-pk").distinct(*each)


class Decision(models.Model):
    """An owner's decision to leave an annotator out of a campaign's results, or to take them in
    again, with the reason.

    `dimension`: only ratings on that one; empty: whatever the annotator judged. Never changed: the
    last one about an annotator and a dimension counts, and the earlier ones are its history.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="decisions")
    annotator = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="decisions"
    )
    dimension = models.CharField(max_length=40, blank=True, default="", db_default="")
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


class StateChange(models.TextChoices):
    WORKING = "working", "Works"
    HELD = "held", "Held"
    REPLACED = "replaced", "Replaced"


class AnnotatorState(models.Model):
    """A change of what an annotator may do in a campaign, with the reason: they are held until
    somebody decides, go on, or are replaced by others after a `Decision` has left them out.

    Never changed: the last one about an annotator counts; `judgments.people.states` reads it with
    the decisions. decided_by null: the campaign's rule.
    """

    campaign = models.ForeignKey(
        Campaign, on_delete=models.PROTECT, related_name="annotator_states", db_index=False
    )
    annotator = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    state = models.CharField(max_length=10, choices=StateChange.choices)
    reason = models.TextField()
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    decided_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(fields=["campaign", "annotator", "-id"], name="state_of_annotator"),
        ]

    def __str__(self):
        return f"annotator {self.annotator_id} of campaign {self.campaign_id}: {self.state}"


class RemovedItemQuerySet(models.QuerySet):
    def latest_of_each(self):
        """Return the decision in force for every segment, and system, about which there is one."""
        each = ("campaign_id", "segment_id", "system_id")
        return self.order_by(*each, "-pk").distinct(*each)


class RemovedItem(models.Model):
    """A decision to leave a segment, or one system's output of it, out of a campaign's results, or
    to take it in again, with the reason.

    `system` null: all systems. Never changed: the last one about a segment and a system counts.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="removed_items")
    segment = models.ForeignKey(Segment, on_delete=models.PROTECT, related_name="+")
    system = models.ForeignKey(
        System, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    removed = models.BooleanField(default=True)
    reason = models.TextField()
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    decided_at = models.DateTimeField(auto_now_add=True)

    objects = RemovedItemQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]

    def __str__(self):
        what = "left out" if self.removed else "included again"
        return f"segment {self.segment_id} {what} of campaign {self.campaign_id}"


THRESHOLDS = (
    "least_checks",
    "degraded_level",
    "most_deviation",
    "least_references",
    "seconds_per_word",
)


class QualityRule(models.Model):
    """What will lead to an exclusion, written down by an owner, best before the first judgment.

    Never changed and never deleted: the last one counts, and `written_at` says what was known.
    The thresholds make `judgments.quality.rules.verdicts`; one that is null is not asked.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="quality_rules")
    text = models.TextField(blank=True)
    # Less time than this for a word of the source is too fast to have read it; null: no floor.
    seconds_per_word = models.FloatField(null=True, blank=True)
    # The least share of attention checks that are passed.
    least_checks = models.FloatField(null=True, blank=True)
    # Degraded copies are scored below the originals with at most this p.
    degraded_level = models.FloatField(null=True, blank=True)
    # The largest mean difference between two scores of the same output, as a share of the scale.
    most_deviation = models.FloatField(null=True, blank=True)
    # The least share of hidden references that score at least the median of the outputs.
    least_references = models.FloatField(null=True, blank=True)
    # After so many judged control items, or a first batch, whoever fails is held; null: nobody is.
    hold_after = models.PositiveSmallIntegerField(null=True, blank=True)
    n_judgments = models.PositiveIntegerField(help_text="How many judgments there were then.")
    written_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    written_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self):
        return f"rule {self.pk} of campaign {self.campaign_id}"

    @property
    def thresholds(self) -> dict[str, float]:
        """Those that are asked."""
        found = {name: getattr(self, name) for name in THRESHOLDS}
        return {name: value for name, value in found.items() if value is not None}
