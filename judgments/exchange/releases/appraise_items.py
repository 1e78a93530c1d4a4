"""Items of Appraise's batches → segments with their translations, and what each batch shows.

An item names a document and has its texts beside it. A segment is a source text of a document; of
one that occurs twice there, the time it occurs. A translation that a system has in two forms is a
damaged copy in one of them, and belongs to a system of its own: `SYSTEM (damaged)`.

Items of tutorials become tutorial items of a campaign, and the other way.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from typing import Any, NamedTuple

from judgments.files.jsonl import SURROGATE
from judgments.files.markdown import as_html
from judgments.files.problem import shortened
from judgments.files.texts import LONGEST_NAME, LONGEST_SYSTEM_NAME, THE_DOCUMENT, SegmentTexts
from judgments.models.damaged_copies import copy_name

from .appraise_rows import KINDS, document_name, system_name
from .instructions import markdown_of
from .presets import asks_errors
from .records import PlannedItem
from .text_store import TextStore

LARGEST_NUMBER = 10**12


ITEMS = "create table item (batch, place, key, kind, systems, last, primary key (batch, place))"


class BatchItem(NamedTuple):
    """targets: (systems that have it, translation) in the order of the screen."""

    document: str
    run: str
    number: int
    kind: str
    source: str
    targets: list[tuple[list[str], str]]
    is_last: bool
    is_whole: bool


def text_of(item: Mapping[str, Any], *names: str) -> str:
    """Raise ValueError."""
    for name in names:
        if name in item:
            value = item[name]
            if not isinstance(value, str) or "\0" in value or SURROGATE.search(value):
                raise ValueError(f"{name} is not a text")
            return value
    raise ValueError(f"there is no {names[0]}")


def batch_item(item: Any) -> BatchItem:
    """Raise ValueError in words."""
    if not isinstance(item, dict):
        raise ValueError("it is not an object")
    kind = KINDS.get(str(item.get("itemType", "TGT")).upper())
    if kind is None:
        raise ValueError(f"{shortened(str(item['itemType']))} is not a type of item")
    number = item.get("itemID")
    if isinstance(number, str) and number.isascii() and number.isdigit() and len(number) < 13:
        number = int(number)
    if type(number) is not int or not 0 <= number < LARGEST_NUMBER:
        raise ValueError("its itemID is not a number")
    targets = item.get("targets", [item])
    if not isinstance(targets, list) or not targets:
        raise ValueError("its targets are not a list")
    read = []
    for target in targets:
        if not isinstance(target, dict):
            raise ValueError("its targets are not objects")
        names = text_of(target, "targetID").split("+")
        systems = list(dict.fromkeys(system_name(name) for name in names))
        if not all(0 < len(name) <= LONGEST_SYSTEM_NAME - 20 for name in systems):
            raise ValueError("the name of a system is empty or too long")
        read.append((systems, text_of(target, "targetText")))
    given = text_of(item, "documentID") if "documentID" in item else ""
    document, copy = document_name(given, read[0][0][0])
    if kind == "regular" and "#duplicate" in copy:
        kind = "repeat"
    is_whole = item.get("isCompleteDocument") is True and "targets" not in item
    source = text_of(item, "sourceText", "segmentText")
    if not source.strip():
        raise ValueError("its source text is empty")
    if len(document) > LONGEST_NAME:
        raise ValueError("the name of its document is too long")
    run = f"{given} {read[0][0]}" if given else ""
    return BatchItem(document, run, number, kind, source, read, is_whole, is_whole)


class BatchItems:
    """All that a file of batches holds: its items, and what was met on the way."""

    def __init__(self, name: str) -> None:
        self.name = name
        # Under the document, the source and the time of each; its row is the number of its item.
        self.texts = TextStore()
        self.db = self.texts.rows
        self.db.execute(ITEMS)
        self.has_other_numbers = False  # a segment has, in another task
        self.seats = 1
        self.languages = ("", "")
        self.tutorial: list[dict[str, Any]] = []
        self.in_pairs = self.in_documents = self.marks_errors = False
        self.n_prefilled = self.n_whole = 0
        self.run = ""
        self.times: dict[str, list[int]] = {}  # numbers of the items with a source text

    def add(self, batch: int, place: int, item: BatchItem) -> None:
        if item.is_whole:
            self.n_whole += 1
            self.run = ""
            # It asks about the document whose items stand before it.
            self.db.execute(
                "UPDATE item SET last = 1 WHERE batch = ? AND place ="
                " (SELECT max(place) FROM item WHERE batch = ?)",
                (batch, batch),
            )
            return
        if item.run != self.run or not item.run:
            self.run, self.times = item.run, {}
        numbers = self.times.setdefault(item.source, [])
        if item.number not in numbers:
            numbers.append(item.number)
        # Without documents the number tells apart segments that read the same.
        time = numbers.index(item.number) + 1 if item.run else -item.number
        segment = self.segment(item, time)
        systems = []
        for names, text in item.targets:
            for name in names:
                shown = self.output(segment, name, text, item.kind == "degraded")
                if shown not in systems:
                    systems.append(shown)
        self.db.execute(
            "INSERT INTO item VALUES (?, ?, ?, ?, ?, 0)",
            (batch, place, segment, item.kind, json.dumps(systems)),
        )

    def segment(self, item: BatchItem, time: int) -> str:
        key = json.dumps([item.document, item.source, time])
        known = self.texts.find(key)
        if known is None:
            document, source = item.document, item.source
            self.texts.add(SegmentTexts(self.name, item.number, key, document, source, {}, {}))
        elif known.row != item.number:
            self.has_other_numbers = True
        return key

    def output(self, key: str, system: str, text: str, is_damaged: bool) -> str:
        """Return the system under whose name a translation is kept."""
        n = 1
        while True:
            plain = system if n == 1 else f"{system} {n}"
            name = copy_name(system, n) if is_damaged else plain
            if self.texts.put(key, name, text)[0] == text:
                return name
            n += 1

    def finish(self) -> None:
        """Name the segments: by their numbers where those are the same in all tasks and belong to
        one segment, and else by document and place in it, as the export's reader does."""
        n, numbers = self.db.execute("SELECT count(*), count(DISTINCT row) FROM segment").fetchone()
        in_documents = self.db.execute(
            "SELECT count(*) FROM (SELECT DISTINCT document, row FROM segment)"
        ).fetchone()[0]
        is_numbered = not self.has_other_numbers and in_documents == n
        self.order = "row" if is_numbered else "n"
        name = f"document || ':' || row_number() OVER (PARTITION BY document ORDER BY {self.order})"
        if is_numbered and numbers == n:
            name = "CAST(row AS TEXT)"
        self.db.execute(f"CREATE TABLE named AS SELECT key, {name} AS name FROM segment")
        self.db.execute("CREATE UNIQUE INDEX of_named ON named (key)")

    def segments(self) -> Iterator[SegmentTexts]:
        order = f"min(n) OVER (PARTITION BY document), {self.order}, n"
        for row, each in enumerate(self.texts.segments(order), 1):
            [name] = self.db.execute("SELECT name FROM named WHERE key = ?", [each.key]).fetchone()
            outputs = {s: t if t.strip() else "" for s, t in sorted(each.outputs.items())}
            document = each.document or THE_DOCUMENT
            yield replace(each, row=row, key=name, document=document, outputs=outputs)

    def batches(self, ask_documents: bool) -> Iterator[list[PlannedItem]]:
        """ask_documents: whether questions about documents are kept, with the last segment."""
        rows = self.db.execute(
            "SELECT batch, name, systems, kind, last FROM item JOIN named USING (key)"
            " ORDER BY batch, place"
        )
        for _, group in groupby(rows, key=lambda row: row[0]):
            yield [
                PlannedItem(key, tuple(json.loads(systems)), kind, ask_documents and bool(last))
                for _, key, systems, kind, last in group
            ]


