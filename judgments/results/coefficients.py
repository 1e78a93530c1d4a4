"""Which coefficients of agreement are computed from a sample of values, and under which names."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

import numpy as np

from judgments.stats.agreement import (
    Agreement,
    agreement_matrix,
    alpha_from_long,
    collapse_repeats,
    pairwise_cohen_kappa,
    uniform_kappa,
)

MAX_CATEGORIES = 11  # a scale with more values is read as a measure, not as categories
MIN_SHARED = 10  # items that two annotators must share to be compared with each other
MAX_RATING_PAIRS = 5_000_000


@dataclass(frozen=True)
class Coefficient:
    """A coefficient as it is shown: its name, how it reads the data, and the result."""

    slug: str
    name: str
    reading: str
    result: Agreement


@dataclass(frozen=True)
class Sample:
    """What coefficients are computed from, (n,) each: one value of an annotator for an item."""

    item: np.ndarray
    annotator: np.ndarray
    value: np.ndarray
    cluster: np.ndarray

    def once(self, how: str) -> Sample:
        """One value per item and annotator: their mean, or the first."""
        item, annotator, value = collapse_repeats(self.item, self.annotator, self.value, how=how)
        items, at = np.unique(self.item, return_index=True)
        return Sample(item, annotator, value, self.cluster[at[np.searchsorted(items, item)]])

    def from_both_sides(self) -> Sample:
        """Comparisons of a with b, and the same as comparisons of b with a.

        Which of two systems is called the first is our choice; counted from both sides it has no
        part in how often "the first is better" is expected by chance.
        """
        other = self.item + self.item.max(initial=0) + 1
        return Sample(
            np.concatenate([self.item, other]),
            np.tile(self.annotator, 2),
            np.concatenate([self.value, -self.value]),
            np.tile(self.cluster, 2),
        )


def halved(coefficient: Coefficient) -> Coefficient:
    """A coefficient of comparisons from both sides, with the counts of one side."""
    found = coefficient.result
    counts = {name: getattr(found, name) // 2 for name in ("n_items", "n_pairs", "n_agreeing")}
    reading = coefficient.reading
    if coefficient.slug != "uniform":
        reading += ", each comparison from both sides"
    return dataclasses.replace(
        coefficient, reading=reading, result=dataclasses.replace(found, **counts)
    )


def _alpha(once: Sample, level: str, options: dict) -> Coefficient:
    result = alpha_from_long(
        once.item, once.annotator, once.value, level, clusters=once.cluster, **options
    )
    return Coefficient("alpha", "Krippendorff's alpha", f"{level} scale", result)


def _uniform(sample: Sample, k: int, which: str, options: dict) -> Coefficient:
    result = uniform_kappa(
        sample.item,
        sample.annotator,
        sample.value,
        k=k,
        which=which,
        clusters=sample.cluster,
        **options,
    )
    return Coefficient("uniform", "Kappa with uniform chance", f"chance 1/{k}, WMT07", result)


def categories(once: Sample, k: int, level: str, options: dict) -> tuple[Coefficient, ...]:
    """Alpha, uniform kappa and Cohen's kappa of values on a scale of k categories."""
    name, reading = "Cohen's kappa", "pooled over pairs of annotators by shared items"
    sizes = np.unique(once.item, return_counts=True)[1].astype(np.int64)
    if (sizes * (sizes - 1) // 2).sum() > MAX_RATING_PAIRS:
        reason = "more than five million pairs of ratings: read alpha"
        cohen = Agreement(name, math.nan, reason=reason)
    else:
        cohen = pairwise_cohen_kappa(
            once.item, once.annotator, once.value, clusters=once.cluster, **options
        )
    return (
        _alpha(once, level, options),
        _uniform(once, k, "cross", options),
        Coefficient("cohen", name, reading, cohen),
    )


def measures(once: Sample, level: str, options: dict) -> tuple[Coefficient, ...]:
    """Alpha, and the mean correlation of two annotators, of values on a long scale."""
    matrix = agreement_matrix(
        once.item, once.annotator, once.value, measure="pearson", min_shared=2 * MIN_SHARED
    )
    found = matrix.pairs()
    reason = matrix.reason if not len(found) else ""
    mean = float(found.mean()) if len(found) else math.nan
    reading = f"mean over {len(found)} pairs of annotators with {2 * MIN_SHARED} shared items"
    defined = ~np.isnan(matrix.estimate)
    pearson = Agreement(
        "pearson",
        mean,
        n_annotators=int(defined.any(axis=1).sum()),
        n_pairs=int(matrix.n_shared[defined].sum() // 2),
        reason=reason,
    )
    why = "a scale of more than eleven values has no categories"
    nothing = Agreement("kappa", math.nan, reason=why)
    return (
        _alpha(once, level, options),
        Coefficient("pearson", "Pearson's correlation", reading, pearson),
        Coefficient("uniform", "Kappa with uniform chance", "WMT07", nothing),
        Coefficient("cohen", "Cohen's kappa", "", nothing),
    )


def repeats(sample: Sample, k: int, options: dict) -> tuple[Coefficient, ...]:
    """Agreement of annotators with themselves; empty when nobody judged anything twice."""
    own = sample.item * (int(sample.annotator.max(initial=0)) + 1) + sample.annotator
    order = np.argsort(own, kind="stable")
    _, start, size = np.unique(own[order], return_index=True, return_counts=True)
    if not (size > 1).any():
        return ()
    if k <= MAX_CATEGORIES:
        return (_uniform(sample, k, "own", options),)
    time = np.empty(len(own), np.int64)
    time[order] = np.arange(len(own)) - np.repeat(start, size)
    result = alpha_from_long(
        own, time, sample.value, "interval", clusters=sample.cluster, **options
    )
    annotators = len(np.unique(sample.annotator[order][np.repeat(size > 1, size)]))
    result = dataclasses.replace(result, n_annotators=annotators)
    reading = "an annotator's repeats, interval scale"
    return (Coefficient("alpha", "Krippendorff's alpha", reading, result),)
