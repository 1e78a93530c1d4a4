"""The guides of docs/guide as pages, for a site on which the documentation has not been built."""

import re
from functools import cache
from html import escape, unescape
from itertools import count
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.urls import reverse

from judgments.files.markdown import as_html

FOLDER = Path(settings.BASE_DIR) / "docs" / "guide"
PICTURE = re.compile(r"!\[[^\]]*\]\([^)]*\)\n?")
TO_GUIDE = re.compile(r"\]\(((?:guide/|\.\./)?[\w-]+)\.md(?:#[\w-]*)?\)")
TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
# Links to files that the site does not show, such as pages of decisions, and within the page, whose
# headings have no names.
ELSEWHERE = re.compile(r"\[([^\]]*)\]\((?:(?!https?:|/)[^)]*)\)")


class GuidePage(NamedTuple):
    """place: as in the built documentation. html: safe, without the title."""

    place: str
    title: str
    html: str


@cache
def files() -> dict[str, Path]:
    """Return the file of each page by its place."""
    guides = {f"guide/{path.stem}.html": path for path in FOLDER.glob("*.md")}
    return guides | {"api.html": FOLDER.parent / "api.md"}


@cache
def titles() -> list[tuple[str, str]]:
    """Return (place, title) of all pages, sorted by title."""
    found = [(place, title_of(path.read_text())) for place, path in files().items()]
    return sorted(found, key=lambda each: each[1].casefold())


def title_of(text: str) -> str:
    return text.splitlines()[0].lstrip("# ").replace("`", "")


@cache
def read(place: str) -> GuidePage | None:
    """Return a page; None if it does not exist."""
    if place not in files():
        return None
    text = files()[place].read_text()
    body = text.partition("\n")[2]
    body = PICTURE.sub("", body)
    body = TO_GUIDE.sub(to_page, body)
    body = ELSEWHERE.sub(r"\1", body)
    # Section by section, since `as_html` has a limit.
    sections = re.split(r"\n(?=###? )", body)
    return GuidePage(place, title_of(text), "\n".join(map(section_html, sections)))


def to_page(link: re.Match) -> str:
    """Return a link to another page of the guide; of a link to any other file only the text
    remains."""
    name = link[1].rpartition("/")[2]
    for place in (f"guide/{name}.html", f"{name}.html"):
        if place in files():
            return f"]({reverse('docs-page', args=[place])})"
    return link[0]


def section_html(text: str) -> str:
    html = as_html(text)
    heading = re.search(r"<h[23]>(.*?)</h[23]>", html)
    label = escape(unescape(re.sub(r"<[^>]*>", "", heading[1]))) if heading else "Table"
    # Wide tables scroll separately, by keyboard too, each with its own name.
    numbers = count(1)

    def boxed(table: re.Match) -> str:
        n = next(numbers)
        name = label if n == 1 else f"{label}, {n}"
        return (
            f'<div class="scroll" tabindex="0" role="region" aria-label="{name}">{table[0]}</div>'
        )

    return TABLE.sub(boxed, html)
