"""Snapshots: the observations of a campaign as Parquet files, which all hosts share.

Judgments are only added, so that a file of those up to some id stays right, and only later ones are
read from the database. A snapshot has parts of ascending ids; a worker writes a part when PART
judgments are new, together with earlier parts that are not larger, so that a million judgments are
in few files. docs/decisions/0076-snapshots-of-observations.md
"""

from __future__ import annotations

import contextlib
import hmac
import logging
import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from django.conf import settings
from django.db import connection
from django.utils.crypto import constant_time_compare, salted_hmac

from judgments.models import Campaign
from judgments.models.bulk import BEFORE_2000, NEVER
from judgments.models.moments import connection_to_read
from judgments.protocols import protocol_of
from mteval_site import extras
from mteval_site.shared_files import SharedFolder, StoreAway

from . import tables
from .tables import SIDES, Columns

PART = 10_000  # judgments
# Seconds between two looks at whether transactions have ended, and for all looks.
WAIT, LONGEST_WAIT = 0.05, 10.0
TABLES = ("judgments", "ratings", "preferences", "errors")
FORMAT = 1  # a part of the files' place: raise it when a column changes
FILE = re.compile(
    rf"(\d+)_(\d+)_(\d+)_([0-9a-f]{{32}})_({'|'.join(TABLES)})_([0-9a-f]{{32}})\.parquet", re.ASCII
)

COLUMNS = {
    "judgments": tuple(tables.JUDGMENTS),
    "ratings": ("id", "judgment", "output", "value", "dimension", "copy"),
    "preferences": ("id", "judgment", "a", "b", "label"),
    "errors": ("id", "judgment", "output", "start", "end", "side", "kind"),
}

logger = logging.getLogger(__name__)


class Damaged(Exception):
    """A file is not what this site has written."""


class Unsettled(Exception):
    """A transaction that may add judgments, such as an import, goes on for long."""


@dataclass(frozen=True)
class SnapshotPart:
    """A campaign's judgments with ids above `after` and up to `last`. key: of the last judgment,
    which tells a database from another that was restored from a copy. files: names by table;
    contents: their memory maps, once the part is read."""

    after: int
    last: int
    n: int
    key: str
    files: dict[str, str]
    contents: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True)
class Snapshot:
    """Parts that follow each other; none: everything is read from the database."""

    parts: tuple[SnapshotPart, ...] = ()

    @property
    def last(self) -> int:
        """The id of the last judgment; 0 without any."""
        return self.parts[-1].last if self.parts else 0

    def part(self, table: str, names: Sequence[str] | None = None) -> list[Columns]:
        """Return columns of a table, part by part. Times are as in `judgments.models.bulk`."""
        return [_columns(part.contents[table], names or COLUMNS[table]) for part in self.parts]

    def ratings(self, slugs: Sequence[str], ranks: bool) -> list[Columns]:
        """Return the ratings, part by part; ``dimension`` is a position in ``slugs``, -1: another
        one. ranks: with ``position``."""
        names = [*COLUMNS["ratings"], *(["position"] if ranks else [])]
        return [_columns(part.contents["ratings"], names, slugs) for part in self.parts]


def of(campaign: Campaign) -> Snapshot:
    """Return the snapshot of a campaign: what it has is exactly what the database has up to its
    last judgment. Nothing is in it if files cannot be read; one that is damaged is deleted, and a
    worker writes it anew."""
    if not extras.is_there("pyarrow"):
        return Snapshot()
    try:
        parts = _following(shared().names(folder_of(campaign)))
        if not parts or not _agree(campaign, parts):
            return Snapshot()
        for part in parts:
            part.contents.update({table: _content(name) for table, name in part.files.items()})
    except (OSError, Damaged) as error:
        logger.warning("The snapshot of campaign %s cannot be read: %s", campaign.pk, error)
        return Snapshot()
    return Snapshot(tuple(parts))


def shared() -> SharedFolder:
    return SharedFolder("snapshots", settings.SNAPSHOTS_DIR)


def folder_of(campaign: Campaign) -> str:
    """Return the folder of a campaign. Another campaign that gets the number of a deleted one has
    another folder, and so has one whose PostgreSQL may compute other hashes of kinds of errors."""
    version = connection_to_read().pg_version // 10_000  # type: ignore[attr-defined]
    return f"{FORMAT}-{version}/{campaign.pk}-{campaign.created_at:%Y%m%d%H%M%S%f}"


