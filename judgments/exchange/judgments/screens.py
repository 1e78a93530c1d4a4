"""Screens with the ids of the database: one annotator's answer about one segment at one time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from judgments.files.problem import FileRow, shortened

from .controls import control_among

ImportedRemark = tuple[str, int | None, str, int | None, int | None, str]


@dataclass(slots=True)
class ImportedScreen(FileRow):
    """One item and its judgment.

    row: the first one in the file. name: the file's own, or "". outputs: ids in their order on the
    screen. ratings: {(output id, dimension): value}. copies: the outputs that were not shown
    themselves, because another one has the same text. control: the output that is a control among
    others, of control_kind; None: none is. others: outputs of another kind than that of the first
    row, until `settle_kind` finds the control. altered: {output id: text shown instead}. Both are
    None if there are none. remarks: (comment, output id or None, side, start, end, quoted words).
    preferences: (output id a, output id b, sign, strength). asks_errors:
    whether errors were asked for; spans: (output id, side, start, end, severity, category).
    """

    annotator: str
    segment_id: int
    kind: str
    name: str
    part: str
    outputs: list[int]
    ratings: dict[tuple[int, str], float] = field(default_factory=dict)
    copies: frozenset[int] = frozenset()
    control: int | None = None
    control_kind: str = ""
    others: dict[int, str] | None = None
    altered: dict[int, str] | None = None
    preferences: Sequence[tuple[int, int, int, int | None]] = ()
    asks_errors: bool = False
    spans: list[tuple[int, str, int, int, str, str]] = field(default_factory=list)
    started_at: datetime | None = None
    submitted_at: datetime | None = None
    active_ms: int | None = None
    remarks: Sequence[ImportedRemark] = ()

    def join(self, other: ImportedScreen, naming: str, most_errors: int | None) -> None:
        """Add the data of another row of the same screen, which the column `naming` identifies.

        most_errors: how many one output can have; None: any number. Raise ImportProblem for a row
        that contradicts or repeats earlier ones.
        """
        for column, same in (
            ("annotator", self.annotator == other.annotator),
            ("segment", self.segment_id == other.segment_id),
        ):
            if not same:
                reason = f"row {self.row:,} has the same {naming} with a different {column}."
                raise other.problem(column, reason)
        if self.preferences:
            raise other.problem("", self.repeated)
        self.join_kinds(other)
        self.join_times(other)
        if other.asks_errors:
            self.join_errors(other, most_errors)
        elif self.ratings.keys() & other.ratings.keys():
            raise other.problem("system", self.repeated)
        self.outputs += [output for output in other.outputs if output not in self.outputs]
        self.ratings |= other.ratings
        self.copies |= other.copies

    def join_kinds(self, other: ImportedScreen) -> None:
        """Add the kinds of the outputs of another row."""
        for output in other.outputs:
            known = (self.others or {}).get(output, self.kind)
            if other.kind != known and output in self.outputs:
                reason = f"row {self.row:,} has the same output with a different kind."
                raise other.problem("kind", reason)
            if other.kind != self.kind:
                self.others = {**(self.others or {}), output: other.kind}

    def join_times(self, other: ImportedScreen) -> None:
        """Add the times of another row: given on any row of a screen, or on all with the same
        value."""
        for column, name in (
            ("started", "started_at"),
            ("submitted", "submitted_at"),
            ("seconds", "active_ms"),
        ):
            known, value = getattr(self, name), getattr(other, name)
            if None not in (known, value) and known != value:
                reason = f"an earlier row of this item (row {self.row:,}) says otherwise."
                raise other.problem(column, reason)
            if known is None:
                setattr(self, name, value)

    def join_errors(self, other: ImportedScreen, most: int | None) -> None:
        """Add an error of an output. Each row is one error, or a single row says that there is
        none. The score of the errors is on any of its rows, or on all."""
        (output,) = other.outputs
        for key, value in other.ratings.items():
            if self.ratings.get(key, value) != value:
                raise other.problem("score", "an earlier row of this output says otherwise.")
        if output in self.outputs and not other.spans:
            raise other.problem("severity", self.repeated)
        # From the end, where its other errors usually are.
        has_errors = any(span[0] == output for span in reversed(self.spans))
        if output in self.outputs and not has_errors:
            raise other.problem("severity", "an earlier row says that there is no error.")
        if most and sum(span[0] == output for span in self.spans) >= most:
            raise other.problem("", f"more than {most} errors in one translation.")
        if other.altered:
            self.altered = {**(self.altered or {}), **other.altered}
        self.spans += other.spans

    @property
    def repeated(self) -> str:
        """The reason why a repeated answer is refused."""
        return (
            f"duplicate: {shortened(self.annotator)} has already judged this in this item, which "
            f"starts in row {self.row:,}. If people judged the same again, a column “item” or "
            "“kind” tells the judgments apart."
        )

    def settle_kind(self) -> None:
        """Find out which output is the control, once all rows are known. Raise ImportProblem."""
        if self.others:
            kinds = {output: self.others.get(output, self.kind) for output in self.outputs}
            try:
                found = control_among(kinds)
            except ValueError as reason:
                raise self.problem("kind", str(reason)) from None
            self.kind, self.control, self.control_kind = found
