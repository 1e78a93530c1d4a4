"""A table with a row for each marked error → test set and campaign; the two families of such tables
are `google_mqm` and `marot`."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from judgments.files.lines import beginning, line_end, problem_with_text, read_lines
from judgments.files.problem import ImportProblem, shortened
from judgments.files.table import problem_with_name
from judgments.files.texts import LONGEST_NAME, LONGEST_SYSTEM_NAME, THE_DOCUMENT
from judgments.files.uploads import ReleaseFile
from judgments.protocols.spans.options import LONGEST_CATEGORY, LONGEST_SEVERITY
from judgments.stats.mqm import SCHEMES, Scheme, normalized, severity_name

from .json_stream import decoded
from .marked_columns import HEADER, MarkedColumns, layout_of, word_of
from .marked_store import SOURCE, Error, MarkedStore
from .marked_text import Marked, moved, unmarked, unquoted
from .records import JudgedScreen, JudgmentsPart, MarkedSpan, Problems, Release, Remark, TextsPart

LINES = 40  # from which a table is recognized
NO_ERROR, TEST = "no-error", "hotw-test"
RATER = "rater"  # the annotator in a table that does not name one
SCORE = "esa"
MOST_KINDS = 1_000  # of errors, severity and category
MOST_TIME = 2**41  # ms since 1970: the year 2039
MOST_ACTIVE = 2**30  # ms: twelve days
MOST_NAMES, NAMED = 1_000, 30  # of data that are not read: counted, and named
# What Marot has in its metadata and is read here, or says the same as the marks in the texts.
METADATA = {
    *("timestamp", "timing", "note", "segment", "evaluation", "repeat", "score"),
    *("source_spans", "target_spans", "marked_text"),
}
WHOLE = re.compile("-?[0-9]{1,15}")
# Weights of Marot's marks that are not in `SCHEMES`.
OTHER_WEIGHTS = {"critical": 5.0, "trivial": 0.1}


def layout_of_file(file: ReleaseFile) -> MarkedColumns | None:
    head = file.head()
    lines = beginning(head).split(line_end(head))[: LINES + 1]
    # The last one may be cut off.
    return layout_of([line.removesuffix("\r") for line in lines[:-1] or lines if line])


class MarkedTable:
    """One file, read once into a store. Problems with rows are reported while it is read."""

    def __init__(self, file: ReleaseFile, layout: MarkedColumns, problems: Problems) -> None:
        self.file = file
        self.layout = layout
        self.problems = problems
        self.store = MarkedStore()
        self.kinds: dict[tuple[str, str], int] = {}
        self.languages = ("", "")
        self.n_tests = self.n_joined = self.n_moved = 0
        self.first_moved = 0
        self.has_scores = False
        self.unread: Counter[str] = Counter()  # names of data that are not used

    def read(self) -> MarkedTable:
        self.problems.seen(self.file.path, self.layout.left_out)
        for row, line in read_lines(self.file.place):
            if line and not (row == 1 and self.layout.has_header) and not is_header(line):
                try:
                    self.read_row(row, self.layout.cells(line))
                except ImportProblem as problem:
                    self.problems.add(problem)
                except ValueError as problem:
                    self.problems.add(self.problem(row, "", str(problem)))
        self.settle()
        return self

    def problem(self, row: int, column: str, reason: str) -> ImportProblem:
        return ImportProblem(self.file.path, row, column, reason)

    def read_row(self, row: int, cells: dict[str, str]) -> None:
        severity, category = cells["severity"].strip(), cells["category"].strip()
        if word_of(severity) == TEST:
            self.n_tests += 1
            return
        metadata = self.metadata(row, cells["metadata"])
        source = self.text(row, "source", cells["source"])
        target = self.text(row, "target", cells["target"])
        if not source.text.strip():
            raise self.problem(row, "source", "the cell is empty.")
        if not target.text.strip():
            target = Marked("", None)  # an empty translation
        system = self.name(row, "system", cells["system"], LONGEST_SYSTEM_NAME)
        segment = self.segment(row, cells)
        readings = {
            "source": self.store.reading(segment, SOURCE, source.text),
            "target": self.store.reading(segment, system, target.text),
        }
        self.references(segment, metadata)
        if not severity and not category:
            return  # the row is only about the texts
        if not severity:
            raise self.problem(row, "severity", "the cell is empty.")
        judgment = self.store.judgment(
            segment,
            system,
            cells["rater"].strip() or RATER,
            str(metadata.get("repeat", "")),
            row,
            submitted=self.time(row, cells["timestamp"] or metadata.get("timestamp")),
            active=self.active(row, cells["time"], metadata),
            score=self.score(row, metadata),
        )
        note = str(metadata.get("note") or "").replace("\0", "").strip()
        if NO_ERROR in (word_of(severity), word_of(category)):
            if note:
                remark = Error("", 0, 0, "", "", note)
                self.store.error(judgment, readings["target"], row, remark)
            return
        side, (start, end) = self.place(source, target)
        self.meet(row, severity, category)
        error = Error(side, start, end, severity, category, note)
        reading = readings["source" if side == "source" else "target"]
        self.store.error(judgment, reading, row, error)

    # ---- Cells ---------------------------------------------------------------------------------

    def metadata(self, row: int, cell: str) -> dict[str, Any]:
        """Return the metadata in a cell, which in older versions of Marot is only a note."""
        if not cell.strip().startswith("{"):
            return {"note": cell}
        try:
            found = decoded(cell)
        except ValueError as error:
            raise self.problem(row, "metadata", f"the cell is not JSON: {error}.") from None
        self.count_unread(key for key in found if key not in METADATA)
        evaluation = found.get("evaluation")
        if isinstance(evaluation, dict) and not all(self.languages):
            said = [evaluation.get(f"{side}_language") for side in ("source", "target")]
            self.languages = tuple(tag if isinstance(tag, str) else "" for tag in said)  # type: ignore[assignment]
        return found

    def count_unread(self, names: Iterable[str]) -> None:
        known = self.unread
        known.update(name for name in names if name in known or len(known) < MOST_NAMES)

    def text(self, row: int, column: str, cell: str) -> Marked:
        try:
            found = unmarked(unquoted(cell))
        except ValueError as error:
            raise self.problem(row, column, str(error)) from None
        if problem := problem_with_text(found.text):
            raise self.problem(row, column, problem)
        return found

    def name(self, row: int, column: str, cell: str, longest: int) -> str:
        name = unquoted(cell).strip()
        if problem := problem_with_name(name, longest):
            raise self.problem(row, column, problem)
        return name

    def segment(self, row: int, cells: Mapping[str, str]) -> int:
        document = cells["document"].strip() or THE_DOCUMENT
        document = self.name(row, "doc", document, LONGEST_NAME)
        place, number = cells["place"].strip(), cells["segment"].strip()
        if not place and not number:
            raise self.problem(row, "", "the row does not say which segment it is about.")
        self.name(row, "segment", f"{document}:{place}{number}", LONGEST_NAME)
        return self.store.segment(document, place, number, row)

    def references(self, segment: int, metadata: Mapping[str, Any]) -> None:
        about = metadata.get("segment")
        if not isinstance(about, dict):
            return
        tokens = about.get("reference_tokens")
        for found in (about.get("references"), tokens):
            for name, text in found.items() if isinstance(found, dict) else ():
                if isinstance(text, list) and all(isinstance(token, str) for token in text):
                    text = "".join(text)
                if isinstance(text, str) and text.strip():
                    self.store.reference(segment, name, text)

    def time(self, row: int, value: Any) -> int | None:
        if value in (None, ""):
            return None
        if not WHOLE.fullmatch(str(value)) or not 0 <= int(value) < MOST_TIME:
            raise self.problem(row, "timestamp", f"{shortened(str(value))} is not a time in ms.")
        return int(value)

    def active(self, row: int, cell: str, metadata: Mapping[str, Any]) -> int | None:
        found = self.time(row, cell) if cell else active_ms(metadata)
        if found is not None and found >= MOST_ACTIVE:
            raise self.problem(row, "time", f"{found:,} ms are too long for one error.")
        return found

    def score(self, row: int, metadata: Mapping[str, Any]) -> float | None:
        value = metadata.get("score")
        if value is None:
            return None
        if type(value) not in (int, float) or not math.isfinite(value):
            raise self.problem(row, "metadata", "the score is not a number.")
        self.has_scores = True
        return float(value)

    def place(self, source: Marked, target: Marked) -> tuple[str, tuple[int, int]]:
        """Return the marked side, the target if both are marked. A mark without characters is an
        omission."""
        self.n_joined += source.n + target.n > 1
        for side, found in (("target", target), ("source", source)):
            if found.place and found.place[0] < found.place[1]:
                return side, found.place
        return "missing", (0, 0)

    def meet(self, row: int, severity: str, category: str) -> None:
        for column, word, longest in (
            ("severity", severity, LONGEST_SEVERITY),
            ("category", category, LONGEST_CATEGORY),
        ):
            if len(word) > longest:
                raise self.problem(row, column, f"longer than {longest} characters.")
        self.kinds[severity, category] = self.kinds.get((severity, category), 0) + 1
        if len(self.kinds) > MOST_KINDS:
            reason = f"there are over {MOST_KINDS:,} kinds of errors."
            raise ImportProblem(self.file.path, row, "category", reason)

    # ---- All rows ------------------------------------------------------------------------------

    def settle(self) -> None:
        """Move errors of rows whose text differs from that of other rows of the output to the place
        of their words."""
        for rowid, row, error, theirs, text in self.store.choose():
            if error.side in ("missing", ""):
                continue
            place = moved(theirs, (error.start, error.end), text)
            if place is None:
                reason = "the text differs from that of other rows, which lack the marked words."
                self.problems.add(self.problem(row, error.side, reason))
            else:
                self.store.move(rowid, *place)
                self.n_moved += 1
                self.first_moved = min(self.first_moved or row, row)

    def screens(self) -> Iterator[JudgedScreen]:
        keys = self.store.keys()
        for said, errors in self.store.judgments():
            system = said["system"]
            score = said["score"]
            yield JudgedScreen(
                self.file.path,
                said["row"],
                said["rater"],
                keys[said["segment"]],
                [system],
                item=str(said["row"]),
                ratings=[] if score is None else [(system, SCORE, score)],
                spans=[MarkedSpan(system, *error[:5]) for error in errors if error.severity],
                remarks=[remark_of(system, error) for error in errors if error.comment],
                started=moment(said["started"]),
                submitted=moment(said["submitted"]),
                active_ms=said["active"] and min(said["active"], MOST_ACTIVE),
            )

    def release(self, source: str, target: str) -> Release:
        stem = self.file.name.rsplit(".tsv", 1)[0]
        key = self.file.path
        texts = TextsPart(
            key, stem, source, target, segments=lambda: self.store.segments(self.file.path)
        )
        categories = {
            normalized(each): each for _, each in sorted(self.kinds, reverse=True) if each
        }
        options = {
            "weights": weights_of(self.kinds),
            "categories": sorted(categories.values()),
            "score": self.has_scores,
        }
        judged = JudgmentsPart(
            *(stem, key, "released-errors", self.screens, options),
            weights=self.weights(),
        )
        return Release(texts=[texts], judgments=[judged], notes=self.notes())

    def weights(self) -> dict[str, dict[str, float]]:
        """Return the published weights that differ for errors of the table; {} if all give the
        same."""
        found = {slug: weights_of(self.kinds, slug) for slug in ("google", "freitag")}
        one, other = (Scheme(slug, slug, weights) for slug, weights in found.items())
        differ = any(one.penalty(*kind) != other.penalty(*kind) for kind in self.kinds)
        return found if differ else {}

    def notes(self) -> list[str]:
        found = []
        if self.n_tests:
            found.append(f"{self.n_tests:,} rows of attention checks (HOTW-test) are left out.")
        if self.layout.lacking:
            names = " and ".join(self.layout.lacking)
            found.append(f"The header names {names}, but the rows have no such cells.")
        if "rater" not in self.layout.kinds:
            found.append("No rater is named: all errors of a translation count as one judgment.")
        if self.n_joined:
            found.append(
                f"{self.n_joined:,} rows have more than one mark: a row is one error, from its "
                "first mark to its last."
            )
        if self.n_moved:
            found.append(
                f"{self.n_moved:,} errors are of rows whose text reads differently from other "
                f"rows of the same translation (the first is row {self.first_moved:,}): each is "
                "placed where its words occur."
            )
        if self.unread:
            found.append(f"{self.what_is_unread('metadata')}.")
        return [f"{self.file.path}: {note}" for note in found]

    def what_is_unread(self, what: str) -> str:
        named = ", ".join(f"{name[:40]} ({n:,})" for name, n in self.unread.most_common(NAMED))
        return f"{what} that are not read: {named}" + ", …" * (len(self.unread) > NAMED)


def remark_of(system: str, error: Error) -> Remark:
    """Return the comment on an error, or only the comment."""
    if error.side not in ("source", "target"):
        return Remark(error.comment, system)
    return Remark(error.comment, system, error.side, error.start, error.end)


def is_header(line: str) -> bool:
    """Return whether a line is Marot's header, which is repeated in concatenated files."""
    return line.startswith(HEADER + "\t")


def moment(ms: int | None) -> datetime | None:
    return None if ms is None else datetime.fromtimestamp(ms / 1000, UTC)


def active_ms(metadata: Mapping[str, Any]) -> int | None:
    """Return the sum of the logged times: {"timing": {action: {"count": …, "timeMS": …, "log":
    […]}}}."""
    timing = metadata.get("timing")
    if not isinstance(timing, dict) or not timing:
        return None
    times = [each.get("timeMS") for each in timing.values() if isinstance(each, dict)]
    return sum(ms for ms in times if type(ms) is int and 0 <= ms < MOST_TIME)


def weights_of(kinds: Mapping[tuple[str, str], int], scheme: str = "google") -> dict[str, float]:
    """Return the weights of Google, of WMT20–23 or another scheme, for the severities in the table;
    no table contains its own."""
    google = SCHEMES[scheme].weights
    severities = sorted({severity_name(severity) for severity, _ in kinds}) or ["minor", "major"]
    found = {name: google.get(name, OTHER_WEIGHTS.get(name, 0.0)) for name in severities}
    special = {name: weight for name, weight in google.items() if "/" in name}
    return found | {
        name: weight for name, weight in special.items() if name.split("/")[0] in ("*", *severities)
    }
