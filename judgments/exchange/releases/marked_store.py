"""Rows of a table of marked errors, collected in any order: its texts, and the errors of each rater
and output."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator
from itertools import groupby
from typing import Any, NamedTuple

from judgments.files.texts import SegmentTexts

from .spool import spool

MOST_KNOWN = 50_000
ERROR = "side, first, last, severity, category, comment"
SAID = ("started", "submitted", "active", "score")  # of a judgment, if the file says it
SOURCE = ""  # in place of a system
TABLES = """
create table segment (
    id integer primary key, document text, place text, number text, row integer,
    unique (document, place, number)
);
create table reading (  -- a text as some rows have it
    id integer primary key, segment integer, system text, digest blob, text text, n integer,
    unique (segment, system, digest)
);
create table reference (
    segment integer, name text, text text, primary key (segment, name)
) without rowid;
create table judgment (
    id integer primary key, segment integer, system text, rater text, again text, row integer,
    started integer, submitted integer, active integer, score real,
    unique (segment, system, rater, again)
);
create table error (
    judgment integer, reading integer, row integer, side text, first integer, last integer,
    severity text, category text, comment text
);
"""
INDEXES = "create index of_judgment on error (judgment); create index of_reading on error (reading)"


class Error(NamedTuple):
    """An error of a judgment, with a comment or without; without a severity only the comment. side:
    target, source or missing, or "" of a comment on the whole; offsets as in
    `records.MarkedSpan`."""

    side: str
    start: int
    end: int
    severity: str
    category: str
    comment: str = ""


class MarkedStore:
    """Filled row by row, then read any number of times."""

    def __init__(self) -> None:
        self.rows = spool(TABLES)
        self.systems: dict[str, None] = {}
        self.known: dict[tuple[str, str, str], int] = {}  # segments, not all of them

    # ---- Writing -------------------------------------------------------------------------------

    def segment(self, document: str, place: str, number: str, row: int) -> int:
        """Return the id of a segment. place: of the segment in its document; number: in the test
        set. Rows are added in order."""
        name = (document, place, number)
        if name not in self.known:
            if len(self.known) > MOST_KNOWN:
                self.known.clear()
            self.known[name] = self._id(
                "insert into segment (document, place, number, row) values (?, ?, ?, ?)"
                " on conflict do update set row = row returning id",
                (*name, row),
            )
        return self.known[name]

    def reading(self, segment: int, system: str, text: str) -> int:
        self.systems.setdefault(system)
        digest = hashlib.blake2b(text.encode(), digest_size=16).digest()
        return self._id(
            "insert into reading (segment, system, digest, text, n) values (?, ?, ?, ?, 1)"
            " on conflict do update set n = n + 1 returning id",
            (segment, system, digest, text),
        )

    def reference(self, segment: int, name: str, text: str) -> None:
        self.rows.execute("insert or ignore into reference values (?, ?, ?)", (segment, name, text))

    def judgment(self, segment: int, system: str, rater: str, again: str, row: int, **said) -> int:
        """Return the id of a judgment. again: distinguishes a rater's second judgment of an output
        from the first. said: when it was started and submitted and the active time (ms, of several
        rows the first, the latest and the sum), and the score; None or missing if a row has
        none."""
        return self._id(
            "insert into judgment"
            " (segment, system, rater, again, row, started, submitted, active, score)"
            " values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do update set"
            " submitted = max(coalesce(submitted, excluded.submitted),"
            " coalesce(excluded.submitted, submitted)),"
            " active = coalesce(active + excluded.active, active, excluded.active),"
            " score = coalesce(score, excluded.score) returning id",
            (segment, system, rater, again, row, *map(said.get, SAID)),
        )

    def error(self, judgment: int, reading: int, row: int, error: Error) -> None:
        self.rows.execute(
            "insert into error values (?, ?, ?, ?, ?, ?, ?, ?, ?)", (judgment, reading, row, *error)
        )

    def _id(self, statement: str, values: tuple) -> int:
        [found] = self.rows.execute(statement, values).fetchone()
        return found

    # ---- One text of several readings ------------------------------------------------------------

    def choose(self) -> Iterator[tuple[int, int, Error, str, str]]:
        """Yield the errors of readings that do not count, as (rowid, row, error, their text, the
        text that counts). Called once, when all rows are stored.

        The text of most rows counts; texts that differ only by white space at the end are the same,
        and the longest of these counts, since it contains the place of every error.
        """
        self.rows.executescript(INDEXES)
        several = self.rows.execute(
            "select segment, system from reading group by segment, system having count(*) > 1"
        ).fetchall()
        for segment, system in several:
            readings = self.rows.execute(
                "select id, text, n from reading where segment = ? and system = ?",
                (segment, system),
            ).fetchall()
            text = most_common(readings)
            for reading, other, _ in readings:
                if other.rstrip() != text.rstrip():
                    for rowid, row, *error in self.rows.execute(
                        f"select rowid, row, {ERROR} from error where reading = ?",
                        (reading,),
                    ).fetchall():
                        yield rowid, row, Error(*error), other, text

    def move(self, rowid: int, start: int, end: int) -> None:
        self.rows.execute(
            "update error set first = ?, last = ? where rowid = ?", (start, end, rowid)
        )

    # ---- Reading -------------------------------------------------------------------------------

    def keys(self) -> dict[int, str]:
        """Return {id of a segment: its key}: its number if all segments have unique numbers,
        otherwise its document and its place in it."""
        [n, numbers, unnumbered] = self.rows.execute(
            "select count(*), count(distinct number), sum(number = '') from segment"
        ).fetchone()
        rows = self.rows.execute("select id, document, place, number, row from segment")
        if n == numbers and not unnumbered:
            return {pk: number for pk, _, _, number, _ in rows}
        return {
            pk: ":".join(filter(None, (doc, place or number))) for pk, doc, place, number, _ in rows
        }

    def ordered(self) -> list[tuple[int, str, str, str, int]]:
        """Return (id, document, place, number, row) of each segment in the order of the test set:
        by their numbers if all are numeric, documents together."""
        rows = self.rows.execute("select id, document, place, number, row from segment").fetchall()
        numbered = all(number.isdecimal() for _, _, _, number, _ in rows)
        placed = all(place.isdecimal() for _, _, place, _, _ in rows)
        order = {
            pk: (int(number) if numbered else 0, int(place) if placed else 0, row)
            for pk, _, place, number, row in rows
        }
        first: dict[str, tuple] = {}
        for pk, document, _, _, row in rows:
            at = (order[pk][0], row)
            first[document] = min(first.get(document, at), at)
        rows.sort(key=lambda each: (*first[each[1]], each[1], order[each[0]]))
        return rows

    def segments(self, file: str) -> Iterator[SegmentTexts]:
        keys = self.keys()
        for pk, document, _, _, row in self.ordered():
            readings = self.rows.execute(
                "select system, id, text, n from reading where segment = ? order by system", (pk,)
            )
            texts = {
                system: most_common([row[1:] for row in some])
                for system, some in groupby(readings, key=lambda row: row[0])
            }
            references = dict(
                self.rows.execute("select name, text from reference where segment = ?", (pk,))
            )
            outputs = {name: texts[name] for name in self.systems if name and name in texts}
            yield SegmentTexts(file, row, keys[pk], document, texts[SOURCE], references, outputs)

    def judgments(self) -> Iterator[tuple[dict[str, Any], list[Error]]]:
        """Yield judgments in the order of their first rows, each with its errors in the order of
        the file."""
        names = ("id", "segment", "system", "rater", "again", "row", *SAID)
        found = self.rows.execute(f"select {', '.join(names)} from judgment order by row, id")
        for values in found:
            judgment = dict(zip(names, values, strict=True))
            errors = self.rows.execute(
                f"select {ERROR} from error where judgment = ? order by row, rowid",
                (judgment["id"],),
            )
            yield judgment, [Error(*each) for each in errors]


def most_common(readings: list[tuple[int, str, int]]) -> str:
    """Return the most frequent text. readings: (id, text, n)."""
    alike: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for _, text, n in readings:
        alike[text.rstrip()].append((n, text))
    best = max(alike, key=lambda text: (sum(n for n, _ in alike[text]), len(text), text))
    return max((text for _, text in alike[best]), key=lambda text: (len(text), text))
