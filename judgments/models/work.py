"""Work: who is to judge what, in which order."""

from django.conf import settings
from django.db import models
from django.db.models import Case, ExpressionWrapper, F, Q, Sum, When
from django.db.models.functions import Coalesce
from django.utils import timezone

from .campaign import Campaign
from .corpus import Output, Segment
from .devices import DeviceMark


class Kind(models.TextChoices):
    REGULAR = "regular", "Regular"
    REPEAT = "repeat", "Repeat"  # the same item again, far apart, by the same annotator
    REFERENCE = "reference", "Reference"  # the human translation as a hidden system
    DEGRADED = "degraded", "Degraded"  # a damaged copy
    CONTROL = "control", "Control"  # the same fixed item for everyone
    TUTORIAL = "tutorial", "Tutorial"
    CHECK = "check", "Attention check"
    THIRD = "third", "Third judgment"  # by a third person, of what two others clash on


# What is judged for its own sake; whatever is of another kind controls who judges.
NO_CONTROLS = (Kind.REGULAR, Kind.THIRD)


class TaskQuerySet(models.QuerySet):
    def planned(self):
        """Return those of the plan, without what single people were asked to adjudicate."""
        return self.filter(is_adjudication=False)

    def free_for(self, user, *, from_pool=False):
        """Return seats that the user may claim: nobody's, or a lapsed lease on which nothing was
        judged (in a pool: not all), in a batch of which neither the user nor anybody on the same
        device holds another seat. What is to be adjudicated is given to a person by name."""
        lapsed = Q(n_judged__lt=F("n_items")) if from_pool else Q(n_judged=0)
        same_batch = Task.objects.filter(
            campaign_id=models.OuterRef("campaign_id"), batch=models.OuterRef("batch")
        )
        sharers = DeviceMark.objects.shared_with(user).values("membership__user")
        free = Q(annotator=None) | Q(leased_until__lt=timezone.now()) & lapsed
        # All of these are unfinished; with that said, batches that are done are not looked at.
        return (
            self.planned()
            .filter(free, is_unfinished=True)
            .exclude(
                models.Exists(same_batch.filter(annotator=user))
                | models.Exists(same_batch.filter(annotator__in=sharers, n_items__gt=0))
            )
        )

    def progress(self) -> dict:
        """Return sums over those of these tasks that are planned: `judged` and `items` (counts) and
        `active_ms`."""
        sums = self.planned().aggregate(
            judged=Sum("n_judged", default=0),
            items=Sum("n_items", default=0),
            active_ms=Sum("active_ms", default=0),
        )
        return sums


