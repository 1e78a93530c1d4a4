"""How far annotators agree, on a dimension of ratings or on comparisons of two outputs."""

from __future__ import annotations

import dataclasses
import itertools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.translation import gettext_noop

from judgments.protocols.base import Scale
from judgments.results.observations.observations import (
    RESAMPLES,
    SCORED_KINDS,
    SEED,
    Observed,
    cached,
    checked,
)
from judgments.stats.agreement import (
    Agreement,
    AgreementMatrix,
    pairwise_agreements,
)
from judgments.stats.annotator_matrix import matrix_of
from judgments.stats.coefficients import clean_ratings, codes_of, key_of, narrow

from ..observations.pairs import pairs_of
from ..observations.sample import Sample
from ..observations.units import clusters_of
from ..selection.selection import Selection
from .coefficients import (
    MAX_CATEGORIES,
    MIN_SHARED,
    Coefficient,
    categories,
    codes_on,
    halved,
    measures,
    repeats,
)

MAX_ANNOTATORS_SHOWN = 40
MAX_ANNOTATORS_COMPARED = 500
MEANS = gettext_noop("the values are means over raters whom the release does not name")
NOBODY = np.zeros(0, np.int32)
SIDES = np.array([-1.0, 0.0, 1.0])
PREFERENCES = (gettext_noop("one better"), "equal", gettext_noop("other better"))


@dataclass(frozen=True)
class AgreementReport:
    """Agreement on one dimension (empty slug: on comparisons).

    ``between`` annotators, the headline first, and ``within`` annotators who judged an output
    twice. ``confusion`` (k, k) counts pairs of ratings of one output by two annotators, each pair
    in both orders, over the values or bins ``labels``; ``repeated`` (k, k) the pairs of an
    annotator's ratings of one output. ``matrix`` is of the annotators
    ``aliases``, the busiest of those who share enough with another; ``n_hidden`` are left out.
    Intervals resample ``resampled``.
    """

    dimension: str
    name: str
    level: str
    n_values: int | None
    unit: str
    n_annotators: int
    n_rows: int
    between: tuple[Coefficient, ...]
    within: tuple[Coefficient, ...]
    labels: tuple[str, ...]
    confusion: np.ndarray
    repeated: np.ndarray
    matrix: AgreementMatrix
    aliases: tuple[str, ...]
    n_hidden: int
    resampled: str
    seed: int = SEED
    resamples: int = RESAMPLES

    @property
    def headline(self) -> Coefficient:
        return self.between[0]

    @property
    def is_binned(self) -> bool:
        """Whether ``labels`` are bins of a long scale, and not its values."""
        return self.n_values is None or self.n_values > MAX_CATEGORIES


@dataclass(frozen=True)
class Workload:
    """Per annotator (A,): judgments, and median active seconds of one (NaN: no times)."""

    aliases: np.ndarray
    n_judgments: np.ndarray
    median_seconds: np.ndarray


def agreement(
    selection: Selection, dimension: str | None = None, *, seed: int = SEED
) -> AgreementReport:
    """Return agreement of a campaign's annotators. ``dimension`` None is the first; comparisons
    have none.

    Regular items and repeats count, of each judgment its last revision. Means of raters tell
    nothing of how far the raters agree: all coefficients are NaN then, with the reason.
    """
    options: dict[str, Any] = {"dimension": dimension, "seed": seed}
    compute = _undefined if selection.are_means else agreement_of
    return cached(selection, "agreement", lambda o: compute(o, **options), **options)


def workload(selection: Selection) -> Workload:
    """Return who judged how much, all kinds of items counted."""
    return cached(selection, "workload", workload_of)


def workload_of(observed: Observed) -> Workload:
    """`workload` of rows that were loaded."""
    rows = observed.rows
    judgments, code = codes_of(rows["judgment"])
    at = np.zeros(len(judgments), np.intp)
    at[code[::-1]] = np.arange(len(code))[::-1]  # the first row of each
    annotator, milliseconds = rows["annotator"][at], rows["active_ms"][at].astype(np.float64)
    milliseconds[milliseconds < 0] = math.nan
    order = np.argsort(annotator, kind="stable")
    n = np.bincount(annotator, minlength=len(observed.annotators))
    medians = []
    for times in np.split(milliseconds[order], np.cumsum(n)[:-1]):
        known = times[~np.isnan(times)]
        medians.append(float(np.median(known)) / 1000 if len(known) else math.nan)
    return Workload(observed.annotators, n, np.array(medians)[: len(n)])


