"""What files for people have in common: tables that are too long to be read are cut, and only
whole addresses are links."""

from __future__ import annotations

import dataclasses
import re

from judgments.publishing.report.blocks import Grid

MOST_ROWS = 80
WHOLE = re.compile(r"https?://[\w.:/?&=%#\[\]-]+", re.ASCII)


def is_whole(address: str) -> bool:
    """Whether an address leads somewhere outside of the site; one without a host does not."""
    return bool(WHOLE.fullmatch(address))


def shortened(grid: Grid) -> Grid:
    """The table with at most MOST_ROWS rows, and a word about the rest."""
    table = grid.table
    left = len(table.rows) - MOST_ROWS
    if left <= 0:
        return grid
    rest = (
        f"{left:,} more rows are in the workbook and in the CSV file {table.slug}.csv of Exports."
    )
    cut = dataclasses.replace(table, columns=tuple(table.heads), rows=table.rows[:MOST_ROWS])
    return dataclasses.replace(grid, table=cut, below=f"{rest} {grid.below}")
