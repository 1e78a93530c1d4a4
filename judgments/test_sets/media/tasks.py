"""Delete files of media that no test set has."""

import time

from django_tasks import task

A_DAY = 86_400  # seconds


@task(priority=-50)
def sweep_media() -> int:
    """Remove files of media that no test set has for a day: an import was killed. How many."""
    from judgments.test_sets.media.store import sweep

    return sweep(time.time() - A_DAY)
