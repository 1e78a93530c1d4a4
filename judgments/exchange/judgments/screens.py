"""Rows of observations → screens: what one annotator answered about one segment at one time."""

import typing
from collections.abc import Iterator
from datetime import datetime

from django.conf import settings

from judgments.files import ImportProblem, observations
from judgments.files.lines import Source, name_of
from judgments.files.problem import Problems, shortened
from judgments.files.table import Row, read_table
from judgments.models import Campaign, Kind, Output
from judgments.protocols import Protocol, protocol_of
from judgments.protocols.tables import ReadTable

from .controls import control_among

KINDS = {kind: kind for kind in Kind.values}
LONGEST_ALIAS = 150
LONGEST_ITEM = 200


class RowPlace(typing.Protocol):
    """Where in a file something stands."""

    @property
    def file(self) -> str: ...
    @property
    def number(self) -> int: ...


class ImportedScreen:
    """One item and the judgment of it.

    outputs: ids in their order on the screen. ratings: {(output id, dimension): value}.
    copies: the outputs that were not shown themselves, because another one reads the same.
    control: the output that is a control among others, of control_kind; None: none is.
    altered: {output id: what the screen showed in its place}.
    preferences: (output id a, output id b, sign, strength). spans: (output id, side, start, end,
    severity, category). name: the file's own, or "".
    number: the file's row in which it starts.
    """

    __slots__ = (
        "active_ms",
        "altered",
        "annotator",
        "control",
        "control_kind",
        "copies",
        "file",
        "kind",
        "name",
        "number",
        "others",
        "outputs",
        "part",
        "preferences",
        "ratings",
        "segment_id",
        "spans",
        "started_at",
        "submitted_at",
    )

    def __init__(
        self, row: RowPlace, annotator: str, segment_id: int, kind: str, name: str
    ) -> None:
        self.file = row.file
        self.number = row.number
        self.annotator = annotator
        self.segment_id = segment_id
        self.kind = kind
        self.control: int | None = None
        self.control_kind = ""
        # Outputs of another kind than that of the first row; both are None where there are none.
        self.others: dict[int, str] | None = None
        self.altered: dict[int, str] | None = None
        self.name = name
        self.part = ""
        self.outputs: list[int] = []
        self.ratings: dict[tuple[int, str], float] = {}
        self.copies: set[int] = set()
        self.preferences: list[tuple[int, int, int, int | None]] = []
        self.spans: list[tuple[int, str, int, int, str, str]] = []
        self.started_at: datetime | None = None
        self.submitted_at: datetime | None = None
        self.active_ms: int | None = None

    def problem(self, column: str, reason: str) -> ImportProblem:
        return ImportProblem(self.file, self.number, column, reason)

    def show(self, output_id: int) -> None:
        if output_id not in self.outputs:
            self.outputs.append(output_id)

    def take_kind(self, row: Row, output_id: int, kind: str) -> None:
        """Every row says of what kind its output is. Raises ImportProblem where two rows of one
        output say otherwise."""
        known = (self.others or {}).get(output_id, self.kind)
        if kind != known and output_id in self.outputs:
            reason = f"row {self.number:,} has the same output with another kind."
            raise row.problem("kind", reason)
        if kind != self.kind:
            self.others = {**(self.others or {}), output_id: kind}

    def settle_kind(self) -> None:
        """Find out which output is the control, when all rows are known. Raises ImportProblem."""
        if self.others:
            kinds = {output: self.others.get(output, self.kind) for output in self.outputs}
            try:
                found = control_among(kinds)
            except ValueError as reason:
                raise self.problem("kind", str(reason)) from None
            self.kind, self.control, self.control_kind = found

    def take_shown(self, row: Row, output_id: int) -> None:
        """What stood on the screen in place of an output, where a row says so."""
        if text := row.get("shown"):
            known = (self.altered or {}).get(output_id, text)
            if known != text:
                raise row.problem("shown", "an earlier row of this output says otherwise.")
            self.altered = {**(self.altered or {}), output_id: text}

    @property
    def repeated(self) -> str:
        """Why the same answer again is refused."""
        return (
            f"duplicate: {shortened(self.annotator)} has judged this already in this item, which "
            f"starts in row {self.number:,}. Where people judged the same again, a column "
            "“item” or “kind” tells the times apart."
        )

    def take_times(self, row: Row) -> None:
        """Times stand on any row of a screen, or on all of them with the same value."""
        for column, field, read in (
            ("started", "started_at", lambda: observations.moment(row, "started")),
            ("submitted", "submitted_at", lambda: observations.moment(row, "submitted")),
            ("seconds", "active_ms", lambda: observations.milliseconds(row)),
        ):
            value = read() if row.get(column) else None
            if value is None:
                continue
            known = getattr(self, field)
            if known is not None and known != value:
                reason = f"an earlier row of this item (row {self.number:,}) says otherwise."
                raise row.problem(column, reason)
            setattr(self, field, value)


