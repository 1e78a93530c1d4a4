"""Where references come from, as far as the texts tell: which system's output they are closest to,
and whether they are post-edits of one."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from judgments.models import TestSet
from judgments.models.moments import connection_to_read
from metrics.scorers.base import Stream
from metrics.scorers.word_figures import WordFigures

# WAFT points by which a reference is nearer to one system than to any other before the page warns.
# A convention of ours: independent translations of one reference differ by less between systems.
SUSPICIOUS = 10.0
# The name of a set of post-edits that a campaign handed over ends with its number.
CAMPAIGN = re.compile(r"\[(\d+)\](?: \(\d+\))?$")

SAME_TEXTS = """SELECT r.name, s.name, count(DISTINCT r.id)
    FROM judgments_reference r
    JOIN judgments_segment g ON g.id = r.segment_id AND g.test_set_id = %s
    JOIN judgments_output o ON o.segment_id = g.id
    JOIN judgments_targetedreference t ON t.output_id = o.id AND t.text = r.text
    JOIN judgments_system s ON s.id = o.system_id
    GROUP BY r.name, s.name"""
SETS = """SELECT t.name, s.name, count(*)
    FROM judgments_targetedreference t
    JOIN judgments_output o ON o.id = t.output_id
    JOIN judgments_system s ON s.id = o.system_id AND s.test_set_id = %s
    GROUP BY t.name, s.name ORDER BY t.name, s.name"""


@dataclass(frozen=True)
class Provenance:
    """One reference. ``nearest``: the index of the system with the highest WAFT against it,
    ``waft``; ``second``: the next one's; ``n_same`` of its ``n`` segments are the very output of
    that system. ``edited``: systems whose post-edits have the same texts, with how many."""

    reference: int
    n: int
    nearest: int
    waft: float
    second: float
    n_same: int
    edited: tuple[tuple[str, int], ...]

    @property
    def is_suspicious(self) -> bool:
        """Whether it may favor a system."""
        return self.waft - self.second >= SUSPICIOUS or bool(self.edited)


@dataclass(frozen=True)
class PostEditSet:
    """Post-edits of one system's outputs under one name; ``campaign``: that handed them over."""

    name: str
    system: str
    n: int

    @property
    def campaign(self) -> int | None:
        found = CAMPAIGN.search(self.name)
        return int(found[1]) if found else None


def post_edit_sets(test_set: TestSet) -> list[PostEditSet]:
    return [PostEditSet(*row) for row in _rows(SETS, test_set)]


def provenance_of(
    test_set: TestSet,
    names: Sequence[str],
    references: Sequence[Stream],
    systems: Sequence[Stream],
    figures: Sequence[WordFigures],
) -> list[Provenance]:
    """Return for every reference that has a text. ``figures``: of each system."""
    edited: dict[str, list[tuple[str, int]]] = {}
    for name, system, n in _rows(SAME_TEXTS, test_set):
        edited.setdefault(name, []).append((system, n))
    found = []
    for r, (name, stream) in enumerate(zip(names, references, strict=True)):
        closeness = np.array([each.closeness[r] for each in figures])
        order = np.argsort(-np.nan_to_num(closeness, nan=-1.0))
        n = sum(text is not None for text in stream)
        nearest = int(order[0]) if len(order) else -1
        same = 0
        if nearest >= 0:
            pairs = zip(stream, systems[nearest], strict=True)
            same = sum(text is not None and text == output for text, output in pairs)
        waft, second = (
            float(closeness[order[place]]) if len(order) > place else float("nan")
            for place in (0, 1)
        )
        of_post_edits = tuple(sorted(edited.get(name, ()), key=lambda each: -each[1]))
        found.append(Provenance(r, n, nearest, waft, second, same, of_post_edits))
    return found


def _rows(sql: str, test_set: TestSet) -> list[tuple]:
    with connection_to_read().cursor() as cursor:
        cursor.execute(sql, [test_set.pk])
        return cursor.fetchall()
