"""Direct assessments as WMT's crowd gave them: `ad-uken-good-stnd.csv`, one row for each score.

Format of the releases of WMT16 to WMT22 (`humaneval/DA`): HITs of about a hundred items, scores
standardized by worker, kinds of items SYSTEM, REPEAT, BAD_REF, REF.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from judgments.files.lines import read_lines
from judgments.files.problem import ImportProblem, shortened
from judgments.files.uploads import ReleaseFile

from .format import Answers, Format
from .human_scores import number
from .records import JudgedScreen, Problems, Release
from .segment_keys import add_pair, named_cells

KINDS = {"SYSTEM": "regular", "REPEAT": "repeat", "BAD_REF": "degraded", "REF": "reference"}
COLUMNS = {"HITId", "WorkerId", "Input.src", "Input.trg", "sys_id", "type", "sid", "score", "time"}
DIMENSION = "da_z"
SCALE = {"slug": DIMENSION, "name": "DA (z)", "low": None, "high": None, "step": None}


class WmtDirectAssessment(Format):
    slug = "wmt-da"
    name = "Direct assessments of WMT's crowd"
    holds = "standardized scores with kinds of items and HITs, without texts"
    described = "https://github.com/wmt-conference/wmt22-news-systems"

    def recognize(self, files: Sequence[ReleaseFile]) -> list[ReleaseFile]:
        return [file for file in files if header_of(file) >= COLUMNS]

    def read(self, files: Sequence[ReleaseFile], answers: Answers, problems: Problems) -> Release:
        release = Release()
        for file in files:
            sizes = Counter(hit_of(cells) for _, cells in rows_of(file, Problems()))
            pairs = sorted({pair for pair, _, _ in sizes})
            for pair in pairs:
                screens = partial(screens_of, file, pair, sizes)
                options = {"dimensions": [SCALE], "outputs_per_item": 1}
                is_only, preset = len(pairs) == 1, "custom-rating"
                add_pair(release, file, pair, is_only, screens, problems, preset, options)
        return release


def header_of(file: ReleaseFile) -> set[str]:
    lines = file.first_lines(1)
    return set(lines[0].split()) if lines else set()


def rows_of(file: ReleaseFile, problems: Problems) -> Iterator[tuple[int, dict[str, str]]]:
    """Return cells stand apart by tabs, in earlier years by spaces."""
    lines = read_lines(file.place)
    columns = next(lines)[1].split()
    problems.seen(file.name, columns).update(COLUMNS)
    rows = ((row, line.split()) for row, line in lines)
    return named_cells(file, columns, rows, problems)


def hit_of(cells: Mapping[str, str]) -> tuple[tuple[str, str], str, str]:
    """Return its language pair, worker and name."""
    return (cells["Input.src"], cells["Input.trg"]), cells["WorkerId"], cells["HITId"]


def screens_of(
    file: ReleaseFile, pair: tuple[str, str], sizes: Counter, problems: Problems
) -> Iterator[JudgedScreen]:
    """Yield a screen for each row of a language pair; sizes: of HITs, by pair, worker and HIT.

    A HIT has one time: each of its items has the same share of it.
    """
    for row, cells in rows_of(file, problems):
        hit = hit_of(cells)
        if hit[0] != pair:
            continue
        try:
            yield screen_of(file.name, row, cells, sizes[hit])
        except ImportProblem as problem:
            problems.add(problem)


def screen_of(file: str, row: int, cells: Mapping[str, str], n_items: int) -> JudgedScreen:
    """Raise ImportProblem for an unknown kind, and for a score or time that is no number."""
    kind, system = cells["type"], cells["sys_id"]
    if kind not in KINDS:
        reason = f"{shortened(kind)} is not one of {', '.join(KINDS)}."
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
        ratings=[(system, DIMENSION, number(file, row, cells["score"]))],
        active_ms=round(1000 * seconds / n_items) if 0 <= seconds < 10**6 else None,
    )
