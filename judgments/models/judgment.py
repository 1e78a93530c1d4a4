"""Judgments, and the typed observations that hang on them. Rows here are only ever added."""

from django.conf import settings
from django.db import models

from .campaign import Campaign
from .corpus import Output
from .work import Item


class JudgmentQuerySet(models.QuerySet):
    def current(self):
        """Return judgments that no revision supersedes.

        Not `superseded_by=None`: of that outer join PostgreSQL believes that it leaves one row, and
        reads millions to find the first."""
        later = Judgment.objects.filter(supersedes=models.OuterRef("pk"))
        return self.filter(~models.Exists(later.order_by()))


class Judgment(models.Model):
    """One annotator's answer to one item at one revision.

    Never changed and never deleted: a revision is a new row that `supersedes` the last one, and
    the database lets each row be superseded once.
    """

    item = models.ForeignKey(
        Item, on_delete=models.PROTECT, related_name="judgments", db_index=False
    )
    # Known through the item; kept here because every analysis filters by it.
    campaign = models.ForeignKey(
        Campaign,
        on_delete=models.PROTECT,
        related_name="judgments",
        db_index=False,  # the index below begins with it
    )
    annotator = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="judgments"
    )
    revision = models.PositiveSmallIntegerField(default=1)
    supersedes = models.OneToOneField(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="superseded_by",
    )
    # Made when the screen is opened: the same key again is the same answer, stored once.
    client_key = models.UUIDField(unique=True)
    started_at = models.DateTimeField(null=True, blank=True)
    submitted_at = models.DateTimeField(null=True, blank=True)
    active_ms = models.PositiveIntegerField(null=True, blank=True)
    guideline_version = models.PositiveIntegerField(default=1)

    objects = JudgmentQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["item", "revision"], name="revision_once"),
        ]
        indexes = [
            # The first, the last and the number of a campaign's judgments, from the index alone.
            models.Index(fields=["campaign", "id"], name="judgment_of_campaign"),
        ]

    def __str__(self):
        return f"judgment {self.pk}, revision {self.revision}"


class Rating(models.Model):
    """A value given to an output on one dimension; `rank` is a dimension too (1 is best)."""

    judgment = models.ForeignKey(
        Judgment, on_delete=models.PROTECT, related_name="ratings", db_index=False
    )
    output = models.ForeignKey(Output, on_delete=models.PROTECT, related_name="ratings")
    dimension = models.CharField(max_length=40)
    value = models.FloatField()
    # Identical outputs are shown once, and the answer holds for each of them. It counts for every
    # system's score, but agreement would seem higher than it is if the copies counted there.
    is_copy = models.BooleanField(default=False, db_default=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["judgment", "output", "dimension"], name="rating_once"),
            # NaN is greater than every number in PostgreSQL, so this also keeps NaN out.
            models.CheckConstraint(
                condition=models.Q(value__gte=-1e9, value__lte=1e9),
                name="rating_finite",
            ),
        ]

    def __str__(self):
        return f"{self.dimension} {self.value:g}"


class Preference(models.Model):
    """Which of two outputs is better, as the sign of a − b: +1 the first, −1 the second."""

    judgment = models.ForeignKey(
        Judgment, on_delete=models.PROTECT, related_name="preferences", db_index=False
    )
    output_a = models.ForeignKey(Output, on_delete=models.PROTECT, related_name="+")
    output_b = models.ForeignKey(Output, on_delete=models.PROTECT, related_name="+")
    value = models.SmallIntegerField()
    # How much better: 1 slightly, 2 clearly; null where the campaign does not ask.
    strength = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["judgment", "output_a", "output_b"], name="preference_once"
            ),
            models.CheckConstraint(
                condition=models.Q(value__in=[-1, 0, 1]), name="preference_sign"
            ),
            models.CheckConstraint(
                condition=~models.Q(output_a=models.F("output_b")),
                name="preference_of_two",
            ),
        ]

    def __str__(self):
        return f"preference {self.value:+d}"
