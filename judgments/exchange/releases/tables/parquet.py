"""Parquet: columns of texts, whole numbers and decimals; read and written some rows at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import IO, Any

from django.conf import settings

from judgments.files.lines import LONGEST_TEXT
from judgments.files.problem import ImportProblem, shortened
from judgments.files.uploads import ReleaseFile
from mteval_site import extras

from ..records import Problems
from .source_table import SourceTable, checked_header, checked_table, stem_of, unpacked

ROWS_AT_ONCE = 500
ROWS_OF_A_GROUP = 20_000
MOST_ROWS = 50_000_000
MOST_BYTES_OF_A_TEXT = 4 * LONGEST_TEXT


@contextmanager
def _opened(file: ReleaseFile) -> Iterator[Any]:
    """Open a Parquet file. Raise ImportProblem for another format, and for more than the site
    accepts.

    A few bytes can represent a long text in millions of rows: texts stay dictionaries until the
    longest of them is known.
    """
    try:
        pa = extras.need("pyarrow")
    except extras.MissingPackage as problem:
        raise ImportProblem(file.path, None, "", str(problem)) from None
    from pyarrow import parquet

    with unpacked(file) as place:
        try:
            schema = parquet.read_schema(place)
            texts = [field.name for field in schema if _is_text(pa, field.type)]
            found = parquet.ParquetFile(place, read_dictionary=texts)
        except (pa.ArrowException, OSError, ValueError):
            raise _torn(file) from None
        with found:
            _check_size(file, found)
            yield found


def _is_text(pa: Any, kind: Any) -> bool:
    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_binary(kind)


def _check_size(file: ReleaseFile, found: Any) -> None:
    import pyarrow as pa

    about = found.metadata
    size = sum(about.row_group(i).total_byte_size for i in range(about.num_row_groups))
    if size > settings.MAX_UPLOAD_BYTES or about.num_rows > MOST_ROWS:
        limit = settings.MAX_UPLOAD_BYTES / 1024**2
        reason = f"it has over {limit:,.0f} MB or {MOST_ROWS:,} rows, the limits of this site."
        raise ImportProblem(file.path, None, "", reason)
    for field in found.schema_arrow:
        if pa.types.is_nested(field.type):
            reason = "the column contains lists or structures; a table has one value in a cell."
            raise ImportProblem(file.path, None, shortened(field.name), reason)


def _torn(file: ReleaseFile) -> ImportProblem:
    return ImportProblem(file.path, None, "", "this is not a Parquet file, or a damaged one.")


def table_of(file: ReleaseFile) -> SourceTable:
    with _opened(file) as found:
        columns = checked_header(file.path, found.schema_arrow.names)

    def rows(problems: Problems) -> Iterator[tuple[int, list[str]]]:
        for number, cells in enumerate(_rows(file), 1):
            try:
                yield number, [_cell(value) for value in cells]
            except UnicodeError:
                reason = "a text contains a character that cannot be stored."
                problems.add(ImportProblem(file.path, number, "", reason))

    return checked_table(file.path, stem_of(file), columns, rows)


def _rows(file: ReleaseFile) -> Iterator[tuple]:
    import pyarrow as pa

    with _opened(file) as found:
        batches = found.iter_batches(ROWS_AT_ONCE, use_threads=False)
        while True:
            try:
                batch = next(batches, None)
                lists = [] if batch is None else [_values(column) for column in batch.columns]
            except (pa.ArrowException, OSError, ValueError):
                raise _torn(file) from None
            if batch is None:
                return
            yield from zip(*lists, strict=True)


def _values(column: Any) -> list:
    """Return the values of a column. Raise ValueError for a text that is longer than the site
    accepts."""
    import pyarrow as pa
    from pyarrow import compute

    if pa.types.is_dictionary(column.type) and len(column.dictionary):
        longest = compute.max(compute.binary_length(column.dictionary)).as_py() or 0
        if longest > MOST_BYTES_OF_A_TEXT:
            raise ValueError("too long")
    return column.to_pylist()


def _cell(value: object) -> str:
    """Return the text of a cell. Raise UnicodeError for a text that the database cannot store."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, bytes):
        text = value.decode()
    elif isinstance(value, int | float):
        text = repr(value)
    else:
        text = value if isinstance(value, str) else str(value)
    if "\0" in text:
        raise UnicodeError("NUL")
    return text


class ParquetTable:
    """A table written some thousand rows at a time. columns: (name, "text", "whole" or "decimal");
    None is an empty cell."""

    def __init__(self, stream: IO[bytes], columns: Sequence[tuple[str, str]]) -> None:
        pa = extras.need("pyarrow")
        from pyarrow import parquet

        types = {"text": pa.string(), "whole": pa.int64(), "decimal": pa.float64()}
        self.pa = pa
        self.schema = pa.schema([(name, types[kind]) for name, kind in columns])
        self.writer = parquet.ParquetWriter(stream, self.schema, compression="zstd")
        self.rows: list[Sequence[object]] = []

    def write(self, row: Sequence[object]) -> None:
        self.rows.append(row)
        if len(self.rows) == ROWS_OF_A_GROUP:
            self._flush()

    def _flush(self) -> None:
        if self.rows:
            columns = zip(*self.rows, strict=True)
            arrays = [
                self.pa.array(list(column), type=field.type)
                for column, field in zip(columns, self.schema, strict=True)
            ]
            self.writer.write_table(self.pa.table(arrays, schema=self.schema))
            self.rows = []

    def close(self) -> None:
        self._flush()
        self.writer.close()
