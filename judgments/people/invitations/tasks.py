"""Mailing of invitations in the background."""

from django_tasks import task

from judgments.models import Campaign
from judgments.people.invitations.links import next_try, send_waiting


@task(priority=20)
def mail_invitations(campaign_id: int, sheet: int, subject: str, body: str, site: str) -> int:
    """Mail the pending links of a sheet and return how many were sent. The queue holds no link."""
    campaign = Campaign.objects.filter(pk=campaign_id).first()
    if campaign is None:
        return 0
    n_sent = send_waiting(campaign, sheet, subject, body, site)
    if later := next_try(campaign, sheet):
        again = mail_invitations.using(run_after=later)
        again.enqueue(campaign_id, sheet, subject, body, site)
    return n_sent
