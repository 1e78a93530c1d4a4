"""Our own long tables → records, unchanged; see `long`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import cached_property, partial

from judgments.exchange.judgments.rows import preference
from judgments.files import observations
from judgments.files.problem import ImportProblem, shortened
from judgments.files.table import Row
from judgments.files.texts import SegmentTexts
from judgments.protocols import preset_named

from ..records import (
    Exclusion,
    JudgedScreen,
    JudgmentsPart,
    MarkedSpan,
    Problems,
    Release,
    Remark,
    TextsPart,
)
from .long import COLUMNS, missing_in, table_of
from .source_table import SourceTable
from .workbooks import unguarded_row

WHOLE, DIGITS = 10**9, 18
SIDES = ("", "source", "target")  # of the words that a comment is about
NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")  # in JSON


class LongTables:
    """The tables of one release by their names; a table may be in several sheets."""

    def __init__(self, sources: Sequence[SourceTable], problems: Problems, guards: bool) -> None:
        self.problems = problems
        self.guards = guards
        self.tables: dict[str, list[SourceTable]] = {}
        self.notes: list[str] = []
        for source in sources:
            if name := table_of(source.columns) or self.named(source):
                self.tables.setdefault(name, []).append(source)

    def named(self, source: SourceTable) -> str:
        """Return the name of a sheet that has other columns besides its own; "" for a sheet that is
        none of ours. Raise ImportProblem if columns are missing."""
        title = re.sub(r" \d+$", "", source.name)
        if title not in COLUMNS:
            self.notes.append(f"{source.file} was left out: it is none of our tables.")
            return ""
        if title == "scores":  # not read back
            return title
        if missing := missing_in(title, source.columns):
            reason = f"this column is missing. The columns are {', '.join(COLUMNS[title])}."
            raise ImportProblem(source.file, 1, missing[0], reason)
        others = [column for column in source.columns if column not in COLUMNS[title]]
        if others:
            noun = "column is" if len(others) == 1 else "columns are"
            names = f"{len(others)} {noun} not used from {source.file}: {', '.join(others)}."
            self.notes.append(names)
        return title

    def rows(self, table: str, problems: Problems | None = None) -> Iterator[Row]:
        for source in self.tables.get(table, ()):
            # Not `read`: the columns are our own, and some only repeat others.
            for row in source.rows(self.problems if problems is None else problems):
                yield unguarded_row(row) if self.guards else row

    def release(self) -> Release:
        release = Release(notes=self.notes)
        known = {}
        for row in self.rows("test_sets"):
            name = row.text("test_set")
            known[name] = row
            release.texts.append(
                TextsPart(
                    name,
                    name,
                    row.get("source_language"),
                    row.get("target_language"),
                    partial(self.segments, name),
                    row.get("has_texts") != "no",
                    row.get("note"),
                    row.get("release"),
                    row.get("gloss_language"),
                )
            )
        for row in self.rows("campaigns"):
            release.judgments.append(self.judgments_part(row, known))
        return release

    def judgments_part(self, row: Row, known: dict[str, Row]) -> JudgmentsPart:
        name = row.text("campaign")
        if row.get("test_set") not in known:
            raise row.problem("test_set", "the table test_sets has no such test set.")
        try:
            preset_named(row.get("preset"))
        except KeyError:
            reason = f"{shortened(row.get('preset'))} is not a kind of campaign."
            raise row.problem("preset", reason) from None
        options = _json(row, "options")
        if not isinstance(options, dict):
            raise row.problem("options", "they should be a JSON object in { }.")
        return JudgmentsPart(
            name,
            row.get("test_set"),
            row.get("preset"),
            partial(self.screens, name),
            options,
            row.get("instructions"),
            [
                Exclusion(*(each.get(column) for column in Exclusion._fields))
                for each in self.rows("exclusions", Problems())
                if each.get("campaign") == name
            ],
            note=row.get("note"),
        )

    # ---- Texts ---------------------------------------------------------------------------------

    def segments(self, test_set: str) -> Iterator[SegmentTexts]:
        """Yield the segments; the rows of the three tables are in the same order of segments."""
        of_segment = [
            Follower(self.rows(table), ("test_set", "segment"))
            for table in ("references", "outputs")
        ]
        for row in self.rows("segments"):
            place = (row.get("test_set"), row.get("segment"))
            references, outputs = (follower.take(place) for follower in of_segment)
            if place[0] != test_set:
                continue
            yield SegmentTexts(
                row.file,
                row.number,
                place[1],
                row.get("document"),
                row.get("source"),
                {each.get("reference"): each.get("text") for each in references},
                {each.get("system"): each.get("text") for each in outputs},
                row.get("domain"),
                row.get("original_language"),
                row.get("gloss"),
                instructions=row.get("instructions"),
                donors={
                    each.get("reference"): each.get("donor")
                    for each in references
                    if each.get("donor")
                },
            )
        for follower in of_segment:
            follower.end(self.problems)

    # ---- Judgments -----------------------------------------------------------------------------

    @cached_property
    def judgments(self) -> set[int]:
        """The hashes of (campaign, judgment) of all rows that can be read; only needed where rows
        of a judgment may lack it."""
        rows = self.rows("judgments", Problems())
        return {hash((row.get("campaign"), row.get("judgment"))) for row in rows}

    def screens(self, campaign: str) -> Iterator[JudgedScreen]:
        said = [
            Follower(self.rows(table), ("campaign", "judgment"))
            for table in ("observations", "preferences", "errors", "remarks")
        ]
        place = ("", "")
        for row in self.rows("judgments"):
            before, place = place, (row.get("campaign"), row.get("judgment"))
            for follower in said:
                follower.skip_to(place, self)
            rows = [follower.take(place) for follower in said]
            if place[0] != campaign:
                continue
            if place == before:
                problem = row.problem("judgment", "this judgment occurs in the file twice.")
                self.problems.add(problem)
                continue
            try:
                yield screen_of(row, *rows)
            except ImportProblem as problem:
                self.problems.add(problem)
        for follower in said:
            follower.end(self.problems)


class Follower:
    """Returns the rows that belong to each place, if both are in the same order."""

    def __init__(self, rows: Iterator[Row], columns: tuple[str, str]) -> None:
        self.rows = rows
        self.columns = columns
        self.next = next(rows, None)

    def take(self, place: tuple[str, str]) -> list[Row]:
        found = []
        while self.next and self.place == place:
            found.append(self.next)
            self.next = next(self.rows, None)
        return found

    def skip_to(self, place: tuple[str, str], tables: LongTables) -> None:
        """Report the rows of judgments that are missing, whose numbers are before the place's."""
        while (
            self.next
            and self.place[0] == place[0]
            and is_before(self.place[1], place[1])
            and hash(self.place) not in tables.judgments
        ):
            reason = f"there is no such {self.columns[1]}, or its row cannot be read."
            tables.problems.add(self.next.problem(self.columns[1], reason))
            self.next = next(self.rows, None)

    @property
    def place(self) -> tuple[str, str]:
        assert self.next
        one, other = self.columns
        return self.next.get(one), self.next.get(other)

    def end(self, problems: Problems) -> None:
        """Report a remaining row, which belongs to nothing or is in another order: those after it
        were not read either, so it cannot be left out."""
        if self.next:
            other = self.columns[1]
            reason = (
                f"from row {self.next.number:,} on, the rows belong to no {other} of the other "
                f"table, or are in another order. Row {self.next.number:,} is of "
                f"{shortened(self.next.get(other))}."
            )
            problems.add(ImportProblem(self.next.file, None, other, reason))


