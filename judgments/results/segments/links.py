"""Addresses of a campaign's segments, for links on points, bars and cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext_lazy

from judgments.results.selection.filters import LISTS
from judgments.web import charts

if TYPE_CHECKING:
    from judgments.results.selection.selection import Selection

FIRST = "output"  # part of the address of one segment: the system whose output comes first
TO_JUDGED = gettext_lazy("A point leads to what the annotator judged.")
Links = dict[tuple[int, str], str]  # as in `Table`

# Parameters of the list's address besides those of a selection:
#   sort       the sort order, see `judgments.results.segments.figures`
#   dimension  of scores, disagreement and values; by default the first
#   by         an annotator: only segments where their values lie between `low` and `high`
#   low, high  only segments with a value in [low, high] of the dimension (from a bar, a cell)
#   severity, category   only segments with a marked error of this kind, by the selected systems
#   show       "flagged": those that somebody flagged; "shared": those for which two or more
#              selected annotators judged the same output


def to_segments(selection: Selection, **asked: object) -> str:
    """Return the list of the segments of a selection. ``asked``: the parts named above, and filters
    of the selection by their field (systems, documents, domains, languages, annotators, kinds),
    which replace the selection's own."""
    parts = [
        (key, value)
        for key, value in selection.address
        if not any(LISTS.get(name) == key for name in asked)
    ]
    for name, value in asked.items():
        if name in LISTS:
            parts += [(LISTS[name], each) for each in value]  # type: ignore[attr-defined]
        elif value is not None and value != "":
            parts.append((name, str(value)))
    return with_parts(reverse("segments", args=[selection.campaign.pk]), parts)


def to_judged(selection: Selection, alias: str, **asked: object) -> str:
    """Return the segments that an annotator judged, by their name in results."""
    return to_segments(selection, annotators=[alias], **asked)


def to_shared(selection: Selection, one: str, other: str, dimension: str | None) -> str:
    """Return the segments for which two annotators judged the same outputs, the largest differences
    first."""
    shown = {"sort": "disagreement", "show": "shared", "dimension": dimension}
    return to_segments(selection, annotators=[one, other], **shown)


def from_annotators(selection: Selection, rows: Sequence[Sequence[object]]) -> Links:
    """Return links from the rows of a table that begin with an annotator to the segments judged by
    that annotator."""
    return {(i, "annotator"): to_judged(selection, str(row[0])) for i, row in enumerate(rows)}


def linked_to_judged(selection: Selection, spec: dict, aliases: Sequence[str]) -> dict:
    """Return a chart of annotators, each linked to the segments that they judged."""
    judged = [to_judged(selection, alias) for alias in aliases]
    return charts.linked(spec, dict(zip(charts.short(aliases), judged, strict=True)))


def to_segment(selection: Selection, segment: int, **asked: object) -> str:
    """Return one segment, by its id, of a selection: its texts with all judgments and scores.
    ``asked``: `system`, an id, the output that comes first on the page."""
    system = asked.pop("system", None)
    address = reverse("segment", args=[selection.campaign.pk, segment])
    parts = [*selection.address, *((k, str(v)) for k, v in asked.items())]
    if system is None:
        return with_parts(address, parts)
    return f"{with_parts(address, [*parts, (FIRST, str(system))])}#system-{system}"


def with_parts(address: str, parts: list[tuple[str, str]]) -> str:
    return f"{address}?{urlencode(parts)}" if parts else address
