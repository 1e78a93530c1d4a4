"""Mail invitations in the background."""

from django_tasks import task

from judgments.models import Campaign


@task(priority=20)
def mail_invitations(campaign_id: int, sheet: int, subject: str, body: str, site: str) -> int:
    """Mail the links of a sheet that wait for it; how many were sent. The queue holds no link."""
    from judgments.people.invitations.links import send_waiting

    campaign = Campaign.objects.filter(pk=campaign_id).first()
    return send_waiting(campaign, sheet, subject, body, site) if campaign else 0
