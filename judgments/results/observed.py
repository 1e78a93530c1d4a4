"""The current judgments of a campaign as arrays, and the key under which results are cached."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np
from django.db import connection

from judgments.models import Campaign, Kind, Segment, System
from judgments.protocols import protocol_of
from judgments.protocols.base import Dimension

from .exclusion import choose, left_out
from .kept import code_mark, keep
from .rows import Rows
from .stored import KINDS, read

SEED = 20070623
RESAMPLES = 1000
HELD = "held_fingerprint"
# Degraded copies and references say something about annotators, not about systems.
SCORED_KINDS = (Kind.REGULAR.value, Kind.REPEAT.value)

T = TypeVar("T")


@dataclass(frozen=True)
class Observed:
    """Current judgments (no revision supersedes them) in rows, and what their codes stand for.

    ``ratings`` (n,) has the fields id, judgment, annotator, item, segment, system, dimension, kind,
    value, active_ms (-1: unknown), position (on the screen; 0 unless outputs were ranked), copy (1:
    the output was not shown itself, because another one of the screen read the same);
    ``preferences`` (n,) has first, second and label (+1: first is better, 0: neither, -1: second is
    better) in the place of system, dimension and value. annotator, segment, system, first and
    second index ``annotators`` (aliases; ``annotator_ids`` are the users), ``segment_ids`` and
    ``system_ids``; dimension indexes ``dimensions``, and kind ``KINDS``. Rows are in the order
    in which they were stored. ``analysis`` is "ratings", "preferences" or "ranks".
    ``n_off_protocol`` ratings on dimensions that are not asked (any more) are left out;
    ``n_excluded`` annotators are by decision.
    """

    analysis: str
    dimensions: tuple[Dimension, ...]
    annotators: np.ndarray
    annotator_ids: np.ndarray
    system_ids: np.ndarray
    system_names: np.ndarray
    segment_ids: np.ndarray
    segment_keys: np.ndarray
    document_ids: np.ndarray
    ratings: Rows
    preferences: Rows
    fingerprint: str
    n_off_protocol: int = 0
    n_excluded: int = 0

    @property
    def rows(self) -> Rows:
        """The rows that the analysis reads: ratings or preferences."""
        return self.preferences if self.analysis == "preferences" else self.ratings

    def of_kinds(self, kinds: tuple[str, ...]) -> Observed:
        """Only the rows of items of these kinds."""
        codes = [KINDS.index(kind) for kind in kinds]
        return self._where(lambda rows: rows.among("kind", codes))

    def of_dimension(self, slug: str) -> Observed:
        """Only the ratings on one dimension. ValueError names the dimensions there are."""
        code = [d.slug for d in self.dimensions].index(checked(slug, self.dimensions))
        keep = self.ratings.among("dimension", [code])
        return dataclasses.replace(self, ratings=self.ratings[keep])

    def as_shown(self) -> Observed:
        """Without the ratings that were copied to identical outputs: one answer, one row."""
        return dataclasses.replace(self, ratings=self.ratings[self.ratings.among("copy", [0])])

    def by(self, wanted: Callable[[str], bool]) -> Observed:
        """Only the rows of annotators whose alias is wanted."""
        codes = [i for i, alias in enumerate(self.annotators.tolist()) if wanted(alias)]
        return self._where(lambda rows: np.isin(rows["annotator"], codes))

    def _where(self, keep: Callable[[Rows], np.ndarray]) -> Observed:
        return dataclasses.replace(
            self,
            ratings=self.ratings[keep(self.ratings)],
            preferences=self.preferences[keep(self.preferences)],
        )


def dimensions_of(campaign: Campaign) -> tuple[Dimension, ...]:
    """The dimensions that have scores of their own; none where outputs are compared."""
    protocol = protocol_of(campaign)
    return protocol.dimensions() if protocol.analysis == "ratings" else ()


def checked(slug: str | None, dimensions: tuple[Dimension, ...]) -> str:
    """The slug, or the first dimension's for None. ValueError for one that is not there."""
    known = [dimension.slug for dimension in dimensions]
    if slug is None and known:
        return known[0]
    if slug not in known:
        raise ValueError(f"the dimensions are {', '.join(known) or 'none'}, not {slug!r}")
    return slug


