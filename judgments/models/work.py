"""Work: tasks and items, by annotator and in order."""

from django.conf import settings
from django.db import models
from django.db.models import Case, ExpressionWrapper, F, Q, Sum, When
from django.db.models.functions import Coalesce, Now
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
    THIRD = "third", "Third judgment"  # by a third person, on which two others clash


# Items judged for their own sake; items of all other kinds check the annotators.
NO_CONTROLS = (Kind.REGULAR, Kind.THIRD)


class TaskQuerySet(models.QuerySet):
    def planned(self):
        """Return the tasks of the plan, without adjudications by single people."""
        return self.filter(is_adjudication=False)

    def free_for(self, user, *, from_pool=False):
        """Return seats that the user may claim: free ones, or lapsed leases on which nothing was
        judged (in a pool: not everything), in a batch of which neither the user nor anybody on the
        same device holds another seat. Adjudications are assigned to a person by name."""
        lapsed = Q(n_judged__lt=F("n_items")) if from_pool else Q(n_judged=0)
        same_batch = Task.objects.filter(
            campaign_id=models.OuterRef("campaign_id"), batch=models.OuterRef("batch")
        )
        sharers = DeviceMark.objects.shared_with(user).values("membership__user")
        free = Q(annotator=None) | Q(leased_until__lt=timezone.now()) & lapsed
        # All of these are unfinished; stating that skips batches that are done.
        return (
            self.planned()
            .filter(free, is_unfinished=True)
            .exclude(
                models.Exists(same_batch.filter(annotator=user))
                | models.Exists(same_batch.filter(annotator__in=sharers, n_items__gt=0))
            )
        )

    def had_by(self, user):
        """Return the tasks with what the user has or has had: their own, and what was split from
        the seats of these batches, since people may have read what they gave back."""
        own = Task.objects.filter(
            campaign=models.OuterRef("campaign"), batch=models.OuterRef("batch"), annotator=user
        )
        is_rest = Q(rest_of__isnull=False)
        return self.filter(models.Exists(own)).filter(Q(annotator=user) | is_rest)

    def progress(self) -> dict:
        """Return sums over the planned ones of these tasks: `judged` and `items` (counts) and
        `active_ms`."""
        sums = self.planned().aggregate(
            judged=Sum("n_judged", default=0),
            items=Sum("n_items", default=0),
            active_ms=Sum("active_ms", default=0),
        )
        return sums


class Task(models.Model):
    """An annotator's ordered batch of items.

    A batch that several people judge has one task per seat; a task has at most one annotator, and
    an annotator has at most one seat of a batch. The database enforces both.
    """

    campaign = models.ForeignKey(
        Campaign, on_delete=models.CASCADE, related_name="tasks", db_index=False
    )
    batch = models.PositiveIntegerField()
    seat = models.PositiveIntegerField(default=1)
    # The seat of an annotator who did not finish it; this task has the rest.
    rest_of = models.PositiveIntegerField(null=True, blank=True, editable=False)
    # An owner took that rest from the annotator, who does not get it again.
    was_taken = models.BooleanField(default=False, db_default=False, editable=False)
    # In a pool, the preceding batch: its annotator is assigned this one next, which has control
    # items that belong to it.
    follows = models.PositiveIntegerField(null=True, blank=True, editable=False)
    # A third person's judgments of clashes, which count in no progress and no score.
    is_adjudication = models.BooleanField(default=False, db_default=False, editable=False)
    # The same for all seats of a batch: 1 as first planned, and one more each time the plan was
    # extended (`judgments.plans.waves`).
    wave = models.PositiveSmallIntegerField(default=1, db_default=1, editable=False)
    # If the systems of its blocks were drawn: {"wave": of how many "waves", "chances": {name of a
    # system: probability}, "size": how many a block shows, null if each is drawn separately}.
    choice = models.JSONField(null=True, blank=True, editable=False)
    annotator = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="tasks",
        db_index=False,  # covered by the index below, whose first column it is
    )
    claimed_at = models.DateTimeField(null=True, blank=True)
    # When it became the annotator's, also without a claim: the order of their work.
    assigned_at = models.DateTimeField(default=timezone.now, db_default=Now(), editable=False)
    # When a claim without a judgment lapses, in a pool also the rest of a batch that was begun;
    # null: the manager assigned the task, it does not lapse.
    leased_until = models.DateTimeField(null=True, blank=True)
    # Updated by judgments.judging.queue in the transaction that changes them.
    n_items = models.PositiveIntegerField(default=0)
    n_judged = models.PositiveIntegerField(default=0)
    n_skipped = models.PositiveIntegerField(default=0, db_default=0)
    # For the index of claimable tasks: PostgreSQL derives it from the counters. An index on these
    # would be rewritten with every answer, while this one changes with the last answer only.
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
            # With both columns: otherwise PostgreSQL would read all tasks of the campaign and of
            # the annotator from two indexes, and intersect them.
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
        """Items still to be judged, including skipped ones."""
        return self.n_items - self.n_judged


