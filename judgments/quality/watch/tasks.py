"""Background task that computes the figures of a watched campaign."""

from django_tasks import task

from judgments.models import Campaign
from judgments.quality.notices.tasks import ask


@task(queue_name="slow")
def compute_latest(campaign_id: int, name: str) -> None:
    """Compute figures for a watched page, and check for notices."""
    from judgments.quality.watch import figures as latest

    campaign = Campaign.objects.filter(pk=campaign_id).select_related("test_set").first()
    if campaign is None:
        return
    try:
        latest.compute(campaign, name)
    finally:
        latest.done(campaign, name)
    ask(campaign)
