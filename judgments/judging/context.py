"""The rest of a document around the items of a block: only to be read."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery, TextField, Value

from judgments.models import Item, Output, Segment

MOST = 40  # segments before the block, and as many after it
MOST_BYTES = 12_000  # of their texts, again on either side
UNFOLDED = 2  # of each stretch those that are nearest to the work


@dataclass(frozen=True)
class ContextRow:
    """A segment that the annotator does not judge here. source and output: what may be seen of it,
    as in `DocumentRow`. fold: the rows of one stretch that are folded away have one number; 0: in
    sight. n_left: it stands for so many segments that are not sent, as the document is too long."""

    position: int
    source: str
    output: str | None
    fold: int = 0
    n_left: int = 0
    number: None = None


def system_of(outputs: Sequence[tuple[int, int, int]]) -> int | None:
    """Return the system whose translation reads on beside screens with one output: that of half of
    them at least, so that a single control among them changes nothing that can be seen. None for
    screens with several outputs, and where every other screen is of another system.

    outputs: (item, segment, system).
    """
    if not outputs or len({item for item, _, _ in outputs}) < len(outputs):
        return None
    ((system, n),) = Counter(system for _, _, system in outputs).most_common(1)
    return system if 2 * n >= len(outputs) else None


def context_of(
    items: Sequence[Item], outputs: Sequence[tuple[int, int, int]], *, show_source: bool
) -> list[ContextRow]:
    """Return what stands around the items, which are of one document, with their segments loaded;
    in two statements at most. outputs: (item, segment, system) of all that their screens hold.

    Of controls the system is their own: a reference reads on in the reference.
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
    """With a row for what is left out before the rows, and for what is left out after them."""
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
    """Return the first of them, as many as a page may weigh."""
    found, size = [], 0
    for row in rows:
        size += len(row.source.encode()) + len((row.output or "").encode())
        if size > MOST_BYTES:
            break
        found.append(row)
    return found


def folded(rows: Sequence[ContextRow], places: Sequence[int]) -> list[ContextRow]:
    """Return the rows with those folded away that are far from the segments at `places`."""
    stretches: dict[int, list[ContextRow]] = {}
    for row in rows:
        stretches.setdefault(sum(place < row.position for place in places), []).append(row)
    found = []
    for n_passed, stretch in stretches.items():
        far = len(stretch) - UNFOLDED
        for index, row in enumerate(stretch):
            # Before the first item its nearest are the last of them, otherwise the first.
            is_far = index < far if n_passed == 0 else index >= UNFOLDED
            fold = 1 + n_passed if is_far and far > 1 else 0
            found.append(ContextRow(row.position, row.source, row.output, fold))
    return found
