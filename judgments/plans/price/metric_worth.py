"""What registered metrics explain of people's differences, and how that is known.

Before anybody has judged, what was measured of trained metrics elsewhere is all there is. The
site's campaigns with the same preset and languages move it, where the same metrics scored their
texts.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from django.db.models import Count, Max

from judgments.models import Campaign, Decision, Judgment, RemovedItem
from judgments.stats.joint_estimate import joint_estimate
from judgments.stats.metric_controls import controls_of_metrics
from judgments.stats.planning.proposal import explained_by
from judgments.stats.planning.spread_refit import JudgedShares
from judgments.web import plurals as counted
from judgments.web.cache import code_mark, get_or_compute

from ..metric_controls import Control, control_scores, mark_of_scores, mean_words
from ..scope import PlannedWork
from .spread import alike, judged_shares

PRIOR_SEGMENTS = 200
"""What was measured elsewhere counts as so many judged segments. R² of so many of WMT23
English–German, 12 systems, is off by .03 to .04, as language pairs there are from their mean."""


@dataclass(frozen=True)
class KnownShare:
    """``r_squared``: the share of the variance of a difference that the metrics called ``names``
    explain, moved by ``n_elsewhere`` judged segments of ``n_campaigns`` of the site."""

    names: tuple[str, ...] = ()
    r_squared: float = 0.0
    n_elsewhere: int = 0
    n_campaigns: int = 0


def explained_of(campaign: Campaign, controls: Sequence[Control]) -> KnownShare:
    """Return what the ``controls`` are expected to explain; 0 without any. What was found in other
    campaigns is kept until somebody judges in one of them, is left out, or scores come or go."""
    if not controls:
        return KnownShare()
    usual = explained_by(sum(each.trained for each in controls))
    others = [each for each in alike(campaign) if each.pk != campaign.pk]
    found: list[tuple[float, int]] = []
    if others:
        signatures = [each.signature for each in controls]
        last = Judgment.objects.filter(campaign__in=others).aggregate(pk=Max("pk"))["pk"]
        out = [
            model.objects.filter(campaign__in=others).aggregate(last=Max("pk"), n=Count("pk"))
            for model in (Decision, RemovedItem)
        ]
        scored = mark_of_scores(sorted({each.test_set_id for each in others}))
        facts = [[each.pk for each in others], last, out, scored, signatures, code_mark()]
        key = hashlib.sha256(f"explained {facts}".encode()).hexdigest()
        found = get_or_compute(key, lambda: _explained_in(others, signatures), group=campaign.pk)
    n = sum(n for _, n in found)
    total = PRIOR_SEGMENTS * usual + sum(share * n for share, n in found)
    share = max(0.0, total / (PRIOR_SEGMENTS + n))
    return KnownShare(tuple(each.label for each in controls), share, n, len(found))


def worth_of(known: KnownShare, work: PlannedWork, alone: str, with_them: str) -> str:
    """Return what the metrics are worth beside the people of a plan. alone, with_them: smallest
    differences."""
    names, pool = counted.names(list(known.names)), max(sum(work.pooled), work.segments)
    share = f"{100 * known.r_squared:.0f} %"
    source = "as trained metrics on WMT23, three language pairs"
    if known.n_campaigns:
        of_site = f"{known.n_campaigns:,} of the site's other campaigns"
        source = f"adjusted by {counted.segments(known.n_elsewhere)} of {of_site}"
    if work.segments >= pool:
        return f"Nothing is gained by {names}: all segments are judged."
    if known.r_squared < 0.005:
        why = source if known.n_campaigns else "nothing is known about it yet"
        return (
            f"Not worth registering: {names}. Nothing of the variance of differences is expected "
            f"to be explained ({why})."
        )
    return (
        f"People on {work.segments:,} segments and {names} on {pool:,} show a difference of "
        f"{with_them} instead of {alone}: {share} of the variance of differences explained "
        f"({source})."
    )


def _explained_in(others: Sequence[Campaign], signatures: Sequence[str]) -> list[tuple[float, int]]:
    """Return (R² out of sample, judged segments) of campaigns whose texts have all of these
    scores."""
    judged = judged_shares(others)
    found = []
    for campaign in others:
        shares = judged.get(campaign.pk)
        if shares is None:
            continue
        scores = control_scores(campaign.test_set, signatures, shares.systems)
        known = [each for each in scores if each is not None]
        if len(known) < len(signatures):
            continue
        share = _explained(campaign, shares, known)
        if not math.isnan(share):
            found.append((share, shares.n_segments))
    return found


def _explained(campaign: Campaign, judged: JudgedShares, scores: Sequence[np.ndarray]) -> float:
    """Return R² out of sample; NaN with too few documents, or where scores are missing."""
    rows = campaign.test_set.segments.order_by("position").values_list("pk", "document")
    ids, documents = map(np.array, zip(*rows, strict=True))
    place = {pk: i for i, pk in enumerate(ids.tolist())}
    sums, counts = (
        np.zeros((len(judged.systems), len(ids))),
        np.zeros((len(judged.systems), len(ids))),
    )
    at = [place[pk] for pk in judged.segments.tolist()]
    known = ~np.isnan(judged.values)
    np.add.at(sums.T, at, np.where(known, judged.values, 0.0).T)
    np.add.at(counts.T, at, known.T.astype(float))
    table = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
    lengths = mean_words(campaign.test_set)
    controls = np.concatenate([controls_of_metrics(each, lengths) for each in scores], axis=2)
    estimate = joint_estimate(table, documents, controls)
    return estimate.share_explained if estimate.enough else math.nan
