"""Word links by an aligner: requested, computed in the background, and stored.

A campaign requests them for one or more purposes: to suggest links to annotators, to show readers
which words correspond, to compare them with people's links.
"""

from django.db import models
from django.db.models import Q

from .campaign import Campaign
from .corpus import Output
from .jobs import Job
from .judgment import Judgment
from .work import AlteredOutput


class LinkPurpose(models.TextChoices):
    PROPOSAL = "proposal", "Links to begin with"
    READING = "reading", "Links for readers"
    COMPARISON = "comparison", "Links to compare people with"


class AlignerRun(Job):
    """A campaign's request to an aligner for one purpose, with its progress and its result.

    `n_pairs`: pairs of texts, or of their sentences, that it learned from, out of `n_given`.
    `n_cut`: linked pairs longer than the aligner accepts, whose beginning is linked. `n_done` of
    `n_texts`: translations that are linked so far.
    """

    campaign = models.ForeignKey(
        Campaign, on_delete=models.CASCADE, related_name="aligner_runs", db_index=False
    )
    purpose = models.CharField(max_length=12, choices=LinkPurpose.choices)
    model = models.CharField(max_length=20, blank=True)
    method = models.CharField(max_length=30, blank=True)
    # Counts the requests for links: a worker on an earlier turn stores nothing.
    turn = models.PositiveIntegerField(default=1)
    n_pairs = models.PositiveIntegerField(default=0)
    n_given = models.PositiveIntegerField(default=0)
    n_cut = models.PositiveIntegerField(default=0)
    n_texts = models.PositiveIntegerField(default=0)
    n_done = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["campaign", "purpose"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "purpose"], name="aligner_run_once"),
        ]

    def __str__(self):
        return f"{self.purpose} of campaign {self.campaign_id}: {self.status}"


class OutputLinks(models.Model):
    """The links of one output, or of a text that a control item shows in its place.

    `links`: as in Pharaoh's format, `0-0 1-2`. `hints`: places of source words to which nothing in
    this text corresponds, `3 7`. Words are those of `judgments.protocols.tokens`, counted from 0.
    `digest`: of both texts, so that links of other texts are never shown.
    """

    run = models.ForeignKey(
        AlignerRun, on_delete=models.CASCADE, related_name="linked", db_index=False
    )
    output = models.ForeignKey(Output, on_delete=models.CASCADE, related_name="+")
    altered = models.ForeignKey(
        AlteredOutput, on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    method = models.CharField(max_length=30)
    links = models.TextField(blank=True)
    hints = models.TextField(blank=True)
    digest = models.CharField(max_length=16)

    class Meta:
        ordering = ["run", "output", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["run", "output", "method"],
                condition=Q(altered=None),
                name="output_links_once",
            ),
            models.UniqueConstraint(
                fields=["run", "altered", "method"],
                condition=Q(altered__isnull=False),
                name="altered_links_once",
            ),
        ]

    def __str__(self):
        return f"links of {self.output_id} by {self.method}"


class ShownHints(models.Model):
    """The source words that were marked as left out by an output when it was judged.

    `places`: start and end of each in the source, in code points, the end exclusive: `12-17 30-34`;
    empty if none was found. No row if the screen showed no hints. Rows are only ever added.
    """

    judgment = models.ForeignKey(
        Judgment, on_delete=models.PROTECT, related_name="hints", db_index=False
    )
    output = models.ForeignKey(Output, on_delete=models.PROTECT, related_name="+")
    places = models.TextField(blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["judgment", "output"], name="shown_hints_once"),
        ]

    def __str__(self):
        return f"hints for {self.output_id}: {self.places or 'none'}"
