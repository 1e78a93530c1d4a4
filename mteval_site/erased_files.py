"""Cached results are deleted when a person is erased, on any host.

Cached results contain names of annotators. Every host has its own folder of files, so each compares
how much was erased with what it noted when it last emptied its folder: before it serves anything
from there, and from time to time in its worker.
"""

import logging
import os
import threading
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.cache import caches
from django.db import connection

NOTE = "erased.txt"  # in the folder: how much was erased when it was last emptied

log = logging.getLogger(__name__)


def forget_erased() -> str:
    """Empty this host's folder, and delete what all hosts share, if anything was erased since the
    last time. Return `n_erased`."""
    kept: Any = settings.CACHES["results"]
    note = Path(kept["LOCATION"]) / NOTE
    now = n_erased()
    try:
        if note.exists() and note.read_text() == now:
            return now
        with connection.cursor() as cursor:
            cursor.execute(
                "DELETE FROM judgments_cacheentry WHERE NOT starts_with(cache_key, %s)",
                [caches["shared"].make_key(f"{now}-")],
            )
        caches["results"].clear()
        note.parent.mkdir(parents=True, exist_ok=True)
        part = note.with_name(f"{NOTE}.{os.getpid()}.{threading.get_ident()}")
        part.write_text(now)
        part.replace(note)
    except OSError as error:  # a full disk: retried next time
        log.warning("What was kept before the last erasure cannot be removed: %s", error)
    return now


def n_erased() -> str:
    """Return how many people were erased, campaigns deleted and copies of the demo deleted, as
    "2-0-1". Not their sum: with a copy, records of persons and campaigns leave too."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT (SELECT count(*) FROM judgments_erasure),"
            " (SELECT count(*) FROM judgments_deletedcampaign),"
            " (SELECT last_value FROM judgments_demo_forgotten)"
        )
        return "-".join(map(str, cursor.fetchone()))
