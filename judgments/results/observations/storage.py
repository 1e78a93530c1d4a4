"""The stored rows of a campaign, read table by table and joined here.

A join of a million rows takes PostgreSQL several times as long as sending them. Instead, every
table is read once, with only the required columns; data of judgments and outputs are looked up by
position.

The judgments are read first, each with the one that it supersedes. Rows read afterwards that belong
to newer judgments are dropped: all rows are from one moment without a transaction.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from judgments.models import Campaign, Kind
from judgments.models.bulk import copy_columns, seconds_of
from judgments.protocols import protocol_of
from judgments.protocols.base import Dimension
from judgments.stats.coefficients import codes_of

from . import snapshots, tables
from .rows import Looked, Rows
from .tables import Columns, chosen, places

KINDS = tuple(Kind.values)
REGULAR = KINDS.index(Kind.REGULAR.value)


@dataclass(frozen=True)
class Stored:
    """``ratings`` and ``preferences`` with the columns that `Observed` lists, and the ``judgments``
    to which they belong; ``annotator`` indexes ``users`` (ids of people with any) and their
    ``aliases``, in the order of the aliases."""

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
    """Return the current observations of a campaign, by ascending ids."""
    aliases = dict(campaign.memberships.values_list("user_id", "alias"))
    snapshot = snapshots.of(campaign)
    judgments = _judgments(campaign, snapshot)
    unlike = _unlike(campaign)
    ratings, of_rating = _ratings(campaign, snapshot, judgments, dimensions)
    live = tables.read_preferences(campaign, _new(judgments["id"], snapshot))
    preferences, of_preference = _of_current(judgments, [*snapshot.part("preferences"), live])
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


def segments_of(campaign: Campaign, item: np.ndarray) -> np.ndarray:
    """Return the ids of the segments of items, (n,)."""
    fields = {"id": ("i.id", "i8"), "segment": ("i.segment_id", "i8")}
    found = tables.in_ranges(fields, "judgments_item i", [], "i.id", item, tables.ITEMS, campaign)
    return found["segment"][places(item, found["id"])] if len(item) else item


def read_times(campaign: Campaign, judgments: np.ndarray) -> Columns:
    """Return when judgments (n,), ids of the campaign, were started and submitted, in epoch
    seconds; NaN if unknown."""
    snapshot = snapshots.of(campaign)
    fields = {"id": tables.JUDGMENTS["id"], **tables.TIMES}
    live = tables.read_judgments(campaign, fields, after=snapshot.last)
    rows = tables.joined([*snapshot.part("judgments", list(fields)), live])
    at = places(judgments, rows["id"])
    return {name: seconds_of(rows[name][at]) for name in tables.TIMES}


def read_errors(campaign: Campaign, judgments: np.ndarray) -> Columns:
    """Return the marked errors of judgments (n,), ascending ids, in the order in which they were
    stored: ``judgment`` (positions in ``judgments``), ``system`` (ids), ``start``, ``end``,
    ``side`` (positions in SIDES), and ``kind``, a number that represents severity and category."""
    snapshot = snapshots.of(campaign)
    live = tables.read_errors(campaign, _new(judgments, snapshot))
    rows, at = _of_current({"id": judgments}, [*snapshot.part("errors"), live])
    outputs = _outputs(rows["output"])
    system = outputs["system"][places(rows.pop("output"), outputs["id"])]
    return rows | {"judgment": at, "system": system}


def _judgments(campaign: Campaign, snapshot: snapshots.Snapshot) -> Columns:
    """Return the judgments that no other supersedes, by ascending ids."""
    fields = tables.JUDGMENTS
    live = tables.read_judgments(campaign, fields, after=snapshot.last)
    rows = tables.joined([*snapshot.part("judgments", list(fields)), live])
    supersedes = rows.pop("supersedes")
    current = np.ones(len(supersedes), bool)
    current[places(supersedes[supersedes > 0], rows["id"])] = False
    return chosen(rows, current)


def _ratings(
    campaign: Campaign,
    snapshot: snapshots.Snapshot,
    judgments: Columns,
    dimensions: tuple[Dimension, ...],
) -> tuple[Columns, np.ndarray]:
    slugs, ranks = [dimension.slug for dimension in dimensions], protocol_of(campaign).ranks
    live = tables.read_ratings(campaign, _new(judgments["id"], snapshot), slugs)
    if ranks:
        at = places(live["judgment"], judgments["id"])
        live, at = chosen(live, at >= 0), at[at >= 0]
        item = judgments["item"][at]
        live["position"] = tables.read_positions(campaign, item, live["output"])
    return _of_current(judgments, [*snapshot.ratings(slugs, ranks), live])


def _new(judgments: np.ndarray, snapshot: snapshots.Snapshot) -> np.ndarray:
    """Return the judgments whose rows are only in the database; ids are ascending."""
    return judgments[np.searchsorted(judgments, snapshot.last, side="right") :]


def _of_current(judgments: Columns, parts: list[Columns]) -> tuple[Columns, np.ndarray]:
    """Return the rows that belong to the judgments, by ascending ids, and the positions of their
    judgments. Two people answer at once, so that rows of a later part may have lower ids."""
    rows = tables.in_order(tables.joined(parts))
    at = places(rows.pop("judgment"), judgments["id"])
    if (at >= 0).all():
        return rows, at
    return chosen(rows, at >= 0), at[at >= 0]


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
    """Return the kinds of the judgments' items, as codes. Most items are regular: only the others
    were read."""
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
    """Return the kinds of rows (n,), as codes: those of their items, or of the control to which
    they refer. ``of_row``: the positions of their judgments; ``outputs``: their outputs."""
    if not (unlike["output"] >= 0).any():
        return Looked(kinds, of_row)
    at = places(judgments["item"], unlike["item"])[of_row]
    of_control = np.append(unlike["output"], -1)[at]  # at -1, the last, is no output
    is_control = np.logical_or.reduce([output == of_control for output in outputs])
    found = kinds[of_row]
    found[is_control] = unlike["control"][at[is_control]]
    return found


def _outputs(*asked: np.ndarray) -> Columns:
    """Return id, segment and system (ids) of outputs, including those requested."""
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
