"""Human scores of one kind in a folder of mt-metrics-eval: its files → judged screens."""

from __future__ import annotations

import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from judgments.files.lines import read_lines
from judgments.files.problem import ImportProblem, shortened
from judgments.files.table import NUMBER
from judgments.files.uploads import ReleaseFile

from .records import JudgedScreen, MarkedSpan, Problems, Published

MISSING = "None"
MEAN = "mean of raters"  # the author of scores whose raters no file names
FEW = 5  # names in a sentence
SAME = 1e-6  # tolerance between a score and the sum of the weights of its errors
UNKNOWN = "unknown"  # the severity or category of an error without one
SLUG = re.compile("[^a-z0-9]+")


class RatingLine(NamedTuple):
    row: int
    system: str
    errors: list[dict[str, Any]] | None  # None: not judged
    rater: str


@dataclass
class HumanScores:
    """One kind of score. ratings: files of marked errors, by the part of their names after the
    kind, a rater or "merged". scores: by level. n_segments: how many lines each system has, since
    only the order of the lines names the segments."""

    name: str
    ratings: dict[str, ReleaseFile] = field(default_factory=dict)
    scores: dict[str, ReleaseFile] = field(default_factory=dict)
    marked: set[tuple[str, int]] = field(
        default_factory=set
    )  # system, segment: with errors or none
    n_segments: int = 0

    @property
    def preset(self) -> str:
        return "released-errors" if self.ratings else "custom-rating"

    @property
    def has_slider(self) -> bool:
        """Whether people gave a score besides errors, as in ESA. With several files of errors,
        scores are means and belong to none of the judgments."""
        return self.name.startswith("esa") and len(self.ratings) == 1 and "seg" in self.scores

    @property
    def dimension(self) -> str:
        """The slug under which results show the score."""
        if self.has_slider:
            return "esa"
        if self.ratings:
            return "mqm"
        slug = SLUG.sub("_", self.name.lower()).strip("_") or "score"
        return slug if slug[0].isalpha() else f"score_{slug}"

    @property
    def options(self) -> dict[str, Any]:
        if not self.ratings:
            scale = {
                "slug": self.dimension,
                "name": self.name,
                "low": None,
                "high": None,
                "step": None,
            }
            return {"dimensions": [scale], "outputs_per_item": 1, "are_means": True}
        return {
            "weights": self.weights,
            "categories": sorted(self.found[1]),
            "sides": ["target", "source", "missing"],
            "score": self.has_slider,
            "outputs_per_item": 1,
        }

    # ---- Scores --------------------------------------------------------------------------------

    @cached_property
    def segment_scores(self) -> dict[str, list[tuple[int, str]]]:
        """{system: (row, original text of the score) of every segment in order}"""
        found: dict[str, list[tuple[int, str]]] = defaultdict(list)
        if file := self.scores.get("seg"):
            for row, line in read_lines(file.place):
                cells = line.split("\t") if "\t" in line else line.rsplit(None, 1)
                if len(cells) != 2:
                    reason = f"{shortened(line)} is not a system and a score."
                    raise ImportProblem(file.name, row, "", reason)
                found[cells[0]].append((row, cells[1].strip()))
            self.check_lines(file, {system: len(rows) for system, rows in found.items()})
        return found

    def check_lines(self, file: ReleaseFile, n_lines: Mapping[str, int]) -> None:
        """Raise ImportProblem if a system has more or fewer lines than there are segments."""
        for system, n in n_lines.items():
            if n != self.n_segments:
                reason = (
                    f"{shortened(system)} has {n:,} lines, but there are {self.n_segments:,} "
                    "segments: a line for each is needed, None where there is no score."
                )
                raise ImportProblem(file.name, None, "", reason)

    def screens(self, problems: Problems) -> Iterator[JudgedScreen]:
        yield from self.judged_errors() if self.ratings else self.judged_scores(problems)

    def judged_scores(self, problems: Problems) -> Iterator[JudgedScreen]:
        """Yield a screen for each score of a segment."""
        file = self.scores["seg"].name
        for system, rows in self.segment_scores.items():
            for place, (row, text) in enumerate(rows, 1):
                if text == MISSING:
                    continue
                try:
                    value = number(file, row, text)
                except ImportProblem as problem:
                    problems.add(problem)
                    continue
                yield JudgedScreen(
                    file,
                    row,
                    MEAN,
                    str(place),
                    [system],
                    item=str(row),
                    ratings=[(system, self.dimension, value)],
                )

    # ---- Marked errors -------------------------------------------------------------------------

    def lines(self) -> Iterator[tuple[str, int, RatingLine]]:
        """Yield (name of the file, place of the segment, line) of all files of marked errors."""
        for named, file in self.ratings.items():
            places: Counter[str] = Counter()
            for row, text in read_lines(file.place):
                line = rating_line(file.name, row, text, named)
                places[line.system] += 1
                yield file.name, places[line.system], line
            self.check_lines(file, places)

    @cached_property
    def found(self) -> tuple[dict[tuple[str, str], Counter[float]], set[str]]:
        """The scores of errors by severity and category, and the categories."""
        scores: dict[tuple[str, str], Counter[float]] = defaultdict(Counter)
        for _, place, line in self.lines():
            if line.errors is not None:
                self.marked.add((line.system, place))
            for error in line.errors or ():
                severity, category = words_of(error)
                scores[severity, category][error.get("score") or 0] += 1
        return scores, {category for _, category in scores if category}

    @cached_property
    def weights(self) -> dict[str, float]:
        """The release's weights of errors: for each severity the score that most of its errors
        have, and the same for each category whose errors have another one."""
        by_severity: dict[str, Counter[float]] = defaultdict(Counter)
        for (severity, _), scores in self.found[0].items():
            by_severity[severity] += scores
        weights = {name: scores.most_common(1)[0][0] for name, scores in by_severity.items()}
        special = {}
        for (severity, category), scores in self.found[0].items():
            usual = scores.most_common(1)[0][0]
            if category and usual != weights[severity]:
                special[f"{severity}/{category}"] = usual
        return weights | dict(sorted(special.items()))

    def judged_errors(self) -> Iterator[JudgedScreen]:
        """Yield a screen for each line with errors, or without any: the judged score is the
        release's own, if it agrees with the weights of the errors."""
        published = self.segment_scores if len(self.ratings) == 1 else {}
        for file, place, line in self.lines():
            if line.errors is None:
                continue
            spans = [span_of(line.system, error) for error in line.errors]
            ratings = []
            known = published.get(line.system, [])
            weight = math.fsum(error.get("score") or 0 for error in line.errors)
            if place <= len(known) and known[place - 1][1] != MISSING:
                value = number(self.scores["seg"].name, *known[place - 1])
                if self.has_slider or abs(value + weight) <= SAME:
                    ratings = [(line.system, self.dimension, value)]
            yield JudgedScreen(
                file,
                line.row,
                line.rater,
                str(place),
                [line.system],
                item=f"{file}:{line.row}" if len(self.ratings) > 1 else str(line.row),
                ratings=ratings,
                spans=spans,
            )

    # ---- Published figures ---------------------------------------------------------------------

    @cached_property
    def unmarked(self) -> list[Published]:
        """The scores of segments without a line of errors: nobody's judgments."""
        if not self.ratings or not self.found:  # `found` collects the marked ones
            return []
        return [
            Published("segment mean", self.dimension, f"{system} in {place}", text, file.name)
            for file in [self.scores.get("seg")]
            if file
            for system, rows in self.segment_scores.items()
            for place, (row, text) in enumerate(rows, 1)
            if text != MISSING and (system, place) not in self.marked
            if number(file.name, row, text) is not None
        ]

    @property
    def note(self) -> str:
        """A note about them before anything is imported."""
        if not self.unmarked:
            return ""
        few = ", ".join(row.of for row in self.unmarked[:FEW])
        more = f" and {n:,} more" if (n := len(self.unmarked) - FEW) > 0 else ""
        return (
            f"{len(self.unmarked):,} scores of segments in {self.unmarked[0].file} have no line "
            f"of errors ({few}{more}). They are kept as published figures, not as judgments."
        )

    def published(self) -> list[Published]:
        """Return the scores of systems and of systems within domains, and of segments without
        errors."""
        found = list(self.unmarked)
        for level, figure in (("sys", "system mean"), ("domain", "domain mean")):
            file = self.scores.get(level)
            if file is None:
                continue
            for row, line in read_lines(file.place):
                cells = line.split("\t")
                if len(cells) != (3 if level == "domain" else 2):
                    raise ImportProblem(file.name, row, "", "the line has a different form.")
                if cells[-1] != MISSING:
                    of = " in ".join(reversed(cells[:-1]))
                    found.append(Published(figure, self.dimension, of, cells[-1], file.name))
        return found


