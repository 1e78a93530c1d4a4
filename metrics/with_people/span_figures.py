"""Errors that metrics mark against those that people mark, output by output."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from math import nan

import numpy as np

from judgments.models import Segment
from judgments.protocols import protocol_of
from judgments.results.agreement.marks import MarkedJudgments, marked_judgments
from judgments.results.observations.observations import RESAMPLES, SEED, Observed, cached
from judgments.results.selection.selection import Selection
from judgments.stats.contingency import co_ratings
from judgments.stats.resampling import bootstrap_sums_interval
from judgments.stats.span_pairs import (
    SpanFigures,
    SpanPairs,
    area_under_curve,
    compare_spans,
    figures_of,
    matthews,
    micro_f1,
)
from judgments.stats.spans import Marks
from metrics.models import MetricSpans
from metrics.scores.tables import MetricColumn

from .board import Board
from .study import Metric, metric_of

# An output is as good as free of errors from this score on, on a scale to 100 (WMT26).
THRESHOLD = 85.0
# From the lightest; a metric may name severities that people's scheme lacks.
SEVERITIES = ("neutral", "minor", "major", "critical")
GRAVE = frozenset({"major", "critical"})
MOST_EXAMPLES = 5
SYSTEMS_AT_ONCE = 10  # whose errors are read at once


@dataclass(frozen=True)
class KindFound:
    """Errors of people of one severity or category, and what of them was marked: the credit of
    their characters, and the share that some error overlaps."""

    n: int
    characters: float
    met: float


@dataclass(frozen=True)
class SpanExample:
    """An output where one side marked a grave error and the other none. Offsets are those of the
    longest such error."""

    by_people: bool
    segment_id: int
    system_id: int
    severity: str
    start: int
    end: int


@dataclass(frozen=True, kw_only=True)
class ErrorsFound:
    """How the errors of one metric, or of other people, fit people's; NaN where undefined.

    ``low`` and ``high``: of F1, 95 %. ``threshold``: from which score on an output counts as free
    of errors if none is marked; NaN where the scores have no scale. By severity and category:
    ``kinds``. ``n_people`` and ``n_own``: errors in the pairs.
    """

    metric: Metric | None
    figures: SpanFigures
    low: float = nan
    high: float = nan
    matthews: float = nan
    auc: float = nan
    threshold: float = nan
    n_people: int = 0
    n_own: int = 0
    severities: Mapping[str, KindFound]
    categories: Mapping[str, KindFound]
    examples: tuple[SpanExample, ...] = ()


@dataclass(frozen=True)
class SpanReport:
    """``rows``: the metrics that mark errors, the highest F1 first. ``people``: people against each
    other, where two judged the same output. ``n_elsewhere`` errors of people are of the source, or
    of what is missing, which no metric here can mark."""

    rows: tuple[ErrorsFound, ...]
    people: ErrorsFound | None
    n_judgments: int
    n_elsewhere: int
    n_stale: int
    resampled: str
    seed: int = SEED
    resamples: int = RESAMPLES


def marks_errors(selection: Selection) -> bool:
    """Return whether people mark errors in a campaign."""
    return protocol_of(selection.campaign).has_page("errors")


def span_report(selection: Selection, board: Board) -> SpanReport:
    """Kept until a judgment is added, or a score, an error or a text changes."""
    columns = [column for column in board.table.columns if column.scores]
    own = {score.pk for column in columns for score in column.scores.values() if score.pk}
    kept = MetricSpans.objects.filter(score__test_set=selection.campaign.test_set_id)
    marks = sorted(pk for pk, score in kept.values_list("pk", "score_id") if score in own)

    def compute(observed: Observed) -> SpanReport:
        return span_report_of(selection, observed, columns)

    return cached(selection, "metric spans", compute, scores=board.state, marks=marks)


def span_report_of(
    selection: Selection, observed: Observed, columns: Sequence[MetricColumn]
) -> SpanReport:
    """`span_report` of rows that were loaded."""
    people = OwnMarks.of(marked_judgments(selection, observed), observed)
    segments = Segment.objects.filter(test_set=selection.campaign.test_set_id)
    place = {
        pk: i for i, pk in enumerate(segments.order_by("position").values_list("pk", flat=True))
    }
    rows, n_stale = [], 0
    for column, data in errors_by_metric(columns):
        stale = {pk for pk, score in column.scores.items() if score.pk in column.stale}
        n_stale += len(stale & set(data))
        there = {pk: found for pk, found in data.items() if pk not in stale}
        if there:
            rows.append(against_metric(people, column, there, place))
    return SpanReport(
        rows=tuple(sorted(rows, key=lambda row: -row.figures.f1 if row.figures.n else 2)),
        people=against_people(people),
        n_judgments=len(people.judged.segment),
        n_elsewhere=people.n_elsewhere,
        n_stale=n_stale,
        resampled=people.judged.resampled,
    )


def errors_by_metric(
    columns: Sequence[MetricColumn],
) -> Iterator[tuple[MetricColumn, dict[int, list]]]:
    """Yield the stored errors of each metric that has some, by system: in one query, and yet one
    metric after the other, for those of all at once may be more than fits into memory."""
    place = {
        score.pk: (i, system)
        for i, column in enumerate(columns)
        for system, score in column.scores.items()
        if score.pk
    }
    kept = MetricSpans.objects.filter(score__in=list(place)).values_list("score_id", "data")
    # What a column has in common, so that its rows come together.
    kept = kept.order_by("score__references", "score__signature", "score_id")
    for i, rows in groupby(kept.iterator(SYSTEMS_AT_ONCE), key=lambda row: place[row[0]][0]):
        yield columns[i], {place[pk][1]: data for pk, data in rows}


@dataclass(frozen=True, eq=False)
class OwnMarks:
    """People's judgments (m,), and their errors (k,) in outputs."""

    judged: MarkedJudgments
    marks: np.ndarray
    category: np.ndarray
    n_elsewhere: int
    segment_ids: np.ndarray
    system_ids: np.ndarray

    @classmethod
    def of(cls, judged: MarkedJudgments, observed: Observed) -> "OwnMarks":
        columns = (
            judged.marks.judgment,
            judged.marks.start,
            judged.marks.end,
            judged.marks.severity,
        )
        every = np.column_stack([np.asarray(column, np.int64) for column in columns])
        in_output = (np.asarray(judged.marks.side) == 0) & (every[:, 1] >= 0)
        return cls(
            judged,
            every[in_output],
            np.asarray(judged.marks.category)[in_output],
            int((~in_output).sum()),
            observed.segment_ids[judged.segment],
            observed.system_ids[judged.system],
        )

    @property
    def is_free(self) -> np.ndarray:
        """Whether a judgment says that an output is free of errors, (m,): none is marked, and a
        score of 0 to 100, where there is one, is high."""
        free = self.judged.n_errors == 0
        scores = self.judged.score
        has_scale = bool(len(scores)) and np.nanmax(scores, initial=0) > 0
        return free & ~(scores < THRESHOLD) if has_scale else free


