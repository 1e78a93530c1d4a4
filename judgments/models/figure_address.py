"""The target of the short link under a figure."""

from django.db import models

from .campaign import Campaign


class FigureAddress(models.Model):
    """A figure as it was shared: its page, the judgments it is based on, and what produced it.

    `code` is a hash of all the rest, so the meaning of a code never changes. `page` and `slug` may
    be empty: the whole campaign, the whole page. `query`: the parameters that select the judgments,
    and the settings of the page. `fingerprint`: of the selection at that time; it changes whenever
    a figure may change.
    """

    code = models.CharField(max_length=16, primary_key=True)
    campaign = models.ForeignKey(
        Campaign, on_delete=models.CASCADE, related_name="figure_addresses"
    )
    page = models.CharField(max_length=50, blank=True)
    slug = models.CharField(max_length=200, blank=True)
    query = models.TextField(blank=True)
    version = models.CharField(max_length=40)
    seed = models.BigIntegerField()
    fingerprint = models.CharField(max_length=64)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["created_at", "code"]

    def __str__(self):
        return f"{self.code}: {self.slug or self.page or 'everything'} of {self.campaign_id}"
