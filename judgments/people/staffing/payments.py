"""Approved and paid sums of each annotator by state, and the acts that change them.

Each act locks the campaign, so that a sum is approved once even if two managers press at once.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db import transaction

from judgments.models import Campaign, Membership, Payment, PaymentKind
from judgments.models.locks import lock_campaign
from judgments.people.staffing.pay import pay_of

IN_FLIGHT = timedelta(minutes=5)  # longer than any request of this site lasts


def payments_of(campaign: Campaign):
    return Payment.objects.filter(membership__campaign=campaign)


@transaction.atomic
def approve(campaign: Campaign, memberships: Collection[int], by: Any) -> int:
    """Approve the due sums of these members; return how many members had one."""
    lock_campaign(campaign.pk)
    due = [each for each in pay_of(campaign).people if each.due and each.member in memberships]
    Payment.objects.bulk_create(
        Payment(membership_id=each.member, kind=PaymentKind.WORK, amount=each.due, approved_by=by)
        for each in due
    )
    return len(due)


@transaction.atomic
def mark_paid(campaign: Campaign, memberships: Collection[int], now: datetime) -> int:
    """Mark the approved sums of these members as paid, except those being sent to Prolific, and
    return their number."""
    lock_campaign(campaign.pk)
    waiting = payments_of(campaign).filter(membership__in=memberships, paid_at=None)
    waiting = waiting.exclude(sent_at__gte=now - IN_FLIGHT)
    return waiting.update(paid_at=now)


@transaction.atomic
def add_bonus(membership: Membership, amount: Decimal, reason: str, by: Any) -> Payment:
    """Approve a sum in addition to the earnings."""
    lock_campaign(membership.campaign_id)
    return Payment.objects.create(
        membership=membership,
        kind=PaymentKind.BONUS,
        amount=amount,
        reason=reason,
        approved_by=by,
    )
