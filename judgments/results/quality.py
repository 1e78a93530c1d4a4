"""How carefully each annotator judged: one line per annotator, of figures and flags.

Always of all annotators: whether somebody is left out of the results changes nothing here.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

import numpy as np

from judgments.models import Segment
from judgments.stats import quality as stats
from judgments.stats.quality import Consistency, ControlTest, ReferenceCheck, Run
from judgments.words import n_words

from .bulk import copy_rows
from .observed import KINDS, SCORED_KINDS, Observed, cached, checked, dimensions_of
from .rows import Rows
from .selection import Selection

FASTER_THAN = 1 / 3
OVERLAP_SHARE = 0.05
REGULAR, REFERENCE, DEGRADED = (KINDS.index(k) for k in ("regular", "reference", "degraded"))
SCORED = tuple(KINDS.index(kind) for kind in SCORED_KINDS)
# Flag → what it says; a flag is a reason to look, not a verdict.
FLAGS = {
    "controls": "degraded copies are not scored lower",
    "references": "references score below system outputs",
    "constant": "every score is the same",
    "run": "a long run of one score",
    "fast": "less than a third of the usual time",
    "floor": "too fast to have read the source",
    "overlapping": "judgments overlap in time",
}


@dataclass(frozen=True)
class AnnotatorQuality:
    """One annotator: ``user`` id and alias, and what their judgments show.

    ``n_unmatched`` degraded copies lack an original that the same person judged. ``sd`` is of the
    scores of regular and repeated items. ``median_seconds`` active time of a judgment and
    ``seconds_per_word`` of the source: NaN where no times are known. ``flags`` are keys of FLAGS.
    """

    user: int
    alias: str
    n_judgments: int
    n_scores: int
    control: ControlTest
    n_unmatched: int
    repeats: Consistency
    references: ReferenceCheck
    sd: float
    run: Run
    median_seconds: float
    seconds_per_word: float
    n_overlapping: int
    flags: tuple[str, ...] = ()


@dataclass(frozen=True)
class QualityReport:
    """All annotators by alias, on one dimension (empty: comparisons or ranks, which have no
    controls of scores). ``usual_seconds`` is the median of the annotators' medians, ``floor`` the
    campaign's least seconds for a word (NaN: none)."""

    dimension: str
    name: str
    annotators: tuple[AnnotatorQuality, ...]
    usual_seconds: float
    floor: float

    @property
    def has_controls(self) -> bool:
        return any(a.control.n_pairs or a.n_unmatched for a in self.annotators)


def quality(selection: Selection, dimension: str | None = None) -> QualityReport:
    """The report on a campaign's annotators. ``dimension`` None is the first."""
    found = qualities(selection)
    if dimension is None:
        return found[0]
    by_slug = {report.dimension: report for report in found}
    return by_slug[checked(dimension, dimensions_of(selection.campaign))]


def qualities(selection: Selection) -> tuple[QualityReport, ...]:
    """The reports on all dimensions; the times of judgments are read once for them."""
    everyone = selection.everyone
    rule = selection.campaign.quality_rules.last()
    floor = rule.seconds_per_word if rule and rule.seconds_per_word else math.nan
    dimensions = dimensions_of(selection.campaign)
    slugs: list[str | None] = [dimension.slug for dimension in dimensions]

    def compute(observed: Observed) -> tuple[QualityReport, ...]:
        times = times_of(everyone)
        return tuple(quality_of(observed, times, slug, floor) for slug in slugs or [None])

    return cached(everyone, "quality", compute, floor=floor)


def times_of(selection: Selection) -> np.ndarray:
    """Current judgments (n,): annotator (user id), seconds (active), started and submitted (epoch
    seconds), and words of the source; NaN where unknown."""
    fields = {
        "judgment": ("j.id", "i8"),
        "annotator": ("j.annotator_id", "i8"),
        "segment": ("i.segment_id", "i8"),
        "seconds": ("coalesce(j.active_ms / 1000.0, 'NaN')", "f8"),
        "started": ("coalesce(extract(epoch FROM j.started_at), 'NaN')", "f8"),
        "submitted": ("coalesce(extract(epoch FROM j.submitted_at), 'NaN')", "f8"),
        "words": ("'NaN'", "f8"),
    }
    source = """judgments_judgment j
        LEFT JOIN judgments_judgment newer ON newer.supersedes_id = j.id
        JOIN judgments_item i ON i.id = j.item_id
        WHERE j.campaign_id = %s AND newer.id IS NULL"""
    rows = copy_rows(fields, source, [selection.campaign.pk])
    if selection.filters:
        counted = np.array(selection.judgments().values_list("pk", flat=True), np.int64)
        rows = rows[np.isin(rows["judgment"], counted)]
    test_set = selection.campaign.test_set
    segments = Segment.objects.filter(test_set=test_set).order_by("pk")
    pairs = list(segments.values_list("pk", "source"))
    if len(rows):
        ids = np.array([pk for pk, _ in pairs], np.int64)
        words = np.array([n_words(text, test_set.source_language) for _, text in pairs])
        rows["words"] = words[np.searchsorted(ids, rows["segment"])]
    return rows


