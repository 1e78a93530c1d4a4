"""Figures that a release holds beside its judgments, to be compared with our own."""

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
