"""Rows of Appraise's export: what stands in which column, and what it says.

A row is the score of one translation. Appraise writes no header, and more columns the more a
campaign asked; people put a header before the rows or into a file of its own:

    login, system, item, type, source language, target language, score      always
    document, whether the score is of the whole document                    campaigns of documents
    marked errors (JSON)                                                    since ESA
    start, end (seconds since 1970)                                         the extended export
    batch and what else                                                     left out
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from judgments.files.csv_files import cells_of
from judgments.files.jsonl import SURROGATE
from judgments.files.lines import read_lines
from judgments.files.problem import ImportProblem, shortened
from judgments.files.table import NUMBER
from judgments.files.uploads import ReleaseFile

from .records import Problems

# ---- Names of systems and documents -------------------------------------------------------------


# Each with the system in its first group.
SYSTEMS = (
    re.compile(r"wmt[0-9]{2}\.(.+)"),  # wmt23.GPT4-5shot
    # generaltest2022.en-liv.hyp.TartuNLP.liv.txt
    re.compile(r"[a-z_]+[0-9]{4}\.[a-z]{2,3}-[a-z]{2,3}\.hyp\.(.+)\.[a-z]{2,3}\.(?:txt|sgm)"),
    # newstest2019.Microsoft-WMT19-document-level.6808.en-de.txt
    re.compile(r"[a-z_]+[0-9]{4}\.(.+)\.[0-9]+\.[a-z]{2,3}-[a-z]{2,3}(?:\.txt|\.sgm)?"),
)
REFERENCES = (
    # generaltest2022.en-liv.ref.A.liv.txt
    re.compile(r"[a-z_]+[0-9]{4}\.[a-z]{2,3}-[a-z]{2,3}\.ref\.(.+)\.[a-z]{2,3}\.(?:txt|sgm)"),
    re.compile(r"[a-z_]+[0-9]{4}-[a-z]{4,6}-ref()(?:\.[a-z]{2,3})?(?:\.txt|\.sgm)?"),
)
COPY = re.compile(r"#(?:bad|duplicate)[0-9]*$")
CUT = re.compile(r"#incomplete$")
TUTORIAL = re.compile(r"tutorial[0-9]*", re.IGNORECASE)


def system_name(text: str) -> str:
    """Without the name of the test set around it; a reference is called ref and its letter, as in
    the folders of mt-metrics-eval: refA."""
    for pattern in REFERENCES:
        if match := pattern.fullmatch(text):
            return f"ref{match[1]}"
    for pattern in SYSTEMS:
        if match := pattern.fullmatch(text):
            return match[1]
    return text


def document_name(text: str, system: str) -> tuple[str, str]:
    """Return (document, copy): `Precis.11034#refA#bad7` → `Precis.11034` and `#bad7`.

    What is left of it is the document's own name: Appraise tells apart the translations of a
    document, its damaged and its repeated copies, and a part of it.
    """
    copy = ""
    while True:
        if match := COPY.search(text):
            copy = match[0] + copy
            text = text[: match.start()]
        elif match := CUT.search(text):
            text = text[: match.start()]
        elif system and text.endswith(f"#{system}"):
            text = text.removesuffix(f"#{system}")
        else:
            return text, copy


def is_tutorial(item_type: str, system: str, document: str) -> bool:
    """Return items of the tutorial have the tutorial's document for their system."""
    return item_type == "TUTORIAL" or (system == document and bool(TUTORIAL.search(document)))


# ---- Rows ---------------------------------------------------------------------------------------


KINDS = {
    "TGT": "regular", "BAD": "degraded", "REF": "reference", "CHK": "repeat",
    "TGT-DUP": "repeat", "BAD-DUP": "degraded", "CONTROL": "control", "TUTORIAL": "tutorial",
    "THIRD": "third",
}  # fmt: skip
FIRST = ("login", "system", "item", "type", "source", "target", "score")
# The words of headers, without case, spaces and underlines.
HEADER = {
    "username": "login", "login": "login", "user": "login", "annotator": "login",
    "system": "system", "systemid": "system", "targetid": "system",
    "itemid": "item", "item": "item", "segmentid": "item",
    "itemtype": "type", "type": "type",
    "srclang": "source", "sourcelang": "source", "sourcelanguage": "source",
    "trglang": "target", "tgtlang": "target", "targetlang": "target", "targetlanguage": "target",
    "score": "score", "documentid": "document", "document": "document", "docid": "document",
    "isdocument": "whole", "iscompletedocument": "whole", "isdocumentscore": "whole",
    "mqm": "errors", "spans": "errors", "errorspans": "errors",
    "timestart": "start", "starttime": "start", "start": "start",
    "timeend": "end", "endtime": "end", "end": "end",
}  # fmt: skip
LANGUAGE = re.compile("[A-Za-z]{2,3}([-_][A-Za-z]{2,4})?")
WHOLE_NUMBER = re.compile("[0-9]{1,15}")
LARGEST_SECONDS = 1e10
LARGEST_OFFSET = 10**7


class ExportRow(NamedTuple):
    """A row as it is kept. copy: what the document's name says of a damaged or repeated copy.
    errors: JSON of [start, end, severity, category] with the end exclusive and null for what is
    missing; None where there is no such column. start, end: microseconds since 1970."""

    file: str
    row: int
    login: str
    system: str
    item: int
    kind: str
    source: str
    target: str
    score: float
    document: str
    copy: str
    whole: bool
    errors: str | None
    start: int | None
    end: int | None


