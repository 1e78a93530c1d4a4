"""Background task that rehearses a plan."""

from typing import Any

from django_tasks import task

from judgments.models import Campaign


@task(queue_name="slow")
def rehearse_plan(campaign_id: int, asked: dict[str, Any]) -> None:
    """Compute a rehearsal for the page that waits for it."""
    from judgments.quality.rehearsal import store
    from judgments.quality.rehearsal.figures import RehearsalAsked
    from judgments.quality.rehearsal.plan import why_not

    campaign = Campaign.objects.filter(pk=campaign_id).select_related("test_set").first()
    if campaign is not None and not why_not(campaign):
        store.compute(campaign, RehearsalAsked(**asked))
