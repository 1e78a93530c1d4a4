"""Decisions about annotators and items, and rules for such decisions. Rows here are only ever
added."""

from django.conf import settings
from django.db import models

from judgments.models.campaign import Campaign
from judgments.models.corpus import Segment, System


class DecisionQuerySet(models.QuerySet):
    def latest_of_each(self):
        """Return the current decision for every annotator and dimension that has one."""
        each = ("campaign_id", "annotator_id", "dimension")
        return self.order_by(*each, "-pk").distinct(*each)


class Decision(models.Model):
    """An owner's decision to exclude an annotator from a campaign's results, or to include them
    again, with the reason.

    `dimension`: only ratings on that one; empty: all judgments of the annotator. Never changed: the
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
    somebody decides, may continue, or are replaced by others after a `Decision` has excluded them.

    Never changed: the last one about an annotator counts; `judgments.people.states` reads it with
    the decisions. decided_by null: decided by the campaign's rule.
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
        """Return the current decision for every segment, and system, that has one."""
        each = ("campaign_id", "segment_id", "system_id")
        return self.order_by(*each, "-pk").distinct(*each)


class RemovedItem(models.Model):
    """A decision to exclude a segment, or one system's output for it, from a campaign's results, or
    to include it again, with the reason.

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
    """The rule for exclusions, stated by an owner, ideally before the first judgment.

    Never changed and never deleted: the last one counts, and `written_at` shows what was known
    then. The thresholds lead to `judgments.quality.rules.verdicts`; one that is null is not
    applied.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="quality_rules")
    text = models.TextField(blank=True)
    # Less time than this per source word is too fast to have read it; null: no minimum.
    seconds_per_word = models.FloatField(null=True, blank=True)
    # The least share of attention checks that must be passed.
    least_checks = models.FloatField(null=True, blank=True)
    # Degraded copies must be scored below the originals with at most this p.
    degraded_level = models.FloatField(null=True, blank=True)
    # The largest mean difference between two scores of the same output, as a share of the scale.
    most_deviation = models.FloatField(null=True, blank=True)
    # The least share of hidden references that must score at least the median of the outputs.
    least_references = models.FloatField(null=True, blank=True)
    # An annotator who fails after this many judged control items, or a first batch, is held; null:
    # nobody is held.
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
        """The thresholds that are applied."""
        found = {name: getattr(self, name) for name in THRESHOLDS}
        return {name: value for name, value in found.items() if value is not None}
