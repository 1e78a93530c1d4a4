"""Files as provided by users: plain text and tables. A name in `.gz` compresses."""

import gzip
import json
import os
from collections.abc import Iterable, Sequence


def write_lines(path: str | os.PathLike[str], texts: list[str]) -> None:
    """Write one text per line; a line break inside a text becomes a space. `.gz` compresses."""
    opener = gzip.open if str(path).endswith(".gz") else open
    with opener(path, "wt", encoding="utf-8", newline="\n") as out:  # type: ignore[operator]
        out.writelines(text.replace("\r", " ").replace("\n", " ") + "\n" for text in texts)


def write_tsv(
    path: str | os.PathLike[str], columns: Sequence[str], rows: Iterable[Sequence[object]]
) -> None:
    """Write rows under a header; a tab or line break inside a cell becomes a space. `.gz`
    compresses."""
    opener = gzip.open if str(path).endswith(".gz") else open
    blanks = str.maketrans("\t\n\r", "   ")
    with opener(path, "wt", encoding="utf-8", newline="\n") as out:  # type: ignore[operator]
        for row in (columns, *rows):
            out.write("\t".join(str(cell).translate(blanks) for cell in row) + "\n")


def write_jsonl(
    path: str | os.PathLike[str], columns: Sequence[str], rows: Iterable[Sequence[object]]
) -> None:
    """Write each row as an object with these keys. `.gz` compresses."""
    opener = gzip.open if str(path).endswith(".gz") else open
    with opener(path, "wt", encoding="utf-8", newline="\n") as out:  # type: ignore[operator]
        for row in rows:
            record = dict(zip(columns, row, strict=True))
            out.write(json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n")
