"""Results cached until the data behind them change, for all processes of the site.

They are stored in files (the cache "results" of the settings), so that a new process finds the
results of others; those that took long also in the object store, if the site has one, so that other
hosts find them. A result's key names everything that it depends on, so nothing expires; only old
files are deleted, and files from before an erasure, since they contain the erased person's name.
"""

from __future__ import annotations

import functools
import hashlib
import logging
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import scipy
from django.conf import settings
from django.core.cache import caches

from mteval_site import deadline, shared_results
from mteval_site.erased_files import forget_erased, n_erased

SHARED_SECONDS = 0.25  # what took less is computed again faster than fetched
CODE = ("judgments", "metrics")  # whose modules compute results

T = TypeVar("T")
log = logging.getLogger(__name__)
_locks: dict[int, threading.RLock] = {}


def _always() -> bool:
    return True


def get_or_compute(
    key: str, compute: Callable[[], T], *, group: int, is_current: Callable[[], bool] = _always
) -> T:
    """Return the value of ``key``, or else ``compute()``, which is then stored if the data that the
    key names are still current (``is_current``): otherwise it may have been computed from later
    data.

    In one process, results of one ``group`` (a campaign) are computed one after the other: threads
    that want the same wait for the first, and their memory does not add up. Raise TooSlow once the
    request has reached its time limit.
    """
    found = get(key)
    if found is None:
        with deadline.in_turn(_locks.setdefault(group, threading.RLock())):
            found = get(key)
            if found is None:
                n_before = n_erased()
                found = shared_results.get(key, n_before)
                is_new, began = found is None, time.monotonic()
                if is_new:
                    found = compute()
                # Otherwise it may contain erased data.
                if n_erased() == n_before and is_current():
                    put(key, found)
                    if is_new and time.monotonic() - began > SHARED_SECONDS:
                        shared_results.put(key, found, n_before)
    return found


def get(key: str) -> Any:
    """Return the value of ``key``, or None."""
    forget_erased()
    try:
        return caches["results"].get(key)
    except Exception as error:  # noqa: BLE001  a damaged file may raise anything, and can be computed again
        log.warning("A kept result cannot be read and is computed again: %r", error)
        return None


def put(key: str, found: Any) -> None:
    """Store a value under ``key``, replacing an earlier one."""
    try:
        caches["results"].set(key, found)
    except OSError as error:  # a full disk: the page is shown anyway
        log.warning("A result cannot be kept: %s", error)


def share(key: str, compute: Callable[[], T]) -> T:
    """Return ``compute()``, and store it under ``key`` for all hosts, unless somebody was erased
    meanwhile: it may contain their name."""
    n_before = n_erased()
    found = compute()
    if n_erased() == n_before:
        caches["shared"].set(f"{n_before}-{key}", found)
    return found


def get_shared(keys: Sequence[str]) -> list[Any]:
    """Return what `share` stored under each key since the last erasure, or None; one statement for
    any number of keys."""
    erased = forget_erased()
    named = [f"{erased}-{key}" for key in keys]
    found = caches["shared"].get_many(named)
    return [found.get(name) for name in named]


def may_ask(key: str, seconds: float) -> bool:
    """Return whether to ask a worker for something: once in these seconds, from whatever host."""
    # Read first, in one statement: pages ask again and again.
    return caches["shared"].get(key) is None and caches["shared"].add(key, True, seconds)


def has(key: str) -> bool:
    """Return whether there is a value under ``key``."""
    return caches["results"].has_key(key)


@functools.cache
def code_mark() -> str:
    """Return a digest of the code that computes: its source, and the versions of Python and
    libraries.

    A version number alone would keep results computed before a change of the code, or files that
    the changed code cannot read.
    """
    digest = hashlib.sha256()
    for name in CODE:
        folder = Path(settings.BASE_DIR) / name
        for file in sorted(folder.rglob("*.py")):
            digest.update(f"{file.relative_to(folder)}\0".encode())
            digest.update(hashlib.sha256(file.read_bytes()).digest())
    digest.update(repr((sys.version, np.__version__, scipy.__version__)).encode())
    return digest.hexdigest()


DRAWING = 0  # the group of pictures, which are drawn one after the other