def quality_of(
    observed: Observed, times: np.ndarray, dimension: str | None, floor: float
) -> QualityReport:
    """`quality` of rows that were loaded."""
    slug, name = "", "comparisons"
    if observed.rates:
        slug = checked(dimension, observed.dimensions)
        name = next(d.name for d in observed.dimensions if d.slug == slug)
        observed = observed.of_dimension(slug)
    elif observed.ranks:
        name = "ranks"
    rows = observed.as_shown().rows
    of_rows = _by_annotator(rows["annotator"], len(observed.annotators))
    codes = np.searchsorted(observed.annotator_ids, times["annotator"], sorter=_sorter(observed))
    known = np.isin(times["annotator"], observed.annotator_ids)
    times, codes = times[known], _sorter(observed)[codes[known]]
    of_times = _by_annotator(codes, len(observed.annotators))
    found = [
        _annotator(observed, code, rows[of_rows[code]], times[of_times[code]])
        for code in range(len(observed.annotators))
    ]
    tests = stats.adjusted([each.control for each in found])
    usual = stats.median([each.median_seconds for each in found])
    found = [
        dataclasses.replace(each, control=test, flags=_flags(each, usual, floor))
        for each, test in zip(found, tests, strict=True)
    ]
    return QualityReport(slug, name, tuple(found), usual, floor)


def _sorter(observed: Observed) -> np.ndarray:
    return np.argsort(observed.annotator_ids)


def _by_annotator(codes: np.ndarray, n: int) -> list[np.ndarray]:
    """For each annotator the places of their rows, in order."""
    order = np.argsort(codes, kind="stable")
    return np.split(order, np.searchsorted(codes[order], np.arange(1, n))) if n else []


def _annotator(observed: Observed, code: int, rows: Rows, times: np.ndarray) -> AnnotatorQuality:
    key, value, shown = _answers(observed, rows)
    kind = rows["kind"]
    regular, scored = kind == REGULAR, np.isin(kind, SCORED)
    controls = kind == DEGRADED
    references = value[kind == REFERENCE]
    if not observed.rates:
        controls, references = np.zeros(len(rows), bool), references[:0]
    original, degraded, n_unmatched = stats.pair_by_key(
        key[regular], value[regular], key[controls], value[controls]
    )
    habits = shown[scored] if not observed.ranks else shown[:0]
    return AnnotatorQuality(
        user=int(observed.annotator_ids[code]),
        alias=str(observed.annotators[code]),
        n_judgments=len(times),
        n_scores=int(scored.sum()),
        control=stats.control_test(original, degraded),
        n_unmatched=n_unmatched,
        repeats=stats.consistency(*_twice(key[scored], value[scored])),
        references=stats.reference_check(references, value[regular]),
        sd=stats.spread(habits),
        run=stats.longest_run(habits),
        median_seconds=stats.median(times["seconds"]),
        seconds_per_word=stats.median(times["seconds"] / times["words"]),
        n_overlapping=stats.n_overlapping(times["started"], times["submitted"]),
    )


def _answers(observed: Observed, rows: Rows) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What each row is about (a whole number), its value, and its value as it looked on the screen:
    a preference for the first system is turned to the system that comes first by code."""
    n = len(observed.system_ids)
    is_rated = observed.rates or observed.ranks
    names = ("system",) if is_rated else ("first", "second")
    segment, *systems = (rows[name].astype(np.int64) for name in ("segment", *names))
    if is_rated:
        return segment * n + systems[0], rows["value"], rows["value"]
    first, second = systems
    shown = rows["label"].astype(np.float64)
    key = (segment * n + np.minimum(first, second)) * n + np.maximum(first, second)
    return key, np.where(first <= second, shown, -shown), shown


def _twice(key: np.ndarray, value: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The first and the second value of each key that has two or more, in the order of judging."""
    order = np.argsort(key, kind="stable")
    _, start, counts = np.unique(key[order], return_index=True, return_counts=True)
    at = start[counts > 1]
    return value[order[at]], value[order[at + 1]]


def _flags(found: AnnotatorQuality, usual: float, floor: float) -> tuple[str, ...]:
    constant = found.sd == 0
    says = {
        "controls": found.control.verdict == stats.FAIL,
        "references": found.references.is_low,
        "constant": constant,
        "run": found.run.is_long and not constant,
        "fast": found.median_seconds < FASTER_THAN * usual,
        "floor": found.seconds_per_word < floor,
        "overlapping": found.n_overlapping > OVERLAP_SHARE * found.n_judgments,
    }
    return tuple(flag for flag in FLAGS if says[flag])
