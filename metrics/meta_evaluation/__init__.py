"""Metrics against people: how far they agree, which agrees better, and what that is worth.

Stored scores + people's scores → arrays (`study`) → metrics.stats → named results, each remembered
until a judgment, a score or a text changes.
"""

from .averages import Averages, Tasks, averages_of, tasks
from .board import Board, board_of
from .differences import COMPARED, Differences, differences
from .rows import Agreement, Figure, MetricRow
from .segments import GROUPINGS, segment_agreement
from .study import HUMANS, Choice, Metric, Study, study_of
from .systems import system_agreement

__all__ = [
    "COMPARED",
    "GROUPINGS",
    "HUMANS",
    "Agreement",
    "Averages",
    "Board",
    "Choice",
    "Differences",
    "Figure",
    "Metric",
    "MetricRow",
    "Study",
    "Tasks",
    "averages_of",
    "board_of",
    "differences",
    "segment_agreement",
    "study_of",
    "system_agreement",
    "tasks",
]
