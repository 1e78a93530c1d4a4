"""What the people who run a campaign have said of its segments. Rows here are only ever added."""

from django.conf import settings
from django.db import models

from .campaign import Campaign
from .corpus import Segment


class SegmentMark(models.Model):
    """That somebody flags a segment for the others to look at, or takes the flag back, with a
    comment. The last row about a segment counts; the earlier ones are its history."""

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
