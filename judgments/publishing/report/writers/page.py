"""A report as one HTML file: no script, nothing is fetched, and it prints well."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe

from judgments.publishing.report.blocks import Block, CampaignReport, Grid, Picture
from judgments.results import exports

from .cut import is_whole, shortened

STYLE = Path("static", "css", "report-file.css")
ID = re.compile(r'\b(id=")([^"]+)|(url\(#)([^)]+)|(href="#)([^"]+)')


def write(report: CampaignReport) -> bytes:
    context = {"report": report, "style": style(), "parts": parts(report)}
    return render_to_string("judgments/publishing/report_file.html", context).encode()


@cache
def style() -> str:
    return mark_safe((settings.BASE_DIR / STYLE).read_text())  # noqa: S308  our own file


def parts(report: CampaignReport, is_file: bool = True) -> list[dict[str, Any]]:
    """Return the blocks of all parts as templates take them; charts are drawn only for files."""
    n = 0
    found = []
    for part in report.parts:
        blocks = []
        for block in part.blocks:
            n += isinstance(block, Picture)
            blocks.append(described(block, n, is_file))
        found.append({"slug": part.slug, "title": part.title, "blocks": blocks})
    return found


def described(block: Block, n: int, is_file: bool) -> dict[str, Any]:
    """Return a block for templates: its kind by name, and a picture drawn. n: which picture it
    is."""
    kind = type(block).__name__.lower()
    if isinstance(block, Grid):
        return {"kind": kind, "block": shortened(block), "is_link": is_whole(block.address)}
    if isinstance(block, Picture) and is_file:
        svg = mark_safe(inline(svg_of(block), n))  # noqa: S308
        return {"kind": kind, "block": block, "svg": svg, "is_link": is_whole(block.address)}
    return {"kind": kind, "block": block}


def svg_of(picture: Picture) -> str:
    """As the site draws it for a file; names in it are escaped by the program that draws."""
    return exports.chart_file(picture.chart, "svg", picture.of).decode()


def inline(svg: str, n: int) -> str:
    """Return an SVG to stand among others in one page: its names are its own, and it has no
    prolog."""

    def own(match: re.Match) -> str:
        before, name = (part for part in match.groups() if part is not None)
        return f"{before}p{n}-{name}"

    return ID.sub(own, svg[svg.index("<svg") :])
