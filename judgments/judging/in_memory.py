"""Ordinary screens over unsaved rows, whose keys are negative."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import NamedTuple

from judgments.models import Campaign, Document, Item, ItemOutput, Output, Reference, Segment
from judgments.protocols import protocol_of

from .screen import Screen, on_screen


class MemoryText(NamedTuple):
    """A segment with its outputs in order; source and reference may be empty."""

    source: str
    reference: str
    outputs: Sequence[str]


def screen_in_memory(
    campaign: Campaign, texts: Sequence[MemoryText], number: int, n_items: int, now
) -> Screen:
    """Return a screen. texts: the segments of a document; the item is the first one."""
    document = Document(pk=-1, test_set=campaign.test_set, name="", position=0)
    segments = [
        Segment(
            pk=-1 - position, test_set=campaign.test_set, document=document, key="",
            position=position, source=text.source,
        )
        for position, text in enumerate(texts)
    ]  # fmt: skip
    protocol = protocol_of(campaign)
    # It is the whole document, so it asks the questions of a document's last item.
    item = Item(pk=-1, position=number - 1, segment=segments[0], part=protocol.last_part)
    found = [
        (segment, output)
        for segment, text in zip(segments, texts, strict=True)
        for output in text.outputs
    ]
    rows = [
        ItemOutput(item=item, output=Output(pk=-place, segment=segment, text=text), position=place)
        for place, (segment, text) in enumerate(found, 1)
    ]
    show_source, show_reference = protocol.visible(item)
    reference = Reference(segment=segments[0], text=texts[0].reference)
    return Screen(
        campaign=campaign,
        protocol=protocol,
        work=SimpleNamespace(  # type: ignore[arg-type]
            n_items=n_items, n_judged=number - 1, n_left=n_items - number + 1, pace_ms=None
        ),
        number=number,
        item=item,
        shown=on_screen(protocol, rows),
        show_source=show_source and bool(texts[0].source),
        reference=reference if show_reference and reference.text else None,
        judgment=None,
        opened_at=now,
    )
