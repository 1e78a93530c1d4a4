"""The rows of the document around an item: what was done, what is open, what is to come."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from judgments.models import Campaign, Item, ItemOutput
from judgments.models.prepared_queries import Prepared
from judgments.protocols import protocol_of
from judgments.protocols.kinds import KINDS
from judgments.protocols.summary import summary

from .context import ContextRow, context_of
from .screen import Screen


@dataclass(frozen=True)
class DocumentRow:
    """One item in a line. source, output: what of its texts may be seen; held back are a source of
    "" and an output of None, whose "" is an empty translation. position: of its segment."""

    position: int
    number: int
    source: str
    output: str | None
    is_open: bool
    is_judged: bool
    is_skipped: bool
    summary: str
    fold: int = 0


def is_whole(campaign: Campaign) -> bool:
    """Return whether the campaign's screens show the document around an item."""
    return protocol_of(campaign).options.context == "document"


items_of_document = Prepared(
    lambda task, document, part, last: Item.objects.filter(
        Q(part=part) | Q(part=last), task=task, segment__document=document
    ).order_by("position"),
    (int, int, str, str),
    related=["segment"],
)


def document_rows(screen: Screen) -> list[DocumentRow | ContextRow]:
    """Return the item's document as the annotator works through it, with what is not judged here
    around it, in five to seven statements.

    Outputs are shown only where a screen holds one: the document then reads on in the same
    translation. Of several, the order on later screens would be known too early.
    """
    campaign, item = screen.campaign, screen.item
    last = screen.protocol.last_part
    parts = ("", last) if last else (item.part, item.part)
    every = items_of_document(item.task_id, item.segment.document_id, *parts)
    items = run_around(every, item.position)
    places, texts, shown = outputs_of([i.pk for i in every])
    if screen.protocol.outputs_per_item()[1] == 1:
        items = in_one_translation(items, item.position, shown)
    kept = {i.pk for i in items}
    shown = [row for row in shown if row[0] in kept]
    summaries = summaries_of(campaign, [i.pk for i in items if i.is_judged], places)
    show_source, _ = screen.protocol.visible(item)
    first = screen.number - item.position
    rows: list[DocumentRow | ContextRow] = [
        DocumentRow(
            position=i.segment.position,
            number=first + i.position,
            source=i.segment.source if show_source else "",
            output=texts[i.pk][0] if len(set(texts.get(i.pk, ()))) == 1 else None,
            is_open=i.pk == item.pk,
            is_judged=i.is_judged,
            is_skipped=i.is_skipped,
            summary=summaries.get(i.pk, ""),
        )
        for i in items
    ]
    rows += context_of(items, shown, show_source=show_source)
    return sorted(rows, key=lambda row: row.position)


def run_around(items: Sequence[Item], position: int) -> list[Item]:
    """Return the items that follow each other without a gap and without going back in the document,
    as they do when it is read through once more in another translation."""
    found: list[Item] = []
    for item in items:
        if found and (
            item.position != found[-1].position + 1
            or item.segment.position < found[-1].segment.position
        ):
            if found[-1].position >= position:
                break
            found = []
        found.append(item)
    return found


def in_one_translation(
    items: Sequence[Item], position: int, shown: Sequence[tuple[int, int, int]]
) -> list[Item]:
    """Return for a run those around a place that are read in one translation. shown: (item,
    segment, system) of all that stands on the document's items, each of which holds one text.

    A run may follow on another in which the document stood in another translation, where what came
    before reads the same in both: only of a system that shares a place. A text that systems share
    is of each. Any other item is a control among the others, which nothing shall tell apart.
    """
    systems: dict[int, set[int]] = {}
    for pk, _, system in shown:
        systems.setdefault(pk, set()).add(system)
    sharing = set().union(*(each for each in systems.values() if len(each) > 1))
    found: list[Item] = []
    common: set[int] = set()
    for item in items:
        own = systems.get(item.pk, set())
        if found and not common & own and own & sharing:
            if found[-1].position >= position:
                break
            found = []
        common = (common & own or common) if found else own
        found.append(item)
    return found


def outputs_of(
    items: list[int],
) -> tuple[dict[int, list[int]], dict[int, list[str]], list[tuple[int, int, int]]]:
    """Return for each item its outputs' ids and texts, in their order on the screen; and of all of
    them (item, segment, system)."""
    places: dict[int, list[int]] = {}
    texts: dict[int, list[str]] = {}
    shown = []
    rows = ItemOutput.objects.filter(item__in=items).select_related("output", "altered")
    for row in rows.order_by("item_id", "position"):
        places.setdefault(row.item_id, []).append(row.output_id)
        texts.setdefault(row.item_id, []).append(row.text)
        shown.append((row.item_id, row.output.segment_id, row.output.system_id))
    return places, texts, shown


def summaries_of(
    campaign: Campaign, items: list[int], places: Mapping[int, list[int]]
) -> dict[int, str]:
    """In a few words what was answered to each judged item; a statement for each kind."""
    if not items:
        return {}
    protocol = protocol_of(campaign)
    said: dict[int, dict[str, list[tuple]]] = {item: {} for item in items}
    for name in protocol.kinds:
        kind = KINDS[name]
        current: dict[str, Any] = {
            "judgment__item__in": items,
            "judgment__superseded_by": None,
        }
        if kind.is_copied:
            current["is_copy"] = False
        found = kind.model._default_manager.filter(**current).order_by("pk")
        for item, *row in found.values_list("judgment__item_id", *kind.columns):
            said[item].setdefault(name, []).append(tuple(row))
    dimensions = protocol.dimensions()
    return {item: summary(dimensions, places[item], rows) for item, rows in said.items()}
