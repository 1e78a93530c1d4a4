"""Errors that a metric marks: in the lines of a kit's file, and as a table with a row for each.

Columns `segment`, `system`, `start`, `end`, `severity`, and if you like `category`, `confidence`,
`metric` and `references`. A row without start, end and severity says that nothing is marked.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from judgments.files.lines import Source, name_of
from judgments.files.problem import ImportProblem, shortened
from judgments.files.table import FORMATS, Columns, Row, problem_with_name, read_table
from judgments.files.texts import LONGEST_NAME, LONGEST_SYSTEM_NAME

from .entries import parse_references
from .score_tables import LONGEST_METRIC_NAME, SEPARATOR

# In one output; nobody reads more, and the whole list is read at once.
MOST_ERRORS = 1_000
LARGEST_PLACE = 10_000_000
LONGEST_SEVERITY = 20
LONGEST_CATEGORY = 120
PLACE = ("start", "end", "severity")
COLUMNS = Columns(
    required=("segment", "system", *PLACE),
    optional=("category", "confidence", "metric", "references"),
)


class ErrorOfMetric(NamedTuple):
    """Code points of the output, the end exclusive."""

    start: int
    end: int
    severity: str
    category: str = ""
    confidence: float | None = None


class ErrorRow(NamedTuple):
    """A row of a table; error: None where it says that nothing is marked. references: None where
    the file does not say."""

    file: str
    row: int
    metric: str
    references: tuple[str, ...] | None
    system: str
    segment: str
    error: ErrorOfMetric | None


def is_error_table(source: Source) -> bool:
    """Return whether the columns of a table are those of marked errors."""
    if not name_of(source).endswith(tuple(FORMATS)):
        return False
    try:
        first = next(read_table(source, Columns(required=(), prefixes=("",))), None)
    except ImportProblem:
        return False  # whoever reads it as scores says what is wrong
    return first is not None and {"start", "end"} <= set(first.cells)


def read_table_of_errors(source: Source) -> Iterator[ErrorRow]:
    """Raise ImportProblem for a row that is no error of a segment."""
    for row in read_table(source, COLUMNS, exported=True):
        given = row.get("references")
        yield ErrorRow(
            row.file,
            row.number,
            row.name("metric", LONGEST_METRIC_NAME) if row.get("metric") else "",
            parse_references(given, SEPARATOR) if given else None,
            row.name("system", LONGEST_SYSTEM_NAME),
            row.name("segment", LONGEST_NAME),
            _error_of(row),
        )


def _error_of(row: Row) -> ErrorOfMetric | None:
    if not any(row.get(name) for name in PLACE):
        return None
    start, end = (_whole(row, name) for name in ("start", "end"))
    confidence = row.decimal("confidence") if row.get("confidence") else None
    found = ErrorOfMetric(start, end, row.get("severity"), row.get("category"), confidence)
    return _checked(row.file, row.number, found)


def _whole(row: Row, name: str) -> int:
    cell = row.get(name)
    if not (cell.isascii() and cell.isdigit() and len(cell) < 9):
        raise row.problem(name, f"{shortened(cell)} is not a place: a whole number from 0.")
    return int(cell)


def in_line(file: str, row: int, found: dict[str, Any]) -> list[ErrorOfMetric] | None:
    """`spans` of a line of JSON; None where it has none. Raise ImportProblem for other values."""
    spans = found.get("spans")
    if spans is None:
        return None
    if not isinstance(spans, list) or len(spans) > MOST_ERRORS:
        reason = f"the value should be a list of at most {MOST_ERRORS:,} errors."
        raise ImportProblem(file, row, "spans", reason)
    return [_from_json(file, row, span) for span in spans]


def _from_json(file: str, row: int, span: Any) -> ErrorOfMetric:
    known = span if isinstance(span, dict) else {}
    start, end, severity = (known.get(name) for name in PLACE)
    category, confidence = known.get("category") or "", known.get("confidence")
    is_place = all(type(each) is int and 0 <= each <= LARGEST_PLACE for each in (start, end))
    is_number = confidence is None or type(confidence) in (int, float)
    if not (is_place and is_number and isinstance(severity, str) and isinstance(category, str)):
        reason = "an error has start and end (whole numbers), severity, and optionally category."
        raise ImportProblem(file, row, "spans", reason)
    assert isinstance(start, int) and isinstance(end, int)
    check_confidence(file, row, confidence)  # a whole number may be too large for a float
    told = None if confidence is None else float(confidence)
    return _checked(file, row, ErrorOfMetric(start, end, severity, category, told))


def _checked(file: str, row: int, found: ErrorOfMetric) -> ErrorOfMetric:
    """Return the error, its names without regard to letter case."""
    if found.start >= found.end:
        reason = f"it goes from {found.start} to {found.end}; the end is after the last character."
        raise ImportProblem(file, row, "end", reason)
    severity, category = found.severity.strip().lower(), found.category.strip().lower()
    for column, name, longest in (
        ("severity", severity, LONGEST_SEVERITY),
        ("category", category or "-", LONGEST_CATEGORY),
    ):
        if problem := problem_with_name(name, longest):
            raise ImportProblem(file, row, column, problem)
    check_confidence(file, row, found.confidence)
    return found._replace(severity=severity, category=category)


def check_confidence(file: str, row: int, confidence: float | None) -> None:
    """Raise ImportProblem for a confidence that is none, NaN among them."""
    if confidence is not None and not 0 <= confidence <= 1:
        raise ImportProblem(file, row, "confidence", "the value should be from 0 to 1.")


def computed(span: Any, length: int) -> ErrorOfMetric | None:
    """Return an error that a model marked in an output of so many characters, cut to it; None where
    nothing of it is left, or it is no error. A confidence that is not from 0 to 1 is none."""
    known = span if isinstance(span, dict) else {}
    start, end, severity = (known.get(name) for name in PLACE)
    if not (type(start) is int and type(end) is int and isinstance(severity, str)):
        return None
    start, end, severity = max(start, 0), min(end, length), severity.strip().lower()
    if start >= end or problem_with_name(severity, LONGEST_SEVERITY):
        return None
    told, confidence = known.get("confidence"), None
    if isinstance(told, int | float) and 0 <= told <= 1:
        confidence = float(told)
    return ErrorOfMetric(start, end, severity, confidence=confidence)
