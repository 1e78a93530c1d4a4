"""What an export of Appraise holds about one language direction: its segments and its screens.

An export names documents and numbers of items, not segments. In some campaigns the number is the
segment's line in the test set; in others it counts the screens of a task, so that only the order
within a document says which segment was judged.

Its rows lie in a table of their own while they are read: what belongs to one judgment or to one
document does not stand together in the file.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from itertools import groupby
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


# ---- One direction ------------------------------------------------------------------------------


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
SHOWN = 5
# Kocmi et al. (2024) weigh errors so; of MQM also critical ones and punctuation.
WEIGHTS: dict[str, float] = {"neutral": 0, "minor": 1, "major": 5, "critical": 25}
PUNCTUATION = "*/linguistic conventions/punctuation"


class ExportDirection:
    """people: the annotator of a login. listed: which segments of a document were judged."""

    def __init__(
        self,
        store: ExportStore,
        of: Direction,
        people: Mapping[str, str],
        listed: dict[str, list[str]],
    ) -> None:
        self.store = store
        self.of = of
        self.people = people
        self.listed = listed
        self.source, self.target = language_code(of.source), language_code(of.target)
        self.has_segments = store.counts(of, "NOT whole") > 0
        self.has_documents = store.counts(of, "whole") > 0
        self.items_are_lines = store.has_global_items(of)
        store.find_places(of)
        self.is_scored = store.counts(of, "NOT whole AND score != 0") > 0
        self.severities, self.categories = store.words_of_errors(of)
        self.left_out: list[str] = []  # errors that do not fit their texts, by their rows
        if self.items_are_lines:
            store.set_keys(of, "CAST(item AS TEXT)")
        else:
            store.set_keys(of, "document || ':' || place")
        self.set_documents({})
        self.stand_in: StandIn | None = None

    def set_documents(self, documents: Mapping[str, list[str]]) -> None:
        """A judgment of a whole document is of its first segment, as on our own screens."""
        rows = self.store.db.execute(
            "SELECT DISTINCT document FROM judged WHERE file = ? AND source = ? AND target = ?"
            " AND whole",
            self.of,
        ).fetchall()
        for (document,) in rows:
            first = self.store.db.execute(
                "SELECT key FROM judged WHERE file = ? AND source = ? AND target = ?"
                " AND document = ? AND NOT whole ORDER BY coalesce(place, item) LIMIT 1",
                (*self.of, document),
            ).fetchone()
            keys = documents.get(document) or [first[0] if first else f"{document}:1"]
            self.store.db.execute(
                "UPDATE judged SET key = ? WHERE file = ? AND source = ? AND target = ?"
                " AND document = ? AND whole",
                (keys[0], *self.of, document),
            )

    # ---- Without texts -------------------------------------------------------------------------

    def segments(self) -> Iterator[SegmentTexts]:
        """A segment for each that was judged, with its systems and no texts."""
        order = "item" if self.items_are_lines else "place"
        for row, (key, document, systems) in enumerate(self.store.segments(self.of, order), 1):
            for name, what in ((key, "segment"), (document, "document")):
                if len(name) > LONGEST_NAME:
                    reason = f"the name is longer than {LONGEST_NAME} characters."
                    raise ImportProblem(self.of.file, None, what, reason)
            outputs = dict.fromkeys(systems, "")
            yield SegmentTexts(self.of.file, row, key, document or THE_DOCUMENT, "", {}, outputs)

    # ---- With a test set -----------------------------------------------------------------------

    def settle(self, stand_in: StandIn) -> list[str]:
        """Name the segments of a test set instead. Raises ImportProblem where it cannot be said
        which segments of it were judged. Returns what its owner should know."""
        if missing := set(self.store.systems(self.of)) - stand_in.systems:
            names = shortened(", ".join(sorted(missing)), 300)
            reason = f"the test set has no outputs of {names}."
            raise ImportProblem(self.of.file, None, "system", reason)
        self.stand_in = stand_in
        told = []
        first = self.first_line(stand_in)
        if first is not None:
            by_number = {n: key for n, (key, _) in enumerate(stand_in.segments, first)}
            self.rename(
                {(document, item): by_number[item]
                 for document, items in self.store.items_of_documents(self.of).items()
                 for item in items},
                "item",
            )  # fmt: skip
            told.append(f"{self.of.file}: its items are numbered as the lines are, from {first}.")
        else:
            self.rename(self.by_place(stand_in), "place")
        self.set_documents(stand_in.documents)
        if unfit := self.unfit_errors():
            shown = "; ".join(unfit[:SHOWN]) + ("; …" if len(unfit) > SHOWN else "")
            told.append(
                f"{self.of.file}: {len(unfit):,} marked error{'s' * (len(unfit) != 1)} "
                "of damaged translations, whose texts the file does not hold, reach beyond the "
                f"translations and were left out: {shown}."
            )
        return told

    def first_line(self, stand_in: StandIn) -> int | None:
        """1 or 0, what the number of the first segment is if numbers of items are lines; None if
        they are not: they belong to other documents."""
        items = self.store.items_of_documents(self.of)
        for first in (1, 0):
            places = {n: document for n, (_, document) in enumerate(stand_in.segments, first)}
            if all(
                item in places and places[item] == (document or places[item])
                for document, numbers in items.items()
                for item in numbers
            ):
                return first
        return None

    def by_place(self, stand_in: StandIn) -> dict[tuple[str, int], str]:
        """{(document, place): key}. Documents must have been judged as a whole, or a list must say
        which of their segments were."""
        found: dict[tuple[str, int], str] = {}
        unknown, unclear = [], []
        for document, (most, fewest) in self.store.judged_segments(self.of).items():
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
                    f"{len(documents):,} document{'s' * (len(documents) != 1)}: {names}: {reason}. "
                    "Bring the batches of the campaign along, or a table with the columns "
                    "“document” and “segment” of what was judged; or import the export without a "
                    "test set.",
                )
        return found

    def rename(self, keys: Mapping[tuple[str, int], str], column: str) -> None:
        self.store.db.executemany(
            "UPDATE judged SET key = ? WHERE file = ? AND source = ? AND target = ?"
            f" AND document = ? AND {column} = ? AND NOT whole",
            ((key, *self.of, document, n) for (document, n), key in keys.items()),
        )

    def unfit_errors(self) -> list[str]:
        return [
            f"row {row['row']:,}, characters {start:,} to {end:,}"
            for row in self.store.rows(self.of, False)
            if row["kind"] == "degraded"
            for start, end, _, _ in json.loads(row["errors"] or "[]")
            if not self.fits(row, end)
        ]

    def fits(self, row: Mapping[str, Any], end: int | None) -> bool:
        """Of a damaged translation only the undamaged text is known."""
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
        """A screen of all translations that were judged at the same time as the same item."""
        for _, group in groupby(self.store.rows(self.of, whole), key=screen_key):
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
    """What the rows of one screen share. Without times a row is a screen of its own."""
    alone = row["row"] if row["start"] is None or row["end"] is None else None
    names = ("login", "start", "end", "item", "kind", "document", "copy")
    return (*(row[name] for name in names), alone)


def moment(microseconds: int | None) -> datetime | None:
    return None if microseconds is None else EPOCH + timedelta(microseconds=microseconds)
