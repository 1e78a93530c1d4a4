"""The parts of a campaign's report: each brings tables, charts and data to pages and exports."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from judgments.brought import brought
from judgments.charts import Chart
from judgments.results.selection import Selection
from judgments.tables import Table


@dataclass(frozen=True)
class TableLink:
    """A table that is made when it is asked for; ``slug`` names its file."""

    slug: str
    title: str
    make: Callable[[], Table]


class ChartLink:
    """A chart that is made when its picture or its numbers are asked for; name and title are known
    before. Otherwise it is what a `Chart` is."""

    def __init__(self, name: str, title: str, make: Callable[[], Chart | None]) -> None:
        self.name = name
        self.title = title
        self._make = make

    @functools.cached_property
    def chart(self) -> Chart | None:
        """The chart itself; None where there is nothing to draw."""
        return self._make()


@dataclass(frozen=True)
class Section:
    """A part of a page of results. Its sentence, chart, table and notes are made when they are
    asked for, so that a file of one of them costs nothing of the others.

    ``folded``: pages show it closed. ``is_long``: whether its table is for files only.
    """

    slug: str
    title: str
    sentence: Callable[[], str]
    chart: Callable[[], Chart | None] = lambda: None
    table: Callable[[], Table | None] = lambda: None
    notes: Callable[[], list[str]] = list
    folded: bool = False
    is_long: Callable[[], bool] = lambda: False


@dataclass(frozen=True)
class Part:
    """``slug`` is the part's key in the JSON export. ``data`` gives what stands under it."""

    slug: str
    name: str
    tables: Callable[[Selection], list[TableLink]]
    charts: Callable[[Selection], list[Chart] | list[ChartLink]]
    data: Callable[[Selection], dict[str, Any]]


_own: list[Part] = []


def register(part: Part) -> None:
    """Add a part to all reports. An app above this one names its parts in its AppConfig."""
    _own.append(part)


def parts() -> list[Part]:
    """Our own, then those of the apps above."""
    return [*_own, *brought("report_parts")]


def all_tables(selection: Selection) -> list[TableLink]:
    return [link for part in parts() for link in part.tables(selection)]


def all_charts(selection: Selection) -> Iterator[Chart | ChartLink]:
    """Every chart, made when it is reached, or when it is asked for its picture."""
    for part in parts():
        yield from part.charts(selection)


def chart_named(selection: Selection, name: str) -> Chart | None:
    """The chart of that name; None if there is none."""
    found = next((each for each in all_charts(selection) if each.name == name), None)
    return found.chart if isinstance(found, ChartLink) else found


def plain(value: Any) -> Any:
    """Results as JSON knows them: dataclasses are objects, arrays lists, NaN null."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = dataclasses.fields(value)
        return {field.name: plain(getattr(value, field.name)) for field in fields}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
