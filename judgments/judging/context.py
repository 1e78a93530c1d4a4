"""The rest of a document around the items of a block: only for reading."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery, TextField, Value

from judgments.models import Item, Output, Segment

MOST = 40  # segments before the block, and as many after it
MOST_BYTES = 12_000  # of their texts, the same before and after
UNFOLDED = 2  # in each stretch, the ones nearest to the work


@dataclass(frozen=True)
class ContextRow:
    """A segment that the annotator does not judge here. source and output: the visible parts, as in
    `DocumentRow`. fold: folded rows of one stretch have the same number; 0: not folded. n_left: the
    row stands for this many segments that are not sent, since the document is too long."""

    position: int
    source: str
    output: str | None
    fold: int = 0
    n_left: int = 0
    number: None = None


def system_of(outputs: Sequence[tuple[int, int, int]]) -> int | None:
    """Return the system whose translation continues around screens with one output: that of at
    least half of them, so that a single control among them makes no visible difference. None for
    screens with several outputs, and if no system has half of the screens.

    outputs: (item, segment, system).
    """
    if not outputs or len({item for item, _, _ in outputs}) < len(outputs):
        return None
    ((system, n),) = Counter(system for _, _, system in outputs).most_common(1)
    return system if 2 * n >= len(outputs) else None


def context_of(
    items: Sequence[Item], outputs: Sequence[tuple[int, int, int]], *, show_source: bool
) -> list[ContextRow]:
    """Return the context of the items, which are of one document, with their segments loaded; in at
    most two statements. outputs: (item, segment, system) of all outputs on their screens.

    The context of controls is in their own system: that of a reference in the reference.
    """
    system = system_of(outputs)
    if not show_source and system is None:
        return []
    here = {segment for _, segment, _ in outputs} | {item.segment_id for item in items}
    places = [item.segment.position for item in items]
    first, last = min(places), max(places)
    document = Segment.objects.filter(document=items[0].segment.document_id).exclude(pk__in=here)
    near = document.filter(position__gte=first - MOST, position__lte=last + MOST)
    translation: Any = Value(None, output_field=TextField())
    if system is not None:
        of_system = Output.objects.filter(segment=OuterRef("pk"), system=system)
        translation = Subquery(of_system.order_by().values("text")[:1])
    found = near.order_by("position").annotate(translation=translation)
    rows = [
        ContextRow(position, source if show_source else "", text)
        for position, source, text in found.values_list("position", "source", "translation")
    ]
    before = fit([row for row in rows if row.position < first][::-1])[::-1]
    between = fit([row for row in rows if first < row.position < last])
    after = fit([row for row in rows if row.position > last])
    kept = folded([*before, *between, *after], places)
    return with_ends(document, kept, first, last) if rows else []


def with_ends(
    document: QuerySet[Segment], kept: list[ContextRow], first: int, last: int
) -> list[ContextRow]:
    """Return the rows, with another one before and after them if segments there are left out."""
    start = min([first, *(row.position for row in kept)])
    end = max([last, *(row.position for row in kept)])
    left = document.order_by().aggregate(
        before=Count("pk", filter=Q(position__lt=start)),
        after=Count("pk", filter=Q(position__gt=end)),
    )
    ends = (start - 1, left["before"]), (end + 1, left["after"])
    found = [*kept, *(ContextRow(place, "", None, n_left=n) for place, n in ends if n)]
    return sorted(found, key=lambda row: row.position)


def fit(rows: Sequence[ContextRow]) -> list[ContextRow]:
    """Return the first rows, up to the size allowed on a page."""
    found, size = [], 0
    for row in rows:
        size += len(row.source.encode()) + len((row.output or "").encode())
        if size > MOST_BYTES:
            break
        found.append(row)
    return found


def folded(rows: Sequence[ContextRow], places: Sequence[int]) -> list[ContextRow]:
    """Return the rows, folded if they are far from the segments at `places`."""
    stretches: dict[int, list[ContextRow]] = {}
    for row in rows:
        stretches.setdefault(sum(place < row.position for place in places), []).append(row)
    found = []
    for n_passed, stretch in stretches.items():
        far = len(stretch) - UNFOLDED
        for index, row in enumerate(stretch):
            # Before the first item the nearest rows are the last ones, otherwise the first.
            is_far = index < far if n_passed == 0 else index >= UNFOLDED
            fold = 1 + n_passed if is_far and far > 1 else 0
            found.append(ContextRow(row.position, row.source, row.output, fold))
    return found
