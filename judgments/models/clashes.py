"""What the people who run a campaign have said of clashes. Rows here are only ever added."""

from django.conf import settings
from django.db import models

from .campaign import Campaign


class ClashMark(models.Model):
    """That somebody has looked at a clash, or flags it, with a comment.

    `key`: which clash, see `judgments.quality.clashes.figures`. The last row about one counts; the
    earlier ones are its history.
    """

    campaign = models.ForeignKey(
        Campaign, on_delete=models.CASCADE, related_name="clash_marks", db_index=False
    )
    key = models.CharField(max_length=80)
    is_flagged = models.BooleanField(default=False)
    comment = models.TextField(blank=True)
    marked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    marked_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["campaign", "key"], name="mark_of_clash")]

    def __str__(self):
        return f"mark of clash {self.key} in campaign {self.campaign_id}"