def is_before(number: str, other: str) -> bool:
    """Return whether both are whole numbers, and the first is smaller."""
    are_numbers = all(each.isdecimal() and len(each) <= DIGITS for each in (number, other))
    return are_numbers and int(number) < int(other)


def screen_of(
    row: Row, ratings: list[Row], preferences: list[Row], errors: list[Row], remarks: list[Row]
) -> JudgedScreen:
    """Return the screen of these rows. Raise ImportProblem for an invalid cell."""
    outputs, copies = _names(row, "outputs"), _names(row, "copies")
    spans = None if row.get("errors_asked") == "no" else [_span(each) for each in errors]
    screen = JudgedScreen(
        row.file,
        row.number,
        row.get("annotator"),
        row.get("segment"),
        outputs,
        row.get("item"),
        row.get("kind"),
        row.get("part"),
        [(each.text("system"), each.text("dimension"), each.decimal("value")) for each in ratings],
        frozenset(copies),
        [preference(each, each.text("system_a"), each.text("system_b")) for each in preferences],
        spans,
        observations.moment(row, "started"),
        observations.moment(row, "submitted"),
        observations.milliseconds(row),
        control=row.get("control"),
        control_kind=row.get("control_kind"),
        altered=_altered(row),
        remarks=[_remark(each) for each in remarks],
    )
    named = {screen.control, *screen.altered} - {""}
    named |= {system for system, _, _ in screen.ratings} | set(copies)
    named |= {system for a, b, _, _ in screen.preferences for system in (a, b)}
    named |= {each.system for each in (*(screen.spans or ()), *screen.remarks) if each.system}
    if bool(screen.control) != bool(screen.control_kind):
        raise row.problem("control_kind", "a control has a kind, and nothing else has one here.")
    if odd := named - set(outputs):
        reason = f"{shortened(min(odd))} is not among them, but something is said about it."
        raise row.problem("outputs", reason)
    return screen


def _names(row: Row, column: str) -> list[str]:
    found = _json(row, column)
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise row.problem(column, "they should be a JSON list of names.")
    return found


def _altered(row: Row) -> dict[str, str]:
    """Return the texts shown instead of the outputs of systems."""
    found = _json(row, "altered")
    if not isinstance(found, dict) or not all(isinstance(each, str) for each in found.values()):
        raise row.problem("altered", "it should be a JSON object of texts by system.")
    return found


def _json(row: Row, column: str) -> object:
    try:
        found = json.loads(row.get(column) or "{}")
        json.dumps(found, ensure_ascii=False).encode()  # fails for half of a surrogate pair
    except (ValueError, RecursionError):
        raise row.problem(column, "the cell should hold JSON.") from None
    if NUL.search(row.get(column)):
        raise row.problem(column, "the cell contains a NUL character.")
    return found


def _span(row: Row) -> MarkedSpan:
    start, end = (whole(row, column) for column in ("start", "end"))
    return MarkedSpan(
        row.text("system"), row.text("side"), start, end, row.text("severity"), row.get("category")
    )


def _remark(row: Row) -> Remark:
    start, end = (whole(row, column) for column in ("start", "end"))
    if row.get("side") not in SIDES:
        raise row.problem("side", f"it should be one of {', '.join(SIDES[1:])}, or empty.")
    return Remark(row.text("comment"), row.get("system"), row.get("side"), start, end)


def whole(row: Row, column: str) -> int:
    """Return a whole number. Raise ImportProblem for anything that cannot be a place in a text."""
    value = row.decimal(column)
    if value != int(value) or abs(value) > WHOLE:
        raise row.problem(column, f"{shortened(row.get(column))} is not a whole number.")
    return int(value)
