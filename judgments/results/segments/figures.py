"""The segments of a campaign that were judged, sorted and filtered; from arrays in memory."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from django.db.models import Count

from judgments.protocols import protocol_of
from judgments.protocols.spans.marking import Marking
from judgments.stats.coefficients import codes_of, key_of, runs
from judgments.stats.mqm import normalized
from judgments.stats.normalization import group_moments

from ..coverage.figures import judgments_with_systems
from ..errors.rows import error_rows
from ..observations.observations import SCORED_KINDS, Observed, cached, dimensions_of, load
from ..observations.outside_scores import BroughtScores
from ..observations.pairs import pairs_of
from ..scores.figures import segment_scores
from ..selection.selection import Selection

POSITION, LOWEST, HIGHEST, DISAGREEMENT = "position", "lowest", "highest", "disagreement"
METRIC, CLASH = "metric-", "clash-"  # before the slug of what is brought


@dataclass(frozen=True, eq=False)
class JudgedSegments:
    """The segments (n,) with judgments, in the order of the test set: ``places`` in it, and
    ``segment_ids``. ``n_judgments``, ``n_annotators`` (n,). ``values`` (S, n) are people's scores
    of the outputs of ``system_ids`` and ``names``, as `results.segment_scores` has them, NaN
    without one. ``disagreement`` (n,): of ratings the mean, over the outputs that two or more
    people rated, of the standard deviation of what they gave; of comparisons the share of two
    people's comparisons of the same outputs that differ. NaN where nobody can disagree.
    """

    places: np.ndarray
    segment_ids: np.ndarray
    n_judgments: np.ndarray
    n_annotators: np.ndarray
    system_ids: np.ndarray
    names: np.ndarray
    values: np.ndarray
    disagreement: np.ndarray


@dataclass(frozen=True)
class SegmentsAsked:
    """What of the judged segments is asked for, in which order; see `pages.segment_links`."""

    sort: str = POSITION
    dimension: str = ""
    by: str = ""
    low: float | None = None
    high: float | None = None
    severity: str = ""
    category: str = ""
    flagged: bool = False
    shared: bool = False

    @property
    def in_range(self) -> bool:
        return self.low is not None or self.high is not None

    @property
    def is_marked(self) -> bool:
        return bool(self.severity or self.category)


@dataclass(frozen=True, eq=False)
class SegmentListing:
    """``at`` (k,) are indices into ``judged``, in the order asked for, and ``keys`` (k,) what they
    are sorted by, None for the order of the test set. ``worst`` (k,): of a clash, the id of the
    system whose output it is; else None."""

    judged: JudgedSegments
    at: np.ndarray
    keys: np.ndarray | None = None
    worst: np.ndarray | None = None

    @property
    def segment_ids(self) -> list[int]:
        return self.judged.segment_ids[self.at].tolist()


def judged_segments(selection: Selection, dimension: str | None = None) -> JudgedSegments:
    """``dimension`` None: the first. Raise ValueError for one that is not there."""
    return cached(
        selection,
        "judged segments",
        lambda observed: judged_segments_of(selection, observed, dimension),
        dimension=dimension,
    )


def judged_segments_of(
    selection: Selection, observed: Observed, dimension: str | None
) -> JudgedSegments:
    """`judged_segments` of rows that were loaded."""
    n = len(observed.segment_ids)
    if len(observed.rows) or protocol_of(selection.campaign).compares:
        n_judgments, n_annotators = _counts(observed)
    else:
        n_judgments, n_annotators = _stored_counts(selection, observed)
    if observed.rates or len(observed.rows):
        scores = segment_scores(selection, dimension)
        system_ids, names, of = scores.system_ids, scores.names, scores.segment_ids
        values = np.full((len(system_ids), n), np.nan)
        values[:, _at(of, observed.segment_ids)] = scores.values
        disagreement = (
            _of_ratings(observed, scores.dimension) if observed.rates else _of_pairs(observed)
        )
    else:
        system_ids, names = np.zeros(0, np.int64), np.zeros(0, object)
        values, disagreement = np.zeros((0, n)), np.full(n, np.nan)
    places = np.flatnonzero(n_judgments)
    return JudgedSegments(
        places=places,
        segment_ids=observed.segment_ids[places],
        n_judgments=n_judgments[places],
        n_annotators=n_annotators[places],
        system_ids=system_ids,
        names=names,
        values=values[:, places],
        disagreement=disagreement[places],
    )


def _at(ids: np.ndarray, among: np.ndarray) -> np.ndarray:
    """Where ids stand among others, all of which are different and of which they are some."""
    order = np.argsort(among)
    return order[np.searchsorted(among, ids, sorter=order)]


def _counts(observed: Observed) -> tuple[np.ndarray, np.ndarray]:
    """Return judgments and annotators of each segment of the test set, (n,) each."""
    n, rows = len(observed.segment_ids), observed.rows
    segment = rows["segment"]
    found = []
    for name in ("judgment", "annotator"):
        codes, code = codes_of(rows[name])
        # Sorted: numpy.unique would make a slow hash table.
        pairs, _ = runs(np.sort(key_of(segment, len(codes), code)))
        found.append(np.bincount(pairs // max(len(codes), 1), minlength=n))
    return found[0], found[1]


def _stored_counts(selection: Selection, observed: Observed) -> tuple[np.ndarray, np.ndarray]:
    """Return the same of judgments that neither rate nor compare, by the segments of their
    items."""
    found = judgments_with_systems(selection).order_by().values("item__segment")
    found = found.annotate(n=Count("pk"), people=Count("annotator", distinct=True))
    rows = list(found.values_list("item__segment", "n", "people"))
    counts = np.zeros((2, len(observed.segment_ids)), np.int64)
    if rows:
        of, n, people = np.array(rows, np.int64).T
        counts[:, _at(of, observed.segment_ids)] = n, people
    return counts[0], counts[1]


def _of_ratings(observed: Observed, dimension: str) -> np.ndarray:
    """See `JudgedSegments.disagreement`; several ratings by one annotator are averaged first."""
    rows = observed.of_kinds(SCORED_KINDS).of_dimension(dimension).as_shown().ratings
    n_systems, n_people = max(len(observed.system_ids), 1), max(len(observed.annotators), 1)
    output = rows["segment"] * n_systems + rows["system"]
    own, code = codes_of(output * n_people + rows["annotator"])
    _, mean, _ = group_moments(rows["value"], code, len(own))
    outputs, of_output = codes_of(own // n_people)
    n, _, sd = group_moments(mean, of_output, len(outputs))
    known = n > 1
    n_segments = len(observed.segment_ids)
    return group_moments(sd[known], outputs[known] // n_systems, n_segments)[1]


def _of_pairs(observed: Observed) -> np.ndarray:
    """See `JudgedSegments.disagreement`; of several comparisons by one person the last counts."""
    pairs = pairs_of(observed.of_kinds(SCORED_KINDS).as_shown())
    n_systems, n_people = max(len(observed.system_ids), 1), max(len(observed.annotators), 1)
    first, second = pairs.first.astype(np.int64), pairs.second.astype(np.int64)
    label = np.where(first > second, -pairs.label, pairs.label).astype(np.int64)
    two = np.minimum(first, second) * n_systems + np.maximum(first, second)
    group = pairs.segment.astype(np.int64) * n_systems**2 + two
    own = group * n_people + pairs.annotator
    _, last = np.unique(own[::-1], return_index=True)
    last = len(own) - 1 - last
    group, label = group[last], label[last]
    groups, code = np.unique(group, return_inverse=True)
    counts = np.zeros((len(groups), 3))
    np.add.at(counts, (code, label + 1), 1)
    n = counts.sum(axis=1)
    every, same = n * (n - 1) / 2, (counts * (counts - 1) / 2).sum(axis=1)
    segment, n_segments = groups // n_systems**2, len(observed.segment_ids)
    every = np.bincount(segment, weights=every, minlength=n_segments)
    same = np.bincount(segment, weights=same, minlength=n_segments)
    return 1 - np.divide(same, every, out=np.full(n_segments, np.nan), where=every > 0)


@dataclass(frozen=True, eq=False)
class MarkedErrors:
    """Marked errors (k,): places of their segments in the test set, aliases of annotators as codes
    of ``annotators``, and codes of ``severities`` and ``categories``, in small letters."""

    segment: np.ndarray
    annotator: np.ndarray
    severity: np.ndarray
    category: np.ndarray
    annotators: np.ndarray
    severities: tuple[str, ...]
    categories: tuple[str, ...]


def marked_errors(selection: Selection) -> MarkedErrors | None:
    """Return the errors that `results.errors` counts; None where none are marked."""
    if not protocol_of(selection.campaign).has_page("errors"):
        return None
    marking = Marking.of(selection.campaign)

    def compute(observed: Observed) -> MarkedErrors:
        rows = observed.of_kinds(SCORED_KINDS).of_dimension(marking.derived).ratings
        found = error_rows(selection.campaign, observed.system_ids, rows)
        severity, severities = found.severities(marking.severities)
        category, categories = found.categories(marking.kinds)
        return MarkedErrors(
            segment=rows["segment"][found.at].astype(np.int32),
            annotator=rows["annotator"][found.at].astype(np.int32),
            severity=severity.astype(np.int16),
            category=category.astype(np.int16),
            annotators=observed.annotators,
            severities=severities,
            categories=categories,
        )

    return cached(selection, "marked errors by segment", compute)


def with_parents(categories: tuple[str, ...]) -> list[str]:
    """Return the categories with the branches that they stand on: accuracy, accuracy/omission."""
    found = {
        "/".join(category.split("/")[:depth])
        for category in categories
        for depth in range(1, category.count("/") + 2)
    }
    return sorted(found - {""})


def listed(
    selection: Selection,
    asked: SegmentsAsked,
    columns: list[BroughtScores],
    flagged: frozenset[int] = frozenset(),
) -> SegmentListing:
    """Return the segments asked for. ``flagged``: ids of those that somebody flags."""
    judged = judged_segments(selection, asked.dimension or None)
    keep = np.ones(len(judged.places), bool)
    if asked.flagged:
        keep &= np.isin(judged.segment_ids, sorted(flagged))
    if asked.shared:
        keep &= ~np.isnan(judged.disagreement)
    if asked.is_marked:
        keep &= np.isin(judged.places, _with_errors(selection, asked))
    elif asked.by:
        keep &= np.isin(judged.places, _by_annotator(selection, asked))
    elif asked.in_range:
        keep &= _inside(judged.values, asked).any(axis=0)
    keys, worst = _keys(judged, asked.sort, columns)
    at = np.flatnonzero(keep)
    if keys is None:
        return SegmentListing(judged, at)
    # Those without a value last; of equal ones the first in the test set first.
    at = at[np.argsort(keys[0][at], kind="stable")]
    return SegmentListing(judged, at, keys[1][at], None if worst is None else worst[at])


def _inside(values: np.ndarray, asked: SegmentsAsked) -> np.ndarray:
    low = -np.inf if asked.low is None else asked.low
    high = np.inf if asked.high is None else asked.high
    with np.errstate(invalid="ignore"):
        return (values >= low) & (values <= high)


def _by_annotator(selection: Selection, asked: SegmentsAsked) -> np.ndarray:
    """Return places of the segments with a value by an annotator in the range asked for."""
    observed = load(selection).by(lambda alias: alias == asked.by)
    if not selection.filters.kinds:
        observed = observed.of_kinds(SCORED_KINDS)
    if not observed.rates:
        return np.unique(observed.rows["segment"])
    rows = observed.of_dimension(asked.dimension or observed.dimensions[0].slug).ratings
    return np.unique(rows["segment"][_inside(rows["value"], asked)])


def _with_errors(selection: Selection, asked: SegmentsAsked) -> np.ndarray:
    """Return places of the segments with a marked error of the severity and category, by the
    annotator."""
    errors = marked_errors(selection)
    if errors is None:
        return np.zeros(0, np.int64)
    found = np.ones(len(errors.segment), bool)
    if asked.by:
        found &= (errors.annotators == asked.by)[errors.annotator]
    if asked.severity:
        wanted = np.array([each == normalized(asked.severity) for each in errors.severities], bool)
        found &= wanted[errors.severity]
    if asked.category:
        name = normalized(asked.category)
        is_it = [each == name or each.startswith(f"{name}/") for each in errors.categories]
        found &= np.array(is_it, bool)[errors.category]
    return np.unique(errors.segment[found])


def _keys(
    judged: JudgedSegments, sort: str, columns: list[BroughtScores]
) -> tuple[tuple[np.ndarray, np.ndarray] | None, np.ndarray | None]:
    """Return what segments are sorted by, rising, and as it is shown, (n,) each; and the systems of
    the outputs that clash."""
    if sort in (LOWEST, HIGHEST):
        mean = means(judged.values)
        return (mean if sort == LOWEST else -mean, mean), None
    if sort == DISAGREEMENT:
        return (-judged.disagreement, judged.disagreement), None
    column = next(
        (each for each in columns if sort in (METRIC + each.slug, CLASH + each.slug)), None
    )
    if column is None:
        return None, None
    if sort.startswith(METRIC):
        mean = means(column.of(judged.system_ids)[:, judged.places])
        return (mean if column.higher_is_better else -mean, mean), None
    apart = np.abs(clashes_with(judged, column))
    size = np.where(np.isnan(apart).all(axis=0), np.nan, np.nanmax(np.nan_to_num(apart), axis=0))
    return (-size, size), judged.system_ids[np.argmax(np.nan_to_num(apart), axis=0)]


def clashes_with(judged: JudgedSegments, column: BroughtScores) -> np.ndarray:
    """Return how far the metric is above people on each output, (S, n): both as standard scores
    over all outputs that have both, higher better."""
    human = judged.values
    metric = column.of(judged.system_ids)[:, judged.places]
    known = ~np.isnan(human) & ~np.isnan(metric)
    if known.sum() < 2:
        return np.full(human.shape, np.nan)
    sign = 1 if column.higher_is_better else -1
    human, metric = (np.where(known, each, np.nan) for each in (human, sign * metric))
    return _standard(metric) - _standard(human)


def _standard(values: np.ndarray) -> np.ndarray:
    spread = float(np.nanstd(values, ddof=1))
    return (values - np.nanmean(values)) / (spread if spread > 0 else np.nan)


def means(values: np.ndarray) -> np.ndarray:
    """Return the mean of each column of (S, n), of what is known; NaN where nothing is."""
    known = ~np.isnan(values)
    n = known.sum(axis=0)
    total = np.where(known, values, 0).sum(axis=0)
    return np.divide(total, n, out=np.full(values.shape[1], np.nan), where=n > 0)


def can_disagree(selection: Selection) -> bool:
    """Return whether annotators give anything that `JudgedSegments.disagreement` measures."""
    protocol = protocol_of(selection.campaign)
    return has_scores(selection) or protocol.compares or protocol.ranks


def has_scores(selection: Selection) -> bool:
    """Return whether people's scores of outputs can sort segments: those of comparisons are shares
    of wins, whose mean over the outputs of a segment is always a half."""
    return bool(dimensions_of(selection.campaign))
