"""Scores of segments as a file, and the stored result."""

from metrics.models import MetricScore
from metrics.scores.importing import Instructions

HIGHER = Instructions(higher_is_better=True)

SEGMENTS = "System-A\t0.5\nSystem-A\t0.25\nSystem-A\t1\nSystem-A\t0.25\n"


def stored(**where) -> MetricScore:
    return MetricScore.objects.get(**where)
