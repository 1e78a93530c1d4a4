"""The files of an archive, one after the other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from django.conf import settings
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils import timezone, translation

from judgments.protocols import protocol_of
from judgments.results import exports
from judgments.results.figure_addresses import address_of_figure
from judgments.results.observations import observations as observations_observations
from judgments.results.segments.one_segment import brought_table, mean_table
from judgments.results.selection.selection import Selection
from judgments.web.charts import Chart
from judgments.web.sections import FILE, OPEN, Lazy, Section, pages_of
from judgments.web.tables import Table

from . import segments
from .names import FileNames
from .stores import File, Store

# Of a table on a page; its CSV has all rows.
MOST_ROWS = 500
MOST_ROWS_OF_A_FILE = 100  # where the site's own page shows nothing of it
SEGMENTS_ON_A_PAGE = 500
BLOCK = 2**16
STYLES = (
    "vendor/pico/pico.min.css",
    "css/app.css",
    "css/differences.css",
    "css/segments.css",
)
LICENSES = ("vendor/pico/LICENSE.md",)
SCRIPTS = ("js/web/sortable.js", "js/web/folds.js", "js/web/steps.js")
TO_SEGMENT = re.compile(r"/segments/(\d+)/(?:\?[^#]*)?(#[\w-]+)?$")


@dataclass(frozen=True)
class ArchivedPage:
    """A page of results with its place in the archive."""

    slug: str
    title: str
    selection: Selection
    sections: list[Section]

    @property
    def path(self) -> str:
        return f"pages/{self.slug}.html"

    def has_anything(self) -> bool:
        """Return whether there is more on it than files without a row."""
        return any(
            each.exists() and (not each.is_file_only or any(t.make().rows for t in each.files))
            for each in self.sections
        )

    def lead(self) -> str:
        """Return the first thing that it finds."""
        said = (each.sentence() for each in self.sections if each.exists())
        return next(filter(None, said), "")


class Archive:
    """What all its files share: the selection, the names of files, the list of pages."""

    def __init__(self, selection: Selection) -> None:
        self.selection = selection
        self.made = timezone.now()
        self.names = FileNames()
        page_names = FileNames()
        with translation.override("en"):
            every = [
                ArchivedPage(page_names.of(page.slug), str(page.name), of, list(sections))
                for page, of, sections in pages_of(selection)
            ]
            self.pages = [page for page in every if page.has_anything()]
        self.judged = segments.segments_of(selection)
        names = FileNames()
        self.segment_names = {pk: names.of(key, "segment-") for pk, key, _ in self.judged}

    def files(self) -> Iterator[File]:
        """Yield (path, pieces) of every file; each is made when it is asked for."""
        with translation.override("en"):
            yield "index.html", self.html("archive/index.html", "", **self.overview())
            for page in self.pages:
                yield from self.files_of(page)
            yield from self.lists_of_segments()
            yield from self.files_of_segments()
            yield "data/observations.tsv", self.observations()
            yield from static_files()

    def html(self, template: str, root: str, **context: Any) -> list[bytes]:
        """Return a page. ``root`` leads from its folder to that of the archive."""
        campaign = self.selection.campaign
        known = {"campaign": campaign, "selection": self.selection, "root": root}
        known |= {"made": self.made, "version": settings.VERSION, "pages": self.pages}
        known |= {"has_segments": bool(self.judged)}
        return [render_to_string(template, known | context).encode()]

    def overview(self) -> dict[str, Any]:
        campaign = self.selection.campaign
        protocol = protocol_of(campaign)
        counts = exports.counts(self.selection, observations_observations.load(self.selection))
        return {
            "here": "index",
            "counts": [(key.replace("_", " "), n) for key, n in counts.items()],
            "preset": protocol.preset,
            "systems": list(campaign.test_set.systems.order_by("name")),
            "references": campaign.test_set.reference_names,
            "n_segments": campaign.test_set.segments.count(),
            "instructions": sorted(campaign.instructions.items()),
        }

    def files_of(self, page: ArchivedPage) -> Iterator[File]:
        """Yield the tables and charts of a page of results, then the page; a table is made once for
        its file and once for the page, so that only one is in memory."""
        shown: list[dict[str, Any]] = []
        for section in page.sections:
            if not section.exists():
                continue
            found: dict[str, Any] = {"section": section, "charts": [], "tables": [], "files": []}
            for drawing in section.charts:
                if drawing.place != FILE and (chart := drawing.make()):
                    found["charts"].append(drawn := self.chart(drawing, chart))
                    titled = replace(chart, title=drawing.title)
                    address = address_of_figure(page.selection, slug=drawing.slug)
                    picture = exports.chart_file(titled, "svg", page.selection, address)
                    yield f"charts/{drawn['name']}.svg", [picture]
            for lazy in section.files:
                table = lazy.make()
                name = self.names.of(lazy.slug)
                address = address_of_figure(page.selection, slug=lazy.slug)
                text = exports.table_file(table, page.selection.sentence, address)
                yield f"tables/{name}.csv", blocks(text)
                is_shown = lazy.place != FILE or section.is_file_only
                part = self.table(lazy, table, name) if is_shown else named(lazy, table, name)
                found["tables" if is_shown else "files"].append(part)
            shown.append(found)
        context = {"here": page.slug, "page": page, "sections": shown, "of": page.selection}
        yield page.path, self.html("archive/page.html", "../", **context)

    def chart(self, lazy: Lazy[Chart | None], chart: Chart) -> dict[str, Any]:
        name = self.names.of(f"chart-{lazy.slug}")
        about = chart.spec.get("description") or lazy.title
        return {"name": name, "title": lazy.title, "caption": chart.caption, "about": about}

    def table(self, lazy: Lazy[Table], table: Table, name: str) -> dict[str, Any]:
        """Return what a page shows of a table: the first rows, with the links that lead to
        segments."""
        links = {cell: to for cell, address in table.links.items() if (to := self.link(address))}
        part = replace(
            table,
            title=lazy.title,
            rows=table.rows[: MOST_ROWS if lazy.place != FILE else MOST_ROWS_OF_A_FILE],
            links=links,
        )
        part = replace(part, is_whole=len(part.rows) == len(table.rows))
        return named(lazy, table, name) | {"table": part, "is_folded": lazy.place != OPEN}

    def link(self, address: str) -> str:
        """Return an address of the site's as one of the archive's pages; empty where it has
        none."""
        match = TO_SEGMENT.search(address)
        name = self.segment_names.get(int(match[1])) if match else None
        return f"../segments/{name}.html{match[2] or ''}" if match and name else ""

    def lists_of_segments(self) -> Iterator[File]:
        rows = [(self.segment_names[pk], key, document) for pk, key, document in self.judged]
        parts = [
            rows[at : at + SEGMENTS_ON_A_PAGE] for at in range(0, len(rows), SEGMENTS_ON_A_PAGE)
        ]
        numbers = [(n, list_path(n)) for n in range(1, len(parts) + 1)]
        for n, part in enumerate(parts, 1):
            context = {"here": "segments", "rows": part, "numbers": numbers, "number": n}
            context |= {"n_segments": len(rows)}
            yield f"segments/{list_path(n)}", self.html("archive/segments.html", "../", **context)

    def files_of_segments(self) -> Iterator[File]:
        ids = [pk for pk, _, _ in self.judged]
        names = [self.segment_names[pk] for pk in ids]
        for place, detail in enumerate(segments.details_of(self.selection, ids)):
            elsewhere = self.segment_names.get(detail.elsewhere.pk) if detail.elsewhere else ""
            context = {
                "here": "segment",
                "segment": detail.segment,
                "detail": detail,
                "means": mean_table(detail, None),
                "brought": brought_table(detail),
                "elsewhere": elsewhere,
                "before": names[place - 1] if place else "",
                "after": names[place + 1] if place + 1 < len(names) else "",
                "list": list_path(place // SEGMENTS_ON_A_PAGE + 1),
                "place": place + 1,
                "n_segments": len(names),
            }
            path = f"segments/{names[place]}.html"
            yield path, self.html("archive/segment.html", "../", **context)

    def observations(self) -> Iterator[bytes]:
        lines = exports.with_line(exports.tsv_lines(self.selection), self.selection)
        return (line.encode() for line in lines)


def named(lazy: Lazy[Table], table: Table, name: str) -> dict[str, Any]:
    return {"name": name, "title": lazy.title, "n": len(table.rows)}


def list_path(number: int) -> str:
    return "index.html" if number == 1 else f"index-{number}.html"


def blocks(text: str) -> Iterator[bytes]:
    """Yield a long text as pieces: it is never whole in two encodings at once."""
    for at in range(0, len(text), BLOCK):
        yield text[at : at + BLOCK].encode()


def static_files() -> Iterator[File]:
    """Yield what pages look like, each file with its license."""
    for name in (*STYLES, *LICENSES, *SCRIPTS):
        place = finders.find(name)
        assert isinstance(place, str), name
        with open(place, "rb") as file:
            yield f"static/{name.rpartition('/')[2]}", [file.read()]
    license_of_site = settings.BASE_DIR / "LICENSE"
    yield "static/LICENSE", [license_of_site.read_bytes()]


def write(selection: Selection, store: Store) -> int:
    """Write the archive; returns how many files it has."""
    n = 0
    files: Iterable[File] = Archive(selection).files()
    for path, pieces in files:
        store.write(path, pieces)
        n += 1
    return n
