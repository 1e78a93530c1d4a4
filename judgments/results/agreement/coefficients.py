"""Which coefficients of agreement are computed from a sample of values, and under which names."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

import numpy as np
from django.utils.translation import gettext_noop

from judgments.stats.agreement import (
    Agreement,
    AgreementMatrix,
    fleiss_kappa,
    icc,
    mean_correlation,
    pairwise_cohen_kappa,
)
from judgments.stats.alpha import LEVELS, alphas_of
from judgments.stats.coefficients import NO_PAIRS
from judgments.stats.contingency import co_ratings
from judgments.stats.icc import crossed_of, one_way_of
from judgments.stats.kappas import uniform_kappa_of
from judgments.stats.large_kappas import large_kappas_of

from ..observations.sample import Sample

MAX_CATEGORIES = 11  # a scale with more values is read as a measure, not as categories
MIN_SHARED = 10  # items that two annotators must share to be compared with each other
MAX_RATING_PAIRS = 5_000_000
MAX_RESAMPLED_CELLS = 40_000
MAX_CORRELATED_PAIRS = 100_000
MAX_RESAMPLED_RATINGS = 200_000

NOT_RESAMPLED = gettext_noop("no interval for further coefficients with more than 200,000 ratings")
TOO_MANY = gettext_noop("more than five million pairs of ratings: use alpha")
NO_CATEGORIES = gettext_noop("a scale of more than eleven values has no categories")
SCALES = {
    "nominal": gettext_noop("nominal scale"),
    "ordinal": gettext_noop("ordinal scale"),
    "interval": gettext_noop("interval scale"),
    "ratio": gettext_noop("ratio scale"),
}
POOLED = gettext_noop("pooled over pairs of annotators by shared items")
KAPPAS = (
    # slug, name, weights, chance from the pooled shares, shown among the further coefficients
    ("cohen", gettext_noop("Cohen's kappa"), None, False, False),
    (
        "cohen-quadratic",
        gettext_noop("Cohen's kappa, quadratic weights"),
        "quadratic",
        False,
        False,
    ),
    ("cohen-linear", gettext_noop("Cohen's kappa, linear weights"), "linear", False, True),
    ("scott", gettext_noop("Scott's pi"), None, True, True),
)
ICC_READINGS = {
    "2,1": gettext_noop("the same annotators, a sample of all annotators"),
    "3,1": gettext_noop("these annotators only, strictness ignored"),
    "1,k": gettext_noop("of the mean of the annotators, who differ from item to item"),
    "2,k": gettext_noop("of the mean of the annotators, a sample of all annotators"),
    "3,k": gettext_noop("of the mean of these annotators, strictness ignored"),
}


@dataclass(frozen=True)
class Coefficient:
    """A coefficient as it is shown: its name, how it reads the data, and the result.

    ``further`` ones are for those who look for them: pages show them behind the others.
    """

    slug: str
    name: str
    reading: str
    result: Agreement
    further: bool = False


def halved(coefficient: Coefficient) -> Coefficient:
    """Return a coefficient of comparisons from both sides, with the counts of one side."""
    found = coefficient.result
    counts = {name: getattr(found, name) // 2 for name in ("n_items", "n_pairs", "n_agreeing")}
    reading = coefficient.reading
    if coefficient.slug != "uniform":
        reading += ", each comparison from both sides"
    return dataclasses.replace(
        coefficient, reading=reading, result=dataclasses.replace(found, **counts)
    )


def categories(once: Sample, scale: np.ndarray, level: str, options: dict) -> list[Coefficient]:
    """Return Alpha and the kappas of values on a ``scale`` of a few categories, in order."""
    found = [
        _alpha(once, level, options),
        _uniform(once, len(scale), "cross", options),
        *_kappas(once, scale, level, options),
    ]
    options = _unless_many(once, options)
    further = [_fleiss(once, scale, options)]
    if level != "nominal":
        further += _other_alphas(once, level, options)
        further += [dataclasses.replace(c, further=True) for c in _iccs(once, options)]
    return found + _explained(further, options)


def measures(once: Sample, level: str, matrix: AgreementMatrix, options: dict) -> list[Coefficient]:
    """Return Alpha, correlations and intraclass correlations of values on a long scale.

    ``matrix`` has the correlations of annotators, for when there are too many to resample.
    """
    found = [_alpha(once, level, options), *_correlations(once, matrix, options)]
    found += _iccs(once, options)
    options = _unless_many(once, options)
    found += _explained(_other_alphas(once, level, options), options)
    nothing = Agreement("kappa", math.nan, reason=NO_CATEGORIES)
    for slug, name in (
        ("uniform", gettext_noop("Kappa with uniform chance")),
        ("cohen", gettext_noop("Cohen's kappa")),
    ):
        found.append(Coefficient(slug, name, "", nothing, further=True))
    return found


def _unless_many(once: Sample, options: dict) -> dict:
    """Return options without a generator, and so without intervals, for a great many ratings."""
    return options | {"rng": None} if len(once.value) > MAX_RESAMPLED_RATINGS else options


def _explained(found: list[Coefficient], options: dict) -> list[Coefficient]:
    """Return coefficients that say why they have no interval."""
    if options["rng"] is not None:
        return found
    return [
        dataclasses.replace(c, result=dataclasses.replace(c.result, interval_reason=NOT_RESAMPLED))
        for c in found
    ]


def repeats(
    sample: Sample, scale: np.ndarray | None, level: str, options: dict
) -> list[Coefficient]:
    """Return agreement of annotators with themselves; empty when nobody judged anything twice.

    ``scale`` None is a long one. Of a nominal scale, as that of comparisons, uniform kappa only.
    """
    again, n_annotators = sample.repeats
    if not len(again.item):
        return []
    if scale is not None:
        found = [_uniform(sample.repeated(), len(scale), "own", options)]
        if level != "nominal":
            found.append(_alpha(again, level, options))
            found += _kappas(again, scale, level, options, KAPPAS[:2])
    else:
        pearson = mean_correlation(
            *again.columns, measure="pearson", clusters=again.cluster, **options
        )
        found = [
            _alpha(again, level, options),
            Coefficient(
                "pearson",
                gettext_noop("Pearson's correlation"),
                gettext_noop("first and later judgment"),
                pearson,
            ),
            _one_way(again, options),
        ]
    return [
        dataclasses.replace(c, result=dataclasses.replace(c.result, n_annotators=n_annotators))
        for c in found
    ]


def _alpha(once: Sample, level: str, options: dict) -> Coefficient:
    [result] = alphas_of(once.ratings, (level,), **options)
    return Coefficient("alpha", gettext_noop("Krippendorff's alpha"), SCALES[level], result)


def _other_alphas(once: Sample, level: str, options: dict) -> list[Coefficient]:
    """Return Alpha as if the scale were of another level."""
    low = once.ratings.values.min(initial=0)
    others = [o for o in LEVELS if o != level and (o != "ratio" or low >= 0)]
    found = alphas_of(once.ratings, others, **options)
    return [
        Coefficient(
            f"alpha-{other}", gettext_noop("Krippendorff's alpha"), SCALES[other], result, True
        )
        for other, result in zip(others, found, strict=True)
    ]


def _uniform(sample: Sample, k: int, which: str, options: dict) -> Coefficient:
    result = uniform_kappa_of(sample.ratings, k, which, **options)
    return Coefficient(
        "uniform", gettext_noop("Kappa with uniform chance"), f"chance 1/{k}, WMT07", result
    )


def codes_on(scale: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return the place of each value on a scale, or of the bin that it falls into."""
    places = np.searchsorted(scale - 1e-9, values, side="right") - 1
    return np.clip(places, 0, max(len(scale) - 1, 0))


