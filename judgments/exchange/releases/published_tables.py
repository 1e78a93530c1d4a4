"""Tables of figures published with a release, with which `recompute` compares ours.

Recognized are tables whose name begins with `published`, those that WMT publishes with its direct
assessments (`ad-sys-ranking-…-z-names.csv`), means of segments (`avg_seg_scores.tsv`), ranks of
metrics (`AutoRank.xlsx`, a sheet for each language pair), and the clusters of WMT15
(`eng-fin.txt`). A column `system` or `mode` gives the subject of a row; other columns are
recognized by their names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from judgments.files.lines import read_lines
from judgments.files.problem import ImportProblem
from judgments.files.table import LONGEST_FIGURE, Row, is_figure
from judgments.files.uploads import ReleaseFile

from .format import Answers, Format
from .rankings import name_in
from .records import Problems, Published, Release
from .survey import n_of
from .tables.source_table import SourceTable
from .tables.sources import tables_if_any

NAMES = re.compile(
    r"(published[_-]|ad-sys-ranking-|ad-seg-scores-)|.*avg_seg_scores|autorank", re.I
)
# `newstest2015.online-B.0.en-fi.txt 1.069 (1.0, 1.0)`; clusters are separated by a line of +.
CLUSTERED = re.compile(
    r"(?P<system>\S+?)(?:\.txt)? (?P<score>\S+) \((?P<start>\S+), (?P<end>\S+)\)"
)
BETWEEN_CLUSTERS = re.compile(r"\++")
# Columns → (figure of `judgments.results.recomputation.figures`, dimension).
OF_SYSTEM = {
    "avg_raw": ("system mean", ""),
    "raw": ("system mean", ""),
    "avg_z": ("system mean z", ""),
    "z": ("system mean z", ""),
    "n_segments": ("segments", ""),
    "n": ("segments", ""),
    "n_judgments": ("judgments", ""),
    "n_all": ("judgments", ""),
    "wins": ("wins", ""),
    "cluster_start": ("cluster start", ""),
    "cluster_end": ("cluster end", ""),
    **{each: ("system mean", each) for each in ("mqm", "da_sqm", "esa", "da")},
}
OF_SEGMENT = {
    "mean_raw": ("segment mean", ""),
    "mqm_avg_score": ("segment mean", ""),
    "mean_z": ("segment mean z", ""),
    "raw.scr": ("segment mean", ""),
    "z.scr": ("segment mean z", ""),
}
OF_PAIR = {"p_value_a_better": ("p-value", "")}
KAPPA = ("pA", "pE", "kappa", "agree", "comparable", "ties", "total")
SEGMENT = ("seg_id", "sid")


class PublishedTables(Format):
    slug = "published-figures"
    name = "Published figures"
    holds = "figures that were published with judgments, to be recomputed"

    def recognize(self, files: Sequence[ReleaseFile]) -> list[ReleaseFile]:
        return [file for file in files if tables_in(file) or is_clustered(file)]

    def read(self, files: Sequence[ReleaseFile], answers: Answers, problems: Problems) -> Release:
        release = Release()
        for file in files:
            if is_clustered(file):
                release.published += clustered(file)
            for table in tables_in(file):
                own, odd = Problems(), Counter[str]()
                for row in table.read(own):
                    release.published += of_row(table, row, odd)
                problems.tables |= own.tables
                release.notes += [
                    f"{n_of(n, 'cell')} of {table.file}, column {name}, left out: not a number."
                    for name, n in odd.items()
                ]
                if own.n:
                    what = f"{n_of(own.n, 'row')} of {table.file} left out, such as this one"
                    release.notes.append(f"{what}: {own.first[0]}")
        return release


def tables_in(file: ReleaseFile) -> list[SourceTable]:
    """Return the tables of figures in a file; empty for other files."""
    tables = tables_if_any(file) if NAMES.match(file.name) else []
    of = {"system", "sys", "name", "mode", "system_a", "autorank"}
    return [table for table in tables if of & {column.lower() for column in table.columns}]


def of_row(table: SourceTable, row: Row, odd: Counter[str]) -> Iterator[Published]:
    """Yield the figures of one row, with their subjects. odd: receives the columns of cells that
    are neither numbers nor empty."""
    columns = {name.lower(): name for name in table.columns}

    def cell(*names: str) -> str:
        return next((row.get(columns[name]) for name in names if name in columns), "")

    of, known = cell("system", "sys", "id", "name"), OF_SYSTEM
    if "autorank" in columns:
        yield from of_metrics(table, row)
        return
    if "mode" in columns:
        of = ""
        known = {name.lower(): (f"{name} {cell('mode')}", "") for name in KAPPA}
    elif "system_a" in columns:
        of, known = f"{cell('system_a')} > {cell('system_b')}", OF_PAIR
    elif segment := cell(*SEGMENT):
        of, known = f"{of} in {segment}", OF_SEGMENT
    for column in columns:
        if column in known and is_figure(cell(column)):
            figure, dimension = known[column]
            yield Published(figure, dimension, of, cell(column), row.file, cell("lp"))
        elif column in known and cell(column).strip():
            odd[column] += 1


def of_metrics(table: SourceTable, row: Row) -> Iterator[Published]:
    """Yield every number of a row; the name of the sheet gives the languages. A system's name may
    be followed by text in brackets."""
    system = row.get(table.columns[0]).split(" ")[0]
    for column in table.columns[1:]:
        if is_figure(row.cells[column]):
            yield Published(column[:LONGEST_FIGURE], "", system, row.get(column), row.file)


def is_clustered(file: ReleaseFile) -> bool:
    lines = [line for line in file.first_lines() if not BETWEEN_CLUSTERS.fullmatch(line)]
    return bool(lines) and all(CLUSTERED.fullmatch(line) for line in lines)


def clustered(file: ReleaseFile) -> Iterator[Published]:
    """Yield the score and the range of ranks of each system, and its cluster. Raise
    ImportProblem."""
    cluster = 1
    for row, line in read_lines(file.place):
        found = CLUSTERED.fullmatch(line)
        if BETWEEN_CLUSTERS.fullmatch(line):
            cluster += 1
        elif found and all(is_figure(found[name]) for name in ("score", "start", "end")):
            about, system = found["system"], name_in(found["system"])
            yield Published("score from rankings", "", system, found["score"], file.name, about)
            for name in ("start", "end"):
                figure = f"range of ranks, {name}"
                yield Published(figure, "", system, found[name], file.name, about)
            yield Published("cluster of ranks", "", system, str(cluster), file.name, about)
        elif line.strip():
            reason = "the line should be a system, its score and its ranks: NAME 1.07 (1.0, 2.0)."
            raise ImportProblem(file.name, row, "", reason)
