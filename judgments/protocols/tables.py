"""How observations stand in files: one table for both ways, written by exports, read by imports."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from judgments.formats import observations
from judgments.formats.problem import shortened
from judgments.formats.table import Columns, Row

if TYPE_CHECKING:
    from judgments.importing.screens import Reader, Screen

# Written by exports; an import takes no decision from it.
EXCLUDED = "excluded"
TIMES = ("started", "submitted", "seconds")


class ObservationTable:
    """A table that is only written. `columns` are in the order of a file."""

    columns: Columns

    def __init__(self, columns: Columns) -> None:
        self.columns = columns

    @property
    def names(self) -> tuple[str, ...]:
        return self.columns.required + self.columns.optional


class ReadTable(ObservationTable, ABC):
    """A table that is read, too. lead: what one row is, for the page that takes such files."""

    lead: str

    @abstractmethod
    def take(self, reader: Reader, row: Row) -> None:
        """Put a row of a file on its screen. Raises ImportProblem."""


class Ratings(ReadTable):
    lead = (
        "One row for each rating: who gave which value to which system's output of which segment."
    )

    def take(self, reader: Reader, row: Row) -> None:
        segment_id = reader.segment(row)
        output_id = reader.output(row, segment_id, "system")
        dimension = row.text("dimension")
        if dimension not in reader.dimensions:
            known = ", ".join(reader.dimensions)
            reason = f"{shortened(dimension)} is not asked in this campaign; {known} is."
            raise row.problem("dimension", reason)
        value = reader.value(row, "value", dimension)
        part = dimension if dimension in reader.parts else ""
        # A campaign that shows one output at a time has a screen for each.
        alone = (output_id,) if reader.most == 1 else ()
        screen = reader.screen(row, segment_id, "item", alone, part)
        rate(screen, row, output_id, dimension, value)


class Ranks(ReadTable):
    lead = (
        "One row for each output of a ranking, in the order in which they were shown; rank 1 is "
        "the best."
    )

    def take(self, reader: Reader, row: Row) -> None:
        segment_id = reader.segment(row)
        output_id = reader.output(row, segment_id, "system")
        value = reader.value(row, "rank", "rank")
        row.text("ranking")
        # A ranking is one act of one person; items are numbered by each annotator's own work.
        screen = reader.screen(row, segment_id, "ranking", owned=False)
        rate(screen, row, output_id, "rank", value)


class Preferences(ReadTable):
    lead = (
        "One row for each comparison: 1 when the output of system_a is better, -1 when that of "
        "system_b is, 0 when they are equal."
    )

    def take(self, reader: Reader, row: Row) -> None:
        segment_id = reader.segment(row)
        first = reader.output(row, segment_id, "system_a")
        second = reader.output(row, segment_id, "system_b")
        if first == second:
            raise row.problem("system_b", "a system is not compared with itself.")
        value = observations.sign(row)
        pair = (min(first, second), max(first, second))
        screen = reader.screen(row, segment_id, "item", pair)
        if screen.preferences:
            raise row.problem("", screen.repeated)
        screen.show(first)
        screen.show(second)
        screen.preferences.append((first, second, value, observations.strength(row, value)))


def rate(screen: Screen, row: Row, output_id: int, dimension: str, value: float) -> None:
    if (output_id, dimension) in screen.ratings:
        raise row.problem("system", screen.repeated)
    screen.show(output_id)
    screen.ratings[output_id, dimension] = value
    if observations.copied(row):
        screen.copies.add(output_id)


RATINGS = Ratings(
    Columns(
        required=("annotator", "segment", "system", "dimension", "value"),
        optional=("item", "kind", "copied", EXCLUDED, *TIMES),
    )
)
RANKS = Ranks(
    Columns(
        required=("ranking", "annotator", "segment", "system", "rank"),
        optional=("kind", "copied", EXCLUDED, *TIMES),
    )
)
PREFERENCES = Preferences(
    Columns(
        required=("annotator", "segment", "system_a", "system_b", "preference"),
        optional=("strength", "item", "kind", EXCLUDED, *TIMES),
    )
)
