"""What a line of any file of scores says, and how its score is written."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from judgments.files.problem import ImportProblem, shortened
from judgments.files.table import NUMBER

LEVELS = ("segment", "document", "domain", "system")
# How files write that a score is missing; mt-metrics-eval writes None.
MISSING = {"none", "nan"}
WITHOUT_REFERENCE = "src"
# Squares of scores and their sums stay finite below.
LARGEST = 1e100


class Entry(NamedTuple):
    """One score, and the place it came from.

    metric: "" where the file does not name it. references: names, () for a metric that reads none,
    None where the file does not say. key: of the segment, document or domain; "" where the file
    lists them in the order of the test set. text: the score as it is written; value: NaN where it
    is missing.
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
    """Return a finite number, or NaN for a score that is missing; raises ImportProblem for anything
    else, infinity included."""
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
    """`ref`, `refA+refB`, or `src` for none at all → names in alphabetical order."""
    if text == WITHOUT_REFERENCE:
        return ()
    return tuple(sorted(set(text.split(separator))))


def parse_given(names: Sequence[str]) -> tuple[str, ...] | None:
    """Return references as a person lists them: `src` alone is none at all, and no name means that
    the files say it."""
    if not names:
        return None
    return () if list(names) == [WITHOUT_REFERENCE] else tuple(names)
