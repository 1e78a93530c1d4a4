"""How observations stand in files: one table for both ways, written by exports, read by imports."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.utils.module_loading import import_string

from judgments.files.table import Columns

# Of a room above: `Selection` of judgments.results.
Selection = Any

# Written by exports; an import takes no decision from them.
EXCLUDED = "excluded"
SELECTION = "selection"
TIMES = ("started", "submitted", "seconds")
# By an annotator's mean and standard deviation over regular items, and over all items.
Z_SCORES = ("z", "z_all")


@dataclass(frozen=True)
class ObservationTable:
    """A table that is written. `columns` are in the order of a file. `written_by`: the dotted name
    of the function that makes its rows of a selection; judgments.results has them, and imports them
    when a file is asked for."""

    columns: Columns
    written_by: str

    @property
    def names(self) -> tuple[str, ...]:
        return self.columns.required + self.columns.optional

    def rows(self, selection: Selection) -> Iterator[tuple]:
        """Return current observations in long form, whoever is left out: `excluded` says who is.
        Annotators go by their aliases."""
        return import_string(self.written_by)(selection)


@dataclass(frozen=True)
class ReadTable(ObservationTable):
    """A table that is read, too. shape: what a row says: "ratings", "ranks", "preferences" or
    "errors". lead: the same in words, for the page that takes such files."""

    shape: str
    lead: str

    @property
    def readable(self) -> Columns:
        """What a file may hold: exports add the line that says which judgments count."""
        return replace(self.columns, optional=(*self.columns.optional, SELECTION))

    @property
    def shown(self) -> tuple[Columns, ...]:
        """The columns as the page that takes files lists them: of one table, or of several."""
        return (self.columns,)


def out(selection: Selection, user: int, output: int) -> str:
    """Return whether the owners leave what a user said of an output out of the results."""
    return "yes" if selection.is_out(user, output) else ""


def times(started: datetime | None, submitted: datetime | None, ms: int | None) -> tuple[str, ...]:
    """When a judgment began and ended, and its seconds of work; empty where unknown."""
    moments = (moment.isoformat() if moment else "" for moment in (started, submitted))
    return (*moments, "" if ms is None else repr(ms / 1000))


RATINGS = ReadTable(
    Columns(
        required=("annotator", "segment", "system", "dimension", "value"),
        optional=("item", "kind", "copied", EXCLUDED, *TIMES, *Z_SCORES),
    ),
    "judgments.results.observations.observation_rows.rating_rows",
    "ratings",
    "One row for each rating: who gave what value to which system's output for which segment.",
)
RANKS = ReadTable(
    Columns(
        required=("ranking", "annotator", "segment", "system", "rank"),
        optional=("kind", "copied", EXCLUDED, *TIMES),
    ),
    "judgments.results.observations.observation_rows.rank_rows",
    "ranks",
    "One row for each output of a ranking, in the order shown; rank 1 is the best.",
)
PREFERENCES = ReadTable(
    Columns(
        required=("annotator", "segment", "system_a", "system_b", "preference"),
        optional=("strength", "item", "kind", "control", EXCLUDED, *TIMES),
    ),
    "judgments.results.observations.observation_rows.preference_rows",
    "preferences",
    "One row for each comparison: 1 if the output of system_a is better, -1 if that of "
    "system_b is, 0 if they are equal.",
)
