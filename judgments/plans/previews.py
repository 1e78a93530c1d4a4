"""What a plan comes to, in numbers, before it is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from judgments.models import Campaign, System
from judgments.protocols import protocol_of

from .composition import Composition, LeftOut
from .controls.settings import CUT, controls_for
from .layout import PlannedScreen
from .listening import Listening, listening_of
from .settings import PlanSettings
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
    # Words, kinds and systems are those of items of all seats.
    n_words: int
    n_outputs: int  # that have a place on a screen
    kinds: Mapping[str, int]  # `Kind` → items
    controls: Mapping[str, int]  # `Kind` → outputs beside others
    systems: Mapping[str, int]  # name → regular items with it
    left_out: Sequence[LeftOut]
    # How many segments of each document are judged, or 1 where it is judged as a whole; and how
    # many each has.
    of_documents: Sequence[int]
    pooled: Sequence[int]
    n_blocks: int
    around: int  # segments of their documents around the blocks, of one seat
    source_words: float  # mean of a segment's
    source_squares: float  # mean of its square
    no_controls: Mapping[str, str]  # setting → why it makes no sense
    listening: Listening


def numbers(campaign: Campaign, settings: PlanSettings, made: Composition) -> Preview:
    n_parts = len(made.parts)
    sizes = [len(screens) * n_parts for screens in made.batches]
    words = [n_parts * sum(screen.words for screen in batch) for batch in made.batches]
    kinds: Counter = Counter()
    controls: Counter = Counter()
    systems: Counter = Counter()
    n_answers = n_outputs = 0
    places, asked = places_of(made), answers_on(campaign, made)
    for screens, n_seats in zip(made.batches, made.seats, strict=True):
        n_each = n_seats * n_parts
        for screen in screens:
            kinds[screen.kind] += n_each
            if screen.control_kind:
                controls[screen.control_kind] += n_each
            n_answers += n_seats * asked(screen)
            n_outputs += n_each * places(screen)
            if screen.kind == "regular":
                for system in {system for _, system in screen.outputs}:
                    systems[system] += n_each
    names = dict(System.objects.filter(pk__in=systems).values_list("pk", "name"))
    protocol = protocol_of(campaign)
    reasons = controls_for(protocol, settings)
    return Preview(
        n_segments=made.n_segments,
        n_skipped=made.n_skipped,
        n_equal=made.n_equal,
        n_batches=len(made.batches),
        n_tasks=sum(made.seats),
        n_screens=sum(sizes),
        n_items=made.n_items,
        n_answers=n_answers,
        smallest_task=min(sizes),
        largest_task=max(sizes),
        n_words=round(sum(n * k for n, k in zip(words, made.seats, strict=True))),
        n_outputs=n_outputs,
        kinds=dict(kinds),
        controls=dict(controls),
        systems={names[system]: n for system, n in systems.items() if system in names},
        left_out=tuple(made.left_out),
        no_controls={kind: reason for kind, reason in reasons.items() if reason},
        of_documents=of_documents(made, protocol.unit in CUT),
        pooled=tuple(Counter(each.document for each in made.texts.segments).values()),
        n_blocks=made.n_blocks,
        around=made.around,
        source_words=made.texts.mean_source_words(),
        source_squares=made.texts.mean_source_words(2),
        listening=listening_of(
            campaign,
            zip(made.batches, made.seats, strict=True),
            made.parts,
            made.texts.segment_of,
            places,
        ),
    )


def of_documents(made: Composition, by_segment: bool) -> tuple[int, ...]:
    """Return how many of each document's segments, or documents, are judged."""
    document = {each.segment: each.document for each in made.texts.segments}
    judged = {
        screen.segment for batch in made.batches for screen in batch if screen.kind == "regular"
    }
    found = Counter(document.get(segment, segment) for segment in judged)
    return tuple(found.values()) if by_segment else (1,) * len(found)


def places_of(made: Composition) -> Callable[[PlannedScreen], int]:
    """Return how many outputs of a screen have a place of their own."""
    if not made.merges:
        return lambda screen: len(screen.outputs)
    text_of = {output: text for of in made.texts.segments for output, text in of.texts.items()}
    return lambda screen: len({text_of.get(output, output) for output, _ in screen.outputs})


def answers_on(campaign: Campaign, made: Composition) -> Callable[[PlannedScreen], int]:
    """Return how many ratings, comparisons or answers come of a screen, all passes together."""
    protocol = protocol_of(campaign)
    if protocol.unit == "document":
        asked = n_questions(campaign)
        return lambda screen: asked[screen.document]
    answers = cache(protocol.answers_on)
    if protocol.unit != "segment":
        return lambda screen: answers(1)
    places = places_of(made)

    def of(screen: PlannedScreen) -> int:
        n_outputs = places(screen)
        of_document = n_outputs if screen.part and screen.part == protocol.last_part else 0
        return answers(n_outputs) + of_document

    return of
