"""Chains as they leave the site, and whether what left it then still holds.

Whoever may write to the database as its superuser could recompute every chain. Only what somebody
else has kept shows that.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from typing import Any

from judgments.models import Campaign, Chain, ErasedJudgment, Judgment, Output, Seal

from .canonical import canonical
from .content import VERSION
from .judgment_rows import observations_of, read

AT_ONCE = 2000


def heads(campaign: Campaign) -> dict[str, Any]:
    """The ends of a campaign's chains, and one hash of all of them, which can be printed."""
    rows = Chain.objects.filter(campaign=campaign).order_by("task_id")
    tasks = [
        [task, length, bytes(head).hex()]
        for task, length, head in rows.values_list("task_id", "length", "head")
    ]
    erased = ErasedJudgment.objects.filter(
        judgment_id__in=Seal.objects.filter(task_id__in=rows.values("task_id")).values(
            "judgment_id"
        )
    )
    return {
        "version": VERSION,
        "judgments": sum(length for _, length, _ in tasks),
        "erased": erased.count(),
        "head": head_of(tasks),
        "tasks": tasks,
    }


def head_of(tasks: list[list]) -> str:
    return hashlib.sha256(canonical(tasks).encode()).hexdigest()


def lines(campaign: Campaign, names: dict[int, str] | None = None) -> Iterator[str]:
    """Every sealed judgment of a campaign as a line of JSON, chain by chain, revisions and all.
    names: of annotators, by user; their aliases unless said."""
    tasks = Chain.objects.filter(campaign=campaign).values("task_id")
    seals = Seal.objects.filter(task_id__in=tasks).order_by("task_id", "place")
    outputs = dict(
        Output.objects.filter(segment__test_set=campaign.test_set_id)
        .order_by()
        .values_list("pk", "system__name")
    )
    aliases = names
    if aliases is None:
        aliases = dict(campaign.memberships.values_list("user", "alias"))
    for some in _batches(seals.iterator(chunk_size=AT_ONCE)):
        yield from _lines(some, outputs, aliases)


def _batches(rows: Iterator[Seal]) -> Iterator[list[Seal]]:
    while some := list(islice(rows, AT_ONCE)):
        yield some


def _lines(some: list[Seal], systems: dict[int, str], aliases: dict[int, str]) -> Iterator[str]:
    ids = [seal.judgment_id for seal in some]
    stored = {row.pk: row for row in read(ids)}
    said = observations_of(list(stored))
    segments = dict(
        Judgment.objects.filter(pk__in=ids).order_by().values_list("pk", "item__segment__key")
    )
    erased = {row.pk: row for row in ErasedJudgment.objects.filter(pk__in=ids)}
    for seal in some:
        pk = seal.judgment_id
        line: dict[str, Any] = {"task": seal.task_id, "place": seal.place, "judgment": pk}
        line["hash"] = bytes(seal.hash).hex()
        if pk in stored:
            outputs = sorted({row[0] for rows in said[pk].values() for row in rows})
            line["content"] = stored[pk].content
            line["annotator"] = aliases.get(stored[pk].head.annotator, "")
            line["segment"] = segments[pk]
            line["systems"] = {str(output): systems.get(output, "") for output in outputs}
        elif pk in erased:
            line["erased"] = bytes(erased[pk].digest).hex()
        yield json.dumps(line, ensure_ascii=False) + "\n"


class NotPublished(ValueError):
    """A file that is neither campaign.json nor judgments.jsonl, or not as it was written."""


def read_file(text: Iterable[str]) -> list[tuple[int, int, str]]:
    """(task, place, hash) of every seal in a campaign.json or a judgments.jsonl.

    Raises NotPublished.
    """
    rows = iter(text)
    first = next(rows, "")
    try:
        if first.strip() != "{":
            found = [json.loads(line) for line in (first, *rows)]
            return [(row["task"], row["place"], row["hash"]) for row in found]
        chain = json.loads(first + "".join(rows))["chain"]
        tasks = chain["tasks"]
        if head_of(tasks) != chain["head"]:
            raise NotPublished("The file was altered: its head is not that of its tasks.")
        return [(task, length, hashed) for task, length, hashed in tasks]
    except (ValueError, KeyError, TypeError) as error:
        if isinstance(error, NotPublished):
            raise
        raise NotPublished("This is neither a campaign.json nor a judgments.jsonl.") from error


def differences_from_ends(
    ends: Iterable[tuple[int, int, str]], published: list[tuple[int, int, str]]
) -> Iterator[str]:
    """Chains that were published and do not end as those of a campaign that was deleted did."""
    known = {task: (length, hashed) for task, length, hashed in ends}
    last = {task: (place, hashed) for task, place, hashed in sorted(published)}
    for task, found in last.items():
        length, head = known.get(task, (0, ""))
        if found[0] > length or (found[0] == length and found[1] != head):
            yield f"Task {task}: not the judgments that were deleted."


def differences(campaign: Campaign, published: list[tuple[int, int, str]]) -> Iterator[str]:
    """Seals that were published and are not what the campaign has at their places now."""
    own = Chain.objects.filter(campaign=campaign).values("task_id")
    for task, rows in groupby(sorted(published), key=lambda row: row[0]):
        seals = Seal.objects.filter(task_id=task).filter(task_id__in=own)
        now = {place: bytes(hashed).hex() for place, hashed in seals.values_list("place", "hash")}
        for _, place, hashed in rows:
            if now.get(place) != hashed:
                yield f"Task {task}, place {place}: not the judgment that was published."
                break  # everything behind it differs, too
