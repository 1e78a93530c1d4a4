"""Marked errors in their texts: some of those that a selection counts, drawn at random."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from judgments.models import WITHOUT_PLACE, ErrorSpan
from judgments.protocols.spans.marking import Marking
from judgments.stats.mqm import normalized

from ..observations.observation_rows import altered_texts
from ..observations.observations import SCORED_KINDS, SEED, Observed, cached
from ..selection.selection import Selection
from .rows import error_rows

MOST = 1000
AROUND = 90  # characters on either side
ELLIPSIS = "…"


@dataclass(frozen=True)
class ErrorExample:
    """An error between what stands ``before`` and ``after`` it in its text, shortened; of the sides
    "missing" and "output" nothing is ``marked``. All three are empty where the site does not have
    the text.
    ``segment`` and ``system`` are keys of files, the ids those of the database."""

    segment_id: int
    system_id: int
    segment: str
    document: str
    system: str
    annotator: str
    severity: str
    category: str
    side: str
    before: str
    marked: str
    after: str


def example_ids(selection: Selection) -> np.ndarray:
    """Return the ids (n,) of at most MOST errors, in an order that was drawn once and stays; of
    identical translations on a screen only of the one that was shown."""
    return cached(selection, "error-examples", lambda observed: _drawn(selection, observed))


def _drawn(selection: Selection, observed: Observed) -> np.ndarray:
    dimension = Marking.of(selection.campaign).derived
    shown = observed.of_kinds(SCORED_KINDS).of_dimension(dimension).as_shown()
    found = error_rows(selection.campaign, observed.system_ids, shown.ratings)
    ids = np.sort(found.only(selection.errors).id)
    return np.random.default_rng(SEED).permutation(ids)[:MOST]


def error_examples(selection: Selection, ids: Sequence[int]) -> list[ErrorExample]:
    """Return the errors with these ids, in the same order."""
    related = ("judgment", "output__system", "output__segment__document")
    found = ErrorSpan.objects.select_related(*related).in_bulk(list(ids))
    spans = [found[pk] for pk in ids if pk in found]
    altered = altered_texts({span.judgment.item_id for span in spans})
    return [_example(selection, span, altered) for span in spans]


def _example(
    selection: Selection, span: ErrorSpan, altered: dict[tuple[int, int], str]
) -> ErrorExample:
    output = span.output
    target = altered.get((span.judgment.item_id, output.pk), output.text)
    before, marked, after = _in_context(span, target)
    return ErrorExample(
        segment_id=output.segment_id,
        system_id=output.system_id,
        segment=output.segment.key,
        document=output.segment.document.name,
        system=output.system.name,
        annotator=selection.alias(span.judgment.annotator_id),
        severity=normalized(span.severity),
        category=normalized(span.category),
        side=span.side,
        before=before,
        marked=marked,
        after=after,
    )


def _in_context(span: ErrorSpan, target: str) -> tuple[str, str, str]:
    """Return what stands before, in and after an error; offsets are code points."""
    text = span.output.segment.source if span.side == "source" else target
    if span.side in WITHOUT_PLACE:
        return "", "", _shortened(text, 2 * AROUND)
    before, marked, after = text[: span.start], text[span.start : span.end], text[span.end :]
    return _shortened(before[::-1], AROUND)[::-1], marked, _shortened(after, AROUND)


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}{ELLIPSIS}"
