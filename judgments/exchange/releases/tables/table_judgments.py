"""Judgments in tables of any kind → judged screens. No scores are scaled, and no names changed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from judgments.exchange.judgments.controls import control_among
from judgments.exchange.judgments.rows import NO_ERRORS, name_control, preference, who_when
from judgments.files.problem import ImportProblem, shortened
from judgments.files.table import Row
from judgments.models import Kind

from ..collapsed_outputs import Groups, shown_first, shown_of
from ..grouping import grouped
from ..human_scores import MEAN
from ..records import JudgedScreen, MarkedSpan, Problems
from .columns import LIST, Meaning, RoleRow, plain, slug_of
from .long_reading import whole
from .table_texts import shifted
from .workbooks import unguarded_row

# Names of kinds of items in releases.
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
# Columns of our own exports, whose cells were guarded against formulas.
EXPORTED = {"excluded", "copied", "selection", "z_all"}


# WMT16: several names in a column of systems are one output, shown once.
MANY = "systems"
TIES = {"tie", "ties", "tied", "equal", "same", "draw", "both", "neither", "none", "0", ""}
RATERS = "rater {}"  # for several scores in one cell
SINGLE = ("scores", "means", "lists", "preferences")  # each row is one judgment, or several


def names_in(row: RoleRow) -> list[str]:
    cell = row.text("system")
    return cell.split(",") if has_many(row.meaning) else [cell]


def has_many(each: Meaning) -> bool:
    return plain(each.column("system")) == MANY


@dataclass(frozen=True)
class JudgmentTables:
    """The tables of one campaign: of one shape, or ratings with their errors. shift, pair, system:
    as in `TextTables`. part: the cells of the columns that distinguish campaigns; sides: the two
    systems of a table that names the better one. values: replacements of the files' scores, by
    their texts."""

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
                (self.segment(row), tuple(names_in(row)))
                for each in self.tables
                if has_many(each)
                for row in self.rows(each, Problems())
                if row.get("segment") and row.get("system").strip()
            }
        )

    def screens(self, problems: Problems) -> Iterator[JudgedScreen]:
        """Yield screens in the order of their first rows."""
        if len(self.tables) == 1 and self.tables[0].shape in SINGLE:
            (each,) = self.tables
            for row in self.rows(each, problems):
                if each.shape == "lists":
                    yield from self.of_lists(row, problems)
                else:
                    yield from self.judged_screens([row], problems)
            return
        keyed = (
            (json.dumps(self.key(row)), [place, row.number, row.of_table.cells])
            for place, each in enumerate(self.tables)
            for row in self.rows(each, problems)
        )
        for some in grouped(keyed):
            yield from self.judged_screens(
                [self.tables[place].again(*given, problems) for place, *given in some], problems
            )

    def of_lists(self, row: RoleRow, problems: Problems) -> Iterator[JudgedScreen]:
        """Yield a screen of each rater: the first score of every cell belongs to the first one."""
        try:
            found: dict[int, JudgedScreen] = {}
            for column, dimension in row.meaning.lists.items():
                for n, value in enumerate(self.numbers(row, column), 1):
                    screen = found.setdefault(n, self.first(row))
                    screen.annotator = RATERS.format(n)
                    (names,) = self.systems(row)
                    screen.outputs = names
                    rate(screen, row, names, dimension, value)
        except ImportProblem as problem:
            problems.add(problem)
            return
        yield from found.values()

    def numbers(self, row: RoleRow, column: str) -> list[float]:
        """Return the scores of a cell such as [91, 90.5]; empty for an empty cell."""
        cell = row.of_table.get(column).strip()
        if cell and not LIST.fullmatch(cell):
            reason = f"{shortened(cell)} is not a list of numbers, such as [91, 90.5]."
            raise row.of_table.problem(column, reason)
        parts = [part.strip() for part in cell[1:-1].split(",")]
        return [
            self.number(Row(row.file, row.number, {column: part}), column) for part in parts if part
        ]

    def number(self, row: Row, column: str) -> float:
        known = self.values.get(row.get(column).strip())
        return row.decimal(column) if known is None else known

    def rows(self, each: Meaning, problems: Problems) -> Iterator[RoleRow]:
        ours = EXPORTED & set(each.table.columns)
        for row in each.rows(problems, self.pair):
            if self.part and self.part != row.cells_of(each.parts):
                continue
            if each.shape == "errors" and row.of_table.cells.get("provenance") in NO_ERRORS:
                continue
            if ours:
                unguarded_row(row.of_table)
            yield row

    @staticmethod
    def key(row: RoleRow) -> list[str]:
        """Return the values common to the rows of one screen."""
        if row.has("ranking"):
            return [row.get("ranking")]
        who = [row.get(role) for role in ("annotator", "item")]
        if row.has("item") and who[1]:
            return who
        is_ranked = row.meaning.shape in ("ranks", "ranked pairs")
        parts = ("segment", "kind") if is_ranked else ("segment", "kind", "system")
        return who + [row.get(part) for part in parts]

    def judged_screens(self, rows: list[RoleRow], problems: Problems) -> Iterator[JudgedScreen]:
        try:
            screen = self.screen(rows)
        except ImportProblem as problem:
            problems.add(problem)
            # The others of the screen are left out with it.
            problems.along |= {(row.file, row.number) for row in rows}
            return
        if screen.ratings or screen.preferences or screen.spans is not None:
            yield screen

    def screen(self, rows: list[RoleRow]) -> JudgedScreen:
        """Return the screen of its rows. Raise ImportProblem for an invalid cell, and for rows that
        contradict each other."""
        first = rows[0]
        found = self.first(first)
        if any(row.has("position") for row in rows):
            rows = sorted(rows, key=lambda row: whole(row, "position"))
        kinds: dict[str, str] = {}  # of each output in the order of the screen
        copies: set[str] = set()
        for row in rows:
            self.check_same(found, row)
            kind = self.kind(row)
            groups = self.systems(row)
            for group in groups:
                for name in group:
                    if kinds.setdefault(name, kind) != kind:
                        raise row.problem("kind", OTHERWISE.format(row=found.row))
                copies.update(group[1:])
                if row.get("copied") == "yes":
                    copies.update(group)
            self.take(found, row, groups[0])
        found.outputs = list(kinds)
        found.copies = frozenset(copies)
        if named := first.get("control"):
            name_control(found, first, named)
            return found
        try:
            control = control_among(kinds)
        except ValueError as reason:
            raise first.problem("kind", str(reason)) from None
        found.kind, found.control, found.control_kind = control[0], control[1] or "", control[2]
        return found

    def first(self, row: RoleRow) -> JudgedScreen:
        annotator = row.text("annotator") if row.has("annotator") else MEAN
        item = row.get("item") or row.get("ranking") or str(row.number)
        found = who_when(row, annotator, self.segment(row), item, self.kind(row))
        found.spans = [] if self.asks_errors else None
        return found

    @staticmethod
    def kind(row: RoleRow) -> str:
        """Return the kind of a row's outputs. Raise ImportProblem for an unknown word."""
        kind = plain(row.get("kind"))
        if kind not in KINDS:
            known = ", ".join(name for name in KINDS if name)
            reason = f"{shortened(row.get('kind'))} is not a kind of item. Known: {known}."
            raise row.problem("kind", reason)
        return KINDS[kind]

    def segment(self, row: RoleRow) -> str:
        return shifted(row.text("segment"), self.shift)

    def check_same(self, found: JudgedScreen, row: RoleRow) -> None:
        if self.segment(row) != found.segment:
            raise row.problem("segment", OTHERWISE.format(row=found.row))
        if row.has("annotator") and row.get("annotator") != found.annotator:
            raise row.problem("annotator", OTHERWISE.format(row=found.row))

    def systems(self, row: RoleRow) -> list[list[str]]:
        """Return the outputs of a row, each with the systems that have the same text."""
        if row.has("better"):
            return [[name] for name in self.sides]
        if row.has("system_a", "system_b"):
            return [[row.text("system_a")], [row.text("system_b")]]
        if not row.has("system"):
            return [[self.system]]
        return [shown_first(self.shown, self.segment(row), names_in(row))]

    def take(self, found: JudgedScreen, row: RoleRow, names: list[str]) -> None:
        if row.meaning.shape == "preferences":
            found.preferences.append(self.preference(row))
        elif row.meaning.shape == "ranked pairs":
            self.take_ranks(found, row)
        elif row.meaning.shape == "errors":
            if shown := row.get("shown"):
                found.altered[names[0]] = shown
            self.take_error(found, row, names[0])
        elif row.meaning.shape == "ranks":
            rank = whole(row, "rank")
            if rank != -1:
                rate(found, row, names, "rank", float(rank))
        elif row.meaning.shape == "ratings":
            dimension = slug_of(row.text("dimension"))
            rate(found, row, names, dimension, row.decimal("value"))
        else:
            for column, dimension in row.meaning.values.items():
                if row.of_table.get(column):
                    rate(found, row, names, dimension, self.number(row.of_table, column))

    @staticmethod
    def take_ranks(found: JudgedScreen, row: RoleRow) -> None:
        """Add the ranks of a row. The pairs of a ranking repeat the ranks of their two outputs."""
        known = {system: value for system, _, value in found.ratings}
        for side in "ab":
            system = row.text(f"system_{side}")
            rank = float(whole(row, f"rank_{side}"))
            if known.setdefault(system, rank) != rank:
                reason = f"{shortened(system)} has another rank in an earlier row."
                raise row.problem(f"rank_{side}", reason)
        found.ratings = [(system, "rank", rank) for system, rank in known.items() if rank != -1]

    def preference(self, row: RoleRow) -> tuple[str, str, int, int | None]:
        if not row.has("better"):
            return preference(row, row.text("system_a"), row.text("system_b"))
        better = row.text("better").strip()
        sign = 0 if better.lower() in TIES else 1 if better == self.sides[0] else -1
        a, b = self.sides
        return a, b, sign, None

    @staticmethod
    def take_error(found: JudgedScreen, row: RoleRow, system: str) -> None:
        severity = row.get("severity")
        if plain(severity) in NO_ERROR or (row.get("copied") == "yes"):
            return
        start, end = (whole(row, role) for role in ("start", "end"))
        side = row.get("side") or "target"
        category = row.get("category")
        assert found.spans is not None
        found.spans.append(MarkedSpan(system, side, start, end, severity.lower(), category.lower()))


