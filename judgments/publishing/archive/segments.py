"""The pages of segments: every judged one, with all that the site's own page of it shows."""

from __future__ import annotations

from collections.abc import Iterator

from judgments.models import Segment
from judgments.results.observations.outside_scores import brought_scores
from judgments.results.segments.figures import judged_segments
from judgments.results.segments.one_segment import SegmentDetail, details
from judgments.results.selection.selection import Selection

AT_ONCE = 100  # segments whose rows are read together


def segments_of(selection: Selection) -> list[tuple[int, str, str]]:
    """Return (id, key, document) of every segment that was judged, in the order of the test set."""
    ids = set(judged_segments(selection).segment_ids.tolist())
    rows = selection.campaign.test_set.segments.order_by("position")
    known = rows.values_list("pk", "key", "document__name")
    return [row for row in known.iterator() if row[0] in ids]


def details_of(selection: Selection, ids: list[int]) -> Iterator[SegmentDetail]:
    """Yield what is known of the segments, in the order of the ids, which is that of the test set;
    some are in memory at a time."""
    test_set = selection.campaign.test_set
    columns = brought_scores(test_set)
    for start in range(0, len(ids), AT_ONCE):
        rows = Segment.objects.filter(pk__in=ids[start : start + AT_ONCE])
        some = list(rows.select_related("document").order_by("position"))
        for segment in some:
            segment.test_set = test_set
        yield from details(selection, some, columns)
