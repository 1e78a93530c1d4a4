"""What is hashed of a judgment (docs/guide/formats.md, "The chain of judgments").

This is frozen: hashes that were made with it are in databases and in published files. Version 2 is
version 1 with presses, and only judgments that have some say it; whatever a judgment is to say
beyond these needs a version 3 beside them.
"""

import hashlib
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from .canonical import canonical

VERSION = 1
WITH_PRESSES = 2
# What a row of each kind says, in this order. `protocols.kinds` has the same kinds and columns.
COLUMNS = {
    "ratings": ("output_id", "dimension", "value", "is_copy"),
    "preferences": ("output_a_id", "output_b_id", "value", "strength"),
    "spans": (
        *("output_id", "side", "start", "end", "severity", "category", "prefill_id"),
        "is_copy",
    ),
    "edits": ("output_id", "outcome", "text", "keystrokes", "active_ms", "is_copy"),
    "answers": ("output_id", "question_id", "text", "is_right"),
    "links": ("output_id", "source_token", "target_token", "is_sure", "is_copy"),
    "presses": ("output_id", "at_ms", "value", "clock_ms"),
}


class Head(NamedTuple):
    """What a judgment says of itself, by numbers of rows. `key`: the client key, as text."""

    campaign: int
    task: int
    item: int
    annotator: int
    key: str
    revision: int = 1
    supersedes: int | None = None
    started: datetime | None = None
    submitted: datetime | None = None
    active_ms: int | None = None
    guideline: int = 1


def content(head: Head, observations: Mapping[str, Iterable[tuple]]) -> str:
    """Return the text that is hashed: canonical JSON, the rows of each kind sorted by their own
    JSON.

    Written out key by key, in their order: an import does this a hundred thousand times.
    """
    said = dict.fromkeys(COLUMNS, "")
    for kind, rows in observations.items():
        if texts := sorted(map(canonical, rows)):
            said[kind] = f'"{kind}":[{",".join(texts)}],'
    version = WITH_PRESSES if said["presses"] else VERSION
    return (
        f'{{"active_ms":{_or_null(head.active_ms)},"annotator":{head.annotator},{said["answers"]}'
        f'"campaign":{head.campaign},{said["edits"]}"guideline":{head.guideline},'
        f'"item":{head.item},"key":"{head.key}",{said["links"]}{said["preferences"]}'
        f'{said["presses"]}{said["ratings"]}"revision":{head.revision},{said["spans"]}'
        f'"started":{moment(head.started)},"submitted":{moment(head.submitted)},'
        f'"supersedes":{_or_null(head.supersedes)},"task":{head.task},"v":{version}}}'
    )


def _or_null(number: int | None) -> int | str:
    return "null" if number is None else number


def moment(time: datetime | None) -> str:
    """As JSON: UTC to the microsecond, such as "2026-03-01T14:05:00.000000Z", or null."""
    if time is None:
        return "null"
    return f'"{time.astimezone(UTC).isoformat(timespec="microseconds")[:-6]}Z"'


def digest(text: str) -> bytes:
    """Return SHA-256 of a judgment's content in UTF-8."""
    return hashlib.sha256(text.encode()).digest()


# What comes before the first judgment of a task.
START = bytes(32)


def sealed(before: bytes, digest: bytes) -> bytes:
    """Return the hash of a judgment in its chain, from that of the judgment before it."""
    return hashlib.sha256(before + digest).digest()
