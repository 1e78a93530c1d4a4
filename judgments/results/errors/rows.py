"""The marked errors of a campaign as arrays, each with the rating that was derived from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from judgments.models import Campaign, ErrorSpan
from judgments.stats.mqm import normalized

from ..observations.rows import Rows
from ..observations.storage import read_errors
from ..observations.tables import places
from ..selection.only_errors import OnlyErrors


@dataclass(frozen=True)
class ErrorRows:
    """Errors (k,) in the order in which they were stored. ``at``: the row of their judgment and
    system. ``kind`` indexes ``kinds``, (severity, category), ignoring case; ``side`` indexes
    `storage.SIDES`. Offsets are code points, the end exclusive."""

    id: np.ndarray
    at: np.ndarray
    start: np.ndarray
    end: np.ndarray
    side: np.ndarray
    kind: np.ndarray
    kinds: tuple[tuple[str, str], ...]

    def only(self, wanted: OnlyErrors) -> ErrorRows:
        """Return the errors that a selection counts."""
        if not wanted:
            return self
        counts = np.array([wanted.let(*kind) for kind in self.kinds], bool)
        keep = counts[self.kind] if len(counts) else np.zeros(0, bool)
        columns = {name: getattr(self, name)[keep] for name in COLUMNS}
        return ErrorRows(**columns, kinds=self.kinds)

    def severities(self, known: Sequence[str]) -> tuple[np.ndarray, tuple[str, ...]]:
        """Return codes (k,), and their names: the known ones, then any others."""
        return self._codes(0, known)

    def categories(self, known: Sequence[str]) -> tuple[np.ndarray, tuple[str, ...]]:
        """Return the same for categories; the last name is "", for errors without one."""
        codes, names = self._codes(1, [*known, ""])
        order = sorted(range(len(names)), key=lambda code: names[code] == "")
        return np.argsort(order)[codes], tuple(names[code] for code in order)

    def _codes(self, part: int, known: Sequence[str]) -> tuple[np.ndarray, tuple[str, ...]]:
        met = [kind[part] for kind in self.kinds]
        names = tuple(dict.fromkeys([*known, *sorted(met)]))
        return np.array([names.index(name) for name in met], np.intp)[self.kind], names


COLUMNS = ("id", "at", "start", "end", "side", "kind")


def error_rows(campaign: Campaign, system_ids: np.ndarray, rows: Rows) -> ErrorRows:
    """Return the errors of ``rows``: ratings of one dimension, at most one per judgment and
    system."""
    judgments, code = np.unique(rows["judgment"], return_inverse=True)
    found = read_errors(campaign, judgments)
    n = len(system_ids)
    keys = code * n + rows["system"]
    wanted = found["judgment"].astype(np.int64) * n + places(found["system"], system_ids)
    at = places(wanted, keys)
    there = at >= 0
    _, first, kind = np.unique(found["kind"][there], return_index=True, return_inverse=True)
    examples = found["id"][there][first].tolist()
    named = ErrorSpan.objects.in_bulk(examples)  # one error of each kind provides its names
    spans = [named[pk] for pk in examples]
    kinds = [(normalized(span.severity), normalized(span.category)) for span in spans]
    ids, start, end, side = (found[name][there] for name in ("id", "start", "end", "side"))
    return ErrorRows(ids, at[there], start, end, side, kind, tuple(kinds))
