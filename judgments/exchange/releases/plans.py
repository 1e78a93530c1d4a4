"""Campaigns that are still to be judged → tasks with their items, as the release lays them out."""

from __future__ import annotations

from typing import Any, NamedTuple

from judgments.exchange.judgments.campaigns import new_campaign
from judgments.exchange.judgments.reader import ScreenReader
from judgments.files.problem import FileRow, ImportProblem
from judgments.files.texts import LONGEST_NAME
from judgments.judging.practice import practice as practicing
from judgments.models import Campaign, ExpectedScore, Item, ItemOutput, Status, Task
from judgments.protocols import protocol_of

from .records import PlanPart, Problems

ITEMS_AT_ONCE = 5_000


def write_plan(part: PlanPart, test_set: Any, owner: Any, problems: Problems) -> Campaign:
    """Return a new campaign, a draft whose owner looks at it before people come. Items that name no
    output of the test set go to the problems."""
    campaign = new_campaign(
        *(test_set, owner, part.name[:LONGEST_NAME], part.preset),
        options=part.options,
        instructions=part.instructions,
        status=Status.DRAFT,
    )
    last_part = protocol_of(campaign).last_part
    reader = ScreenReader(campaign)
    for number, batch in enumerate(part.batches(), 1):
        place = FileRow(part.name, number)
        screens = []
        for planned in batch:
            try:
                segment, _ = reader.segment(place, planned.segment)
                shown = [reader.output(place, name, segment)[0] for name in planned.outputs]
            except ImportProblem as problem:
                problems.add(problem)
                continue
            part_of_item = last_part if planned.asks_document else ""
            output_of = dict(zip(planned.outputs, shown, strict=True))
            expected = [
                {
                    "output_id": output_of[each.system],
                    "dimension": each.dimension,
                    "low": each.low,
                    "high": each.high,
                    "above_id": output_of.get(each.above),
                }
                for each in planned.expected
            ]
            screens.append(PlannedRow(segment, planned.kind, part_of_item, shown, expected))
        if not problems:
            write_batch(campaign, number, part.seats, screens)
    if part.practice and not problems:
        write_practice(campaign, part)
    return campaign


class PlannedRow(NamedTuple):
    """A screen of a plan: ids of its segment and outputs; expected: columns of `ExpectedScore`."""

    segment: int
    kind: str
    part: str
    shown: list[int]
    expected: list[dict[str, Any]]


def write_batch(campaign: Campaign, batch: int, seats: int, screens: list[PlannedRow]) -> None:
    """A task with the same screens for every seat."""
    tasks = Task.objects.bulk_create(
        Task(campaign=campaign, batch=batch, seat=seat, n_items=len(screens))
        for seat in range(1, seats + 1)
    )
    items = [
        (
            Item(
                task=task,
                position=position,
                segment_id=screen.segment,
                kind=screen.kind,
                part=screen.part,
            ),
            screen,
        )
        for task in tasks
        for position, screen in enumerate(screens)
    ]
    Item.objects.bulk_create([item for item, _ in items], batch_size=ITEMS_AT_ONCE)
    ItemOutput.objects.bulk_create(
        (
            ItemOutput(item=item, output_id=output, position=place)
            for item, screen in items
            for place, output in enumerate(screen.shown)
        ),
        batch_size=ITEMS_AT_ONCE,
    )
    ExpectedScore.objects.bulk_create(
        (ExpectedScore(item=item, **known) for item, screen in items for known in screen.expected),
        batch_size=ITEMS_AT_ONCE,
    )


def write_practice(campaign: Campaign, part: PlanPart) -> None:
    try:
        practicing.replace(campaign, practicing.read_rows(campaign, part.practice))
    except ValueError as error:
        raise ImportProblem(part.name, None, "", f"Its tutorial: {error}") from None
