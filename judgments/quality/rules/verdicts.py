"""Whether an annotator passes the rule of a campaign, computed from their judgments.

A threshold that the rule does not state, or for which the annotator's work has no items, is not
applied. Scores are those of the first dimension.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isnan
from typing import Any, NamedTuple

from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils.translation import gettext as _

from judgments.judging.queue import is_pool
from judgments.models import Campaign, Judgment, Kind, Membership, QualityRule, Status
from judgments.models.chains import record
from judgments.models.locks import lock_campaign, lock_members
from judgments.protocols.base import Scale
from judgments.quality.control_items.figures import planned_controls
from judgments.quality.rules.figures import AnnotatorQuality, QualityReport
from judgments.quality.rules.one_annotator import quality_of_one
from judgments.results.observations.observations import dimensions_of
from judgments.stats.quality_control import MIN_PAIRS

from ..decisions.decisions import AlreadyDecided, decide

PASS, FAIL, OPEN = "pass", "fail", "open"
MIN_ITEMS = 3
"""No verdict on checks, repeats or references with fewer items, unless fewer were planned."""


class Criterion(NamedTuple):
    """The result of one threshold; ``reason`` with the figures, in a sentence."""

    state: str
    reason: str


@dataclass(frozen=True)
class RuleVerdict:
    """``state``: "fail" if one criterion fails, "pass" if all are met, "open" while too little has
    been judged or there is no rule."""

    state: str
    criteria: tuple[Criterion, ...] = ()

    @property
    def reasons(self) -> tuple[str, ...]:
        """Reasons of the state: for a failure the criteria that failed, otherwise all of them."""
        shown = [c for c in self.criteria if c.state == self.state] or self.criteria
        return tuple(criterion.reason for criterion in shown)


def verdict_of(membership: Membership) -> RuleVerdict:
    """Return the verdict on one annotator by the current rule; reads only their judgments."""
    campaign = membership.campaign
    rule = campaign.quality_rules.last()
    if rule is None or not rule.thresholds:
        return _no_rule()
    found = quality_of_one(membership)
    planned = expected_controls(campaign, membership.user_id)
    return judged_by(rule, found, planned.get(membership.user_id, Counter()), scale_of(campaign))


def verdicts_of(campaign: Campaign, report: QualityReport) -> dict[int, RuleVerdict]:
    """Return the verdicts on all annotators, by user; report: on the first dimension."""
    rule = campaign.quality_rules.last()
    if rule is None or not rule.thresholds:
        return {each.user: _no_rule() for each in report.annotators}
    planned, scale = expected_controls(campaign), scale_of(campaign)
    return {
        each.user: judged_by(rule, each, planned.get(each.user, Counter()), scale)
        for each in report.annotators
    }


def expected_controls(campaign: Campaign, user: int | None = None) -> dict[int, Counter[str]]:
    """Return `planned_controls`; in a pool with blocks left, at least as many of each kind as a
    verdict needs, because more will come."""
    planned = planned_controls(campaign, user)
    left = campaign.tasks.planned().filter(annotator=None, is_unfinished=True)
    if is_pool(campaign) and campaign.status != Status.CLOSED and left.exists():
        return {user: with_more(counts) for user, counts in planned.items()}
    return planned


def with_more(counts: Counter[str]) -> Counter[str]:
    """Return the counts, with at least as many of each kind as a verdict needs."""
    return Counter({kind: max(n, MIN_ITEMS) for kind, n in counts.items()})


def scale_of(campaign: Campaign) -> Scale | None:
    dimensions = dimensions_of(campaign)
    return dimensions[0].scale if dimensions else None


def judged_by(
    rule: QualityRule,
    found: AnnotatorQuality | None,
    planned: Mapping[str, int],
    scale: Scale | None,
) -> RuleVerdict:
    """Return the verdict on a person's quality; None: nothing was judged. planned: items of each
    kind of control in the annotator's work."""
    if found is None:
        return RuleVerdict(OPEN, (Criterion(OPEN, _("Nothing was judged yet.")),))
    criteria = tuple(_criteria(rule, found, planned, scale))
    states = {criterion.state for criterion in criteria}
    if not criteria:
        reason = _("The rule asks for nothing that this work can show.")
        return RuleVerdict(OPEN, (Criterion(OPEN, reason),))
    state = FAIL if FAIL in states else OPEN if OPEN in states else PASS
    return RuleVerdict(state, criteria)


def _no_rule() -> RuleVerdict:
    return RuleVerdict(OPEN, (Criterion(OPEN, _("No rule with thresholds was written down.")),))


def _criteria(
    rule: QualityRule, found: AnnotatorQuality, planned: Mapping[str, int], scale: Scale | None
) -> Iterator[Criterion]:
    if rule.least_checks is not None:
        yield from _checks(rule.least_checks, found, planned.get(Kind.CHECK, 0))
    if rule.degraded_level is not None:
        yield from _degraded(rule.degraded_level, found, planned.get(Kind.DEGRADED, 0))
    if rule.most_deviation is not None:
        yield from _repeats(rule.most_deviation, found, planned.get(Kind.REPEAT, 0), scale)
    if rule.least_references is not None:
        yield from _references(rule.least_references, found, planned.get(Kind.REFERENCE, 0))
    if rule.seconds_per_word is not None and not isnan(found.seconds_per_word):
        words = _("Reads a source word in %(seconds)s s; at least %(least)s s are required.") % {
            "seconds": f"{found.seconds_per_word:.2f}",
            "least": f"{rule.seconds_per_word:g}",
        }
        yield _met(found.seconds_per_word >= rule.seconds_per_word, words)


