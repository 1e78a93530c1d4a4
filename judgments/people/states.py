"""States of annotators in a campaign, and holding somebody.

Whether judgments count follows from decisions (`Decision`), which quality control writes. Two more
facts come from `AnnotatorState`: whether somebody who counts is held, and whether the seats of
somebody who does not were planned again for others. Only annotators who work are given items, and
only their answers are stored. Screens read both with the membership (`DECIDED`, `CHANGED_TO`); a
claim queries again (`may_work_now`) once it has the lock on the membership, which every change of
state takes too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import OuterRef, Subquery

from judgments.models import AnnotatorState, Campaign, Decision, Membership, StateChange
from judgments.models.chains import record
from judgments.models.locks import lock_campaign, lock_members

WORKING, HELD, REPLACED = StateChange.WORKING, StateChange.HELD, StateChange.REPLACED
LEFT_OUT = "left out"

# Annotations of memberships: true if their whole work is left out, and the last `StateChange`; null
# if there is none.
DECIDED = Subquery(
    Decision.objects.filter(campaign=OuterRef("campaign"), annotator=OuterRef("user"), dimension="")
    .order_by("-pk")
    .values("excluded")[:1]
)
CHANGED_TO = Subquery(
    AnnotatorState.objects.filter(campaign=OuterRef("campaign"), annotator=OuterRef("user"))
    .order_by("-pk")
    .values("state")[:1]
)


@dataclass(frozen=True)
class State:
    """name: WORKING, HELD, LEFT_OUT or REPLACED. since: None for annotators who have always worked.
    by: the user who decided; None: the campaign's rule, or nobody yet. change: the id of the
    `AnnotatorState` that holds them; None for all others."""

    name: str = WORKING
    since: datetime | None = None
    by: int | None = None
    reason: str = ""
    change: int | None = None

    @property
    def counts(self) -> bool:
        """Whether their judgments are part of the figures, also while they are held."""
        return self.name in (WORKING, HELD)


def _name(is_out: bool | None, changed_to: str | None) -> str:
    if is_out:
        return REPLACED if changed_to == REPLACED else LEFT_OUT
    return HELD if changed_to == HELD else WORKING


def states_of(campaign: Campaign, users: Iterable[int] | None = None) -> dict[int, State]:
    """Return the states of all users (or of these) with any decision, by user id, in two
    statements; all others work."""
    decided = Decision.objects.filter(campaign=campaign, dimension="")
    changed = AnnotatorState.objects.filter(campaign=campaign)
    if users is not None:
        chosen = list(users)
        decided, changed = (
            decided.filter(annotator__in=chosen),
            changed.filter(annotator__in=chosen),
        )
    last = {each.annotator_id: each for each in decided.order_by("pk")}
    log = {each.annotator_id: each for each in changed.order_by("pk")}
    found = {}
    for user in sorted(last.keys() | log.keys()):
        decision, change = last.get(user), log.get(user)
        name = _name(decision.excluded if decision else None, change.state if change else None)
        said: Any = change if name in (HELD, REPLACED) else decision
        if name == WORKING and change and (not decision or change.decided_at > decision.decided_at):
            said = change
        held = change.pk if change and name == HELD else None
        found[user] = State(name, said.decided_at, said.decided_by_id, said.reason, held)
    return found


def names_of(campaigns: Iterable[Campaign]) -> dict[int, dict[int, str]]:
    """Return the names of states by campaign and user id, for users with any decision, in two
    statements for any number of campaigns."""
    pks = [campaign.pk for campaign in campaigns]
    each = ("campaign", "annotator")
    decided = Decision.objects.filter(campaign__in=pks, dimension="").order_by("pk")
    out = {(c, u): said for c, u, said in decided.values_list(*each, "excluded")}
    changed = AnnotatorState.objects.filter(campaign__in=pks).order_by("pk")
    log = {(c, u): said for c, u, said in changed.values_list(*each, "state")}
    found: dict[int, dict[int, str]] = {pk: {} for pk in pks}
    for campaign, user in out.keys() | log.keys():
        known = (campaign, user)
        found[campaign][user] = _name(out.get(known), log.get(known))
    return found


def state_of(membership: Membership) -> State:
    """Return the stored state of one annotator."""
    return states_of(membership.campaign, [membership.user_id]).get(membership.user_id, State())


def state_name(membership: Membership) -> str:
    """Return the name of the state, without a statement if it was read with the membership."""
    known = vars(membership)
    if "decided" in known:
        return _name(known["decided"], known["changed_to"])
    return state_of(membership).name


def may_work(membership: Membership) -> bool:
    """Return whether the annotator gets items and their answers are accepted."""
    return state_name(membership) == WORKING


def may_work_now(membership: Membership) -> bool:
    """Return the same from the database."""
    return state_of(membership).name == WORKING


def counts(membership: Membership) -> bool:
    """Return whether their judgments are part of the figures."""
    return state_name(membership) in (WORKING, HELD)


@transaction.atomic
def hold(campaign: Campaign, annotator: Any, *, reason: str, by: Any = None) -> bool:
    """Let a user judge nothing more until somebody decides. Their judgments count, and their
    batches stay theirs until the leases expire. by: None for a rule. Return whether it is new: only
    annotators who work are held.

    Locks the campaign and the membership: call it after the transaction of an answer, not in it.
    """
    return _change(campaign, annotator, WORKING, HELD, reason, by)


@transaction.atomic
def resume_work(campaign: Campaign, annotator: Any, *, reason: str, by: Any) -> bool:
    """Undo `hold`. Return whether it is new."""
    return _change(campaign, annotator, HELD, WORKING, reason, by)


def _change(campaign: Campaign, annotator: Any, before: str, to: str, reason: str, by: Any) -> bool:
    lock_campaign(campaign.pk)
    lock_members(campaign, [annotator.pk])
    found = states_of(campaign, [annotator.pk]).get(annotator.pk, State())
    if found.name != before:
        return False
    note_change(campaign, annotator.pk, to, reason=reason, by=by)
    return True


def note_change(campaign: Campaign, user: int, to: str, *, reason: str, by: Any) -> None:
    """Log a change; the caller has locked the campaign and the membership."""
    change = AnnotatorState.objects.create(
        campaign=campaign, annotator_id=user, state=to, reason=reason, decided_by=by
    )
    record.note(campaign.pk, "annotator's state changed", "state", ids=[change.pk])
