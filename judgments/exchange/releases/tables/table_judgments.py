"""Judgments in tables of any kind → judged screens. Nothing is scaled, and nothing renamed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from judgments.exchange.judgments.controls import control_among
from judgments.files import observations
from judgments.files.problem import ImportProblem, shortened
from judgments.files.table import Row
from judgments.models import Kind

from ..collapsed_outputs import Groups, shown_first, shown_of
from ..grouping import grouped
from ..human_scores import MEAN
from ..records import JudgedScreen, MarkedSpan, Problems
from .columns import LIST, Meaning, plain, slug_of
from .long_reading import whole
from .source_table import COUNT
from .table_texts import shifted
from .workbooks import unguarded_row

# What releases call the kinds of items.
KINDS = {each.value: each.value for each in Kind} | {
    "": "regular",
    "system": "regular",
    "tgt": "regular",
    "repeat": "repeat",
    "badref": "degraded",
    "bad": "degraded",
    "ref": "reference",
}
OTHERWISE = "row {row:,} belongs to the same judgment, and says otherwise."
NO_ERROR = {"noerror", "none", "neutralnoerror", ""}
# Columns that only our own exports have; what is in them was guarded against formulas.
EXPORTED = {"excluded", "copied", "selection", "z_all"}


# WMT16: several names in a column of systems are one output, shown once.
MANY = "systems"
TIES = {"tie", "ties", "tied", "equal", "same", "draw", "both", "neither", "none", "0", ""}
RATERS = "rater {}"  # of several scores in one cell
SINGLE = ("scores", "means", "lists", "preferences")  # each row is a judgment, or several


def names_in(each: Meaning, cell: str) -> list[str]:
    return cell.split(",") if plain(each.column("system")) == MANY else [cell]


@dataclass(frozen=True)
class JudgmentTables:
    """The tables of one campaign: of one shape, or ratings with their errors. shift, pair, system:
    as `TextTables` has them. part: the cells of the columns that tell campaigns apart; sides: the
    two systems of a table that names the better one. values: what stands for the scores of the
    files, by their texts."""

    tables: Sequence[Meaning]
    shift: int = 0
    pair: str = ""
    system: str = ""
    part: tuple[str, ...] = ()
    sides: tuple[str, ...] = ()
    values: Mapping[str, float] = field(default_factory=dict)

    @property
    def asks_errors(self) -> bool:
        return any(each.shape == "errors" for each in self.tables)

    @cached_property
    def shown(self) -> Groups:
        """See `collapsed_outputs`."""
        return shown_of(
            {
                (self.segment(each, row), tuple(names))
                for each in self.tables
                if plain(each.column("system")) == MANY
                for row in self.rows(each, Problems())
                if row.get(each.column("segment") or COUNT)
                for names in [names_in(each, row.get(each.column("system")))]
            }
        )

    def screens(self, problems: Problems) -> Iterator[JudgedScreen]:
        """In the order of their first rows."""
        if len(self.tables) == 1 and self.tables[0].shape in SINGLE:
            (each,) = self.tables
            for row in self.rows(each, problems):
                if each.shape == "lists":
                    yield from self.of_lists(each, row, problems)
                else:
                    yield from self.told([(each, row)], problems)
            return
        keyed = (
            (key, [place, row.number, row.cells])
            for place, each in enumerate(self.tables)
            for row in self.rows(each, problems)
            for key in [json.dumps(self.key(each, row))]
        )
        for some in grouped(keyed):
            rows = [
                (self.tables[place], self.tables[place].table.again(*given, problems))
                for place, *given in some
            ]
            yield from self.told(rows, problems)

    def of_lists(self, each: Meaning, row: Row, problems: Problems) -> Iterator[JudgedScreen]:
        """A screen of each rater: the first score of every cell is that of the first one."""
        try:
            found: dict[int, JudgedScreen] = {}
            for column, dimension in each.lists.items():
                for n, value in enumerate(self.numbers(row, column), 1):
                    screen = found.setdefault(n, self.first(each, row))
                    screen.annotator = RATERS.format(n)
                    (names,) = self.systems(each, row)
                    screen.outputs = names
                    rate(screen, row, names, dimension, value)
        except ImportProblem as problem:
            problems.add(problem)
            return
        yield from found.values()

    def numbers(self, row: Row, column: str) -> list[float]:
        """The scores of a cell such as [91, 90.5]; none where it is empty."""
        cell = row.get(column).strip()
        if not cell:
            return []
        if not LIST.fullmatch(cell):
            reason = f"{shortened(cell)} is no list of numbers, such as [91, 90.5]."
            raise row.problem(column, reason)
        parts = [part.strip() for part in cell[1:-1].split(",") if part.strip()]
        told = Row(row.file, row.number, {})
        found = []
        for part in parts:
            told.cells = {column: part}
            found.append(self.number(told, column))
        return found

    def number(self, row: Row, column: str) -> float:
        known = self.values.get(row.get(column).strip())
        return row.decimal(column) if known is None else known

    def rows(self, each: Meaning, problems: Problems) -> Iterator[Row]:
        ours = EXPORTED & set(each.table.columns)
        for row in each.table.read(problems):
            if self.part and self.part != tuple(row.get(column) for column in each.parts):
                continue
            if not self.pair or row.get(each.column("pair")) in ("", self.pair):
                yield unguarded_row(row) if ours else row

    @staticmethod
    def key(each: Meaning, row: Row) -> list[str]:
        """What the rows of one screen have in common."""
        if each.has("ranking"):
            return [row.get(each.column("ranking"))]
        who = [row.get(each.column(role)) for role in ("annotator", "item")]
        if each.has("item") and who[1]:
            return who
        is_ranked = each.shape in ("ranks", "ranked pairs")
        parts = ("segment", "kind") if is_ranked else ("segment", "kind", "system")
        return who + [row.get(each.column(part)) for part in parts]

    def told(self, rows: list[tuple[Meaning, Row]], problems: Problems) -> Iterator[JudgedScreen]:
        try:
            screen = self.screen(rows)
        except ImportProblem as problem:
            problems.add(problem)
            return
        if screen.ratings or screen.preferences or screen.spans is not None:
            yield screen

    def screen(self, rows: list[tuple[Meaning, Row]]) -> JudgedScreen:
        """Raises ImportProblem for a cell that is not what it should be, and for rows that
        contradict each other."""
        each, row = rows[0]
        found = self.first(each, row)
        if any(meaning.has("position") for meaning, _ in rows):
            rows = sorted(rows, key=lambda pair: whole(pair[1], pair[0].column("position")))
        kinds: dict[str, str] = {}  # of each output in the order of the screen
        copies: set[str] = set()
        for each, row in rows:
            self.check_same(found, each, row)
            kind = self.kind(each, row)
            for group in self.systems(each, row):
                for name in group:
                    if kinds.setdefault(name, kind) != kind:
                        raise row.problem(each.column("kind"), OTHERWISE.format(row=found.row))
                copies.update(group[1:])
                if each.has("copied") and row.get(each.column("copied")) == "yes":
                    copies.update(group)
            self.take(found, each, row)
        found.outputs = list(kinds)
        found.copies = frozenset(copies)
        self.settle_control(found, kinds, *rows[0])
        return found

    @staticmethod
    def settle_control(found: JudgedScreen, kinds: dict[str, str], each: Meaning, row: Row) -> None:
        """Which output is a control among others: of two that are compared the one that a column
        names, else that of another kind."""
        if named := row.get(each.column("control")):
            if named not in kinds or found.kind == Kind.REGULAR:
                reason = "a control is one of the systems, in a row whose kind is not regular."
                raise row.problem(each.column("control"), reason)
            found.control, found.control_kind, found.kind = named, found.kind, Kind.REGULAR.value
            return
        try:
            told = control_among(kinds)
        except ValueError as reason:
            raise found.problem(each.column("kind"), str(reason)) from None
        found.kind, found.control_kind = told[0], told[2]
        found.control = told[1] or ""

    def first(self, each: Meaning, row: Row) -> JudgedScreen:
        annotator = row.text(each.column("annotator")) if each.has("annotator") else MEAN
        item = row.get(each.column("item")) or row.get(each.column("ranking"))
        found = JudgedScreen(
            row.file,
            row.number,
            annotator,
            self.segment(each, row),
            [],
            item=item or str(row.number),
            kind=self.kind(each, row),
            spans=[] if self.asks_errors else None,
        )
        times = {role: row.get(each.column(role)) for role in ("started", "submitted", "seconds")}
        told = Row(row.file, row.number, times)
        found.started = observations.moment(told, "started")
        found.submitted = observations.moment(told, "submitted")
        found.active_ms = observations.milliseconds(told)
        return found

    @staticmethod
    def kind(each: Meaning, row: Row) -> str:
        """The kind of what a row is about. Raises ImportProblem for an unknown word."""
        column = each.column("kind")
        kind = plain(row.get(column))
        if kind not in KINDS:
            reason = f"{shortened(row.get(column))} is not a kind of item. Known: " + ", ".join(
                name for name in KINDS if name
            )
            raise row.problem(column, f"{reason}.")
        return KINDS[kind]

    def segment(self, each: Meaning, row: Row) -> str:
        return shifted(row.text(each.column("segment") or COUNT), self.shift)

    def check_same(self, found: JudgedScreen, each: Meaning, row: Row) -> None:
        same = {
            "segment": self.segment(each, row) == found.segment,
        }
        if each.has("annotator"):
            same["annotator"] = row.get(each.column("annotator")) == found.annotator
        for role, is_same in same.items():
            if not is_same:
                raise row.problem(each.column(role), OTHERWISE.format(row=found.row))

    def systems(self, each: Meaning, row: Row) -> list[list[str]]:
        """The outputs that a row is about, each with those that read the same."""
        if each.has("better"):
            return [[name] for name in self.sides]
        if each.has("system_a", "system_b"):
            return [[row.text(each.column("system_a"))], [row.text(each.column("system_b"))]]
        if not each.has("system"):
            return [[self.system]]
        cell = row.text(each.column("system"))
        names = names_in(each, cell)
        return [shown_first(self.shown, self.segment(each, row), names)]

    def take(self, found: JudgedScreen, each: Meaning, row: Row) -> None:
        (names, *_) = self.systems(each, row)
        if each.shape == "preferences":
            self.take_preference(found, each, row)
        elif each.shape == "ranked pairs":
            self.take_ranks(found, each, row)
        elif each.shape == "errors":
            if shown := row.get(each.column("shown")):
                found.altered[names[0]] = shown
            self.take_error(found, each, row, names[0])
        elif each.shape == "ranks":
            rank = whole(row, each.column("rank"))
            if rank != -1:
                rate(found, row, names, "rank", float(rank))
        elif each.shape == "ratings":
            dimension = slug_of(row.text(each.column("dimension")))
            rate(found, row, names, dimension, row.decimal(each.column("value")))
        else:
            for column, dimension in each.values.items():
                if row.get(column):
                    rate(found, row, names, dimension, self.number(row, column))

    @staticmethod
    def take_ranks(found: JudgedScreen, each: Meaning, row: Row) -> None:
        """Of the pairs of a ranking each names the ranks of its two outputs again."""
        known = {system: value for system, _, value in found.ratings}
        for side in "ab":
            system = row.text(each.column(f"system_{side}"))
            rank = float(whole(row, each.column(f"rank_{side}")))
            if known.setdefault(system, rank) != rank:
                reason = f"{shortened(system)} has another rank in an earlier row."
                raise row.problem(each.column(f"rank_{side}"), reason)
        found.ratings = [(system, "rank", rank) for system, rank in known.items() if rank != -1]

    def take_preference(self, found: JudgedScreen, each: Meaning, row: Row) -> None:
        if each.has("better"):
            better = row.text(each.column("better")).strip()
            sign = 0 if better.lower() in TIES else 1 if better == self.sides[0] else -1
            a, b = self.sides
            found.preferences.append((a, b, sign, None))
            return
        cells = {role: row.get(each.column(role)) for role in ("preference", "strength")}
        told = Row(row.file, row.number, cells)
        a, b = (row.text(each.column(role)) for role in ("system_a", "system_b"))
        if a == b:
            raise row.problem(each.column("system_b"), "a system is not compared with itself.")
        sign = observations.sign(told)
        found.preferences.append((a, b, sign, observations.strength(told, sign)))

    @staticmethod
    def take_error(found: JudgedScreen, each: Meaning, row: Row, system: str) -> None:
        severity = row.get(each.column("severity"))
        if plain(severity) in NO_ERROR or (each.has("copied") and row.get("copied") == "yes"):
            return
        start, end = (whole(row, each.column(role)) for role in ("start", "end"))
        side = row.get(each.column("side")) or "target"
        category = row.get(each.column("category"))
        assert found.spans is not None
        found.spans.append(MarkedSpan(system, side, start, end, severity.lower(), category.lower()))


def rate(found: JudgedScreen, row: Row, names: list[str], dimension: str, value: float) -> None:
    known = {(system, slug) for system, slug, _ in found.ratings}
    for name in names:
        if (name, dimension) in known:
            reason = f"{shortened(name)} is judged twice here. A column “item” tells times apart."
            raise row.problem("", reason)
        found.ratings.append((name, dimension, value))


@dataclass
class ColumnSurvey:
    """What options a campaign needs, from all of its screens."""

    most_outputs: int = 1
    most_rank: int = 2
    leaves_out: bool = False
    lowest: int | None = None
    whole: dict[str, bool] | None = None
    severities: set[str] | None = None
    categories: set[str] | None = None

    def take(self, screen: JudgedScreen) -> None:
        shown = len(screen.outputs) - len(screen.copies)
        self.most_outputs = max(self.most_outputs, shown)
        self.leaves_out |= len({system for system, _, _ in screen.ratings}) < len(screen.outputs)
        self.whole = self.whole or {}
        for _, dimension, value in screen.ratings:
            if dimension == "rank":
                self.most_rank = max(self.most_rank, int(value))
            self.whole[dimension] = self.whole.get(dimension, True) and value.is_integer()
        for span in screen.spans or ():
            self.severities = (self.severities or set()) | {span.severity}
            self.categories = (self.categories or set()) | {span.category} - {""}
        if screen.segment.isdecimal():
            number = int(screen.segment)
            self.lowest = number if self.lowest is None else min(self.lowest, number)


def survey_of(screens: Iterator[JudgedScreen]) -> ColumnSurvey:
    found = ColumnSurvey()
    for screen in screens:
        found.take(screen)
    return found


def scale_of(slug: str, answer: str, whole_numbers: bool) -> dict[str, Any]:
    """The scale of a dimension: open, or from one number to another, in whole steps where all
    scores are whole. Raises ValueError for another answer."""
    if answer in ("", "open"):
        return {"slug": slug, "low": None, "high": None, "step": None}
    low, dash, high = answer.partition("-")
    if not dash or not low.isdecimal() or not high.isdecimal() or int(low) >= int(high):
        raise ValueError(f"{shortened(answer)} should be “open”, or a scale such as 0-100.")
    scale: dict[str, Any] = {"slug": slug, "low": int(low), "high": int(high)}
    return scale if whole_numbers else scale | {"step": None}
