"""Whether an annotator's work is complete, and its completion code."""

from __future__ import annotations

from typing import Literal

from judgments.judging.practice.gate import is_turned_away
from judgments.models import Membership, Note, NoteKind, Status, Task, is_whole
from judgments.people.staffing.settings import PLACE, staffing_of
from judgments.people.states import HELD, counts, state_name
from judgments.people.workload.work import Work
from judgments.web.extension_points import registered

Verdict = Literal["pass", "fail"]


def verdict_of(membership: Membership) -> Verdict:
    """Return "fail" for an annotator who is left out of all results by a decision in force or fails
    the campaign's rule; while the rule cannot decide yet, "pass"."""
    if not counts(membership):
        return "fail"
    rules = registered("verdict_rules")
    return "fail" if any(rule(membership).state == "fail" for rule in rules) else "pass"


def is_complete(membership: Membership, work: Work, batch: Task | None) -> bool:
    """Return whether the annotator has judged everything that they may judge.

    batch: the one that they could take now. Somebody who gave back a part of each of their batches
    has completed none, even if others have the rest now. Skipped items must be judged too, unless
    an owner has settled the note with the reason. Annotators who are left out may judge nothing
    more; for annotators who are held it is not known yet, unless they failed the tutorial.
    """
    ended = membership.campaign.status in (Status.OPEN, Status.CLOSED)
    state = state_name(membership)
    if state == HELD:
        return ended and is_turned_away(membership, work.n_judged)
    if not counts(membership):
        return ended and work.n_judged > 0
    if not ended or batch is not None or not work.n_judged or work.n_left:
        return False
    if not membership.campaign.tasks.filter(is_whole(), annotator=membership.user_id).exists():
        return False
    return not work.n_skipped or not has_unsettled(work)


def has_unsettled(work: Work) -> bool:
    """Return whether there is a skipped item whose note no owner has settled."""
    skipped = Note.objects.filter(
        item__task__in=[task.pk for task in work.tasks],
        item__is_skipped=True,
        kind=NoteKind.SKIP,
        resolved_at=None,
    )
    return skipped.exists()


def code_of(membership: Membership, work: Work) -> str:
    """Return the completion code of somebody whose work is complete; empty if there is none."""
    staffing = staffing_of(membership.campaign)
    if is_turned_away(membership, work.n_judged):
        return staffing.fail_code
    return {"pass": staffing.pass_code, "fail": staffing.fail_code}[verdict_of(membership)]


def completion(membership: Membership, work: Work, batch: Task | None) -> dict[str, object]:
    """Return the context of the page after the work: whether it is complete, the code, and the
    address to go to with it. This module reveals no code before."""
    staffing = staffing_of(membership.campaign)
    has_codes = bool(staffing.pass_code or staffing.fail_code)
    if not is_complete(membership, work, batch):
        return {"is_complete": False, "has_codes": has_codes}
    code = code_of(membership, work)
    address = staffing.redirect.replace(PLACE, code) if code else ""
    return {"is_complete": True, "has_codes": has_codes, "code": code, "redirect": address}
