"""The times of judgments, and the number of words to read for them."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable

import numpy as np

from judgments.files.words import n_words
from judgments.models import Campaign, TestSet
from judgments.results.observations.observations import KINDS, Observed, load
from judgments.results.observations.rows import Looked, Rows
from judgments.results.observations.storage import read_times, segments_of
from judgments.results.observations.tables import places
from judgments.results.selection.selection import Selection


def times_of(selection: Selection) -> Rows:
    """Return the judgments that count (n,): judgment, annotator (user), segment (id), kind (code),
    seconds (active), started and submitted (epoch seconds), NaN if unknown, and the source's words,
    NaN without texts."""
    rows = _times(selection.everyone.unfiltered)
    if selection.is_everything:
        return rows
    asked = {
        "annotator": selection.only_users,
        "segment": selection.segment_ids,
        "judgment": selection.judgment_ids(),
    }
    found = rows.where("annotator", lambda ids: ~np.isin(ids, selection.left_out))
    if selection.in_force.segments:
        out = selection.in_force.segment_ids
        found &= rows.where("segment", lambda ids: ~np.isin(ids, out))
    for name, wanted in asked.items():
        if wanted is not None:
            found &= rows.where(name, _one_of(np.array(wanted, np.int64)))
    kinds = selection.filters.kinds
    if kinds:
        found &= rows.among("kind", [KINDS.index(kind) for kind in kinds if kind in KINDS])
    return rows[found]


def _one_of(known: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    return lambda ids: places(ids, known) >= 0


@functools.lru_cache(maxsize=1)
def _times(selection: Selection) -> Rows:
    """Return the times of all current judgments; those of the last campaign are cached, for the
    next filter."""
    campaign, observed = selection.campaign, load(selection)
    judgments = observed.judgments
    segment, active = _segments(campaign, observed), judgments["active_ms"]
    words = source_words(campaign.test_set)
    at = places(segment, np.array(list(words), np.int64))
    return Rows(
        {name: judgments[name] for name in ("judgment", "annotator", "kind")}
        | {"segment": segment, "seconds": np.where(active < 0, np.nan, active / 1000)}
        | {"words": Looked(np.array(list(words.values()), np.float64), at)}
        | read_times(campaign, judgments["judgment"])
    )


def source_words(test_set: TestSet) -> dict[int, float]:
    """Return the words of each segment's source, by its id; NaN without texts."""
    language = test_set.source_language
    sources = test_set.segments.order_by("pk").values_list("pk", "source")
    return {
        pk: n_words(source, language) if test_set.has_texts else math.nan
        for pk, source in sources.iterator()
    }


def _segments(campaign: Campaign, observed: Observed) -> np.ndarray:
    """Return the ids of the segments of all judgments, (n,): of the rated or compared outputs, or
    of the screen if there are none."""
    found = np.full(len(observed.judgments), -1)
    for rows in (observed.ratings, observed.preferences):
        at = places(rows["judgment"], observed.judgments["judgment"])
        found[at] = observed.segment_ids[rows["segment"]]
    missing = found < 0
    if missing.any():
        found[missing] = segments_of(campaign, observed.judgments["item"][missing])
    return found
