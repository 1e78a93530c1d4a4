"""The values that each annotator gave, as histograms on one axis, raw or standardized.

As in Koehn's lectures on evaluation, where the histograms of five people who judged adequacy stand
side by side: how far people differ in what they call a 3 is seen before any coefficient.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from django.utils.translation import gettext_noop

from judgments.protocols.base import Scale
from judgments.results.observations.observations import (
    KINDS,
    SCORED_KINDS,
    Observed,
    cached,
    checked,
    dimensions_of,
)
from judgments.results.observations.rows import Rows
from judgments.results.scores.figures import METHODS, standardized
from judgments.results.selection.selection import Selection
from judgments.stats.quality_control import spread

MOST_VALUES = 21  # of a scale whose values have a bar each
BINS = 20
MOST_Z = 3.0
LONG_TAIL = 0.01  # of the values lies beyond the end of a scale that has none
ANSWERS = (gettext_noop("second better"), gettext_noop("equal"), gettext_noop("first better"))
Z = Scale(-MOST_Z, MOST_Z, None, kind="interval", widget="slider")
SCORED = tuple(KINDS.index(kind) for kind in SCORED_KINDS)


@dataclass(frozen=True)
class Evaluator:
    """``n`` values that an annotator gave, with their mean and sample standard deviation, always
    raw; ``counts`` (k,) by bins, and of each the lowest and highest raw value in it (NaN: none).
    ``reason`` says why they could not be standardized."""

    user: int
    alias: str
    n: int
    mean: float
    sd: float
    counts: tuple[int, ...]
    lowest: tuple[float, ...]
    highest: tuple[float, ...]
    reason: str = ""


@dataclass(frozen=True)
class EvaluatorsReport:
    """Annotators by rising mean. ``edges`` (k + 1,) of the bins that all share, each without its
    upper end, the last one with it. ``beyond``: whether some values lie outside of them, which the
    outermost bins hold too. ``ticks``: the values that have a bar of their own, if they do,
    and ``labels`` what these are called. ``values`` is "raw" or "z"; ``dimension`` is "" for ranks
    and comparisons, which ``name`` tells apart."""

    dimension: str
    name: str
    values: str
    edges: np.ndarray
    beyond: bool
    ticks: tuple[float, ...]
    labels: tuple[str, ...]
    annotators: tuple[Evaluator, ...]


def evaluators(
    selection: Selection, dimension: str | None = None, values: str = "raw"
) -> EvaluatorsReport:
    """Return the histograms of a selection's annotators: regular items and repeats, one value for
    each output that was shown. ``dimension`` None is the first; ranks and comparisons have none,
    and no z. Raise ValueError for other dimensions and values."""
    dimensions = dimensions_of(selection.campaign)
    if values not in (METHODS if dimensions else METHODS[:1]):
        raise ValueError(f"values is raw{' or z' if dimensions else ''} here, not {values[:40]!r}")
    slug = checked(dimension, dimensions) if dimensions else ""
    options = {"dimension": slug, "values": values}
    return cached(selection, "evaluators", lambda o: evaluators_of(o, **options), **options)


def evaluators_of(observed: Observed, dimension: str, values: str = "raw") -> EvaluatorsReport:
    """`evaluators` of rows that were loaded."""
    reasons: dict[int, str] = {}
    labels: tuple[str, ...] = ()
    if observed.rates:
        name = next(d.name for d in observed.dimensions if d.slug == dimension)
        scale = next(d.scale for d in observed.dimensions if d.slug == dimension)
        rows, raw, shown, reasons = _ratings(observed, dimension, values)
        edges, ticks = _bins(Z if values == "z" else scale, shown)
    else:
        rows, raw = _answers(observed)
        shown, name = raw, "ranks" if observed.ranks else "comparisons"
        ticks = tuple(np.unique(raw)) if observed.ranks else (-1.0, 0.0, 1.0)
        edges, labels = _around(np.array(ticks)), () if observed.ranks else ANSWERS
    beyond = bool(np.any((shown < edges[0]) | (shown > edges[-1])))
    shown = np.clip(shown, edges[0], edges[-1])
    people = _people(observed, rows["annotator"], raw, shown, edges, reasons)
    return EvaluatorsReport(
        dimension=dimension,
        name=name,
        values=values,
        edges=edges,
        beyond=beyond,
        ticks=ticks,
        labels=labels,
        annotators=tuple(sorted(people, key=lambda each: (each.mean, each.alias))),
    )


def _ratings(
    observed: Observed, dimension: str, values: str
) -> tuple[Rows, np.ndarray, np.ndarray, dict[int, str]]:
    """Return the rows of a dimension, their values raw and as asked, and by annotator why there is
    no z. Standardized as scores are, and then one for each output that was shown."""
    everything, scaled = standardized(observed, dimension, values, "regular")
    rows = everything.ratings
    keep = rows.among("kind", SCORED) & rows.among("copy", [0])
    return rows[keep], rows["value"][keep], scaled.values[keep], scaled.excluded


def _answers(observed: Observed) -> tuple[Rows, np.ndarray]:
    """Return ranks, or preferences as they looked on the screen: 1 where the first was better."""
    rows = observed.of_kinds(SCORED_KINDS).as_shown().rows
    return rows, rows["value" if observed.ranks else "label"].astype(np.float64)


def _bins(scale: Scale, values: np.ndarray) -> tuple[np.ndarray, tuple[float, ...]]:
    """Return the edges of bins, and the values with a bar each: all of a short scale, or none, and
    then about twenty bins of a round width, from end to end of the scale. Where it has no end, one
    in a hundred values lies outside of them."""
    if scale.n_values is not None and scale.n_values <= MOST_VALUES:
        ticks = tuple(map(float, scale.values))
        return _around(np.array(ticks)), ticks
    known = values[~np.isnan(values)]
    low, high = scale.low, scale.high
    if low is None:
        low = float(np.quantile(known, LONG_TAIL)) if len(known) else (high or 1.0) - 1
    if high is None:
        high = float(np.quantile(known, 1 - LONG_TAIL)) if len(known) else low + 1
    width = _round_width((high - low) / BINS) if high > low else 1.0
    first, last = np.floor(low / width + 1e-9), np.ceil(high / width - 1e-9)
    return np.arange(first, max(last, first + 1) + 1) * width, ()


def _round_width(width: float) -> float:
    """Return the next of 1, 2, 2.5, 5 and their tenfolds that is not less."""
    size = 10.0 ** np.floor(np.log10(width))
    return float(next(step * size for step in (1, 2, 2.5, 5, 10) if step * size >= width * 0.999))


def _around(ticks: np.ndarray) -> np.ndarray:
    """Return edges half way between values, the outer ones as far away; of one value or none,
    around 0."""
    if not len(ticks):
        return np.array([-0.5, 0.5])
    middle = (ticks[1:] + ticks[:-1]) / 2
    before = middle[0] - ticks[0] if len(middle) else 0.5
    after = ticks[-1] - middle[-1] if len(middle) else 0.5
    return np.concatenate([[ticks[0] - before], middle, [ticks[-1] + after]])


def _people(
    observed: Observed,
    annotator: np.ndarray,
    raw: np.ndarray,
    shown: np.ndarray,
    edges: np.ndarray,
    reasons: dict[int, str],
) -> list[Evaluator]:
    """Return those who gave any value. ``shown`` (n,) is counted, NaN is not."""
    found = []
    order = np.argsort(annotator, kind="stable")
    ends = np.cumsum(np.bincount(annotator, minlength=len(observed.annotators)))[:-1]
    for code, at in enumerate(np.split(order, ends)):
        if not len(at):
            continue
        counts, lowest, highest = _counted(shown[at], raw[at], edges)
        found.append(
            Evaluator(
                user=int(observed.annotator_ids[code]),
                alias=str(observed.annotators[code]),
                n=len(at),
                mean=float(raw[at].mean()),
                sd=spread(raw[at]),
                counts=tuple(counts.tolist()),
                lowest=tuple(lowest.tolist()),
                highest=tuple(highest.tolist()),
                reason=reasons.get(code, ""),
            )
        )
    return found


def _counted(
    shown: np.ndarray, raw: np.ndarray, edges: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return how many values lie in each bin (k,), and the lowest and highest raw values of
    these."""
    known = ~np.isnan(shown)
    k = len(edges) - 1
    counts, _ = np.histogram(shown[known], bins=edges)
    at = np.minimum(np.searchsorted(edges, shown[known], side="right") - 1, k - 1)
    lowest, highest = np.full(k, np.inf), np.full(k, -np.inf)
    np.minimum.at(lowest, at, raw[known])
    np.maximum.at(highest, at, raw[known])
    none = counts == 0
    lowest[none] = highest[none] = np.nan
    return counts, lowest, highest
