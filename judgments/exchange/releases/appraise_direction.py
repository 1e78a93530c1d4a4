"""What an export of Appraise holds about one language direction: its segments and its screens.

An export names documents and numbers of items, not segments. In some campaigns the number is the
segment's line in the test set; in others it counts the screens of a task, so that only the order
within a document says which segment was judged.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Any

from judgments.exchange.judgments.screens import LONGEST_ITEM
from judgments.files.problem import ImportProblem, shortened
from judgments.files.texts import LONGEST_NAME, THE_DOCUMENT, SegmentTexts

from .appraise_store import Direction, ExportStore
from .languages import language_code
from .records import JudgedScreen, MarkedSpan
from .stand_in import StandIn

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
