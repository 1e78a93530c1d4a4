"""The texts of a test set by segment, for formats that repeat them with each judgment."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from judgments.files.texts import SegmentTexts

from .spool import spool

TABLES = """
create table segment (
    key text primary key, document text, place integer, source text, texts text,
    instructions text
) without rowid;
"""


class StoredSegment(NamedTuple):
    """place: of the segment in its document, from 1."""

    document: str
    place: int
    source: str
    references: dict[str, str]
    outputs: dict[str, str]
    instructions: str


class TextStore:
    def __init__(self, segments: Iterable[SegmentTexts]) -> None:
        self.rows = spool(TABLES)
        self.last: tuple[str, StoredSegment] | None = None
        places: Counter[str] = Counter()
        for each in segments:
            places[each.document] += 1
            texts = json.dumps([dict(each.references), dict(each.outputs)])
            self.rows.execute(
                "insert into segment values (?, ?, ?, ?, ?, ?)",
                (
                    *(each.key, each.document, places[each.document], each.source, texts),
                    each.instructions,
                ),
            )

    def segment(self, key: str) -> StoredSegment:
        if self.last is None or self.last[0] != key:
            document, place, source, texts, instructions = self.rows.execute(
                "select document, place, source, texts, instructions from segment where key = ?",
                (key,),
            ).fetchone()
            references, outputs = json.loads(texts)
            self.last = (
                key,
                StoredSegment(document, place, source, references, outputs, instructions),
            )
        return self.last[1]

    def output(self, key: str, system: str) -> str:
        return self.segment(key).outputs[system]

    def close(self) -> None:
        self.rows.close()