class Task(models.Model):
    """An annotator's ordered batch of items.

    A batch that several people judge has one task per seat; a task holds one annotator at most,
    and an annotator holds at most one seat of a batch. Both are constraints of the database.
    """

    campaign = models.ForeignKey(
        Campaign, on_delete=models.CASCADE, related_name="tasks", db_index=False
    )
    batch = models.PositiveIntegerField()
    seat = models.PositiveIntegerField(default=1)
    # The seat of somebody who did not judge all of it; this one has the rest.
    rest_of = models.PositiveIntegerField(null=True, blank=True, editable=False)
    # An owner took that rest from somebody, who does not get it again.
    was_taken = models.BooleanField(default=False, db_default=False, editable=False)
    # In a pool, the batch before it in a row: who judged that one is given this one next, which has
    # control items that belong to it.
    follows = models.PositiveIntegerField(null=True, blank=True, editable=False)
    # A third person's judgments of clashes, which count in no progress and no score.
    is_adjudication = models.BooleanField(default=False, db_default=False, editable=False)
    # The same of all seats of a batch: 1 as it was planned first, and one more for each time that
    # something was added to the plan (`judgments.plans.waves`).
    wave = models.PositiveSmallIntegerField(default=1, db_default=1, editable=False)
    # Where the systems of its blocks were drawn: {"wave": of how many "waves", "chances": {name of
    # a system: probability}, "size": how many a block shows, null if each is drawn by itself}.
    choice = models.JSONField(null=True, blank=True, editable=False)
    annotator = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="tasks",
        db_index=False,  # the index below begins with it
    )
    claimed_at = models.DateTimeField(null=True, blank=True)
    # A claim without a judgment lapses then, in a pool also what is left of one that was begun;
    # null: the manager gave the task, it does not lapse.
    leased_until = models.DateTimeField(null=True, blank=True)
    # Kept by judgments.judging.queue in the transaction that changes them.
    n_items = models.PositiveIntegerField(default=0)
    n_judged = models.PositiveIntegerField(default=0)
    n_skipped = models.PositiveIntegerField(default=0, db_default=0)
    # For the index of what can be claimed: PostgreSQL makes it of the counters. An index over these
    # would be written anew with every answer, and this one changes with the last answer alone.
    is_unfinished = models.GeneratedField(
        expression=ExpressionWrapper(
            Q(n_judged__lt=F("n_items")), output_field=models.BooleanField()
        ),
        output_field=models.BooleanField(),
        db_persist=True,
    )
    active_ms = models.PositiveBigIntegerField(default=0)
    last_judged_at = models.DateTimeField(null=True, blank=True)

    objects = TaskQuerySet.as_manager()

    class Meta:
        ordering = ["campaign", "batch", "seat"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "batch", "seat"], name="seat_once"),
            models.UniqueConstraint(
                fields=["campaign", "batch", "annotator"], name="one_seat_per_annotator"
            ),
            models.CheckConstraint(
                condition=Q(n_judged__lte=F("n_items")), name="judged_within_items"
            ),
        ]
        indexes = [
            # With both columns: PostgreSQL would read all tasks of the campaign and of the
            # annotator from two indexes, and keep what is in both.
            models.Index(fields=["annotator", "campaign"], name="task_of_annotator"),
            models.Index(
                fields=["campaign", "batch", "seat"],
                condition=Q(is_unfinished=True),
                name="task_unfinished",
            ),
        ]

    def __str__(self):
        return f"task {self.batch}.{self.seat} of campaign {self.campaign_id}"

    @property
    def is_done(self):
        return self.n_judged >= self.n_items

    @property
    def n_waiting(self):
        """Items that are to be judged, skipped ones included."""
        return self.n_items - self.n_judged


class Item(models.Model):
    """One screen of a task: a segment with outputs in a blind, stored order."""

    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="items", db_index=False)
    position = models.PositiveIntegerField()
    segment = models.ForeignKey(Segment, on_delete=models.PROTECT, related_name="items")
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.REGULAR)
    # Which pass of the protocol it belongs to, such as "fluency"; empty: all at once. Where edits
    # are judged, the id of the edit.
    part = models.CharField(max_length=40, blank=True)
    # Of a screen with several outputs one may be a control: that one is of this kind, the others
    # are of the kind of the item.
    control_output = models.ForeignKey(  # the index is made below, without a lock
        Output,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
    )
    control_kind = models.CharField(
        max_length=10, choices=Kind.choices, blank=True, default="", db_default=""
    )
    is_judged = models.BooleanField(default=False)
    # Put aside by its annotator, with a reason in a `Note`; judging it takes that back.
    is_skipped = models.BooleanField(default=False, db_default=False)
    outputs = models.ManyToManyField(Output, through="ItemOutput", related_name="items")

    class Meta:
        ordering = ["task", "position"]
        constraints = [
            models.UniqueConstraint(fields=["task", "position"], name="item_place_once"),
        ]
        indexes = [
            models.Index(
                fields=["task", "position"],
                condition=Q(is_judged=False),
                name="item_to_judge",
            ),
            models.Index(
                fields=["control_output"],
                condition=Q(control_output__isnull=False),
                name="item_control_output",
            ),
        ]

    def __str__(self):
        return f"item {self.position} of task {self.task_id}"

    def kind_of(self, output: int) -> str:
        """Return the kind of what is said of an output, by its id."""
        return self.control_kind if output == self.control_output_id else self.kind


