"""The one error of every import, and what every row of a file can say of itself."""

from dataclasses import dataclass


class ImportProblem(Exception):
    """A file that cannot be imported: which file, which row and column, and what is wrong there.

    row: the line of the file as an editor numbers it, from 1 (a table's header is line 1), or None
    when the whole file is meant. column: the name of a table's column, or "".
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
    """What was read from one row of a file. Formats add what their rows hold."""

    file: str
    row: int

    def problem(self, column: str, reason: str) -> ImportProblem:
        return ImportProblem(self.file, self.row, column, reason)


def shortened(text: str, length: int = 60) -> str:
    """A piece of a file as a message quotes it: one line of bounded length."""
    text = " ".join(text.split())
    return f"“{text[: length - 1]}…”" if len(text) > length else f"“{text}”"
