"""The content of a line in any file of scores, and the written form of its score."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from judgments.files.problem import ImportProblem, shortened
from judgments.files.table import NUMBER

LEVELS = ("segment", "document", "domain", "system")
# Written forms of a missing score; mt-metrics-eval writes None.
MISSING = {"none", "nan"}
WITHOUT_REFERENCE = "src"
# Squares of scores and their sums stay finite below this.
LARGEST = 1e100


class Entry(NamedTuple):
    """One score, and its location in a file.

    metric: "" if the file does not name it. references: names, () for a metric that reads none,
    None if the file does not say. key: of the segment, document or domain; "" if the file lists
    them in the order of the test set. text: the score as written; value: NaN if missing.
    """

    file: str
    row: int
    column: str
    metric: str
    references: tuple[str, ...] | None
    level: str
    system: str
    key: str
    text: str
    value: float

    def problem(self, reason: str) -> ImportProblem:
        return ImportProblem(self.file, self.row, self.column, reason)


def parse_score(file: str, row: int, column: str, cell: str) -> float:
    """Return a finite number, or NaN for a missing score. Raise ImportProblem for anything else,
    including infinity."""
    if cell.lower() in MISSING:
        return math.nan
    value = float(cell) if NUMBER.fullmatch(cell) else math.nan
    if abs(value) > LARGEST and math.isfinite(value):
        reason = f"{shortened(cell)} is too large a number for a score."
        raise ImportProblem(file, row, column, reason)
    if not math.isfinite(value):
        reason = f"{shortened(cell)} is not a finite number. A missing score is written None."
        raise ImportProblem(file, row, column, reason)
    return value


def parse_references(text: str, separator: str) -> tuple[str, ...]:
    """Return names in alphabetical order from `ref`, `refA+refB`, or `src` for none at all."""
    if text == WITHOUT_REFERENCE:
        return ()
    return tuple(sorted(set(text.split(separator))))


def parse_given(names: Sequence[str]) -> tuple[str, ...] | None:
    """Return references as listed by a user: `src` alone means none at all, and an empty list means
    that the files say it."""
    if not names:
        return None
    return () if list(names) == [WITHOUT_REFERENCE] else tuple(names)
