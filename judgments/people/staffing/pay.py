"""Earnings of annotators: the only place that computes them, for the page and the file.

Active time is what the site measured (judgments.people.workload.progress); a break of more than a
minute does not count, so a real hour of work is longer than an hour of active time, and the true
wage is lower than the one here.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from statistics import median
from typing import Any

from django.db.models import DecimalField, Exists, OuterRef, Q, QuerySet, Sum, Value
from django.db.models.functions import Coalesce

from judgments.models import (
    Campaign,
    Membership,
    Payment,
    PaymentKind,
    Role,
    Task,
    is_finished,
)
from judgments.people.staffing.settings import Rate, staffing_of
from judgments.people.workload.progress import rows_of
from judgments.people.workload.work import Work

MS_PER_HOUR = 3_600_000
CENT = Decimal("0.01")
NOTHING = dict.fromkeys(("work", "bonus", "approved", "paid"), Decimal(0))


@dataclass(frozen=True)
class Earned:
    """hours: of active time. amount: in the campaign's currency, rounded to a hundredth; wage:
    amount per hour, None without any time. Both are None if there is no pay. member: the number of
    the membership; due: earned and not approved; approved: and not paid yet; bonus: part of these
    two that is paid in addition to the work."""

    member: int
    alias: str
    judged: int
    batches: int
    hours: Decimal
    amount: Decimal | None
    wage: Decimal | None
    due: Decimal
    approved: Decimal
    paid: Decimal
    bonus: Decimal


@dataclass(frozen=True)
class Pay:
    """Earnings of everybody who has judged something or has payments. median_wage: over those
    who have a wage."""

    rate: Rate | None
    people: list[Earned]

    @property
    def total(self) -> Decimal:
        return sum((each.amount or Decimal(0) for each in self.people), Decimal(0))

    @property
    def hours(self) -> Decimal:
        return sum((each.hours for each in self.people), Decimal(0))

    @property
    def median_wage(self) -> Decimal | None:
        wages = [each.wage for each in self.people if each.wage is not None]
        return to_cents(median(wages)) if wages else None

    @property
    def is_unfair(self) -> bool:
        """Whether the median wage is below the promised one."""
        promised = self.rate.promised if self.rate else None
        wage = self.median_wage
        return promised is not None and wage is not None and wage < promised


def payable(campaign: Campaign) -> QuerySet[Membership]:
    """Return the members who may be paid: annotators, and people who were annotators before they
    got another role."""
    judged = Task.objects.filter(campaign=campaign, annotator=OuterRef("user"), n_judged__gt=0)
    paid = Payment.objects.filter(membership=OuterRef("pk"))
    return campaign.memberships.filter(Q(role=Role.ANNOTATOR) | Exists(judged) | Exists(paid))


def pay_of(campaign: Campaign) -> Pay:
    rate = staffing_of(campaign).pay
    sums = sums_of(membership__campaign=campaign)
    every = rows_of(campaign, payable(campaign))
    rows = [row for row in every if row["judged"] or row["pk"] in sums]
    return Pay(rate, [earned(row, rate, sums.get(row["pk"], NOTHING)) for row in rows])


def earned_so_far(membership: Membership, work: Work) -> Earned | None:
    """Return what one annotator has earned, as `pay_of` computes it; None if there is no pay."""
    rate = staffing_of(membership.campaign).pay
    if rate is None:
        return None
    own = membership.campaign.tasks.filter(annotator=membership.user_id)
    row = {
        "pk": membership.pk,
        "alias": membership.alias,
        "judged": work.n_judged,
        "batches": own.filter(is_finished()).count(),
        "active_ms": work.active_ms,
    }
    return earned(row, rate, sums_of(membership=membership).get(membership.pk, NOTHING))


def total_of(**which: object) -> Coalesce:
    nothing = Value(Decimal(0), DecimalField(max_digits=12, decimal_places=2))
    return Coalesce(Sum("amount", filter=Q(**which)), nothing)


def sums_of(**whose: object) -> dict[int, dict[str, Decimal]]:
    """Return the approved and paid sums by the numbers of the memberships."""
    found = Payment.objects.filter(**whose).order_by().values("membership")
    rows: Any = found.annotate(
        work=total_of(kind=PaymentKind.WORK),
        bonus=total_of(kind=PaymentKind.BONUS),
        approved=total_of(paid_at=None),
        paid=total_of(paid_at__isnull=False),
    )
    return {row.pop("membership"): row for row in rows}


def gross(row: dict, rate: Rate) -> Decimal:
    """Return the amount for the time, the batches or the items of a row, to the cent."""
    return to_cents(_exact(row, rate))


def _exact(row: dict, rate: Rate) -> Decimal:
    hours = Decimal(row["active_ms"]) / MS_PER_HOUR
    return rate.amount * {"hour": hours, "batch": row["batches"], "item": row["judged"]}[rate.per]


def earned(row: dict, rate: Rate | None, sums: dict[str, Decimal]) -> Earned:
    """Return the earnings of a row. row: of rows_of. sums: of `sums_of`."""
    hours = Decimal(row["active_ms"]) / MS_PER_HOUR
    amount = wage = None
    if rate is not None:
        exact = _exact(row, rate)
        amount = to_cents(exact)
        wage = to_cents(exact / hours) if hours else None
    return Earned(
        member=row["pk"],
        alias=row["alias"],
        judged=row["judged"],
        batches=row["batches"],
        hours=hours,
        amount=amount,
        wage=wage,
        due=to_cents(max((amount or Decimal(0)) - sums["work"], Decimal(0))),
        approved=to_cents(sums["approved"]),
        paid=to_cents(sums["paid"]),
        bonus=to_cents(sums["bonus"]),
    )


def to_cents(amount: Decimal) -> Decimal:
    return amount.quantize(CENT, ROUND_HALF_UP)