def _following(names: Iterable[str]) -> list[SnapshotPart]:
    """Return the complete parts that follow each other from the first judgment on; of two with the
    same beginning, the longer one."""
    found: dict[tuple[int, int, int, str], dict[str, str]] = {}
    for name in names:
        if match := FILE.fullmatch(name.rpartition("/")[2]):
            after, last, n, key, table, _ = match.groups()
            found.setdefault((int(after), int(last), int(n), key), {})[table] = name
    complete = [
        SnapshotPart(*about, files) for about, files in found.items() if len(files) == len(TABLES)
    ]
    longest = {part.after: part for part in sorted(complete, key=lambda part: part.last)}
    parts: list[SnapshotPart] = []
    while part := longest.pop(parts[-1].last if parts else 0, None):
        parts.append(part)
    return parts


def _agree(campaign: Campaign, parts: Sequence[SnapshotPart]) -> bool:
    """Return whether the database has the judgments of the parts, and no others up to the last. It
    has others after an erasure, or when it was restored from a copy."""
    lasts = [part.last for part in parts]
    with connection_to_read().cursor() as cursor:
        cursor.execute(
            "SELECT id, client_key::text FROM judgments_judgment"
            " WHERE campaign_id = %s AND id = ANY(%s)",
            [campaign.pk, lasts],
        )
        keys = {pk: key.replace("-", "") for pk, key in cursor.fetchall()}
    if any(keys.get(part.last) != part.key for part in parts):
        return False
    return tables.n_judgments(campaign, lasts[-1]) == sum(part.n for part in parts)


def _mark(name: str, content: Any) -> str:
    """Return the mark of a file, by its name before the mark and its content, which only a host
    with the site's secret key can make."""
    key = salted_hmac("judgments.results.observations.snapshots", name, algorithm="sha256").digest()
    return hmac.new(key, content, "sha256").hexdigest()[:32]


def _content(name: str) -> Any:
    """Return the content of a file, as a memory map that outlives the file. Raise
    FileNotFoundError, StoreAway, or Damaged after deleting the file."""
    import pyarrow

    content = pyarrow.memory_map(str(shared().path(name))).read_buffer()
    before, _, rest = name.rpartition("_")
    if not constant_time_compare(f"{_mark(before, content)}.parquet", rest):
        with contextlib.suppress(StoreAway):
            shared().delete([name])
        raise Damaged(name)
    return content


def _columns(content: Any, names: Sequence[str], slugs: Sequence[str] = ()) -> Columns:
    """Return columns of a file as the database would send them."""
    import pyarrow
    from pyarrow import parquet

    table = parquet.read_table(pyarrow.BufferReader(content), columns=list(names))
    found: Columns = {}
    for name in names:
        column = table[name].combine_chunks()
        if name in ("dimension", "side"):
            known = {
                slug: code for code, slug in enumerate(slugs if name == "dimension" else SIDES)
            }
            codes = [known.get(each, -1) for each in column.dictionary.to_pylist()]
            indices = column.indices.to_numpy(zero_copy_only=False)
            found[name] = np.array([*codes, -1], np.int8 if name == "dimension" else np.int16)[
                indices
            ]
        elif name in tables.TIMES:
            moments = column.cast("int64").fill_null(NEVER + BEFORE_2000)
            found[name] = moments.to_numpy() - BEFORE_2000
        else:
            found[name] = column.to_numpy(zero_copy_only=False)
    return found


def write(campaign: Campaign) -> SnapshotPart | None:
    """Write a part if enough judgments are new, and delete the files that are not needed any more;
    return it. One worker at a time. Raise StoreAway, Unsettled."""
    last = settled_last(campaign)
    folder = folder_of(campaign)
    parts = _following(shared().names(folder))
    if parts and not _agree(campaign, parts):
        parts = []
    n = tables.n_judgments(campaign, last) - sum(part.n for part in parts)
    written = None
    if n >= PART:
        while parts and parts[-1].n <= n:
            n += parts.pop().n
        written = _write(campaign, parts[-1].last if parts else 0, last)
        parts.append(written)
        if not _agree(campaign, parts):  # judgments were erased, or the campaign deleted meanwhile
            parts, written = [], None
    needed = {name for part in parts for name in part.files.values()}
    shared().delete(shared().names(folder).keys() - needed)
    return written


def settled_last(campaign: Campaign) -> int:
    """Return the id of the last judgment once no lower one can appear any more.

    Ids are drawn before transactions end, so that a lower one may be stored later. Whoever has
    drawn one holds a lock on the table: wait until all who hold one now have ended. Raise Unsettled
    if that takes long.
    """
    until = time.monotonic() + LONGEST_WAIT
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT coalesce(max(id), 0) FROM judgments_judgment WHERE campaign_id = %s",
            [campaign.pk],
        )
        last = cursor.fetchone()[0]
        writing = _writing(cursor)
        while writing:
            if time.monotonic() > until:
                raise Unsettled
            time.sleep(WAIT)
            writing &= _writing(cursor)
    return last


