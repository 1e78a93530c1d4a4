"""One small table of judgments as each kind of file."""

import gzip
import io
import json

import docx
import openpyxl
import pyarrow as pa
from pyarrow import parquet

from judgments.exchange.releases import registry
from judgments.exchange.releases.records import Problems
from judgments.files.uploads import opened

HEADER = "worker\tseg_id\tsys_id\ttype\tadequacy\tfluency"

ROWS = [
    "W1\t0\tonline-A\tSYSTEM\t81.5\t70",
    "W1\t1\tonline-A\tBAD_REF\t-3\t",
    "W2\t0\tonline-B\tREPEAT\t12\t99",
    "W2\t10\tonline-B\tREF\t100\t100",
]


def read(folder, answers=None, **files):
    """What files of these names and contents hold: (release, its screens, its problems)."""
    for name, content in files.items():
        content = content if isinstance(content, bytes) else content.encode()
        (folder / name.replace("__", ".")).write_bytes(content)
    with opened([folder / name.replace("__", ".") for name in files]) as found:
        problems = Problems()
        release = registry.read(found, answers or {}, problems)
        screens = [screen for part in release.judgments for screen in part.screens()]
        said = {part.name: list(part.segments()) for part in release.texts}
    return release, screens, said, problems


def said(screens):
    return [(s.annotator, s.segment, s.outputs, s.kind, s.ratings) for s in screens]


EXPECTED = [
    (
        "W1",
        "0",
        ["online-A"],
        "regular",
        [("online-A", "adequacy", 81.5), ("online-A", "fluency", 70)],
    ),
    ("W1", "1", ["online-A"], "degraded", [("online-A", "adequacy", -3.0)]),
    (
        "W2",
        "0",
        ["online-B"],
        "repeat",
        [("online-B", "adequacy", 12), ("online-B", "fluency", 99)],
    ),
    (
        "W2",
        "10",
        ["online-B"],
        "reference",
        [("online-B", "adequacy", 100), ("online-B", "fluency", 100)],
    ),
]


def as_csv(text, delimiter):
    rows = [line.split("\t") for line in text.splitlines()]
    return "\n".join(delimiter.join(f'"{cell}"' for cell in row) for row in rows)


def as_json(text):
    header, *rows = (line.split("\t") for line in text.splitlines())
    return "\n".join(json.dumps(dict(zip(header, row, strict=True))) for row in rows)


def as_workbook(text):
    book = openpyxl.Workbook()
    for line in text.splitlines():
        book.active.append(
            [
                float(c) if c.lstrip("-").replace(".", "").isdecimal() else c
                for c in line.split("\t")
            ]
        )
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def as_document(text):
    rows = [line.split("\t") for line in text.splitlines()]
    document = docx.Document()
    document.add_paragraph("What stands before the table.")
    table = document.add_table(len(rows), len(rows[0]))
    for row, cells in zip(table.rows, rows, strict=True):
        for cell, words in zip(row.cells, cells, strict=True):
            cell.text = words
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


def as_parquet(text):
    header, *rows = (line.split("\t") for line in text.splitlines())
    stream = io.BytesIO()
    parquet.write_table(pa.table({n: [r[i] for r in rows] for i, n in enumerate(header)}), stream)
    return stream.getvalue()


TABLE = "\n".join([HEADER, *ROWS])

KINDS = {
    "scores.tsv": TABLE,
    "scores.txt": TABLE,
    "scores.tsv.gz": gzip.compress(TABLE.encode()),
    "scores.csv": as_csv(TABLE, ","),
    "semicolons.csv": as_csv(TABLE, ";"),
    "scores.jsonl": as_json(TABLE),
    "scores.docx": as_document(TABLE),
    "scores.parquet": as_parquet(TABLE),
    "packed.parquet.gz": gzip.compress(as_parquet(TABLE)),
}
