"""Figures that a release holds beside its judgments, to be compared with our own."""

from django.conf import settings
from django.db import models

from .campaign import Campaign


class PublishedFigure(models.Model):
    """One figure as it was published, with its digits.

    figure: what it is, as `judgments.results.recomputation.figures` knows it; dimension: of what,
    "" where it is plain; of: the system, the segment or the pair that it is of, "" for all.
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
        """Return the decision in force about every figure about which there is one."""
        return self.order_by("figure_id", "-pk").distinct("figure_id")


class KnownFault(models.Model):
    """An owner's decision that a figure which differs from the site's own is the publication's
    fault, or that it is not, with the reason.

    own: the site's figure then, in the digits of the published one; the fault is known of these two
    and of no others. Never changed: the last one about a figure counts.
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
