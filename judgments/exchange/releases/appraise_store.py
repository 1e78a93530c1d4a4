"""The rows of an export, in a table of their own while they are read: what belongs to one judgment
or to one document does not stand together in the file."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from .appraise_rows import ExportRow
from .spool import spool

COLUMNS = ExportRow._fields
NAMES = ", ".join(f'"{name}"' for name in COLUMNS)
OF = "file = ? AND source = ? AND target = ?"
ROWS_AT_ONCE = 5_000
WITHIN = 0.95  # the share of pauses between judgments that count as work


class Direction(NamedTuple):
    """The rows of a file in one direction; codes of languages as they are in the file."""

    file: str
    source: str
    target: str


class ExportStore:
    """`judged` holds the rows that count, with the key of their segment."""

    def __init__(self) -> None:
        self.db = spool(
            f"CREATE TABLE judged (n INTEGER PRIMARY KEY, {NAMES}, active_ms, place, key);"
        )

    def add(self, rows: Iterable[ExportRow]) -> None:
        marks = ", ".join("?" * len(COLUMNS))
        insert = f"INSERT INTO judged ({NAMES}) VALUES ({marks})"
        self.db.executemany(insert, rows)

    def one(self, statement: str, *values: object) -> int:
        return self.db.execute(statement, values).fetchone()[0]

    def drop_tutorials(self) -> int:
        """How many rows were of tutorials; they are gone."""
        return self.db.execute("DELETE FROM judged WHERE kind = 'tutorial'").rowcount

    def drop_earlier(self) -> int:
        """How many rows were judged again by the same login; only the latest of each is left."""
        return self.db.execute(
            "DELETE FROM judged WHERE n IN (SELECT n FROM (SELECT n, row_number() OVER ("
            " PARTITION BY file, source, target, login, system, item, kind, document, copy, whole"
            ' ORDER BY "end" DESC, n DESC) AS r FROM judged) WHERE r > 1)'
        ).rowcount

    def settle_times(self) -> None:
        """How long each judgment took.

        On screens of documents only the next judgment tells, as in the code of Kocmi et al.
        (2024): the time to the start of the next one of the same login, and the median of all
        where that is a pause (above the 95th percentile) or where no other follows. A row without a
        document was a screen of its own, which took from its start to its end.
        """
        self.db.execute(
            'UPDATE judged SET active_ms = ("end" - start) / 1000'
            " WHERE document = '' AND \"end\" >= start"
        )
        for (file,) in self.db.execute("SELECT DISTINCT file FROM judged").fetchall():
            self.db.execute("DROP TABLE IF EXISTS paused")
            self.db.execute(
                "CREATE TABLE paused AS SELECT n, (lead(start) OVER ("
                " PARTITION BY login ORDER BY start, n) - start) / 1000 AS ms FROM judged"
                " WHERE file = ? AND document != '' AND start IS NOT NULL",
                (file,),
            )
            known = self.one("SELECT count(ms) FROM paused")
            ranked = "SELECT ms FROM paused WHERE ms IS NOT NULL ORDER BY ms LIMIT 1 OFFSET ?"
            if not known:
                continue
            longest = self.one(ranked, min(known - 1, int(WITHIN * known)))
            median = self.one(ranked, known // 2)
            self.db.execute("CREATE UNIQUE INDEX of_paused ON paused (n)")
            self.db.execute(
                "UPDATE judged SET active_ms = (SELECT CASE WHEN ms <= ? THEN ms ELSE ? END"
                " FROM paused WHERE paused.n = judged.n)"
                " WHERE file = ? AND document != '' AND start IS NOT NULL",
                (longest, median, file),
            )
        self.db.execute("DROP TABLE IF EXISTS paused")

    def directions(self) -> list[Direction]:
        rows = self.db.execute(
            "SELECT file, source, target FROM judged GROUP BY 1, 2, 3 ORDER BY min(n)"
        )
        return [Direction(*row) for row in rows]

    def rows(self, of: Direction, whole: bool) -> Iterator[dict]:
        """The rows of each screen next to each other."""
        names = (*COLUMNS, "active_ms", "key")
        cursor = self.db.execute(
            f"SELECT {NAMES}, active_ms, key FROM judged"
            " WHERE file = ? AND source = ? AND target = ? AND whole = ?"
            ' ORDER BY login, start, "end", item, kind, document, copy, n',
            (*of, whole),
        )
        for row in cursor:
            yield dict(zip(names, row, strict=True))

    def counts(self, of: Direction, condition: str) -> int:
        return self.one(f"SELECT count(*) FROM judged WHERE {OF} AND {condition}", *of)

    def systems(self, of: Direction) -> list[str]:
        rows = self.db.execute(f"SELECT DISTINCT system FROM judged WHERE {OF}", of)
        return [system for (system,) in rows]

    def words_of_errors(self, of: Direction) -> tuple[set[str], set[str]]:
        """The severities and the categories that are met."""
        severities, categories = set(), set()
        every = self.db.execute(f"SELECT errors FROM judged WHERE {OF} AND errors != '[]'", of)
        for (errors,) in every:
            for _start, _end, severity, category in json.loads(errors):
                severities.add(severity)
                categories.add(category)
        return severities, categories - {""}

    # ---- Segments ------------------------------------------------------------------------------

    def items_of_documents(self, of: Direction) -> dict[str, set[int]]:
        """{document: numbers of its items}"""
        found = defaultdict(set)
        rows = self.db.execute(
            f"SELECT DISTINCT document, item FROM judged WHERE {OF} AND NOT whole", of
        )
        for document, item in rows:
            found[document].add(item)
        return found

    def has_global_items(self, of: Direction) -> bool:
        """Whether a number of an item is the same segment in every task: then each number belongs
        to one document, and the translations of a document share its numbers."""
        items = self.items_of_documents(of)
        if len(items) < 2 and "" in items:
            return True
        if sum(map(len, items.values())) > len(set().union(*items.values())):
            return False
        blocks = self.one(
            "SELECT count(*) FROM (SELECT DISTINCT document, system, copy, login, item"
            f" FROM judged WHERE {OF} AND NOT whole)",
            *of,
        )
        if blocks > sum(map(len, items.values())):
            return True
        first, last, n = self.db.execute(
            f"SELECT min(item), max(item), count(*) FROM judged WHERE {OF} AND NOT whole", of
        ).fetchone()
        return n and not (first in (0, 1) and last - first + 1 == n)

    def find_places(self, of: Direction) -> None:
        """Number the judged segments of each document from 1, in the order of logins and items.

        A damaged or repeated copy shows, one after the other, the segments that the same task has
        undamaged.
        """
        self.db.execute(
            "CREATE INDEX IF NOT EXISTS by_item ON judged"
            " (file, source, target, document, system, copy, item, login)"
        )
        self.db.execute(
            "CREATE INDEX IF NOT EXISTS by_login ON judged (file, source, target, login)"
        )
        tasks = self.tasks(of)
        rows = self.db.execute(
            f"SELECT DISTINCT document, system, copy, login, item FROM judged"
            f" WHERE {OF} AND NOT whole ORDER BY document, system, copy, login, item",
            of,
        )
        found = []
        for (document, system), group in groupby(rows, key=lambda row: row[:2]):
            blocks: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
            for _, _, copy, login, item in group:
                blocks[copy][login].append(item)
            for copy, login, item, place in places_in(blocks, tasks):
                found.append((place, *of, document, system, copy, login, item))
        self.db.executemany(
            f"UPDATE judged SET place = ? WHERE {OF} AND document = ? AND system = ?"
            " AND copy = ? AND login = ? AND item = ? AND NOT whole",
            found,
        )

    def tasks(self, of: Direction) -> dict[str, str]:
        """{login: the first login that did the same task}: most of their items are the same."""
        logins = self.db.execute(
            f"SELECT login, count(*) FROM judged WHERE {OF} GROUP BY login ORDER BY login", of
        ).fetchall()
        tasks: dict[str, str] = {}
        for login, n in logins:
            same = self.db.execute(
                "SELECT o.login, count(*) AS n FROM judged j INDEXED BY by_login"
                " JOIN judged o INDEXED BY by_item"
                " ON o.file = j.file AND o.source = j.source AND o.target = j.target"
                " AND o.document = j.document AND o.system = j.system AND o.copy = j.copy"
                " AND o.item = j.item AND o.login < j.login"
                " WHERE j.file = ? AND j.source = ? AND j.target = ? AND j.login = ?"
                " GROUP BY o.login ORDER BY n DESC, o.login LIMIT 1",
                (*of, login),
            ).fetchone()
            tasks[login] = tasks[same[0]] if same and 2 * same[1] > n else login
        return tasks

    def judged_segments(self, of: Direction) -> dict[str, tuple[int, int]]:
        """{document: how many segments of it were judged, of the system with the most and of the
        one with the fewest}"""
        rows = self.db.execute(
            "SELECT document, max(n), min(n) FROM (SELECT document, max(place) AS n FROM judged"
            f" WHERE {OF} AND NOT whole AND copy = '' GROUP BY document, system) GROUP BY document",
            of,
        )
        return {document: (most, fewest) for document, most, fewest in rows}

    def set_keys(self, of: Direction, keys: str, *values: object) -> None:
        """keys: an expression of SQLite."""
        self.db.execute(f"UPDATE judged SET key = {keys} WHERE {OF} AND NOT whole", (*values, *of))

    def segments(self, of: Direction, order: str) -> Iterator[tuple[str, str, list[str]]]:
        """(key, document, systems judged on it) of each segment, documents together. order: "item"
        or "place", by which the segments of a document go."""
        rows = self.db.execute(
            "SELECT document, key, system FROM judged"
            f" WHERE {OF} GROUP BY document, key, system"
            " ORDER BY min(min(item)) OVER (PARTITION BY document), document,"
            f" min(min(coalesce({order}, item))) OVER (PARTITION BY document, key), key, system",
            of,
        )
        for (document, key), group in groupby(rows, key=lambda row: row[:2]):
            yield key, document, [system for _, _, system in group]


def places_in(
    blocks: dict[str, dict[str, list[int]]], tasks: dict[str, str]
) -> Iterator[tuple[str, str, int, int]]:
    """(copy, login, item, place) of one document and system. blocks: items by copy and login."""
    items_of: dict[str, set[int]] = defaultdict(set)
    for login, items in blocks.get("", {}).items():
        items_of[tasks[login]].update(items)
    places: dict[str, dict[int, int]] = {}
    n = 0
    for task in sorted(items_of):
        places[task] = {item: n + i for i, item in enumerate(sorted(items_of[task]), 1)}
        n += len(places[task])
    for copy, logins in blocks.items():
        for login, items in logins.items():
            own = places.get(tasks[login], {})
            order = sorted(own.values())
            for i, item in enumerate(items):
                if copy == "":
                    yield copy, login, item, own[item]
                else:
                    yield copy, login, item, order[i] if i < len(order) else i + 1
