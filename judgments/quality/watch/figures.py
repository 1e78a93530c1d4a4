"""The last figures of a campaign that is being judged.

Entries of `cache.keep` are of exactly the stored judgments, and every answer outdates them. A
watched page shows the last available figures with their time, and never waits: those of a small
campaign are computed at once, those of a large one by a worker.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import numpy as np
from django.core.cache import caches
from django.utils import timezone

from judgments.models import Campaign, Judgment
from judgments.people.workload.progress import Curve, curve, words_left
from judgments.people.workload.valid import coverage
from judgments.protocols import protocol_of
from judgments.quality.rules.figures import qualities
from judgments.results.agreement.figures import agreement
from judgments.results.observations.observations import dimensions_of
from judgments.results.power.figures import PowerReport, power
from judgments.results.scores.figures import SystemScores, system_scores
from judgments.results.scores.pair_test import pair_test_of
from judgments.results.selection.selection import Selection
from judgments.web import cache
from judgments.web.cache import code_mark, get_shared, share

# With at most this many judgments, figures are computed at once; with this many items, also those
# that read texts.
SMALL, SMALL_ITEMS = 2000, 2000
ASKED_SECONDS = 120


@dataclass(frozen=True)
class Latest:
    """``value``, computed ``at`` a time from the state of the campaign with this ``mark``."""

    value: Any
    at: datetime
    mark: str


@dataclass(frozen=True)
class AnnotatorFigures:
    """By user (ids): ``flags`` of all dimensions, and ``agreement`` with the others on the first
    one, (mean over the others weighted by shared items, items shared); ``measure`` is its name.
    ``verdicts``: pass, fail or open by the campaign's rule; none without one."""

    flags: dict[int, tuple[str, ...]] = field(default_factory=dict)
    agreement: dict[int, tuple[float, int]] = field(default_factory=dict)
    measure: str = ""
    verdicts: dict[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class RankFigures:
    scores: SystemScores | None = None
    power: PowerReport | None = None


def flags_of(campaign: Campaign) -> dict[int, tuple[str, ...]]:
    """Return the flags of quality control on all dimensions, by user (ids)."""
    flags: dict[int, tuple[str, ...]] = {}
    if protocol_of(campaign).has_page("quality"):
        for dimension in qualities(Selection.of(campaign)):
            for each in dimension.annotators:
                known = (*flags.get(each.user, ()), *each.flags)
                flags[each.user] = tuple(dict.fromkeys(known))
    return flags


def states_of(campaign: Campaign) -> dict[int, str]:
    """Return the verdict on each annotator by the current rule, by user (ids); none without a
    rule."""
    from judgments.quality.rules.verdicts import verdicts_of  # which reads results

    rule = campaign.quality_rules.last()
    if rule is None or not rule.thresholds or not protocol_of(campaign).has_page("quality"):
        return {}
    report = qualities(Selection.of(campaign))[0]
    return {user: verdict.state for user, verdict in verdicts_of(campaign, report).items()}


def annotator_figures(campaign: Campaign) -> AnnotatorFigures:
    selection, flags = Selection.of(campaign), flags_of(campaign)
    verdicts = states_of(campaign)
    if not protocol_of(campaign).has_page("agreement"):
        return AnnotatorFigures(flags, verdicts=verdicts)
    report = agreement(selection)
    users = {alias: user for user, alias in selection.members}
    found = {}
    for place, alias in enumerate(report.aliases):
        n = report.matrix.n_shared[place].astype(float)
        estimate = report.matrix.estimate[place]
        n[place] = 0
        n[np.isnan(estimate)] = 0
        if alias in users and n.sum():
            mean = float(np.nansum(estimate * n) / n.sum())
            found[users[alias]] = (mean, int(n.sum()))
    return AnnotatorFigures(flags, found, report.matrix.measure, verdicts)


def rank_figures(campaign: Campaign) -> RankFigures:
    selection, protocol = Selection.of(campaign), protocol_of(campaign)
    if not protocol.has_page("scores"):
        return RankFigures()
    scores = system_scores(selection)
    if scores.reason or not protocol.has_page("power"):
        return RankFigures(scores)
    dimensions = dimensions_of(campaign)
    slug = dimensions[0].slug if dimensions else None
    return RankFigures(scores, power(selection, slug, resample=False))


def curve_now(campaign: Campaign) -> Curve:
    """Return the items judged in each hour or day until now."""
    return curve(campaign, timezone.now())


# Name → function that computes it.
FIGURES: dict[str, Callable[[Campaign], Any]] = {
    "annotators": annotator_figures,
    "ranks": rank_figures,
    "words": words_left,
    "curve": curve_now,
    "coverage": coverage,
}


def compute(campaign: Campaign, name: str) -> Latest:
    """Return current figures, and cache them for the next request."""
    mark = mark_of(campaign)
    return share(
        _key(campaign, name), lambda: Latest(FIGURES[name](campaign), timezone.now(), mark)
    )


def last(campaign: Campaign, name: str) -> Latest | None:
    """Return the last computed figures; None if there are none yet."""
    return last_of([campaign], name)[0]


def last_of(campaigns: Sequence[Campaign], name: str) -> list[Latest | None]:
    """Return those of each campaign, in order; in one statement."""
    return get_shared([_key(campaign, name) for campaign in campaigns])


def may_ask(campaign: Campaign, name: str) -> bool:
    """Return whether to ask a worker to compute it: once, until that is `done`."""
    return cache.may_ask(_key(campaign, f"asked {name}"), ASKED_SECONDS)


def done(campaign: Campaign, name: str) -> None:
    """Note that a worker has computed it, and may be asked again."""
    caches["shared"].delete(_key(campaign, f"asked {name}"))


def is_small(campaign: Campaign) -> bool:
    n = Judgment.objects.filter(campaign=campaign).order_by()[: SMALL + 1].count()
    return n <= SMALL and campaign.tasks.progress()["items"] <= SMALL_ITEMS


def mark_of(campaign: Campaign) -> str:
    """Return a mark that changes whenever figures may: with judgments, decisions, aliases, new
    items, another rule, and another test of systems."""
    n_items = campaign.tasks.progress()["items"]
    rule = campaign.quality_rules.order_by("pk").values_list("pk", flat=True).last()
    test = pair_test_of(campaign)
    return f"{Selection.of(campaign).fingerprint} {n_items} {rule} {test}"


def _key(campaign: Campaign, name: str) -> str:
    facts = f"latest {name} {campaign.pk} {campaign.created_at.isoformat()} {code_mark()}"
    return hashlib.sha256(facts.encode()).hexdigest()
