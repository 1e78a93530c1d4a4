"""Scores of metrics as control variates of judgments."""

from collections.abc import Sequence

import numpy as np
from django.db.models import Count, Max

from judgments.models import TestSet
from judgments.plans.metric_controls import Control, ControlSource
from judgments.stats.planning.proposal import is_trained
from metrics.models import MetricScore
from metrics.scores.tables import MetricColumn, score_table, segment_matrix


def known(test_set: TestSet) -> list[Control]:
    """Return metrics with scores of all systems, none of them out of date."""
    if not MetricScore.objects.filter(test_set=test_set).exists():
        return []
    table = score_table(test_set)
    whole = [c for c in table.columns if len(c.scores) == len(table.systems) and not c.stale]
    return [
        Control(signature_of(column), column.title, is_trained(column.label) or is_judge(column))
        for column in whole
    ]


def is_judge(column: MetricColumn) -> bool:
    """Return whether its scores are the judgments of a language model, which explain about as much
    as a trained metric's."""
    return any(score.options.get("origin") == "judge" for score in column.scores.values())


def scores(
    test_set: TestSet, signatures: Sequence[str], system_ids: Sequence[int]
) -> list[np.ndarray | None]:
    table = score_table(test_set)  # once: whether scores are out of date depends on all texts
    columns = {signature_of(column): column for column in reversed(table.columns)}
    return [
        None
        if (column := columns.get(signature)) is None or column.stale
        else segment_matrix(column, system_ids, table.n_segments)
        for signature in signatures
    ]


def signature_of(column: MetricColumn) -> str:
    """Return the signature over segments with the names of the references, which it only counts."""
    names = "+".join(column.references)
    return f"{column.segment_signature} {names}" if names else column.segment_signature


def mark(test_set_ids: Sequence[int]) -> str:
    stored = MetricScore.objects.filter(test_set__in=test_set_ids)
    return str(stored.aggregate(n=Count("pk"), last=Max("pk"), at=Max("created_at")))


SOURCE = ControlSource(known, scores, mark)
