"""Chains as they leave the site, and whether what left it then still holds.

Whoever may write to the database as its superuser could recompute every chain. Only what somebody
else has kept shows that.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby, islice
from typing import Any

from judgments.models import (
    Campaign,
    CampaignRecord,
    Chain,
    DeletedCampaign,
    ErasedJudgment,
    Judgment,
    Output,
    RecordedPart,
    Seal,
    System,
)

from .canonical import canonical
from .content import VERSION
from .judgment_rows import observations_of, read
from .record_kinds import VERSION as RECORD_VERSION
from .texts import no_texts_sha256, texts_sha256

AT_ONCE = 2000


def heads(campaign: Campaign) -> dict[str, Any]:
    """Return the ends of a campaign's chains, and one hash of all of them, which can be printed."""
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
    """Yield every sealed judgment of a campaign as a line of JSON, chain by chain, revisions and
    all. names: of annotators, by user; their aliases unless said."""
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


def record_heads(campaign: Campaign) -> dict[str, Any]:
    """Return the ends of the chains of a campaign's record, and one hash of all of them. Of a chain
    that is not a task's, the task is 0."""
    chains = record_ends(campaign)
    return {"version": RECORD_VERSION, "head": head_of(chains), "chains": chains}


def record_ends(campaign: Campaign) -> list[list]:
    rows = CampaignRecord.objects.filter(campaign_id=campaign.pk)
    ends = rows.order_by("task_id", "-place").distinct("task_id")
    return [
        [task, place, bytes(hashed).hex()]
        for task, place, hashed in ends.values_list("task_id", "place", "hash")
    ]


class NotPublished(ValueError):
    """A file that is neither campaign.json nor judgments.jsonl, or not as it was written."""


@dataclass(frozen=True)
class PublishedFile:
    """What a file says that was downloaded before.

    seals: (task, place, hash) of every one in it; record: the ends of the record, as
    `record_ends`. test_set: as campaign.json describes it. systems: {output: name of its system},
    segments: {judgment: key of its segment}.
    """

    seals: list[tuple[int, int, str]]
    record: list[list] = field(default_factory=list)
    test_set: dict[str, Any] = field(default_factory=dict)
    systems: dict[int, str] = field(default_factory=dict)
    segments: dict[int, str] = field(default_factory=dict)


def read_file(text: Iterable[str]) -> PublishedFile:
    """Return what a campaign.json or a judgments.jsonl says. Raise NotPublished."""
    rows = iter(text)
    first = next(rows, "")
    try:
        if first.strip() != "{":
            return _read_lines([json.loads(line) for line in (first, *rows)])
        return _read_campaign(json.loads(first + "".join(rows)))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        if isinstance(error, NotPublished):
            raise
        raise NotPublished("This is neither a campaign.json nor a judgments.jsonl.") from error


def _read_lines(lines: list[dict[str, Any]]) -> PublishedFile:
    return PublishedFile(
        seals=[(row["task"], row["place"], row["hash"]) for row in lines],
        systems={
            int(output): name for row in lines for output, name in row.get("systems", {}).items()
        },
        segments={row["judgment"]: row["segment"] for row in lines if "segment" in row},
    )


def _read_campaign(said: dict[str, Any]) -> PublishedFile:
    tasks = said["chain"]["tasks"]
    record = said.get("record", {"chains": [], "head": head_of([])})
    for ends, head in ((tasks, said["chain"]["head"]), (record["chains"], record["head"])):
        if head_of(ends) != head:
            raise NotPublished("The file was altered: its head does not match its tasks.")
    return PublishedFile(
        seals=[(task, length, hashed) for task, length, hashed in tasks],
        record=[[task, place, hashed] for task, place, hashed in record["chains"]],
        test_set=said.get("test_set", {}),
    )


def differences_from_ends(gone: DeletedCampaign, published: PublishedFile) -> Iterator[str]:
    """Yield chains that were published and do not end as those of a campaign that was deleted
    did."""
    yield from _other_ends(gone.chains, published.seals, "judgments that were")
    yield from _other_ends(gone.record, published.record, "record that was")


