"""Outputs from which references were made: a metric with such a reference favors them.

A reference that was post-edited from a system's output, or is that output, is closer to it than any
independent translation. Outputs left out for that reason are left out of both people's and the
metric's score, and only for the donor.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from judgments.models import ReferenceFacts, Segment, SystemFacts, TestSet, donors_of
from judgments.results.observations.observations import SCORED_KINDS, load
from judgments.results.observations.pairs import pairs_of
from judgments.results.selection.selection import Selection
from judgments.stats.ranking import expected_wins_of_pairs
from metrics.models import MetricScore
from metrics.scorers import SCORERS
from metrics.scores.tables import MetricColumn

from .judged_segments import Judged, score_over

# Scores with their statistics in memory: megabytes each for a large test set.
AT_ONCE = 10

Places = Mapping[str, np.ndarray]
"""The donor of each segment, (n,), by the name of a reference: a system's id, 0 for none."""


def donor_places(
    test_set: TestSet,
    facts: Mapping[str, ReferenceFacts],
    of_systems: Mapping[int, SystemFacts],
) -> dict[str, np.ndarray]:
    """Return the donors of a test set's references, in the order of its segments; references
    without donors are left out. facts, of_systems: stated facts on references and on systems."""
    donors = donors_of(test_set, facts, of_systems)
    if not donors:
        return {}
    segments = Segment.objects.filter(test_set=test_set).order_by("position")
    in_order = list(segments.values_list("pk", flat=True))
    return {
        name: np.array([found.get(pk, 0) for pk in in_order], np.int64)
        for name, found in sorted(donors.items())
    }


def given(column: MetricColumn, donors: Places) -> list[str]:
    """Return the references with donors that the metric uses. HTER uses post-edits, each made from
    the very output it scores, as it should."""
    if column.metric in SCORERS and SCORERS[column.metric].targeted:
        return []
    return [name for name in column.references if name in donors]


def donor_cells(
    column: MetricColumn, donors: Places, system_ids: Sequence[int], n_segments: int
) -> np.ndarray:
    """Return which outputs a reference of the metric was made from, (S, n) of bool."""
    found = np.zeros((len(system_ids), n_segments), bool)
    for name in given(column, donors):
        found |= donors[name] == np.array(system_ids, np.int64)[:, None]
    return found


def in_whole_documents(cells: np.ndarray, judged: Judged) -> np.ndarray:
    """Return the same, (S, n), with all segments of a document if it contains any and whole
    documents were judged: people did not judge the others separately."""
    found = cells.copy()
    for places in judged.documents or ():
        found[:, places] |= cells[:, places].any(axis=1, keepdims=True)
    return found


def corpora_without(
    columns: Sequence[MetricColumn],
    system_ids: Sequence[int],
    corpora: np.ndarray,
    cells: np.ndarray,
    places: np.ndarray | None,
    *,
    whole: bool = False,
) -> np.ndarray:
    """Return scores of systems by metrics (M, S), higher is better, for a donor over the remaining
    segments; NaN without any, or if the metric has only scores of whole test sets. cells: (M, S,
    n). places: the segments that count, None for all. whole: as in `score_over`.

    Statistics missing from the columns are read in one query and released one by one."""
    found, unread = corpora.copy(), {}
    every = np.arange(cells.shape[2]) if places is None else places
    for i, row in np.argwhere(cells[:, :, every].any(axis=2)).tolist():
        score = columns[i].scores.get(system_ids[row])
        stay = every[~cells[i, row, every]]
        sign = 1 if columns[i].higher_is_better else -1
        if score is not None and lacks_statistics(score):
            unread[score.pk] = (i, row, sign, stay)
            continue
        found[i, row] = np.nan if score is None else sign * score_over(score, stay, whole=whole)
    if unread:
        for score in MetricScore.objects.filter(pk__in=unread).iterator(chunk_size=AT_ONCE):
            i, row, sign, stay = unread[score.pk]
            found[i, row] = sign * score_over(score, stay, whole=whole)
    return found


def lacks_statistics(score: MetricScore) -> bool:
    """Return whether it has statistics that were not loaded."""
    return bool(score.statistics_width) and "statistics_data" in score.get_deferred_fields()


def people_without(
    selection: Selection,
    system_ids: Sequence[int],
    segment_ids: np.ndarray,
    people: np.ndarray,
    human: np.ndarray,
    cells: np.ndarray,
    *,
    compares: bool,
) -> np.ndarray:
    """Return people's scores of systems (S,), for a donor over the remaining judged segments: the
    mean of their scores, as of any system, or with comparisons its expected wins in these. human,
    cells: (S, N)."""
    found = people.copy()
    for row in np.flatnonzero(cells.any(axis=1)).tolist():
        if compares:
            gone = segment_ids[cells[row]]
            found[row] = wins_without(selection, system_ids[row], gone)
            continue
        stay = human[row, ~cells[row]]
        there = stay[~np.isnan(stay)]
        found[row] = there.mean() if there.size else np.nan
    return found


def wins_without(selection: Selection, system: int, segments: np.ndarray) -> float:
    """Return expected wins of a system without its comparisons in some segments; NaN if none are
    left."""
    observed = load(selection)
    pairs = pairs_of(observed.of_kinds(SCORED_KINDS))
    codes = np.flatnonzero(observed.system_ids == system)
    is_own = np.isin(pairs.first, codes) | np.isin(pairs.second, codes)
    gone = is_own & np.isin(observed.segment_ids[pairs.segment], segments)
    stay = ~gone
    if not (is_own & stay).any():
        return np.nan
    found = expected_wins_of_pairs(pairs.first[stay], pairs.second[stay], pairs.label[stay])
    return float(found.estimate[np.isin(found.systems, codes)][0])
