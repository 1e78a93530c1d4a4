"""Rows that all tests of a module share, and files that all tests of a run share."""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction


@contextmanager
def rows_of_the_module(django_db_blocker: Any) -> Iterator[None]:
    """Keep what is written here until the module's tests are over. Each of them writes in a
    savepoint, which is rolled back, so no test of such a module may have real transactions, and
    none may be of a TestCase, which closes the connection."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


def files_of_the_session(
    factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]
) -> Path:
    """Return a folder that `make` has filled, once for all processes that run tests side by side:
    the others wait for it, and for nothing if it is there."""
    base = factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder = shared / name
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            making = shared / f"{name}.part"
            making.mkdir(exist_ok=True)
            make(making)
            making.rename(folder)
    return folder