def fingerprint(campaign: Campaign) -> str:
    """Changes whenever the campaign's results may: three statements, whatever is stored.

    Judgments are only ever added, and the texts that were judged stay as they are. So the number
    of judgments and the last one tell of any change; its key, which no other has, tells it from
    one of the same number in a database that was brought back from a copy. docs/decisions/0009.
    """
    return _state(campaign).mark


FACTS = """
    SELECT judged.n, judged.last,
        (SELECT client_key::text FROM judgments_judgment WHERE id = judged.last),
        (SELECT count(*) FROM judgments_segment WHERE test_set_id = %(test_set)s),
        (SELECT array_agg(name::text ORDER BY id) FROM judgments_system
            WHERE test_set_id = %(test_set)s),
        (SELECT target_language::text FROM judgments_testset WHERE id = %(test_set)s)
    FROM (SELECT count(*) AS n, max(id) AS last FROM judgments_judgment
        WHERE campaign_id = %(campaign)s) judged
"""


class State(NamedTuple):
    """What results are computed from: the fingerprint, and the annotators who are left out."""

    mark: str
    without: tuple[int, ...]


def _state(campaign: Campaign) -> State:
    held = getattr(campaign, HELD, None)
    if held is not None:
        return held
    without = left_out(campaign)
    with connection.cursor() as cursor:
        cursor.execute(FACTS, {"campaign": campaign.pk, "test_set": campaign.test_set_id})
        facts = cursor.fetchone()
    aliases = sorted(campaign.memberships.order_by().values_list("user_id", "alias"))
    known = [campaign.pk, campaign.created_at.isoformat(), campaign.protocol, campaign.preset]
    known += [campaign.test_set_id, campaign.options, facts, aliases, without, code_mark()]
    mark = hashlib.sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()
    return State(mark, without)


def hold(campaign: Campaign, annotators: str = "kept") -> Campaign:
    """From here on all results of this object are of the judgments stored now.

    For a page or a file with several results: they fit each other, and the question whether
    anything has changed is asked once. ``annotators``: "kept" leaves out those whom the owners
    excluded, as results do by default; "all" does not.
    """
    choose(campaign, annotators)
    setattr(campaign, HELD, None)
    setattr(campaign, HELD, _state(campaign))
    return campaign


def is_held(campaign: Campaign) -> bool:
    """Whether all results of this object are of the same judgments, by `hold`."""
    return getattr(campaign, HELD, None) is not None


def cached(campaign: Campaign, name: str, compute: Callable[[Observed], T], **options: object) -> T:
    """``compute(observed)``, kept until a judgment is added, with the options in the key."""
    state = _state(campaign)
    text = json.dumps([state.mark, name, sorted(options.items())])
    key = hashlib.sha256(text.encode()).hexdigest()
    return keep(key, lambda: compute(_load(campaign, *state)), group=campaign.pk)


def load(campaign: Campaign) -> Observed:
    """All current judgments of a campaign, of every kind of item."""
    return _load(campaign, *_state(campaign))


@functools.lru_cache(maxsize=2)
def _load(campaign: Campaign, mark: str, without: tuple[int, ...]) -> Observed:
    protocol = protocol_of(campaign)
    dimensions = protocol.dimensions()
    systems = list(System.objects.filter(test_set_id=campaign.test_set_id).order_by("name"))
    system_ids = np.array([system.pk for system in systems], np.int64)
    segments = Segment.objects.filter(test_set_id=campaign.test_set_id).order_by("position")
    columns = list(zip(*segments.values_list("pk", "key", "document_id"), strict=True))
    ids, keys, documents = columns or ((), (), ())
    segment_ids = np.array(ids, np.int64)
    stored = read(campaign, dimensions, without, segment_ids, system_ids)
    known = stored.ratings.among("dimension", range(len(dimensions)))
    # Without ratings or comparisons, results are like those of comparisons of which there are none.
    asks = dimensions or protocol.analysis in ("ranks", "preferences")
    return Observed(
        analysis=protocol.analysis if asks else "preferences",
        dimensions=dimensions,
        annotators=stored.aliases,
        annotator_ids=stored.users,
        system_ids=system_ids,
        system_names=np.array([system.name for system in systems], object),
        segment_ids=segment_ids,
        segment_keys=np.array(keys, object),
        document_ids=np.array(documents, np.int64),
        ratings=stored.ratings[known],
        preferences=stored.preferences,
        fingerprint=mark,
        n_off_protocol=int((~known).sum()),
        n_excluded=len(without),
    )
