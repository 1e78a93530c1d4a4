"""Sentinels for every table: columns of metrics that know nothing of translation.

Where nobody asked for their scores they are computed here from the texts. That takes a fraction of
a second, and is remembered until a text changes.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from judgments.models import TestSet
from metrics.models import MetricScore
from metrics.scorers import SCORERS, count_references, get_scorer
from metrics.scores.tables import MetricColumn, new_column
from metrics.scoring.parts import CannotScore, Inputs, names_for, score_texts
from metrics.scoring.texts import SourceTexts, load_outputs, load_sources

# The family of metrics that know nothing of translation.
FAMILY = "Sentinels"
SENTINELS = ("length_ratio", "source_length", "random")
NO_TIME = datetime(1970, 1, 1, tzinfo=UTC)


def is_sentinel(column: MetricColumn) -> bool:
    return SCORERS[column.metric].family == FAMILY


def missing(columns: Iterable[MetricColumn]) -> list[str]:
    """Return the sentinels that no column has, in order."""
    there = {column.metric for column in columns}
    return [slug for slug in SENTINELS if slug not in there]


@dataclass
class SentinelTexts:
    """The texts of a test set, read once for all sentinels when the first one asks."""

    test_set: TestSet

    @cached_property
    def sources(self) -> SourceTexts:
        return load_sources(self.test_set, self.test_set.reference_names)

    @cached_property
    def outputs(self) -> dict[int, list[str | None]]:
        systems = self.test_set.systems.without_copies()
        return load_outputs(self.sources, list(systems.values_list("pk", flat=True)))

    def inputs(self, system_id: int, names: list[str]) -> Inputs:
        """Return what a sentinel reads: all references or, without names, none."""
        known = self.sources
        references = known.references if names else []
        # These scores are not stored, and remembered under the texts: they need no hash.
        return Inputs(self.outputs[system_id], known.sources, names, references, texts_hash="")


def computed(texts: SentinelTexts, slug: str) -> dict[int, dict[str, Any]]:
    """Return the fields of a sentinel's scores by system; systems that it cannot score are left
    out, and there are none where the metric needs texts and the test set has none."""
    scorer, test_set = get_scorer(slug), texts.test_set
    names = names_for(scorer, test_set, test_set.reference_names)
    if scorer.needs_references and not names:
        return {}
    if (scorer.needs_references or scorer.needs_sources) and not test_set.has_texts:
        return {}
    found = {}
    for pk in texts.outputs:
        inputs = texts.inputs(pk, names)
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
    """Return the computed scores as a column, of rows that are not stored; None without any."""
    rows = {
        pk: MetricScore(test_set=test_set, system_id=pk, created_at=NO_TIME, **fields)
        for pk, fields in scores.items()
    }
    if not rows:
        return None
    column = new_column(next(iter(rows.values())))
    column.scores.update(rows)
    return column
