"""The segments of a campaign as a list: its description in a sentence, and a row for each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from judgments.models import Campaign, Segment, SegmentMark
from judgments.results.observations.observations import dimensions_of
from judgments.results.observations.outside_scores import OutsideScores, comparable_scores
from judgments.results.segments.figures import (
    CLASH,
    DISAGREEMENT,
    HIGHEST,
    LOWEST,
    METRIC,
    SegmentListing,
    listed,
    means,
)
from judgments.results.segments.forms import SegmentsForm
from judgments.results.selection.selection import Selection
from judgments.web.tables import DASH, decimals, figure, in_a_sentence

from .links import to_segment, with_parts
from .said import question_names

SHORT = 110  # characters of a source


@dataclass(frozen=True, eq=False)
class SegmentsPage:
    """The list requested by an address. ``parts`` of an address request the same order again,
    ``columns`` are scores from apps, ``column`` the one by which the list is sorted, ``marks`` the
    last ones by segment."""

    selection: Selection
    form: SegmentsForm
    listing: SegmentListing
    columns: list[OutsideScores]
    column: OutsideScores | None
    marks: dict[int, SegmentMark]

    @property
    def parts(self) -> list[tuple[str, str]]:
        return self.form.address

    @property
    def query(self) -> str:
        """The rest of the address: for the selection, and the order."""
        return with_parts("", [*self.selection.address, *self.parts])[1:]

    @property
    def n_flagged(self) -> int:
        """The number of judged segments that are flagged."""
        judged = set(self.listing.judged.segment_ids.tolist())
        return sum(mark.is_flagged and pk in judged for pk, mark in self.marks.items())

    def address_of(self, segment: int, system: int | None = None) -> str:
        return to_segment(self.selection, segment, system=system, **dict(self.parts))

    @property
    def sorted_by(self) -> str:
        """The head of the column by which the list is sorted; empty if that has its own column."""
        sort = self.form.asked.sort
        if self.column is None:
            return ""
        if sort.startswith(METRIC):
            return self.column.title
        return _("Distance from %(metric)s") % {"metric": self.column.title}


@dataclass(frozen=True)
class SegmentRow:
    """``mean`` of the outputs' scores; the ``worst`` and the ``best`` output as (score, system).
    NaN and None if nothing is scored."""

    segment: Segment
    address: str
    n_judgments: int
    n_annotators: int
    mean: float
    worst: tuple[float, str] | None
    best: tuple[float, str] | None
    disagreement: float
    key: float
    mark: SegmentMark | None


def marks_of(campaign: Campaign) -> dict[int, SegmentMark]:
    """Return the last mark of every segment, by its id; in one statement."""
    marks = campaign.segment_marks.select_related("marked_by").order_by("segment_id", "-pk")
    return {mark.segment_id: mark for mark in marks.distinct("segment_id")}


def asked_page(selection: Selection, query) -> SegmentsPage:
    """Return the list for a query string."""
    columns = comparable_scores(selection.campaign)
    form = SegmentsForm(selection, columns, query)
    asked, marks = form.asked, marks_of(selection.campaign)
    flagged = frozenset(pk for pk, mark in marks.items() if mark.is_flagged)
    listing = listed(selection, asked, columns, flagged)
    slugs = [METRIC + column.slug for column in columns], [CLASH + each.slug for each in columns]
    at = next((names.index(asked.sort) for names in slugs if asked.sort in names), None)
    column = None if at is None else columns[at]
    return SegmentsPage(selection, form, listing, columns, column, marks)


def rows(page: SegmentsPage, start: int, stop: int) -> list[SegmentRow]:
    """Return the rows of the list from start to stop, with their sources in one statement."""
    listing, judged = page.listing, page.listing.judged
    some = listing.at[start:stop]
    segments = Segment.objects.select_related("document").in_bulk(judged.segment_ids[some].tolist())
    mean = means(judged.values[:, some])
    found = []
    for i, at in enumerate(some.tolist()):
        pk, values = int(judged.segment_ids[at]), judged.values[:, at]
        worst = None if listing.worst is None else int(listing.worst[start + i])
        key = math.nan if listing.keys is None else float(listing.keys[start + i])
        known = bool((~np.isnan(values)).any())
        ends = (int(np.nanargmin(values)), int(np.nanargmax(values))) if known else ()
        low_high = [(float(values[s]), str(judged.names[s])) for s in ends]
        found.append(
            SegmentRow(
                segment=segments[pk],
                address=page.address_of(pk, None if key != key else worst),
                n_judgments=int(judged.n_judgments[at]),
                n_annotators=int(judged.n_annotators[at]),
                mean=float(mean[i]),
                worst=low_high[0] if known else None,
                best=low_high[1] if known else None,
                disagreement=float(judged.disagreement[at]),
                key=key,
                mark=page.marks.get(pk),
            )
        )
    return found


@dataclass(frozen=True)
class ShownRow:
    """A row for display, with every number as text."""

    row: SegmentRow
    source: str
    mean: str
    worst: str
    best: str
    disagreement: str
    key: str


def shown(page: SegmentsPage, found: Sequence[SegmentRow]) -> list[ShownRow]:
    """Return the page's rows with numbers to three significant digits."""
    places = decimals([r.mean for r in found] + [r.worst[0] for r in found if r.worst])
    apart = decimals([row.disagreement for row in found])
    of_key = page.column.places if page.column else 2
    if page.form.asked.sort.startswith(CLASH):
        of_key = 2

    def one(pair: tuple[float, str] | None) -> str:
        return DASH if pair is None else f"{figure(pair[0], places)} {pair[1]}"

    return [
        ShownRow(
            row,
            row.segment.source[: SHORT - 1] + "…"
            if len(row.segment.source) > SHORT
            else row.segment.source,
            figure(row.mean, places),
            one(row.worst),
            one(row.best),
            figure(row.disagreement, apart),
            figure(row.key, of_key),
        )
        for row in found
    ]


