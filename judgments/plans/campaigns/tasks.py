"""Background tasks at the dates of a campaign."""

from django.utils import timezone
from django_tasks import task

from judgments.models import Campaign
from judgments.people.messages.tasks import mail_message
from judgments.people.staffing.settings import staffing_of
from judgments.plans.campaigns import dates


def wake(campaign: Campaign, site: str = "") -> None:
    """Schedule a task at each future date of the campaign. A task scheduled earlier finds nothing
    to do. site: for links in mails."""
    found = staffing_of(campaign).dates
    for moment in (*found.reminder_moments, found.deadline):
        if moment and moment > timezone.now():
            keep_dates.using(run_after=moment).enqueue(campaign.pk, site)


@task(priority=5)
def keep_dates(campaign_id: int, site: str) -> None:
    """Remind people of the deadline, or close the campaign after it."""
    if Campaign.objects.filter(pk=campaign_id).exists():
        message = dates.keep(campaign_id, site, timezone.now())
        if message:
            mail_message.enqueue(message.pk)
