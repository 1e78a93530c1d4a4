"""Rows that do not fit into memory, for as long as a format works on them."""

from __future__ import annotations

import sqlite3


def spool(tables: str) -> sqlite3.Connection:
    """Return an empty database on the disk with some tables (SQL). It has no name: it is gone when
    nobody holds the connection any more, and when the process dies."""
    rows = sqlite3.connect("", check_same_thread=False, isolation_level=None)
    rows.execute("pragma journal_mode = off")
    rows.execute("pragma synchronous = off")
    rows.execute("pragma cache_size = -32000")  # 32 MB
    rows.executescript(tables)
    rows.execute("begin")
    return rows
