"""The observations of a selection one by one, as files have them, of a million as fast as of ten.

A join of all rows, sorted by judgments and places on the screen, would be done before the first row
is there. The ids of the judgments are read at once instead, which are then those of one moment; the
rows are read for some thousands of judgments at a time, and what belongs to an output or to a
judgment is looked up. So the memory is that of ids, of the test set's outputs, and of the arrays
that results are made of.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from judgments.models import ItemOutput, Judgment, Output, Preference, Rating
from judgments.models.bulk import ids_of
from judgments.protocols.spans.marking import Marking
from judgments.protocols.tables import times

from ..errors.weights import weighted_scores
from ..scores.figures import OVER, standardized
from ..selection.selection import Selection
from .observations import load
from .storage import places

AT_ONCE = 2000  # judgments

# Of a judgment: annotator (user), item, kind of item; then its times.
Given = tuple[int, int, "Kinds", tuple[str, ...]]


class Kinds(NamedTuple):
    """The kind of an item, and that of the output on it that is a control among others."""

    item: str
    control_output: int | None
    control: str

    def of(self, *outputs: int) -> str:
        """Return the kind of what is said of these outputs."""
        return self.control if self.control_output in outputs else self.item


def rating_rows(selection: Selection) -> Iterator[tuple]:
    """Yield ratings, the outputs of an item in the order of its screen: annotator, segment, system,
    dimension, value, item, kind, whether it is a copy; then as `given_by` has them; then z by the
    annotator's mean and sd over regular items, and over all; empty where there is none."""
    ids, scores = _z_scores(selection)
    for part in _rated(selection):
        at = places(np.array([rating for rating, _ in part], np.int64), ids)
        for (_, row), known in zip(part, scores[at].tolist(), strict=True):
            yield (*row, *("" if math.isnan(z) else z for z in known))


def _z_scores(selection: Selection) -> tuple[np.ndarray, np.ndarray]:
    """Return ids (n,) of ratings that count, and their z (n + 1, 2) as `OVER` has them; last is
    none."""
    observed = load(selection)
    ids, scores = [np.zeros(0, np.int64)], [np.zeros((0, len(OVER)))]
    for dimension in observed.dimensions if observed.rates else ():
        scaled = [standardized(observed, dimension.slug, "z", over) for over in OVER]
        ids.append(scaled[0][0].ratings["id"])
        scores.append(np.stack([each.values for _, each in scaled], axis=1))
    return np.concatenate(ids), np.concatenate([*scores, np.full((1, len(OVER)), np.nan)])


def _rated(selection: Selection) -> Iterator[list[tuple[int, tuple]]]:
    """Yield rows of ratings by and by, each with the rating's id."""
    outputs = outputs_of(selection)
    values = _WeightedValues(selection)
    for ids in some_judgments(selection):
        given = given_by(ids)
        on_screens = places_on_screens(given)
        values.read(ids)
        found = Rating.objects.filter(judgment__in=ids).order_by("judgment_id", "pk")
        rows = [
            (
                judgment,
                on_screens.get((given[judgment][1], output), math.inf),
                output,
                dimension,
                value,
                (rating, copy),
            )
            for rating, judgment, output, dimension, value, copy in found.values_list(
                "pk", "judgment_id", "output_id", "dimension", "value", "is_copy"
            )
            if output in outputs
        ]
        rows.sort(key=lambda row: row[:2])
        part = []
        for judgment, _, output, dimension, value, (rating, copy) in values.of(rows):
            user, item, kinds, more = given[judgment]
            kind = kinds.of(output)
            if not selection.filters.let_kind(kind):
                continue
            known = (selection.alias(user), *outputs[output], dimension, value, item, kind)
            out = _yes(selection.is_out(user, output, dimension))
            part.append((rating, (*known, _yes(copy), out, *more)))
        yield part


