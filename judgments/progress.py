"""How far campaigns are, for the lists of them: one statement, however many there are."""

from collections.abc import Iterable

from django.db.models import Max, Sum

from .models import Campaign, Task

NOTHING = {"judged": 0, "items": 0, "last": None}


def with_progress(campaigns: Iterable[Campaign]) -> list[Campaign]:
    """The campaigns, each with `progress`: items, judged (counts) and last, when somebody last
    judged, None where nobody has."""
    found = list(campaigns)
    sums = Task.objects.filter(campaign__in=[campaign.pk for campaign in found]).order_by()
    by_campaign = {
        row["campaign"]: row
        for row in sums.values("campaign").annotate(
            judged=Sum("n_judged"), items=Sum("n_items"), last=Max("last_judged_at")
        )
    }
    for campaign in found:
        campaign.progress = by_campaign.get(campaign.pk, NOTHING)  # type: ignore[attr-defined]
    return found
