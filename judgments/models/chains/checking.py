"""Whether a campaign's judgments are those that were stored: all of them, unaltered, no others."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby

from django.db.models import Exists, OuterRef

from judgments.models import Campaign, Chain, ErasedJudgment, Judgment, Seal, Task

from .content import START, digest, sealed
from .judgment_rows import read

TASKS_AT_ONCE = 200


@dataclass
class Report:
    """Of one campaign. found: a sentence for each thing that is wrong."""

    judgments: int = 0
    erased: int = 0
    tasks: int = 0
    found: list[str] = field(default_factory=list)


def check(campaign: Campaign) -> Report:
    """Recompute every chain of a campaign from the judgments that are stored.

    Reads everything, some tasks at a time; call it in a transaction that sees one moment.
    """
    report = Report()
    chains = {chain.task_id: chain for chain in Chain.objects.filter(campaign=campaign)}
    sealed_tasks = Task.objects.filter(
        Exists(Seal.objects.filter(task_id=OuterRef("pk"))), campaign=campaign
    )
    tasks = sorted(chains.keys() | set(sealed_tasks.values_list("pk", flat=True)))
    report.tasks = len(tasks)
    for start in range(0, len(tasks), TASKS_AT_ONCE):
        _check_some(tasks[start : start + TASKS_AT_ONCE], chains, report)
    report.found += _unsealed(campaign)
    return report


def _check_some(tasks: list[int], chains: dict[int, Chain], report: Report) -> None:
    seals = Seal.objects.filter(task_id__in=tasks).order_by("task_id", "place")
    by_task = {task: list(some) for task, some in groupby(seals, key=lambda seal: seal.task_id)}
    ids = [seal.judgment_id for some in by_task.values() for seal in some]
    said = {row.pk: digest(row.content) for row in read(ids)}
    listed = ErasedJudgment.objects.filter(judgment_id__in=ids)
    erased = {pk: bytes(hashed) for pk, hashed in listed.values_list("judgment_id", "digest")}
    report.judgments += len(said)
    report.erased += len(erased.keys() - said.keys())
    for task in tasks:
        report.found += _check_chain(task, by_task.get(task, []), chains.get(task), said, erased)


def _check_chain(
    task: int,
    seals: list[Seal],
    chain: Chain | None,
    said: dict[int, bytes],
    erased: dict[int, bytes],
) -> Iterator[str]:
    """Yield what is wrong with one chain. said, erased: {judgment: hash of its content}."""
    before: bytes | None = START
    place = 0
    for seal in seals:
        if seal.place != place + 1:
            yield _missing(task, place + 1, seal.place - 1)
            before = None
        where = f"Judgment {seal.judgment_id} (task {task}, place {seal.place})"
        hashed = said.get(seal.judgment_id, erased.get(seal.judgment_id))
        if seal.judgment_id in said and seal.judgment_id in erased:
            yield f"{where}: inserted again after it was erased."
        if hashed is None:
            yield f"{where}: missing."
        elif before is not None and sealed(before, hashed) != bytes(seal.hash):
            yield f"{where}: altered, or not the one that was sealed here."
        before, place = bytes(seal.hash), seal.place
    if chain is None:
        yield f"The chain of task {task}: its end was removed."
    elif chain.length > place:
        yield _missing(task, place + 1, chain.length)
    elif chain.length < place or bytes(chain.head) != before:
        yield f"The chain of task {task} does not end where it should: altered at its end."


def _missing(task: int, first: int, last: int) -> str:
    if first == last:
        return f"Place {first} of task {task}: missing with its seal."
    return f"Places {first} to {last} of task {task}: missing with their seals."


def _unsealed(campaign: Campaign) -> Iterator[str]:
    """Yield judgments of the campaign that no chain of it holds."""
    own = Chain.objects.filter(campaign=campaign).values("task_id")
    held = Seal.objects.filter(judgment_id=OuterRef("pk"), task_id__in=own)
    found = Judgment.objects.filter(~Exists(held), campaign=campaign).order_by("pk")
    for pk, task in found.values_list("pk", "item__task"):
        yield f"Judgment {pk} (task {task}): inserted outside the chain."