def agreement_of(
    observed: Observed, dimension: str | None = None, seed: int = SEED
) -> AgreementReport:
    """`agreement` of rows that were loaded."""
    observed = observed.of_kinds(SCORED_KINDS).as_shown().regular_first()
    clusters, resampled = clusters_of(observed)
    options = {"rng": np.random.default_rng(seed), "resamples": RESAMPLES}
    if observed.rates:
        report = _of_ratings(observed, dimension, clusters, options)
    else:
        report = _of_comparisons(observed, clusters, options)
    return dataclasses.replace(report, resampled=resampled, seed=seed)


def _undefined(observed: Observed, **options: Any) -> AgreementReport:
    """Return the report on means of raters: without a figure."""
    nothing = dataclasses.replace(
        observed, ratings=observed.ratings[NOBODY], preferences=observed.preferences[NOBODY]
    )
    report = agreement_of(nothing, **options)
    between = tuple(
        dataclasses.replace(each, result=dataclasses.replace(each.result, reason=MEANS))
        for each in report.between
    )
    n_rows = len(observed.of_kinds(SCORED_KINDS).rows)
    return dataclasses.replace(report, between=between, n_rows=n_rows)


def _of_ratings(
    observed: Observed, slug: str | None, clusters: np.ndarray, options: dict
) -> AgreementReport:
    slug = checked(slug, observed.dimensions)
    dimension = next(d for d in observed.dimensions if d.slug == slug)
    rows = observed.of_dimension(slug).ratings
    item = rows["segment"] * len(observed.system_ids) + rows["system"]
    sample = Sample(item, rows["annotator"], rows["value"], clusters[rows["segment"]])
    k, level = dimension.scale.n_values, dimension.scale.kind
    if k is None or k > MAX_CATEGORIES:
        once = sample.once("mean")
        matrix = _matrix(once, "pearson")
        between = measures(once, level, matrix, options)
        labels, edges = bins(dimension.scale, once.value)
        within = repeats(sample, None, level, options)
    else:
        once = sample.once("first")
        matrix = _matrix(once, "uniform", k)
        edges = np.array(dimension.scale.values)
        between = categories(once, edges, level, options)
        labels = tuple(f"{value:g}" for value in edges)
        within = repeats(sample, edges, level, options)
    return _report(
        observed,
        sample,
        once,
        matrix,
        dimension=slug,
        name=dimension.name,
        level=level,
        n_values=k,
        unit="outputs",
        between=tuple(between),
        within=tuple(within),
        labels=labels,
        confusion=_confusion(once, edges),
        repeated=_confusion(sample.repeats[0], edges),
    )


def _of_comparisons(observed: Observed, clusters: np.ndarray, options: dict) -> AgreementReport:
    sample, (strict, wmt16, intra, intra_wmt16) = _compared(observed, clusters, options)
    once = sample.once("first")
    between = (
        Coefficient(
            "pairwise",
            gettext_noop("Kappa of comparisons"),
            gettext_noop("chance from the share of ties"),
            strict,
        ),
        Coefficient(
            "pairwise-presented",
            gettext_noop("Kappa of comparisons, WMT16 script"),
            gettext_noop("same order on the screen only, own repeats included"),
            wmt16,
        ),
        *map(halved, categories(once.from_both_sides(), SIDES, "nominal", options)),
    )
    own = (
        Coefficient(
            "pairwise-own",
            gettext_noop("Kappa of comparisons"),
            gettext_noop("an annotator's repeats"),
            intra,
        ),
        Coefficient(
            "pairwise-own-presented",
            gettext_noop("Kappa of comparisons, WMT16 script"),
            gettext_noop("an annotator's repeats in the same order on the screen"),
            intra_wmt16,
        ),
    )
    confusion, repeated = (_confusion(s, SIDES) for s in (once, sample.repeats[0]))
    return _report(
        observed,
        sample,
        once,
        _matrix(once, "uniform", 3),
        dimension="",
        name=gettext_noop("Comparisons"),
        level="nominal",
        n_values=3,
        unit="pairs of outputs",
        between=between,
        within=(*own, *repeats(sample, SIDES, "nominal", options)),
        labels=PREFERENCES,
        # Counted from both sides; the better one stands first.
        confusion=(confusion + confusion[::-1, ::-1]) / 2,
        repeated=(repeated + repeated[::-1, ::-1]) / 2,
    )


