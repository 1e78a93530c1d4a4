"""How often links cross, by translation; and whether metrics prefer few crossings."""

from dataclasses import dataclass, replace

import numpy as np
from django.utils.translation import gettext_noop

from judgments.protocols import protocol_of
from judgments.results.observations.observations import RESAMPLES, SEED
from judgments.results.observations.units import MIN_DOCUMENTS
from judgments.results.selection.selection import Selection
from judgments.stats.crossings import NO_PAIR
from judgments.stats.resampling import bootstrap_sums_interval
from metrics.stats.agreement_intervals import Ends, jackknife_interval, leave_out
from metrics.stats.groups import grouped
from metrics.stats.weighted_coefficients import weighted_pearson

from ..agreement import Figure, figure
from ..board import Board
from ..judged_segments import judged_in
from ..study import (
    Metric,
    Study,
    StudyChoice,
    computed_on,
    first_choice,
    measure_of,
    remembered,
    study_of,
)
from .links import CrossedLinks, links_mark, links_of_campaign

# Of segments, for the jackknife.
BLOCKS = 20
NO_SEGMENT = gettext_noop(
    "no segment has three outputs with links, a score and a judgment that differ"
)


@dataclass(frozen=True)
class SideCrossings:
    """Figures of one translation: the share of its pairs of links that cross, with a bootstrap
    interval over documents, or segments; ``n``: number of segments with a pair."""

    name: str
    kind: str
    share: float
    low: float
    high: float
    n: int
    n_pairs: int
    reason: str = ""


@dataclass(frozen=True)
class LiteralMetric:
    """Correlations by item of how literal an output is (1 − share of crossing pairs):
    ``preference``: with the metric's score minus people's, both standardized; ``with_metric`` and
    ``with_people``: with each of them, on the same outputs."""

    metric: Metric
    preference: Figure
    with_metric: float
    with_people: float


@dataclass(frozen=True)
class Literalness:
    """``origin``: of the links; ``is_stale``: whether texts changed since; metrics with the
    strongest preference for literal outputs first."""

    origin: str
    is_stale: bool
    human_name: str
    rows: tuple[LiteralMetric, ...]


def side_crossings(found: CrossedLinks, documents: np.ndarray) -> list[SideCrossings]:
    """Return one for each translation, fewest crossings first. ``documents`` (N,): the document of
    each segment."""
    n_documents = len(np.unique(documents))
    clusters = documents if MIN_DOCUMENTS <= n_documents < len(documents) else None
    rows = [
        _of_side(side.name, side.kind, np.column_stack(counts), clusters)
        for side, *counts in zip(found.sides, found.n_crossing, found.n_pairs, strict=True)
    ]
    return sorted(rows, key=lambda row: (row.share != row.share, row.share))


def _of_side(
    name: str, kind: str, counts: np.ndarray, clusters: np.ndarray | None
) -> SideCrossings:
    """Return the figures of a translation from ``counts`` (N, 2): crossing pairs and all pairs of
    each segment."""
    there = counts[:, 1] > 0
    crossing, pairs = counts.sum(axis=0).tolist()
    if not pairs:
        return SideCrossings(name, kind, np.nan, np.nan, np.nan, 0, 0, NO_PAIR)
    ends = bootstrap_sums_interval(
        _share,
        counts[there].astype(np.float64),
        rng=np.random.default_rng(SEED),
        resamples=RESAMPLES,
        clusters=None if clusters is None else clusters[there],
    )
    return SideCrossings(
        name,
        kind,
        crossing / pairs,
        float(ends.low),
        float(ends.high),
        int(there.sum()),
        int(pairs),
    )


def _share(sums: np.ndarray) -> np.ndarray:
    with np.errstate(divide="ignore", invalid="ignore"):
        return sums[..., 0] / sums[..., 1]


