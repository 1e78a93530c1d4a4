"""Texts in tables of any kind → segments with their references and outputs.

A table may hold a segment in each row, an output in each row, or both; outputs of one segment stand
anywhere. They wait in a temporary file, so that memory does not grow with them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from judgments.files.problem import ImportProblem, shortened
from judgments.files.table import Row
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
from ..text_store import AS_THEY_CAME, TextStore
from .columns import Meaning
from .source_table import COUNT


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
        with closing(TextStore()) as store:
            documents = DocumentLines()
            for each in self.tables:
                for row, key in self.rows(each, problems):
                    try:
                        self.take(store, each, row, key, documents)
                    except ImportProblem as problem:
                        problems.add(problem)
            yield from store.segments(AS_THEY_CAME)

    def rows(self, each: Meaning, problems: Problems) -> Iterator[tuple[Row, str]]:
        for row in each.table.read(problems):
            if not self.pair or row.get(each.column("pair")) in ("", self.pair):
                yield row, shifted(row.get(each.column("segment") or COUNT), self.shift)

    def take(
        self, store: TextStore, each: Meaning, row: Row, key: str, documents: DocumentLines
    ) -> None:
        if not key:
            raise row.problem(each.column("segment"), "the cell is empty.")
        if each.has("source"):
            self.take_segment(store, each, row, key, documents)
        outputs = [(name, row.get(column)) for name, column in each.outputs.items()]
        edits = {}
        if each.has("text"):
            system = row.text(each.column("system")) if each.has("system") else self.system
            outputs.append((system, row.get(each.column("text"))))
            edits[system] = row.get(each.column("post_edit"))
        for system, text in outputs_there(outputs).items():
            edit = edits.get(system, "")
            if store.put(key, system, text, edit) != (text, edit):
                reason = f"an earlier row has another output of {shortened(system)} for it."
                raise row.problem(each.column("text"), reason)

    @staticmethod
    def take_segment(
        store: TextStore, each: Meaning, row: Row, key: str, documents: DocumentLines
    ) -> None:
        source = row.get(each.column("source"))
        if is_blank(source):
            raise row.problem(each.column("source"), "the cell is empty.")
        domain, document = row.get(each.column("domain")), row.get(each.column("document"))
        if each.has("document"):
            line = f"{domain}\t{document or THE_DOCUMENT}"
            domain, document = documents.read(row.file, row.number, line)
        references = references_there(
            (name, row.get(column)) for name, column in each.references.items()
        )
        original = row.get(each.column("original_language"))
        gloss = gloss_in(row.get(each.column("gloss")))
        place, about = (
            (row.file, row.number, key, document or THE_DOCUMENT),
            (domain, original, gloss),
        )
        segment = SegmentTexts(*place, source, references, {}, *about)
        known = store.find(key)
        if known is None:
            store.add(segment)
        elif replace(known, file=row.file, row=row.number) != segment:
            reason = f"an earlier row says other things of the segment {shortened(key)}."
            raise row.problem(each.column("segment"), reason)


def shifted(key: str, shift: int) -> str:
    """A number of a segment, counted from another start; other names stay."""
    return str(int(key) + shift) if shift and key.isdecimal() else key
