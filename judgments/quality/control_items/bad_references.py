"""Hidden references that people scored below systems: of the segment, or of the reference?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from judgments.models import Output
from judgments.quality.control_items.figures import codes_of_systems, control_facts
from judgments.results.observations.observations import (
    KINDS,
    SCORED_KINDS,
    Observed,
    cached,
    dimensions_of,
)
from judgments.results.selection.selection import Selection

MOST = 200
REFERENCE = KINDS.index("reference")
SCORED = [KINDS.index(kind) for kind in SCORED_KINDS]


@dataclass(frozen=True)
class BadReference:
    """``score`` is the mean over ``n`` judgments; ``n_above`` of ``n_systems`` systems that were
    judged on the segment score higher, ``best`` the highest."""

    segment: str
    text: str
    score: float
    n: int
    best: str
    best_score: float
    n_above: int
    n_systems: int


def bad_references(selection: Selection, dimension: str | None) -> tuple[BadReference, ...]:
    """Return references below the best system of their segment, those furthest below first, at most
    two hundred; none where nothing is rated. dimension None: the first."""
    dimensions = dimensions_of(selection.campaign)
    if not dimensions:
        return ()
    slug = dimension or dimensions[0].slug

    def compute(observed: Observed) -> tuple[BadReference, ...]:
        references = control_facts(selection.campaign).references
        return bad_references_of(observed.of_dimension(slug), references)

    return cached(selection, "bad references", compute, dimension=slug)


def bad_references_of(observed: Observed, references: frozenset[int]) -> tuple[BadReference, ...]:
    """Return the same of rows on one dimension; references: ids of systems that copy one."""
    rows = observed.ratings
    copied = rows.among("system", codes_of_systems(observed.system_ids, references))
    is_reference = rows.among("kind", [REFERENCE]) | (rows.among("kind", SCORED) & copied)
    is_system = rows.among("kind", SCORED) & ~copied
    n_systems = max(len(observed.system_ids), 1)
    means = {}
    for name, mask in (("reference", is_reference), ("system", is_system)):
        chosen = rows[mask]
        key, at = np.unique(chosen["segment"] * n_systems + chosen["system"], return_inverse=True)
        n = np.bincount(at, minlength=len(key))
        total = np.bincount(at, weights=chosen["value"], minlength=len(key))
        means[name] = [
            (*divmod(int(k), n_systems), float(t / m), int(m))
            for k, t, m in zip(key, total, n, strict=True)
        ]
    of_segment: dict[int, list[tuple[float, int]]] = {}
    for segment, system, score, _ in means["system"]:
        of_segment.setdefault(segment, []).append((score, system))
    below = [
        (max(scores)[0] - score, segment, system, score, n)
        for segment, system, score, n in means["reference"]
        if (scores := of_segment.get(segment)) and max(scores)[0] > score
    ]
    below.sort(key=lambda row: (-row[0], row[1]))
    return _named(observed, below[:MOST], of_segment)


def _named(observed: Observed, below: list, of_segment: dict) -> tuple[BadReference, ...]:
    segments = [int(observed.segment_ids[row[1]]) for row in below]
    texts = {
        (segment, system): text
        for segment, system, text in Output.objects.filter(segment__in=segments).values_list(
            "segment", "system", "text"
        )
    }
    found = []
    for _, segment, system, score, n in below:
        scores = of_segment[segment]
        best_score, best = max(scores)
        key = int(observed.segment_ids[segment]), int(observed.system_ids[system])
        found.append(
            BadReference(
                segment=str(observed.segment_keys[segment]),
                text=texts.get(key, ""),
                score=score,
                n=n,
                best=str(observed.system_names[best]),
                best_score=best_score,
                n_above=sum(each > score for each, _ in scores),
                n_systems=len(scores),
            )
        )
    return tuple(found)
