"""How long a request may compute: looked at before each statement and each result.

A computation that has begun is not cut off: Python has no sound way to end a thread. So a request
ends at the next look after its time, and no later than its longest single statement (which the
database itself bounds) or its longest single result.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any

_look: ContextVar[Callable[[], None] | None] = ContextVar("look", default=None)
_until: ContextVar[float | None] = ContextVar("until", default=None)


class TooSlow(Exception):
    """The time of a request is over."""


@contextlib.contextmanager
def limit(seconds: float) -> Iterator[None]:
    """What is done inside may take so long."""
    token = _until.set(time.monotonic() + seconds)
    try:
        yield
    finally:
        _until.reset(token)


def left() -> float:
    """Return seconds until the time is over, without end where none was set; TooSlow when it is."""
    until = _until.get()
    if until is None:
        return float("inf")
    if (seconds := until - time.monotonic()) <= 0:
        raise TooSlow
    return seconds


def heed(execute: Callable, sql: Any, params: Any, many: bool, context: dict) -> Any:
    """Return a wrapper of statements: none begins when the time is over."""
    left()
    return execute(sql, params, many, context)


@contextlib.contextmanager
def in_turn(lock: threading.RLock | threading.Semaphore) -> Iterator[None]:
    """Hold a lock, or a place among some; TooSlow when the time of the request is over before one
    is free."""
    seconds = left()
    if not (lock.acquire() if seconds == float("inf") else lock.acquire(timeout=seconds)):
        raise TooSlow
    try:
        yield
    finally:
        lock.release()


@contextlib.contextmanager
def heeding(wanted: Callable[[], None]) -> Iterator[None]:
    """What reads files inside calls `wanted` now and then; it raises when nobody waits any more."""
    token = _look.set(wanted)
    try:
        yield
    finally:
        _look.reset(token)


def look() -> None:
    """Called now and then by what may read for long."""
    if (wanted := _look.get()) is not None:
        wanted()
