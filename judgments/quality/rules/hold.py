"""Holding annotators who fail the rule of a campaign until an owner decides
(`judgments.people.states`)."""

from __future__ import annotations

from django.utils.translation import gettext as _

from judgments.models import NO_CONTROLS, Campaign, Item, Membership, QualityRule, Role, is_finished
from judgments.people.states import WORKING, hold, state_of
from judgments.quality.notices.tasks import ask

from .verdicts import FAIL, verdict_of

HOLD_AFTER = 5


def hold_by_rule(membership: Membership) -> None:
    """Hold an annotator who fails the current rule, if it says so and they have judged enough.
    Called after an answer to a control item, and at the end of a batch."""
    campaign = membership.campaign
    rule = campaign.quality_rules.last()
    if rule is None or rule.hold_after is None or not rule.thresholds:
        return
    if not has_judged_enough(membership, rule.hold_after) or not _may_be_held(membership, rule):
        return
    verdict = verdict_of(membership)
    if verdict.state == FAIL:
        reason = _("By the rule: %(reasons)s") % {"reasons": " ".join(verdict.reasons)}
        if hold(campaign, membership.user, reason=reason):
            ask(campaign)


def _may_be_held(membership: Membership, rule: QualityRule) -> bool:
    """Return whether they work, and no owner has decided since the rule was written that they do:
    the same rule never overrides an owner's decision."""
    state = state_of(membership)
    is_decided = state.by is not None and state.since and state.since > rule.written_at
    return state.name == WORKING and not is_decided


def has_judged_enough(membership: Membership, n_controls: int) -> bool:
    """Return whether somebody has judged this many control items, or a whole batch."""
    tasks = membership.campaign.tasks.filter(annotator=membership.user_id)
    if tasks.planned().filter(is_finished()).exists():
        return True
    own = Item.objects.filter(task__in=tasks, is_judged=True)
    return own.exclude(kind__in=NO_CONTROLS, control_kind="").count() >= n_controls


def usual_hold(campaign: Campaign) -> int | None:
    """Return after how many control items the form proposes to hold: None, unless there are control
    items and a link that admits everybody who has it."""
    links = campaign.invitations.usable().filter(role=Role.ANNOTATOR)
    is_open = links.exclude(max_uses=1).exists()
    items = Item.objects.filter(task__campaign=campaign)
    has_controls = is_open and items.exclude(kind__in=NO_CONTROLS, control_kind="").exists()
    return HOLD_AFTER if has_controls else None