def _kappas(
    once: Sample, scale: np.ndarray, level: str, options: dict, rows: tuple = KAPPAS
) -> list[Coefficient]:
    wanted = [row for row in rows if level != "nominal" or row[2] is None]
    n_pairs = _n_pairs(once)
    if n_pairs > MAX_RATING_PAIRS:
        results = [Agreement(row[1], math.nan, reason=TOO_MANY) for row in wanted]
    elif n_pairs > MAX_RESAMPLED_CELLS or _cells(once, len(scale)) > MAX_RESAMPLED_CELLS:
        readings = [(weights, pooled) for _, _, weights, pooled, _ in wanted]
        codes = codes_on(scale, once.ratings.values)
        results = list(large_kappas_of(once.ratings, codes, len(scale), readings))
    else:
        results = [
            pairwise_cohen_kappa(
                once.item,
                once.annotator,
                codes_on(scale, once.value),
                weights=weights,
                categories=np.arange(len(scale)),
                pooled_marginals=pooled,
                clusters=once.cluster,
                **options,
            )
            for _, _, weights, pooled, _ in wanted
        ]
    return [
        Coefficient(slug, name, POOLED, result, further)
        for (slug, name, _, _, further), result in zip(wanted, results, strict=True)
    ]


def _n_pairs(once: Sample) -> int:
    sizes = once.ratings.sizes
    return int((sizes * (sizes - 1) // 2).sum())


def _cells(once: Sample, k: int) -> int:
    """Return what a resample of kappas keeps: values of pairs of ratings, margins of annotators'
    pairs."""
    _, left, right = co_ratings(once.item, once.annotator)
    a, b = once.annotator[left].astype(np.int64), once.annotator[right]
    return len(a) + 4 * k * len(np.unique(a * (once.annotator.max(initial=0) + 1) + b))


def _fleiss(once: Sample, scale: np.ndarray, options: dict) -> Coefficient:
    """Return Fleiss' kappa of the items with two or more ratings."""
    ratings = once.ratings
    several = ratings.sizes > 1
    assert ratings.cluster is not None
    counts = ratings.counts_on(codes_on(scale, ratings.values), len(scale))[several]
    result = fleiss_kappa(counts, clusters=ratings.cluster[several], **options)
    if several.any():
        n = len(ratings.annotators_of(several))
        result = dataclasses.replace(result, n_annotators=n)
    elif len(ratings):
        result = dataclasses.replace(result, reason=NO_PAIRS)
    return Coefficient(
        "fleiss", "Fleiss' kappa", gettext_noop("items with two or more ratings"), result, True
    )


def _one_way(once: Sample, options: dict) -> Coefficient:
    result = one_way_of(once.ratings, **options)
    return Coefficient(
        "icc-1-1", "ICC(1,1)", gettext_noop("annotators differ from item to item"), result
    )


def _iccs(once: Sample, options: dict) -> list[Coefficient]:
    """Return ICC(1,1) of all items, and the other forms of the items that the same people rated."""
    found = [_one_way(once, options)]
    ratings = once.ratings
    matrix, items, reason = crossed_of(ratings)
    assert ratings.cluster is not None
    clusters = ratings.cluster[np.searchsorted(ratings.items, items)]
    for form, reading in ICC_READINGS.items():
        name = f"ICC({form})"
        result = Agreement(name, math.nan, reason=reason)
        if not reason:
            result = icc(matrix, form, clusters=clusters, **options)
        slug = f"icc-{form.replace(',', '-')}"
        found.append(Coefficient(slug, name, reading, result, further=form != "2,1"))
    return found


def _correlations(once: Sample, matrix: AgreementMatrix, options: dict) -> list[Coefficient]:
    """Return the mean Pearson and Kendall correlation of two annotators."""
    least = 2 * MIN_SHARED
    enough = np.triu(matrix.n_shared >= least, k=1) & ~np.isnan(matrix.estimate)
    n = int(enough.sum())
    reading = f"mean over {n} pair{'s' * (n != 1)} of annotators with {least} shared items"
    if _n_pairs(once) <= MAX_CORRELATED_PAIRS:
        options = options | {"min_shared": least, "clusters": once.cluster}
        pearson = mean_correlation(*once.columns, measure="pearson", **options)
        tau = mean_correlation(*once.columns, measure="kendall-c", **options)
    else:
        why = gettext_noop("too many pairs of ratings for this figure")
        found = matrix.estimate[enough]
        pearson = Agreement(
            "pearson",
            float(found.mean()) if len(found) else math.nan,
            n_annotators=int((enough | enough.T).any(axis=1).sum()),
            n_pairs=int(matrix.n_shared[enough].sum()),
            reason="" if len(found) else f"no two annotators share {least} items",
            interval_reason=gettext_noop("too many pairs of ratings for an interval"),
        )
        tau = Agreement("kendall-c", math.nan, reason=why)
    return [
        Coefficient("pearson", gettext_noop("Pearson's correlation"), reading, pearson),
        Coefficient("kendall-c", gettext_noop("Kendall's tau-c"), reading, tau, further=True),
    ]
