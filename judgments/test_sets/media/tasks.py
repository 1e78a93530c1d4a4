"""Deletion of media files that no test set uses."""

import time

from django_tasks import task

A_DAY = 86_400  # seconds


@task(priority=-50)
def sweep_media() -> int:
    """Delete media files that no test set uses and that are older than a day: an import was killed.
    Return their number."""
    from judgments.test_sets.media.store import sweep

    return sweep(time.time() - A_DAY)
