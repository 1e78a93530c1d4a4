"""Automatic word alignments: a file in Pharaoh's format for each system, or one table."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from .lines import Budget, Source, name_of, read_lines
from .problem import ImportProblem
from .table import Columns, read_table
from .texts import LONGEST_NAME, LONGEST_SYSTEM_NAME

COLUMNS = Columns(required=("system", "segment", "links"))


class ProposedLinks(NamedTuple):
    """The links of one output and the row they came from. `segment`: its key; "" in plain text,
    where the row is its place in the test set."""

    file: str
    row: int
    system: str
    segment: str
    links: str

    def problem(self, column: str, reason: str) -> ImportProblem:
        # Plain text has no columns.
        return ImportProblem(self.file, self.row, column if self.segment else "", reason)


def from_lines(systems: Mapping[str, Source], n_segments: int) -> Iterator[ProposedLinks]:
    """Line n of a system's file has the links of its output for segment n; an empty line has none.

    Raises ImportProblem for a file that has not one line for each segment.
    """
    budget = Budget()
    for system, source in systems.items():
        file = name_of(source)
        row = 0
        for row, text in read_lines(source, budget):
            if row > n_segments:
                reason = f"the test set has only {n_segments:,} segments."
                raise ImportProblem(file, row, "", reason)
            if text.strip():
                yield ProposedLinks(file, row, system, "", text)
        if row != n_segments:
            reason = (
                f"the file has {row:,} line{'s' * (row != 1)}, but the test set has {n_segments:,} "
                "segments. Leave a line empty where there are no links."
            )
            raise ImportProblem(file, None, "", reason)


def from_table(table: Source) -> Iterator[ProposedLinks]:
    for row in read_table(table, COLUMNS):
        yield ProposedLinks(
            row.file,
            row.number,
            row.name("system", LONGEST_SYSTEM_NAME),
            row.name("segment", LONGEST_NAME),
            row.get("links"),
        )
