"""Tests of the differences between systems, in the background."""

from django_tasks import task

from judgments.models import TestSet
from metrics.scoring.task_state import is_queued

from . import comparisons as comparing


@task()
def run_comparisons(test_set_id: int, unit: str) -> int:
    """Test the differences between all systems by every metric; how many metrics were new."""
    test_set = TestSet.objects.filter(pk=test_set_id).first()
    return comparing.compute_comparisons(test_set, unit) if test_set else 0


def enqueue_comparisons(test_set_id: int, unit: str = "segment") -> bool:
    """Have the differences tested in the background; False if that is on its way already."""
    if is_queued(run_comparisons, test_set_id, unit):
        return False
    run_comparisons.enqueue(test_set_id, unit)
    return True


def are_comparisons_coming(test_set_id: int, unit: str) -> bool:
    """Return whether a worker is testing the differences, or will."""
    return is_queued(run_comparisons, test_set_id, unit, or_running=True)
