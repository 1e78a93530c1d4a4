"""Segments by their keys, on the disk: for formats that meet the texts of a segment in any order,
and for those that repeat them with each judgment."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace

from judgments.files.texts import SegmentTexts

from .spool import spool

TABLES = """
create table segment (
    n integer primary key, key text unique, document text, place integer, row integer, texts text
);
create index of_document on segment (document);
create table output (
    n integer primary key, key text, system text, text text, post_edit text, unique (key, system)
);
"""
AS_THEY_CAME = "n"
IN_DOCUMENTS = "min(n) over (partition by document), n"  # those of a document together


class TextStore:
    def __init__(self, segments: Iterable[SegmentTexts] = ()) -> None:
        self.rows = spool(TABLES)
        self.last: SegmentTexts | None = None  # with its outputs
        self.places: Counter[str] = Counter()
        for each in segments:
            self.add(each)

    def add(self, segment: SegmentTexts) -> None:
        """Keep a segment of a new key, without its media."""
        self.places[segment.document] += 1
        texts = asdict(replace(segment, outputs={}, media=None, post_edits={}))
        place = (segment.document, self.places[segment.document])
        self.rows.execute(
            "insert into segment (key, document, place, row, texts) values (?, ?, ?, ?, ?)",
            (segment.key, *place, segment.row, json.dumps(texts)),
        )
        for system, text in segment.outputs.items():
            self.put(segment.key, system, text)

    def put(self, key: str, system: str, text: str, post_edit: str = "") -> tuple[str, str]:
        """Keep an output of a segment, which may be still to come. Return the text that is kept and
        its post-edit: those that came first."""
        self.last = None
        found = self.rows.execute(
            "insert into output (key, system, text, post_edit) values (?, ?, ?, ?)"
            " on conflict do update set n = n returning text, post_edit",
            (key, system, text, post_edit),
        )
        return found.fetchone()

    def find(self, key: str) -> SegmentTexts | None:
        """Return a segment without its outputs; None where there is none."""
        found = self.rows.execute("select texts from segment where key = ?", (key,)).fetchone()
        return SegmentTexts(**json.loads(found[0])) if found else None

    def output(self, key: str, system: str) -> str | None:
        found = self.rows.execute(
            "select text from output where key = ? and system = ?", (key, system)
        ).fetchone()
        return found and found[0]

    def segment(self, key: str) -> SegmentTexts:
        if self.last is None or self.last.key != key:
            found = self.find(key)
            assert found is not None
            self.last = self._whole(found)
        return self.last

    def place(self, key: str) -> int:
        """Return for a segment in its document, from 1."""
        [place] = self.rows.execute("select place from segment where key = ?", (key,)).fetchone()
        return place

    def segments(self, order: str = IN_DOCUMENTS, document: str = "") -> Iterator[SegmentTexts]:
        """document: the one whose segments are wanted, "" for all."""
        which, values = ("where document = ?", [document]) if document else ("", [])
        rows = self.rows.execute(f"select texts from segment {which} order by {order}", values)
        for (texts,) in rows:
            yield self._whole(SegmentTexts(**json.loads(texts)))

    def _whole(self, segment: SegmentTexts) -> SegmentTexts:
        rows = self.rows.execute(
            "select system, text, post_edit from output where key = ? order by n", (segment.key,)
        ).fetchall()
        return replace(
            segment,
            outputs={system: text for system, text, _ in rows},
            post_edits={system: edit for system, _, edit in rows if edit},
        )

    def close(self) -> None:
        self.rows.close()