def kind_of_output(item: str, *outputs: str) -> Case:
    """Return the kind of what is said of outputs, in a statement: `control_kind` where one of them
    is the item's control among others. item, outputs: how the rows call these."""
    is_control = Q()
    for output in outputs:
        is_control |= Q(**{output: F(f"{item}__control_output")})
    return Case(When(is_control, then=F(f"{item}__control_kind")), default=F(f"{item}__kind"))


class Alteration(models.TextChoices):
    """How the text of a control item was made: by the published rules of length for a planted
    phrase, or as an attention check; of what came with judgments nobody says.

    BESIDE: a damaged copy of another output of the same screen, which `ExpectedScore` names.
    """

    WMT16 = "wmt16", "Phrase replaced, lengths of WMT16"
    APPRAISE = "appraise", "Phrase replaced, lengths of Appraise"
    CROWD_ALONE = "crowd-alone", "Phrase deleted, lengths of Graham et al. (2015)"
    LOUD = "loud", "Check that says so"
    SILENT = "silent", "Check: another text's translation"
    BESIDE = "beside", "Check: a phrase replaced or deleted, beside the original"
    BROUGHT = "brought", "Brought with judgments"


class AlteredOutput(models.Model):
    """An output as a control item shows it: with a planted phrase, or other words altogether.

    What is judged is stored under the output itself; the kind of the item says that it was not
    shown as it is.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="altered_outputs")
    output = models.ForeignKey(Output, on_delete=models.CASCADE, related_name="+")
    text = models.TextField()
    rule = models.CharField(max_length=20, choices=Alteration.choices)
    # The planted phrase in `text`, in code points, the end exclusive; where words were deleted,
    # the place of the gap. Null: the whole text.
    start = models.PositiveIntegerField(null=True, blank=True)
    end = models.PositiveIntegerField(null=True, blank=True)
    # Where the phrase comes from.
    donor = models.ForeignKey(
        Segment, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["pk"]

    def __str__(self):
        return f"altered output {self.output_id} of campaign {self.campaign_id}"


# Of rows of `ItemOutput`, as `ItemOutput.text` in a statement.
TEXT_SHOWN = Coalesce("altered__text", "output__text")


class ItemOutput(models.Model):
    """An output's place on a screen."""

    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="shown", db_index=False)
    output = models.ForeignKey(Output, on_delete=models.PROTECT, related_name="+")
    position = models.PositiveSmallIntegerField()
    altered = models.ForeignKey(
        AlteredOutput,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="shown",
        db_index=False,
    )

    class Meta:
        ordering = ["item", "position"]
        constraints = [
            models.UniqueConstraint(fields=["item", "position"], name="screen_place_once"),
            models.UniqueConstraint(fields=["item", "output"], name="shown_once"),
        ]
        indexes = [
            models.Index(
                fields=["altered"],
                condition=Q(altered__isnull=False),
                name="shown_altered",
            ),
        ]

    def __str__(self):
        return f"place {self.position} of item {self.item_id}"

    @property
    def text(self) -> str:
        """What the annotator sees."""
        return self.output.text if self.altered is None else self.altered.text


class ExpectedScore(models.Model):
    """What an attention check expects of the score of one of its outputs: that it lies in a range,
    that it is above another output's on the same screen, or both.

    A screen with several of them is passed when all of them hold.
    """

    item = models.ForeignKey(
        Item, on_delete=models.CASCADE, related_name="expected_scores", db_index=False
    )
    output = models.ForeignKey(Output, on_delete=models.PROTECT, related_name="+")
    dimension = models.CharField(max_length=40)
    low = models.FloatField(null=True, blank=True)
    high = models.FloatField(null=True, blank=True)
    # Its score has to be less.
    above = models.ForeignKey(
        Output, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["item", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["item", "output", "dimension"], name="score_expected_once"
            ),
            models.CheckConstraint(
                condition=Q(low__isnull=False, high__isnull=False)
                | Q(low=None, high=None, above__isnull=False),
                name="expects_something",
            ),
        ]

    def __str__(self):
        return f"expected score of output {self.output_id} on item {self.item_id}"