def read_screens(
    campaign: Campaign, source: Source, problems: Problems
) -> tuple[list[ImportedScreen], int]:
    """Return all screens of a file, in the order in which their first rows stand, and the number
    of its rows. problems: takes rows that do not fit the campaign's texts and scales, and the first
    rows of screens that do not. Raises ImportProblem for a file that cannot be read.
    """
    protocol = protocol_of(campaign)
    table = protocol.table
    if not isinstance(table, ReadTable):
        reason = f"judgments of the kind {protocol.name} cannot be imported."
        raise ImportProblem(name_of(source), None, "", reason)
    reader = RowReader(protocol)
    limit = settings.MAX_IMPORT_ROWS
    count = 0
    for count, row in enumerate(read_table(source, table.readable, exported=True), 1):
        if count > limit:
            reason = f"the table has more than {limit:,} rows, the limit of this site. Split it."
            raise row.problem("", reason)
        try:
            table.take(reader, row)
        except ImportProblem as problem:
            problems.add(problem)
    screens = []
    for screen in reader.screens.values():
        try:
            reader.check(screen)
            screens.append(screen)
        except ImportProblem as problem:
            problems.add(problem)
    return screens, count


class RowReader:
    """Collects the rows of one file; knows the names of the campaign's texts and dimensions."""

    def __init__(self, protocol: Protocol) -> None:
        campaign = protocol.campaign
        self.protocol = protocol
        self.fewest, self.most = protocol.outputs_per_item()
        self.dimensions = {d.slug: d for d in protocol.dimensions()}
        self.parts = {part for part in protocol.parts() if part}
        self.segments = dict(campaign.test_set.segments.values_list("key", "pk"))
        self.systems = dict(campaign.test_set.systems.values_list("name", "pk"))
        self.outputs = dict(self._outputs(campaign))
        self.screens: dict[tuple, ImportedScreen] = {}
        self.values: dict[tuple[str, str], float] = {}
        self.names: dict[str, str] = {}
        self.sources: dict[int, str] = {}
        self.targets: dict[int, str] = {}

    def texts(self, segment_id: int, output_id: int) -> dict[str, str]:
        """The texts that an error may be in, by side; all are read when the first is asked for."""
        if not self.sources:
            test_set = self.protocol.campaign.test_set
            self.sources = dict(test_set.segments.values_list("pk", "source").iterator())
            rows = Output.objects.filter(system__test_set=test_set).order_by()
            self.targets = dict(rows.values_list("pk", "text").iterator())
        return {"source": self.sources[segment_id], "target": self.targets[output_id]}

    @staticmethod
    def _outputs(campaign: Campaign) -> Iterator[tuple[tuple[int, int], int]]:
        """((segment id, system id), output id) of the test set."""
        rows = Output.objects.filter(system__test_set=campaign.test_set).order_by()
        for segment, system, pk in rows.values_list("segment_id", "system_id", "pk").iterator():
            yield (segment, system), pk

    def segment(self, row: Row) -> int:
        key = row.text("segment")
        if key not in self.segments:
            reason = f"{shortened(key)} is not a segment of the test set."
            raise row.problem("segment", reason)
        return self.segments[key]

    def output(self, row: Row, segment_id: int, column: str) -> int:
        name = row.text(column)
        if name not in self.systems:
            known = shortened(", ".join(sorted(self.systems)), 300)
            reason = f"{shortened(name)} is not a system of the test set. Its systems: {known}."
            raise row.problem(column, reason)
        try:
            return self.outputs[segment_id, self.systems[name]]
        except KeyError:
            reason = f"the system {shortened(name)} has no output for this segment."
            raise row.problem(column, reason) from None

    def value(self, row: Row, column: str, dimension: str) -> float:
        """The cell as a value on the dimension's scale; cells repeat, so answers are kept."""
        cell = row.get(column)
        known = self.values.get((dimension, cell))
        if known is not None:
            return known
        value = row.decimal(column)
        scale = self.dimensions[dimension].scale
        if problem := scale.problem_with(value):
            raise row.problem(column, f"{problem}.")
        self.values[dimension, cell] = value
        return value

    def screen(
        self,
        row: Row,
        segment_id: int,
        naming: str,
        shown: tuple[int, ...] = (),
        part: str = "",
        *,
        output_id: int | None = None,
        owned: bool = True,
    ) -> ImportedScreen:
        """The screen to which a row belongs: the one that the column `naming` names, or else that
        of its annotator, segment, kind and `shown` outputs; each pass has its own. output_id: the
        one that the row is of, where a row is of one. owned: whether each annotator's screens have
        names of their own."""
        annotator, kind = self.annotator(row), row.get("kind") or Kind.REGULAR.value
        if kind not in KINDS:
            kinds = ", ".join(Kind.values)
            reason = f"{shortened(kind)} is not a kind of item. The kinds are {kinds}."
            raise row.problem("kind", reason)
        name = row.name(naming, LONGEST_ITEM) if row.get(naming) else ""
        owner = annotator if owned else ""
        key = (owner, name, part) if name else (annotator, segment_id, kind, shown, part)
        screen = self.screens.get(key)
        if screen is None:
            screen = self.screens[key] = ImportedScreen(
                row, annotator, segment_id, KINDS[kind], name
            )
            screen.part = part
        else:
            self.belongs(screen, row, annotator, segment_id, naming)
        if output_id is not None:
            screen.take_kind(row, output_id, KINDS[kind])
        screen.take_times(row)
        return screen

    def annotator(self, row: Row) -> str:
        """The annotator's name: one string for all the rows that hold it."""
        name = row.text("annotator")
        if name not in self.names:
            self.names[name] = row.name("annotator", LONGEST_ALIAS)
        return self.names[name]

    @staticmethod
    def belongs(
        screen: ImportedScreen, row: Row, annotator: str, segment_id: int, naming: str
    ) -> None:
        """Raises ImportProblem for a row that contradicts the first row of its screen."""
        for column, same in (
            ("annotator", screen.annotator == annotator),
            ("segment", screen.segment_id == segment_id),
        ):
            if not same:
                reason = f"row {screen.number:,} has the same {naming} with another {column}."
                raise row.problem(column, reason)

    def check(self, screen: ImportedScreen) -> None:
        """What can be said of a screen only when all its rows are known."""
        count = len(screen.outputs)
        if not self.fewest <= count <= self.most:
            reason = (
                f"the item that starts here shows {count} output{'s'[: count != 1]}; "
                "in this campaign one shows "
                + (f"{self.fewest} to " if self.fewest < self.most else "")
                + f"{self.most}."
            )
            raise screen.problem("", reason)
        screen.settle_kind()
        times = screen.started_at, screen.submitted_at
        if times[0] and times[1] and times[0] > times[1]:
            raise screen.problem("submitted", "the item was submitted before it was started.")
