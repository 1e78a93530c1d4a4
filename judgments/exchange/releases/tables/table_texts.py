"""Texts in tables of any kind → segments with their references and outputs.

A table may hold a segment in each row, an output in each row, or both; outputs of one segment stand
anywhere. They wait in a temporary file, so that memory does not grow with them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

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
from ..text_store import AS_THEY_CAME, TextStore
from .columns import Meaning, RoleRow


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
                for row in each.rows(problems, self.pair):
                    try:
                        self.take(store, row, documents)
                    except ImportProblem as problem:
                        problems.add(problem)
            yield from store.segments(AS_THEY_CAME)

    def take(self, store: TextStore, row: RoleRow, documents: DocumentLines) -> None:
        key = shifted(row.get("segment"), self.shift)
        if not key:
            raise row.problem("segment", "the cell is empty.")
        if row.has("source"):
            self.take_segment(store, row, key, documents)
        outputs = list(row.texts(row.meaning.outputs))
        edits = {}
        if row.has("text"):
            system = row.text("system") if row.has("system") else self.system
            outputs.append((system, row.get("text")))
            edits[system] = row.get("post_edit")
        for system, text in outputs_there(outputs).items():
            edit = edits.get(system, "")
            if store.put(key, system, text, edit) != (text, edit):
                reason = f"an earlier row has a different output of {shortened(system)} for it."
                raise row.problem("text", reason)

    @staticmethod
    def take_segment(store: TextStore, row: RoleRow, key: str, documents: DocumentLines) -> None:
        source = row.get("source")
        if is_blank(source):
            raise row.problem("source", "the cell is empty.")
        domain, document = row.get("domain"), row.get("document")
        if row.has("document"):
            line = f"{domain}\t{document or THE_DOCUMENT}"
            domain, document = documents.read(row.file, row.number, line)
        references = references_there(row.texts(row.meaning.references))
        original, gloss = row.get("original_language"), gloss_in(row.get("gloss"))
        place = (row.file, row.number, key, document or THE_DOCUMENT)
        donors = row.texts(row.meaning.donors)
        segment = SegmentTexts(
            *place,
            source,
            references,
            {},
            domain,
            original,
            gloss,
            donors={name: each for name, each in donors if each and name in references},
        )
        known = store.find(key)
        if known is None:
            store.add(segment)
        elif replace(known, file=row.file, row=row.number) != segment:
            reason = f"an earlier row says something else about the segment {shortened(key)}."
            raise row.problem("segment", reason)


def shifted(key: str, shift: int) -> str:
    """Return a number of a segment, counted from another start; other names stay."""
    return str(int(key) + shift) if shift and key.isdecimal() else key
