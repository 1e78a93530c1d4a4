"""The place of an error in a text: by offsets, by the marked words, or by both."""

from typing import Protocol

from judgments.models import WITHOUT_PLACE

from .formulas import BLANKS
from .problem import ImportProblem, shortened
from .table import Row

LARGEST = 9  # digits of an offset


class Place(Protocol):
    """A row of a file that can report an error."""

    def problem(self, column: str, reason: str) -> ImportProblem: ...


def offsets(row: Row, side: str) -> tuple[int | None, int | None]:
    """Return the columns `start` and `end`, both or neither. Raise ImportProblem if only one is
    given, or if there are neither they nor the column `text`."""
    start, end = (_offset(row, column) for column in ("start", "end"))
    if (start is None) != (end is None):
        column = "start" if start is None else "end"
        raise row.problem(column, "give both the start and the end, or neither.")
    if start is None and not row.get("text") and side not in WITHOUT_PLACE:
        raise row.problem("start", "give the start and the end, or the marked text.")
    return start, end


def place_of(
    row: Place,
    text: str,
    start: int | None,
    end: int | None,
    marked: str,
    *,
    may_be_empty: bool = False,
) -> tuple[int, int]:
    """Return start and end in code points of the text, the end exclusive. Raise ImportProblem for a
    place that is not in the text, and for `marked` words that are elsewhere, or in several places.
    may_be_empty: whether it may be between two characters."""
    if start is None or end is None:
        return _occurrence(row, text, marked)
    if not start < end + may_be_empty or end > len(text):
        reason = f"from {start} to {end} there is no text: it has only {len(text)} characters."
        raise row.problem("end", reason)
    # In tables, line breaks and tabs are written as blanks.
    if marked and text[start:end].translate(BLANKS) != marked.translate(BLANKS):
        reason = (
            f"from {start} to {end} the text reads {shortened(text[start:end])}, not "
            f"{shortened(marked)}. Count code points, the end exclusive."
        )
        raise row.problem("text", reason)
    return start, end


def _offset(row: Row, column: str) -> int | None:
    cell = row.get(column).strip()
    if not cell:
        return None
    if not (cell.isascii() and cell.isdigit()) or len(cell) > LARGEST:
        raise row.problem(column, "this should be a whole number from 0: a count of characters.")
    return int(cell)


def _occurrence(row: Place, text: str, marked: str) -> tuple[int, int]:
    at = text.find(marked)
    if at < 0:
        raise row.problem("text", f"{shortened(marked)} does not occur in the text.")
    if text.find(marked, at + 1) >= 0:
        reason = f"{shortened(marked)} occurs more than once; give start and end."
        raise row.problem("text", reason)
    return at, at + len(marked)
