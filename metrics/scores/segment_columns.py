"""Metrics segment by segment, for the segments of a campaign: scores, and what words tell."""

from collections.abc import Mapping, Sequence
from hashlib import sha256

import numpy as np
from django.db.models import Count, Max
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from judgments.models import Segment, TestSet
from judgments.results.observations.outside_scores import BroughtScores, Finding
from judgments.web.cache import code_mark, get_or_compute
from judgments.web.tables import figure
from metrics.models import MetricScore
from metrics.scorers.diagnostic import diagnose_all
from metrics.scores.controls import signature_of
from metrics.scores.tables import score_table, segment_matrix
from metrics.scoring.languages import suggested_tokenizer


def segment_scores(test_set: TestSet) -> list[BroughtScores]:
    """Return the columns of the table of metrics that have scores of segments; kept until a score
    is added or taken away, because the table takes hundreds of rows to read."""
    key = _key(test_set)
    return get_or_compute(
        key,
        lambda: columns_of_segments(test_set),
        group=-test_set.pk,
        is_current=lambda: _key(test_set) == key,
    )


def _key(test_set: TestSet) -> str:
    facts = [test_set.pk, get_language(), test_set.segments.count(), code_mark()]
    stored = MetricScore.objects.filter(test_set=test_set)
    facts += stored.aggregate(n=Count("pk"), last=Max("pk"), at=Max("created_at")).values()
    return sha256(f"segment columns {facts}".encode()).hexdigest()


def columns_of_segments(test_set: TestSet) -> list[BroughtScores]:
    table = score_table(test_set, check_stale=False)
    found = []
    for column in table.columns:
        system_ids = sorted(column.scores)
        values = segment_matrix(column, system_ids, table.n_segments)
        if not np.isnan(values).all():
            found.append(
                BroughtScores(
                    slug=column.slug,
                    signature=signature_of(column),
                    title=column.title,
                    higher_is_better=column.higher_is_better,
                    system_ids=np.array(system_ids, np.int64),
                    values=values,
                    places=max(column.places - 1, 1),
                )
            )
    return found


def diagnoses(
    test_set: TestSet, segment: Segment, outputs: Mapping[int, str], references: Sequence[str]
) -> dict[int, Finding]:
    """Return what n-grams and edits say of outputs, by system; nothing without references."""
    if not references or not outputs:
        return {}
    tokenize = suggested_tokenizer(test_set.target_language)
    found = {}
    every = diagnose_all([*outputs.values()], references, tokenize=tokenize, lowercase=True)
    for system, result in zip(outputs, every, strict=True):
        known = {"label": _(result.label), "difference": figure(result.difference, 2)}
        found[system] = Finding(
            _("NEVA − WAFT %(difference)s: %(label)s") % known,
            reverse("metric-diagnostic", args=[test_set.pk, segment.pk, system]),
            _("N-grams, edits and diagnosis"),
        )
    return found