def is_whole() -> Q:
    """Return the condition on tasks that no part of them was given back or taken away, which would
    have left the judged part."""
    rest = Task.objects.filter(
        campaign=models.OuterRef("campaign"),
        batch=models.OuterRef("batch"),
        rest_of=models.OuterRef("seat"),
    )
    return Q(~models.Exists(rest.order_by()), n_items__gt=0)


def is_finished() -> Q:
    """Return the condition on tasks that everything is judged, and by one person."""
    return Q(is_unfinished=False) & is_whole()


class Item(models.Model):
    """One screen of a task: a segment with outputs in a blind, stored order."""

    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="items", db_index=False)
    position = models.PositiveIntegerField()
    segment = models.ForeignKey(Segment, on_delete=models.PROTECT, related_name="items")
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.REGULAR)
    # The pass of the protocol to which it belongs, such as "fluency"; empty: all at once. If edits
    # are judged, the id of the edit.
    part = models.CharField(max_length=40, blank=True)
    # One output of a screen with several may be a control: it is of this kind, the others are of
    # the kind of the item.
    control_output = models.ForeignKey(  # the index is created below, without a lock
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
    # Skipped by its annotator, with a reason in a `Note`; judging it undoes that.
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
        """Return the kind of a judgment of an output, by the output's id."""
        return self.control_kind if output == self.control_output_id else self.kind


def kind_of_output(item: str, *outputs: str) -> Case:
    """Return the kind of judgments of outputs, in a statement: `control_kind` for the item's
    control output among others. item, outputs: their names in the rows."""
    is_control = Q()
    for output in outputs:
        is_control |= Q(**{output: F(f"{item}__control_output")})
    return Case(When(is_control, then=F(f"{item}__control_kind")), default=F(f"{item}__kind"))


class Alteration(models.TextChoices):
    """How the text of a control item was made: by the published length rules for a planted phrase,
    or as an attention check; unknown for imported judgments.

    BESIDE: a damaged copy of another output on the same screen, which `ExpectedScore` names.
    """

    WMT16 = "wmt16", "Phrase replaced, lengths of WMT16"
    APPRAISE = "appraise", "Phrase replaced, lengths of Appraise"
    CROWD_ALONE = "crowd-alone", "Phrase deleted, lengths of Graham et al. (2015)"
    LOUD = "loud", "Check that says so"
    SILENT = "silent", "Check: another text's translation"
    BESIDE = "beside", "Check: a phrase replaced or deleted, beside the original"
    IMPORTED = "brought", "Imported with judgments"


class AlteredOutput(models.Model):
    """An output as a control item shows it: with a planted phrase, or a different text.

    Its judgments are stored under the output itself; the kind of the item shows that it was
    altered.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="altered_outputs")
    output = models.ForeignKey(Output, on_delete=models.CASCADE, related_name="+")
    text = models.TextField()
    rule = models.CharField(max_length=20, choices=Alteration.choices)
    # The planted phrase in `text`, in code points, the end exclusive; if words were deleted, the
    # position of the gap. Null: the whole text.
    start = models.PositiveIntegerField(null=True, blank=True)
    end = models.PositiveIntegerField(null=True, blank=True)
    # The source of the phrase.
    donor = models.ForeignKey(
        Segment, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["pk"]

    def __str__(self):
        return f"altered output {self.output_id} of campaign {self.campaign_id}"


# `ItemOutput.text` as an SQL expression on rows of `ItemOutput`.
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
        """The text that the annotator sees."""
        return self.output.text if self.altered is None else self.altered.text


class ExpectedScore(models.Model):
    """The expected score of one output of an attention check: within a range, above another
    output's on the same screen, or both.

    A screen with several of them is passed if all are met.
    """

    item = models.ForeignKey(
        Item, on_delete=models.CASCADE, related_name="expected_scores", db_index=False
    )
    output = models.ForeignKey(Output, on_delete=models.PROTECT, related_name="+")
    dimension = models.CharField(max_length=40)
    low = models.FloatField(null=True, blank=True)
    high = models.FloatField(null=True, blank=True)
    # The output whose score must be lower.
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
