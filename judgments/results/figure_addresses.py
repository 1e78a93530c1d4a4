"""The short link under a figure: it opens the page again, and says what has changed since.

The code is a hash of what the figure is, so the same figure always has the same link. The row that
says what a code means is made when the figure leaves (docs/decisions/0029).
"""

from __future__ import annotations

import base64
import hashlib
import json
import logging
from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.db import DatabaseError, transaction
from django.http import QueryDict
from django.urls import NoReverseMatch, reverse

from judgments.models import FigureAddress
from judgments.results.observations.observations import SEED
from judgments.results.selection.selection import Selection
from judgments.web import sections as web_sections

LENGTH = 10  # characters of a code, of 5 bits each
MOST_KNOWN = 20_000
# Pages of more than one campaign, which are no `ResultsPage`; a slug of theirs is a section's.
OF_SEVERAL = ("compare-campaigns",)
# Codes whose rows this process knows to be there.
_known: set[str] = set()
log = logging.getLogger(__name__)


def address_of_figure(
    selection: Selection, page: str = "", slug: str = "", query: str | None = None
) -> str:
    """Return the link that opens a figure: absolute where the site knows its own address.

    page: the slug of a page of results, "" where `slug` finds it or the whole campaign is meant.
    slug: of a section, chart or table. query: what opens the page with its settings, that of the
    selection unless said. A link that cannot be stored, since the database is only read, is the
    long one: to the page itself.
    """
    found = row_of(
        selection, page, slug, _without_mark(selection.query if query is None else query)
    )
    return _address(selection, found, are_stored([found]))


def addresses_of_figures(figures: Iterable[tuple[Selection, str, str]]) -> list[str]:
    """Return the same for many at once, (selection, page, slug): one statement stores all new
    ones."""
    rows = [
        (selection, row_of(selection, page, slug, _without_mark(selection.query)))
        for selection, page, slug in figures
    ]
    stored = are_stored([row for _, row in rows])
    return [_address(selection, row, stored) for selection, row in rows]


def _address(selection: Selection, row: FigureAddress, stored: bool) -> str:
    if stored:
        return site_of(selection) + reverse("figure", args=[row.code])
    return site_of(selection) + place_of(selection, row.page, row.slug, row.query)


def described(selection: Selection, page: str = "", slug: str = "") -> dict[str, Any]:
    """Return what files and programs say of the judgments that figures are of, with the link."""
    return selection.described | {"address": address_of_figure(selection, page, slug)}


def row_of(selection: Selection, page: str, slug: str, query: str) -> FigureAddress:
    said = {
        "page": page,
        "slug": slug,
        "query": query,
        "version": settings.VERSION,
        "seed": SEED,
        "fingerprint": selection.fingerprint,
    }
    digest = hashlib.sha256(json.dumps([selection.campaign.pk, *said.values()]).encode()).digest()
    code = base64.b32encode(digest).decode().lower()[:LENGTH]
    return FigureAddress(code=code, campaign=selection.campaign, **said)


def are_stored(rows: Iterable[FigureAddress]) -> bool:
    """Return whether the rows are there, after storing them if need be: one statement the first
    time that a process meets some of them, and then none."""
    new = {row.code: row for row in rows if row.code not in _known}
    if not new:
        return True
    try:
        with transaction.atomic():
            FigureAddress.objects.bulk_create(new.values(), ignore_conflicts=True)
    except DatabaseError as problem:
        log.warning("Addresses of figures cannot be stored: %s", problem)
        return False
    transaction.on_commit(lambda: _remember(new))
    return True


def _remember(codes: Iterable[str]) -> None:
    if len(_known) >= MOST_KNOWN:
        _known.clear()
    _known.update(codes)


def site_of(selection: Selection) -> str:
    """Where the site is: as it was asked for, or as its settings say; "" where neither tells."""
    return (selection.site or settings.SITE_ADDRESS).rstrip("/")


def selection_of(row: FigureAddress) -> Selection:
    """Return what is stored now of the judgments that the figure is of. Raise ValueError for a
    query that asks for something that is not there any more."""
    return Selection.asked(row.campaign, QueryDict(row.query))


def place_of(selection: Selection, page: str, slug: str, query: str) -> str:
    """Return the place on the site where a figure stands now; among the exports if no page shows
    it."""
    campaign = selection.campaign.pk
    asked = f"?{query}" if query else ""
    if page in OF_SEVERAL:
        mark = f"#section-{slug}" if slug else ""
        return f"{_page_at(page, campaign)}{asked}{mark}"
    for each, _, sections in web_sections.pages_of(selection) if page or slug else ():
        for section in sections if page in ("", each.slug) else ():
            names = {chart.slug for chart in section.charts}
            names |= {table.slug for table in section.files}
            if (slug and slug != section.slug and slug not in names) or not slug:
                continue
            if section.is_file_only or not section.exists():
                return f"{reverse('exports', args=[campaign])}{asked}#file-{slug}"
            return f"{_page_at(each.web, campaign)}{asked}#section-{section.slug}"
        if page == each.slug:
            return f"{_page_at(each.web, campaign)}{asked}"
    return reverse("exports", args=[campaign]) + asked


def _page_at(name: str, campaign: int) -> str:
    try:
        return reverse(name, args=[campaign])
    except NoReverseMatch:
        return reverse("exports", args=[campaign])


def _without_mark(query: str) -> str:
    return query.removeprefix("?")
