"""A report as a PDF, set by Typst: one wheel with its own fonts, no browser and no system library.

All texts go to the template as data: none of them is read as markup. The file is PDF/A-2a, which
has to hold every character; those that no font on this machine has are replaced, and the first page
names them.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

from judgments.publishing.report.blocks import (
    Block,
    CampaignReport,
    Grid,
    Heading,
    Picture,
    Prose,
    Statement,
    Terms,
    Verbatim,
    texts_of,
)
from mteval_site import extras

from .cut import WIDEST, in_parts, is_whole, shortened, width_of
from .page import svg_of

TEMPLATE = Path(__file__).with_name("report.typ")
# Archived as it is read aloud: tagged, with the words of pictures and the order of reading.
STANDARD: Literal["a-2a"] = "a-2a"
MISSING = re.compile(r'the text `?"((?:[^"\\]|\\.)*)"`? could not be displayed')
ESCAPE = re.compile(r"\\u\{([0-9a-f]+)\}|\\(.)")
REPLACEMENT = "\ufffd"
TRIES = 4
# Holds where nothing is said, and poppler 22 complains of it. Spaces keep all offsets as they are.
NO_SUSPECTS = b"/Suspects false"
SIZE = 8.0  # of the letters of tables, in points
FITS = 85  # characters of a table in one line of that size, none broken
MOST_HIGH = 120.0  # millimeters of a picture
BROAD = 127.0  # millimeters, three quarters of a line
ZERO_WIDTH = "\u200b"  # where a line may break
LONGEST_PIECE = 14
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]")
SVG_SIZE = re.compile(r'<svg[^>]*? width="([0-9.]+)"[^>]*? height="([0-9.]+)"')
LANGUAGE = re.compile("[a-z]{2,3}")
MOST_NAMED = 12


class CannotSet(Exception):
    """The report cannot be set as a PDF."""


def write(report: CampaignReport) -> bytes:
    """Return the report as PDF. Raise CannotSet."""
    try:
        typst = extras.need("typst")  # only with the first PDF
    except extras.MissingPackage as problem:
        raise CannotSet(str(problem)) from None

    template: bytes = TEMPLATE.read_bytes()
    found, missing = described(report), set[str]()
    with tempfile.TemporaryDirectory() as empty:
        for _ in range(TRIES):
            known = without(found, missing) | {"notes": notes(missing)}
            try:
                made = typst.compile(
                    input=template,
                    root=empty,
                    sys_inputs={"report": json.dumps(known)},
                    pdf_standards=[STANDARD],
                )
                return made.replace(NO_SUSPECTS, b" " * len(NO_SUSPECTS))
            except typst.TypstError as error:
                more = missing_in(getattr(error, "diagnostic", None) or str(error))
                if not more - missing:
                    raise CannotSet(str(error)) from None
                missing |= more
    raise CannotSet("There are too many characters that no font of this machine has.")


def missing_in(message: str) -> set[str]:
    """Return the characters that no font has, from what Typst says."""

    def read(match: re.Match) -> str:
        return chr(int(match[1], 16)) if match[1] else match[2]

    return {char for text in MISSING.findall(message) for char in ESCAPE.sub(read, text)}


def without(value: Any, missing: set[str]) -> Any:
    if not missing:
        return value
    table = str.maketrans(dict.fromkeys(missing, REPLACEMENT))

    def replaced(value: Any) -> Any:
        if isinstance(value, str):
            return value.translate(table)
        if isinstance(value, dict):
            return {key: replaced(each) for key, each in value.items()}
        return [replaced(each) for each in value] if isinstance(value, list) else value

    return replaced(value)


def notes(missing: set[str]) -> list[str]:
    if not missing:
        return []
    named = ", ".join(f"U+{ord(char):04X}" for char in sorted(missing)[:MOST_NAMED])
    rest = f" and {len(missing) - MOST_NAMED} more" if len(missing) > MOST_NAMED else ""
    return [
        f"No font of this machine has {len(missing)} characters of this report ({named}{rest}): "
        f"{REPLACEMENT} stands for each. The report as HTML has them."
    ]


def described(report: CampaignReport) -> dict[str, Any]:
    """Return the report as JSON, for the template."""
    parts = [
        {"title": clean(part.title), "blocks": list(described_blocks(part.blocks))}
        for part in report.parts
    ]
    heads = {name: clean(getattr(report, name)) for name in ("title", "subtitle", "sentence")}
    dated = report.dated and [report.dated.year, report.dated.month, report.dated.day]
    return heads | {"parts": parts, "dated": dated}


def described_blocks(blocks: Sequence[Block]) -> Iterator[dict[str, Any]]:
    """Yield each block; a table that is too wide for its letters as several."""
    for block in blocks:
        if isinstance(block, Grid):
            for part in in_parts(shortened(block)):
                yield {"kind": "grid"} | grid_of(part)
        else:
            yield block_of(block)


def clean(text: object) -> str:
    return CONTROL.sub(REPLACEMENT, str(text))


def worded(words: Statement) -> dict[str, Any]:
    return {"text": clean(words), "open": words.is_open}


def block_of(block: Block) -> dict[str, Any]:
    kind = {"kind": type(block).__name__.lower()}
    if isinstance(block, Heading):
        return kind | {"text": clean(block.text)}
    if isinstance(block, Prose):
        return kind | {"style": block.style, "words": [worded(each) for each in block.words]}
    if isinstance(block, Terms):
        return kind | {"rows": [[clean(name), worded(words)] for name, words in block.rows]}
    if isinstance(block, Verbatim):
        lines = [clean(line) for line in block.text.splitlines()]
        language = block.language.split("-")[0].lower()
        language = language if LANGUAGE.fullmatch(language) else "und"
        return kind | {"lines": lines, "language": language, "direction": block.direction}
    if isinstance(block, Picture):
        return kind | picture_of(block)
    raise TypeError(f"A PDF cannot show {type(block).__name__}.")


def picture_of(block: Picture) -> dict[str, Any]:
    """width: in millimeters, so that no picture fills a page; floats: whether text may stand before
    it that comes after it, so that a high one leaves no gap."""
    svg = svg_of(block)
    size = SVG_SIZE.search(svg)
    shape = float(size[2]) / float(size[1]) if size and float(size[1]) else 0.6
    width = min(BROAD, MOST_HIGH / max(shape, 0.01))
    found = {"svg": svg, "alt": clean(block.title), "caption": clean(block.caption)}
    return found | {"width": width, "floats": width * shape > MOST_HIGH / 2} | address_of(block)


def grid_of(grid: Grid) -> dict[str, Any]:
    """widths: of the columns in characters, capped; full: whether they fill the line, because the
    table has no room as wide as it would like to be; size: of its letters, in points. The table is
    one that `in_parts` gave."""
    table = grid.table
    heads = [clean(column.heading) for column in table.heads]
    rows = [[clean(text) for text in row] for row in texts_of(table)]
    columns = list(zip(heads, *rows, strict=True))
    widths = [width_of(head, cells) for head, *cells in columns]
    return {
        "title": clean(table.title),
        "heads": [breakable(head) for head in heads],
        "texts": [column.kind == "text" for column in table.heads],
        "widths": widths,
        "full": sum(widths) > FITS or any(len(text) > WIDEST for text in flat(columns)),
        "size": SIZE,
        "rows": rows,
        "below": clean(grid.below),
        **address_of(grid),
    }


def address_of(block: Grid | Picture) -> dict[str, Any]:
    """Return the short link under a figure, and whether it leads anywhere outside of the site."""
    return {"address": clean(block.address), "is_link": is_whole(block.address)}


def breakable(head: str) -> str:
    """Return a head that may go over several lines: names of systems may be one long word."""
    pieces = re.split(r"(?<=[ ._/-])", head)
    return ZERO_WIDTH.join(
        piece[i : i + LONGEST_PIECE]
        for piece in pieces
        for i in range(0, len(piece), LONGEST_PIECE)
    )


def flat(columns: Sequence[Sequence[str]]) -> Iterator[str]:
    return (text for column in columns for text in column)
