"""Flags and comments on segments by the people who run a campaign. Rows here are only ever
added."""

from django.conf import settings
from django.db import models

from .campaign import Campaign
from .corpus import Segment


class SegmentMark(models.Model):
    """A flag that asks others to look at a segment, or its removal, with a comment. The last row
    about a segment counts; the earlier ones are its history."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="segment_marks")
    segment = models.ForeignKey(Segment, on_delete=models.CASCADE, related_name="marks")
    is_flagged = models.BooleanField(default=False)
    comment = models.TextField(blank=True)
    marked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    marked_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self):
        return f"mark of segment {self.segment_id} in campaign {self.campaign_id}"
