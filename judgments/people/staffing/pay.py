"""What annotators earn: the one place that computes it, for the page and the file.

Active time is what the site measured (judgments.people.workload.progress); a break of more than a
minute does not count, so a real hour of work is longer than an hour of active time, and the true
wage is lower than the one here.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from statistics import median

from judgments.models import Campaign
from judgments.people.staffing.settings import Rate, staffing_of
from judgments.people.workload.progress import annotator_rows

MS_PER_HOUR = 3_600_000
CENT = Decimal("0.01")


@dataclass(frozen=True)
class Earned:
    """hours: of active time. amount: in the campaign's currency, rounded to a hundredth; wage:
    amount per hour, None without any time. Both are None where nothing is paid."""

    alias: str
    judged: int
    batches: int
    hours: Decimal
    amount: Decimal | None
    wage: Decimal | None


@dataclass(frozen=True)
class Pay:
    """Of all annotators who have judged something. median_wage: over those who have a wage."""

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


def pay_of(campaign: Campaign) -> Pay:
    rate = staffing_of(campaign).pay
    rows = [row for row in annotator_rows(campaign) if row["judged"]]
    return Pay(rate, [earned(row, rate) for row in rows])


def earned(row: dict, rate: Rate | None) -> Earned:
    """row: of annotator_rows."""
    hours = Decimal(row["active_ms"]) / MS_PER_HOUR
    amount = wage = None
    if rate is not None:
        pieces = {"hour": hours, "batch": row["batches"], "item": row["judged"]}
        exact = rate.amount * pieces[rate.per]
        amount = to_cents(exact)
        wage = to_cents(exact / hours) if hours else None
    return Earned(row["alias"], row["judged"], row["batches"], hours, amount, wage)


def to_cents(amount: Decimal) -> Decimal:
    return amount.quantize(CENT, ROUND_HALF_UP)
