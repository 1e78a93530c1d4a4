"""Figures that a release contains in addition to its judgments, for comparison with our own."""

from django.conf import settings
from django.db import models

from .campaign import Campaign


class PublishedFigure(models.Model):
    """One figure as it was published, with its digits.

    figure: its type, as in `judgments.results.recomputation.figures`; dimension: "" if it is clear;
    of: the system, segment or pair that it describes, "" for all.
    """

    campaign = models.ForeignKey(
        Campaign, on_delete=models.CASCADE, related_name="published_figures"
    )
    figure = models.CharField(max_length=60)
    dimension = models.CharField(max_length=40, blank=True)
    of = models.CharField(max_length=500, blank=True)
    text = models.CharField(max_length=60)
    file = models.CharField(max_length=255)

    class Meta:
        ordering = ["campaign", "pk"]

    def __str__(self):
        return f"{self.figure} {self.text} of {self.of}"


class KnownFaultQuerySet(models.QuerySet):
    def latest_of_each(self):
        """Return the current decision about every figure that has one."""
        return self.order_by("figure_id", "-pk").distinct("figure_id")


class KnownFault(models.Model):
    """An owner's decision, with the reason, whether a figure that differs from the site's own is an
    error of the publication.

    own: the site's figure at that time, with the digits of the published one; the decision applies
    to these two values only. Never changed: the last one about a figure counts.
    """

    figure = models.ForeignKey(PublishedFigure, on_delete=models.CASCADE, related_name="faults")
    own = models.CharField(max_length=60)
    withdrawn = models.BooleanField(default=False)
    reason = models.CharField(max_length=1000)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    decided_at = models.DateTimeField(auto_now_add=True)

    objects = KnownFaultQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]

    def __str__(self):
        what = "withdrawn" if self.withdrawn else "known"
        return f"fault of figure {self.figure_id} {what}"
