"""Look for notices and send them, in the background."""

from django_tasks import task

from judgments.models import Campaign


@task(priority=-10)
def look_for_notices(campaign_id: int) -> None:
    """See whether a campaign is complete or an annotator is flagged, and tell whom it concerns."""
    from judgments.quality.notices import notices

    campaign = Campaign.objects.filter(pk=campaign_id).select_related("test_set").first()
    if campaign is not None:
        notices.look(campaign)


@task(priority=-10)
def send_notice(notice_id: int) -> None:
    """Send one notice, and again later if that fails."""
    from judgments.quality.notices import notices

    notices.send(notice_id)
