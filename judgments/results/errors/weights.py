"""Scores of marked errors by other weights than those with which they were stored, or of some of
the errors only."""

from __future__ import annotations

import math
from collections import defaultdict

from django.db.models import Count

from judgments.models import ErrorSpan
from judgments.stats.mqm import Scheme, normalized

from ..selection.selection import Selection


def penalty(scheme: Scheme, severity: str, category: str) -> float:
    """Return the penalty of an error; NaN for a severity that the scheme does not know."""
    try:
        return scheme.penalty(severity, category)
    except ValueError:
        return math.nan


def counted_penalty(selection: Selection, severity: str, category: str) -> float:
    """Return the penalty of an error in a selection, both names normalized: 0 for one that it does
    not count."""
    counts = selection.errors.let(severity, category)
    return penalty(selection.scheme, severity, category) if counts else 0.0


def weighted_scores(selection: Selection, judgments: list[int]) -> dict[tuple[int, int], float]:
    """Return scores of a few judgments, by judgment and output, where errors are marked."""
    totals: defaultdict[tuple[int, int], float] = defaultdict(float)
    counted = ErrorSpan.objects.filter(judgment__in=judgments).order_by()
    columns = ("judgment_id", "output_id", "severity", "category")
    for judgment, output, *kind, n in counted.values_list(*columns).annotate(n=Count("pk")):
        totals[judgment, output] += n * counted_penalty(selection, *map(normalized, kind))
    return {key: 0.0 - round(total, 9) for key, total in totals.items()}
