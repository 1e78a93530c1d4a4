"""Edits: what became of the outputs, and how much work it was."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from django.db.models import OuterRef, Subquery
from django.db.models.functions import Coalesce

from judgments.models import ItemOutput, Outcome, PostEdit, kind_of_output
from judgments.results.observations.observations import scored_kinds
from judgments.stats.significance import MeanInterval, wilson_interval

from ..selection.selection import Selection


class EditRow(NamedTuple):
    """One current edit. Times are active milliseconds with the text under the hands."""

    edit: int
    judgment: int
    annotator: int
    kind: str
    segment: str
    system: str
    output: int
    before: str
    outcome: str
    text: str
    keystrokes: int | None
    active_ms: int | None
    is_copy: bool


@dataclass(frozen=True)
class Editing:
    """The edits of a system's outputs, or of one annotator.

    untouched: the share that needed no correction, with Wilson's interval. median_keystrokes and
    median_seconds are of texts that were edited; NaN where none was, or none was timed.
    """

    name: str
    n_edited: int
    n_untouched: int
    n_unable: int
    untouched: MeanInterval
    median_keystrokes: float
    median_seconds: float

    @property
    def n(self) -> int:
        return self.n_edited + self.n_untouched + self.n_unable


@dataclass(frozen=True)
class EditsReport:
    """Systems with the largest share of untouched outputs first; annotators by their aliases."""

    systems: tuple[Editing, ...]
    annotators: tuple[Editing, ...]
    n_edits: int
    n_copies: int


def current_edits(selection: Selection):
    """Return the edits of judgments that count, in the order in which they were stored."""
    return selection.rows_of(PostEdit.objects.order_by("pk"))


def edit_rows(selection: Selection) -> list[EditRow]:
    shown = ItemOutput.objects.filter(
        item=OuterRef("judgment__item"), output=OuterRef("output"), altered__isnull=False
    )
    found = current_edits(selection).annotate(
        kind=kind_of_output("judgment__item", "output"),
        text_shown=Coalesce(Subquery(shown.values("altered__text")[:1]), "output__text"),
    )
    rows = found.values_list(
        "pk",
        "judgment_id",
        "judgment__annotator_id",
        "kind",
        "output__segment__key",
        "output__system__name",
        "output_id",
        "text_shown",
        "outcome",
        "text",
        "keystrokes",
        "active_ms",
        "is_copy",
    )
    return [EditRow._make(row) for row in rows]


def edits_report(selection: Selection) -> EditsReport:
    rows = [row for row in edit_rows(selection) if row.kind in scored_kinds(selection)]
    # What was shown once is a system's own in every system, and an annotator's work once.
    own = [row for row in rows if not row.is_copy]
    systems = grouped(rows, lambda row: row.system)
    annotators = grouped(own, lambda row: selection.alias(row.annotator))
    return EditsReport(
        systems=tuple(sorted(systems, key=lambda found: -found.untouched.estimate)),
        annotators=tuple(annotators),
        n_edits=len(own),
        n_copies=len(rows) - len(own),
    )


def grouped(rows: Iterable[EditRow], name_of: Callable[[EditRow], str]) -> list[Editing]:
    groups: dict[str, list[EditRow]] = {}
    for row in rows:
        groups.setdefault(name_of(row), []).append(row)
    return [editing(name, groups[name]) for name in sorted(groups)]


def editing(name: str, rows: list[EditRow]) -> Editing:
    edited = [row for row in rows if row.outcome == Outcome.EDITED]
    n_untouched = sum(row.outcome == Outcome.NO_CORRECTION for row in rows)
    return Editing(
        name=name,
        n_edited=len(edited),
        n_untouched=n_untouched,
        n_unable=len(rows) - len(edited) - n_untouched,
        untouched=wilson_interval(n_untouched, len(rows)),
        median_keystrokes=median([row.keystrokes for row in edited]),
        median_seconds=median([row.active_ms for row in edited]) / 1000,
    )


def median(values: Iterable[int | None]) -> float:
    known = [value for value in values if value is not None]
    return float(np.median(known)) if known else float("nan")