# ---- Tutorials ----------------------------------------------------------------------------------


FIRST_ITEM = 1_000_000  # Appraise numbers the items of tutorials from here
CLOSE = 10  # points by which a score may miss the one that is wanted


def is_tutorial_item(item: Any) -> bool:
    return (
        isinstance(item, dict)
        and isinstance(item.get("mqm"), dict)
        and isinstance(item["mqm"].get("tutorial"), dict)
    )


def asks_score(item: Mapping[str, Any]) -> bool:
    """Return whether its instruction speaks of the slider, which ESA has and MQM has not."""
    tutorial = item["mqm"]["tutorial"]
    return "score_target" in tutorial or "slider" in str(tutorial.get("instruction", ""))


def practice_row(item: Mapping[str, Any], preset: str) -> dict[str, Any]:
    """Return a row as `assignment.practice` reads it. What people were told before they answered is
    shown after it. Raise ValueError in words."""
    tutorial = item["mqm"]["tutorial"]
    instruction = text_of(tutorial, "instruction") if "instruction" in tutorial else ""
    expected: dict[str, Any] = {}
    is_esa, marks = preset == "esa", asks_errors(preset)
    score = tutorial.get("score_target")
    if is_esa and type(score) in (int, float) and 0 <= score <= 100:
        close = {"from": max(0, score - CLOSE), "to": min(100, score + CLOSE)}
        expected["output1-esa"] = close
    if marks and "mqm_target" in tutorial:
        expected["output1-spans"] = [expected_error(each) for each in tutorial["mqm_target"]]
    return {
        "source": text_of(item, "sourceText"),
        "outputs": [text_of(item, "targetText")],
        "expected": expected,
        "feedback": markdown_of(instruction),
    }