def _other_ends(ends: list[list], found: Iterable[Any], what: str) -> Iterator[str]:
    known = {task: (length, hashed) for task, length, hashed in ends}
    last = {task: (place, hashed) for task, place, hashed in sorted(found)}
    for task, (place, hashed) in last.items():
        length, head = known.get(task, (0, ""))
        if place > length or (place == length and hashed != head):
            yield f"Task {task}: not the {what} deleted."


def differences(campaign: Campaign, published: PublishedFile) -> Iterator[str]:
    """Yield what was published and is not what the campaign has now: texts first, then what was
    recorded of them, then names, then judgments."""
    yield from _other_texts(campaign, published.test_set, published.record)
    yield from _other_records(campaign, published.record)
    yield from _other_names(campaign, published)
    yield from _other_seals(campaign, published.seals)


def _other_texts(campaign: Campaign, said: dict[str, Any], ends: list[list]) -> Iterator[str]:
    """Yield outputs and references that came later are left aside. ends: of the published
    record."""
    if not said.get("texts_sha256"):
        return
    pk = campaign.test_set_id
    systems, references = said.get("systems", []), said.get("references", [])
    now = set(System.objects.filter(test_set=pk).values_list("name", flat=True))
    missing = sorted(set(systems) - now)
    if missing and ends and not recorded_systems(campaign) & set(missing):
        return  # nobody was shown their outputs, and they were deleted since
    if missing:
        yield f"Published systems that the test set does not have now: {', '.join(missing)}."
    elif said["texts_sha256"] not in (
        texts_sha256(pk, systems=systems, references=references),
        no_texts_sha256(pk, systems=systems),
    ):
        yield (
            "The texts are not those that were published: a source, a reference, an output or "
            "the name of its system is different."
        )


def recorded_systems(campaign: Campaign) -> set[str]:
    """Return every name of a system that the record of a campaign has had."""
    parts = RecordedPart.objects.filter(campaign_id=campaign.pk, kind="system", content__gt="")
    return {json.loads(content)[0] for content in parts.values_list("content", flat=True)}


def _other_records(campaign: Campaign, ends: list[list]) -> Iterator[str]:
    known = {
        (task, place): bytes(hashed).hex()
        for task, place, hashed in CampaignRecord.objects.filter(
            campaign_id=campaign.pk
        ).values_list("task_id", "place", "hash")
    }
    for task, place, hashed in ends:
        if known.get((task, place)) != hashed:
            of = f" of task {task}" if task else ""
            yield f"Record {place}{of}: not the one that was published."


def _other_names(campaign: Campaign, published: PublishedFile) -> Iterator[str]:
    """Yield outputs and judgments that were published as of another system or another segment."""
    outputs = Output.objects.filter(segment__test_set=campaign.test_set_id).order_by()
    systems = dict(outputs.values_list("pk", "system__name"))
    for output, name in sorted(published.systems.items()):
        if (now := systems.get(output)) != name:
            yield (
                f"Output {output} was published as one of system “{name}” and now belongs to "
                f"“{now}”."
            )
    keys = dict(
        Judgment.objects.filter(campaign=campaign)
        .order_by()
        .values_list("pk", "item__segment__key")
    )
    for judgment, key in sorted(published.segments.items()):
        if (now := keys.get(judgment, key)) != key:
            yield (
                f"Judgment {judgment} was published as one of segment “{key}” and now belongs to "
                f"“{now}”."
            )


def _other_seals(campaign: Campaign, seals: list[tuple[int, int, str]]) -> Iterator[str]:
    """Yield seals that are not what the campaign has at their places now."""
    own = Chain.objects.filter(campaign=campaign).values("task_id")
    for task, rows in groupby(sorted(seals), key=lambda row: row[0]):
        known = Seal.objects.filter(task_id=task).filter(task_id__in=own)
        now = {place: bytes(hashed).hex() for place, hashed in known.values_list("place", "hash")}
        for _, place, hashed in rows:
            if now.get(place) != hashed:
                yield f"Task {task}, place {place}: not the judgment that was published."
                break  # everything behind it differs, too
