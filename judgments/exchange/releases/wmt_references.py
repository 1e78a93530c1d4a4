"""References that WMT26 composed of systems' outputs: for each document the one that people scored
best, with single paragraphs of others; and the table of their systems.

    {"doc_id": "WMT26_###_…", "hypothesis": "<p>…</p> <p>…</p>", "hypothesis_segmented": […],
     "metadata": {"document_selected_system": "NAME", "replaced_segments": 0, …}}
    doc_id,segment_index,final_system,…
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from judgments.files import csv_files
from judgments.files.jsonl import decoded
from judgments.files.lines import read_lines
from judgments.files.problem import ImportProblem
from judgments.files.table import problem_with_name
from judgments.files.texts import LONGEST_REFERENCE_NAME, is_blank
from judgments.files.uploads import ReleaseFile

from .records import Problems
from .text_store import TextStore
from .wmt_ids import id_in
from .wmt_jsonl import checked

PUT_TOGETHER = re.compile(rb'"(?:hypothesis_segmented|document_selected_system)"\s*:')
COLUMNS = {"doc_id", "segment_index", "final_system"}


def is_put_together(file: ReleaseFile) -> bool:
    return bool(PUT_TOGETHER.search(file.head()))


def is_donor_table(file: ReleaseFile) -> bool:
    if not file.name.endswith((".csv", ".tsv")):
        return False
    return set(csv_files.cells_of(next(iter(file.first_lines(1)), ""))) >= COLUMNS


class ChosenReferences:
    """The references of files, and their donors, by documents. names: of the references, after
    their files. The table of donors belongs to the only reference, if there is only one."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.names: list[str] = []
        self.texts = TextStore()  # of documents, by reference
        self.whole: dict[tuple[str, str], str] = {}  # donors of documents
        self.parts: dict[str, dict[int, str]] = defaultdict(dict)  # of their paragraphs

    def add_file(self, file: ReleaseFile) -> None:
        name = file.name.removesuffix(".jsonl")
        if reason := problem_with_name(name, LONGEST_REFERENCE_NAME):
            raise ImportProblem(file.name, None, "", reason)
        self.names.append(name)
        for number, line in read_lines(file.place):
            try:
                row = decoded(file.name, number, line)
                key = id_in(file, number, row).key
                text = checked(file, number, "hypothesis", row.get("hypothesis"))
                if self.texts.put(key, name, text)[0] != text:
                    reason = "this document occurs twice."
                    raise ImportProblem(file.name, number, "doc_id", reason)
                about = row.get("metadata")
                about = about if isinstance(about, dict) else {}
                donor = about.get("document_selected_system")
                if donor is not None and about.get("replaced_segments") == 0:
                    what = "document_selected_system"
                    self.whole[key, name] = checked(file, number, what, donor)
            except ImportProblem as problem:
                self.problems.add(problem)

    def add_table(self, file: ReleaseFile) -> None:
        for number, row in csv_files.read(file.place):
            try:
                place = row["segment_index"]
                if not re.fullmatch("[0-9]{1,9}", place):
                    reason = "it should be a whole number, from 0."
                    raise ImportProblem(file.name, number, "segment_index", reason)
                parts = self.parts[id_in(file, number, row).key]
                if int(place) in parts:
                    reason = "this segment of the document occurs twice."
                    raise ImportProblem(file.name, number, "segment_index", reason)
                donor = checked(file, number, "final_system", row["final_system"])
                parts[int(place)] = donor
            except ImportProblem as problem:
                self.problems.add(problem)

    def notes(self) -> list[str]:
        if len(self.names) < 2 or not self.parts:
            return []
        return [
            "Left out: the table of donors of segments, which does not say of which of the "
            f"{len(self.names):,} references it is."
        ]

    def of(self, key: str) -> dict[str, str]:
        """Return the references of a document, by name."""
        found = {name: self.texts.output(key, name) for name in self.names}
        return {name: text for name, text in found.items() if text and not is_blank(text)}

    def donors(self, key: str, name: str, n: int) -> Sequence[str]:
        """Return the donor of each of the n segments of a document, "" if it is unknown."""
        parts = self.parts.get(key, {}) if len(self.names) == 1 else {}
        if set(parts) == set(range(n)):
            return [parts[place] for place in range(n)]
        if n == 1 and len(set(parts.values())) == 1:
            return list(set(parts.values()))
        return [self.whole.get((key, name), "")] * n