def expected_error(error: Any) -> dict[str, Any]:
    if not isinstance(error, dict):
        raise ValueError("an error of a tutorial is not an object")
    found: dict[str, Any] = {"severity": str(error.get("severity", ""))}
    start, end = error.get("start_i"), error.get("end_i")
    if start == "missing":
        return found | {"side": "missing"}
    if type(start) is not int or type(end) is not int:
        raise ValueError("an error of a tutorial has no place")
    return found | {"start": start, "end": end + 1}


def tutorial_item(row: Mapping[str, Any], number: int) -> dict[str, Any]:
    """Return the way back."""
    expected = row.get("expected", {})
    tutorial: dict[str, Any] = {"instruction": as_html(row.get("feedback", "")).strip()}
    if "output1-esa" in expected:
        close = expected["output1-esa"]
        low, high = (close["from"], close["to"]) if isinstance(close, dict) else (close, close)
        tutorial["score_target"] = middle(low, high)
    if "output1-spans" in expected:
        tutorial["mqm_target"] = [written_error(each) for each in expected["output1-spans"]]
    return {
        "mqm": {"tutorial": tutorial, "payload": []},
        "documentID": "tutorial1",
        "sourceID": "tutorial1",
        "targetID": "tutorial1",
        "itemType": "TGT",
        "sourceText": row.get("source", ""),
        "targetText": row["outputs"][0],
        "itemID": FIRST_ITEM + number,
        "_item": "",
        "isCompleteDocument": False,
    }


def middle(low: float, high: float) -> float:
    """Return the score that a range is around; an end of the scale cuts ranges off."""
    if low == high:
        return low
    if low == 0:
        return high - CLOSE
    return low + CLOSE if high == 100 else (low + high) / 2


def written_error(error: Mapping[str, Any]) -> dict[str, Any]:
    missing = error.get("side") == "missing"
    return {
        "start_i": "missing" if missing else error["start"],
        "end_i": "missing" if missing else error["end"] - 1,
        "severity": error.get("severity", ""),
    }
