"""Results that stay until what they were computed from changes, for all processes of the site.

They lie in files (the cache "results" of the settings), so that a process that starts finds what
another has computed. A result's key names everything that it depends on: there is nothing to expire
or to delete but old files, and those from before somebody was erased, whose name is in them.
"""

from __future__ import annotations

import functools
import hashlib
import logging
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import scipy
from django.conf import settings
from django.core.cache import caches

from mteval_site import deadline
from mteval_site.erased_files import forget_erased, n_erased

CODE = ("judgments", "metrics")  # whose modules compute results

T = TypeVar("T")
log = logging.getLogger(__name__)
_locks: dict[int, threading.RLock] = {}


def _always() -> bool:
    return True


def get_or_compute(
    key: str, compute: Callable[[], T], *, group: int, is_current: Callable[[], bool] = _always
) -> T:
    """Return what is stored under ``key``, or ``compute()``, which is then stored if what the key
    names ``is_current`` still: else it may have been computed from what came later.

    In one process, results of one ``group`` (a campaign) are computed one after the other: threads
    that want the same wait for the first, and the memory of several does not add up. Raises
    TooSlow when the time of the request is over.
    """
    found = get(key)
    if found is None:
        with deadline.in_turn(_locks.setdefault(group, threading.RLock())):
            found = get(key)
            if found is None:
                n_before = n_erased()
                found = compute()
                # Else it may hold what was erased meanwhile.
                if n_erased() == n_before and is_current():
                    put(key, found)
    return found


def get(key: str) -> Any:
    """Return what is stored under ``key`` or None."""
    return get_all([key])[0]


def get_all(keys: Sequence[str]) -> list[Any]:
    """Return what is stored under each key or None; one statement, however many there are."""
    forget_erased()
    found = []
    for key in keys:
        try:
            found.append(caches["results"].get(key))
        except Exception as error:  # noqa: BLE001  a damaged file may raise anything, and can be computed again
            log.warning("A kept result cannot be read and is computed again: %r", error)
            found.append(None)
    return found


def put(key: str, found: Any) -> None:
    """Store something under ``key`` in the place of what was there."""
    try:
        caches["results"].set(key, found)
    except OSError as error:  # a full disk: the page is shown all the same
        log.warning("A result cannot be kept: %s", error)


def has(key: str) -> bool:
    """Return whether something is stored under ``key``."""
    return caches["results"].has_key(key)


@functools.cache
def code_mark() -> str:
    """Return names the code that computes: its text, and the versions of what it runs on.

    A version number alone would leave results of the code before a change in place, or files that
    the code after it cannot read.
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
