"""Measures of a task as scores of outputs: seconds and keystrokes per word, shares of right
answers.

A protocol lists its measures by their slugs. Their values are arranged as ratings on a separate
dimension, so that scores, intervals, tests and correlations are those of any rating. If less is
better, the sign is reversed: higher is better everywhere.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from django.db.models import Count, Max
from django.utils.translation import gettext_noop

from judgments.files.words import n_words
from judgments.models import Campaign, Grade, Outcome, Segment
from judgments.protocols import protocol_of
from judgments.protocols.base import Dimension, Scale

from ..answers.figures import Given, given_answers
from ..edits.figures import edit_rows
from ..scores.figures import SegmentScores, SystemScores, segment_scores_of, system_scores_of
from ..selection.selection import Selection
from .observations import Observed, cached, load, scored_kinds
from .rows import Rows
from .storage import REGULAR
from .tables import places

OPEN_SCALE = Scale(None, None, None, kind="interval")


@dataclass(frozen=True)
class Measure:
    """Effort or success of a task done with an output: a human score in addition to the ratings.

    of: which values, a key of READERS. unit: for one more of it, in a sentence. lower_is_better:
    whether its sign is reversed wherever scores are compared. is_share: whether values are 0 or 1.
    of_document: whether one value is of a whole document, represented by its first output.
    """

    slug: str
    name: str
    of: str
    unit: str
    lower_is_better: bool = False
    is_share: bool = False
    of_document: bool = False


MEASURES = {
    each.slug: each
    for each in (
        Measure(
            "seconds_per_word",
            gettext_noop("Seconds of editing per source word"),
            of="editing_seconds",
            unit=gettext_noop("s per word"),
            lower_is_better=True,
        ),
        Measure(
            "keystrokes_per_word",
            gettext_noop("Keystrokes per source word"),
            of="keystrokes",
            unit=gettext_noop("keystrokes per word"),
            lower_is_better=True,
        ),
        # Not useful for metrics: there is no output to score.
        Measure(
            "scratch_seconds_per_word",
            gettext_noop("Seconds of translating from scratch per source word"),
            of="scratch_seconds",
            unit=gettext_noop("s per word"),
            lower_is_better=True,
        ),
        Measure(
            "share_right",
            gettext_noop("Share of right answers"),
            of="right_answers",
            unit=gettext_noop("of the answers right"),
            is_share=True,
            of_document=True,
        ),
        Measure(
            "reading_seconds_per_word",
            gettext_noop("Seconds of reading and answering per source word"),
            of="reading_seconds",
            unit=gettext_noop("s per word"),
            lower_is_better=True,
            of_document=True,
        ),
    )
}


class Measured(NamedTuple):
    """One value of an output, by its segment's key and its system's name."""

    annotator: int
    segment: str
    system: str
    value: float


def measures_of(campaign: Campaign) -> tuple[Measure, ...]:
    return tuple(MEASURES[slug] for slug in protocol_of(campaign).measures)


def measure_named(campaign: Campaign, slug: str | None) -> Measure | None:
    return next((each for each in measures_of(campaign) if each.slug == slug), None)


def measured_systems(selection: Selection, measure: Measure, method: str = "raw") -> SystemScores:
    """Return scores of systems like `scores.system_scores`, for a measure: the mean over segments
    of its mean in a segment."""
    return cached(
        selection,
        "measured systems",
        lambda _: system_scores_of(observed_of(selection, measure), measure.slug, method),
        **_options(selection, measure, method),
    )


def measured_segments(selection: Selection, measure: Measure, method: str = "raw") -> SegmentScores:
    """Return scores of segments like `scores.segment_scores`, for a measure."""
    return cached(
        selection,
        "measured segments",
        lambda _: segment_scores_of(observed_of(selection, measure), measure.slug, method),
        **_options(selection, measure, method),
    )


def _options(selection: Selection, measure: Measure, method: str) -> dict[str, object]:
    mark = measure_mark(selection.campaign, measure)
    return {"measure": measure.slug, "method": method, "mark": mark}


def measure_mark(campaign: Campaign, measure: Measure | None) -> str:
    """Return a mark that changes whenever a value may change without a judgment: people grade
    answers later."""
    if measure is None or measure.of != "right_answers":
        return ""
    given = Grade.objects.filter(answer__judgment__campaign=campaign)
    return "{n} {last}".format(**given.aggregate(n=Count("pk"), last=Max("pk")))


def observed_of(selection: Selection, measure: Measure) -> Observed:
    """Return the values of a measure as ratings."""
    known = load(selection)
    values = list(READERS[measure.of](selection))
    users = sorted({each.annotator for each in values}, key=selection.alias)
    segments = {str(key): i for i, key in enumerate(known.segment_keys.tolist())}
    systems = {str(name): i for i, name in enumerate(known.system_names.tolist())}
    user_ids = np.array(users, np.int64)
    n, sign = len(values), -1.0 if measure.lower_is_better else 1.0
    columns = {
        "judgment": np.arange(n),
        "annotator": places(np.array([v.annotator for v in values], np.int64), user_ids),
        "segment": np.array([segments[v.segment] for v in values], np.int64),
        "system": np.array([systems[v.system] for v in values], np.int64),
        "value": sign * np.array([v.value for v in values], np.float64),
        "kind": np.full(n, REGULAR, np.int8),
        "dimension": np.zeros(n, np.int8),
        "copy": np.zeros(n, np.int8),
    }
    scale = Scale(0, 1) if measure.is_share else OPEN_SCALE
    return dataclasses.replace(
        known,
        rates=True,
        ranks=False,
        dimensions=(Dimension(measure.slug, measure.name, "", scale),),
        annotators=np.array([selection.alias(user) for user in users], object),
        annotator_ids=user_ids,
        ratings=Rows(columns),
    )


def _words_of(selection: Selection) -> dict[str, float]:
    """Return the words of each source, by the segment's key; empty without texts."""
    test_set = selection.campaign.test_set
    if not test_set.has_texts:
        return {}
    rows = test_set.segments.values_list("key", "source")
    return {key: n_words(source, test_set.source_language) for key, source in rows.iterator()}


