"""What the short link under a figure stands for."""

from django.db import models

from .campaign import Campaign


class FigureAddress(models.Model):
    """A figure as it left the site: its page, the judgments that it is of, and what made it.

    `code` is a hash of all the rest, so a row says for good what its code means. `page` and `slug`
    may be empty: the whole campaign, the whole page. `query`: what asked for the judgments, and
    for the settings of the page. `fingerprint`: that of the selection then; it changes whenever a
    figure may.
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
