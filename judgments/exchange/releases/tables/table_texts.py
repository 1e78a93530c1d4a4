"""Texts in tables of any kind → segments with their references and outputs.

A table may hold a segment in each row, an output in each row, or both; outputs of one segment stand
anywhere. They wait in a temporary file, so that memory does not grow with them.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

from judgments.files.problem import ImportProblem, shortened
from judgments.files.texts import (
    THE_DOCUMENT,
    DocumentLines,
    SegmentTexts,
    gloss_in,
    is_blank,
    outputs_there,
    references_there,
)

from ..records import Problems
from ..spool import spool
from .columns import Meaning, RoleRow

TABLES = """
create table segments (n integer primary key, key text unique, row text);
create table outputs (
    n integer primary key, key text, system text, text text, edit text,
    unique (key, system)
);
"""


@dataclass(frozen=True)
class TextTables:
    """The tables of one test set. system: what the outputs are called where no column says it;
    shift: what is added to numbers of segments; pair: which language pair, where there are several.
    """

    tables: Sequence[Meaning]
    system: str
    shift: int = 0
    pair: str = ""

    def segments(self, problems: Problems) -> Iterator[SegmentTexts]:
        with closing(spool(TABLES)) as db:
            documents = DocumentLines()
            for each in self.tables:
                for row in each.rows(problems, self.pair):
                    try:
                        self.take(db, row, documents)
                    except ImportProblem as problem:
                        problems.add(problem)
            yield from self.stored(db)

    def take(self, db: sqlite3.Connection, row: RoleRow, documents: DocumentLines) -> None:
        key = shifted(row.get("segment"), self.shift)
        if not key:
            raise row.problem("segment", "the cell is empty.")
        if row.has("source"):
            self.take_segment(db, row, key, documents)
        outputs = list(row.texts(row.meaning.outputs))
        edits = {}
        if row.has("text"):
            system = row.text("system") if row.has("system") else self.system
            outputs.append((system, row.get("text")))
            edits[system] = row.get("post_edit")
        for system, text in outputs_there(outputs).items():
            edit = edits.get(system, "")
            known = db.execute(
                "INSERT INTO outputs (key, system, text, edit) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (key, system) DO UPDATE SET n = n RETURNING text, edit",
                [key, system, text, edit],
            ).fetchone()
            if known != (text, edit):
                reason = f"an earlier row has another output of {shortened(system)} for it."
                raise row.problem("text", reason)

    @staticmethod
    def take_segment(
        db: sqlite3.Connection, row: RoleRow, key: str, documents: DocumentLines
    ) -> None:
        source = row.get("source")
        if is_blank(source):
            raise row.problem("source", "the cell is empty.")
        domain, document = row.get("domain"), row.get("document")
        if row.has("document"):
            line = f"{domain}\t{document or THE_DOCUMENT}"
            domain, document = documents.read(row.file, row.number, line)
        references = references_there(row.texts(row.meaning.references))
        original = row.get("original_language")
        gloss = gloss_in(row.get("gloss"))
        kept = [document or THE_DOCUMENT, source, references, domain, original, gloss]
        known = db.execute(
            "INSERT INTO segments (key, row) VALUES (?, ?)"
            " ON CONFLICT (key) DO UPDATE SET n = n RETURNING row",
            [key, json.dumps([row.file, row.number, *kept])],
        ).fetchone()
        if json.loads(known[0])[2:] != kept:
            reason = f"an earlier row says other things of the segment {shortened(key)}."
            raise row.problem("segment", reason)

    @staticmethod
    def stored(db: sqlite3.Connection) -> Iterator[SegmentTexts]:
        for key, row in db.execute("SELECT key, row FROM segments ORDER BY n"):
            file, number, document, source, references, domain, original, gloss = json.loads(row)
            rows = db.execute(
                "SELECT system, text, edit FROM outputs WHERE key = ? ORDER BY n", [key]
            ).fetchall()
            yield SegmentTexts(
                file,
                number,
                key,
                document,
                source,
                references,
                {system: text for system, text, _ in rows},
                domain,
                original,
                gloss,
                post_edits={system: edit for system, _, edit in rows if edit},
            )


def shifted(key: str, shift: int) -> str:
    """A number of a segment, counted from another start; other names stay."""
    return str(int(key) + shift) if shift and key.isdecimal() else key
