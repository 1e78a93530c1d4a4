"""Comparisons of two outputs, from preferences or expanded from rankings, in one form."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from judgments.results.observations.observations import Observed
from judgments.stats.agreement import expand_rankings
from judgments.stats.coefficients import narrow


@dataclass(frozen=True)
class Pairs:
    """One comparison a row, (n,) each: codes of annotator, segment, and of the systems in the order
    of the screen; ``label`` is +1 where the first is better, -1 where the second is, else 0.
    ``row`` is where in ``Observed.rows`` it comes from."""

    annotator: np.ndarray
    segment: np.ndarray
    first: np.ndarray
    second: np.ndarray
    label: np.ndarray
    row: np.ndarray


def pairs_of(observed: Observed) -> Pairs:
    """Return the comparisons of a campaign of preferences or ranks. Raise ValueError for
    ratings."""
    if observed.rates:
        raise ValueError("ratings of single outputs are not comparisons")
    rows = observed.rows
    if not observed.ranks:
        fields = ("annotator", "segment", "first", "second", "label")
        columns = {field: np.ascontiguousarray(rows[field]) for field in fields}
        columns["row"] = np.arange(len(rows), dtype=np.int32)
        return Pairs(**columns)
    systems = rows["system"].astype(np.int32)  # millions of pairs follow
    expanded = expand_rankings(rows["judgment"], systems, rows["value"], rows["position"])
    row = rows[expanded.row]
    annotator = narrow(row["annotator"], len(observed.annotators))
    segment = narrow(row["segment"], len(observed.segment_ids))
    return Pairs(annotator, segment, expanded.first, expanded.second, expanded.label, expanded.row)