def _compared(
    observed: Observed, clusters: np.ndarray, options: dict
) -> tuple[Sample, list[Agreement]]:
    """Return comparisons as values of pairs of outputs, the system that comes first by code
    standing first; and how far they agree as they were shown, in four readings."""
    pairs = pairs_of(observed)
    columns = (pairs.segment, pairs.annotator, pairs.first, pairs.second, pairs.label)
    cluster = narrow(codes_of(clusters)[1], len(clusters))[pairs.segment]
    readings = ("strict", "wmt16-compat", "intra", "intra-wmt16-compat")
    found = pairwise_agreements(*columns, readings=readings, clusters=cluster, **options)
    turned = pairs.first > pairs.second
    a, b = np.minimum(pairs.first, pairs.second), np.maximum(pairs.first, pairs.second)
    n = len(observed.system_ids)
    label = np.where(turned, -pairs.label, pairs.label)
    item = narrow(key_of(key_of(pairs.segment, n, a), n, b), len(observed.segment_ids) * n * n)
    return Sample(item, pairs.annotator, label, cluster), found


def _matrix(once: Sample, measure: str, k: int | None = None) -> AgreementMatrix:
    """Return each annotator with each other, of the busiest if they are very many."""
    ratings = once.ratings
    if len(ratings.annotators) > MAX_ANNOTATORS_COMPARED:
        counts = np.bincount(once.annotator)
        keep = np.isin(once.annotator, _busiest(counts, MAX_ANNOTATORS_COMPARED))
        ratings = clean_ratings(*(column[keep] for column in once.columns))
    return matrix_of(ratings, measure=measure, k=k, min_shared=MIN_SHARED)


def _report(
    observed: Observed, sample: Sample, once: Sample, everyone: AgreementMatrix, **fields
) -> AgreementReport:
    """Return the report with the matrix of the busiest annotators who can be compared."""
    counts = np.bincount(once.annotator, minlength=len(observed.annotators))
    compared = everyone.annotators[~np.isnan(everyone.estimate).all(axis=1)]
    shown = _busiest(np.where(np.isin(np.arange(len(counts)), compared), counts, 0))
    place = np.searchsorted(everyone.annotators, shown)
    matrix = dataclasses.replace(
        everyone,
        annotators=shown,
        estimate=everyone.estimate[np.ix_(place, place)],
        n_shared=everyone.n_shared[np.ix_(place, place)],
    )
    n_annotators = int((counts > 0).sum())
    return AgreementReport(
        n_annotators=n_annotators,
        n_rows=len(sample.item),
        matrix=matrix,
        aliases=tuple(str(observed.annotators[code]) for code in matrix.annotators),
        n_hidden=n_annotators - len(matrix.annotators),
        resampled="segments",
        **fields,
    )


def bins(scale: Scale, values: np.ndarray) -> tuple[tuple[str, ...], np.ndarray]:
    """Return ten bins of a long scale: their labels, and their lower edges. Where the scale has no
    end, the values do."""
    low = values.min(initial=0) if scale.low is None else scale.low
    high = values.max(initial=low) if scale.high is None else scale.high
    edges = np.linspace(low, high if high > low else low + 1, 11)
    pairs = itertools.pairwise(edges)
    return tuple(f"{low:g}–{high:g}" for low, high in pairs), edges[:-1]


def _busiest(counts: np.ndarray, most: int = MAX_ANNOTATORS_SHOWN) -> np.ndarray:
    """Return codes of at most so many annotators with the highest counts above 0, in order of
    codes."""
    order = np.argsort(-counts, kind="stable")
    return np.sort(order[: min(most, int((counts > 0).sum()))])


def _confusion(sample: Sample, scale: np.ndarray) -> np.ndarray:
    """Return pairs of values of one item, each in both orders, (n, n)."""
    ratings = sample.ratings
    counts = ratings.counts_on(codes_on(scale, ratings.values), len(scale))
    return counts.T @ counts - np.diag(counts.sum(axis=0))