def rate(found: JudgedScreen, row: Row, names: list[str], dimension: str, value: float) -> None:
    known = {(system, slug) for system, slug, _ in found.ratings}
    for name in names:
        if (name, dimension) in known:
            reason = (
                f"{shortened(name)} is judged twice here. A column “item” tells the judgments "
                "apart."
            )
            raise row.problem("", reason)
        found.ratings.append((name, dimension, value))


@dataclass
class ColumnSurvey:
    """The options that a campaign needs, from all of its screens."""

    most_outputs: int = 1
    most_rank: int = 2
    leaves_out: bool = False
    whole: dict[str, bool] = field(default_factory=dict)
    severities: set[str] = field(default_factory=set)
    categories: set[str] = field(default_factory=set)

    def take(self, screen: JudgedScreen) -> None:
        shown = len(screen.outputs) - len(screen.copies)
        self.most_outputs = max(self.most_outputs, shown)
        self.leaves_out |= len({system for system, _, _ in screen.ratings}) < len(screen.outputs)
        for _, dimension, value in screen.ratings:
            if dimension == "rank":
                self.most_rank = max(self.most_rank, int(value))
            self.whole[dimension] = self.whole.get(dimension, True) and value.is_integer()
        for span in screen.spans or ():
            self.severities.add(span.severity)
            self.categories |= {span.category} - {""}


def survey_of(screens: Iterator[JudgedScreen]) -> ColumnSurvey:
    found = ColumnSurvey()
    for screen in screens:
        found.take(screen)
    return found


def scale_of(slug: str, answer: str, whole_numbers: bool) -> dict[str, Any]:
    """Return the scale of a dimension: open, or from one number to another, in whole steps if all
    scores are whole. Raise ValueError for another answer."""
    if answer in ("", "open"):
        return {"slug": slug, "low": None, "high": None, "step": None}
    low, dash, high = answer.partition("-")
    if not dash or not low.isdecimal() or not high.isdecimal() or int(low) >= int(high):
        raise ValueError(f"{shortened(answer)} should be “open”, or a scale such as 0-100.")
    scale: dict[str, Any] = {"slug": slug, "low": int(low), "high": int(high)}
    return scale if whole_numbers else scale | {"step": None}
