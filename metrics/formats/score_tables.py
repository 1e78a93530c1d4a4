"""Scores as tables, TSV or JSON lines, long or wide.

Long: `system`, `segment` or `document` or neither, `score`, and if you like `metric` and
`references`. Wide: without a column `score`; every other column is a metric of that name.
"""

from collections.abc import Collection, Iterator

from judgments.files.lines import Source, name_of
from judgments.files.table import Columns, Row, in_one_shape, problem_with_name, read_table
from judgments.files.texts import LONGEST_NAME, LONGEST_SYSTEM_NAME

from .entries import Entry, parse_references, parse_score

LONGEST_METRIC_NAME = 100
LONG = Columns(
    required=("system", "score"), optional=("segment", "document", "metric", "references")
)
ABOUT = ("system", "segment", "document", "references")
# Whatever a wide table's other columns are called, they are metrics.
WIDE = Columns(required=("system",), optional=ABOUT[1:], prefixes=("",))
SEPARATOR = "+"


def read(source: Source, known_references: Collection[str]) -> Iterator[Entry]:
    """Yield every score of a table; the names of references are checked by whoever knows them.

    Raises ImportProblem for columns that do not fit together, and for whatever a table objects to.
    """
    for place, row in enumerate(in_one_shape(read_table(source, WIDE))):
        if not place:
            check_shape(row, tuple(row.cells))
        yield from entries(name_of(source), row)


def check_shape(row: Row, columns: tuple[str, ...]) -> None:
    """Raise ImportProblem unless the columns are those of a long or of a wide table."""
    if "segment" in columns and "document" in columns:
        raise row.problem("document", "a score belongs to a segment or to a document, not to both.")
    if "score" in columns:
        LONG.check(row.file, row.number, columns)
        return
    metrics = metrics_in(columns)
    if not metrics:
        raise row.problem("", "no column holds scores: name one “score”, or after a metric.")
    for name in metrics:
        if problem := problem_with_name(name, LONGEST_METRIC_NAME):
            raise row.problem(name, problem)


def metrics_in(columns: tuple[str, ...]) -> list[str]:
    return [name for name in columns if name not in ABOUT]


def entries(file: str, row: Row) -> Iterator[Entry]:
    """Yield the scores of one row."""
    level = next((name for name in ("segment", "document") if name in row.cells), "system")
    system = row.name("system", LONGEST_SYSTEM_NAME)
    key = "" if level == "system" else row.name(level, LONGEST_NAME)
    given = row.get("references")
    references = parse_references(given, SEPARATOR) if given else None
    if "score" in row.cells:
        metric = row.name("metric", LONGEST_METRIC_NAME) if row.get("metric") else ""
        cells = {"score": metric}
    else:
        cells = {name: name for name in metrics_in(tuple(row.cells))}
    for column, metric in cells.items():
        # In a table an empty cell is a score that is missing, as everywhere else.
        text = row.get(column) or "None"
        value = parse_score(file, row.number, column, text)
        yield Entry(file, row.number, column, metric, references, level, system, key, text, value)
