"""Whether a campaign still is what its record says: the same systems, outputs, items, decisions."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from judgments.models import Campaign, CampaignRecord, Chain, Status
from judgments.models.moments import connection_to_read

from .content import START
from .record import DIGEST, OF_CAMPAIGN, SAID, record_hash, record_text
from .record_kinds import HASHED, KINDS

MOST_NAMED = 200  # objects of a kind; the others are counted

COMPARE = """
WITH now AS ({sql}), said AS ({said})
SELECT object_id, said.content, now.content FROM now FULL JOIN said USING (object_id)
WHERE now.content IS DISTINCT FROM said.content ORDER BY object_id
"""
PARTS = f"""
SELECT record_id, kind, count(*), {DIGEST} FROM judgments_recordedpart
WHERE campaign_id = %s GROUP BY record_id, kind
"""


@dataclass
class RecordReport:
    """Of one campaign. found: a sentence for each thing that is wrong; parts: how many rows were
    compared with the record."""

    records: int = 0
    parts: int = 0
    found: list[str] = field(default_factory=list)


def check_record(campaign: Campaign) -> RecordReport:
    """Recompute a campaign's record, and compare the tables with it.

    Reads everything; call it in a transaction that sees one moment.
    """
    report = RecordReport()
    records = list(CampaignRecord.objects.filter(campaign_id=campaign.pk))
    report.records = len(records)
    if not any(record.task_id == OF_CAMPAIGN for record in records):
        judged = Chain.objects.filter(campaign=campaign).exists()
        if records or judged or campaign.status != Status.DRAFT:
            report.found.append("The record of what its judgments are about was removed.")
        return report
    with connection_to_read().cursor() as cursor:
        cursor.execute(PARTS, [campaign.pk])
        parts: dict[int, dict[str, list]] = {}
        for record, kind, count, digest in cursor.fetchall():
            parts.setdefault(record, {})[kind] = [count, digest]
            report.parts += count
        report.found += _check_chains(campaign.pk, records, parts)
        names = _Names(cursor, campaign.pk)
        for kind in KINDS:
            report.found += _check_kind(cursor, campaign.pk, kind, names)
    return report


def _check_chains(
    campaign: int, records: list[CampaignRecord], parts: dict[int, dict[str, list]]
) -> Iterator[str]:
    """Yield what is wrong with the chains of the record. parts: of each record, as it would say
    them."""
    for task, some in groupby(records, key=lambda record: record.task_id):
        before, place = START, 0
        for row in some:
            where = f"Record {row.place}" + (f" of task {task}" if task else "")
            if row.place != place + 1:
                yield f"{where}: what was recorded before it is missing."
            text = record_text(campaign, task, row.place, row.act, row.made_at, row.parts)
            if row.parts != parts.pop(row.pk, {}):
                yield f"{where} ({row.act}): what it says was altered."
            elif row.place == place + 1 and record_hash(before, text) != bytes(row.hash):
                yield f"{where} ({row.act}): altered, or not the one that was made here."
            before, place = bytes(row.hash), row.place
    if parts:
        yield "Rows were added to the record outside its chain."


class _Names:
    """How systems, segments and people are called, as was recorded; asked for when needed."""

    def __init__(self, cursor: Any, campaign: int) -> None:
        self._cursor = cursor
        self._campaign = campaign
        self._known: dict[str, dict[int, list]] = {}

    def of(self, kind: str) -> dict[int, list]:
        """Return {number: what was recorded last} of all rows of a kind."""
        if kind not in self._known:
            values = {"campaign": self._campaign, "kind": kind}
            self._cursor.execute(SAID.format(only=""), values)
            self._known[kind] = {pk: json.loads(text or "[]") for pk, text in self._cursor}
        return self._known[kind]

    def name(self, kind: str, pk: int | None) -> str:
        """Return a system or a segment, by the name that it had when it was recorded."""
        said = self.of(kind).get(pk or 0)
        return f"{kind} “{said[0]}”" if said else f"{kind} {pk}"


def _check_kind(cursor: Any, campaign: int, kind: str, names: _Names) -> Iterator[str]:
    statement = COMPARE.format(sql=KINDS[kind].sql, said=SAID.format(only=""))
    cursor.execute(statement, {"campaign": campaign, "kind": kind})
    rows = cursor.fetchall()
    for pk, said, now in rows[:MOST_NAMED]:
        what = _called(kind, pk, json.loads(said or now), names)
        if said is None:
            yield f"{what}: inserted outside the record."
        elif now is None:
            yield f"{what}: removed."
        else:
            yield f"{what}: {_changed(kind, json.loads(said), json.loads(now), names)}."
    if len(rows) > MOST_NAMED:
        yield f"{len(rows) - MOST_NAMED:,} more of this kind ({kind}) are not as recorded."


def _called(kind: str, pk: int, said: list, names: _Names) -> str:
    """Return a row, as a reader of the results knows it."""
    values = dict(zip(KINDS[kind].columns, said, strict=False))
    segment = names.name("segment", values.get("segment"))
    match kind:
        case "campaign":
            return "The campaign itself"
        case "instructions":
            return "What annotators are told"
        case "system" | "document" | "segment":
            return f"The {kind} “{said[0]}”"
        case "reference":
            return f"The reference “{values['name']}” of {segment}"
        case "output":
            return f"The output of {names.name('system', values['system'])} for {segment}"
        case "altered":
            return f"The altered text of output {values['output']}"
        case "item":
            return f"Item {pk} (batch {values['batch']}, {segment})"
        case "task":
            return f"Task {pk} (batch {values['batch']}, seat {values['seat']})"
        case "expected":
            return f"What item {values['item']} expects of the score of output {values['output']}"
        case "wave":
            return f"The wave of batch {pk}"
        case "rule":
            return f"The rule of quality control {pk}"
        case "plan":
            return f"The registered stopping plan {pk}"
        case "decision":
            return f"Decision {pk} about annotator {values['annotator']}"
        case "state":
            return f"Change {pk} of the state of annotator {values['annotator']}"
        case "removed":
            return f"Decision {pk} about {segment}"
        case "grade":
            return f"Grade {pk} of judgment {values['judgment']}"
        case _:
            return f"The {kind} {pk}"


def _changed(kind: str, said: list, now: list, names: _Names) -> str:
    """Return what of a row is another than was recorded."""
    found = []
    for column, before, after in zip(KINDS[kind].columns, said, now, strict=True):
        if before != after:
            if column.endswith(HASHED):
                found.append(f"its {column.removesuffix(HASHED)} is not the one that was recorded")
            elif column in ("system", "segment", "document"):
                old, new = (names.name(column, pk) for pk in (before, after))
                found.append(f"it belonged to {old} and now belongs to {new}")
            else:
                found.append(f"its {column} was {_short(before)} and is {_short(after)}")
    return "; ".join(found)


def _short(value: Any) -> str:
    if isinstance(value, str):
        return f"“{value}”"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else text[:200] + "…"
