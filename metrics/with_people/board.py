"""The scores that metrics are judged by: stored ones and sentinels, and a mark of their state."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from typing import TypeVar

import numpy as np
from django.core.cache import cache

from judgments.models import (
    ReferenceFacts,
    SystemFacts,
    TestSet,
    facts_of,
    humans_among,
    reference_facts_of,
)
from judgments.models.moments import connection_to_read
from metrics.scores.tables import MetricColumn, ScoreTable, score_table
from metrics.scoring.parts import stale_scores
from metrics.scoring.texts import texts_mark

from . import sentinels
from .donors import donor_places

# Raised when other numbers come out of the same judgments and scores.
REVISION = 1
CACHE_SECONDS = 24 * 60 * 60

T = TypeVar("T")


# Human translations among the systems: named after a reference, or equal to one in every segment.
HUMANS = """SELECT s.id FROM judgments_system s WHERE s.test_set_id = %(test_set)s AND EXISTS (
    SELECT 1 FROM judgments_reference r
        JOIN judgments_segment g ON g.id = r.segment_id AND g.test_set_id = %(test_set)s
        LEFT JOIN judgments_output o ON o.segment_id = g.id AND o.system_id = s.id
        GROUP BY r.name
        HAVING r.name = s.name OR (count(o.id) > 0 AND bool_and(o.text = r.text)))"""


@dataclass(frozen=True, eq=False)
class Board:
    """`table`: all columns, sentinels last. `state` changes when a score, a text or who is
    or a control does. `humans`: keys of systems that are human references; `facts`: what is stated
    of systems, by their keys. `donors`: what references were made from, as `donor_places` has it.
    `whole`: the board that this one has some of the columns of."""

    table: ScoreTable
    state: str
    humans: frozenset[int]
    facts: dict[int, SystemFacts]
    whole: "Board | None" = None
    donors: dict[str, np.ndarray] = field(default_factory=dict)

    @property
    def controls(self) -> frozenset[int]:
        """Keys of the control systems of known weakness."""
        return controls_among(self.facts)

    @property
    def slugs(self) -> set[str]:
        return {column.slug for column in self.table.columns}


def board_of(
    test_set: TestSet, *, statistics: bool = False, table: ScoreTable | None = None
) -> Board:
    """Return the scores of a test set with its sentinels. What depends on the texts is computed
    once. ``table``: the scores, where the caller has read them; it stays as it is."""
    if table is None:
        table = score_table(test_set, statistics=statistics, check_stale=False)
    table = replace(table, columns=[replace(column) for column in table.columns])
    texts = texts_mark(test_set)
    by_texts = remembered(lambda: human_systems(test_set), "humans", str(test_set.pk), texts)
    facts = facts_of(test_set)
    of_references = reference_facts_of(test_set)
    humans = humans_among(facts, human_by_texts(by_texts, of_references))
    donors = donor_places(test_set, of_references, facts)
    state = state_of(table, texts, humans, controls_among(facts), donors)
    scores = [score for column in table.columns for score in column.scores.values()]
    stale = remembered(lambda: stale_scores(scores), "stale", state)
    for column in table.columns:
        column.stale = {score.pk for score in column.scores.values()} & stale
    if table.columns:
        table.columns += sentinel_columns(table, texts)
    return Board(table, state, humans, facts, donors=donors)


def sentinel_columns(table: ScoreTable, texts: str) -> list[MetricColumn]:
    """Return the sentinels that the table lacks."""
    test_set = table.test_set
    key = (str(test_set.pk), texts)
    read, found = sentinels.SentinelTexts(test_set), []
    for slug in sentinels.missing(table.columns):
        scores = remembered(partial(sentinels.computed, read, slug), slug, *key)
        found.append(sentinels.column_of(test_set, scores))
    return [column for column in found if column is not None]


def human_systems(test_set: TestSet) -> list[int]:
    with connection_to_read().cursor() as cursor:
        cursor.execute(HUMANS, {"test_set": test_set.pk})
        return [row[0] for row in cursor.fetchall()]


def human_by_texts(by_texts: list[int], facts: Mapping[str, ReferenceFacts]) -> list[int]:
    """Return for the systems that are equal to a reference those that it was not made from: where a
    reference is stated to be a system's output, the system is no human translation for that."""
    made = {each.system_id for each in facts.values()}
    return [pk for pk in by_texts if pk not in made]


def controls_among(facts: dict[int, SystemFacts]) -> frozenset[int]:
    return frozenset(pk for pk, each in facts.items() if each.is_control)


def state_of(
    table: ScoreTable,
    texts: str,
    humans: frozenset[int] = frozenset(),
    controls: frozenset[int] = frozenset(),
    donors: dict[str, np.ndarray] | None = None,
) -> str:
    """Return changes when a score is added, taken away or computed again, when a text changes, or
    when it is stated who is human, a control, or the donor of a reference."""
    parts: list[object] = [REVISION, table.test_set.pk, table.n_segments, texts, *sorted(humans)]
    parts += [f"control {pk}" for pk in sorted(controls)]
    for name, places in (donors or {}).items():
        parts.append(f"donors {name} {sha256(places.tobytes()).hexdigest()}")
    for column in table.columns:
        parts.append(column.slug)
        for system_id, score in sorted(column.scores.items()):
            parts += [system_id, score.pk, score.created_at.isoformat(), score.score]
    return digest(*map(str, parts))


def digest(*parts: str) -> str:
    return sha256("\n".join(parts).encode()).hexdigest()


def remembered(compute: Callable[[], T], *key: str) -> T:
    """Return what `compute` gives, kept under the key."""
    name = "metrics:" + digest(str(REVISION), *key)
    found = cache.get(name)
    if found is None:
        found = compute()
        cache.set(name, found, CACHE_SECONDS)
    return found
