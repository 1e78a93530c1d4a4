"""What a plan comes to, before it is written: in numbers, and screen by screen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from types import SimpleNamespace

from judgments.models import Campaign, Item, ItemOutput, Output, Segment, System
from judgments.protocols import protocol_of

from .composition import Composition, LeftOut
from .control_settings import controls_for
from .layout import Orderer, PlannedScreen
from .plan_settings import PlanSettings
from .pool import HiddenReference
from .rows import in_order
from .screen import Screen, on_screen, reference_of
from .units import n_questions


@dataclass(frozen=True)
class Preview:
    """What a design comes to, in numbers.

    screens, smallest and largest are those that one annotator of each batch sees; items, tasks and
    judgments count all seats. answers: ratings or preferences that come of it.
    """

    n_segments: int
    n_skipped: int  # segments with too few outputs to be judged
    n_equal: int  # comparisons that are not asked, because their outputs read the same
    n_batches: int
    n_tasks: int
    n_screens: int
    n_items: int
    n_answers: int
    smallest_task: int
    largest_task: int
    # Of a plan by settings. Words, kinds and systems are those of items of all seats; words of a
    # batch those that one annotator reads.
    n_words: int = 0
    smallest_words: int = 0
    largest_words: int = 0
    kinds: Mapping[str, int] = field(default_factory=dict)  # `Kind` → items
    controls: Mapping[str, int] = field(default_factory=dict)  # `Kind` → outputs beside others
    systems: Mapping[str, int] = field(default_factory=dict)  # name → regular items with it
    left_out: Sequence[LeftOut] = ()
    # How many segments of each document are judged, or 1 where it is judged as a whole; and how
    # many each has.
    of_documents: Sequence[int] = ()
    pooled: Sequence[int] = ()
    n_blocks: int = 0
    no_controls: Mapping[str, str] = field(default_factory=dict)  # setting → why it makes no sense


def numbers(campaign: Campaign, settings: PlanSettings, made: Composition) -> Preview:
    n_parts = len(made.parts)
    sizes = [len(screens) * n_parts for screens in made.batches]
    words = [n_parts * sum(screen.words for screen in batch) for batch in made.batches]
    kinds: Counter = Counter()
    controls: Counter = Counter()
    systems: Counter = Counter()
    n_answers = 0
    asked = answers_on(campaign, made)
    for screens, n_seats in zip(made.batches, made.seats, strict=True):
        n_each = n_seats * n_parts
        for screen in screens:
            kinds[screen.kind] += n_each
            if screen.control_kind:
                controls[screen.control_kind] += n_each
            n_answers += n_seats * asked(screen)
            if screen.kind == "regular":
                for system in {system for _, system in screen.outputs}:
                    systems[system] += n_each
    names = dict(System.objects.filter(pk__in=systems).values_list("pk", "name"))
    protocol = protocol_of(campaign)
    reasons = controls_for(protocol, settings)
    seated = list(zip(sizes, made.seats, strict=True))
    return Preview(
        n_segments=made.n_segments,
        n_skipped=made.n_skipped,
        n_equal=made.n_equal,
        n_batches=len(made.batches),
        n_tasks=sum(made.seats),
        n_screens=sum(sizes),
        n_items=sum(size * n_seats for size, n_seats in seated),
        n_answers=n_answers,
        smallest_task=min(sizes),
        largest_task=max(sizes),
        n_words=round(sum(n * k for n, k in zip(words, made.seats, strict=True))),
        smallest_words=round(min(words)),
        largest_words=round(max(words)),
        kinds=dict(kinds),
        controls=dict(controls),
        systems={names[system]: n for system, n in systems.items() if system in names},
        left_out=tuple(made.left_out),
        no_controls={kind: reason for kind, reason in reasons.items() if reason},
        of_documents=of_documents(made, protocol.unit == "segment"),
        pooled=tuple(Counter(each.document for each in made.texts.segments).values()),
        n_blocks=made.n_blocks,
    )


def of_documents(made: Composition, by_segment: bool) -> tuple[int, ...]:
    """How many of each document's segments, or documents, are judged."""
    document = {each.segment: each.document for each in made.texts.segments}
    judged = {
        screen.segment for batch in made.batches for screen in batch if screen.kind == "regular"
    }
    found = Counter(document.get(segment, segment) for segment in judged)
    return tuple(found.values()) if by_segment else (1,) * len(found)


def answers_on(campaign: Campaign, made: Composition) -> Callable[[PlannedScreen], int]:
    """How many ratings, comparisons or answers come of a screen, all passes together."""
    protocol = protocol_of(campaign)
    if protocol.unit == "document":
        asked = n_questions(campaign)
        return lambda screen: asked[screen.document]
    answers = cache(protocol.answers_on)
    if protocol.unit != "segment":
        return lambda screen: answers(1)
    text_of = {}
    if made.merges:
        text_of = {output: text for of in made.texts.segments for output, text in of.texts.items()}
    return lambda screen: answers(
        len({text_of.get(output, output) for output, _ in screen.outputs})
    )


def screens_of_batch(
    campaign: Campaign,
    made: Composition,
    hidden: HiddenReference | None,
    orderer: Orderer | None,
    now: datetime,
    batch: int = 1,
) -> Iterator[Screen]:
    """The screens of a batch as an annotator would see them, over rows that are in no table: the
    keys of items are negative. batch: from 1. IndexError where there is no such batch."""
    planned = made.batches[batch - 1]
    passes = [(part, screen) for part in made.parts for screen in planned]
    outputs = read_outputs(passes, hidden)
    segments = Segment.objects.select_related("document").in_bulk(
        {screen.segment for _, screen in passes}
    )
    protocol = protocol_of(campaign)
    for position, (part, screen) in enumerate(passes):
        item = Item(
            pk=-1 - position,
            position=position,
            segment=segments[screen.segment],
            kind=screen.kind,
            part=part or screen.part,
            control_output_id=screen.control,
            control_kind=screen.control_kind,
        )
        rows = [
            ItemOutput(
                item=item,
                output=outputs[output],
                position=place,
                altered=screen.altered
                if screen.altered is not None and screen.altered.output_id == output
                else None,
            )
            for place, output in enumerate(in_order(screen, orderer))
        ]
        show_source, show_reference = protocol.visible(item)
        yield Screen(
            campaign=campaign,
            protocol=protocol,
            work=SimpleNamespace(  # type: ignore[arg-type]
                n_items=len(passes), n_judged=position, n_left=len(passes) - position, pace_ms=None
            ),
            number=position + 1,
            item=item,
            shown=on_screen(protocol, rows, screen.control),
            show_source=show_source,
            reference=reference_of(item) if show_reference else None,
            judgment=None,
            opened_at=now,
        )


def read_outputs(
    passes: Sequence[tuple[str, PlannedScreen]], hidden: HiddenReference | None
) -> dict[int, Output]:
    """The outputs by their ids; those of a hidden reference that is not stored yet among them."""
    ids = {output for _, screen in passes for output, _ in screen.outputs}
    found = Output.objects.select_related("segment").in_bulk(ids)
    for segment, (output, text) in hidden.outputs.items() if hidden else ():
        if output in ids and output not in found:
            found[output] = Output(pk=output, segment_id=segment, text=text)
    return found
