"""Material of a campaign that managers add to its texts."""

from django.db import models

from .campaign import Campaign
from .corpus import Document, Output, Segment


class PrefilledSpan(models.Model):
    """An error span that a program suggests; annotators keep, change or delete it.

    The columns are those of `ErrorSpan`. is_planted: invented by the site, where nothing was
    suggested. is_shown: False for withheld spans, and for all in the control arm (UnaidedSegment).
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="prefilled_spans")
    output = models.ForeignKey(Output, on_delete=models.CASCADE, related_name="+")
    side = models.CharField(max_length=10, default="target")
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    severity = models.CharField(max_length=20)
    category = models.CharField(max_length=120, blank=True)
    is_planted = models.BooleanField(default=False, db_default=False)
    is_shown = models.BooleanField(default=True, db_default=True)

    class Meta:
        ordering = ["output", "start", "pk"]

    def __str__(self):
        return f"proposed {self.severity} {self.side} {self.start}–{self.end}"


class UnaidedSegment(models.Model):
    """A segment of the control arm: its screens show no suggestions, even if some exist."""

    campaign = models.ForeignKey(
        Campaign, on_delete=models.CASCADE, related_name="unaided_segments", db_index=False
    )
    segment = models.ForeignKey(Segment, on_delete=models.CASCADE, related_name="+")

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "segment"], name="unaided_segment_once"),
        ]

    def __str__(self):
        return f"segment {self.segment_id} without suggestions"


class SuggestionOrigin(models.Model):
    """The origin of the suggested errors of a campaign, which are all imported at once.

    name: of a file, or of the metric that marked the errors; only metrics have a signature and a
    time of marking. notes: errors that are not suggested as they were marked. seed: of the random
    draw of errors that are withheld or invented.
    """

    campaign = models.OneToOneField(
        Campaign, on_delete=models.CASCADE, related_name="suggestion_origin"
    )
    name = models.CharField(max_length=300)
    signature = models.CharField(max_length=700, blank=True)
    marked_at = models.DateTimeField(null=True, blank=True)
    brought_at = models.DateTimeField()
    notes = models.JSONField(default=list)
    seed = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["campaign"]

    def __str__(self):
        return f"suggestions of {self.name}"


class PrefilledLink(models.Model):
    """A link of an automatic word alignment. The columns are those of `AlignmentLink`."""

    campaign = models.ForeignKey(
        Campaign, on_delete=models.CASCADE, related_name="prefilled_links", db_index=False
    )
    output = models.ForeignKey(Output, on_delete=models.CASCADE, related_name="+")
    source_token = models.PositiveIntegerField()
    target_token = models.PositiveIntegerField()
    is_sure = models.BooleanField(default=True)

    class Meta:
        ordering = ["output", "source_token", "target_token"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "output", "source_token", "target_token"],
                name="prefilled_link_once",
            ),
        ]

    def __str__(self):
        return f"proposed {self.source_token}-{self.target_token}"


class Level(models.IntegerChoices):
    FACTS = 1, "Facts"
    EVENTS = 2, "Actors and events"
    NUANCE = 3, "Nuance and intent"


class Question(models.Model):
    """A question about a document. `choices`: the options, [] for an open question.

    `right`: the accepted answers, never shown to an annotator; [] if a person grades.
    """

    campaign = models.ForeignKey(
        Campaign, on_delete=models.CASCADE, related_name="questions", db_index=False
    )
    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="+")
    position = models.PositiveIntegerField()
    level = models.PositiveSmallIntegerField(choices=Level.choices)
    text = models.TextField()
    choices = models.JSONField(default=list, blank=True)
    right = models.JSONField(default=list, blank=True)

    class Meta:
        ordering = ["document", "position"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "document", "position"], name="question_place_once"
            ),
        ]

    def __str__(self):
        return f"question {self.position} on {self.document_id}"


class Practice(models.Model):
    """A tutorial item: separate texts, answered before the work, with feedback. It is not an item
    of a task and creates no judgment, so practice cannot count.

    `outputs`: the translations. `expected`: the accepted answers, by the names of the form's
    fields; they stay on the server until the annotator has answered. `feedback`: Markdown, shown
    then.
    """

    campaign = models.ForeignKey(
        Campaign, on_delete=models.CASCADE, related_name="practices", db_index=False
    )
    position = models.PositiveIntegerField()
    source = models.TextField(blank=True)
    reference = models.TextField(blank=True)
    outputs = models.JSONField(default=list)
    expected = models.JSONField(default=dict, blank=True)
    feedback = models.TextField(blank=True)

    class Meta:
        ordering = ["campaign", "position"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "position"], name="practice_place_once"),
        ]

    def __str__(self):
        return f"practice {self.position} of campaign {self.campaign_id}"