def sentence(page: SegmentsPage) -> str:
    """Return a description of the list and its order."""
    n = len(page.listing.at)
    asked, names = page.form.asked, question_names(page.selection.campaign)
    dimensions = dimensions_of(page.selection.campaign)
    slug = asked.dimension or (dimensions[0].slug if dimensions else "")
    known = {
        "n": f"{n:,}",
        "who": asked.by,
        "question": in_a_sentence(names.get(slug, slug)),
        "range": range_words(asked.low, asked.high),
        "kind": " ".join(part for part in (asked.severity, asked.category) if part),
    }
    if asked.is_marked and asked.by:
        what = ngettext(
            "%(n)s segment where %(who)s marked a %(kind)s error",
            "%(n)s segments where %(who)s marked a %(kind)s error",
            n,
        )
    elif asked.is_marked:
        what = ngettext(
            "%(n)s segment where a %(kind)s error is marked",
            "%(n)s segments where a %(kind)s error is marked",
            n,
        )
    elif asked.by and asked.in_range and slug:
        what = ngettext(
            "%(n)s segment where %(who)s rated %(question)s %(range)s",
            "%(n)s segments where %(who)s rated %(question)s %(range)s",
            n,
        )
    elif asked.by:
        what = ngettext(
            "%(n)s segment that %(who)s judged", "%(n)s segments that %(who)s judged", n
        )
    elif asked.in_range:
        what = ngettext(
            "%(n)s segment with an output whose %(question)s is %(range)s",
            "%(n)s segments with an output whose %(question)s is %(range)s",
            n,
        )
    else:
        what = ngettext("%(n)s segment was judged", "%(n)s segments were judged", n)
    found = what % known
    if asked.flagged:
        found = _("Flagged: %(what)s") % {"what": found}
    if asked.shared:
        found = _("With outputs that two or more judged: %(what)s") % {"what": found}
    order = order_words(page, slug, known["question"])
    return f"{found}, {order}." if n > 1 else f"{found}."


def range_words(low: float | None, high: float | None) -> str:
    if low is not None and high is not None:
        if low == high:
            return f"{low:g}"
        return _("%(low)s to %(high)s") % {"low": f"{low:g}", "high": f"{high:g}"}
    if low is not None:
        return _("%(low)s or more") % {"low": f"{low:g}"}
    return _("%(high)s or less") % {"high": f"{high:g}"} if high is not None else ""


def order_words(page: SegmentsPage, slug: str, question: str) -> str:
    sort = page.form.asked.sort
    if page.column is not None:
        words = (
            _("the worst by %(metric)s first")
            if sort.startswith(METRIC)
            else _("those where an output is farthest apart in %(metric)s and %(question)s first")
        )
        return words % {"metric": page.column.title, "question": question}
    return {
        LOWEST: _("the lowest mean %(question)s first") % {"question": question},
        HIGHEST: _("the highest mean %(question)s first") % {"question": question},
        DISAGREEMENT: _("the largest disagreement first"),
    }.get(sort, _("in the order of the test set"))


def measure_words(selection: Selection) -> str:
    """Return how the disagreement of annotators is measured."""
    if dimensions_of(selection.campaign):
        return _(
            "Disagreement is the standard deviation of what annotators gave the same output, "
            "averaged over the segment's outputs that two or more of them rated."
        )
    return _(
        "Disagreement is the share of two annotators' comparisons of the same two outputs that "
        "differ."
    )
