"""Background tasks that look for notices and send them."""

from django_tasks import task

from judgments.models import Campaign, NoticeRule
from judgments.quality.notices import notices


def ask(campaign: Campaign) -> None:
    """Have a worker look for notices, if anybody wants them."""
    if NoticeRule.objects.filter(campaign=campaign).exists():
        look_for_notices.enqueue(campaign.pk)


@task(priority=-10)
def look_for_notices(campaign_id: int) -> None:
    """Check whether a campaign is complete or an annotator is flagged, and notify the
    recipients."""
    campaign = Campaign.objects.filter(pk=campaign_id).select_related("test_set").first()
    if campaign is not None:
        for notice_id in notices.look(campaign):
            send_notice.enqueue(notice_id)


@task(priority=-10)
def send_notice(notice_id: int) -> None:
    """Send one notice, and again later if that fails."""
    if later := notices.send(notice_id):
        send_notice.using(run_after=later).enqueue(notice_id)
