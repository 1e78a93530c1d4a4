"""Scores of systems in each domain of a test set, or in the documents of each original language.

All figures come from `scores`: a part of the texts is the same selection with an additional filter.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from dataclasses import dataclass
from math import isnan
from typing import Any

from judgments.models import Document

from ..observations.observations import cached
from ..scores.figures import SystemScores, system_scores
from ..selection.selection import Selection

# Field of `Filters` → the column of documents that it filters.
BY = {"domains": "domain", "languages": "original_language"}
# More parts than anybody reads; those with the most documents are kept.
MOST_PARTS = 30


@dataclass(frozen=True)
class DomainScores:
    """A system's score in a part of the texts. ``low``, ``high``: the 95 % interval; ``place``: 1
    for the best mean, equal ones share the better place; ranks as in `SystemScores`."""

    mean: float
    low: float
    high: float
    n_segments: int
    n_judgments: int
    place: int
    rank_low: float
    rank_high: float
    cluster: int


@dataclass(frozen=True)
class DomainReport:
    """``names``: systems, the best over all texts first. ``parts``: names of domains (or tags of
    languages) in alphabetical order; ``n_documents`` of each. ``whole``: system → scores over
    everything, ``cells``: (system, part) → those in a part, if the system was judged in it.
    ``n_unnamed``: documents without a stated part; ``n_more``: parts omitted because there are too
    many.
    """

    by: str
    names: tuple[str, ...]
    parts: tuple[str, ...]
    n_documents: tuple[int, ...]
    whole: dict[str, DomainScores]
    cells: dict[tuple[str, str], DomainScores]
    n_unnamed: int = 0
    n_more: int = 0

    def moves(self) -> list[tuple[str, str, str]]:
        """Return (system, part of its best place, part of its worst) for systems that were judged
        in two parts or more, those with the largest distance of places first."""
        found = []
        for name in self.names:
            own = [part for part in self.parts if (name, part) in self.cells]
            if len(own) > 1:
                best = min(own, key=lambda part: self.cells[name, part].place)
                worst = max(own, key=lambda part: self.cells[name, part].place)
                found.append((name, best, worst))
        return sorted(found, key=lambda move: -self.spread(move))

    def spread(self, move: tuple[str, str, str]) -> int:
        """Return by how many places the two parts differ."""
        name, best, worst = move
        return self.cells[name, worst].place - self.cells[name, best].place


def parts_of(selection: Selection, by: str) -> Counter[str]:
    """Return the number of documents of each part that passes the filters; "" is not a part."""
    documents = Document.objects.filter(test_set=selection.campaign.test_set_id)
    asked = {
        name.removeprefix("document__"): value
        for name, value in selection.filters.of_segment.items()
    }
    return Counter(documents.filter(**asked).order_by().values_list(BY[by], flat=True))


def in_part(selection: Selection, by: str, part: str) -> Selection:
    """Return the same judgments, limited to one part of the texts."""
    only: dict[str, Any] = {by: (part,)}
    return dataclasses.replace(selection, filters=dataclasses.replace(selection.filters, **only))


def domain_report(selection: Selection, by: str, dimension: str | None = None) -> DomainReport:
    """Return the report. ``by``: a key of BY; ``dimension`` as in `scores.system_scores`, whose
    default settings apply. Raise ValueError for another ``by``."""
    if by not in BY:
        raise ValueError(f"by is one of {', '.join(BY)}, not {by!r}")
    known = parts_of(selection, by)
    options = {"by": by, "dimension": dimension, "parts": sorted(known.items())}
    return cached(
        selection, "domains", lambda _: _report(selection, by, dimension, known), **options
    )


def _report(
    selection: Selection, by: str, dimension: str | None, known: Counter[str]
) -> DomainReport:
    n_unnamed = known.pop("", 0)
    kept = sorted(part for part, _ in known.most_common(MOST_PARTS))
    whole = system_scores(selection, dimension)
    cells = {
        (name, part): cell
        for part in kept
        for name, cell in cells_of(system_scores(in_part(selection, by, part), dimension)).items()
    }
    judged = [part for part in kept if any(of == part for _, of in cells)]
    return DomainReport(
        by=by,
        names=tuple(str(whole.names[i]) for i in whole.order),
        parts=tuple(judged),
        n_documents=tuple(known[part] for part in judged),
        whole=cells_of(whole),
        cells=cells,
        n_unnamed=n_unnamed,
        n_more=len(known) - len(kept),
    )


def cells_of(scores: SystemScores) -> dict[str, DomainScores]:
    """Return scores by the systems' names; omit systems without a score."""
    means = [float(mean) for mean in scores.mean if not isnan(mean)]
    return {
        str(name): DomainScores(
            mean=float(scores.mean[i]),
            low=float(scores.low[i]),
            high=float(scores.high[i]),
            n_segments=int(scores.n_segments[i]),
            n_judgments=int(scores.n_judgments[i]),
            place=1 + sum(mean > float(scores.mean[i]) for mean in means),
            rank_low=float(scores.rank_low[i]),
            rank_high=float(scores.rank_high[i]),
            cluster=int(scores.cluster[i]),
        )
        for i, name in enumerate(scores.names)
        if not isnan(scores.mean[i])
    }