def against_metric(
    people: OwnMarks, column: MetricColumn, data: Mapping[int, list], place: Mapping[int, int]
) -> ErrorsFound:
    """Return the errors of a metric by system, against those of everybody who judged an output."""
    m = len(people.judged.segment)
    first: list[int] = []
    lines, called, errors, scores = [], [], [], []
    pairs = zip(people.segment_ids.tolist(), people.system_ids.tolist(), strict=True)
    for judgment, (segment, system) in enumerate(pairs):
        at = place.get(segment, -1)
        marked = data[system][at] if system in data and 0 <= at < len(data[system]) else None
        if marked is None:
            continue
        for start, end, severity, *_ in marked:
            lines.append((m + len(first), start, end))
            called.append(severity)
        first.append(judgment)
        errors.append(len(marked))
        scores.append(column.scores[system].segment_scores[at])
    left = np.array(first, np.intp)
    names = with_others(people.judged.severities, called)
    code = {name: i for i, name in enumerate(names)}
    severities = np.array([code[name] for name in called], np.int64)
    own = np.column_stack([np.array(lines, np.int64).reshape(-1, 3), severities])
    recoded = np.array([code[name] for name in people.judged.severities], np.int64)
    theirs = np.column_stack([people.marks[:, :3], recoded[people.marks[:, 3]]])
    marks = Marks(*np.concatenate([theirs, own]).T)
    found = compare_spans(marks, m + len(left), left, m + np.arange(len(left)))
    values = np.array(scores, np.float64)
    threshold = threshold_of(values) if column.higher_is_better else nan
    free = np.array(errors, np.intp) == 0
    free = free & ~(values < threshold) if not np.isnan(threshold) else free
    sign = 1 if column.higher_is_better else -1
    return summary(
        people,
        found,
        left,
        metric=metric_of(column),
        free=free,
        scores=sign * values,
        threshold=threshold,
        examples=examples_of(people, left, (theirs, own), names),
    )


def with_others(severities: Sequence[str], others: Iterable[str]) -> list[str]:
    """Return the severities of people's scheme, from the lightest, with those of a metric in their
    places among them: by SEVERITIES, and any other name as the lightest."""
    names = list(severities)
    for name in sorted(set(others) - set(severities), key=lambda each: (place_of(each), each)):
        place = place_of(name)
        graver = (k for k, each in enumerate(names) if place_of(each) > place)
        names.insert(next(graver, len(names)) if place >= 0 else 0, name)
    return names


def place_of(severity: str) -> int:
    """Return its place in SEVERITIES; −1 for another name."""
    name = severity.lower()
    return SEVERITIES.index(name) if name in SEVERITIES else -1


def grave_of(severities: Sequence[str]) -> frozenset[str]:
    """Return what is grave by name in people's scheme, or else its gravest severity."""
    return frozenset(n for n in severities if n.lower() in GRAVE) or frozenset(severities[-1:])


