"""Writing a plan to the database: tasks, items, and the content of each screen, by COPY."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from judgments.files.copying import analyze, copy_rows, new_ids
from judgments.models import AlteredOutput, Campaign, ExpectedScore, Item, ItemOutput, System, Task

from .composition import Composition
from .layout import Orderer, PlannedScreen

ITEM_FIELDS = (
    "id", "task", "position", "segment", "kind", "part", "control_output", "control_kind",
    "is_judged", "is_skipped",
)  # fmt: skip


def write(
    campaign: Campaign,
    made: Composition,
    orderer: Orderer | None,
    *,
    after: int = 0,
    wave: int = 1,
) -> list[Task]:
    """Return the tasks of each batch: one for each of its seats, with the same items. Altered
    texts, which no plan has stored before, are stored. orderer: draws the order of the outputs on
    each; None if they keep their order, like the segments of a document. after: the last existing
    batch.
    """
    AlteredOutput.objects.bulk_create(
        {
            id(screen.altered): screen.altered
            for screens in made.batches
            for screen in screens
            if screen.altered is not None
        }.values()
    )
    choice = None
    if made.wave:
        names = dict(System.objects.filter(pk__in=made.wave.systems).values_list("pk", "name"))
        choice = made.wave.stored(names, made.n_waves)
    tasks = Task.objects.bulk_create(
        (
            Task(
                campaign=campaign,
                batch=b,
                seat=seat,
                follows=follows and follows + after,
                wave=wave,
                choice=choice,
                n_items=len(screens) * len(made.parts),
            )
            for b, (screens, n_seats, follows) in enumerate(
                zip(made.batches, made.seats, made.follows, strict=True), after + 1
            )
            for seat in range(1, n_seats + 1)
        ),
        batch_size=5000,
    )
    fill(tasks, dict(enumerate(made.batches, after + 1)), made.parts, orderer)
    return tasks


def fill(
    tasks: Sequence[Task],
    batches: Mapping[int, Sequence[PlannedScreen]],
    parts: Sequence[str],
    orderer: Orderer | None,
) -> None:
    """Store the items of stored tasks, by the number of their batch. Altered texts must be stored
    already."""
    ids = new_ids(Item, sum(task.n_items for task in tasks))
    shown: list[tuple[int, int, int, int | None]] = []
    expected: list[ExpectedScore] = []

    def items() -> Iterator[tuple]:
        following = iter(ids)
        for task in tasks:
            screens = batches[task.batch]
            passes = [(part, screen) for part in parts for screen in screens]
            for position, (part, screen) in enumerate(passes):
                item = next(following)
                shown.extend(places(item, screen, orderer))
                expected.extend(ExpectedScore(item_id=item, **each) for each in screen.expected)
                yield (
                    item, task.pk, position, screen.segment, screen.kind, part or screen.part,
                    screen.control, screen.control_kind, False, False,
                )  # fmt: skip

    copy_rows(Item, ITEM_FIELDS, items())
    copy_rows(ItemOutput, ("item", "output", "position", "altered"), shown)
    ExpectedScore.objects.bulk_create(expected, batch_size=5000)
    analyze(Item, ItemOutput, added=len(ids))


def places(item: int, screen: PlannedScreen, orderer: Orderer | None):
    """Return (item, output, place, altered) of each output on a screen."""
    order = in_order(screen, orderer)
    if screen.altered is None:
        return [(item, output, place, None) for place, output in enumerate(order)]
    row = screen.altered
    return [
        (item, output, place, row.pk if output == row.output_id else None)
        for place, output in enumerate(order)
    ]


def in_order(screen: PlannedScreen, orderer: Orderer | None) -> list[int]:
    if orderer is None:
        return [output for output, _ in screen.outputs]
    return orderer.order(screen.outputs)
