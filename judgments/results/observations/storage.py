"""The stored rows of a campaign, read table by table and joined here.

A join of a million rows takes PostgreSQL several times as long as sending them. Every table leaves
it once instead, with only the columns that are wanted; what belongs to a judgment or to an output
is looked up by its place.

The judgments are read first, each with the one that it supersedes. What is read after them may
belong to younger judgments, and is dropped: all rows are of one moment without a transaction.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from judgments.models import Campaign, Kind, Side
from judgments.models.bulk import MOMENT, copy_columns, seconds_of
from judgments.protocols import protocol_of
from judgments.protocols.base import Dimension
from judgments.results.observations.rows import Looked, Rows
from judgments.stats.coefficients import codes_of, order_of

KINDS = tuple(Kind.values)
REGULAR = KINDS.index(Kind.REGULAR.value)
MOST_IDS = 25_000  # that are asked for at once
SPARSE = 8  # a table of places may be so many times as long as what is looked up in it

ITEMS = """SELECT i.id FROM judgments_item i
    JOIN judgments_task t ON t.id = i.task_id WHERE t.campaign_id = %s"""

SIDES = tuple(Side.values)
# Of an error ``o``; no severity has a line break.
ERROR_KIND = "hashtextextended(o.severity || chr(10) || o.category, 0)"

Columns = dict[str, np.ndarray]
Fields = dict[str, tuple[str, str]]


@dataclass(frozen=True)
class Stored:
    """``ratings`` and ``preferences`` with the columns that `Observed` lists, and the ``judgments``
    that they belong to; ``annotator`` indexes ``users`` (ids of those who gave any) and their
    ``aliases``, in the order of these."""

    judgments: Rows
    ratings: Rows
    preferences: Rows
    users: np.ndarray
    aliases: np.ndarray


def read(
    campaign: Campaign,
    dimensions: tuple[Dimension, ...],
    segment_ids: np.ndarray,
    system_ids: np.ndarray,
) -> Stored:
    """Return the current observations of a campaign, by rising ids."""
    aliases = dict(campaign.memberships.values_list("user_id", "alias"))
    judgments = _judgments(campaign)
    unlike = _unlike(campaign)
    ratings, of_rating = _ratings(campaign, judgments, dimensions)
    preferences, of_preference = _preferences(campaign, judgments)
    given = np.zeros(len(judgments["id"]), bool)
    given[of_rating] = given[of_preference] = True
    named = {
        user: aliases.get(user, f"annotator {user}")
        for user in codes_of(judgments["annotator"][given])[0].tolist()
    }
    users = np.array(sorted(named, key=named.__getitem__), np.int64)
    of_judgments = {
        "judgment": judgments["id"],
        "annotator": places(judgments["annotator"], users).astype(np.int64),
        "item": judgments["item"],
        "kind": _kinds(unlike, judgments),
        "active_ms": judgments["active_ms"],
    }
    outputs = _outputs(ratings["output"], preferences["a"], preferences["b"])
    segment = places(outputs["segment"], segment_ids).astype(np.int64)
    system = places(outputs["system"], system_ids).astype(np.int64)

    def columns(rows: Columns, at: np.ndarray) -> dict[str, np.ndarray | Looked]:
        return rows | {name: Looked(values, at) for name, values in of_judgments.items()}

    kinds = [
        _kinds_of_rows(unlike, judgments, of_judgments["kind"], *about)
        for about in (
            (of_rating, [ratings["output"]]),
            (of_preference, [preferences["a"], preferences["b"]]),
        )
    ]
    at = places(ratings.pop("output"), outputs["id"])
    rated = columns(ratings, of_rating) | {"kind": kinds[0]}
    rated |= {"segment": Looked(segment, at), "system": Looked(system, at)}
    rated.setdefault("position", np.zeros(len(at), np.int16))
    at, other = (places(preferences.pop(side), outputs["id"]) for side in "ab")
    compared = columns(preferences, of_preference) | {"kind": kinds[1]}
    compared |= {"segment": Looked(segment, at)}
    compared |= {"first": Looked(system, at), "second": Looked(system, other)}
    names = np.array([named[user] for user in users.tolist()], object)
    every = Rows({**of_judgments, "annotator": judgments["annotator"]})
    return Stored(every, Rows(rated), Rows(compared), users, names)


def places(values: np.ndarray, names: np.ndarray) -> np.ndarray:
    """Where each of ``values`` (n,) stands in ``names``, different ids in any order; -1: nowhere.

    Ids of one table lie close together, and a table of places is then much faster than a search.
    """
    if not len(names) or not len(values):
        return np.full(len(values), -1, np.int32)
    low, high = int(names.min()), int(names.max())
    if high - low <= SPARSE * (len(values) + len(names)):
        table = np.full(high - low + 3, -1, np.int32)  # the ends are for what is outside
        table[names - low + 1] = np.arange(len(names), dtype=np.int32)
        return table[np.clip(values, low - 1, high + 1) - (low - 1)]
    order = np.argsort(names)
    at = order[np.minimum(np.searchsorted(names, values, sorter=order), len(names) - 1)]
    return np.where(names[at] == values, at, -1).astype(np.int32)


def read_times(campaign: Campaign, judgments: np.ndarray) -> Columns:
    """When judgments (n,), ids of the campaign, were started and submitted, in epoch seconds; NaN
    where unknown."""
    moments = {
        name: (f"coalesce(j.{name}_at, '-infinity')", MOMENT) for name in ("started", "submitted")
    }
    fields = {"id": ("j.id", "i8"), **moments}
    rows = copy_columns(fields, "judgments_judgment j WHERE j.campaign_id = %s", [campaign.pk])
    at = places(judgments, rows["id"])
    return {name: seconds_of(rows[name][at]) for name in moments}


def read_errors(campaign: Campaign, judgments: np.ndarray) -> Columns:
    """Return the marked errors of judgments (n,), rising ids, in the order in which they were
    stored: ``judgment`` (places in ``judgments``), ``system`` (ids), ``start``, ``end``, ``side``
    (places in SIDES), and ``kind``, a number that stands for severity and category."""
    fields = {
        "id": ("o.id", "i8"),
        "judgment": ("o.judgment_id", "i8"),
        "output": ("o.output_id", "i8"),
        "start": ("o.start", "i4"),
        "end": ("o.end", "i4"),
        "side": ("array_position(%s::text[], o.side::text) - 1", "i2"),
        "kind": (ERROR_KIND, "i8"),
    }
    params: list = [list(SIDES)]
    rows, at = _of_judgments(campaign, {"id": judgments}, fields, "judgments_errorspan o", params)
    outputs = _outputs(rows["output"])
    system = outputs["system"][places(rows.pop("output"), outputs["id"])]
    return rows | {"judgment": at, "system": system}


def segments_of(campaign: Campaign, item: np.ndarray) -> np.ndarray:
    """Return the ids of the segments of items, (n,)."""
    fields = {"id": ("i.id", "i8"), "segment": ("i.segment_id", "i8")}
    found = _in_ranges(fields, "judgments_item i", [], "i.id", item, ITEMS, campaign)
    return found["segment"][places(item, found["id"])] if len(item) else item


def _judgments(campaign: Campaign) -> Columns:
    """Return the judgments that no other supersedes, by rising ids."""
    fields = {
        "id": ("j.id", "i8"),
        "annotator": ("j.annotator_id", "i8"),
        "item": ("j.item_id", "i8"),
        "active_ms": ("coalesce(j.active_ms, -1)", "i4"),
        "supersedes": ("coalesce(j.supersedes_id, 0)", "i8"),
    }
    source = "judgments_judgment j WHERE j.campaign_id = %s"
    rows = _in_order(copy_columns(fields, source, [campaign.pk]))
    supersedes = rows.pop("supersedes")
    current = np.ones(len(supersedes), bool)
    current[places(supersedes[supersedes > 0], rows["id"])] = False
    return _chosen(rows, current)


def _unlike(campaign: Campaign) -> Columns:
    """Return the items that are not regular, or show a control among other outputs: ``kind`` and
    ``control`` are codes, and ``output`` is the control; -1: none."""
    fields = {
        "item": ("i.id", "i8"),
        "kind": ("array_position(%s::text[], i.kind::text) - 1", "i2"),
        "output": ("coalesce(i.control_output_id, -1)", "i8"),
        "control": ("coalesce(array_position(%s::text[], i.control_kind::text), 0) - 1", "i2"),
    }
    source = """judgments_item i JOIN judgments_task t ON t.id = i.task_id
        WHERE t.campaign_id = %s AND (i.kind <> %s OR i.control_output_id IS NOT NULL)"""
    return copy_columns(fields, source, [list(KINDS), list(KINDS), campaign.pk, Kind.REGULAR.value])


def _kinds(unlike: Columns, judgments: Columns) -> np.ndarray:
    """Return the kinds of the judgments' items, as codes. Most items are regular: the others were
    read."""
    at = places(judgments["item"], unlike["item"])
    kinds = np.append(unlike["kind"], np.int16(REGULAR)).astype(np.int8)
    return kinds[at]  # -1 is the last: regular


def _kinds_of_rows(
    unlike: Columns,
    judgments: Columns,
    kinds: np.ndarray,
    of_row: np.ndarray,
    outputs: list[np.ndarray],
) -> np.ndarray | Looked:
    """Return the kinds of rows (n,), as codes: those of their items, or of the control that they
    are about. ``of_row``: the places of their judgments; ``outputs``: their outputs."""
    if not (unlike["output"] >= 0).any():
        return Looked(kinds, of_row)
    at = places(judgments["item"], unlike["item"])[of_row]
    of_control = np.append(unlike["output"], -1)[at]  # at -1, the last, is no output
    is_control = np.logical_or.reduce([output == of_control for output in outputs])
    found = kinds[of_row]
    found[is_control] = unlike["control"][at[is_control]]
    return found


def _ratings(
    campaign: Campaign, judgments: Columns, dimensions: tuple[Dimension, ...]
) -> tuple[Columns, np.ndarray]:
    slugs = [dimension.slug for dimension in dimensions]
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
    rows, at = _of_judgments(campaign, judgments, fields, "judgments_rating o", slugs)
    both = rows.pop("dimension and copy")
    dimension = (both >> 1).astype(np.int8)
    dimension[dimension == len(slugs)] = -1  # of the protocol no dimension (any more)
    rows |= {"dimension": dimension, "copy": (both & 1).astype(np.int8)}
    if protocol_of(campaign).ranks:
        rows["position"] = _positions(campaign, judgments["item"][at], rows["output"])
    return rows, at


def _positions(campaign: Campaign, item: np.ndarray, output: np.ndarray) -> np.ndarray:
    """Where on the screen of the item the output stood, (n,); 0 where it did not."""
    if not len(item):
        return np.zeros(0, np.int16)
    fields = {
        "item": ("s.item_id", "i8"),
        "output": ("s.output_id", "i8"),
        "position": ("s.position", "i2"),
    }
    shown = _in_ranges(fields, "judgments_itemoutput s", [], "s.item_id", item, ITEMS, campaign)
    first = int(item.min())
    span = 1 + max(int(output.max()), int(shown["output"].max(initial=0)))
    known = (shown["item"] - first) * span + shown["output"]
    wanted = (item - first) * span + output
    if np.array_equal(known, wanted):  # each was judged once, and in the order of its screen
        return shown["position"]
    order = order_of(known)
    at = order[np.minimum(np.searchsorted(known, wanted, sorter=order), len(known) - 1)]
    return np.where(known[at] == wanted, shown["position"][at], 0).astype(np.int16)


def _preferences(campaign: Campaign, judgments: Columns) -> tuple[Columns, np.ndarray]:
    fields = {
        "id": ("o.id", "i8"),
        "judgment": ("o.judgment_id", "i8"),
        "a": ("o.output_a_id", "i8"),
        "b": ("o.output_b_id", "i8"),
        "label": ("o.value", "i2"),
    }
    return _of_judgments(campaign, judgments, fields, "judgments_preference o", [])


def _of_judgments(
    campaign: Campaign,
    judgments: Columns,
    fields: Fields,
    source: str,
    params: list[str],
) -> tuple[Columns, np.ndarray]:
    """Return rows ``o`` that hang on the judgments, by rising ids, and the places of theirs."""
    ids = judgments["id"]
    own = "SELECT id FROM judgments_judgment WHERE campaign_id = %s"
    rows = _in_order(_in_ranges(fields, source, params, "o.judgment_id", ids, own, campaign))
    at = places(rows.pop("judgment"), ids)
    if (at >= 0).all():
        return rows, at
    return _chosen(rows, at >= 0), at[at >= 0]


def _in_ranges(
    fields: Fields,
    source: str,
    params: list[str],
    column: str,
    ids: np.ndarray,
    own: str,
    campaign: Campaign,
) -> Columns:
    """Return rows with one of ``ids`` in ``column``, and maybe others; ``own`` is the query of the
    ids.

    By ranges of ids, so that what is in the format of the wire never takes much memory; or by the
    query, where most of what lies between is not of this campaign.
    """
    first, last = (int(ids.min()), int(ids.max())) if len(ids) else (0, -1)
    if len(ids) * 2 < last - first:
        return copy_columns(fields, f"{source} WHERE {column} IN ({own})", [*params, campaign.pk])
    ends = [*range(first, last + 1, MOST_IDS), last + 1]
    where = f"{source} WHERE {column} >= %s AND {column} < %s"
    parts = [
        copy_columns(fields, where, [*params, *bounds]) for bounds in itertools.pairwise(ends)
    ] or [copy_columns(fields, f"{source} WHERE false", params)]
    return {name: np.concatenate([part[name] for part in parts]) for name in fields}


def _outputs(*asked: np.ndarray) -> Columns:
    """Return id, segment and system (ids) of outputs; those that were asked for are among them."""
    fields = {
        "id": ("t.id", "i8"),
        "segment": ("t.segment_id", "i8"),
        "system": ("t.system_id", "i8"),
    }
    some = [ids for ids in asked if len(ids)]
    if not some:
        return copy_columns(fields, "judgments_output t WHERE false")
    bounds = [int(min(ids.min() for ids in some)), int(max(ids.max() for ids in some))]
    return copy_columns(fields, "judgments_output t WHERE t.id BETWEEN %s AND %s", bounds)


def _in_order(rows: Columns) -> Columns:
    """By rising ids: sums in floating point, and so all digits, depend on the order."""
    ids = rows["id"]
    if (ids[1:] > ids[:-1]).all():
        return rows
    return _chosen(rows, np.argsort(ids, kind="stable"))


def _chosen(rows: Columns, which: np.ndarray) -> Columns:
    return {name: column[which] for name, column in rows.items()}
