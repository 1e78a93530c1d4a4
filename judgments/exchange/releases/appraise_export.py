"""What an export of Appraise holds about one language direction: its segments and its screens.

An export names documents and numbers of items, not segments. In some campaigns the number is the
segment's line in the test set; in others it counts the screens of a task, so that only the order
within a document says which segment was judged.

Its rows lie in tables of their own while they are read: what belongs to one judgment or to one
document does not stand together in the file.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from itertools import groupby
from sqlite3 import Connection, Cursor
from typing import Any, NamedTuple

from judgments.exchange.judgments.reader import LONGEST_ITEM
from judgments.files.problem import ImportProblem, shortened
from judgments.files.texts import LONGEST_NAME, THE_DOCUMENT, SegmentTexts

from .appraise_rows import ExportRow
from .languages import language_code
from .records import JudgedScreen, MarkedSpan
from .spool import spool
from .stand_in import StandIn

# ---- Rows ---------------------------------------------------------------------------------------


COLUMNS = ExportRow._fields
NAMES = ", ".join(f'"{name}"' for name in COLUMNS)
WITHIN = 0.95  # the share of pauses between judgments that count as work


class Direction(NamedTuple):
    """The rows of a file in one direction; codes of languages as they are in the file."""

    file: str
    source: str
    target: str


class ExportStore:
    """`judged` holds the rows that count."""

    def __init__(self) -> None:
        self.db = spool(f"CREATE TABLE judged (n INTEGER PRIMARY KEY, {NAMES}, active_ms);")

    def add(self, rows: Iterable[ExportRow]) -> None:
        marks = ", ".join("?" * len(COLUMNS))
        self.db.executemany(f"INSERT INTO judged ({NAMES}) VALUES ({marks})", rows)

    def drop_tutorials(self) -> int:
        """Return how many rows were of tutorials; they are gone."""
        return self.db.execute("DELETE FROM judged WHERE kind = 'tutorial'").rowcount

    def drop_earlier(self) -> int:
        """Return how many rows were judged again by the same login; only the latest of each is
        left."""
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
        self.db.execute(
            "CREATE TABLE paused AS SELECT n, file, (lead(start) OVER ("
            " PARTITION BY file, login ORDER BY start, n) - start) / 1000 AS ms FROM judged"
            " WHERE document != '' AND start IS NOT NULL"
        )
        self.db.execute("CREATE UNIQUE INDEX of_paused ON paused (n)")
        self.db.execute("CREATE INDEX by_length ON paused (file, ms)")
        counts = self.db.execute("SELECT file, count(ms) FROM paused GROUP BY file").fetchall()
        for file, known in counts:
            if known:
                places = (min(known - 1, int(WITHIN * known)), known // 2)
                longest, median = (self.pause(file, place) for place in places)
                self.db.execute(
                    "UPDATE judged SET active_ms = iif(ms <= ?, ms, ?)"
                    " FROM paused WHERE paused.n = judged.n AND paused.file = ?",
                    (longest, median, file),
                )
        self.db.execute("DROP TABLE paused")

    def pause(self, file: str, place: int) -> int:
        """Return the length of the place-th shortest pause of a file, from 0."""
        [found] = self.db.execute(
            "SELECT ms FROM paused WHERE file = ? AND ms IS NOT NULL ORDER BY ms LIMIT 1 OFFSET ?",
            (file, place),
        ).fetchone()
        return found

    def directions(self) -> dict[Direction, str]:
        """Return {direction: the table of its rows}, with the place and the key of their
        segments."""
        rows = self.db.execute(
            "SELECT file, source, target FROM judged GROUP BY 1, 2, 3 ORDER BY min(n)"
        ).fetchall()
        found = {Direction(*row): f"direction_{n}" for n, row in enumerate(rows)}
        for of, table in found.items():
            self.db.execute(
                f"CREATE TABLE {table} AS SELECT *, NULL AS place, NULL AS key FROM judged"
                " WHERE (file, source, target) = (?, ?, ?)",
                of,
            )
            self.db.execute(
                f"CREATE INDEX items_of_{table} ON {table} (document, system, copy, item, login)"
            )
            self.db.execute(f"CREATE INDEX logins_of_{table} ON {table} (login)")
        self.db.execute("DROP TABLE judged")
        return found


def places_in(
    blocks: dict[str, dict[str, list[int]]], tasks: dict[str, str]
) -> Iterator[tuple[str, str, int, int]]:
    """Yield (copy, login, item, place) of one document and system. blocks: items by copy and
    login."""
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


# ---- One direction ------------------------------------------------------------------------------


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
SHOWN = 5
# Kocmi et al. (2024) weigh errors so; of MQM also critical ones and punctuation.
WEIGHTS: dict[str, float] = {"neutral": 0, "minor": 1, "major": 5, "critical": 25}
PUNCTUATION = "*/linguistic conventions/punctuation"


class ExportDirection:
    """table: of its rows in the database. people: the annotator of a login. listed: which segments
    of a document were judged."""

    def __init__(
        self,
        db: Connection,
        of: Direction,
        table: str,
        people: Mapping[str, str],
        listed: dict[str, list[str]],
    ) -> None:
        self.db = db
        self.of = of
        self.table = table
        self.people = people
        self.listed = listed
        self.source, self.target = language_code(of.source), language_code(of.target)
        self.has_segments = self.has("NOT whole")
        self.has_documents = self.has("whole")
        # Of a document the numbers of its items.
        self.items: dict[str, set[int]] = defaultdict(set)
        for document, item in self.select("DISTINCT document, item", "WHERE NOT whole"):
            self.items[document].add(item)
        self.items_are_lines = self.has_global_items()
        self.find_places()
        self.is_scored = self.has("NOT whole AND score != 0")
        self.severities: set[str] = set()
        self.categories: set[str] = set()
        for (errors,) in self.select("errors", "WHERE errors != '[]'"):
            for _start, _end, severity, category in json.loads(errors):
                self.severities.add(severity)
                self.categories |= {category} - {""}
        keys = "CAST(item AS TEXT)" if self.items_are_lines else "document || ':' || place"
        db.execute(f"UPDATE {table} SET key = {keys} WHERE NOT whole")
        self.set_documents()
        self.stand_in: StandIn | None = None

    def select(self, columns: str, rest: str = "", *values: object) -> Cursor:
        return self.db.execute(f"SELECT {columns} FROM {self.table} {rest}", values)

    def has(self, condition: str) -> bool:
        return self.select("1", f"WHERE {condition} LIMIT 1").fetchone() is not None

    def set_documents(self) -> None:
        """A judgment of a whole document is of its first segment, as on our own screens."""
        self.db.execute(
            f"UPDATE {self.table} SET key = coalesce((SELECT o.key FROM {self.table} o"
            f" WHERE o.document = {self.table}.document AND NOT o.whole"
            " ORDER BY coalesce(o.place, o.item) LIMIT 1), document || ':1') WHERE whole"
        )

    def rename(self, which: str, keys: Mapping[tuple, str]) -> None:
        """which: a condition with a mark for each of what the keys are of."""
        self.db.executemany(
            f"UPDATE {self.table} SET key = ? WHERE {which}",
            ((key, *of) for of, key in keys.items()),
        )

    def rows(self, whole: bool) -> Iterator[dict[str, Any]]:
        """Yield the rows of each screen next to each other."""
        order = 'WHERE whole = ? ORDER BY login, start, "end", item, kind, document, copy, n'
        for row in self.select(f"{NAMES}, active_ms, key", order, whole):
            yield dict(zip((*COLUMNS, "active_ms", "key"), row, strict=True))

    # ---- Which segment an item is --------------------------------------------------------------

    def has_global_items(self) -> bool:
        """Return whether a number of an item is the same segment in every task: then each number
        belongs to one document, and the translations of a document share its numbers."""
        items = self.items
        if len(items) < 2 and "" in items:
            return True
        numbers = set().union(*items.values())
        if sum(map(len, items.values())) > len(numbers):
            return False
        parts = "document, system, copy, login, item"
        [(blocks,)] = self.db.execute(
            f"SELECT count(*) FROM (SELECT DISTINCT {parts} FROM {self.table} WHERE NOT whole)"
        )
        if blocks > len(numbers):
            return True
        [(n,)] = self.select("count(*)", "WHERE NOT whole")
        return n > 0 and not (min(numbers) in (0, 1) and max(numbers) - min(numbers) + 1 == n)

    def find_places(self) -> None:
        """Number the judged segments of each document from 1, in the order of logins and items.

        A damaged or repeated copy shows, one after the other, the segments that the same task has
        undamaged.
        """
        tasks = self.tasks()
        parts = "document, system, copy, login, item"
        rows = self.select(f"DISTINCT {parts}", f"WHERE NOT whole ORDER BY {parts}")
        found = []
        for (document, system), group in groupby(rows, key=lambda row: row[:2]):
            blocks: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
            for _, _, copy, login, item in group:
                blocks[copy][login].append(item)
            for copy, login, item, place in places_in(blocks, tasks):
                found.append((place, document, system, copy, login, item))
        self.db.executemany(
            f"UPDATE {self.table} SET place = ? WHERE ({parts}) = (?, ?, ?, ?, ?) AND NOT whole",
            found,
        )

    def tasks(self) -> dict[str, str]:
        """Return {login: the first login that did the same task}: most of their items are the
        same."""
        tasks: dict[str, str] = {}
        logins = self.select("login, count(*)", "GROUP BY login ORDER BY login").fetchall()
        for login, n in logins:
            same = self.db.execute(
                f"SELECT o.login, count(*) AS n"
                f" FROM {self.table} j INDEXED BY logins_of_{self.table}"
                f" JOIN {self.table} o INDEXED BY items_of_{self.table}"
                " ON o.document = j.document AND o.system = j.system AND o.copy = j.copy"
                " AND o.item = j.item AND o.login < j.login WHERE j.login = ?"
                " GROUP BY o.login ORDER BY n DESC, o.login LIMIT 1",
                (login,),
            ).fetchone()
            tasks[login] = tasks[same[0]] if same and 2 * same[1] > n else login
        return tasks

    # ---- Without texts -------------------------------------------------------------------------

    def segments(self) -> Iterator[SegmentTexts]:
        """Yield a segment for each that was judged, with its systems and no texts, documents
        together."""
        order = "item" if self.items_are_lines else "place"
        rows = self.select(
            "document, key, system",
            "GROUP BY document, key, system"
            " ORDER BY min(min(item)) OVER (PARTITION BY document), document,"
            f" min(min(coalesce({order}, item))) OVER (PARTITION BY document, key), key, system",
        )
        groups = groupby(rows, key=lambda row: row[:2])
        for row, ((document, key), systems) in enumerate(groups, 1):
            for name, what in ((key, "segment"), (document, "document")):
                if len(name) > LONGEST_NAME:
                    reason = f"the name is longer than {LONGEST_NAME} characters."
                    raise ImportProblem(self.of.file, None, what, reason)
            outputs = {system: "" for _, _, system in systems}
            yield SegmentTexts(self.of.file, row, key, document or THE_DOCUMENT, "", {}, outputs)

    # ---- With a test set -----------------------------------------------------------------------

    def settle(self, stand_in: StandIn) -> list[str]:
        """Name the segments of a test set instead. Raise ImportProblem where it cannot be said
        which segments of it were judged. Returns what its owner should know."""
        systems = {system for (system,) in self.select("DISTINCT system")}
        if missing := systems - stand_in.systems:
            names = shortened(", ".join(sorted(missing)), 300)
            reason = f"the test set has no outputs of {names}."
            raise ImportProblem(self.of.file, None, "system", reason)
        self.stand_in = stand_in
        told = []
        first = self.first_line(stand_in)
        if first is not None:
            by_number = {n: key for n, (key, _) in enumerate(stand_in.segments, first)}
            lines = {
                (document, item): by_number[item]
                for document, items in self.items.items()
                for item in items
            }
            self.rename("document = ? AND item = ? AND NOT whole", lines)
            told.append(f"{self.of.file}: its items are numbered as the lines are, from {first}.")
        else:
            self.rename("document = ? AND place = ? AND NOT whole", self.by_place(stand_in))
        self.set_documents()
        documents = {(name,): keys[0] for name, keys in stand_in.documents.items()}
        self.rename("document = ? AND whole", documents)
        if unfit := self.unfit_errors():
            shown = "; ".join(unfit[:SHOWN]) + ("; …" if len(unfit) > SHOWN else "")
            told.append(
                f"{self.of.file}: {len(unfit):,} marked error{'s' * (len(unfit) != 1)} of "
                "damaged translations, whose texts the file does not contain, reach beyond the "
                f"translations and were left out: {shown}."
            )
        return told

    def first_line(self, stand_in: StandIn) -> int | None:
        """Return 1 or 0, what the number of the first segment is if numbers of items are lines;
        None if they are not: they belong to other documents."""
        for first in (1, 0):
            places = {n: document for n, (_, document) in enumerate(stand_in.segments, first)}
            if all(
                item in places and places[item] == (document or places[item])
                for document, numbers in self.items.items()
                for item in numbers
            ):
                return first
        return None

    def by_place(self, stand_in: StandIn) -> dict[tuple[str, int], str]:
        """Return {(document, place): key}. Documents must have been judged as a whole, or a list
        must say which of their segments were."""
        found: dict[tuple[str, int], str] = {}
        unknown, unclear = [], []
        # How many segments were judged, of the system with the most and of the one with the fewest.
        judged = self.db.execute(
            "SELECT document, max(n), min(n) FROM (SELECT document, max(place) AS n"
            f" FROM {self.table} WHERE NOT whole AND copy = '' GROUP BY document, system)"
            " GROUP BY document"
        )
        for document, most, fewest in judged:
            known = stand_in.documents.get(document, [])
            keys = self.listed.get(document, known)
            if not set(keys) <= set(known) or not known:
                unknown.append(document)
            elif len(keys) != most or most != fewest:
                unclear.append(document)
            found |= {(document, place): key for place, key in enumerate(keys, 1)}
        for documents, reason in (
            (unknown, "it is not a document of the test set, or a listed segment is not one of it"),
            (
                unclear,
                "not all of its segments were judged, and the export does not say which were",
            ),
        ):
            if documents:
                names = shortened(", ".join(documents), 300)
                raise ImportProblem(
                    self.of.file,
                    None,
                    "document",
                    f"{len(documents):,} document{'s' * (len(documents) != 1)}: {names}: "
                    f"{reason}. Also upload the batches of the campaign, or a table with the "
                    "columns “document” and “segment” of what was judged; or import the export "
                    "without a test set.",
                )
        return found

    def unfit_errors(self) -> list[str]:
        return [
            f"row {row['row']:,}, characters {start:,} to {end:,}"
            for row in self.rows(False)
            if row["kind"] == "degraded"
            for start, end, _, _ in json.loads(row["errors"] or "[]")
            if not self.fits(row, end)
        ]

    def fits(self, row: Mapping[str, Any], end: int | None) -> bool:
        """Return for a damaged translation only the undamaged text is known."""
        if row["kind"] != "degraded" or end is None or self.stand_in is None:
            return True
        length = self.stand_in.length(row["system"], row["key"])
        return length is None or end <= length

    # ---- Campaigns -----------------------------------------------------------------------------

    @property
    def has_errors(self) -> bool:
        return bool(self.severities)

    @property
    def dimension(self) -> str:
        return "esa" if self.has_errors else "da"

    def preset(self, whole: bool) -> str:
        return "released-errors" if self.has_errors and not whole else "custom-rating"

    def options(self, whole: bool) -> dict[str, Any]:
        if self.has_errors and not whole:
            weights = {name: WEIGHTS.get(name, 0) for name in ("minor", "major", *self.severities)}
            if any(name.lower().endswith("/punctuation") for name in self.categories):
                weights[PUNCTUATION] = 0.1
            return {
                "score": self.is_scored,
                "weights": weights,
                "categories": sorted(self.categories),
                "sides": ["target", "missing"],
                "outputs_per_item": 1,
            }
        scale = {"slug": "da", "low": 0, "high": 100, "step": None}
        options: dict[str, Any] = {
            "dimensions": [scale],
            "outputs_per_item": 5,
            "show_source": True,
            "show_reference": False,
        }
        return options | ({"unit": "whole document", "outputs_per_item": 1} if whole else {})

    def screens(self, whole: bool) -> Iterator[JudgedScreen]:
        """Yield a screen of all translations that were judged at the same time as the same item."""
        for _, group in groupby(self.rows(whole), key=screen_key):
            yield self.screen(list(group), whole)

    def screen(self, rows: list[dict[str, Any]], whole: bool) -> JudgedScreen:
        """rows: of one screen. Appraise writes a translation that several systems have for each of
        them, with the same score: then it was shown once."""
        first = rows[0]
        one_text = len(rows) > 1 and len({(row["score"], row["errors"]) for row in rows}) == 1
        screen = JudgedScreen(
            first["file"],
            min(row["row"] for row in rows),
            self.people.get(first["login"], first["login"]),
            first["key"],
            [row["system"] for row in rows],
            item=" ".join(
                map(str, (first["login"], first["item"], first["document"] + first["copy"]))
            )[:LONGEST_ITEM],
            kind=first["kind"],
            started=moment(first["start"]),
            submitted=moment(first["end"]),
            active_ms=first["active_ms"],
        )
        if one_text:
            screen.copies = frozenset(row["system"] for row in rows[1:])
        if not self.has_errors or whole or self.is_scored:
            name = "da" if whole else self.dimension
            screen.ratings = [(row["system"], name, row["score"]) for row in rows]
        if self.has_errors and not whole:
            screen.spans = [span for row in rows for span in self.spans(row)]
        return screen

    def spans(self, row: Mapping[str, Any]) -> Iterator[MarkedSpan]:
        for start, end, severity, category in json.loads(row["errors"] or "[]"):
            if start is None:
                yield MarkedSpan(row["system"], "missing", 0, 0, severity, category.lower())
            elif self.fits(row, end):
                yield MarkedSpan(row["system"], "target", start, end, severity, category.lower())


def screen_key(row: Mapping[str, Any]) -> tuple:
    """Return what the rows of one screen share. Without times a row is a screen of its own."""
    alone = row["row"] if row["start"] is None or row["end"] is None else None
    names = ("login", "start", "end", "item", "kind", "document", "copy")
    return (*(row[name] for name in names), alone)


def moment(microseconds: int | None) -> datetime | None:
    return None if microseconds is None else EPOCH + timedelta(microseconds=microseconds)