def _writing(cursor: Any) -> set[str]:
    """Return the transactions of others that may have added judgments."""
    cursor.execute(
        "SELECT virtualtransaction FROM pg_locks WHERE relation = 'judgments_judgment'::regclass"
        " AND mode = 'RowExclusiveLock' AND granted AND pid <> pg_backend_pid()"
        " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    )
    return {each for (each,) in cursor.fetchall()}


def _write(campaign: Campaign, after: int, last: int) -> SnapshotPart:
    """Write the files of a part; those of its judgments last."""
    fields = tables.JUDGMENTS | tables.TIMES
    judgments = tables.read_judgments(campaign, fields, after, last)
    ids = judgments["id"]
    key = campaign.judgments.values_list("client_key", flat=True).get(pk=int(ids[-1])).hex
    stem = f"{folder_of(campaign)}/{after}_{ids[-1]}_{len(ids)}_{key}"
    found = {
        "ratings": _ratings(campaign, judgments),
        "preferences": _own(tables.read_preferences(campaign, ids), ids),
        "errors": _errors(campaign, ids),
        "judgments": judgments,
    }
    files = {}
    for table, columns in found.items():
        content = _as_parquet(columns)
        name = f"{stem}_{table}"
        files[table] = f"{name}_{_mark(name, content)}.parquet"
        shared().add(files[table], [content])
    return SnapshotPart(after, int(ids[-1]), len(ids), key, files)


def _ratings(campaign: Campaign, judgments: Columns) -> dict[str, Any]:
    ids = judgments["id"]
    slugs = [
        slug for (slug,) in tables.distinct(campaign, "o.dimension", "judgments_rating o", ids)
    ]
    rows = _own(tables.read_ratings(campaign, ids, slugs), ids)
    if protocol_of(campaign).ranks:
        item = judgments["item"][tables.places(rows["judgment"], ids)]
        rows["position"] = tables.read_positions(campaign, item, rows["output"])
    return rows | {"dimension": _named(rows["dimension"], slugs)}


def _errors(campaign: Campaign, ids: np.ndarray) -> dict[str, Any]:
    """Return errors with the names of their severities and categories, for other readers."""
    rows = _own(tables.read_errors(campaign, ids), ids)
    what = f"{tables.ERROR_KIND}, o.severity, o.category"
    kinds = tables.distinct(campaign, what, "judgments_errorspan o", ids)
    code = tables.places(rows["kind"], np.array([kind for kind, _, _ in kinds], np.int64))
    return rows | {
        "side": _named(rows["side"], SIDES),
        "severity": _named(code, [severity for _, severity, _ in kinds]),
        "category": _named(code, [category for _, _, category in kinds]),
    }


def _own(rows: Columns, judgments: np.ndarray) -> Columns:
    """Return the rows of these judgments only."""
    return tables.chosen(rows, tables.places(rows["judgment"], judgments) >= 0)


def _named(codes: np.ndarray, names: Sequence[str]) -> Any:
    import pyarrow

    return pyarrow.DictionaryArray.from_arrays(
        codes.astype(np.int32), pyarrow.array(names, "string")
    )


def _as_parquet(columns: dict[str, Any]) -> bytes:
    """Return a table as a Parquet file; times are in UTC, and null if unknown."""
    import pyarrow
    from pyarrow import parquet

    arrays = dict(columns)
    for name in tables.TIMES.keys() & columns.keys():
        moments = columns[name]
        unknown = moments == NEVER
        arrays[name] = pyarrow.array(
            np.where(unknown, 0, moments + BEFORE_2000),
            pyarrow.timestamp("us", "UTC"),
            mask=unknown,
        )
    sink = pyarrow.BufferOutputStream()
    parquet.write_table(pyarrow.table(arrays), sink, compression="zstd")
    return sink.getvalue().to_pybytes()


def sweep() -> bool:
    """Delete the files of campaigns that are gone, of earlier formats, and of campaigns of which
    judgments were erased; and this host's copies of what others have deleted. Return whether there
    was anything to delete for all hosts. Raise StoreAway."""
    by_folder: dict[str, list[str]] = {}
    for name in shared().names():
        by_folder.setdefault(name.rpartition("/")[0], []).append(name)
    campaigns = {folder_of(each): each for each in Campaign.objects.only("created_at")}
    needless = []
    for folder, names in by_folder.items():
        campaign = campaigns.get(folder)
        parts = _following(names) if campaign else []
        if campaign is None or (parts and not _agree(campaign, parts)):
            needless += names
    shared().delete(needless)
    shared().forget_copies()
    return bool(needless)
