"""A report as Markdown (with tables as in GitHub's), without its charts.

No text of the database is read as markup: what would be is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

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

# Marks, and what would make an address a link.
SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#~$&@]|:(?=//)|(?<=www)\.)")
# What begins a list, a heading or a rule where it begins a line.
FIRST = re.compile(r"^(\s*)([-+](?=[\s-]|$)|=|\d+[.)](?=\s|$))")
BREAKS = re.compile(r"[\r\n\u2028\u2029\x0b\x0c\x85]+")


def write(report: CampaignReport) -> bytes:
    lines = [f"# {escaped(report.title)}", escaped(report.subtitle), escaped(report.sentence)]
    for part in report.parts:
        lines.append(f"## {escaped(part.title)}")
        for block in part.blocks:
            lines += block_lines(block)
    return ("\n\n".join(lines) + "\n").encode()


def escaped(text: object) -> str:
    """Return one line of text in which nothing is markup."""
    line = SPECIAL.sub(r"\\\1", BREAKS.sub(" ", str(text)))
    return FIRST.sub(r"\1\\\2" if not line.lstrip()[:1].isdigit() else _number, line)


def _number(match: re.Match) -> str:
    return f"{match[1]}{match[2][:-1]}\\{match[2][-1]}"


def worded(words: Statement) -> str:
    return f"**{escaped(words)}**" if words.is_open else escaped(words)


def block_lines(block: Block) -> Iterator[str]:
    if isinstance(block, Heading):
        yield f"### {escaped(block.text)}"
    elif isinstance(block, Prose):
        yield " ".join(map(worded, block.words))
    elif isinstance(block, Terms):
        yield "\n".join(f"- **{escaped(name)}**: {worded(words)}" for name, words in block.rows)
    elif isinstance(block, Verbatim):
        yield "\n".join(f"> {escaped(line)}".rstrip() for line in block.text.splitlines())
    elif isinstance(block, Picture):
        yield f"*{escaped(block.title)}: in the report as HTML or PDF.*{link(block.address)}"
    elif isinstance(block, Grid):
        yield from grid_lines(shortened(block))


def grid_lines(grid: Grid) -> Iterator[str]:
    table = grid.table
    heads = [escaped(column.heading) for column in table.heads]
    rules = ["---" if column.kind == "text" else "---:" for column in table.heads]
    rows = [[escaped(text) for text in row] for row in texts_of(table)]
    yield f"**{escaped(table.title)}**"
    yield "\n".join(f"| {' | '.join(row)} |" for row in (heads, rules, *rows))
    yield escaped(grid.below) + link(grid.address)


def link(address: str) -> str:
    """Return the short link under a figure, with a space before it; "" without one."""
    if not address:
        return ""
    return f" <{address}>" if is_whole(address) else f" {escaped(address)}"
