"""Rows of files that belong together and do not stand together."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import groupby
from operator import itemgetter
from typing import Any

from .spool import spool

TABLE = "create table waiting (n integer primary key, key text, row text)"


def grouped(rows: Iterable[tuple[str, Any]]) -> Iterator[list[Any]]:
    """Yield (key, row) of any number → the rows of each key, in the order in which the keys came.

    Rows are what JSON knows. They wait in a temporary file: memory does not grow with them.
    """
    with closing(spool(TABLE)) as db:
        waiting = ((key, json.dumps(row)) for key, row in rows)
        db.executemany("INSERT INTO waiting (key, row) VALUES (?, ?)", waiting)
        found = db.execute(
            "SELECT key, row FROM waiting ORDER BY min(n) OVER (PARTITION BY key), n"
        )
        for _, each in groupby(found, key=itemgetter(0)):
            yield [json.loads(row) for _, row in each]
