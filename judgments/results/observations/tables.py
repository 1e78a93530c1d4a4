"""The tables of observations as columns, read from the database by ranges of judgments."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from django.db import connection

from judgments.models import Campaign, Side
from judgments.models.bulk import MOMENT, copy_columns
from judgments.models.moments import connection_to_read
from judgments.stats.coefficients import order_of

MOST_IDS = 25_000  # requested at once
SPARSE = 8  # a lookup table may be this many times as long as the looked-up array

SIDES = tuple(Side.values)
# For an error ``o``; no severity contains a line break.
ERROR_KIND = "hashtextextended(o.severity || chr(10) || o.category, 0)"

ITEMS = """SELECT i.id FROM judgments_item i
    JOIN judgments_task t ON t.id = i.task_id WHERE t.campaign_id = %s
    AND i.id BETWEEN %s AND %s"""
OWN = "SELECT id FROM judgments_judgment WHERE campaign_id = %s AND id BETWEEN %s AND %s"

Columns = dict[str, np.ndarray]
Fields = dict[str, tuple[str, str]]

JUDGMENTS: Fields = {
    "id": ("j.id", "i8"),
    "annotator": ("j.annotator_id", "i8"),
    "item": ("j.item_id", "i8"),
    "active_ms": ("coalesce(j.active_ms, -1)", "i4"),
    "supersedes": ("coalesce(j.supersedes_id, 0)", "i8"),
}
TIMES: Fields = {
    name: (f"coalesce(j.{name}_at, '-infinity')", MOMENT) for name in ("started", "submitted")
}


def read_judgments(
    campaign: Campaign, fields: Fields, after: int = 0, last: int | None = None
) -> Columns:
    """Return the judgments with ids above ``after`` and up to ``last``, by ascending ids."""
    source, params = "judgments_judgment j WHERE j.campaign_id = %s", [campaign.pk]
    if after:
        source, params = f"{source} AND j.id > %s", [*params, after]
    if last is not None:
        source, params = f"{source} AND j.id <= %s", [*params, last]
    return in_order(copy_columns(fields, source, params))


def read_ratings(campaign: Campaign, judgments: np.ndarray, slugs: Sequence[str]) -> Columns:
    """Return the ratings of judgments, (n,) ascending ids, and maybe of others, by ascending ids.
    ``dimension`` is a position in ``slugs``; -1: another one."""
    cases = "".join(f" WHEN %s THEN {code}" for code in range(len(slugs)))
    code = f"CASE o.dimension{cases} ELSE {len(slugs)} END" if slugs else "0"
    fields = {
        "id": ("o.id", "i8"),
        "judgment": ("o.judgment_id", "i8"),
        "output": ("o.output_id", "i8"),
        "value": ("o.value", "f8"),
        # Both in one: each column costs the database a twentieth of the time.
        "dimension and copy": (f"2 * ({code}) + o.is_copy::int", "i2"),
    }
    rows = _of_judgments(campaign, judgments, fields, "judgments_rating o", list(slugs))
    both = rows.pop("dimension and copy")
    dimension = (both >> 1).astype(np.int8)
    dimension[dimension == len(slugs)] = -1
    return rows | {"dimension": dimension, "copy": (both & 1).astype(np.int8)}


def read_preferences(campaign: Campaign, judgments: np.ndarray) -> Columns:
    """Return the preferences of judgments, (n,) ascending ids, and maybe of others, by ascending
    ids."""
    fields = {
        "id": ("o.id", "i8"),
        "judgment": ("o.judgment_id", "i8"),
        "a": ("o.output_a_id", "i8"),
        "b": ("o.output_b_id", "i8"),
        "label": ("o.value", "i2"),
    }
    return _of_judgments(campaign, judgments, fields, "judgments_preference o", [])


def read_errors(campaign: Campaign, judgments: np.ndarray) -> Columns:
    """Return the marked errors of judgments, (n,) ascending ids, and maybe of others, by ascending
    ids. ``side`` is a position in SIDES, and ``kind`` a number that represents severity and
    category."""
    fields = {
        "id": ("o.id", "i8"),
        "judgment": ("o.judgment_id", "i8"),
        "output": ("o.output_id", "i8"),
        "start": ("o.start", "i4"),
        "end": ("o.end", "i4"),
        "side": ("array_position(%s::text[], o.side::text) - 1", "i2"),
        "kind": (ERROR_KIND, "i8"),
    }
    return _of_judgments(campaign, judgments, fields, "judgments_errorspan o", [list(SIDES)])


def read_positions(campaign: Campaign, item: np.ndarray, output: np.ndarray) -> np.ndarray:
    """Return the place of the output on the screen of the item, (n,); 0 if it had none."""
    if not len(item):
        return np.zeros(0, np.int16)
    fields = {
        "item": ("s.item_id", "i8"),
        "output": ("s.output_id", "i8"),
        "position": ("s.position", "i2"),
    }
    shown = in_ranges(fields, "judgments_itemoutput s", [], "s.item_id", item, ITEMS, campaign)
    first = int(item.min())
    span = 1 + max(int(output.max()), int(shown["output"].max(initial=0)))
    known = (shown["item"] - first) * span + shown["output"]
    wanted = (item - first) * span + output
    if np.array_equal(known, wanted):  # each was judged once, and in the order of its screen
        return shown["position"]
    order = order_of(known)
    at = order[np.minimum(np.searchsorted(known, wanted, sorter=order), len(known) - 1)]
    return np.where(known[at] == wanted, shown["position"][at], 0).astype(np.int16)


def distinct(campaign: Campaign, what: str, source: str, judgments: np.ndarray) -> list[tuple]:
    """Return the different values of expressions in rows ``o`` of judgments (n,)."""
    if not len(judgments):
        return []
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT DISTINCT {what} FROM {source} WHERE o.judgment_id IN ({OWN})",
            [campaign.pk, int(judgments[0]), int(judgments[-1])],
        )
        return cursor.fetchall()


def n_judgments(campaign: Campaign, last: int) -> int:
    """Return how many judgments have ids up to ``last``."""
    with connection_to_read().cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM ({OWN}) found", [campaign.pk, 0, last])
        return cursor.fetchone()[0]


def in_ranges(
    fields: Fields,
    source: str,
    params: Sequence[object],
    column: str,
    ids: np.ndarray,
    own: str,
    campaign: Campaign,
) -> Columns:
    """Return rows with one of ``ids`` in ``column``, and maybe others; ``own`` is the query of the
    campaign's ids, with placeholders for the campaign, the first and the last.

    By ranges of ids, so that data in wire format never take much memory; or by the query, if most
    rows in between are not of this campaign.
    """
    first, last = (int(ids.min()), int(ids.max())) if len(ids) else (0, -1)
    if len(ids) * 2 < last - first:
        where = f"{source} WHERE {column} IN ({own})"
        return copy_columns(fields, where, [*params, campaign.pk, first, last])
    ends = [*range(first, last + 1, MOST_IDS), last + 1]
    where = f"{source} WHERE {column} >= %s AND {column} < %s"
    parts = [
        copy_columns(fields, where, [*params, *bounds]) for bounds in itertools.pairwise(ends)
    ] or [copy_columns(fields, f"{source} WHERE false", params)]
    return joined(parts)


def joined(parts: Sequence[Columns]) -> Columns:
    """Return the rows of several tables with the same columns, one after the other."""
    if len(parts) == 1:
        return parts[0]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def places(values: np.ndarray, names: np.ndarray) -> np.ndarray:
    """Return the position of each of ``values`` (n,) in ``names``, different ids in any order; -1:
    nowhere.

    Ids of one database table are close together, and a lookup table is then much faster than a
    search.
    """
    if not len(names) or not len(values):
        return np.full(len(values), -1, np.int32)
    low, high = int(names.min()), int(names.max())
    if high - low <= SPARSE * (len(values) + len(names)):
        table = np.full(high - low + 3, -1, np.int32)  # the ends are for values outside
        table[names - low + 1] = np.arange(len(names), dtype=np.int32)
        return table[np.clip(values, low - 1, high + 1) - (low - 1)]
    order = np.argsort(names)
    at = order[np.minimum(np.searchsorted(names, values, sorter=order), len(names) - 1)]
    return np.where(names[at] == values, at, -1).astype(np.int32)


def in_order(rows: Columns) -> Columns:
    """Return rows by ascending ids: sums in floating point, and so all digits, depend on the
    order."""
    ids = rows["id"]
    if (ids[1:] > ids[:-1]).all():
        return rows
    return chosen(rows, np.argsort(ids, kind="stable"))


def chosen(rows: Columns, which: np.ndarray) -> Columns:
    """Return the rows of a mask or of indices."""
    return {name: column[which] for name, column in rows.items()}


def _of_judgments(
    campaign: Campaign,
    judgments: np.ndarray,
    fields: Fields,
    source: str,
    params: Sequence[object],
) -> Columns:
    rows = in_ranges(fields, source, params, "o.judgment_id", judgments, OWN, campaign)
    return in_order(rows)