def header_of(cells: Sequence[str]) -> dict[str, int] | None:
    """Return {what: column} where the cells are the names of columns, all of FIRST among them."""
    words = [re.sub("[ _-]", "", cell.strip("\ufeff").lower()) for cell in cells]
    places: dict[str, int] = {}
    for place, word in enumerate(words):
        if word in HEADER:
            places.setdefault(HEADER[word], place)
    return places if set(FIRST) <= places.keys() else None


def places_of(cells: Sequence[str]) -> dict[str, int] | None:
    """Return {what: column} of a row without a header, by what stands in it; None for no such
    row."""
    if len(cells) < len(FIRST) or not is_row(cells):
        return None
    places = {name: place for place, name in enumerate(FIRST)}
    rest = len(FIRST)
    if len(cells) > rest + 1 and cells[rest + 1] in ("True", "False"):
        places |= {"document": rest, "whole": rest + 1}
        rest += 2
    if len(cells) > rest and cells[rest][:1] in ("[", "{"):
        places["errors"] = rest
        rest += 1
    if len(cells) > rest + 1 and all("." in c and NUMBER.fullmatch(c) for c in cells[rest:][:2]):
        places |= {"start": rest, "end": rest + 1}
    return places


def is_row(cells: Sequence[str]) -> bool:
    return (
        cells[3].upper() in KINDS
        and bool(WHOLE_NUMBER.fullmatch(cells[2]))
        and bool(LANGUAGE.fullmatch(cells[4]) and LANGUAGE.fullmatch(cells[5]))
        and bool(NUMBER.fullmatch(cells[6]))
    )


def read_rows(
    file: ReleaseFile, header: dict[int, dict[str, int]], problems: Problems
) -> Iterator[ExportRow]:
    """Yield all rows of a file. header: a header of another file, by the number of its columns.
    Rows that will not do go to the problems. Raise ImportProblem for a file that is no text."""
    lines = read_lines(file.place)
    places: dict[str, int] | None = None
    for row, line in lines:
        if not line.strip():
            continue
        cells = cells_of(line)
        if places is None:
            if found := header_of(cells):
                places = found
                continue
            places = header.get(len(cells)) or places_of(cells)
            if places is None:
                raise ImportProblem(file.name, row, "", "this is not a row of scores of Appraise.")
        try:
            yield score_row(file.name, row, cells, places)
        except ImportProblem as problem:
            problems.add(problem)


def score_row(file: str, row: int, cells: Sequence[str], places: dict[str, int]) -> ExportRow:
    """Raise ImportProblem, which names the column."""

    def problem(column: str, reason: str) -> ImportProblem:
        return ImportProblem(file, row, column, reason)

    if len(cells) <= max(places.values()):
        raise problem("", f"the row has {len(cells)} columns; more are in the first one.")
    cell = {name: cells[place].strip() for name, place in places.items()}
    if cell["type"].upper() not in KINDS:
        raise problem("type", f"{shortened(cell['type'])} is not a type of item.")
    if not WHOLE_NUMBER.fullmatch(cell["item"]):
        raise problem("item", f"{shortened(cell['item'])} is not the number of an item.")
    for name in ("source", "target"):
        if not LANGUAGE.fullmatch(cell[name]):
            raise problem(f"{name} language", f"{shortened(cell[name])} is not a language.")
    if not NUMBER.fullmatch(cell["score"]) or not math.isfinite(float(cell["score"])):
        raise problem("score", f"{shortened(cell['score'])} is not a number.")
    system = system_name(cell["system"])
    document, copy = document_name(cell.get("document", ""), system)
    kind = KINDS[cell["type"].upper()]
    if is_tutorial(cell["type"].upper(), cell["system"], cell.get("document", "")):
        kind = "tutorial"
    elif kind == "regular" and "#duplicate" in copy:
        kind = "repeat"
    try:
        errors = errors_of(cell["errors"]) if "errors" in cell else None
    except (ValueError, RecursionError):
        reason = f"{shortened(cell['errors'])} is not a list of marked errors."
        raise problem("errors", reason) from None
    start, end = (microseconds(cell.get(name, ""), problem) for name in ("start", "end"))
    return ExportRow(
        file,
        row,
        cell["login"],
        system,
        int(cell["item"]),
        kind,
        cell["source"],
        cell["target"],
        float(cell["score"]),
        document,
        copy,
        cell.get("whole") == "True",
        errors,
        start,
        end,
    )


def microseconds(text: str, problem) -> int | None:
    if not text:
        return None
    if not NUMBER.fullmatch(text) or not 0 <= float(text) <= LARGEST_SECONDS:
        raise problem("time", f"{shortened(text)} is not a time in seconds since 1970.")
    return round(Decimal(text) * 10**6)


def errors_of(text: str) -> str:
    """Return the errors of a row as `ExportRow` keeps them. Appraise counts characters from 0 and
    names the last one of an error: `end_i` is inclusive. Raise ValueError for anything else."""
    found = []
    errors = json.loads(text)
    if not isinstance(errors, list) or SURROGATE.search(json.dumps(errors, ensure_ascii=False)):
        raise ValueError
    for error in errors:
        if not isinstance(error, dict):
            raise ValueError
        start, end = error.get("start_i"), error.get("end_i")
        category = error.get("error_type") or []
        levels = [category] if isinstance(category, str) else category
        severity = error.get("severity") or "unknown"
        if not isinstance(severity, str) or not isinstance(levels, list):
            raise ValueError
        if not all(isinstance(level, str) for level in levels):
            raise ValueError
        if start == "missing" or end == "missing":
            start = end = None
        elif not (type(start) is type(end) is int and 0 <= start <= end < LARGEST_OFFSET):
            raise ValueError
        else:
            end += 1
        found.append([start, end, severity.lower(), "/".join(levels)])
    return json.dumps(found, ensure_ascii=False)
