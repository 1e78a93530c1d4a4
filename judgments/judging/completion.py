"""When an annotator's work is complete, and how it is."""

from __future__ import annotations

from typing import Literal

from judgments.judging.practice.gate import is_turned_away
from judgments.models import Membership, Note, NoteKind, Status, Task
from judgments.people.staffing.settings import PLACE, staffing_of
from judgments.people.states import HELD, counts, state_name
from judgments.people.workload.work import Work
from judgments.web.extension_points import registered

Verdict = Literal["pass", "fail"]


def verdict_of(membership: Membership) -> Verdict:
    """Return  "fail" for an annotator whom a decision in force leaves out of all results, or who
    fails the campaign's rule; what the rule cannot tell yet is no failure."""
    if not counts(membership):
        return "fail"
    rules = registered("verdict_rules")
    return "fail" if any(rule(membership).state == "fail" for rule in rules) else "pass"


def is_complete(membership: Membership, work: Work, batch: Task | None) -> bool:
    """Return whether the annotator has judged all that they may.

    batch: the one that they could take now. What was skipped is to be judged, too, unless an owner
    has settled the note that says why. Who is left out may judge nothing more; of who is held it
    is not known yet, but for who failed the tutorial.
    """
    ended = membership.campaign.status in (Status.OPEN, Status.CLOSED)
    state = state_name(membership)
    if state == HELD:
        return ended and is_turned_away(membership, work.n_judged)
    if not counts(membership):
        return ended and work.n_judged > 0
    if not ended or batch is not None or not work.n_judged or work.n_left:
        return False
    return not work.n_skipped or not has_unsettled(work)


def has_unsettled(work: Work) -> bool:
    """Return whether an item is skipped and no owner has settled its note."""
    skipped = Note.objects.filter(
        item__task__in=[task.pk for task in work.tasks],
        item__is_skipped=True,
        kind=NoteKind.SKIP,
        resolved_at=None,
    )
    return skipped.exists()


def code_of(membership: Membership, work: Work) -> str:
    """Return the completion code of somebody whose work is complete; empty where there is none."""
    staffing = staffing_of(membership.campaign)
    if is_turned_away(membership, work.n_judged):
        return staffing.fail_code
    return {"pass": staffing.pass_code, "fail": staffing.fail_code}[verdict_of(membership)]


def completion(membership: Membership, work: Work, batch: Task | None) -> dict[str, object]:
    """Return for the page after the work: whether it is complete, the code, and where to go with
    it. No code leaves this module before."""
    staffing = staffing_of(membership.campaign)
    has_codes = bool(staffing.pass_code or staffing.fail_code)
    if not is_complete(membership, work, batch):
        return {"is_complete": False, "has_codes": has_codes}
    code = code_of(membership, work)
    address = staffing.redirect.replace(PLACE, code) if code else ""
    return {"is_complete": True, "has_codes": has_codes, "code": code, "redirect": address}
