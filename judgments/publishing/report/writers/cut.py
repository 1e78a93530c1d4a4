"""What files for people have in common: tables that are too long to be read are cut, those that are
too wide for a page of paper stand in parts, and only whole addresses are links."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

from judgments.publishing.report.blocks import Grid, texts_of

MOST_ROWS = 80
# Characters that a line of a table has room for in letters of 8 points, with heads and long cells
# over several lines; of a column the most that count, and the room between two.
WIDTH = 96
WIDEST = 32
PADDING = 2
WHOLE = re.compile(r"https?://[\w.:/?&=%#\[\]-]+", re.ASCII)


def is_whole(address: str) -> bool:
    """Return whether an address leads somewhere outside of the site; one without a host does
    not."""
    return bool(WHOLE.fullmatch(address))


def shortened(grid: Grid) -> Grid:
    """Return the table with at most MOST_ROWS rows, and a word about the rest."""
    table = grid.table
    left = len(table.rows) - MOST_ROWS
    if left <= 0:
        return grid
    rest = (
        f"{left:,} more rows are in the workbook and in the CSV file {table.slug}.csv of Exports."
    )
    cut = dataclasses.replace(table, columns=tuple(table.heads), rows=table.rows[:MOST_ROWS])
    return dataclasses.replace(grid, table=cut, below=f"{rest} {grid.below}")


def in_parts(grid: Grid, width: int = WIDTH) -> list[Grid]:
    """Return the table in parts that fit on a page of paper without smaller letters: each has the
    first column and some of the others. What stands below stands below the last."""
    table = grid.table
    heads = list(table.heads)
    columns = list(zip(*texts_of(table), strict=True)) or [()] * len(heads)
    widths = [width_of(head.heading, cells) for head, cells in zip(heads, columns, strict=True)]
    parts: list[list[int]] = [[]]
    used = widths[0] if widths else 0
    for place, own in enumerate(widths[1:], 1):
        if parts[-1] and used + own > width:
            parts.append([])
            used = widths[0]
        parts[-1].append(place)
        used += own
    if len(parts) == 1:
        return [grid]
    found = []
    for n, places in enumerate(parts, 1):
        kept = [0, *places]
        title = table.title if n == 1 else f"{table.title}, continued"
        slug = table.slug if n == 1 else f"{table.slug}-{n}"
        part = dataclasses.replace(
            table,
            slug=slug,
            title=title,
            columns=tuple(heads[place] for place in kept),
            rows=[[row[place] for place in kept] for row in table.rows],
            links={},
        )
        is_last = n == len(parts)
        below, address = (grid.below, grid.address) if is_last else ("", "")
        found.append(dataclasses.replace(grid, table=part, below=below, address=address))
    return found


def width_of(head: str, cells: Sequence[str]) -> int:
    """Return characters of a column: its longest cell, as far as that is not too long, and the
    longest word of its head, which may go over several lines."""
    longest = max((len(text) for text in cells), default=0)
    words = re.split(r"[ ._/-]+", head)
    return PADDING + max(min(longest, WIDEST), *(min(len(word), WIDEST) for word in words))
