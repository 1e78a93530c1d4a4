"""Actions on the dates of a campaign: reminders, and the end."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from judgments.models import Act, Campaign, Message, Result, Status
from judgments.models.locks import lock_campaign
from judgments.people.messages.messages import annotators_of, send
from judgments.people.staffing.settings import MINUTE, set_staffing, staffing_of
from judgments.people.states import CHANGED_TO, DECIDED, may_work
from judgments.plans.campaigns.opening import NEXT, set_status


@transaction.atomic
def keep(campaign_id: int, site: str, now: datetime) -> Message | None:
    """Carry out what is due: close the campaign after its deadline, or remind annotators with
    unfinished batches. Return the reminder. A second call does nothing.

    Dates that were changed meanwhile apply. Of several due reminders only the last is sent, if it
    was not sent already.
    """
    campaign = lock_campaign(campaign_id)
    dates = staffing_of(campaign).dates
    if campaign.is_over:
        if Status.CLOSED in NEXT[campaign.status]:
            set_status(campaign, Status.CLOSED)
            Act.objects.create(
                account="the site",
                act="closed at the deadline",
                result=Result.DONE,
                campaign=campaign.pk,
            )
        return None
    due = [moment for moment in dates.reminder_moments if moment <= now]
    if not due or not campaign.is_open or campaign.messages.filter(reminds_at=due[-1]).exists():
        return None
    holding = campaign.tasks.filter(n_items__gt=F("n_judged")).exclude(annotator=None)
    people = annotators_of(campaign).filter(user__in=holding.values("annotator"))
    found = people.annotate(decided=DECIDED, changed_to=CHANGED_TO).select_related(
        "user", "invitation"
    )
    working = [each for each in found if may_work(each)]
    return send(campaign, working, site=site, by_mail=True, reminds_at=due[-1])


@transaction.atomic
def extend(campaign: Campaign, days: int) -> datetime:
    """Extend the deadline by this many days, counted from now if it has passed, and open the
    campaign again if it is closed. Return the new deadline.

    Raises StatusRefused if it cannot be opened; ValueError without a deadline.
    """
    locked = lock_campaign(campaign.pk)
    if locked.deadline is None:
        raise ValueError("This campaign has no deadline.")
    deadline = max(locked.deadline, timezone.now()) + timedelta(days=days)
    set_staffing(
        campaign, {"dates": locked.staffing["dates"] | {"deadline": deadline.strftime(MINUTE)}}
    )
    if locked.status == Status.CLOSED:
        set_status(campaign, Status.OPEN)
    return deadline