def against_people(people: OwnMarks) -> ErrorsFound | None:
    """Return each person's errors against those of everybody else who judged the output."""
    _, output = np.unique(people.judged.output, return_inverse=True)
    _, one, other = co_ratings(output, people.judged.annotator)
    if not len(one):
        return None
    first, second = np.concatenate([one, other]), np.concatenate([other, one])
    found = compare_spans(Marks(*people.marks.T), len(output), first, second)
    free, scores = people.is_free[second], people.judged.score[second]
    return summary(people, found, first, metric=None, free=free, scores=scores)


def summary(
    people: OwnMarks,
    found: SpanPairs,
    first: np.ndarray,
    *,
    metric: Metric | None,
    free: np.ndarray,
    scores: np.ndarray,
    threshold: float = nan,
    examples: tuple[SpanExample, ...] = (),
) -> ErrorsFound:
    """Return the figures of pairs whose first are people's judgments ``first``."""
    truth = people.is_free[first]
    scored = ~np.isnan(scores)
    interval = bootstrap_sums_interval(
        micro_f1,
        found.sums,
        rng=np.random.default_rng(SEED),
        resamples=RESAMPLES,
        level=0.95,
        clusters=people.judged.cluster[first],
    )
    severity = people.marks[found.error, 3]
    return ErrorsFound(
        metric=metric,
        figures=figures_of(found),
        low=float(interval.low),
        high=float(interval.high),
        matthews=matthews(truth, free),
        auc=area_under_curve(scores[scored], truth[scored]),
        threshold=threshold,
        n_people=int(found.spans[:, 0].sum()),
        n_own=int(found.spans[:, 1].sum()),
        severities=by_kind(found, severity, people.judged.severities),
        categories=by_kind(found, people.category[found.error], people.judged.categories),
        examples=examples,
    )


def by_kind(found: SpanPairs, kind: np.ndarray, names: Sequence[str]) -> dict[str, KindFound]:
    """Return what was marked of people's errors (k,) of each kind that there is."""
    kinds = {}
    for code in np.unique(kind).tolist():
        here = kind == code
        characters = float(found.covered[here].sum() / found.length[here].sum())
        kinds[names[code]] = KindFound(
            int(here.sum()), characters, float(found.is_met[here].mean())
        )
    return kinds


def threshold_of(scores: np.ndarray) -> float:
    """Return THRESHOLD on the scale of some scores: hundredths where they go to 1, as it is where
    they go to 100; NaN on no such scale. Metrics that learn their scale leave it by a little."""
    known = scores[~np.isnan(scores)]
    if not len(known):
        return nan
    low, high = known.min(), known.max()
    if low >= -0.1 and high <= 1.1:
        return THRESHOLD / 100
    return THRESHOLD if low >= 0 and 25 < high <= 100.5 else nan


def examples_of(
    people: OwnMarks,
    first: np.ndarray,
    sides: tuple[np.ndarray, np.ndarray],
    names: Sequence[str],
) -> tuple[SpanExample, ...]:
    """Return outputs in which people marked a grave error and the metric nothing, then the reverse:
    those with the longest such error. ``sides``: the errors of people and of the metric, whose
    severities number ``names``."""
    m, own = len(people.judged.segment), sides[1]
    of_people = grave_of(people.judged.severities)
    grave = np.array([n in of_people or n.lower() in GRAVE for n in names], bool)
    _, output = np.unique(people.judged.output, return_inverse=True)
    compared = np.full(m, -1)
    compared[first] = np.arange(len(first))
    theirs = np.zeros(output.max(initial=0) + 1, bool)  # marked by the metric
    theirs[output[first[own[:, 0] - m]]] = True
    ours = np.bincount(output, people.judged.n_errors) > 0
    found = []
    for by_people, rows, judgment, marked in (
        (True, sides[0], sides[0][:, 0], theirs),
        (False, own, first[own[:, 0] - m], ours),
    ):
        fits = (compared[judgment] >= 0) & grave[rows[:, 3]] & ~marked[output[judgment]]
        order = np.flatnonzero(fits)[np.argsort((rows[:, 1] - rows[:, 2])[fits], kind="stable")]
        _, once = np.unique(output[judgment[order]], return_index=True)
        for row in order[np.sort(once)][:MOST_EXAMPLES].tolist():
            at, (_, start, end, severity) = judgment[row], rows[row].tolist()
            place = int(people.segment_ids[at]), int(people.system_ids[at])
            found.append(SpanExample(by_people, *place, names[severity], start, end))
    return tuple(found)


def data_of(found: ErrorsFound) -> dict:
    """Return the figures, for the API."""
    kinds = {key: {n: asdict(kind) for n, kind in getattr(found, key).items()} for key in KINDS}
    return {
        **asdict(found.figures),
        "metric": found.metric.title if found.metric else "",
        **{key: getattr(found, key) for key in PLAIN},
        **kinds,
    }


KINDS = ("severities", "categories")
PLAIN = ("low", "high", "matthews", "auc", "threshold", "n_people", "n_own")
