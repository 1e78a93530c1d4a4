"""Direct assessments by WMT's crowd: `ad-uken-good-stnd.csv`, one row for each score.

Format of the releases of WMT15 to WMT22 (`humaneval/DA`): HITs of about a hundred items, kinds of
items SYSTEM, REPEAT, BAD_REF (in 2015 `cal`), REF. The scores are standardized by worker, or raw
(`ad-good-raw.csv`, `ad-latest.csv`); the columns are the same (github.com/ygraham, programs of
`segment-mteval` and `direct-assessment`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from judgments.files.lines import read_lines
from judgments.files.problem import ImportProblem, shortened
from judgments.files.uploads import ReleaseFile

from .format import Answers, Format
from .human_scores import number
from .records import JudgedScreen, Problems, Release
from .segment_keys import add_pair, named_cells

KINDS = {
    "SYSTEM": "regular",
    "REPEAT": "repeat",
    "BAD_REF": "degraded",
    "CAL": "degraded",
    "REF": "reference",
}
COLUMNS = {"HITId", "WorkerId", "Input.src", "Input.trg", "sys_id", "type", "sid", "score", "time"}
STANDARDIZED = {"slug": "da_z", "name": "DA (z)", "low": None, "high": None, "step": None}
RAW = {"slug": "da", "name": "DA", "low": 0, "high": 100}


class WmtDirectAssessment(Format):
    slug = "wmt-da"
    name = "Direct assessments of WMT's crowd"
    holds = "raw or standardized scores with kinds of items and HITs, without texts"
    described = "https://github.com/wmt-conference/wmt22-news-systems"

    def recognize(self, files: Sequence[ReleaseFile]) -> list[ReleaseFile]:
        return [file for file in files if header_of(file) >= COLUMNS]

    def read(self, files: Sequence[ReleaseFile], answers: Answers, problems: Problems) -> Release:
        release = Release()
        for file in files:
            sizes = Counter(hit_of(cells) for _, cells in rows_of(file, Problems()))
            pairs = sorted({pair for pair, _, _ in sizes})
            scale = scale_of(file)
            for pair in pairs:
                screens = partial(screens_of, file, pair, sizes, scale["slug"])
                options = {"dimensions": [scale], "outputs_per_item": 1}
                is_only, preset = len(pairs) == 1, "custom-rating"
                add_pair(release, file, pair, is_only, screens, problems, preset, options)
        return release


def header_of(file: ReleaseFile) -> set[str]:
    lines = file.first_lines(1)
    return set(lines[0].split()) if lines else set()


def rows_of(file: ReleaseFile, problems: Problems) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield rows; cells are separated by tabs, in earlier years by spaces."""
    lines = read_lines(file.place)
    columns = next(lines)[1].split()
    problems.seen(file.name, columns).update(COLUMNS)
    rows = ((row, line.split()) for row, line in lines)
    return named_cells(file, columns, rows, problems)


def scale_of(file: ReleaseFile) -> dict[str, Any]:
    """Return the scale of the scores of a file. Crowd workers give whole numbers, and dividing by a
    standard deviation leaves none."""
    for row, cells in rows_of(file, Problems()):
        with suppress(ImportProblem):
            if not number(file.name, row, cells["score"]).is_integer():
                return STANDARDIZED
    return RAW


def hit_of(cells: Mapping[str, str]) -> tuple[tuple[str, str], str, str]:
    """Return the language pair, the worker and the name of a HIT."""
    return (cells["Input.src"], cells["Input.trg"]), cells["WorkerId"], cells["HITId"]


def screens_of(
    file: ReleaseFile, pair: tuple[str, str], sizes: Counter, dimension: str, problems: Problems
) -> Iterator[JudgedScreen]:
    """Yield a screen for each row of a language pair; sizes: of HITs, by pair, worker and HIT.

    A HIT has one time, which is divided equally among its items.
    """
    for row, cells in rows_of(file, problems):
        hit = hit_of(cells)
        if hit[0] != pair:
            continue
        try:
            yield screen_of(file.name, row, cells, sizes[hit], dimension)
        except ImportProblem as problem:
            problems.add(problem)


def screen_of(
    file: str, row: int, cells: Mapping[str, str], n_items: int, dimension: str
) -> JudgedScreen:
    """Return the screen of a row. Raise ImportProblem for an unknown kind, and for a score or time
    that is no number."""
    kind, system = cells["type"].upper(), cells["sys_id"]  # in small letters in 2015
    if kind not in KINDS:
        reason = f"{shortened(cells['type'])} is not one of {', '.join(KINDS)}."
        raise ImportProblem(file, row, "type", reason)
    seconds = number(file, row, cells["time"])
    return JudgedScreen(
        file,
        row,
        cells["WorkerId"],
        cells["sid"],
        [system],
        item=f"{cells['HITId']}/{row}",
        kind=KINDS[kind],
        ratings=[(system, dimension, number(file, row, cells["score"]))],
        active_ms=round(1000 * seconds / n_items) if 0 <= seconds < 10**6 else None,
    )
