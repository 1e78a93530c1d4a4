"""Quality of each annotator's work: one line per annotator, with figures and flags.

Always for all annotators: exclusions from the results change nothing here.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

import numpy as np
from django.utils.translation import gettext_lazy

from judgments.models.damaged_copies import original_name
from judgments.protocols.base import Scale
from judgments.quality.control_items.figures import (
    ControlFacts,
    checks_of,
    codes_of_systems,
    control_facts,
    others_of,
)
from judgments.results.observations.observations import (
    KINDS,
    SCORED_KINDS,
    Observed,
    cached,
    checked,
    dimensions_of,
)
from judgments.results.observations.rows import Rows
from judgments.results.observations.tables import places
from judgments.results.observations.times import times_of
from judgments.results.selection.selection import Selection
from judgments.stats import quality_control as stats
from judgments.stats.control_items import (
    NO_CHECKS,
    NO_DEVIATION,
    NOTHING_FOUND,
    Checks,
    Deviation,
    FoundErrors,
    deviation,
)
from judgments.stats.quality_control import Consistency, ControlTest, ReferenceCheck, Run

FASTER_THAN = 1 / 3
OVERLAP_SHARE = 0.05
LEAST_CHECKS = 0.5
REGULAR, REFERENCE, DEGRADED = (KINDS.index(k) for k in ("regular", "reference", "degraded"))
SCORED = tuple(KINDS.index(kind) for kind in SCORED_KINDS)
# Flag → its meaning; a flag is a reason to look, not a verdict.
FLAGS = {
    "controls": gettext_lazy("degraded copies are not scored lower"),
    "checks": gettext_lazy("attention checks are failed"),
    "references": gettext_lazy("references score below system outputs"),
    "constant": gettext_lazy("every score is the same"),
    "run": gettext_lazy("a long run of one score"),
    "fast": gettext_lazy("less than a third of the usual time"),
    "floor": gettext_lazy("too fast to have read the source"),
    "overlapping": gettext_lazy("judgments overlap in time"),
}


@dataclass(frozen=True)
class AnnotatorQuality:
    """One annotator: ``user`` id and alias, and the figures of their judgments.

    ``n_unmatched`` degraded copies lack an original judged by the same person. ``sd`` is that of
    the scores of regular and repeated items. ``median_seconds`` active time of a judgment and
    ``seconds_per_word`` of the source: NaN if no times are known. ``flags`` are keys of FLAGS.
    ``found``: planted errors, if errors are marked.
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
    checks: Checks = NO_CHECKS
    found: FoundErrors = NOTHING_FOUND
    deviation: Deviation = NO_DEVIATION


@dataclass(frozen=True)
class QualityReport:
    """All annotators by alias, on one dimension (empty: comparisons or ranks, which have no control
    items with scores). ``usual_seconds`` is the median of the annotators' medians, ``floor`` the
    campaign's minimum of seconds per word (NaN: none)."""

    dimension: str
    name: str
    annotators: tuple[AnnotatorQuality, ...]
    usual_seconds: float
    floor: float

    @property
    def has_controls(self) -> bool:
        return any(a.control.n_pairs or a.n_unmatched for a in self.annotators)

    @property
    def has_checks(self) -> bool:
        return any(a.checks.n for a in self.annotators)

    @property
    def has_found(self) -> bool:
        return any(a.found.n_planted for a in self.annotators)

    @property
    def has_deviation(self) -> bool:
        return any(a.deviation.n for a in self.annotators)


def quality(selection: Selection, dimension: str | None = None) -> QualityReport:
    """Return the report on a campaign's annotators. ``dimension`` None is the first."""
    everyone = selection.everyone
    rule = selection.campaign.quality_rules.last()
    floor = rule.seconds_per_word if rule and rule.seconds_per_word else math.nan
    dimensions = dimensions_of(selection.campaign)
    slug = checked(dimension, dimensions) if dimensions else None

    def compute(observed: Observed) -> QualityReport:
        facts = control_facts(selection.campaign, among=everyone)
        return quality_of(observed, times_of(everyone), slug, floor, facts)

    return cached(everyone, "quality", compute, dimension=slug, floor=floor)


def qualities(selection: Selection) -> tuple[QualityReport, ...]:
    """Return the reports on all dimensions."""
    dimensions = dimensions_of(selection.campaign)
    return tuple(quality(selection, d.slug) for d in dimensions) or (quality(selection),)


def quality_of(
    observed: Observed,
    times: Rows,
    dimension: str | None,
    floor: float,
    facts: ControlFacts,
) -> QualityReport:
    """Return the report on rows that were loaded."""
    slug, name = "", "comparisons"
    if observed.rates:
        slug = checked(dimension, observed.dimensions)
        name = next(d.name for d in observed.dimensions if d.slug == slug)
        observed = observed.of_dimension(slug)
    elif observed.ranks:
        name = "ranks"
    observed = observed.as_shown()
    rows, others = observed.rows, others_of(observed)
    of_rows = _by_annotator(rows["annotator"], len(observed.annotators))
    codes = places(times["annotator"], observed.annotator_ids)
    times, codes = times[codes >= 0], codes[codes >= 0]
    of_times = _by_annotator(codes, len(observed.annotators))
    found = [
        _annotator(
            observed,
            code,
            rows[of_rows[code]],
            times[of_times[code]],
            others[of_rows[code]],
            facts,
        )
        for code in range(len(observed.annotators))
    ]
    tests = stats.adjusted([each.control for each in found])
    usual = stats.median([each.median_seconds for each in found])
    found = [
        dataclasses.replace(each, control=test, flags=_flags(each, usual, floor))
        for each, test in zip(found, tests, strict=True)
    ]
    return QualityReport(slug, name, tuple(found), usual, floor)


