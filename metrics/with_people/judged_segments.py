"""Judged texts, in a metric's terms: which segments, or which whole documents."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from judgments.models import Campaign, Segment
from judgments.protocols import protocol_of
from metrics.scores.tables import MetricColumn, segment_matrix
from metrics.scoring import choices


@dataclass(frozen=True, eq=False)
class Judged:
    """`places`: indices of the judged segments in the test set, (n,). `documents`: if whole
    documents were judged, the indices of the document that each of these segments begins; otherwise
    None."""

    places: np.ndarray
    documents: tuple[np.ndarray, ...] | None

    @property
    def all_places(self) -> np.ndarray:
        """All segments of the judged texts."""
        if not self.documents:
            return self.places
        return np.unique(np.concatenate(self.documents))


def judged_in(campaign: Campaign, segment_ids: Iterable[int], of_document: bool = False) -> Judged:
    """Return the judged texts. `segment_ids`: those with ratings or comparisons, as in results.
    `of_document`: whether each stands for its document, whatever the protocol says."""
    rows = Segment.objects.filter(test_set=campaign.test_set_id).order_by("position")
    in_order = list(rows.values_list("pk", "document_id"))
    place = {pk: i for i, (pk, _) in enumerate(in_order)}
    places = np.array([place[int(pk)] for pk in segment_ids], dtype=np.intp)
    if not of_document and protocol_of(campaign).unit != "whole document":
        return Judged(places, None)
    document = np.array([document for _, document in in_order])
    return Judged(places, tuple(np.flatnonzero(document == document[i]) for i in places))


def judged_matrix(
    column: MetricColumn, system_ids: Sequence[int], n_segments: int, judged: Judged
) -> np.ndarray:
    """Return scores of the judged segments, or documents, (n_systems, n), NaN without one."""
    if judged.documents is None:
        return segment_matrix(column, system_ids, n_segments)[:, judged.places]
    matrix = np.full((len(system_ids), len(judged.documents)), np.nan)
    for row, system_id in enumerate(system_ids):
        score = column.scores.get(system_id)
        if score is not None and len(score.segment_scores) == n_segments:
            matrix[row] = [score_over(score, each, whole=True) for each in judged.documents]
    return matrix


def corpus_scores(
    column: MetricColumn,
    system_ids: Sequence[int],
    places: np.ndarray | None,
    *,
    whole: bool = False,
) -> np.ndarray:
    """Return corpus scores of the systems, (n_systems,), NaN without one; over the segments at
    `places`; None: as stored. `whole`: as in `score_over`."""
    found = np.full(len(system_ids), np.nan)
    for i, system_id in enumerate(system_ids):
        score = column.scores.get(system_id)
        if score is None:
            continue
        found[i] = score.score if places is None else score_over(score, places, whole=whole)
    return found


def score_over(score, places: np.ndarray, *, whole: bool = False) -> float:
    """Return the corpus score over some segments: from their summed statistics, or the mean of
    their scores for a metric without statistics. NaN if none of them was scored, or if the size of
    the test set has changed since.

    `whole`: they are all segments of some documents, so that scores uploaded by document count."""
    values = score.segment_scores
    if not len(places) or places.max() >= len(values):
        return np.nan
    by_document = whole and score.options.get("level") == "document"
    stats = score.statistics
    scored = stats[:, 0] if by_document and stats is not None else values
    if np.isnan(scored[places]).all():
        return np.nan
    if stats is None:
        return float(np.nanmean(values[places]))
    scorer = choices.scorer_of(score.metric, score.options)
    return float(scorer.score(np.nansum(stats[places], axis=0))) if scorer else np.nan