def number(file: str, row: int, text: str) -> float:
    """Return a number. Raise ImportProblem for anything but a finite number."""
    if not NUMBER.fullmatch(text) or not math.isfinite(float(text)):
        raise ImportProblem(file, row, "", f"{shortened(text)} is not a number.")
    return float(text)


def rating_line(file: str, row: int, line: str, named: str) -> RatingLine:
    """Return the parsed line. Raise ImportProblem for another format."""
    cells = line.split("\t")
    if len(cells) not in (2, 3):
        reason = "the line should have a system, its errors and perhaps a rater, with tabs between."
        raise ImportProblem(file, row, "", reason)
    if cells[1] == MISSING:
        return RatingLine(row, cells[0], None, "")
    try:
        errors = json.loads(cells[1])["errors"]
        if not all(is_error(error) for error in errors):
            raise ValueError
    except (ValueError, TypeError, KeyError, RecursionError):
        reason = f"{shortened(cells[1])} is not a list of errors."
        raise ImportProblem(file, row, "", reason) from None
    return RatingLine(row, cells[0], errors, cells[2] if len(cells) == 3 else named)


def is_error(error: Any) -> bool:
    """Return whether a value has the format of an error."""
    if not isinstance(error, dict):
        return False
    offsets = [error.get("start"), error.get("end")]
    score = error.get("score")
    words = [error.get("severity"), error.get("category")]
    return (
        all(type(offset) is int and abs(offset) < 10**9 for offset in offsets)
        and (score is None or (type(score) in (int, float) and math.isfinite(score)))
        and all(word is None or isinstance(word, str) for word in words)
    )


def words_of(error: dict[str, Any]) -> tuple[str, str]:
    """Return severity and category as they are stored."""
    return (error.get("severity") or UNKNOWN).lower(), (error.get("category") or "").lower()


def span_of(system: str, error: dict[str, Any]) -> MarkedSpan:
    """Return the span of an error; one at 0 to 0 of the output is an omission, which has no
    place."""
    start, end = error["start"], error["end"]
    side = "source" if error.get("is_source_error") else "target"
    if side == "target" and start == end == 0:
        side = "missing"
    return MarkedSpan(system, side, start, end, *words_of(error))
