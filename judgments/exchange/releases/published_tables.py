"""Tables of figures that were published with a release: what `recompute` compares ours with.

A table that begins with `published`, or one of those that WMT publishes with its direct
assessments (`ad-sys-ranking-…-z-names.csv`). A column `system` or `mode` says what a row is of;
what the other columns are is known by their names. Every other column is left out, with a note.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from judgments.files.csv_files import cells_of
from judgments.files.lines import read_lines
from judgments.files.table import NUMBER
from judgments.files.uploads import ReleaseFile

from .format import Answers, Format
from .records import Problems, Published, Release

NAMES = re.compile(r"(published[_-]|ad-sys-ranking-|ad-seg-scores-)")
# Columns → figures of `judgments.results.recomputation.figures`.
OF_SYSTEM = {
    "avg_raw": "system mean",
    "raw": "system mean",
    "avg_z": "system mean z",
    "z": "system mean z",
    "n_segments": "segments",
    "n": "segments",
    "n_judgments": "judgments",
    "n_all": "judgments",
    "wins": "wins",
    "cluster_start": "cluster start",
    "cluster_end": "cluster end",
}
OF_SEGMENT = {
    "mean_raw": "segment mean",
    "mean_z": "segment mean z",
    "raw.scr": "segment mean",
    "z.scr": "segment mean z",
}
OF_PAIR = {"p_value_a_better": "p-value"}
OF_KAPPA = ("pA", "pE", "kappa", "agree", "comparable", "ties", "total")
SEGMENT = ("seg_id", "sid")


class PublishedTables(Format):
    slug = "published-figures"
    name = "Published figures"
    holds = "figures that were published with judgments, to be recomputed"

    def recognize(self, files: Sequence[ReleaseFile]) -> list[ReleaseFile]:
        return [file for file in files if NAMES.match(file.name) and columns_of(file)]

    def read(self, files: Sequence[ReleaseFile], answers: Answers, problems: Problems) -> Release:
        release = Release()
        for file in files:
            release.published += list(figures(file))
        return release


def columns_of(file: ReleaseFile) -> list[str]:
    """The columns of a table of figures; none where it is something else."""
    first = next(iter(file.first_lines(1)), "")
    columns = cells_of(first, " ")
    lower = [column.lower() for column in columns]
    return columns if {"system", "sys", "name", "mode", "system_a"} & set(lower) else []


def figures(file: ReleaseFile) -> Iterator[Published]:
    columns = columns_of(file)
    for row, line in read_lines(file.place):
        found = cells_of(line, " ")
        if row > 1 and len(found) == len(columns):
            yield from of_row(file.name, dict(zip(columns, found, strict=True)))


def of_row(file: str, row: dict[str, str]) -> Iterator[Published]:
    """The figures of one row, with what they are of."""
    lower = {name.lower(): cell for name, cell in row.items()}
    system = lower.get("system") or lower.get("sys") or lower.get("id") or lower.get("name") or ""
    segment = next((lower[name] for name in SEGMENT if name in lower), "")
    about = lower.get("lp", "")
    if "mode" in lower:
        for name in OF_KAPPA:
            if number(row.get(name, "")):
                yield Published(f"{name} {row['mode']}", "", "", row[name], file, about)
    elif "system_a" in lower:
        of = f"{row['system_a']} > {row['system_b']}"
        for column, figure in OF_PAIR.items():
            if number(lower.get(column, "")):
                yield Published(figure, "", of, lower[column], file, about)
    else:
        known = OF_SEGMENT if segment else OF_SYSTEM
        of = f"{system} in {segment}" if segment else system
        for column, cell in lower.items():
            if column in known and number(cell):
                yield Published(known[column], "", of, cell, file, about)
            elif column in DIMENSIONS and number(cell) and not segment:
                yield Published("system mean", column, of, cell, file, about)


DIMENSIONS = ("mqm", "da_sqm", "esa", "da")


def number(cell: str) -> bool:
    return bool(cell) and bool(NUMBER.fullmatch(cell))
