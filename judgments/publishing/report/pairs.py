"""Pairs of systems: what is separated, and beside what is not the difference that would have been
seen."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any

from judgments.results.power import figures as power
from judgments.results.power.figures import ALPHA
from judgments.results.power.page import slugs_of
from judgments.web.sections import Lazy, Section
from judgments.web.tables import Column, Table

from .blocks import Grid
from .source import Found, Source


def pairs(source: Source) -> Found:
    """Yield what is separated, the smallest difference that would have been, and effect sizes."""
    yield from source.page("power")
    yield from _every_pair(source)


def _every_pair(source: Source) -> Found:
    """Yield all tests of the page Scores; beside what is not significant what would have been
    seen."""
    if "scores" not in source.pages:
        return
    known = detectable_of(source)
    for block in source.page("scores", is_pairs, charts=False, tables=is_pairs):
        yield with_detectable(block, known) if isinstance(block, Grid) else block


def is_pairs(named: Section | Lazy[Table]) -> bool:
    slug = named.slug
    return slug == "head-to-head" or (slug.startswith("pairs-") and slug.endswith("-raw"))


Detectable = dict[tuple[str, frozenset[str]], float]


def detectable_of(source: Source) -> Detectable:
    """Return (dimension, two systems) → the smallest detectable difference, from the page Power."""
    if "power" not in source.pages:
        return {}
    of = source.pages["power"].of
    return {
        (slug or "", frozenset((pair.first, pair.second))): pair.detectable
        for slug in slugs_of(of)
        for pair in power.power(of, slug).pairs
    }


def with_detectable(grid: Grid, known: Detectable) -> Grid:
    """Return the table of pairs with one more column, for pairs that are not significant."""
    table = grid.table
    dimension = table.slug.removeprefix("pairs-").removesuffix("-raw")
    dimension = "" if table.slug == "head-to-head" else dimension
    at = table.keys.index("p_adjusted")

    def shown(row: Sequence[Any]) -> float:
        pair = frozenset((str(row[0]), str(row[1])))
        return math.nan if row[at] < ALPHA else known.get((dimension, pair), math.nan)

    rows = [(*row, shown(row)) for row in table.rows]
    extended = dataclasses.replace(table, columns=(*table.heads, DETECTABLE), rows=rows)
    return dataclasses.replace(grid, table=extended, below=f"{grid.below} {OF_DETECTABLE}")


DETECTABLE = Column("detectable", "Smallest detectable", "number")
OF_DETECTABLE = (
    "Smallest detectable: the difference that these judgments show with power .8, for pairs that "
    "are not separated; a dash where the pair is."
)
