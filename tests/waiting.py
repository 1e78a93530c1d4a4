"""Waiting until something holds that another thread or process brings about."""

import time
from collections.abc import Callable


def wait_until(
    condition: Callable[[], object], seconds: float = 60, said: Callable[[], object] = str
) -> float:
    """Return the seconds until `condition` held. Fail after `seconds`, with what `said` returns."""
    begun = time.monotonic()
    while not condition():
        assert time.monotonic() < begun + seconds, f"not within {seconds:g} seconds: {said()}"
        time.sleep(0.02)
    return time.monotonic() - begun