class _WeightedValues:
    """The values of ratings by the weights and errors of a selection: those of the dimension that
    is derived from errors, as `observations.weighted` has them."""

    def __init__(self, selection: Selection) -> None:
        self.selection = selection
        self.derived = Marking.of(selection.campaign).derived if selection.reweighs else ""
        self.scores: dict[tuple[int, int], float] = {}

    def read(self, judgments: list[int]) -> None:
        if self.derived:
            self.scores = weighted_scores(self.selection, judgments)

    def of(self, rows: list[tuple]) -> Iterator[tuple]:
        for row in rows:
            judgment, place, output, dimension, value, about = row
            if dimension != self.derived:
                yield row
                continue
            score = self.scores.get((judgment, output), math.nan if value else 0.0)
            if not math.isnan(score):
                yield judgment, place, output, dimension, score, about


def rank_rows(selection: Selection) -> Iterator[tuple]:
    """Yield the same of ranks: ranking, annotator, segment, system, rank, kind, whether it is a
    copy."""
    for part in _rated(selection):
        for _, (alias, segment, system, _dimension, value, item, kind, *more) in part:
            yield (item, alias, segment, system, int(value), kind, *more)


def preference_rows(selection: Selection) -> Iterator[tuple]:
    """Preferences: annotator, segment, both systems, which is better and how much, item, kind, the
    system whose output is a control."""
    outputs = outputs_of(selection)
    for ids in some_judgments(selection):
        given = given_by(ids)
        found = Preference.objects.filter(judgment__in=ids).order_by("judgment_id", "pk")
        for judgment, a, b, value, strength in found.values_list(
            "judgment_id", "output_a_id", "output_b_id", "value", "strength"
        ):
            user, item, kinds, more = given[judgment]
            kind = kinds.of(a, b)
            if a in outputs and b in outputs and selection.filters.let_kind(kind):
                much = "" if strength is None else strength
                control = next((outputs[o][1] for o in (a, b) if o == kinds.control_output), "")
                what = (value, much, item, kind, control)
                known = (selection.alias(user), *outputs[a], outputs[b][1], *what)
                out = _yes(selection.is_out(user, a) or selection.is_out(user, b))
                yield (*known, out, *more)


def _yes(truth: bool) -> str:
    return "yes" if truth else ""


def some_judgments(selection: Selection) -> Iterator[list[int]]:
    """Yield the ids of the judgments, also of those who are left out, by and by."""
    every = Judgment.objects.order_by("pk")
    ids = ids_of(selection.rows_of(every, judgment="", outputs=(), everyone=True))
    for start in range(0, len(ids), AT_ONCE):
        yield ids[start : start + AT_ONCE].tolist()


def outputs_of(selection: Selection) -> dict[int, tuple[str, str]]:
    """Return segment and system of the outputs that the filters let through."""
    found = Output.objects.filter(segment__test_set=selection.campaign.test_set_id)
    if selection.segment_ids is not None:
        found = found.filter(segment__in=selection.segment_ids)
    if selection.system_ids is not None:
        found = found.filter(system__in=selection.system_ids)
    rows = found.order_by().values_list("pk", "segment__key", "system__name")
    return {pk: (segment, system) for pk, segment, system in rows.iterator()}


def given_by(ids: list[int]) -> dict[int, Given]:
    """Return who gave each judgment, to which item and when."""
    found = Judgment.objects.filter(pk__in=ids).order_by()
    rows = found.values_list(
        "pk",
        "annotator_id",
        "item_id",
        "started_at",
        "submitted_at",
        "active_ms",
        "item__kind",
        "item__control_output",
        "item__control_kind",
    )
    return {
        pk: (user, item, Kinds(kind, control, of_control), times(started, sent, ms))
        for pk, user, item, started, sent, ms, kind, control, of_control in rows
    }


def places_on_screens(given: dict[int, Given]) -> dict[tuple[int, int], int]:
    """Where outputs stand on the screens of the judgments, by item and output."""
    shown = ItemOutput.objects.filter(item__in={item for _, item, _, _ in given.values()})
    rows = shown.order_by().values_list("item_id", "output_id", "position")
    return {(item, output): place for item, output, place in rows}


def altered_texts(items: Any) -> dict[tuple[int, int], str]:
    """Return what was shown in place of outputs, by item and output, where they were altered."""
    shown = ItemOutput.objects.filter(item__in=items, altered__isnull=False).order_by()
    rows = shown.values_list("item_id", "output_id", "altered__text")
    return {(item, output): text for item, output, text in rows}
