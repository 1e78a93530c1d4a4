"""What a worked example is: fields to fill in, published cases of them, and figures to compute.

Each figure comes from the same scorers and statistics that the rest of the site uses; an example
only chooses what of them to show.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import floor, isinf, isnan, log10
from typing import Any, NamedTuple

LONGEST_LINE = 300
_NUMBER = re.compile(r"−?\d*\.?(\d*)%?")
_FIGURES = re.compile(r"[\d\s.,/%–−∞·●]*|undefined")
_MOST_DIGITS = 12

Values = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class ExampleField:
    """One thing that can be edited.

    ``kind``: "text", one line; "lines", one or more; "whole", "number"; "numbers" and "wholes",
    separated by spaces; "choice" of ``choices``, words by value. ``most_words`` of a line,
    ``most_lines`` (of numbers: how many), ``low`` and ``high`` are bounds. ``optional``: may be
    left empty.
    """

    name: str
    label: str
    kind: str = "text"
    hint: str = ""
    choices: Mapping[str, str] = field(default_factory=dict)
    most_words: int = 60
    most_lines: int = 8
    low: float = 0
    high: float = 1_000_000
    optional: bool = False


@dataclass(frozen=True)
class Printed:
    """What a publication prints for a figure.

    ``text``: as printed; ``reads``: what to compare where that is not what is printed, such as
    "0" for "undefined/0". ``erratum``: how the statement begins in docs/errata.md, where the
    figure differs.
    """

    text: str
    reads: str = ""
    erratum: str = ""


@dataclass(frozen=True, kw_only=True)
class ExampleCase:
    """An example as a publication has it: its values by field, and the digits that it prints by
    key of the figure. ``errata``: those that no single figure shows, by how they begin. ``remark``:
    what to look at, or what of the publication cannot be had."""

    slug: str
    title: str
    source: str
    values: Mapping[str, str]
    printed: Mapping[str, Printed] = field(default_factory=dict)
    errata: Sequence[str] = ()
    remark: str = ""


class ResultRow(NamedTuple):
    """A figure: ``key`` is how cases name it; ``how`` it comes about, in figures. ``short`` stands
    for a long value. ``extra``: shown only by the cases that print it."""

    key: str
    what: str
    value: float | str
    how: str = ""
    short: str = ""
    extra: bool = False


class ResultCell(NamedTuple):
    """A cell of a table; ``mark``: why it is marked, for those who cannot see that it is."""

    text: str
    mark: str = ""


@dataclass(frozen=True)
class ResultTable:
    """``rows``: the head of each row and its cells, as many as ``heads`` has after its first."""

    title: str
    heads: Sequence[str]
    rows: Sequence[tuple[str, Sequence[ResultCell]]]
    note: str = ""

    @property
    def numeric(self) -> list[bool]:
        """Of every column after the first whether it holds numbers and signs only."""
        columns = zip(*(cells for _, cells in self.rows), strict=True)
        found = [all(_FIGURES.fullmatch(cell.text) for cell in column) for column in columns]
        return found or [True] * (len(self.heads) - 1)

    @property
    def columns(self) -> list[tuple[str, bool]]:
        """The heads after the first, each with whether it is of numbers."""
        return list(zip(self.heads[1:], self.numeric, strict=True))

    @property
    def lines(self) -> list[tuple[str, list[tuple[ResultCell, bool]]]]:
        """The rows, each cell with whether it stands in a column of numbers."""
        numeric = self.numeric
        return [(head, list(zip(row, numeric, strict=True))) for head, row in self.rows]


@dataclass(frozen=True)
class ExampleResult:
    rows: Sequence[ResultRow]
    tables: Sequence[ResultTable] = ()
    notes: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True)
class WorkedExample:
    """``compute`` takes the values of ``fields`` by name and may raise ValueError, whose text the
    page shows. The first of ``cases`` is what the page begins with. ``guides``: pages of
    docs/guide; ``metrics``: slugs of scorers; ``pages``: names of pages of the site that show it
    step by step."""

    slug: str
    title: str
    topic: str
    about: str
    fields: Sequence[ExampleField]
    compute: Callable[[Values], ExampleResult]
    cases: Sequence[ExampleCase]
    guides: Sequence[str]
    metrics: Sequence[str] = ()
    pages: Sequence[str] = ()

    def case(self, slug: str) -> ExampleCase | None:
        return next((case for case in self.cases if case.slug == slug), None)


def as_printed(value: float | str, like: str) -> str:
    """Return a figure in the digits of ``like``, such as ".250", "52%" or "3/6"."""
    if isinstance(value, str):
        return value
    text = shown(value, digits_of(like), percent=like.endswith("%"))
    return text.removeprefix("0") if like.startswith(".") else text


def agrees(value: float | str, printed: Printed) -> bool:
    wanted = printed.reads or printed.text
    return as_printed(value, wanted) == wanted


def more_digits(value: float | str, like: str) -> str:
    """Return a figure with two digits more than ``like`` has, four at least; counts stay counts."""
    if isinstance(value, int | str):
        return str(value)
    percent = like.endswith("%")
    digits = max(digits_of(like) + 2, 2 if percent else 4)
    if 0 < abs(value) < 0.001:
        digits = max(digits, min(2 - floor(log10(abs(value))), _MOST_DIGITS))
    return shown(value, digits, percent=percent)


def digits_of(like: str) -> int:
    """Return digits after the point."""
    match = _NUMBER.fullmatch(like)
    return len(match[1]) if match and "." in like else 0


def shown(value: float, digits: int, *, percent: bool = False) -> str:
    if isnan(value):
        return "undefined"
    if isinf(value):
        return "∞" if value > 0 else "−∞"
    return f"{value:.{digits}{'%' if percent else 'f'}}".replace("-", "−")


def cells(*texts: object) -> list[ResultCell]:
    """Return plain cells."""
    return [text if isinstance(text, ResultCell) else ResultCell(str(text)) for text in texts]


def fraction(part: float, whole: float) -> str:
    return f"{part:g}/{whole:g}"