def _by_annotator(codes: np.ndarray, n: int) -> list[np.ndarray]:
    """Return for each annotator the positions of their rows, in order."""
    # 16-bit numbers are sorted by counting, not by comparison, which is much faster.
    order = np.argsort(codes.astype(np.min_scalar_type(n)), kind="stable")
    ends = np.cumsum(np.bincount(codes, minlength=n))[:-1]
    return np.split(order, ends) if n else []


def _annotator(
    observed: Observed,
    code: int,
    rows: Rows,
    times: Rows,
    others: np.ndarray,
    facts: ControlFacts,
) -> AnnotatorQuality:
    key, value, shown = _answers(observed, rows)
    regular, scored = rows.among("kind", [REGULAR]), rows.among("kind", SCORED)
    controls = rows.among("kind", [DEGRADED])
    references, of_systems = _references(observed, rows, facts)
    if not observed.rates:
        controls = np.zeros(len(rows), bool)
    original, degraded, n_unmatched = stats.pair_by_key(
        key[regular], value[regular], key[controls], value[controls]
    )
    habits = shown[scored] if not observed.ranks else shown[:0]
    user = int(observed.annotator_ids[code])
    return AnnotatorQuality(
        user=user,
        alias=str(observed.annotators[code]),
        n_judgments=len(times),
        n_scores=int(scored.sum()),
        control=stats.control_test(original, degraded),
        n_unmatched=n_unmatched,
        repeats=stats.consistency(*_twice(key[scored], value[scored])),
        references=stats.reference_check(value[references], value[of_systems]),
        sd=stats.spread(habits),
        run=stats.longest_run(habits),
        median_seconds=stats.median(times["seconds"]),
        seconds_per_word=stats.median(times["seconds"] / times["words"]),
        n_overlapping=stats.n_overlapping(times["started"], times["submitted"]),
        checks=checks_of(observed, user, rows, facts, _scale(observed)),
        found=facts.found.get(user, NOTHING_FOUND),
        deviation=_deviation(rows, others, times) if observed.rates else NO_DEVIATION,
    )


def _references(
    observed: Observed, rows: Rows, facts: ControlFacts
) -> tuple[np.ndarray, np.ndarray]:
    """Return masks (n,) of hidden references, and of regular outputs of other systems."""
    regular, references = rows.among("kind", [REGULAR]), rows.among("kind", [REFERENCE])
    if not observed.rates:
        return np.zeros(len(rows), bool), regular
    if facts.references:
        copied = rows.among("system", codes_of_systems(observed.system_ids, facts.references))
        return references | (regular & copied), regular & ~copied
    return references, regular


def _scale(observed: Observed) -> Scale | None:
    """Return the scale of the one dimension of the rows; None if nothing is scored."""
    if not observed.rates or not len(observed.ratings):
        return None
    return observed.dimensions[int(observed.ratings["dimension"][0])].scale


def _deviation(rows: Rows, others: np.ndarray, times: Rows) -> Deviation:
    """Return the deviation from the others' means; rows and judgments are in the order of the
    work."""
    place = np.searchsorted(np.sort(times["judgment"]), rows["judgment"])
    return deviation(rows["value"], others, place)


def _answers(observed: Observed, rows: Rows) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the subject of each row (a whole number), its value, and its value as it appeared on
    the screen: a preference for the first system is turned to the system that comes first by
    code."""
    n = len(observed.system_ids)
    is_rated = observed.rates or observed.ranks
    names = ("system",) if is_rated else ("first", "second")
    segment, *systems = (rows[name].astype(np.int64) for name in ("segment", *names))
    if is_rated:
        originals = _originals(observed.system_names)
        return segment * n + originals[systems[0]], rows["value"], rows["value"]
    first, second = systems
    shown = rows["label"].astype(np.float64)
    key = (segment * n + np.minimum(first, second)) * n + np.maximum(first, second)
    return key, np.where(first <= second, shown, -shown), shown


def _originals(names: np.ndarray) -> np.ndarray:
    """Return for each system (n,) its own position, and for a damaged copy that of its original
    system."""
    places = {str(name): place for place, name in enumerate(names)}
    return np.array(
        [places.get(original_name(str(name)), place) for place, name in enumerate(names)], np.int64
    )


def _twice(key: np.ndarray, value: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the first and the second value of each key that has two or more, in judging order."""
    order = np.argsort(key, kind="stable")
    _, start, counts = np.unique(key[order], return_index=True, return_counts=True)
    at = start[counts > 1]
    return value[order[at]], value[order[at + 1]]


def _flags(found: AnnotatorQuality, usual: float, floor: float) -> tuple[str, ...]:
    constant = found.sd == 0
    says = {
        "controls": found.control.verdict == stats.FAIL,
        "checks": found.checks.share < LEAST_CHECKS,
        "references": found.references.is_low,
        "constant": constant,
        "run": found.run.is_long and not constant,
        "fast": found.median_seconds < FASTER_THAN * usual,
        "floor": found.seconds_per_word < floor,
        "overlapping": found.n_overlapping > OVERLAP_SHARE * found.n_judgments,
    }
    return tuple(flag for flag in FLAGS if says[flag])
