"""Deletion of media files that no test set uses."""

import time

from django.conf import settings
from django_tasks import task

A_DAY, AN_HOUR = 86_400, 3_600  # seconds
_next_sweep = 0.0


@task(priority=-50)
def sweep_media() -> int:
    """Delete media files that no test set uses and that are older than a day: an import was killed.
    Return their number."""
    from judgments.test_sets.media.store import sweep

    return sweep(time.time() - A_DAY)


def look() -> None:
    """Delete this host's copies of what another host has deleted; every worker looks now and
    then."""
    global _next_sweep
    if settings.OBJECT_STORE and time.monotonic() >= _next_sweep:
        sweep_media.func()
        _next_sweep = time.monotonic() + AN_HOUR
