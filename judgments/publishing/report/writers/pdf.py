"""A report as a PDF, set by Typst: one wheel with its own fonts, no browser and no system library.

All texts go to the template as data: none of them is read as markup. The file is PDF/A-2b, which
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

from .cut import is_whole, shortened
from .page import svg_of

TEMPLATE = Path(__file__).with_name("report.typ")
STANDARD: Literal["a-2b"] = "a-2b"
MISSING = re.compile(r'the text `?"((?:[^"\\]|\\.)*)"`? could not be displayed')
ESCAPE = re.compile(r"\\u\{([0-9a-f]+)\}|\\(.)")
REPLACEMENT = "\ufffd"
TRIES = 4
# Of a table: characters that a line has room for, and the size of letters for that, in points.
SIZES = ((85, 8.0), (110, 7.0), (140, 6.0))
SMALLEST = 5.0
WIDEST = 32
PADDING = 2
ZERO_WIDTH = "\u200b"  # where a line may break
LONGEST_PIECE = 14
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]")
LANGUAGE = re.compile("[a-z]{2,3}")
MOST_NAMED = 12


class CannotSet(Exception):
    """The report cannot be set as a PDF."""


def write(report: CampaignReport) -> bytes:
    """Raises CannotSet."""
    import typst  # only with the first PDF

    template: bytes = TEMPLATE.read_bytes()
    found, missing = described(report), set[str]()
    with tempfile.TemporaryDirectory() as empty:
        for _ in range(TRIES):
            known = without(found, missing) | {"notes": notes(missing)}
            try:
                return typst.compile(  # type: ignore[type-var]  # its stubs take no bytes
                    input=template,
                    root=empty,
                    sys_inputs={"report": json.dumps(known)},
                    pdf_standards=[STANDARD],
                )
            except typst.TypstError as error:
                more = missing_in(getattr(error, "diagnostic", None) or str(error))
                if not more - missing:
                    raise CannotSet(str(error)) from None
                missing |= more
    raise CannotSet("There are too many characters that no font of this machine has.")


def missing_in(message: str) -> set[str]:
    """The characters that no font has, from what Typst says."""

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
    """The report as JSON, for the template."""
    parts = [
        {"title": clean(part.title), "blocks": [block_of(block) for block in part.blocks]}
        for part in report.parts
    ]
    heads = {name: clean(getattr(report, name)) for name in ("title", "subtitle", "sentence")}
    dated = report.dated and [report.dated.year, report.dated.month, report.dated.day]
    return heads | {"parts": parts, "dated": dated}


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
        found = {"svg": svg_of(block), "alt": clean(block.title), "caption": clean(block.caption)}
        return kind | found | address_of(block)
    return kind | grid_of(shortened(block))


def grid_of(grid: Grid) -> dict[str, Any]:
    """widths: of the columns in characters, capped; full: whether they fill the line, because the
    table has no room as wide as it would like to be; size: of its letters, in points."""
    table = grid.table
    heads = [clean(column.heading) for column in table.heads]
    rows = [[clean(text) for text in row] for row in texts_of(table)]
    columns = list(zip(heads, *rows, strict=True))
    widths = [width_of(column) for column in columns]
    wished = sum(widths)
    size = next((size for most, size in SIZES if wished <= most), SMALLEST)
    return {
        "title": clean(table.title),
        "heads": [breakable(head) for head in heads],
        "texts": [column.kind == "text" for column in table.heads],
        "widths": widths,
        "full": wished > SIZES[0][0] or any(len(text) > WIDEST for text in flat(columns)),
        "size": size,
        "rows": rows,
        "below": clean(grid.below),
        **address_of(grid),
    }


def address_of(block: Grid | Picture) -> dict[str, Any]:
    """The short link under a figure, and whether it leads anywhere outside of the site."""
    return {"address": clean(block.address), "is_link": is_whole(block.address)}


def breakable(head: str) -> str:
    """A head that may go over several lines: names of systems may be one long word."""
    pieces = re.split(r"(?<=[ ._/-])", head)
    return ZERO_WIDTH.join(
        piece[i : i + LONGEST_PIECE]
        for piece in pieces
        for i in range(0, len(piece), LONGEST_PIECE)
    )


def flat(columns: Sequence[Sequence[str]]) -> Iterator[str]:
    return (text for column in columns for text in column)


def width_of(column: Sequence[str]) -> int:
    """Room for the longest text, as far as that is not too long, and for the words of the head."""
    head, *cells = column
    longest = max((len(text) for text in cells), default=0)
    pieces = breakable(head or "-").replace(ZERO_WIDTH, " ").split()
    return PADDING + max(min(longest, WIDEST), *map(len, pieces))
