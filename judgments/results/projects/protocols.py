"""Protocols that judged the same outputs: their agreement, and the cost of a decision."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from judgments.results.compare.two_campaigns import coefficients
from judgments.stats.correlation import Correlation, PairwiseAccuracy, pairwise_accuracy

from .figures import JoinedCampaigns, ProjectResults


@dataclass(frozen=True)
class TwoProtocols:
    """Coefficients by name over the ``systems`` that both ranked (by their scores) and over the
    ``outputs`` that both judged; ``accuracy``: pairs of systems in the same order."""

    first: JoinedCampaigns
    second: JoinedCampaigns
    names: tuple[str, ...]
    systems: dict[str, Correlation]
    outputs: dict[str, Correlation]
    accuracy: PairwiseAccuracy


def protocol_pairs(results: ProjectResults) -> list[TwoProtocols]:
    """Return all pairs of protocols that judged common texts."""
    found = combinations(results.columns, 2)
    return [two_protocols(a, b) for a, b in found if a.texts == b.texts and a.asks != b.asks]


def two_protocols(first: JoinedCampaigns, second: JoinedCampaigns) -> TwoProtocols:
    own, theirs = ({each.name: each.score for each in column.systems} for column in (first, second))
    names = [name for name in own if name in theirs]
    x, y = (np.array([scores[name] for name in names]) for scores in (own, theirs))
    outputs = _outputs(first), _outputs(second)
    shared = sorted(outputs[0].keys() & outputs[1].keys())
    u, v = (np.array([of[key] for key in shared]) for of in outputs)
    return TwoProtocols(
        first=first,
        second=second,
        names=tuple(names),
        systems=coefficients(x, y),
        outputs=coefficients(u, v),
        accuracy=pairwise_accuracy(x, y),
    )


def _outputs(column: JoinedCampaigns) -> dict[tuple[str, str], float]:
    """Return the mean score of every judged output, by what its segment has in common with those of
    other test sets, and the name of its system."""
    scores = column.segments
    keys = [column.identity[pk] for pk in scores.segment_ids.tolist()]
    at, of = np.nonzero(~np.isnan(scores.values))
    values = scores.values[at, of].tolist()
    names = scores.names.tolist()
    places = zip(at.tolist(), of.tolist(), values, strict=True)
    return {(keys[j], names[i]): value for i, j, value in places}


def compared(results: ProjectResults) -> list[JoinedCampaigns]:
    """Return the columns whose texts another protocol judged, too."""
    protocols: dict[int, set[str]] = {}
    for column in results.columns:
        protocols.setdefault(column.texts, set()).add(column.asks)
    return [column for column in results.columns if len(protocols[column.texts]) > 1]
