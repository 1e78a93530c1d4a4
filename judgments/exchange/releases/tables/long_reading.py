"""Our own long tables → records, as they were; see `long`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial

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
    TextsPart,
)
from .long import table_of
from .source_table import SourceTable
from .workbooks import unguarded_row

WHOLE = 10**9


class LongTables:
    """The tables of one release by their names; a table may be in pieces, sheet after sheet."""

    def __init__(self, sources: Sequence[SourceTable], problems: Problems, guards: bool) -> None:
        self.problems = problems
        self.guards = guards
        self.tables: dict[str, list[SourceTable]] = {}
        for source in sources:
            self.tables.setdefault(table_of(source.columns), []).append(source)

    def rows(self, table: str, problems: Problems | None = None) -> Iterator[Row]:
        for source in self.tables.get(table, ()):
            # Not `read`: the columns are our own, and some only repeat what others say.
            for row in source.rows(self.problems if problems is None else problems):
                yield unguarded_row(row) if self.guards else row

    def release(self) -> Release:
        release = Release()
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
        """Yield the rows of the three tables are in the same order of segments."""
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

    def screens(self, campaign: str) -> Iterator[JudgedScreen]:
        said = [
            Follower(self.rows(table), ("campaign", "judgment"))
            for table in ("observations", "preferences", "errors")
        ]
        place = ("", "")
        for row in self.rows("judgments"):
            before, place = place, (row.get("campaign"), row.get("judgment"))
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
    """Gives the rows that belong to each place, when both are in the same order."""

    def __init__(self, rows: Iterator[Row], columns: tuple[str, str]) -> None:
        self.rows = rows
        self.columns = columns
        self.next = next(rows, None)

    def take(self, place: tuple[str, str]) -> list[Row]:
        found = []
        one, other = self.columns
        while self.next and (self.next.get(one), self.next.get(other)) == place:
            found.append(self.next)
            self.next = next(self.rows, None)
        return found

    def end(self, problems: Problems) -> None:
        """Say what is left over, which belongs to nothing or stands in another order."""
        if self.next:
            other = self.columns[1]
            reason = f"this {other} is not the next one: the rows of all tables have one order."
            problems.add(self.next.problem(other, reason))


def screen_of(
    row: Row, ratings: list[Row], preferences: list[Row], errors: list[Row]
) -> JudgedScreen:
    """Raise ImportProblem for a cell that is not what it should be."""
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
    )
    named = {screen.control, *screen.altered} - {""}
    named |= {system for system, _, _ in screen.ratings} | set(copies)
    named |= {system for a, b, _, _ in screen.preferences for system in (a, b)}
    named |= {span.system for span in screen.spans or ()}
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
    """Return what the screen showed in place of the outputs of systems."""
    found = _json(row, "altered")
    if not isinstance(found, dict) or not all(isinstance(each, str) for each in found.values()):
        raise row.problem("altered", "it should be a JSON object of texts by system.")
    return found


def _json(row: Row, column: str) -> object:
    try:
        return json.loads(row.get(column) or "{}")
    except (ValueError, RecursionError):
        raise row.problem(column, "the cell should hold JSON.") from None


def _span(row: Row) -> MarkedSpan:
    start, end = (whole(row, column) for column in ("start", "end"))
    return MarkedSpan(
        row.text("system"), row.text("side"), start, end, row.text("severity"), row.get("category")
    )


def whole(row: Row, column: str) -> int:
    """Raise ImportProblem for anything but a whole number that can be a place in a text."""
    value = row.decimal(column)
    if value != int(value) or abs(value) > WHOLE:
        raise row.problem(column, f"{shortened(row.get(column))} is not a whole number.")
    return int(value)
