"""The guides of docs/guide as pages of a site on which the documentation has not been built."""

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
# To what the site does not show, as pages of decisions; and within the page, whose headings have no
# names.
ELSEWHERE = re.compile(r"\[([^\]]*)\]\((?:(?!https?:|/)[^)]*)\)")


class GuidePage(NamedTuple):
    """place: as in the documentation that has been built. html: safe, without the title."""

    place: str
    title: str
    html: str


@cache
def files() -> dict[str, Path]:
    """Return the file of each page by the page's place."""
    guides = {f"guide/{path.stem}.html": path for path in FOLDER.glob("*.md")}
    return guides | {"api.html": FOLDER.parent / "api.md"}


@cache
def titles() -> list[tuple[str, str]]:
    """Return (place, title) of all pages, in the order of their titles."""
    found = [(place, title_of(path.read_text())) for place, path in files().items()]
    return sorted(found, key=lambda each: each[1].casefold())


def title_of(text: str) -> str:
    return text.splitlines()[0].lstrip("# ").replace("`", "")


@cache
def read(place: str) -> GuidePage | None:
    """Return none where there is no such page."""
    if place not in files():
        return None
    text = files()[place].read_text()
    body = text.partition("\n")[2]
    body = PICTURE.sub("", body)
    body = TO_GUIDE.sub(to_page, body)
    body = ELSEWHERE.sub(r"\1", body)
    # Section by section, because what `as_html` shows has a limit.
    sections = re.split(r"\n(?=###? )", body)
    return GuidePage(place, title_of(text), "\n".join(map(section_html, sections)))


def to_page(link: re.Match) -> str:
    """Return a link to another page of the guide; the words alone are left of one to a file
    elsewhere."""
    name = link[1].rpartition("/")[2]
    for place in (f"guide/{name}.html", f"{name}.html"):
        if place in files():
            return f"]({reverse('docs-page', args=[place])})"
    return link[0]


def section_html(text: str) -> str:
    html = as_html(text)
    heading = re.search(r"<h[23]>(.*?)</h[23]>", html)
    label = escape(unescape(re.sub(r"<[^>]*>", "", heading[1]))) if heading else "Table"
    # Wide tables scroll by themselves, by keyboard too, each under a name of its own.
    numbers = count(1)

    def boxed(table: re.Match) -> str:
        n = next(numbers)
        name = label if n == 1 else f"{label}, {n}"
        return (
            f'<div class="scroll" tabindex="0" role="region" aria-label="{name}">{table[0]}</div>'
        )

    return TABLE.sub(boxed, html)
