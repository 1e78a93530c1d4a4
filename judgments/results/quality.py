"""How carefully each annotator judged: one line per annotator, of figures and flags.

Always of all annotators: whether somebody is left out of the results changes nothing here.
"""

from __future__ import annotations

import copy
import dataclasses
import math
from dataclasses import dataclass

import numpy as np

from judgments.models import Campaign, Segment
from judgments.stats import quality as stats
from judgments.stats.quality import Consistency, ControlTest, ReferenceCheck, Run

from .bulk import copy_rows
from .exclusion import left_out
from .observed import KINDS, SCORED_KINDS, Observed, cached, checked, hold, is_held
from .rows import Rows

EVERYONE, FLOOR, TIMES = "campaign_of_everyone", "least_seconds_per_word", "times_of_judgments"
FASTER_THAN = 1 / 3
OVERLAP_SHARE = 0.05
# Written without spaces between words: two characters count as a word.
UNSPACED = {"zh", "ja", "th", "lo", "km", "my", "bo", "yue"}
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
    analysis: str
    annotators: tuple[AnnotatorQuality, ...]
    usual_seconds: float
    floor: float

    @property
    def has_controls(self) -> bool:
        return any(a.control.n_pairs or a.n_unmatched for a in self.annotators)


def quality(campaign: Campaign, dimension: str | None = None) -> QualityReport:
    """The report on a campaign's annotators. ``dimension`` None is the first."""
    everyone = _everyone(campaign)
    floor = getattr(everyone, FLOOR)
    options = {"dimension": dimension, "floor": floor}
    return cached(
        everyone,
        "quality",
        lambda observed: quality_of(observed, times_of(everyone), dimension, floor),
        **options,
    )


def _everyone(campaign: Campaign) -> Campaign:
    """The same campaign with the judgments of all annotators, their times, and the floor of its
    rule, which are asked for once where the campaign is held."""
    known = getattr(campaign, EVERYONE, None)
    if known is not None and is_held(campaign):
        return known
    same = is_held(campaign) and not left_out(campaign)
    everyone = campaign if same else hold(copy.copy(campaign), "all")
    rule = campaign.quality_rules.last()
    floor = rule.seconds_per_word if rule and rule.seconds_per_word else math.nan
    setattr(everyone, FLOOR, floor)
    setattr(everyone, TIMES, None)
    setattr(campaign, EVERYONE, everyone)
    return everyone


def times_of(campaign: Campaign) -> np.ndarray:
    """Current judgments (n,): annotator (user id), seconds (active), started and submitted (epoch
    seconds), and words of the source; NaN where unknown."""
    known = getattr(campaign, TIMES, None)
    if known is not None:
        return known
    fields = {
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
    rows = copy_rows(fields, source, [campaign.pk])
    language = campaign.test_set.source_language.split("-")[0].lower()
    segments = Segment.objects.filter(test_set_id=campaign.test_set_id).order_by("pk")
    pairs = list(segments.values_list("pk", "source"))
    if len(rows):
        ids = np.array([pk for pk, _ in pairs], np.int64)
        words = np.array([n_words(text, language) for _, text in pairs])
        rows["words"] = words[np.searchsorted(ids, rows["segment"])]
    setattr(campaign, TIMES, rows)
    return rows


def n_words(text: str, language: str) -> float:
    """Words of a text, at least one; of a script without spaces, half its characters."""
    n = len("".join(text.split())) / 2 if language in UNSPACED else len(text.split())
    return max(float(n), 1.0)


def quality_of(
    observed: Observed, times: np.ndarray, dimension: str | None, floor: float
) -> QualityReport:
    """`quality` of rows that were loaded."""
    slug, name = "", "comparisons"
    if observed.analysis == "ratings":
        slug = checked(dimension, observed.dimensions)
        name = next(d.name for d in observed.dimensions if d.slug == slug)
        observed = observed.of_dimension(slug)
    elif observed.analysis == "ranks":
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
    return QualityReport(slug, name, observed.analysis, tuple(found), usual, floor)


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
    if observed.analysis != "ratings":
        controls, references = np.zeros(len(rows), bool), references[:0]
    original, degraded, n_unmatched = stats.pair_by_key(
        key[regular], value[regular], key[controls], value[controls]
    )
    habits = shown[scored] if observed.analysis != "ranks" else shown[:0]
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
    names = ("first", "second") if observed.analysis == "preferences" else ("system",)
    segment, *systems = (rows[name].astype(np.int64) for name in ("segment", *names))
    if observed.analysis != "preferences":
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
