"""The current judgments of a campaign as arrays, and the key under which results are cached."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from judgments.models import Campaign, Kind, Segment, System
from judgments.protocols import protocol_of
from judgments.protocols.base import Dimension, Scale
from judgments.protocols.spans.marking import Marking
from judgments.results.errors.rows import error_rows
from judgments.results.errors.weights import counted_penalty
from judgments.results.observations.draws import Draws, draws_of
from judgments.results.observations.rows import Rows
from judgments.results.observations.storage import KINDS, REGULAR, read
from judgments.results.observations.tables import places
from judgments.results.selection.selection import Selection
from judgments.web.cache import get_or_compute, has

SEED = 20070623
RESAMPLES = 1000
# Degraded copies and references are about annotators, not about systems.
SCORED_KINDS = (Kind.REGULAR.value, Kind.REPEAT.value)
THIRD = KINDS.index(Kind.THIRD.value)
# For scores of marked errors by the weights of a selection.
UNBOUNDED = Scale(None, 0, None, kind="interval", widget="slider")

T = TypeVar("T")


@dataclass(frozen=True)
class Observed:
    """Current judgments (no revision supersedes them) in rows, and the meaning of their codes.

    ``ratings`` (n,) has the fields id, judgment, annotator, item, segment, system, dimension, kind,
    value, active_ms (-1: unknown), position (on the screen; 0 unless outputs were ranked), copy (1:
    the output was not shown itself, because another one on the screen has the same text);
    ``preferences`` (n,) has first, second and label (+1: first is better, 0: neither, -1: second is
    better) in the place of system, dimension and value. annotator, segment, system, first and
    second index ``annotators`` (aliases; ``annotator_ids`` are the users), ``segment_ids`` and
    ``system_ids``; dimension indexes ``dimensions``, and kind ``KINDS``. Rows are in the order in
    which they were stored. ``rates`` and ``ranks`` are those of the protocol: ratings are scores or
    ranks; if neither, outputs are compared by preferences. ``judgments`` (m,) are all of the
    campaign's, with the fields judgment, annotator (a user), item, kind and active_ms.
    ``n_off_protocol`` ratings on dimensions that are not asked (any more) are left out;
    ``n_excluded`` annotators are left out by the selection, and ``n_unweighted`` ratings because
    the errors that the selection weights are unknown. ``draws``: how the systems of blocks were
    drawn, None if all are shown.
    """

    rates: bool
    ranks: bool
    dimensions: tuple[Dimension, ...]
    annotators: np.ndarray
    annotator_ids: np.ndarray
    system_ids: np.ndarray
    system_names: np.ndarray
    segment_ids: np.ndarray
    segment_keys: np.ndarray
    document_ids: np.ndarray
    judgments: Rows
    ratings: Rows
    preferences: Rows
    fingerprint: str
    n_off_protocol: int = 0
    n_excluded: int = 0
    n_unweighted: int = 0
    draws: Draws | None = None

    @property
    def rows(self) -> Rows:
        """The rows that the analysis reads: ratings or preferences."""
        return self.ratings if self.rates or self.ranks else self.preferences

    def of_kinds(self, kinds: tuple[str, ...]) -> Observed:
        """Return only the rows of items of these kinds."""
        codes = [KINDS.index(kind) for kind in kinds]
        return self._where(lambda rows: rows.among("kind", codes))

    def of_dimension(self, slug: str) -> Observed:
        """Return only the ratings on one dimension. Raise ValueError, naming the existing
        dimensions, for another."""
        code = [d.slug for d in self.dimensions].index(checked(slug, self.dimensions))
        rows = self.ratings.among("dimension", [code])
        return dataclasses.replace(self, ratings=self.ratings[rows])

    def as_shown(self) -> Observed:
        """Return rows without the ratings that were copied to identical outputs: one answer, one
        row."""
        return dataclasses.replace(self, ratings=self.ratings[self.ratings.among("copy", [0])])

    def regular_first(self) -> Observed:
        """Return the same rows in the order of `regular_first`."""
        ratings, preferences = (
            rows[regular_first(rows)] if len(rows) else rows
            for rows in (self.ratings, self.preferences)
        )
        return dataclasses.replace(self, ratings=ratings, preferences=preferences)

    def by(self, wanted: Callable[[str], bool]) -> Observed:
        """Return only the rows of annotators with these aliases."""
        codes = [i for i, alias in enumerate(self.annotators.tolist()) if wanted(alias)]
        return self._where(lambda rows: np.isin(rows["annotator"], codes))

    def _where(self, keep: Callable[[Rows], np.ndarray]) -> Observed:
        return dataclasses.replace(
            self,
            ratings=self.ratings[keep(self.ratings)],
            preferences=self.preferences[keep(self.preferences)],
        )


def regular_first(rows: Rows) -> np.ndarray:
    """Return the positions of all rows, those of repeats last: for outputs that an annotator judged
    twice the first is then the regular judgment, whichever of the two the plan put first."""
    return np.argsort(rows.among("kind", [KINDS.index(Kind.REPEAT.value)]), kind="stable")


def dimensions_of(campaign: Campaign) -> tuple[Dimension, ...]:
    """Return the dimensions that have separate scores; none if outputs are compared."""
    protocol = protocol_of(campaign)
    return protocol.dimensions() if protocol.rates else ()


def checked(slug: str | None, dimensions: tuple[Dimension, ...]) -> str:
    """Return the slug, or the first dimension's for None. Raise ValueError for one that does not
    exist."""
    known = [dimension.slug for dimension in dimensions]
    if slug is None and known:
        return known[0]
    if slug not in known:
        raise ValueError(f"the dimensions are {', '.join(known) or 'none'}, not {slug!r}")
    return slug


def cached(
    selection: Selection, name: str, compute: Callable[[Observed], T], **options: object
) -> T:
    """Return ``compute(observed)``, cached until a judgment is added, with the options in the
    key."""
    return get_or_compute(
        _key(selection, name, options),
        lambda: compute(load(selection)),
        group=selection.campaign.pk,
        is_current=lambda: selection.is_current,
    )


def is_cached(selection: Selection, name: str, **options: object) -> bool:
    """Return whether `cached` would return this without computing it."""
    return has(_key(selection, name, options))


def _key(selection: Selection, name: str, options: dict[str, object]) -> str:
    text = json.dumps([selection.fingerprint, name, sorted(options.items())])
    return hashlib.sha256(text.encode()).hexdigest()


# The last few in this process: all rows by the mark of what is stored, and those that count by the
# fingerprint of the selection.
MOST_LOADED = 2
_loaded: dict[str, Observed] = {}
_narrowed: dict[str, Observed] = {}


def load(selection: Selection) -> Observed:
    """Return the judgments of a selection, of every kind of item."""
    if selection.is_everything and not selection.reweighs:
        return _load(selection)
    fingerprint = selection.fingerprint  # the kind of a system may be changed
    return _last(_narrowed, fingerprint, selection, lambda: _narrow(selection, fingerprint))


def forget() -> None:
    """Make this process read judgments again."""
    _loaded.clear()
    _narrowed.clear()


def _last(
    few: dict[str, Observed], key: str, selection: Selection, make: Callable[[], Observed]
) -> Observed:
    """Return the value in memory under `key`, or `make()`, which is then stored, unless somebody
    has answered meanwhile: a read snapshot must not find an answer that was given after it."""
    found = few.get(key)
    if found is None:
        found = make()
        if selection.is_current:
            for oldest in list(few)[: 1 - MOST_LOADED]:
                few.pop(oldest, None)
            few[key] = found
    return found


def _narrow(selection: Selection, fingerprint: str) -> Observed:
    """Return the judgments that count. All judgments of the campaign are in memory once."""
    found = _load(selection)
    if not selection.is_everything:
        found = narrowed(found, selection)
    if selection.reweighs:
        found = weighted(found, selection)
    if selection.filters.adjudicated:
        found = with_thirds(found)
    return dataclasses.replace(
        found,
        fingerprint=fingerprint,
        n_excluded=len(selection.left_out),
    )


def _load(selection: Selection) -> Observed:
    make = functools.partial(_read, selection.campaign, selection.stored)
    return _last(_loaded, selection.stored, selection, make)


def _read(campaign: Campaign, stored: str) -> Observed:
    protocol = protocol_of(campaign)
    dimensions = protocol.dimensions()
    systems = list(System.objects.filter(test_set_id=campaign.test_set_id).order_by("name"))
    system_ids = np.array([system.pk for system in systems], np.int64)
    segments = Segment.objects.filter(test_set_id=campaign.test_set_id).order_by("position")
    columns = list(zip(*segments.values_list("pk", "key", "document_id"), strict=True))
    ids, keys, documents = columns or ((), (), ())
    segment_ids = np.array(ids, np.int64)
    found = read(campaign, dimensions, segment_ids, system_ids)
    known = found.ratings.among("dimension", range(len(dimensions)))
    names = np.array([system.name for system in systems], object)
    return Observed(
        # Without dimensions, results are like those of comparisons without any rows.
        rates=protocol.rates and bool(dimensions),
        ranks=protocol.ranks,
        dimensions=dimensions,
        annotators=found.aliases,
        annotator_ids=found.users,
        system_ids=system_ids,
        system_names=names,
        segment_ids=segment_ids,
        segment_keys=np.array(keys, object),
        document_ids=np.array(documents, np.int64),
        judgments=found.judgments,
        ratings=found.ratings[known],
        preferences=found.preferences,
        fingerprint=stored,
        n_off_protocol=int((~known).sum()),
        draws=draws_of(campaign, names, system_ids, segment_ids),
    )


def narrowed(observed: Observed, selection: Selection) -> Observed:
    """Return only the rows of a selection, and only annotators who have any."""
    judgments = selection.judgment_ids()
    ratings, preferences = (
        rows[_passing(observed, rows, selection, judgments)]
        for rows in (observed.ratings, observed.preferences)
    )
    n = len(observed.annotators)
    given = np.zeros(n, bool)
    for rows in (ratings, preferences):
        given |= np.bincount(rows["annotator"], minlength=n) > 0
    codes = np.cumsum(given) - 1
    return dataclasses.replace(
        observed,
        annotators=observed.annotators[given],
        annotator_ids=observed.annotator_ids[given],
        ratings=ratings.recoded("annotator", codes),
        preferences=preferences.recoded("annotator", codes),
    )


def _passing(
    observed: Observed, rows: Rows, selection: Selection, judgments: np.ndarray | None
) -> np.ndarray:
    """Return a mask (n,) of the rows that pass a selection; judgments: for its days."""
    users = [selection.counts(user) for user in observed.annotator_ids.tolist()]
    found = rows.marked("annotator", np.array(users, bool))
    if selection.segment_ids is not None:
        found &= rows.marked("segment", np.isin(observed.segment_ids, selection.segment_ids))
    if selection.in_force:
        found &= selection.in_force.passing(
            rows,
            users=observed.annotator_ids,
            dimensions=[each.slug for each in observed.dimensions],
            segments=observed.segment_ids,
            systems=observed.system_ids,
        )
    if selection.system_ids is not None:
        wanted = np.isin(observed.system_ids, selection.system_ids)
        for name in ("system", "first", "second"):
            if name in rows:
                found &= rows.marked(name, wanted)
    kinds = selection.filters.kinds
    if kinds:
        found &= rows.among("kind", [KINDS.index(kind) for kind in kinds if kind in KINDS])
    if judgments is not None:
        found &= rows.where("judgment", lambda ids: places(ids, judgments) >= 0)
    return found


def with_thirds(observed: Observed) -> Observed:
    """Return rows with third judgments of clashes as regular ones."""
    ratings, preferences = (
        rows.replaced("kind", np.where(rows["kind"] == THIRD, REGULAR, rows["kind"]))
        for rows in (observed.ratings, observed.preferences)
    )
    return dataclasses.replace(observed, ratings=ratings, preferences=preferences)


def scored_kinds(selection: Selection) -> tuple[str, ...]:
    """Return the kinds of items whose stored rows count in scores, for code that reads no
    `Observed`."""
    return (*SCORED_KINDS, Kind.THIRD.value) if selection.filters.adjudicated else SCORED_KINDS


def weighted(observed: Observed, selection: Selection) -> Observed:
    """Return rows with the ratings of the derived dimension by the weights and the errors of the
    selection.

    A judgment imported with a score below 0 and without errors has no score by other weights, and
    is left out: ``n_unweighted`` counts them.
    """
    slug = Marking.of(selection.campaign).derived
    code = [dimension.slug for dimension in observed.dimensions].index(slug)
    is_derived = observed.ratings.among("dimension", [code])
    rows = observed.ratings[is_derived]
    errors = error_rows(selection.campaign, observed.system_ids, rows)
    penalties = np.array([counted_penalty(selection, *kind) for kind in errors.kinds])
    total = np.bincount(errors.at, weights=penalties[errors.kind], minlength=len(rows))
    is_marked = np.bincount(errors.at, minlength=len(rows)) > 0
    known = (is_marked | (rows["value"] == 0)) & ~np.isnan(total)
    value, keep = observed.ratings["value"].copy(), np.ones(len(observed.ratings), bool)
    value[is_derived], keep[is_derived] = 0.0 - np.round(total, 9), known
    return dataclasses.replace(
        observed,
        dimensions=tuple(
            dataclasses.replace(each, scale=UNBOUNDED) if each.slug == slug else each
            for each in observed.dimensions
        ),
        ratings=observed.ratings.replaced("value", value)[keep],
        n_unweighted=int((~known).sum()),
    )