def _edits(
    selection: Selection, column: str, per: float, is_empty: bool = False
) -> Iterator[Measured]:
    """Yield a column of the finished edits, per word of the source: of outputs, or, with
    `is_empty`, of those without a text, which are not drafts but empty starts."""
    words = _words_of(selection)
    for row in edit_rows(selection):
        value = getattr(row, column)
        is_counted = row.kind in scored_kinds(selection) and row.outcome != Outcome.UNABLE
        is_counted = is_counted and is_empty != bool(row.before.strip())
        if is_counted and value is not None and row.segment in words:
            yield Measured(row.annotator, row.segment, row.system, value / per / words[row.segment])


def editing_seconds(selection: Selection) -> Iterator[Measured]:
    return _edits(selection, "active_ms", 1000)


def scratch_seconds(selection: Selection) -> Iterator[Measured]:
    return _edits(selection, "active_ms", 1000, is_empty=True)


def keystrokes(selection: Selection) -> Iterator[Measured]:
    return _edits(selection, "keystrokes", 1)


def _answers(selection: Selection) -> Iterator[tuple[Given, str]]:
    """Yield answers that count, with the key of the segment that represents the document: its
    first."""
    rows = Segment.objects.filter(test_set=selection.campaign.test_set_id).order_by("-position")
    first = dict(rows.values_list("document__name", "key"))
    for row in given_answers(selection, everyone=False):
        if row.kind in scored_kinds(selection):
            yield row, first[row.document]


def right_answers(selection: Selection) -> Iterator[Measured]:
    """Yield 1 for a right answer, 0 for a wrong one; nothing for an ungraded one."""
    for row, segment in _answers(selection):
        if row.is_right is not None:
            yield Measured(row.annotator, segment, row.system, float(row.is_right))


def reading_seconds(selection: Selection) -> Iterator[Measured]:
    """Yield seconds with a document and its questions, per word of its source: once per screen."""
    words = _words_of(selection)
    rows = Segment.objects.filter(test_set=selection.campaign.test_set_id)
    of_document: dict[str, float] = {}
    for document, key in rows.values_list("document__name", "key"):
        of_document[document] = of_document.get(document, 0) + words.get(key, np.nan)
    seen = set()
    for row, segment in _answers(selection):
        screen = row.annotator, row.item
        if screen not in seen and row.active_ms is not None and of_document[row.document] > 0:
            seen.add(screen)
            seconds = row.active_ms / 1000 / of_document[row.document]
            yield Measured(row.annotator, segment, row.system, seconds)


READERS: dict[str, Any] = {
    each.__name__: each
    for each in (editing_seconds, scratch_seconds, keystrokes, right_answers, reading_seconds)
}
