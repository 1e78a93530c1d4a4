"""Direct assessments as WMT's crowd gave them: `ad-uken-good-stnd.csv`, one row for each score.

Format of the releases of WMT16 to WMT22 (`humaneval/DA`): HITs of about a hundred items, scores
standardized by worker, kinds of items SYSTEM, REPEAT, BAD_REF, REF.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from judgments.files.lines import read_lines
from judgments.files.problem import ImportProblem, shortened
from judgments.files.uploads import ReleaseFile

from .format import Answers, Format
from .human_scores import number
from .languages import language_code
from .records import JudgedScreen, JudgmentsPart, Problems, Release, TextsPart
from .segment_keys import keys_of

KINDS = {"SYSTEM": "regular", "REPEAT": "repeat", "BAD_REF": "degraded", "REF": "reference"}
COLUMNS = {"HITId", "WorkerId", "Input.src", "Input.trg", "sys_id", "type", "sid", "score", "time"}
DIMENSION = "da_z"
SCALE = {"slug": DIMENSION, "name": "DA (z)", "low": None, "high": None, "step": None}


class Assessment(NamedTuple):
    row: int
    hit: str
    worker: str
    pair: tuple[str, str]
    system: str
    kind: str
    segment: str
    score: str
    time: str


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
            sizes = Counter((row.pair, row.worker, row.hit) for row in rows_of(file, Problems()))
            pairs = sorted({pair for pair, _, _ in sizes})
            for pair in pairs:
                stem = file.name.removesuffix(".csv")
                name = stem if len(pairs) == 1 else f"{stem} {'-'.join(pair)}"
                key = f"{file.path} {'-'.join(pair)}"
                screens = partial(screens_of, file, pair, sizes)
                source, target = map(language_code, pair)
                segments = partial(keys_of, screens)
                release.texts.append(
                    TextsPart(key, name, source, target, segments, has_texts=False)
                )
                options = {"dimensions": [SCALE], "outputs_per_item": 1}
                release.judgments.append(
                    JudgmentsPart(name, key, "custom-rating", partial(screens, problems), options)
                )
        return release


def header_of(file: ReleaseFile) -> set[str]:
    lines = file.first_lines(1)
    return set(lines[0].split()) if lines else set()


def rows_of(file: ReleaseFile, problems: Problems) -> Iterator[Assessment]:
    """Cells stand apart by tabs, in earlier years by spaces."""
    lines = read_lines(file.place)
    columns = next(lines)[1].split()
    problems.seen(file.name, columns).update(COLUMNS)
    at = {name: place for place, name in enumerate(columns)}
    for row, line in lines:
        cells = line.split()
        if len(cells) != len(columns):
            reason = f"the line has {len(cells)} cells, but the header has {len(columns)}."
            problems.add(ImportProblem(file.name, row, "", reason))
            continue
        yield Assessment(
            row,
            cells[at["HITId"]],
            cells[at["WorkerId"]],
            (cells[at["Input.src"]], cells[at["Input.trg"]]),
            cells[at["sys_id"]],
            cells[at["type"]],
            cells[at["sid"]],
            cells[at["score"]],
            cells[at["time"]],
        )


def screens_of(
    file: ReleaseFile, pair: tuple[str, str], sizes: Counter, problems: Problems
) -> Iterator[JudgedScreen]:
    """A screen for each row of a language pair; sizes: of HITs, by pair, worker and HIT.

    A HIT has one time: each of its items has the same share of it.
    """
    for row in rows_of(file, problems):
        if row.pair != pair:
            continue
        try:
            yield screen_of(file.name, row, sizes[row.pair, row.worker, row.hit])
        except ImportProblem as problem:
            problems.add(problem)


def screen_of(file: str, row: Assessment, n_items: int) -> JudgedScreen:
    """Raises ImportProblem for an unknown kind, and for a score or time that is no number."""
    if row.kind not in KINDS:
        reason = f"{shortened(row.kind)} is not one of {', '.join(KINDS)}."
        raise ImportProblem(file, row.row, "type", reason)
    seconds = number(file, row.row, row.time)
    return JudgedScreen(
        file,
        row.row,
        row.worker,
        row.segment,
        [row.system],
        item=f"{row.hit}/{row.row}",
        kind=KINDS[row.kind],
        ratings=[(row.system, DIMENSION, number(file, row.row, row.score))],
        active_ms=round(1000 * seconds / n_items) if 0 <= seconds < 10**6 else None,
    )
