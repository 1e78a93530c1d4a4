"""Evidence that no judgment was altered, removed or inserted: chains of hashes, and the logs of
what was erased and deleted.

Nothing here has a foreign key to a judgment or a task: it must stay when one is gone. The algorithm
is in `judgments.models.chains`.
"""

from django.db import models
from django.utils import timezone

from .campaign import Campaign


class Chain(models.Model):
    """The chain of a task: the number of judgments ever stored in it, and the hash of the last."""

    task_id = models.BigIntegerField(primary_key=True)
    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="chains")
    length = models.PositiveIntegerField()
    head = models.BinaryField(max_length=32)

    class Meta:
        ordering = ["campaign", "task_id"]

    def __str__(self):
        return f"chain of task {self.task_id}, {self.length} judgments"


class Seal(models.Model):
    """A judgment's place in the chain of its task, from 1. Never changed; deleted only with its
    campaign."""

    judgment_id = models.BigIntegerField(primary_key=True)
    task_id = models.BigIntegerField()
    place = models.PositiveIntegerField()
    hash = models.BinaryField(max_length=32)

    class Meta:
        ordering = ["task_id", "place"]
        constraints = [
            models.UniqueConstraint(fields=["task_id", "place"], name="seal_place_once"),
        ]

    def __str__(self):
        return f"place {self.place} of task {self.task_id}"


class Erasure(models.Model):
    """A record that a person's data were erased: when, by whom, why and how much, but not their
    name.

    Never changed and never deleted.
    """

    # The number of the account: all that is left of it.
    account = models.BigIntegerField()
    erased_by = models.CharField(max_length=150)
    reason = models.TextField()
    erased_at = models.DateTimeField(default=timezone.now)
    # {campaign: number of its judgments that were erased}, and {kind of other data: number}.
    judgments = models.JSONField(default=dict)
    others = models.JSONField(default=dict)

    class Meta:
        ordering = ["pk"]

    def __str__(self):
        return f"erasure {self.pk} of account {self.account}"


class ErasedJudgment(models.Model):
    """A judgment that was erased, with the hash of its content, which keeps its chain verifiable.

    The database deletes no judgment that is not listed here first, or whose campaign is not listed
    as deleted. Never changed, never deleted.
    """

    judgment_id = models.BigIntegerField(primary_key=True)
    erasure = models.ForeignKey(Erasure, on_delete=models.PROTECT, related_name="erased")
    digest = models.BinaryField(max_length=32)

    class Meta:
        ordering = ["pk"]

    def __str__(self):
        return f"judgment {self.judgment_id}, erased"


class DeletedCampaign(models.Model):
    """A record that a campaign was deleted, by whom and why, and of its judgments.

    Never changed and never deleted. The judgments, seals and chains of a campaign can only be
    deleted once it is listed here. `chains`: [task, number of judgments, hash of the last] of each
    chain, against which a published judgments.jsonl can still be checked; `head`: the hash of all
    of them. `record`: the same for the chains of its record.
    """

    campaign = models.BigIntegerField(primary_key=True)
    name = models.CharField(max_length=200)
    test_set = models.BigIntegerField()
    preset = models.CharField(max_length=60)
    simulated = models.BooleanField()
    judgments = models.PositiveIntegerField()
    annotators = models.PositiveIntegerField()
    tasks = models.PositiveIntegerField()
    head = models.CharField(max_length=64)
    chains = models.JSONField(default=list)
    record = models.JSONField(default=list, db_default=models.Value([], models.JSONField()))
    deleted_by = models.CharField(max_length=150)
    reason = models.TextField()
    deleted_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["deleted_at"]

    def __str__(self):
        return f"campaign {self.campaign}, deleted"


class CampaignRecord(models.Model):
    """One act in the record of what a campaign's judgments refer to:
    `judgments.models.chains.record`.

    `task_id` 0: the campaign's own chain; others record the order of a task's items. `parts`: for
    each kind of `RecordedPart`, how many were recorded, and their hash. Never changed; deleted only
    with its campaign.
    """

    campaign_id = models.BigIntegerField()
    task_id = models.BigIntegerField(default=0, db_default=0)
    place = models.PositiveIntegerField()
    act = models.CharField(max_length=60)
    made_at = models.DateTimeField(default=timezone.now)
    parts = models.JSONField()
    hash = models.BinaryField(max_length=32)

    class Meta:
        ordering = ["campaign_id", "task_id", "place"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign_id", "task_id", "place"], name="record_place_once"
            ),
        ]

    def __str__(self):
        return f"record {self.task_id}.{self.place} of campaign {self.campaign_id}: {self.act}"


class RecordedPart(models.Model):
    """The recorded content of one row: for a system its name, for an item what its screen shows.

    `content`: JSON as PostgreSQL writes jsonb, with texts as their hashes; empty: the row no longer
    exists. The last part about a row counts. Never changed; deleted only with its campaign.
    """

    campaign_id = models.BigIntegerField()
    record_id = models.BigIntegerField()
    kind = models.CharField(max_length=20)
    object_id = models.BigIntegerField()
    content = models.TextField(blank=True)

    class Meta:
        ordering = ["campaign_id", "kind", "object_id", "record_id"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign_id", "kind", "object_id", "record_id"], name="recorded_once"
            ),
        ]

    def __str__(self):
        return f"{self.kind} {self.object_id} of campaign {self.campaign_id}"
