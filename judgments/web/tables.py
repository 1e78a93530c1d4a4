"""A table as pages show it and as a file holds it: one definition for both.

Pages round to three significant digits, column by column; files keep every digit.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from judgments.files.csv_files import undefined

DASH = "–"
MINUS = "−"
# Heads of columns that go by their key alone.
HEADS = {
    "annotator": _("Annotator"),
    "document": _("Document"),
    "high": _("High"),
    "judgments": _("Judgments"),
    "level": _("Level"),
    "low": _("Low"),
    "metric": _("Metric"),
    "n": _("N"),
    "score": _("Score"),
    "scores": _("Scores"),
    "segment": _("Segment"),
    "share": _("Share"),
    "system": _("System"),
    "value": _("Value"),
}


@dataclass(frozen=True)
class Column:
    """kind: "text", "count" (whole numbers), "number", "p" (a p-value), or "auto" (by the values).

    key names the column in files; hint explains the label.
    """

    key: str
    label: str | Promise = ""
    kind: str = "auto"
    hint: str | Promise = ""

    @property
    def heading(self) -> str:
        words = str(self.label or HEADS.get(self.key) or self.key.replace("_", " ").capitalize())
        return words.replace(" %", "\u00a0%")  # which stays with its number


@dataclass(frozen=True)
class Table:
    """Rows of raw values (text, numbers; None or NaN: undefined) under columns.

    A column may be given as a string, its key. The first column names the row. The heads are found
    once: the kind of a column takes a look at every row. ``links``: (place of a row, key of a
    column) → the address of what a cell stands for; pages show it as a link, files leave it out.
    """

    slug: str
    title: str
    columns: tuple[Column | str, ...]
    rows: Sequence[Sequence[object]]
    note: str = ""
    links: Mapping[tuple[int, str], str] = field(default_factory=dict, repr=False)
    is_whole: bool = True
    """whether these are all rows; those of one page among several cannot be sorted on it"""

    def part(self, start: int, stop: int) -> Table:
        """Return the rows from start to stop, with their links, as one page of several has them."""
        links = {(i - start, key): to for (i, key), to in self.links.items() if start <= i < stop}
        is_whole = start <= 0 and stop >= len(self.rows)
        return replace(self, rows=self.rows[start:stop], links=links, is_whole=is_whole)

    @cached_property
    def heads(self) -> list[Column]:
        """The columns, every kind settled."""
        heads = [Column(c) if isinstance(c, str) else c for c in self.columns]
        return [
            Column(c.key, c.heading, kind_of([row[i] for row in self.rows]), c.hint)
            if c.kind == "auto"
            else c
            for i, c in enumerate(heads)
        ]

    @cached_property
    def keys(self) -> list[str]:
        return [column.key for column in self.heads]

    def display(self) -> Iterator[list[tuple[Column, str]]]:
        """Yield for templates: each row as (column, text) pairs."""
        heads = self.heads
        places = [decimals([row[i] for row in self.rows]) for i in range(len(heads))]
        for row in self.rows:
            yield [
                (column, cell(value, column.kind, n))
                for column, value, n in zip(heads, row, places, strict=True)
            ]


def kind_of(values: Sequence[object]) -> str:
    known = [value for value in values if not undefined(value)]
    if not known or not all(is_number(value) for value in known):
        return "text"
    return "count" if all(isinstance(value, numbers.Integral) for value in known) else "number"


def is_number(value: object) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def decimals(values: Sequence[object]) -> int:
    """Return how many decimals give a column's largest number three significant digits."""
    sizes = [abs(float(v)) for v in values if is_number(v) and math.isfinite(float(v))]  # type: ignore[arg-type]
    largest = max(sizes, default=0)
    return 3 if largest < 1 else 2 if largest < 10 else 1 if largest < 1000 else 0


def cell(value: object, kind: str, places: int = 3) -> str:
    """Return a value in words of the page: −.053, 12,345, < .001, or a dash where it is
    undefined."""
    if undefined(value):
        return DASH
    if not is_number(value):
        return str(value)
    number = float(value)  # type: ignore[arg-type]
    if kind == "count":
        return f"{number:,.0f}".replace("-", MINUS)
    if kind == "p" and number < 0.001:
        return "< .001"
    return figure(number, 3 if kind == "p" else places)


def figure(number: float, places: int = 3) -> str:
    """Return a number with so many decimals, without the zero before the point: .471, −.05,
    12.3."""
    if math.isnan(number):
        return DASH
    text = f"{number:,.{places}f}"
    if abs(number) < 1 and places and text.lstrip("-").startswith("0."):
        text = text.replace("0.", ".", 1)
    if not text.strip("-.0,"):
        text = text.lstrip("-")
    return text.replace("-", MINUS)


def interval(low: float, high: float, places: int = 3) -> str:
    """Return [low, high], or nothing where there is none."""
    if math.isnan(low) or math.isnan(high):
        return ""
    return f"[{figure(low, places)}, {figure(high, places)}]"


def in_a_sentence(name: str) -> str:
    """Return a name in small letters; abbreviations such as MQM stay as they are."""
    words = name.split(" ")
    return " ".join(w if sum(c.isupper() for c in w) > 1 else w.lower() for w in words)
