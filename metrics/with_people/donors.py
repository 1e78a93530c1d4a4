"""Outputs that references were made from: a metric that is given such a reference favors them.

A reference that was post-edited from a system's output, or is that output, is nearer to it than any
independent translation is. What is left out for that is left out for people's score and the
metric's alike, and of the donor's outputs alone.
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

# Scores with their statistics in memory: of a large test set each takes megabytes.
AT_ONCE = 10

Places = Mapping[str, np.ndarray]
"""By the name of a reference the donor of each segment, (n,): a system's id, 0 for none."""


def donor_places(
    test_set: TestSet,
    facts: Mapping[str, ReferenceFacts],
    of_systems: Mapping[int, SystemFacts],
) -> dict[str, np.ndarray]:
    """Return the donors of a test set's references, in the order of its segments; of references
    with none there is nothing. facts, of_systems: what is stated of references and of systems."""
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
    """Return the references with donors that the metric is given. HTER is given post-edits, each
    made from the very output that it scores: that is what it measures."""
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
    """Return the same, (S, n), where whole documents were judged with all segments of a document of
    which any is among them: people said nothing of the others alone."""
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
) -> np.ndarray:
    """Return scores of systems by metrics (M, S), higher is better, of a donor over the segments
    that stay; NaN where none does, or where the metric has scores of whole test sets alone. cells:
    (M, S, n). places: the segments that count, None for all.

    Statistics that the columns lack are read in one statement and let go one by one."""
    found, unread = corpora.copy(), {}
    every = np.arange(cells.shape[2]) if places is None else places
    for i, row in np.argwhere(cells[:, :, every].any(axis=2)).tolist():
        score = columns[i].scores.get(system_ids[row])
        stay = every[~cells[i, row, every]]
        sign = 1 if columns[i].higher_is_better else -1
        if score is not None and lacks_statistics(score):
            unread[score.pk] = (i, row, sign, stay)
            continue
        found[i, row] = np.nan if score is None else sign * score_over(score, stay)
    if unread:
        for score in MetricScore.objects.filter(pk__in=unread).iterator(chunk_size=AT_ONCE):
            i, row, sign, stay = unread[score.pk]
            found[i, row] = sign * score_over(score, stay)
    return found


def lacks_statistics(score: MetricScore) -> bool:
    """Return whether it has statistics that were not loaded with it."""
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
    """Return People's scores of systems (S,), of a donor over the judged segments that stay: the
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
    """Return expected wins of a system without its comparisons in some segments; NaN where none
    stay."""
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
