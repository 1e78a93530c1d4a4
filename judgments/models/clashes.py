"""Decisions and requests about clashes by the people who run a campaign. Rows here are only ever
added."""

from django.conf import settings
from django.db import models

from .campaign import Campaign
from .corpus import Output
from .work import Item


class ClashMark(models.Model):
    """A mark that somebody has reviewed or flagged a clash, with a comment.

    `key`: which clash, see `judgments.quality.clashes.figures`. The last row about a clash counts;
    the earlier ones are its history.
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


class Adjudication(models.Model):
    """A request to a third person to judge what two clash on.

    `first`, `second`: the two items. `item`: the third person's, which shows the same outputs;
    several clashes on one screen share it. `output`: the output that the two clash on, on
    `dimension`; null if they compare outputs.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="adjudications")
    first = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="+")
    second = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="+")
    output = models.ForeignKey(
        Output, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    dimension = models.CharField(max_length=40, blank=True, default="")
    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="adjudications")
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    asked_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self):
        return f"adjudication of items {self.first_id} and {self.second_id}"

    @property
    def key(self) -> str:
        """The key of the clash, as in a `ClashMark`."""
        items = f"{self.first_id}-{self.second_id}"
        output = self.output
        return items if output is None else f"{items}-{output.segment_id}-{output.system_id}"
