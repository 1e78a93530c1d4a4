"""Scores of marked errors by other weights than those with which they were stored, or of some of
the errors only."""

from __future__ import annotations

import dataclasses
import math
from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np
from django.db.models import Count

from judgments.models import ErrorSpan
from judgments.protocols.base import Scale
from judgments.protocols.spans.marking import Marking
from judgments.stats.mqm import Scheme, normalized

from .rows import error_rows

if TYPE_CHECKING:
    from ..observations.observations import Observed
    from ..selection.selection import Selection

UNBOUNDED = Scale(None, 0, None, kind="interval", widget="slider")


def weighted(observed: Observed, selection: Selection) -> Observed:
    """With the ratings of the derived dimension by the weights and the errors of the selection.

    A judgment that came with a score below 0 and without errors has none by other weights, and is
    left out: ``n_unweighted`` says how many.
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


def penalty(scheme: Scheme, severity: str, category: str) -> float:
    """The penalty of an error; NaN for a severity that the scheme does not know."""
    try:
        return scheme.penalty(severity, category)
    except ValueError:
        return math.nan


def counted_penalty(selection: Selection, severity: str, category: str) -> float:
    """The penalty of an error in a selection, both names normalized: 0 for one that it does not
    count."""
    counts = selection.errors.let(severity, category)
    return penalty(selection.scheme, severity, category) if counts else 0.0


def weighted_scores(selection: Selection, judgments: list[int]) -> dict[tuple[int, int], float]:
    """Scores of a few judgments, by judgment and output, where errors are marked."""
    totals: defaultdict[tuple[int, int], float] = defaultdict(float)
    counted = ErrorSpan.objects.filter(judgment__in=judgments).order_by()
    columns = ("judgment_id", "output_id", "severity", "category")
    for judgment, output, *kind, n in counted.values_list(*columns).annotate(n=Count("pk")):
        totals[judgment, output] += n * counted_penalty(selection, *map(normalized, kind))
    return {key: 0.0 - round(total, 9) for key, total in totals.items()}
