"""A page of results is a list of sections; what a section holds is made when it is asked for.

The web page, the CSV files, the campaign's JSON and the page of exports read the same list, so that
a figure is computed in one place only. Listing is cheap: it makes no chart and no table.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
from django.http import HttpRequest
from django.utils.functional import Promise

from judgments.models import Campaign
from judgments.web.charts import Chart
from judgments.web.extension_points import registered
from judgments.web.tables import Table

# Which judgments a page is of: a `Selection` of judgments.results, which is above this room.
Selection = Any

Made = TypeVar("Made")

# Where a chart or a table of a section stands: in the open; aside (a chart in a column of its own
# with its numbers, a table behind its title); or only among the files.
OPEN, ASIDE, FILE = "open", "aside", "file"


@dataclass(frozen=True)
class Lazy(Generic[Made]):
    """A chart or a table that is made when it is asked for. ``slug`` names its file."""

    slug: str
    title: str
    make: Callable[[], Made]
    place: str = OPEN


def _no_sentence() -> str:
    return ""


def _no_notes() -> Sequence[str]:
    return ()


def _yes() -> bool:
    return True


def _no_meanings() -> Sequence[tuple[str, str]]:
    return ()


@dataclass(frozen=True)
class Section:
    """What is found, in a sentence; how far to trust it, in notes; charts, tables, and small print.

    A chart is None where there is nothing to draw. ``remark`` stands below the tables. ``meanings``
    explains names. ``exists``: whether there is anything to show. ``level``: 3 for a section that
    belongs to the one before it. ``folded``: the web page shows the title and the sentence, and the
    rest when somebody opens it.
    """

    slug: str
    title: str
    sentence: Callable[[], str] = _no_sentence
    notes: Callable[[], Sequence[str]] = _no_notes
    charts: Sequence[Lazy[Chart | None]] = ()
    tables: Sequence[Lazy[Table]] = ()
    remark: Callable[[], str] = _no_sentence
    meanings: Callable[[], Sequence[tuple[str, str]]] = _no_meanings
    exists: Callable[[], bool] = _yes
    level: int = 2
    folded: bool = False

    @property
    def is_file_only(self) -> bool:
        """Whether a page shows nothing of it."""
        places = [chart.place for chart in self.charts] + [table.place for table in self.tables]
        return bool(places) and all(place == FILE for place in places)

    @property
    def below(self) -> str:
        """The heading of a chart in it."""
        return f"h{self.level + 1}"

    @property
    def files(self) -> list[Lazy[Table]]:
        """The tables, and the numbers of charts that stand with them."""
        drawn = [chart for chart in self.charts if chart.place == ASIDE]
        return [*self.tables, *(Lazy(c.slug, c.title, _numbers(c), FILE) for c in drawn)]


def _numbers(chart: Lazy[Chart | None]) -> Callable[[], Table]:
    def make() -> Table:
        made = chart.make()
        return made.table if made else Table(chart.slug, chart.title, ("value",), [])

    return make


def _itself(selection: Selection) -> Selection:
    return selection


def _always(campaign: Campaign) -> bool:
    return True


@dataclass(frozen=True)
class EmptyState:
    """What a page says while there is nothing to show, and where it leads: the name of an address
    of the campaign. ``narrowed``: the title where a filter leaves nothing. ``is_of_filter``:
    whether a filter can be the reason."""

    title: str | Promise
    text: str | Promise
    address: str
    action: str | Promise
    narrowed: str | Promise = ""
    is_of_filter: bool = True


def _never(selection: Selection) -> EmptyState | None:
    return None


def _no_links(selection: Selection) -> Sequence[tuple[str, str | Promise]]:
    return ()


def _no_context(request: HttpRequest, selection: Selection) -> dict[str, Any]:
    return {}


@dataclass(frozen=True)
class ResultsPage:
    """``slug`` is its key in the campaign's JSON, where ``data`` gives what stands under it.

    ``sections``: all there are, cheaply. ``asked``: whether a campaign has the page. ``of``: the
    selection that its figures are of, where that is not simply the one asked for. ``shown_at``:
    the name of its web address, where that is not its slug.

    Of the web page (judgments.results.page_views): ``empty``: what it says while there is nothing
    to show. ``always_answers``: also in a campaign that has not asked for it. ``tab``: the tab that
    it belongs to, where that is not its own. ``links``: names and words of addresses of the
    campaign that stand at its end; ``linked_from``: at the end of which page its own stands. A page
    with settings of its own lists their ``parameters`` and gives its ``template``, which extends
    that of all pages, more ``context``.
    """

    slug: str
    name: str | Promise
    sections: Callable[[Selection], Sequence[Section]]
    data: Callable[[Selection], dict[str, Any]]
    asked: Callable[[Campaign], bool] = _always
    of: Callable[[Selection], Selection] = _itself
    shown_at: str = ""
    empty: Callable[[Selection], EmptyState | None] = _never
    always_answers: bool = False
    tab: str = ""
    links: Callable[[Selection], Sequence[tuple[str, str | Promise]]] = _no_links
    linked_from: str = ""
    parameters: tuple[str, ...] = ()
    template: str = "judgments/results/page.html"
    context: Callable[[HttpRequest, Selection], dict[str, Any]] = _no_context

    @property
    def web(self) -> str:
        return self.shown_at or self.slug


def all_pages() -> list[ResultsPage]:
    """Return the pages that the apps name in their configurations, in the order of exports."""
    return registered("results_pages")


def pages_of(selection: Selection) -> Iterator[tuple[ResultsPage, Selection, Sequence[Section]]]:
    """Yield the pages of a campaign, each with the selection that its sections are of."""
    for page in all_pages():
        if page.asked(selection.campaign):
            of = page.of(selection)
            yield page, of, page.sections(of)


def charts_of(selection: Selection) -> Iterator[tuple[Lazy[Chart | None], Selection]]:
    """Yield every chart that has a name, with the selection that it is of; none is drawn."""
    for _, of, sections in pages_of(selection):
        yield from ((chart, of) for section in sections for chart in section.charts)


def tables_of(selection: Selection) -> Iterator[tuple[Lazy[Table], Selection]]:
    """Yield every table that has a name, with the selection that it is of; none is made."""
    for _, of, sections in pages_of(selection):
        yield from ((table, of) for section in sections for table in section.files)


def data_of(selection: Selection) -> dict[str, dict[str, Any]]:
    """Return what the campaign's JSON says of each page; nothing of a page that it has not."""
    return {
        page.slug: page.data(page.of(selection)) if page.asked(selection.campaign) else {}
        for page in all_pages()
    }


def table_objects(table: Table) -> list[dict[str, Any]]:
    """Return the rows of a table as objects that JSON knows."""
    keys = table.keys
    return [dict(zip(keys, plain(row), strict=True)) for row in table.rows]


def plain(value: Any) -> Any:
    """Return results as JSON knows them: dataclasses are objects, arrays lists, NaN null."""
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