def _met(is_met: bool, reason: str) -> Criterion:
    return Criterion(PASS if is_met else FAIL, reason)


def _rounded_p(p: float) -> str:
    """Return p for display; never zero, which no p is."""
    return "< 0.001" if p < 0.001 else f"= {p:.3f}"


def in_percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _too_few(n: int, planned: int) -> bool:
    return n < (min(MIN_ITEMS, planned) or MIN_ITEMS)


def _checks(least: float, found: AnnotatorQuality, planned: int) -> Iterator[Criterion]:
    n, share = found.checks.n, found.checks.share
    if not n and not planned:
        return
    if _too_few(n, planned):
        yield Criterion(OPEN, _("Too few attention checks: %(n)s.") % {"n": n})
        return
    words = _("Passes %(share)s of %(n)s attention checks; at least %(least)s are required.") % {
        "share": in_percent(share),
        "n": n,
        "least": in_percent(least),
    }
    yield _met(share >= least, words)


def _degraded(level: float, found: AnnotatorQuality, planned: int) -> Iterator[Criterion]:
    n = found.control.n_pairs
    if not n and not planned:
        return
    if n < MIN_PAIRS:
        yield Criterion(OPEN, _("Too few degraded copies: %(n)s.") % {"n": n})
        return
    words = _(
        "Degraded copies against their originals: p %(p)s in %(n)s pairs; at most %(level)s is "
        "allowed."
    ) % {"p": _rounded_p(found.control.p_value), "n": n, "level": f"{level:g}"}
    yield _met(found.control.p_value <= level, words)


def _repeats(
    most: float, found: AnnotatorQuality, planned: int, scale: Scale | None
) -> Iterator[Criterion]:
    n = found.repeats.n_pairs
    if (not n and not planned) or scale is None or scale.low is None or scale.high is None:
        return
    if _too_few(n, planned):
        yield Criterion(OPEN, _("Too few repeats: %(n)s.") % {"n": n})
        return
    share = found.repeats.mean_difference / (scale.high - scale.low)
    words = _(
        "Repeats differ by %(share)s of the scale in the mean of %(n)s; at most %(most)s is "
        "allowed."
    ) % {"share": in_percent(share), "n": n, "most": in_percent(most)}
    yield _met(share <= most, words)


def _references(least: float, found: AnnotatorQuality, planned: int) -> Iterator[Criterion]:
    n, share = found.references.n_references, found.references.share
    if not n and not planned:
        return
    if _too_few(n, planned) or isnan(share):
        yield Criterion(OPEN, _("Too few references: %(n)s.") % {"n": n})
        return
    words = _(
        "%(share)s of %(n)s references score at least the median of the outputs; at least "
        "%(least)s are required."
    ) % {"share": in_percent(share), "n": n, "least": in_percent(least)}
    yield _met(share >= least, words)


class ToLeaveOut(NamedTuple):
    """An annotator who fails the rule and is still included."""

    user: int
    alias: str
    reasons: tuple[str, ...]


def to_leave_out(campaign: Campaign, report: QualityReport) -> list[ToLeaveOut]:
    """Return annotators to exclude from everything, by alias, with those who are left out of one
    dimension; report: on the first dimension."""
    decided = campaign.decisions.latest_of_each()
    out = {d.annotator_id for d in decided if d.excluded and not d.dimension}
    found = verdicts_of(campaign, report)
    return [
        ToLeaveOut(each.user, each.alias, found[each.user].reasons)
        for each in report.annotators
        if found[each.user].state == FAIL and each.user not in out
    ]


@transaction.atomic
def leave_out_by_rule(campaign: Campaign, chosen: list[ToLeaveOut], *, by: Any) -> int:
    """Log a decision for each, with the reasons; return how many were new."""
    users = get_user_model().objects.in_bulk([each.user for each in chosen])
    lock_campaign(campaign.pk)
    lock_members(campaign, users)  # all at once and in order, like claims
    n = 0
    for each in chosen:
        reason = _("By the rule: %(reasons)s") % {"reasons": " ".join(each.reasons)}
        try:
            decide(campaign, users[each.user], excluded=True, reason=reason, by=by)
        except AlreadyDecided:
            continue
        n += 1
    return n


@transaction.atomic
def write_rule(
    campaign: Campaign,
    *,
    text: str,
    by,
    hold_after: int | None = None,
    **thresholds: float | None,
) -> QualityRule:
    """Log the rule for excluding annotators, with the number of judgments so far. thresholds: of
    `QualityRule`, by name; those that are not given are not applied."""
    lock_campaign(campaign.pk)
    rule = QualityRule.objects.create(
        campaign=campaign,
        text=text,
        **thresholds,
        hold_after=hold_after,
        n_judgments=Judgment.objects.filter(campaign=campaign).count(),
        written_by=by,
    )
    record.note(campaign.pk, "rule written", "rule", "holding", ids=[rule.pk])
    return rule
