"""Appending many judgments at once to the chains of their tasks. A single answer is appended by the
statement that stores it (`STORE` in `judgments/judging/queue.py`)."""

import io
from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from django.db import connection, transaction

from judgments.models import Chain, Judgment, Seal, Task
from judgments.models.new_observations import Observations

from .content import COLUMNS, START, Head, content, digest, sealed
from .judgment_rows import read

ROWS_AT_ONCE = 10_000
TASKS_AT_ONCE = 200


class NewSeal(NamedTuple):
    task: int
    judgment: int
    digest: bytes


def digest_of(judgment: Judgment, task: int, said: Observations) -> bytes:
    """Return the hash of a judgment that is about to be stored with its observations."""
    head = Head(
        campaign=judgment.campaign_id,
        task=task,
        item=judgment.item_id,
        annotator=judgment.annotator_id,
        key=str(judgment.client_key),
        revision=judgment.revision,
        supersedes=judgment.supersedes_id,
        started=judgment.started_at,
        submitted=judgment.submitted_at,
        active_ms=judgment.active_ms,
        guideline=judgment.guideline_version,
    )
    rows: dict[str, list[tuple]] = {}
    for kind, columns in COLUMNS.items():
        if given := getattr(said, kind):
            copied = columns[-1] == "is_copy"
            rows[kind] = [(*row, row[0] in said.copies) if copied else row for row in given]
    return digest(content(head, rows))


def append(campaign: int, entries: Sequence[NewSeal]) -> None:
    """Append judgments of a campaign to the chains of their tasks, in order.

    Their tasks must be locked, or not yet visible to anybody else.
    """
    of_task = itemgetter(0)
    by_task = {
        task: list(some) for task, some in groupby(sorted(entries, key=of_task), key=of_task)
    }
    known = {chain.task_id: chain for chain in Chain.objects.filter(task_id__in=by_task)}
    lines, chains = [], []
    for task, some in by_task.items():
        chain = known.get(task) or Chain(task_id=task, campaign_id=campaign, length=0, head=START)
        head = bytes(chain.head)
        for entry in some:
            head = sealed(head, entry.digest)
            chain.length += 1
            lines.append(f"{entry.judgment}\t{task}\t{chain.length}\t\\\\x{head.hex()}\n")
        chain.head = head
        chains.append(chain)
    with connection.cursor() as cursor:
        for start in range(0, len(lines), ROWS_AT_ONCE):
            cursor.copy_expert(COPY, io.StringIO("".join(lines[start : start + ROWS_AT_ONCE])))
    Chain.objects.bulk_create(chain for chain in chains if chain.task_id not in known)
    Chain.objects.bulk_update(known.values(), ["length", "head"], batch_size=1000)


COPY = f"COPY {Seal._meta.db_table} (judgment_id, task_id, place, hash) FROM STDIN"


def seal(judgments: Sequence[Judgment]) -> None:
    """Append stored judgments of one campaign, with all their observations, to the chains of their
    tasks.

    For code that stores judgments through the models, such as the demo; call it when all are
    stored.
    """
    if judgments:
        campaign = judgments[0].campaign_id
        append(campaign, seals_of([judgment.pk for judgment in judgments]))


def seals_of(ids: Sequence[int]) -> list[NewSeal]:
    return [NewSeal(row.head.task, row.pk, digest(row.content)) for row in read(ids)]


def seal_all() -> int:
    """Append every judgment that is in no chain yet to one; return their number.

    For judgments that were written in bulk. A few tasks at a time, each time in a separate
    transaction that locks only these tasks, so that annotators can continue meanwhile, and finished
    tasks stay sealed if it is interrupted.
    """
    tasks = list(
        Task.objects.filter(items__judgments__isnull=False)
        .order_by("pk")
        .values_list("pk", "campaign_id")
        .distinct()
    )
    done = 0
    for campaign, some in groupby(sorted(tasks, key=lambda t: (t[1], t[0])), key=lambda t: t[1]):
        ids = [task for task, _ in some]
        for start in range(0, len(ids), TASKS_AT_ONCE):
            done += _seal_tasks(campaign, ids[start : start + TASKS_AT_ONCE])
    return done


@transaction.atomic
def _seal_tasks(campaign: int, tasks: list[int]) -> int:
    list(
        Task.objects.select_for_update(of=("self",))
        .filter(pk__in=tasks)
        .order_by("pk")
        .values_list("pk")
    )
    stored = Judgment.objects.filter(item__task__in=tasks).order_by("pk")
    there = set(Seal.objects.filter(task_id__in=tasks).values_list("judgment_id", flat=True))
    ids = [pk for pk in stored.values_list("pk", flat=True) if pk not in there]
    append(campaign, seals_of(ids))
    return len(ids)
