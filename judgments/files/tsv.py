"""TSV: UTF-8, the first line names the columns, a tab between cells, no quoting.

A cell cannot hold a tab or a line break; every other character, quotation marks included, is
taken as it stands.
"""

from collections.abc import Iterator

from .lines import Source, name_of, read_lines
from .problem import ImportProblem

SUFFIXES = (".tsv", ".tsv.gz")


def read(source: Source) -> Iterator[tuple[int, dict[str, str]]]:
    """(line number, {column: cell}) of every line after the header.

    Raises ImportProblem for an empty file, an unnamed or twice named column, and a line with
    another number of cells than the header.
    """
    lines = read_lines(source)
    name = name_of(source)
    _, header = next(lines, (1, None))
    if header is None:
        raise ImportProblem(name, None, "", "the file is empty; its first line names the columns.")
    columns = header.split("\t")
    known: set[str] = set()
    for place, column in enumerate(columns, 1):
        if not column.strip():
            raise ImportProblem(name, 1, "", f"column {place} has no name.")
        if column in known:
            raise ImportProblem(name, 1, column, "two columns have this name.")
        known.add(column)
    for number, line in lines:
        cells = line.split("\t")
        if len(cells) != len(columns):
            reason = "the line is empty."
            if line:
                reason = f"{_cells(len(cells))}, but the header has {len(columns)}."
            raise ImportProblem(name, number, "", reason)
        yield number, dict(zip(columns, cells, strict=True))


def _cells(count: int) -> str:
    return f"the line has {count} cell" + "s" * (count != 1)
