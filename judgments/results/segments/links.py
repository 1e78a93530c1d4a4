"""Addresses of a campaign's segments, for whatever stands for some of them: points, bars, cells."""

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

FIRST = "output"  # part of the address of one segment: the system whose output stands first
TO_JUDGED = gettext_lazy("A point leads to what the annotator judged.")
Links = dict[tuple[int, str], str]  # as `Table` has them

# What an address of the list may ask for besides a selection:
#   sort       what the list is sorted by, see `judgments.results.segments.figures`
#   dimension  which ratings scores, disagreement and values are of; the first one if not said
#   by         an annotator: only segments where that one's values lie between `low` and `high`
#   low, high  only segments with a value in [low, high] of the dimension (from a bar, a cell)
#   severity, category   only segments with such a marked error, by the systems that are selected
#   show       "flagged": those that somebody flagged; "shared": those of which two or more
#              annotators who are selected judged the same output


def to_segments(selection: Selection, **asked: object) -> str:
    """Return the list of the segments of a selection. ``asked``: the parts named above, and filters
    of the selection by their field (systems, documents, domains, languages, annotators, kinds),
    which take the place of the selection's own."""
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
    """Return the segments that an annotator judged, by the name that results give."""
    return to_segments(selection, annotators=[alias], **asked)


def to_shared(selection: Selection, one: str, other: str, dimension: str | None) -> str:
    """Return the segments of which two annotators judged the same outputs, where they differ most
    first."""
    shown = {"sort": "disagreement", "show": "shared", "dimension": dimension}
    return to_segments(selection, annotators=[one, other], **shown)


def from_annotators(selection: Selection, rows: Sequence[Sequence[object]]) -> Links:
    """From the rows of a table that begin with an annotator to what that one judged."""
    return {(i, "annotator"): to_judged(selection, str(row[0])) for i, row in enumerate(rows)}


def linked_to_judged(selection: Selection, spec: dict, aliases: Sequence[str]) -> dict:
    """Return a chart of annotators, each leading to what that one judged."""
    judged = [to_judged(selection, alias) for alias in aliases]
    return charts.linked(spec, dict(zip(charts.short(aliases), judged, strict=True)))


def to_segment(selection: Selection, segment: int, **asked: object) -> str:
    """Return one segment, by its id, of a selection: its texts with all that was said and scored.
    ``asked``: `system`, an id, the output that stands first on the page."""
    system = asked.pop("system", None)
    address = reverse("segment", args=[selection.campaign.pk, segment])
    parts = [*selection.address, *((k, str(v)) for k, v in asked.items())]
    if system is None:
        return with_parts(address, parts)
    return f"{with_parts(address, [*parts, (FIRST, str(system))])}#system-{system}"


def with_parts(address: str, parts: list[tuple[str, str]]) -> str:
    return f"{address}?{urlencode(parts)}" if parts else address