def literalness(selection: Selection, choice: StudyChoice, board: Board) -> Literalness | None:
    """Return whether metrics prefer literal outputs, cached until judgments, scores or texts
    change; None without links."""
    # Judged segments are used, whatever the basis of systems' scores.
    alike = replace(choice, over="all")
    whole = computed_on(board, alike)

    def compute() -> Literalness | None:
        links = links_of_campaign(selection)
        if links is None:
            return None
        study = study_of(selection, alike, whole)
        rows = literal_metrics(study, literal_matrix(selection, alike, study, links))
        return Literalness(links.origin, links.is_stale, study.human_name, tuple(rows))

    mark = links_mark(selection)
    found = remembered(selection, "literalness", alike, whole, compute, links=mark)
    if found is None or whole is board:
        return found
    return replace(found, rows=tuple(r for r in found.rows if r.metric.slug in board.slugs))


def literal_matrix(
    selection: Selection, choice: StudyChoice, study: Study, links: CrossedLinks
) -> np.ndarray:
    """Return 1 − the share of crossing pairs of the study's outputs, (S, N); of whole documents if
    people judged these."""
    row = {side.id: i for i, side in enumerate(links.sides) if side.id is not None}
    n_all = len(links.segment_ids)
    counts = np.zeros((2, study.n_systems, n_all))
    for s, pk in enumerate(study.system_ids.tolist()):
        if pk in row:
            counts[:, s] = links.n_crossing[row[pk]], links.n_pairs[row[pk]]
    measure = measure_of(selection, choice)
    dimension = choice.dimension or first_choice(selection.campaign) or ""
    of_document = (
        measure.of_document
        if measure is not None
        else protocol_of(selection.campaign).rates_documents(dimension)
    )
    judged = judged_in(selection.campaign, study.segment_ids, of_document)
    if judged.documents is None:
        counts = counts[:, :, judged.places]
    else:
        counts = np.stack([counts[:, :, places].sum(axis=2) for places in judged.documents], 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        return 1 - counts[0] / counts[1]


def literal_metrics(study: Study, literal: np.ndarray) -> list[LiteralMetric]:
    """Return the same from arrays, ``literal`` (S, N), the strongest preference first; sentinels,
    which are not real metrics, last."""
    found = [_of_metric(study, i, literal) for i in range(len(study.metrics))]

    def place(row: LiteralMetric) -> tuple[bool, bool, float]:
        value = row.preference.estimate
        return row.metric.is_sentinel, value != value, -value

    return sorted(found, key=place)


def _of_metric(study: Study, i: int, literal: np.ndarray) -> LiteralMetric:
    human, scores = study.human, study.segments[i]
    gone = np.isnan(human) | np.isnan(scores) | np.isnan(literal)
    human, scores = (_standardized(np.where(gone, np.nan, each)) for each in (human, scores))
    more = scores - human
    both = grouped(literal, np.stack([more, scores, human]), coefficient="pearson")
    estimate, n = float(both.estimates[0]), int(both.n_groups[0])
    reason = NO_SEGMENT if np.isnan(estimate) else ""
    made = figure(estimate, n, reason, _interval(literal, more, estimate))
    return LiteralMetric(study.metrics[i], made, *map(float, both.estimates[1:]))


def _standardized(values: np.ndarray) -> np.ndarray:
    """Return values minus their mean over all outputs, in standard deviations; NaN if they do not
    vary."""
    there = values[~np.isnan(values)]
    spread = float(there.std()) if there.size else 0.0
    return (values - there.mean()) / spread if spread else np.full(values.shape, np.nan)


def _interval(literal: np.ndarray, more: np.ndarray, estimate: float) -> Ends:
    """Return the interval by the rule for correlations over segments (docs/decisions/0016)."""
    if np.isnan(estimate):
        return Ends()
    n_systems, n = literal.shape
    blocks = leave_out(n, BLOCKS)
    systems = 1 - np.eye(n_systems), np.ones((n_systems, n))
    segments = np.ones((len(blocks), n_systems)), blocks
    without = [weighted_pearson(literal, more, a, b, "item") for a, b in (systems, segments)]
    return jackknife_interval(estimate, without[0], without[1], is_correlation=True)
