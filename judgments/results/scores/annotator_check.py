"""The check by which WMT26 left annotators out of its rankings, because their differences between
systems are unusual. It only affects figures that request it: nobody is excluded from the
campaign."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from judgments.results.observations.observations import SCORED_KINDS, Observed
from judgments.stats.coefficients import key_of
from judgments.stats.pairwise_probability import (
    FEWEST_ITEMS,
    THRESHOLD,
    pairwise_probabilities,
)


@dataclass(frozen=True)
class AnnotatorCheck:
    """``left_out``: the aliases of those below ``threshold``, each with the mean pairwise
    probability, lowest first. ``n_checked`` of ``n_annotators`` rated two systems side by side, and
    at least ``fewest`` documents; items (``unit``) if the test set is one document."""

    left_out: tuple[tuple[str, float], ...]
    n_checked: int
    n_annotators: int
    unit: str
    threshold: float = THRESHOLD
    fewest: int = FEWEST_ITEMS

    @property
    def leaves_nobody(self) -> bool:
        """Whether every annotator was left out."""
        return 0 < self.n_annotators == len(self.left_out)


def checked_annotators(observed: Observed, slug: str) -> tuple[Observed, AnnotatorCheck]:
    """Return the rows without those of annotators who are left out by their ratings on a dimension,
    and the result of the check.

    A screen of WMT26 holds a whole document and counts as an item there; here a screen may hold one
    segment, so documents are counted. Systems are together on a screen if a judgment rates both
    on one segment.
    """
    rows = observed.of_dimension(slug).of_kinds(SCORED_KINDS).ratings
    segment = rows["segment"]
    has_documents = len(observed.document_ids) > 0 and np.ptp(observed.document_ids) > 0
    found = pairwise_probabilities(
        rows["value"],
        rows["annotator"],
        rows["system"],
        screens=key_of(rows["judgment"], len(observed.segment_ids), segment),
        items=observed.document_ids[segment] if has_documents else rows["judgment"],
    )
    kept = np.ones(len(observed.annotators), bool)
    kept[found.annotators[found.is_below]] = False
    left_out = [
        (str(observed.annotators[code]), float(mean))
        for code, mean in zip(found.annotators, found.mean, strict=True)
        if not kept[code]
    ]
    check = AnnotatorCheck(
        left_out=tuple(sorted(left_out, key=lambda one: (one[1], one[0]))),
        n_checked=int(found.is_checked.sum()),
        n_annotators=len(found.annotators),
        unit="documents" if has_documents else "items",
    )
    ratings = observed.ratings[observed.ratings.marked("annotator", kept)]
    return dataclasses.replace(observed, ratings=ratings), check
