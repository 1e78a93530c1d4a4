"""Sentinels for every table: columns of metrics that know nothing of translation.

Where nobody asked for their scores they are computed here from the texts. That takes a fraction of
a second, and is remembered until a text changes.
"""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from judgments.models import TestSet
from metrics.models import MetricScore
from metrics.scorers import SCORERS, count_references, get_scorer
from metrics.scores.tables import MetricColumn, new_column
from metrics.scoring.parts import Bench, CannotScore, inputs_of, names_for, score_texts

# The family of metrics that know nothing of translation.
FAMILY = "Sentinels"
SENTINELS = ("length_ratio", "source_length", "random")
NO_TIME = datetime(1970, 1, 1, tzinfo=UTC)


def is_sentinel(column: MetricColumn) -> bool:
    return SCORERS[column.metric].family == FAMILY


def missing(columns: Iterable[MetricColumn]) -> list[str]:
    """The sentinels that no column has, in order."""
    there = {column.metric for column in columns}
    return [slug for slug in SENTINELS if slug not in there]


def computed(test_set: TestSet, slug: str) -> dict[int, dict[str, Any]]:
    """The fields of a sentinel's scores by system; systems that it cannot score are left out, and
    there are none where the metric needs texts and the test set has none."""
    scorer, bench = get_scorer(slug), Bench()
    names = names_for(scorer, test_set, test_set.reference_names)
    if scorer.needs_references and not names:
        return {}
    if (scorer.needs_references or scorer.needs_sources) and not test_set.has_texts:
        return {}
    system_ids = list(test_set.systems.without_copies().values_list("pk", flat=True))
    found = {}
    for pk, inputs in inputs_of(bench, test_set, system_ids, names, False).items():
        n = count_references(inputs.references) if inputs.references else 0
        try:
            fields = score_texts(scorer, inputs, "")
        except CannotScore:  # a system without an output
            continue
        found[pk] = fields | {
            "references": names,
            "metric": slug,
            "options": scorer.options(),
            "signature": f"{scorer.label}|{scorer.signature(n)}",
            "segment_signature": f"{scorer.label}|{scorer.signature(n, level='segment')}",
        }
    return found


def column_of(test_set: TestSet, scores: dict[int, dict[str, Any]]) -> MetricColumn | None:
    """The computed scores as a column, of rows that are not stored; None without any."""
    rows = {
        pk: MetricScore(test_set=test_set, system_id=pk, created_at=NO_TIME, **fields)
        for pk, fields in scores.items()
    }
    if not rows:
        return None
    column = new_column(next(iter(rows.values())))
    column.scores.update(rows)
    return column
