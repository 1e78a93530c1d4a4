"""A reference set of a test set: one line for each segment, or a table."""

from collections.abc import Iterator
from dataclasses import dataclass

from .lines import Source, check_plain, name_of, problem_with_text, read_lines
from .problem import FileRow, ImportProblem
from .table import FORMATS, Columns, read_table
from .texts import LONGEST_NAME

# `source` is in the table that the site exports: the text that was translated.
COLUMNS = Columns(("segment", "text"), ("source",))


@dataclass(slots=True)
class ReferenceText(FileRow):
    """The reference of one segment. `name`: of the set. `segment`: its key; "" in plain text, where
    the row is its place in the test set. `source`: "" if the file has none."""

    name: str
    segment: str
    text: str
    source: str = ""


def read_reference(source: Source, name: str, n_segments: int) -> Iterator[ReferenceText]:
    """Yield the texts of a table (by its name: .tsv, .csv, .jsonl, each also .gz), or of plain
    text: line n is the reference of segment n, and is empty if there is none. name: of the set.

    Raise ImportProblem, also for plain text that does not have one line for each segment.
    """
    if name_of(source).endswith(tuple(FORMATS)):
        for row in read_table(source, COLUMNS, exported=True):
            key, text = row.name("segment", LONGEST_NAME), row.text("text")
            yield ReferenceText(row.file, row.number, name, key, text, row.get("source"))
        return
    yield from _lines(source, name, n_segments)


def _lines(source: Source, name: str, n_segments: int) -> Iterator[ReferenceText]:
    check_plain(source)
    file, row = name_of(source), 0
    for row, text in read_lines(source):
        if row > n_segments:
            reason = f"the test set has only {n_segments:,} segments."
            raise ImportProblem(file, row, "", reason)
        if problem := problem_with_text(text):
            raise ImportProblem(file, row, "", problem)
        if text.strip():
            yield ReferenceText(file, row, name, "", text)
    if row != n_segments:
        reason = (
            f"the file has {row:,} line{'s' * (row != 1)}, but the test set has "
            f"{n_segments:,} segments. Leave a line empty where there is no reference."
        )
        raise ImportProblem(file, None, "", reason)
