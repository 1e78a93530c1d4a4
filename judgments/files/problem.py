"""The error of every import, and the data common to all rows of files."""

from collections.abc import Sequence
from dataclasses import dataclass

USUAL_LIMIT = 1.0  # percent of the rows that may be left out without another confirmation


class ImportProblem(Exception):
    """A file that cannot be imported: which file, which row and column, and the reason.

    row: the line of the file as an editor numbers it, from 1 (a table's header is line 1), or None
    for the whole file. column: the name of a table's column, or "".
    """

    def __init__(self, file: str, row: int | None, column: str, reason: str) -> None:
        super().__init__(file, row, column, reason)
        self.file = file
        self.row = row
        self.column = column
        self.reason = reason

    def __str__(self) -> str:
        place = self.file
        if self.row is not None:
            place += f", row {self.row:,}"
        if self.column:
            place += f", column {self.column}"
        return f"{place}: {self.reason}"


@dataclass(slots=True)
class FileRow:
    """The content of one row of a file. Formats add fields."""

    file: str
    row: int

    def problem(self, column: str, reason: str) -> ImportProblem:
        return ImportProblem(self.file, self.row, column, reason)


def shortened(text: str, length: int = 60) -> str:
    """Return a quotation from a file for a message: one line of limited length, without characters
    that neither a page nor the database can hold."""
    text = " ".join(text.split()).encode(errors="replace").decode().replace("\0", "?")
    return f"“{text[: length - 1]}…”" if len(text) > length else f"“{text}”"


class Problems:
    """All errors of some files: the first hundred, and their number.

    A part is read more than once, so the same problem may be added again; it counts once. rows: the
    rows (file, number) that problems are about; along: rows that are left out with them, since they
    are of the same judgment. n_without_row: problems with a file as a whole,
    which cannot be left out. tables: the columns of tables by their files, and which of them were
    looked up.
    """

    SHOWN = 100
    NAMED = 30  # unused columns, by name

    def __init__(self) -> None:
        self.first: list[ImportProblem] = []
        self.rows: set[tuple[str, int]] = set()
        self.along: set[tuple[str, int]] = set()
        self.n_without_row = 0
        self._known: set[int] = set()
        self.tables: dict[str, tuple[tuple[str, ...], set[str]]] = {}

    def seen(self, file: str, columns: Sequence[str]) -> set[str]:
        """Return the set of looked-up columns of a table; code that looks one up adds it."""
        return self.tables.setdefault(file, (tuple(columns), set()))[1]

    def unused(self) -> list[str]:
        """Return a sentence about each table with unused columns."""
        found = []
        for file, (columns, seen) in self.tables.items():
            if left := [column for column in columns if column not in seen]:
                of_them = "1 column is" if len(left) == 1 else f"{len(left):,} columns are"
                names = ", ".join(left[: self.NAMED]) + (" …" if len(left) > self.NAMED else "")
                found.append(f"{of_them} not used from {file}: {names}.")
        return found

    def add(self, problem: ImportProblem) -> None:
        key = hash(problem.args)
        if key in self._known:
            return
        self._known.add(key)
        if problem.row is not None:
            self.rows.add((problem.file, problem.row))
        else:
            self.n_without_row += 1
        if len(self.first) < self.SHOWN:
            self.first.append(problem)

    @property
    def left_out(self) -> set[tuple[str, int]]:
        """The rows that are left out if those with problems are."""
        return self.rows | self.along

    @property
    def n(self) -> int:
        return len(self._known)

    def __bool__(self) -> bool:
        return self.n > 0

    def as_one(self) -> ImportProblem:
        """Return the first problem, with the number of further ones."""
        first = self.first[0]
        if self.n == 1:
            return first
        more = f"{self.n - 1:,} more problem{'s'[: self.n != 2]}"
        reason = f"{first.reason.rstrip('.')}. There {'is' if self.n == 2 else 'are'} {more}."
        return ImportProblem(first.file, first.row, first.column, reason)

    def share_of(self, n_records: int) -> float | None:
        """Return the percentage of all rows with problems, if `n_records` could be read; None if a
        problem is about no row, or nothing else would remain."""
        if self.n_without_row or not self.rows or not n_records:
            return None
        return 100 * len(self.rows) / (len(self.rows) + n_records)
