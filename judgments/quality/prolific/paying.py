"""Rewards and bonuses through Prolific, and what of them the payments say.

Nothing is paid twice. Approval is safe to repeat, and the list of submissions says whether it was
done; payments are written after it. Paying bonuses is not: their rows are marked as sent, under the
lock of the campaign, before Prolific is told to pay, and whoever comes then finds nothing to pay.
What got no clear answer stays so until somebody has looked at Prolific.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime
from decimal import Decimal
from time import monotonic
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from judgments.models import Campaign, Payment, PaymentKind
from judgments.models.locks import lock_campaign
from judgments.people import external_ids
from judgments.people.staffing.payments import IN_FLIGHT, payments_of
from judgments.people.staffing.settings import staffing_of

from . import client
from .client import ProlificRefused, ProlificSilent
from .places import APPROVED, WAITING, StudyPlace, StudyPlaces

SECONDS = 20  # of asking for approvals, within the time that a page may take
NUMBER = external_ids.VALUE  # it goes into an address
MOST_BONUSES = 200  # in one request, by Prolific


def unsent(campaign: Campaign) -> QuerySet[Payment]:
    return payments_of(campaign).filter(paid_at=None, sent_at=None)


def unclear(campaign: Campaign) -> QuerySet[Payment]:
    """Return what was sent, and nobody knows whether it is paid."""
    return payments_of(campaign).filter(paid_at=None, sent_at__isnull=False)


def check_currency(campaign: Campaign, places: StudyPlaces) -> None:
    rate = staffing_of(campaign).pay
    if rate is None or rate.currency != places.currency:
        here = rate.currency if rate else "none"
        raise ProlificRefused(
            f"The currency of the study is {places.currency or 'not known'}, that of the "
            f"campaign's pay is {here}."
        )


def ask_approval(
    campaign: Campaign, chosen: Collection[StudyPlace]
) -> tuple[list[StudyPlace], list[str]]:
    """Have Prolific approve those whose work is approved here. Return who is approved there now,
    whether by this or before, and what is to be said of the others. Writes nothing."""
    work = unsent(campaign).filter(kind=PaymentKind.WORK)
    payable = set(work.values_list("membership", flat=True))
    done: list[StudyPlace] = []
    said: list[str] = []
    left: dict[str, list[str]] = defaultdict(list)
    end = monotonic() + SECONDS
    for n, place in enumerate(chosen, 1):
        alias = place.member.alias
        if place.member.pk not in payable:
            left["There is no approved work here that is unpaid"].append(alias)
        elif place.status == APPROVED:
            done.append(place)
        elif place.status != WAITING:
            left[f"Not approved, because {place.status.lower()}"].append(alias)
        elif monotonic() > end:
            said.append(f"Not asked for yet: {len(chosen) - n + 1}. Do it again for them.")
            break
        else:
            try:
                client.approve(place.submission)
                done.append(place)
            except (ProlificRefused, ProlificSilent) as problem:
                is_silent = isinstance(problem, ProlificSilent)
                known = "may be approved or not" if is_silent else "is not approved"
                said.append(f"{alias} {known}. {problem}")
                if problem.is_for_all:
                    said.append(f"Not asked for after {alias}: {len(chosen) - n}.")
                    break
    said += [f"{reason}: {', '.join(aliases)}." for reason, aliases in left.items()]
    return done, said


@transaction.atomic
def note_rewards(campaign: Campaign, approved: Collection[StudyPlace], by: Any) -> int:
    """Note that the rewards are paid; how many are new. What is approved here beyond the reward
    waits for a bonus; what the reward exceeds it by is approved work, too."""
    lock_campaign(campaign.pk)
    return sum(note_reward(campaign, place, by) for place in approved)


def note_reward(campaign: Campaign, place: StudyPlace, by: Any) -> bool:
    of_member = payments_of(campaign).filter(membership=place.member)
    if of_member.filter(prolific=place.submission).exists():
        return False
    left, now = place.reward, timezone.now()
    paid = {"paid_at": now, "sent_at": now, "prolific": place.submission}
    fields = {"membership": place.member, "kind": PaymentKind.WORK}
    rows = list(unsent(campaign).filter(**fields).order_by("pk"))
    if not rows:  # somebody has marked it as paid since it was asked for
        return False
    for row in rows:
        if left <= 0:
            break
        if row.amount > left:
            rest = row.amount - left
            Payment.objects.create(**fields, amount=rest, approved_by_id=row.approved_by_id)
        Payment.objects.filter(pk=row.pk).update(amount=min(row.amount, left), **paid)
        left -= row.amount
    if left > 0:
        Payment.objects.create(**fields, amount=left, approved_by=by, **paid)
    return True


def payable_by_bonus(
    campaign: Campaign, chosen: Collection[StudyPlace]
) -> dict[str, list[Payment]]:
    """Return what can be paid now, by submission: bonuses of those whom Prolific has approved, and
    their work beyond a reward that is noted here."""
    approved = {place.member.pk: place.submission for place in chosen if place.status == APPROVED}
    noted = set(payments_of(campaign).exclude(prolific="").values_list("membership", "prolific"))
    found: dict[str, list[Payment]] = defaultdict(list)
    for row in unsent(campaign).filter(membership__in=approved).order_by("pk"):
        submission = approved[row.membership_id]
        is_rest = (row.membership_id, submission) in noted
        if row.kind == PaymentKind.BONUS or is_rest:
            found[submission].append(row)
    return dict(found)


def set_up(places: StudyPlaces, payable: dict[str, list[Payment]]) -> str:
    """Return Prolific's number of bonuses that are set up, and not paid."""
    sums = {each: sum((row.amount for row in rows), Decimal(0)) for each, rows in payable.items()}
    try:
        number = client.set_up_bonuses(
            places.study, [f"{each},{amount:.2f}" for each, amount in sums.items()]
        )
    except ProlificSilent as problem:  # what is only set up moves no money
        raise ProlificRefused(str(problem)) from None
    if not NUMBER.fullmatch(number):
        raise ProlificRefused("Prolific did not say the number of the bonuses.")
    return number


@transaction.atomic
def mark_sent(
    campaign: Campaign, payable: dict[str, list[Payment]], bonuses: str, now: datetime
) -> None:
    """Say that these are about to be paid. Raise ProlificRefused where one of them is no more to
    be paid, and writes nothing then."""
    lock_campaign(campaign.pk)
    rows = {row.pk: row.amount for each in payable.values() for row in each}
    still = dict(unsent(campaign).filter(pk__in=rows).values_list("pk", "amount"))
    if still != rows:
        raise ProlificRefused("Somebody else has just paid one of these sums.")
    payments_of(campaign).filter(pk__in=rows).update(sent_at=now, prolific=bonuses)


@transaction.atomic
def end_sending(campaign: Campaign, bonuses: str, *, is_paid: bool) -> None:
    """Note that what was sent is paid, or that it can be sent again."""
    lock_campaign(campaign.pk)
    rows = unclear(campaign).filter(prolific=bonuses)
    if is_paid:
        rows.update(paid_at=timezone.now())
    else:
        rows.update(sent_at=None, prolific="")


@transaction.atomic
def free(campaign: Campaign, members: Collection[int], now: datetime) -> int:
    """Let be sent again what Prolific has not paid, as somebody saw there; how many sums."""
    lock_campaign(campaign.pk)
    rows = unclear(campaign).filter(membership__in=members, sent_at__lt=now - IN_FLIGHT)
    return rows.update(sent_at=None, prolific="")
