"""Post-edits of system outputs: a plain-text file for each system, or one table."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from .lines import Budget, Source, name_of, read_lines
from .problem import ImportProblem
from .table import Columns, problem_with_name, read_table
from .texts import LONGEST_NAME, LONGEST_REFERENCE_NAME, LONGEST_SYSTEM_NAME

COLUMNS = Columns(required=("system", "segment", "text"), optional=("name",))
THE_NAME = "post-edit"  # of a set of post-edits for which nobody gives one


class PostEditRow(NamedTuple):
    """One post-edit and the row it came from. `segment`: its key; "" in plain text, where the row
    is its place in the test set."""

    file: str
    row: int
    system: str
    segment: str
    name: str
    text: str

    def problem(self, column: str, reason: str) -> ImportProblem:
        # Plain text has no columns.
        return ImportProblem(self.file, self.row, column if self.segment else "", reason)


def from_lines(systems: Mapping[str, Source], n_segments: int, name: str) -> Iterator[PostEditRow]:
    """Line n of a system's file is the post-edit of its output for segment n; an empty line says
    that there is none.

    Raises ImportProblem for a file that has not one line for each segment, and for an unfit name.
    """
    budget = Budget()
    for system, source in systems.items():
        file = name_of(source)
        if problem := problem_with_name(name, LONGEST_REFERENCE_NAME):
            raise ImportProblem(file, None, "", problem)
        row = 0
        for row, text in read_lines(source, budget):
            if row > n_segments:
                reason = f"the test set has only {n_segments:,} segments."
                raise ImportProblem(file, row, "", reason)
            if text.strip():
                yield PostEditRow(file, row, system, "", name, text)
        if row != n_segments:
            reason = (
                f"the file has {row:,} line{'s' * (row != 1)}, but the test set has {n_segments:,} "
                "segments. Leave a line empty where there is no post-edit."
            )
            raise ImportProblem(file, None, "", reason)


def from_table(table: Source, name: str) -> Iterator[PostEditRow]:
    """A row for each post-edit; `name` is that of rows which give none."""
    for row in read_table(table, COLUMNS):
        named = row.name("name", LONGEST_REFERENCE_NAME) if row.get("name") else name
        if problem := problem_with_name(named, LONGEST_REFERENCE_NAME):
            raise row.problem("name", problem)
        yield PostEditRow(
            row.file,
            row.number,
            row.name("system", LONGEST_SYSTEM_NAME),
            row.name("segment", LONGEST_NAME),
            named,
            row.text("text"),
        )
