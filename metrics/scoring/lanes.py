"""The lanes of scoring jobs: which parts wait for which workers.

Short parts have one, long ones another, so that they do not hold up others; neural metrics have a
third, which a machine with a graphics card may serve alone (settings.RESOURCES).
"""

from enum import Enum

from django.db.models import QuerySet

from metrics.models import ScoringJob, ScoringPart
from metrics.scorers import SCORERS, Scorer
from metrics.scorers.neural import Neural


class Lane(Enum):
    QUICK = "quick"
    SLOW = "slow"
    NEURAL = "neural"


def is_neural(scorer: type[Scorer]) -> bool:
    return issubclass(scorer, Neural)


def neural_metrics(job: ScoringJob) -> list[int]:
    """Return the indices of neural metrics in a job's list."""
    kinds = [SCORERS.get(row["metric"], Scorer) for row in job.metrics]
    return [index for index, kind in enumerate(kinds) if is_neural(kind)]


def parts_in(lane: Lane, job: ScoringJob, parts: QuerySet[ScoringPart]) -> QuerySet[ScoringPart]:
    """Return the job's parts that are in a lane."""
    neural = neural_metrics(job)
    if lane is Lane.NEURAL:
        return parts.filter(metric_index__in=neural)
    return parts.filter(is_slow=lane is Lane.SLOW).exclude(metric_index__in=neural)
