"""What the owners of a campaign decided to leave out of its figures."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from judgments.models import Campaign, Decision, Output, RemovedItem

from ..observations.rows import Rows
from .filters import named


@dataclass(frozen=True)
class Exclusions:
    """The decisions in force, each in rising order.

    annotators: ids of users whose judgments are left out; partly: (user id, dimension) pairs whose
    ratings are. segments: (id, key) pairs, left out of every system; outputs: (segment id, system
    id, segment's key, system's name).
    """

    annotators: tuple[int, ...] = ()
    partly: tuple[tuple[int, str], ...] = ()
    segments: tuple[tuple[int, str], ...] = ()
    outputs: tuple[tuple[int, int, str, str], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.annotators or self.partly or self.has_items)

    @property
    def has_items(self) -> bool:
        return bool(self.segments or self.outputs)

    @classmethod
    def of(cls, campaign: Campaign) -> Exclusions:
        """Return those in force now: two statements."""
        decided = Decision.objects.filter(campaign=campaign).latest_of_each()
        people = sorted(
            (user, dimension)
            for user, dimension, out in decided.values_list("annotator", "dimension", "excluded")
            if out
        )
        items = RemovedItem.objects.filter(campaign=campaign).latest_of_each()
        columns = ("segment", "system", "segment__key", "system__name", "removed")
        rows = [row[:-1] for row in items.values_list(*columns) if row[-1]]
        whole = sorted((segment, key) for segment, system, key, _ in rows if system is None)
        known = {segment for segment, _ in whole}
        users = tuple(user for user, dimension in people if not dimension)
        return cls(
            annotators=users,
            partly=tuple(pair for pair in people if pair[1] and pair[0] not in users),
            segments=tuple(whole),
            outputs=tuple(sorted(r for r in rows if r[1] is not None and r[0] not in known)),
        )

    @property
    def segment_ids(self) -> tuple[int, ...]:
        return tuple(pk for pk, _ in self.segments)

    def output_ids(self) -> frozenset[int]:
        """Return the ids of all outputs that are left out as items; asks the database."""
        if not self.has_items:
            return frozenset()
        whole, pairs = set(self.segment_ids), {row[:2] for row in self.outputs}
        segments = whole | {segment for segment, _ in pairs}
        found = Output.objects.filter(segment__in=segments).order_by()
        rows = found.values_list("pk", "segment_id", "system_id")
        return frozenset(
            pk for pk, segment, system in rows if segment in whole or (segment, system) in pairs
        )

    def phrases(self, names: dict[str, str]) -> Iterator[str]:
        """Yield what is left out besides whole annotators, in words; names: of the dimensions."""
        by_dimension: dict[str, int] = {}
        for _user, dimension in self.partly:
            by_dimension[dimension] = by_dimension.get(dimension, 0) + 1
        for dimension, n in sorted(by_dimension.items()):
            yield ngettext(
                "%(n)d annotator is left out of %(dimension)s",
                "%(n)d annotators are left out of %(dimension)s",
                n,
            ) % {"n": n, "dimension": names.get(dimension, dimension)}
        if self.segments:
            keys = [key for _, key in self.segments]
            yield ngettext(
                "%(n)d segment is left out: %(names)s",
                "%(n)d segments are left out: %(names)s",
                len(keys),
            ) % {"n": len(keys), "names": named(keys)}
        if self.outputs:
            of = [
                _("%(segment)s of %(system)s") % {"segment": key, "system": system}
                for _segment, _system, key, system in self.outputs
            ]
            yield ngettext(
                "%(n)d translation is left out: %(names)s",
                "%(n)d translations are left out: %(names)s",
                len(of),
            ) % {"n": len(of), "names": named(of)}

    def passing(
        self,
        rows: Rows,
        users: np.ndarray,
        dimensions: Collection[str],
        segments: np.ndarray,
        systems: np.ndarray,
    ) -> np.ndarray:
        """Return mask (n,) of the rows of an `Observed` that are not left out by a dimension or as
        items.

        users, dimensions, segments, systems: what the codes of the rows' columns stand for.
        """
        found = np.ones(len(rows), bool)
        if self.segments:
            found &= rows.marked("segment", ~np.isin(segments, self.segment_ids))
        if self.partly and "dimension" in rows:
            slugs = list(dimensions)
            table = np.zeros((len(users), len(slugs) + 1), bool)  # the last: of no dimension
            for user, slug in self.partly:
                if slug in slugs:
                    table[users == user, slugs.index(slug)] = True
            found &= ~table[rows["annotator"], rows["dimension"]]
        if self.outputs:
            found &= self._other_outputs(rows, segments, systems)
        return found

    def _other_outputs(self, rows: Rows, segments: np.ndarray, systems: np.ndarray) -> np.ndarray:
        places = _places(segments), _places(systems)
        n = len(systems)
        out = [
            places[0][segment] * n + places[1][system]
            for segment, system, *_ in self.outputs
            if segment in places[0] and system in places[1]
        ]
        found = np.ones(len(rows), bool)
        for name in ("system", "first", "second"):
            if name in rows:
                found &= ~np.isin(rows["segment"] * n + rows[name], out)
        return found


def _places(ids: np.ndarray) -> dict[int, int]:
    return {pk: place for place, pk in enumerate(ids.tolist())}


NO_EXCLUSIONS = Exclusions()
