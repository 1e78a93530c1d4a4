"""The table of a campaign's judgments → screens.

A row becomes a judged screen with its own data; its names are looked up, and it is joined to the
rows of the same screen. So every error is reported with its row.
"""

from __future__ import annotations

from django.conf import settings

from judgments.files import ImportProblem, observations
from judgments.files.lines import Source, name_of
from judgments.files.problem import Problems
from judgments.files.table import Row, read_table
from judgments.models import Campaign, Kind
from judgments.protocols import protocol_of
from judgments.protocols.spans.marking import Marking
from judgments.protocols.spans.table import SLIDER, error_of
from judgments.protocols.tables import SELECTION, ReadTable

from .reader import LONGEST_ITEM, ScreenReader
from .records import JudgedScreen, MarkedSpan
from .screens import ImportedScreen

NO_ERRORS = {"deleted", "withheld"}  # suggestions that did not become an error
REGULAR = Kind.REGULAR.value


def read_screens(
    campaign: Campaign, source: Source, problems: Problems
) -> tuple[list[ImportedScreen], int]:
    """Return all screens of a file, in the order of their first rows, and the number of its rows.
    problems: receives errors of rows that do not fit the campaign's texts and scales, and of the
    first rows of screens that do not. Raise ImportProblem for a file that cannot be read.
    """
    protocol = protocol_of(campaign)
    table = protocol.table
    if not isinstance(table, ReadTable):
        reason = f"judgments of the kind {protocol.name} cannot be imported."
        raise ImportProblem(name_of(source), None, "", reason)
    reader = RowReader(table, ScreenReader(campaign))
    limit = settings.MAX_IMPORT_ROWS
    count = 0
    for count, row in enumerate(read_table(source, table.readable, exported=True), 1):
        if count > limit:
            reason = f"the table has more than {limit:,} rows, the limit of this site. Split it."
            raise row.problem("", reason)
        try:
            reader.take(row)
        except ImportProblem as problem:
            problems.add(problem)
    screens = []
    for screen in reader.screens.values():
        try:
            screens.append(reader.reader.complete(screen))
        except ImportProblem as problem:
            problems.add(problem)
    return screens, count


