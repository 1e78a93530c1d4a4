"""The tutorial as a test: annotators with too few right answers get no work.

The plan sets the share of answers that must be right, and the number of tries. Annotators who fail
the last try are held (`judgments.people.states`): nothing of theirs is in any figure, and an owner
sees why and may let them continue.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from judgments.models import Campaign, Membership, Role
from judgments.models.locks import lock_campaign
from judgments.people.states import HELD, counts, hold, state_name

from .practice import Checked, next_practice, rows_of

ROUNDING = 1e-9
COUNTED = (
    *("n_practiced", "n_tutorial_right", "n_tutorial_asked", "n_tutorial_tries"),
    "qualified_at",
)


@dataclass(frozen=True)
class PassMark:
    """right: the share of answers that must be right. tries: how often one may do the tutorial."""

    right: float
    tries: int

    @property
    def percent(self) -> str:
        return f"{100 * self.right:g}"

    def is_passed(self, n_right: int, n_asked: int) -> bool:
        return n_right >= self.right * n_asked - ROUNDING


def gate_of(campaign: Campaign) -> PassMark | None:
    """Return the pass mark of the tutorial; None if it is no test."""
    right = campaign.plan.get("tutorial_right", 0)
    return PassMark(right, campaign.plan.get("tutorial_tries", 1)) if right else None


def has_tries_left(membership: Membership) -> bool:
    """Return whether somebody has neither passed nor failed the test yet."""
    gate = gate_of(membership.campaign)
    if gate is None or membership.qualified_at:
        return False
    return membership.n_tutorial_tries < gate.tries


def has_failed(membership: Membership) -> bool:
    """Return whether the last try failed; the state says whether they are still held."""
    is_tested = gate_of(membership.campaign) is not None and not membership.qualified_at
    return is_tested and not has_tries_left(membership)


def waiting_practice(membership: Membership) -> int | None:
    """Return the number of the tutorial item that comes before the work; None if there is none."""
    if gate_of(membership.campaign) is None:
        return next_practice(membership)
    if not has_tries_left(membership) or passed_elsewhere(membership):
        return None
    n_items = membership.campaign.practices.count()
    # Items may have been deleted since: the last one is then answered once more.
    return min(membership.n_practiced + 1, n_items) or None


def passed_elsewhere(membership: Membership) -> datetime | None:
    """Return when somebody passed the same test in another campaign of the same project, preset and
    languages in which they still count; used before they begin this one."""
    campaign = membership.campaign
    if membership.n_practiced or membership.n_tutorial_tries:
        return None
    others = Membership.objects.current().filter(
        user=membership.user_id,
        qualified_at__isnull=False,
        campaign__joined__project__in=campaign.joined.values("project"),
        campaign__preset=campaign.preset,
        campaign__test_set__source_language=campaign.test_set.source_language,
        campaign__test_set__target_language=campaign.test_set.target_language,
    )
    for each in others.exclude(campaign=campaign).select_related("campaign").distinct():
        is_same = gate_of(each.campaign) == gate_of(campaign)
        if is_same and rows_of(each.campaign) == rows_of(campaign) and counts(each):
            return each.qualified_at
    return None


def let_through(membership: Membership) -> None:
    """Store that somebody passed elsewhere, once they take work."""
    if has_tries_left(membership) and (passed_at := passed_elsewhere(membership)):
        membership.qualified_at = passed_at
        membership.save(update_fields=["qualified_at"])


def is_turned_away(membership: Membership, n_judged: int) -> bool:
    """Return whether somebody is held because they failed the test, before any work."""
    return not n_judged and has_failed(membership) and state_name(membership) == HELD


@transaction.atomic
def answered(membership: Membership, number: int, n_items: int, checked: Sequence[Checked]) -> None:
    """Count the answer to a tutorial item, once per try; the last one ends the try. Updates
    `membership` as stored."""
    campaign, is_last = membership.campaign, number == n_items
    if is_last:  # before the membership, as everywhere
        lock_campaign(campaign.pk)
    locked = Membership.objects.select_for_update(of=("self",), no_key=True).get(pk=membership.pk)
    for name in COUNTED:
        setattr(membership, name, getattr(locked, name))
    if not has_tries_left(membership) or number != min(membership.n_practiced + 1, n_items):
        return  # sent twice, or viewed again
    if number == 1:
        membership.n_tutorial_right = membership.n_tutorial_asked = 0
    membership.n_practiced = number
    membership.n_tutorial_right += sum(each.is_right for each in checked)
    membership.n_tutorial_asked += len(checked)
    if is_last:
        end_try(membership)
    membership.save(update_fields=COUNTED)


def end_try(membership: Membership) -> None:
    """Let somebody through, let them try again, or hold them. The caller has locked the campaign
    and the membership."""
    gate = gate_of(membership.campaign)
    assert gate is not None
    n_right, n_asked = membership.n_tutorial_right, membership.n_tutorial_asked
    membership.n_tutorial_tries += 1
    if gate.is_passed(n_right, n_asked):
        membership.qualified_at = timezone.now()
    elif has_tries_left(membership):
        membership.n_practiced = 0
    else:
        reason = (
            f"The tutorial: {n_right} of {n_asked} answers were right in the last try "
            f"({membership.n_tutorial_tries} of {gate.tries}), and {gate.percent} % are asked for."
        )
        hold(membership.campaign, membership.user, reason=reason)


PASSED, FAILED, NOT_DONE = "passed", "failed", "not done"


def result_of(membership: Membership) -> str:
    """Return the result of the test: PASSED, FAILED or NOT_DONE."""
    if membership.qualified_at:
        return PASSED
    return FAILED if has_failed(membership) else NOT_DONE


def results_of(campaign: Campaign) -> list[tuple[str, str, int, int, int, datetime | None]]:
    """Return a row for each annotator, (alias, result, right answers and answers of the last try,
    tries, when they passed), in one statement; empty if the tutorial is no test."""
    if gate_of(campaign) is None:
        return []
    found = campaign.memberships.current().filter(role=Role.ANNOTATOR).order_by("alias")
    rows = []
    for each in found:
        each.campaign = campaign
        n_right, n_asked = each.n_tutorial_right, each.n_tutorial_asked
        n_tries, passed_at = each.n_tutorial_tries, each.qualified_at
        rows.append((each.alias, result_of(each), n_right, n_asked, n_tries, passed_at))
    return rows
