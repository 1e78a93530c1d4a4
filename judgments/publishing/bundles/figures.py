"""Every figure of a campaign as files, the same for whoever makes and whoever checks a bundle; and
what differs between two of them."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from django.utils import translation

from judgments.models import PostEdit
from judgments.results import exports
from judgments.results.selection.selection import Selection
from judgments.web import sections as web_sections
from judgments.web.sections import Lazy, ResultsPage
from judgments.web.tables import Table

from .rebuild import RebuiltCampaign
from .rows import PEOPLE

FOLDER = "results"
# Of two numbers that differ by less, as shares of them, only the arithmetic differs.
FLOATS = 1e-9
NOTHING = 1e-15
SHOWN = 5
# Owners of a copy have a name of their own each time that it is put into the database.
OF_NOBODY = ("registered_by",)
# Where results give numbers of rows, which differ from database to database: those that the rows
# have in the bundle stand there instead. Edits are counted from 1, since they have none in it.
NUMBERS = {
    "user": PEOPLE,
    "item": "items",
    "judgment": "judgments",
    "system_ids": "systems",
    "segment_ids": "segments",
    "document_ids": "documents",
}

Make = Callable[[], str]
Known = dict[str, dict[int, int]]  # {name in the results: {number here: number in the bundle}}


def figures(rebuilt: RebuiltCampaign) -> Iterator[tuple[str, Make]]:
    """Yield (path, what makes its text) of the data and the tables of every page of results."""
    known = known_numbers(rebuilt)
    with translation.override("en"):
        for page, of, sections in web_sections.pages_of(Selection.of(rebuilt.campaign)):
            folder = f"{FOLDER}/{page.slug}"
            yield f"{folder}.json", _data(page, of, known)
            for section in sections:
                for table in section.files:
                    yield f"{folder}/{table.slug}.csv", table_text(table, known)


def known_numbers(rebuilt: RebuiltCampaign) -> Known:
    known = {
        name: {here: there for there, here in rebuilt.numbers[rows].items()}
        for name, rows in NUMBERS.items()
    }
    edits = PostEdit.objects.filter(judgment__campaign=rebuilt.campaign).order_by("pk")
    known["edit"] = {pk: place for place, pk in enumerate(edits.values_list("pk", flat=True), 1)}
    return known


def _data(page: ResultsPage, of: Selection, known: Known) -> Make:
    def make() -> str:
        with translation.override("en"):
            found = with_numbers(web_sections.plain(page.data(of)), known)
        return json.dumps(found, ensure_ascii=False, allow_nan=False, indent=1) + "\n"

    return make


def table_text(lazy: Lazy[Table], known: Known) -> Make:
    def make() -> str:
        with translation.override("en"):
            return exports.csv_of(renumbered(lazy.make(), known))

    return make


def renumbered(table: Table, known: Known) -> Table:
    """Return the table with the numbers that rows have in the bundle."""
    of = [known.get(str(key), {}) for key in table.keys]
    if not any(of):
        return table
    rows = [tuple(_number(v, n) for v, n in zip(row, of, strict=True)) for row in table.rows]
    return dataclasses.replace(table, rows=rows)


def with_numbers(value: Any, known: Known, name: str = "") -> Any:
    """Return results with the numbers that rows have in the bundle, without names that none has."""
    if isinstance(value, dict):
        if {"columns", "rows"} <= value.keys():
            of = [known.get(str(column), {}) for column in value["columns"]]
            rows = [[_number(v, n) for v, n in zip(row, of, strict=True)] for row in value["rows"]]
            return value | {"rows": rows}
        return {
            key: "" if key in OF_NOBODY else with_numbers(each, known, key)
            for key, each in value.items()
        }
    if isinstance(value, list):
        return [with_numbers(each, known, name) for each in value]
    return _number(value, known[name]) if name in known else value


def _number(value: Any, known: dict[int, int]) -> Any:
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        return known.get(int(value), value)
    if isinstance(value, str) and value.isdecimal():
        return str(known.get(int(value), value))
    return value


def write_all(made: Iterable[tuple[str, Make]], folder: Path) -> None:
    for name, make in made:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(make(), encoding="utf-8", newline="\n")


# ---- Two files of figures ------------------------------------------------------------------------


@dataclass
class ComparedFigures:
    """How the values of two files of figures agree: how many there are, how many of them differ in
    the last bits alone, and where others differ, in words; whether words differ and not numbers
    alone."""

    name: str
    n: int = 0
    n_close: int = 0
    different: list[str] = field(default_factory=list)
    in_words: bool = False

    def value(self, place: str, before: Any, now: Any) -> None:
        if before == now or is_close(before, now):
            self.n += 1
            self.n_close += before != now
        else:
            self.differ(f"{place}: {before} in the bundle, {now} here", before, now)

    def differ(self, sentence: str, before: Any = "", now: Any = "") -> None:
        self.n += 1
        self.different.append(sentence)
        self.in_words |= not (is_number(before) and is_number(now))


def is_number(value: Any) -> bool:
    """Also one that is undefined."""
    try:
        return value is None or value == "" or math.isfinite(float(value))
    except (TypeError, ValueError, OverflowError):
        return False


def is_close(before: Any, now: Any) -> bool:
    try:
        first, second = float(before), float(now)
    except (TypeError, ValueError, OverflowError):
        return False
    return math.isclose(first, second, rel_tol=FLOATS, abs_tol=NOTHING)


def compare(name: str, before: str, now: str) -> ComparedFigures:
    """Return value by value: cells of tables, leaves of JSON."""
    found = ComparedFigures(name)
    try:
        if name.endswith(".csv"):
            _compare_tables(found, before, now)
        else:
            _compare_values(found, "", json.loads(before), json.loads(now))
    except (csv.Error, ValueError, RecursionError) as error:
        if before == now:  # a cell that is longer than any reader of tables takes
            found.n += 1
        else:
            found.differ(f"cannot be read: {error}", "-", "-")
    return found


def _compare_tables(found: ComparedFigures, before: str, now: str) -> None:
    first, second = (list(csv.reader(io.StringIO(text))) for text in (before, now))
    shapes = [list(map(len, rows)) for rows in (first, second)]
    if first[:1] != second[:1] or shapes[0] != shapes[1]:
        said = [f"{len(cells):,} rows of {max(cells, default=0)} columns" for cells in shapes]
        found.differ(f"{said[0]} in the bundle, {said[1]} here, or other heads", "-", "-")
        return
    heads = first[0] if first else []
    for n, (old, new) in enumerate(zip(first[1:], second[1:], strict=True), 2):
        for head, a, b in zip(heads, old, new, strict=True):
            found.value(f"row {n}, {head}", a, b)


def _compare_values(found: ComparedFigures, place: str, before: Any, now: Any) -> None:
    if isinstance(before, dict) and isinstance(now, dict) and before.keys() == now.keys():
        for key in before:
            _compare_values(found, f"{place}.{key}".lstrip("."), before[key], now[key])
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for n, (a, b) in enumerate(zip(before, now, strict=True)):
            _compare_values(found, f"{place}[{n}]", a, b)
    elif isinstance(before, dict | list) or isinstance(now, dict | list):
        found.differ(f"{place or 'everything'}: a different shape here", "-", "-")
    else:
        found.value(place, before, now)
