"""How observations stand in files: one table for both ways, written by exports, read by imports."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.utils.module_loading import import_string

from judgments.files import observations
from judgments.files.problem import shortened
from judgments.files.table import Columns, Row
from judgments.models import Kind

# Of the rooms above: `Selection` of judgments.results, `RowReader` and `ImportedScreen` of
# judgments.exchange.
Selection = Any
RowReader = Any
ImportedScreen = Any

# Written by exports; an import takes no decision from them.
EXCLUDED = "excluded"
SELECTION = "selection"
TIMES = ("started", "submitted", "seconds")
# By an annotator's mean and standard deviation over regular items, and over all items.
Z_SCORES = ("z", "z_all")
REGULAR = Kind.REGULAR.value


class ObservationTable(ABC):
    """A table that is written. `columns` are in the order of a file. `written_by`: the dotted name
    of the function that makes its rows of a selection; judgments.results has them, and imports them
    when a file is asked for."""

    written_by: str

    def __init__(self, columns: Columns) -> None:
        self.columns = columns

    @property
    def names(self) -> tuple[str, ...]:
        return self.columns.required + self.columns.optional

    def rows(self, selection: Selection) -> Iterator[tuple]:
        """Return current observations in long form, whoever is left out: `excluded` says who is.
        Annotators go by their aliases."""
        return import_string(self.written_by)(selection)


class ReadTable(ObservationTable):
    """A table that is read, too. lead: what one row is, for the page that takes such files."""

    lead: str

    @property
    def readable(self) -> Columns:
        """What a file may hold: exports add the line that says which judgments count."""
        return replace(self.columns, optional=(*self.columns.optional, SELECTION))

    @property
    def shown(self) -> tuple[Columns, ...]:
        """The columns as the page that takes files lists them: of one table, or of several."""
        return (self.columns,)

    @abstractmethod
    def take(self, reader: RowReader, row: Row) -> None:
        """Put a row of a file on its screen. Raises ImportProblem."""


class RatingTable(ReadTable):
    written_by = "judgments.results.observations.observation_rows.rating_rows"
    lead = (
        "One row for each rating: who gave what value to which system's output for which segment."
    )

    def take(self, reader: RowReader, row: Row) -> None:
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
        screen = reader.screen(row, segment_id, "item", alone, part, output_id=output_id)
        rate(screen, row, output_id, dimension, value)


class Ranks(ReadTable):
    written_by = "judgments.results.observations.observation_rows.rank_rows"
    lead = "One row for each output of a ranking, in the order shown; rank 1 is the best."

    def take(self, reader: RowReader, row: Row) -> None:
        segment_id = reader.segment(row)
        output_id = reader.output(row, segment_id, "system")
        value = reader.value(row, "rank", "rank")
        row.text("ranking")
        # A ranking is one act of one person; items are numbered by each annotator's own work.
        screen = reader.screen(row, segment_id, "ranking", output_id=output_id, owned=False)
        rate(screen, row, output_id, "rank", value)


class Preferences(ReadTable):
    written_by = "judgments.results.observations.observation_rows.preference_rows"
    lead = (
        "One row for each comparison: 1 if the output of system_a is better, -1 if that of "
        "system_b is, 0 if they are equal."
    )

    def take(self, reader: RowReader, row: Row) -> None:
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
        if row.get("control"):
            self._take_control(row, screen, {"system_a": first, "system_b": second})
        screen.preferences.append((first, second, value, observations.strength(row, value)))

    @staticmethod
    def _take_control(row: Row, screen: ImportedScreen, outputs: dict[str, int]) -> None:
        """Which of the two is the control that `kind` speaks of."""
        named = [pk for column, pk in outputs.items() if row.get(column) == row.get("control")]
        if not named or screen.kind == REGULAR:
            reason = "a control is one of the two systems, in a row whose kind is not regular."
            raise row.problem("control", reason)
        screen.control, screen.control_kind, screen.kind = named[0], screen.kind, REGULAR


def rate(screen: ImportedScreen, row: Row, output_id: int, dimension: str, value: float) -> None:
    if (output_id, dimension) in screen.ratings:
        raise row.problem("system", screen.repeated)
    screen.show(output_id)
    screen.ratings[output_id, dimension] = value
    if observations.copied(row):
        screen.copies.add(output_id)


def out(selection: Selection, user: int, output: int) -> str:
    """Whether the owners leave what a user said of an output out of the results."""
    return "yes" if selection.is_out(user, output) else ""


def times(started: datetime | None, submitted: datetime | None, ms: int | None) -> tuple[str, ...]:
    """When a judgment began and ended, and its seconds of work; empty where unknown."""
    moments = (moment.isoformat() if moment else "" for moment in (started, submitted))
    return (*moments, "" if ms is None else repr(ms / 1000))


RATINGS = RatingTable(
    Columns(
        required=("annotator", "segment", "system", "dimension", "value"),
        optional=("item", "kind", "copied", EXCLUDED, *TIMES, *Z_SCORES),
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
        optional=("strength", "item", "kind", "control", EXCLUDED, *TIMES),
    )
)
