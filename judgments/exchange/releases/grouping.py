"""Rows of files that belong together and do not stand together."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import groupby, islice
from typing import Any

from .spool import spool

ROWS_AT_ONCE = 5_000
TABLES = """
create table groups (key text primary key, first integer) without rowid;
create table waiting (first integer, n integer, row text);
"""


def grouped(rows: Iterable[tuple[str, Any]]) -> Iterator[list[Any]]:
    """(key, row) of any number → the rows of each key, in the order in which the keys came.

    Rows are what JSON knows. They wait in a temporary file: memory does not grow with them.
    """
    with closing(spool(TABLES)) as db:
        for some in _pieces(_numbered(db, rows)):
            db.executemany("INSERT INTO waiting VALUES (?, ?, ?)", some)
        found = db.execute("SELECT first, row FROM waiting ORDER BY first, n")
        for _, each in groupby(found, key=lambda pair: pair[0]):
            yield [json.loads(row) for _, row in each]


def _numbered(db: sqlite3.Connection, rows: Iterable[tuple[str, Any]]) -> Iterator[tuple]:
    """(number of the first row of its key, its own number, row)"""
    last, first = None, 0
    for n, (key, row) in enumerate(rows):
        if key != last:
            db.execute("INSERT OR IGNORE INTO groups VALUES (?, ?)", [key, n])
            (first,) = db.execute("SELECT first FROM groups WHERE key = ?", [key]).fetchone()
            last = key
        yield first, n, json.dumps(row)


def _pieces(rows: Iterable[tuple]) -> Iterator[list[tuple]]:
    rows = iter(rows)
    while some := list(islice(rows, ROWS_AT_ONCE)):
        yield some
