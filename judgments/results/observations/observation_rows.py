"""The observations of a selection one by one, as in files, starting as fast for a million as for
ten.

A join of all rows, sorted by judgments and places on the screen, would have to finish before the
first row is available. Instead, the ids of the judgments are read at once, and are then from one
moment; the rows are read for some thousands of judgments at a time, and data of outputs and
judgments are looked up. So memory only holds ids, the test set's outputs, and the arrays for
results.
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
from .tables import places

AT_ONCE = 2000  # judgments

# For a judgment: annotator (user), item, kind of item; then its times.
Given = tuple[int, int, "Kinds", tuple[str, ...]]


class Kinds(NamedTuple):
    """The kind of an item, and that of the output on it that is a control among others."""

    item: str
    control_output: int | None
    control: str

    def of(self, *outputs: int) -> str:
        """Return the kind of judgments on these outputs."""
        return self.control if self.control_output in outputs else self.item


def rating_rows(selection: Selection) -> Iterator[tuple]:
    """Yield ratings, the outputs of an item in the order of its screen: annotator, segment, system,
    dimension, value, item, kind, whether it is a copy; then the times from `given_by`; then z by
    the annotator's mean and sd over regular items, and over all; empty if there is none."""
    ids, scores = _z_scores(selection)
    for part in _rated(selection):
        at = places(np.array([rating for rating, _ in part], np.int64), ids)
        for (_, row), known in zip(part, scores[at].tolist(), strict=True):
            yield (*row, *("" if math.isnan(z) else z for z in known))


def _z_scores(selection: Selection) -> tuple[np.ndarray, np.ndarray]:
    """Return ids (n,) of ratings that count, and their z (n + 1, 2) in the order of `OVER`; the
    last is none."""
    observed = load(selection)
    ids, scores = [np.zeros(0, np.int64)], [np.zeros((0, len(OVER)))]
    for dimension in observed.dimensions if observed.rates else ():
        scaled = [standardized(observed, dimension.slug, "z", over) for over in OVER]
        ids.append(scaled[0][0].ratings["id"])
        scores.append(np.stack([each.values for _, each in scaled], axis=1))
    return np.concatenate(ids), np.concatenate([*scores, np.full((1, len(OVER)), np.nan)])


def _rated(selection: Selection) -> Iterator[list[tuple[int, tuple]]]:
    """Yield rows of ratings incrementally, each with the rating's id."""
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
    is derived from errors, as in `observations.weighted`."""

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
    """Yield the same for ranks: ranking, annotator, segment, system, rank, kind, whether it is a
    copy."""
    for part in _rated(selection):
        for _, (alias, segment, system, _dimension, value, item, kind, *more) in part:
            yield (item, alias, segment, system, int(value), kind, *more)


def preference_rows(selection: Selection) -> Iterator[tuple]:
    """Yield preferences: annotator, segment, both systems, which is better and how much, item,
    kind, the system whose output is a control."""
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
    """Yield the ids of the judgments, including those of excluded annotators, incrementally."""
    every = Judgment.objects.order_by("pk")
    ids = ids_of(selection.rows_of(every, judgment="", outputs=(), everyone=True))
    for start in range(0, len(ids), AT_ONCE):
        yield ids[start : start + AT_ONCE].tolist()


def outputs_of(selection: Selection) -> dict[int, tuple[str, str]]:
    """Return segment and system of the outputs that pass the filters."""
    found = Output.objects.filter(segment__test_set=selection.campaign.test_set_id)
    if selection.segment_ids is not None:
        found = found.filter(segment__in=selection.segment_ids)
    if selection.system_ids is not None:
        found = found.filter(system__in=selection.system_ids)
    rows = found.order_by().values_list("pk", "segment__key", "system__name")
    return {pk: (segment, system) for pk, segment, system in rows.iterator()}


def given_by(ids: list[int]) -> dict[int, Given]:
    """Return the annotator, the item and the times of each judgment."""
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
    """Return the places of outputs on the screens of the judgments, by item and output."""
    shown = ItemOutput.objects.filter(item__in={item for _, item, _, _ in given.values()})
    rows = shown.order_by().values_list("item_id", "output_id", "position")
    return {(item, output): place for item, output, place in rows}


def altered_texts(items: Any) -> dict[tuple[int, int], str]:
    """Return the texts shown instead of altered outputs, by item and output."""
    shown = ItemOutput.objects.filter(item__in=items, altered__isnull=False).order_by()
    rows = shown.values_list("item_id", "output_id", "altered__text")
    return {(item, output): text for item, output, text in rows}