class RowReader:
    """Collects the rows of one file. reader: knows the campaign, its dimensions and its texts.

    Methods raise ImportProblem for an invalid row.
    """

    def __init__(self, table: ReadTable, reader: ScreenReader) -> None:
        self.table = table
        self.reader = reader
        protocol = reader.protocol
        self.parts = set(protocol.parts()) - {""}
        # A ranking is one act of one person; items are numbered within each annotator's work.
        self.naming = "ranking" if table.shape == "ranks" else "item"
        self.marking = protocol.options if isinstance(protocol.options, Marking) else Marking()
        self.most_errors = None if self.marking.released else self.marking.most
        self.altered: dict[tuple[str, str, str], str] = {}
        self.screens: dict[tuple, ImportedScreen] = {}
        of_shapes = {
            "ratings": self.rating,
            "ranks": self.rank,
            "preferences": self.preference,
            "errors": self.error,
        }
        self.given = of_shapes[table.shape]

    def take(self, row: Row) -> None:
        """Add a row to its screen: the one that the file names, or else that of its annotator,
        segment, kind and pass, and of its outputs if these fill a screen."""
        given = self.given(row)
        if given is None:
            return
        found = self.reader.look_up(given)
        key: tuple
        if found.name:
            owner = found.annotator if self.naming == "item" else ""
            key = (owner, found.name, found.part)
        else:
            shown = tuple(sorted(found.outputs)) if len(found.outputs) == self.reader.most else ()
            kind = found.control_kind or found.kind
            key = (found.annotator, found.segment_id, kind, shown, found.part)
        screen = self.screens.setdefault(key, found)
        if screen is not found:
            screen.join(found, self.naming, self.most_errors)

    def first(self, row: Row) -> JudgedScreen:
        name = row.name(self.naming, LONGEST_ITEM) if row.get(self.naming) else ""
        kind = row.get("kind") or REGULAR
        return who_when(row, row.text("annotator"), row.text("segment"), name, kind)

    def rating(self, row: Row) -> JudgedScreen:
        found = self.first(row)
        dimension = row.text("dimension")
        if dimension in self.parts:
            found.part = dimension
        rate(found, row, dimension, "value")
        return found

    def rank(self, row: Row) -> JudgedScreen:
        row.text("ranking")
        found = self.first(row)
        rate(found, row, "rank", "rank")
        return found

    def preference(self, row: Row) -> JudgedScreen:
        found = self.first(row)
        a, b = found.outputs = [row.text("system_a"), row.text("system_b")]
        found.preferences = [preference(row, a, b)]
        if control := row.get("control"):
            self.reader.kind(found, found.kind, "kind")
            name_control(found, row, control)
        return found

    def error(self, row: Row) -> JudgedScreen | None:
        """Return an error, or a rating, depending on the columns."""
        if "dimension" in row.cells:
            if not self.screens:  # its first row; ratings lack the columns of errors
                names = tuple(name for name in row.cells if name != SELECTION)
                self.table.columns.check(row.file, 1, names)
            return self.rating(row)
        if "severity" not in row.cells:
            raise row.problem("severity", "this column is missing: errors have one.")
        if row.get("provenance") in NO_ERRORS:
            return None
        found = self.first(row)
        show(found, row)
        (system,) = found.outputs
        if row.get("score"):
            if SLIDER not in self.reader.dimensions:
                raise row.problem("score", "this campaign asks for no score besides the errors.")
            found.value_column = "score"
            found.ratings = [(system, SLIDER, row.decimal("score"))]
        # The first row of an output, or all, give the text shown instead of it.
        place = (found.annotator, found.item or f"{found.segment}\t{found.kind}", system)
        if text := row.get("shown"):
            found.altered = {system: text}
            if self.altered.setdefault(place, text) != text:
                raise row.problem("shown", "an earlier row of this output says otherwise.")
        elif earlier := self.altered.get(place):
            found.altered = {system: earlier}
        found.spans = []
        if row.get("severity").strip():
            texts = self.reader.texts(found, system)
            if shown := self.altered.get(place):
                texts["target"] = shown
            found.spans = [MarkedSpan(system, *error_of(row, self.marking, texts))]
        return found


def who_when(row: Row, annotator: str, segment: str, item: str, kind: str) -> JudgedScreen:
    """Return a screen without outputs."""
    return JudgedScreen(
        row.file,
        row.number,
        annotator,
        segment,
        [],
        item,
        kind,
        started=observations.moment(row, "started"),
        submitted=observations.moment(row, "submitted"),
        active_ms=observations.milliseconds(row),
    )


def show(found: JudgedScreen, row: Row) -> None:
    found.outputs = [row.text("system")]
    if observations.copied(row):
        found.copies = frozenset(found.outputs)


def rate(found: JudgedScreen, row: Row, dimension: str, column: str) -> None:
    show(found, row)
    found.value_column = column
    found.ratings = [(found.outputs[0], dimension, row.decimal(column))]


def preference(row: Row, a: str, b: str) -> tuple[str, str, int, int | None]:
    """Return a preference as in `JudgedScreen.preferences`."""
    if a == b:
        raise row.problem("system_b", "a system is not compared with itself.")
    sign = observations.sign(row)
    return a, b, sign, observations.strength(row, sign)


def name_control(found: JudgedScreen, row: Row, control: str) -> None:
    """Set which of the systems is the control to which the screen's kind refers."""
    if control not in found.outputs or found.kind == REGULAR:
        reason = "a control is one of the two systems, in a row whose kind is not regular."
        raise row.problem("control", reason)
    found.control, found.control_kind, found.kind = control, found.kind, REGULAR
