"""What a report is made of, whatever it is written as."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date

from django.urls import NoReverseMatch, reverse

from judgments.results.exports import SaysWhichJudgments
from judgments.results.figure_addresses import addresses_of_figures
from judgments.results.selection.selection import Selection
from judgments.web.charts import Chart
from judgments.web.tables import Table


@dataclass(frozen=True)
class Statement:
    """Some text. ``is_open``: the site does not know it, and says what the author has to add."""

    text: str
    is_open: bool = False

    def __str__(self) -> str:
        return f"[To add: {self.text}]" if self.is_open else self.text


def to_add(text: str) -> Statement:
    return Statement(text, is_open=True)


@dataclass(frozen=True)
class Prose:
    """Sentences, written one after the other. style: "", "lead" (what is found) or "quiet"."""

    words: tuple[Statement, ...]
    style: str = ""

    @property
    def text(self) -> str:
        return " ".join(map(str, self.words))


@dataclass(frozen=True)
class Heading:
    text: str


@dataclass(frozen=True)
class Terms:
    """Names with what is known of them."""

    rows: tuple[tuple[str, Statement], ...]


@dataclass(frozen=True)
class Verbatim:
    """A text as people read it, in a language; it may run from right to left."""

    text: str
    language: str
    direction: str


@dataclass(frozen=True)
class FigurePlace:
    """Where a figure stands on the site. ``page`` and ``slug``: as its short link names it.
    ``web``: the name of the address of its page."""

    of: Selection
    page: str
    web: str
    section: str
    slug: str

    @property
    def link(self) -> str:
        """To the section on its page, as the selection has it; "" without a page."""
        try:
            page = reverse(self.web, args=[self.of.campaign.pk])
        except NoReverseMatch:
            return ""
        return f"{page}{self.of.query}#section-{self.section}"


@dataclass(frozen=True)
class Grid:
    """A table, and the line that says what its figures are of. ``address``: the short link under
    it, in files."""

    table: Table
    below: str
    place: FigurePlace | None = None
    address: str = ""

    @property
    def for_file(self) -> Table:
        """Without links, which lead nowhere outside of the site."""
        return dataclasses.replace(self.table, links={})

    @property
    def for_page(self) -> Table:
        """Without the note, which `below` has too."""
        return dataclasses.replace(self.table, note="")


@dataclass(frozen=True)
class Picture:
    """A chart of a selection. ``address``: the short link under it, in files."""

    chart: Chart
    title: str
    of: SaysWhichJudgments
    place: FigurePlace | None = None
    address: str = ""

    @property
    def caption(self) -> str:
        return f"{self.chart.caption} {self.of.sentence}."


Block = Prose | Heading | Terms | Verbatim | Grid | Picture


@dataclass(frozen=True)
class ReportPart:
    slug: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class CampaignReport:
    """``sentence``: which judgments it is of. ``dated``: the date in files that have to have one;
    that of their making where it is None."""

    title: str
    subtitle: str
    sentence: str
    parts: tuple[ReportPart, ...]
    dated: date | None = None

    @property
    def grids(self) -> Iterator[Grid]:
        for part in self.parts:
            yield from (block for block in part.blocks if isinstance(block, Grid))


def said(text: object, style: str = "") -> Prose:
    return Prose((Statement(str(text)),), style)


def addressed(report: CampaignReport) -> CampaignReport:
    """Return the report with the short link of every figure that stands on a page; one
    statement."""
    figures = [
        (block, block.place)
        for part in report.parts
        for block in part.blocks
        if isinstance(block, Grid | Picture) and block.place
    ]
    made = addresses_of_figures((place.of, place.page, place.slug) for _, place in figures)
    known = {id(block): address for (block, _), address in zip(figures, made, strict=True)}

    def with_address(block: Block) -> Block:
        if isinstance(block, Grid | Picture) and id(block) in known:
            return dataclasses.replace(block, address=known[id(block)])
        return block

    parts = [
        dataclasses.replace(part, blocks=tuple(map(with_address, part.blocks)))
        for part in report.parts
    ]
    return dataclasses.replace(report, parts=tuple(parts))


def narrowed(report: CampaignReport, columns: Collection[str]) -> CampaignReport:
    """Return the report without these columns of its tables; the first, which names the row,
    stays."""
    if not columns:
        return report
    parts = [
        dataclasses.replace(part, blocks=tuple(_narrow(block, columns) for block in part.blocks))
        for part in report.parts
    ]
    return dataclasses.replace(report, parts=tuple(parts))


def _narrow(block: Block, columns: Collection[str]) -> Block:
    if not isinstance(block, Grid):
        return block
    return dataclasses.replace(block, table=without_columns(block.table, columns))


def without_columns(table: Table, columns: Collection[str]) -> Table:
    kept = [i for i, key in enumerate(table.keys) if not i or key not in columns]
    return dataclasses.replace(
        table,
        columns=tuple(table.heads[i] for i in kept),
        rows=[tuple(row[i] for i in kept) for row in table.rows],
    )


def texts_of(table: Table) -> list[list[str]]:
    """Return the cells as pages show them."""
    return [[text for _column, text in row] for row in table.display()]
