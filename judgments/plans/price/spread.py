"""How much differences between two systems vary in a campaign, and how that is known.

Before anybody has judged, what was measured of the protocol elsewhere is all there is. Then the
site's campaigns with the same preset and languages move it, and the campaign's own judgments, such
as a pilot's, move that.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from django.db.models import Exists, OuterRef, Q

from judgments.models import Campaign, Decision, Judgment, Kind, Rating, RemovedItem, Segment
from judgments.people.states import LEFT_OUT, REPLACED, names_of
from judgments.people.workload.words import n_words
from judgments.protocols import Protocol, protocol_of
from judgments.stats.planning.spread_refit import JudgedShares, refit_spread
from judgments.stats.planning.spreads import DifferenceSpread

from ..scope import may_be_controlled

LAST_CAMPAIGNS = 5
LAST_RATINGS = 5000  # of each campaign, as many as screens have places


@dataclass(frozen=True)
class KnownSpread:
    """``spread`` as it is reckoned with, moved by ``n_judged`` segments of this campaign and
    ``n_elsewhere`` of ``n_campaigns`` others of the site."""

    spread: DifferenceSpread
    n_judged: int = 0
    n_elsewhere: int = 0
    n_campaigns: int = 0


def spread_of(campaign: Campaign) -> KnownSpread:
    """Return the usual spread of the protocol, moved by the last of the site's campaigns with this
    preset and these languages, and then by the campaign's own judgments; in one statement where
    nobody has judged, and at most ten otherwise."""
    protocol = protocol_of(campaign)
    usual = protocol.usual_spread()
    if not may_be_controlled(protocol) or protocol.ranks:
        return KnownSpread(usual)
    judged = judged_shares(alike(campaign))
    own = judged.pop(campaign.pk, None)
    others = list(judged.values())
    spread = refit_spread(usual, others, most=1)
    n_elsewhere = sum(each.n_segments for each in others)
    if not own:
        return KnownSpread(spread, 0, n_elsewhere, len(others))
    return KnownSpread(refit_spread(spread, [own]), own.n_segments, n_elsewhere, len(others))


def width_of(protocol: Protocol) -> float:
    """Return how many points the shares of a spread are of."""
    scale, usual = protocol.dimensions()[0].scale, protocol.usual_spread()
    if usual.scale is not None:
        return usual.scale
    if scale.low is not None and scale.high is not None:
        return scale.high - scale.low
    return 100.0


def alike(campaign: Campaign) -> list[Campaign]:
    """Return the campaign, if anybody has judged in it, and the last others like it, the oldest
    first."""
    texts = campaign.test_set
    languages = {
        f"test_set__{name}": getattr(texts, name) for name in ("source_language", "target_language")
    }
    is_judged = Exists(Judgment.objects.filter(campaign=OuterRef("pk")).order_by())
    found = Campaign.objects.of_people().filter(is_judged, preset=campaign.preset, **languages)
    is_own = Q(pk=campaign.pk)
    last = found.exclude(is_own).order_by("-pk").values("pk")[:LAST_CAMPAIGNS]
    alike = found.filter(is_own | Q(pk__in=last)).select_related("test_set").order_by("pk")
    return list(alike)


def judged_shares(campaigns: Sequence[Campaign]) -> dict[int, JudgedShares]:
    """By campaign (ids), what counts of two systems or more; without those that have nothing."""
    if not campaigns:
        return {}
    out = names_of(campaigns)
    dropped: dict[int, list[Q]] = defaultdict(list)
    decided = Decision.objects.filter(campaign__in=campaigns).exclude(dimension="")
    for each in decided.latest_of_each():
        if each.excluded:
            of_one = Q(judgment__annotator=each.annotator_id, dimension=each.dimension)
            dropped[each.campaign_id].append(of_one)
    for gone in RemovedItem.objects.filter(campaign__in=campaigns).latest_of_each():
        if gone.removed:
            of_all = Q(output__segment=gone.segment_id)
            of_one = Q(output__system=gone.system_id) if gone.system_id else Q()
            dropped[gone.campaign_id].append(of_all & of_one)
    rows = {
        campaign.pk: _rows(campaign, out[campaign.pk], dropped[campaign.pk])
        for campaign in campaigns
    }
    segments = {row[0] for each in rows.values() for row in each}
    columns = ("pk", "document", "source")
    known = {
        pk: (document, max(1.0, n_words(source)))
        for pk, document, source in Segment.objects.filter(pk__in=segments).values_list(*columns)
    }
    found = {}
    for campaign in campaigns:
        shares = _as_shares(rows[campaign.pk], known, width_of(protocol_of(campaign)))
        if shares.n_segments:
            found[campaign.pk] = shares
    return found


def _rows(
    campaign: Campaign, states: dict[int, str], dropped: Iterable[Q]
) -> list[tuple[int, int, int, float]]:
    """Return (segment, annotator, system, value) of the last ratings that count."""
    protocol = protocol_of(campaign)
    out = [user for user, name in states.items() if name in (LEFT_OUT, REPLACED)]
    judgments = Judgment.objects.current().filter(
        campaign=campaign, item__kind=Kind.REGULAR, item__control_output=None
    )
    n_judgments = LAST_RATINGS // protocol.outputs_per_item()[1]
    last = judgments.exclude(annotator__in=out).order_by("-pk").values("pk")[:n_judgments]
    rated = Rating.objects.filter(judgment__in=last, dimension=protocol.dimensions()[0].slug)
    for each in dropped:
        rated = rated.exclude(each)
    columns = ("output__segment", "judgment__annotator", "output__system", "value")
    return list(rated.order_by("pk").values_list(*columns))


def _as_shares(
    rows: Sequence[tuple[int, int, int, float]],
    known: dict[int, tuple[int, float]],
    width: float,
) -> JudgedShares:
    """known: the document and the words of each segment."""
    columns = {each: i for i, each in enumerate(dict.fromkeys(row[:2] for row in rows))}
    systems = {each: i for i, each in enumerate(sorted({row[2] for row in rows}))}
    values = np.full((len(systems), len(columns)), np.nan)
    for segment, annotator, system, value in rows:
        values[systems[system], columns[segment, annotator]] = value / width
    of_columns = [known[segment] for segment, _ in columns]
    return JudgedShares(
        values,
        np.array([segment for segment, _ in columns], np.int64),
        np.array([document for document, _ in of_columns], np.int64),
        np.array([words for _, words in of_columns]),
        tuple(systems),
    )
