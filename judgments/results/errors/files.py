"""Marked errors as files: a row for each, and for each suggestion that was deleted or withheld."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from judgments.files.formulas import tsv_line
from judgments.models import (
    WITHOUT_PLACE,
    Campaign,
    ErrorSpan,
    PrefilledSpan,
    Rating,
    ShownHints,
    UnaidedSegment,
)
from judgments.protocols.spans.marking import Marking
from judgments.protocols.spans.table import SLIDER
from judgments.results.errors.figures import fate, judged_suggestions
from judgments.results.observations.observation_rows import (
    altered_texts,
    given_by,
    outputs_of,
    places_on_screens,
    some_judgments,
)
from judgments.results.selection.selection import Selection

COLUMNS = (
    "annotator",
    "segment",
    "system",
    "item",
    "kind",
    "copied",
    "shown",
    "side",
    "start",
    "end",
    "text",
    "severity",
    "category",
    "score",
    "provenance",
    "suggested_start",
    "suggested_end",
    "suggested_severity",
    "suggested_category",
    "planted",
    "arm",
    "hints",
    "excluded",
    "started",
    "submitted",
    "seconds",
)
NO_ERROR = ("",) * 6  # from `side` to `category`
NOT_SUGGESTED = ("",) * 5


def rows(selection: Selection) -> Iterator[tuple]:
    """Yield for current judgments, in the order in which they were stored; see `COLUMNS`.

    Offsets are code points, the end exclusive; `text` is what lies between them. `score` is that of
    the slider beside the errors. `provenance` is own, kept, changed or deleted, or withheld of a
    suggestion that was not shown; `planted`: whether the site made the suggestion up; `arm`: see
    `Arms`. A row without a severity says that the output was judged and has no error. `shown`: what
    stood on the screen in place of the output, of a control item that showed other words. `hints`:
    see `shown_hints`.
    """
    kept: set[tuple[int, int]] = set()
    outputs = outputs_of(selection)
    arms = Arms(selection.campaign)
    for ids in some_judgments(selection):
        yield from _of_some(selection, ids, outputs, kept, arms)
    yield from _unused(selection, kept, arms)


class Arms:
    """Whether the screens of a segment show suggestions, by the segment's key: "aided" or
    "unaided", and "" where the campaign has no control arm."""

    def __init__(self, campaign: Campaign) -> None:
        unaided = UnaidedSegment.objects.filter(campaign=campaign)
        self.unaided = frozenset(unaided.values_list("segment__key", flat=True))

    def of(self, segment: str) -> str:
        if not self.unaided:
            return ""
        return "unaided" if segment in self.unaided else "aided"


def _of_some(
    selection: Selection,
    ids: list[int],
    outputs: Mapping[int, tuple[str, str]],
    kept: set,
    arms: Arms,
) -> Iterator[tuple]:
    """Yield the rows of a few judgments. outputs: segments and systems. kept: gets the suggestions
    that errors were made from."""
    spans: dict[tuple[int, int], list[ErrorSpan]] = {}
    marked = selection.rows_of(ErrorSpan.objects.filter(judgment__in=ids), everyone=True)
    marked = marked.select_related("output__segment", "output__system", "prefill").order_by("pk")
    for span in marked:
        if span.prefill_id:
            kept.add((span.judgment_id, span.prefill_id))
        if not selection.errors.let_stored(span.severity, span.category):
            continue
        spans.setdefault((span.judgment_id, span.output_id), []).append(span)
    values = _ratings(selection, ids)
    judged = {key: each[0].is_copy for key, each in spans.items()}
    # What came with a score below 0 and without errors has errors that nobody knows.
    dimension = Marking.of(selection.campaign).derived
    derived = values[dimension]
    judged |= {key: copy for key, (value, copy) in derived.items() if value == 0}
    given = given_by(ids)
    altered = altered_texts({item for _, item, _, _ in given.values()})
    places = places_on_screens(given)
    hints = shown_hints(ids)

    def place(key: tuple[int, int]) -> tuple:
        judgment, output = key
        return judgment, places.get((given[judgment][1], output), math.inf), output

    for judgment, output in sorted(judged, key=place):
        user, item, kinds, times = given[judgment]
        excluded = "yes" if selection.is_out(user, output, dimension) else ""
        copied = "yes" if judged[judgment, output] else ""
        shown = altered.get((item, output))
        who = (selection.alias(user), *outputs[output])
        head = (*who, item, kinds.of(output), copied, shown or "")
        beside = arms.of(outputs[output][0]), hints.get((judgment, output), "")
        score, _ = values[SLIDER].get((judgment, output), ("", False))
        for span in spans.get((judgment, output), ()):
            what = (
                *_what(span, shown),
                score,
                fate(span),
                *_suggested(span.prefill),
            )
            yield (*head, *what, *beside, excluded, *times)
        if (judgment, output) not in spans:
            yield (*head, *NO_ERROR, score, "", *NOT_SUGGESTED, *beside, excluded, *times)


def _ratings(selection: Selection, ids: list[int]) -> defaultdict[str, dict]:
    """Return {dimension: {(judgment, output): (value, whether it is a copy)}}"""
    found: defaultdict[str, dict] = defaultdict(dict)
    rows = selection.rows_of(Rating.objects.filter(judgment__in=ids), everyone=True)
    columns = ("judgment_id", "output_id", "dimension", "value", "is_copy")
    for judgment, output, dimension, value, copy in rows.order_by().values_list(*columns):
        found[dimension][judgment, output] = value, copy
    return found


def shown_hints(judgments: Iterable[int]) -> dict[tuple[int, int], str]:
    """Return {(judgment, output): places of the words of the source that the screen marked as
    perhaps left out}; "none" where it found none, and nothing where it showed no hints."""
    rows = ShownHints.objects.filter(judgment__in=list(judgments))
    found = rows.values_list("judgment_id", "output_id", "places")
    return {(judgment, output): places or "none" for judgment, output, places in found}


def _unused(selection: Selection, kept: set, arms: Arms) -> Iterator[tuple]:
    texts: dict[int, PrefilledSpan] = {}
    marking = Marking.of(selection.campaign)
    if marking.prefilled:
        known = PrefilledSpan.objects.filter(campaign=selection.campaign)
        texts = known.select_related("output__segment", "output__system").in_bulk()
    shown = list(judged_suggestions(selection)) if texts else []
    hints = shown_hints([judgment for judgment, _, _ in shown])
    for judgment, annotator, span in shown:
        counts = selection.errors.let_stored(span.severity, span.category)
        if counts and (judgment, span.pk) not in kept:
            full = texts[span.pk]
            yield (
                selection.alias(annotator),
                *_place(full),
                *("", "", "", ""),  # item, kind, copied, shown
                *_what(full),
                "",
                "deleted" if span.is_shown else "withheld",
                *_suggested(full),
                arms.of(full.output.segment.key),
                hints.get((judgment, full.output_id), ""),
                "yes" if selection.is_out(annotator, full.output_id, marking.derived) else "",
                *("", "", ""),
            )


def _place(span: ErrorSpan | PrefilledSpan) -> tuple[str, str]:
    return span.output.segment.key, span.output.system.name


def _what(span: ErrorSpan | PrefilledSpan, altered: str | None = None) -> tuple:
    target = span.output.text if altered is None else altered
    text = span.output.segment.source if span.side == "source" else target
    marked = "" if span.side in WITHOUT_PLACE else text[span.start : span.end]
    return span.side, span.start, span.end, marked, span.severity, span.category


def _suggested(span: PrefilledSpan | None) -> tuple:
    if span is None:
        return NOT_SUGGESTED
    planted = "yes" if span.is_planted else ""
    return span.start, span.end, span.severity, span.category, planted


def tsv_lines(selection: Selection) -> Iterator[str]:
    sentence = selection.sentence
    yield tsv_line((*COLUMNS, "selection"))
    for row in rows(selection):
        yield tsv_line((*row, sentence))


def json_lines(selection: Selection) -> Iterator[str]:
    known = {"selection": selection.sentence}
    for row in rows(selection):
        yield json.dumps(dict(zip(COLUMNS, row, strict=True)) | known, ensure_ascii=False) + "\n"
