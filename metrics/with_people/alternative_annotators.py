"""Whether a metric may replace a person: the alternative annotator test of each, over outputs."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import nan

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.results.observations.observations import (
    KINDS,
    SCORED_KINDS,
    SEED,
    Observed,
    load,
)
from judgments.results.observations.tables import places
from judgments.results.scores.figures import standardized
from judgments.results.selection.selection import Selection
from judgments.stats.alternative_annotator import (
    EPSILONS,
    FEWEST,
    AlternativeAnnotator,
    alternative_annotator,
    closer_numbers,
    document_draws,
)
from judgments.stats.normalization import standardize
from judgments.web import plurals as counted
from judgments.web.tables import Column, Table, figure, interval

from .board import Board
from .metric_section import MetricSection, section
from .study import Metric, Study, StudyChoice, computed_on, measure_of, remembered, study_of
from .tables import names_of, with_ends

TITLE = gettext_lazy("May a metric stand for a person?")
# The name of the first test, to which the interval belongs.
FIRST = "trained"
OF_PEOPLE = {
    "experts": gettext_lazy("an expert"),
    "trained": gettext_lazy("a trained annotator"),
    "crowd": gettext_lazy("somebody of a crowd"),
}
PERSON = gettext_lazy("One person against the others")
MOST_PEOPLE = 50  # who are each compared with the others
ABOUT = gettext_lazy(
    "The alternative annotator test (Calderon, Reichart and Dror 2025). Each person in turn is "
    "left out: on what share of their outputs is the metric as close to the others as they are, or "
    "closer? ρ is the mean over people. ω is the share of people for whom the test shows "
    "that the metric is not worse by ε or more, which is what its lower price is worth (t test, "
    "Benjamini and Yekutieli over people, q = .05); from .5 on it may stand for a person. "
    "Scores are standardized for each person and each metric. The interval of ρ is by bootstrap "
    "over documents."
)
TOO_FEW = gettext_lazy(
    "Nobody judged 30 outputs that somebody else judged too. Plan a share of batches with two "
    "annotators."
)


@dataclass(frozen=True, eq=False)
class AnnotatorTest:
    """A metric, or another person if None: its test for each of EPSILONS, by name."""

    metric: Metric | None
    tests: Mapping[str, AlternativeAnnotator]

    @property
    def first(self) -> AlternativeAnnotator:
        return self.tests[FIRST]


@dataclass(frozen=True)
class AnnotatorTests:
    """``rows``: the metrics with scores of outputs, the highest ρ first. ``people``: ρ of each
    person as the judge of the others, the ceiling."""

    rows: tuple[AnnotatorTest, ...]
    people: tuple[float, ...]

    def among(self, slugs: set[str]) -> "AnnotatorTests":
        rows = tuple(row for row in self.rows if row.metric and row.metric.slug in slugs)
        return replace(self, rows=rows)


@dataclass(frozen=True, eq=False)
class StandardRatings:
    """Each person's score of each output, standardized: R annotations; ``outputs`` (R,) index the
    systems and segments of a study, row by row, and ``documents`` (R,) count from 0."""

    people: np.ndarray
    outputs: np.ndarray
    documents: np.ndarray
    values: np.ndarray

    @classmethod
    def of(cls, observed: Observed, study: Study, dimension: str | None) -> "StandardRatings":
        shown = observed.as_shown().regular_first()
        everything, scaled = standardized(shown, dimension, "z", "regular")
        rows = everything.ratings
        own = rows.among("kind", [KINDS.index(kind) for kind in SCORED_KINDS])
        system = places(everything.system_ids[rows["system"]], study.system_ids)
        segment = places(everything.segment_ids[rows["segment"]], study.segment_ids)
        own &= (system >= 0) & (segment >= 0) & ~np.isnan(scaled.values)
        at = np.flatnonzero(own)
        outputs = system[at] * study.n_segments + segment[at]
        people = rows["annotator"][at]
        _, first = np.unique(np.stack([people, outputs]), axis=1, return_index=True)
        of_segment = everything.document_ids[rows["segment"]][at]
        documents = np.unique(of_segment, return_inverse=True)[1]
        values = scaled.values[at]
        return cls(people[first], outputs[first], documents[first], values[first])

    def against(
        self, judge: np.ndarray, metric: Metric | None = None, draws: np.ndarray | None = None
    ) -> AnnotatorTest:
        """Return the test of a judge. ``judge``: its score of each output, NaN without one. draws:
        of documents, for an interval."""
        closer = closer_numbers(self.outputs, self.values, judge)
        tests = {
            name: alternative_annotator(
                *(closer, self.people, self.documents),
                epsilon=epsilon,
                draws=draws if name == FIRST else None,
            )
            for name, epsilon in EPSILONS.items()
        }
        return AnnotatorTest(metric, tests)

    def without(self, person: int) -> "StandardRatings":
        kept = self.people != person
        columns = self.people, self.outputs, self.documents, self.values
        return StandardRatings(*(column[kept] for column in columns))


def annotator_tests(selection: Selection, choice: StudyChoice, board: Board) -> AnnotatorTests:
    """Return the tests, cached until judgments, scores or texts change."""
    alike = replace(choice, over="all", method="raw")
    whole = computed_on(board, alike)

    def compute() -> AnnotatorTests:
        study = study_of(selection, alike, whole)
        return annotator_tests_of(
            StandardRatings.of(load(selection), study, choice.dimension), study
        )

    return remembered(selection, "annotator tests", alike, whole, compute).among(board.slugs)


def annotator_tests_of(annotations: StandardRatings, study: Study) -> AnnotatorTests:
    """Return the same from arrays."""
    rows = []
    n_documents = int(annotations.documents.max(initial=-1)) + 1
    draws = document_draws(n_documents, np.random.default_rng(SEED)) if n_documents else None
    for metric, scores in zip(study.metrics, study.segments, strict=True):
        found = annotations.against(standard(scores.ravel(), annotations.outputs), metric, draws)
        if len(found.first.people):
            rows.append(found)
    names, n = np.unique(annotations.people, return_counts=True)
    people = []
    for person in names[np.argsort(-n, kind="stable")][:MOST_PEOPLE]:
        own = annotations.people == person
        judge = np.full(study.n_systems * study.n_segments, np.nan)
        judge[annotations.outputs[own]] = annotations.values[own]
        first = annotations.without(person).against(judge).first
        if len(first.people):
            people.append(first.advantage)
    rows.sort(key=lambda row: -row.first.advantage)
    return AnnotatorTests(tuple(rows), tuple(people))


def standard(scores: np.ndarray, outputs: np.ndarray) -> np.ndarray:
    """Return the scores in standard deviations from their mean over the outputs that people judged,
    each once; NaN if all are equal."""
    judged = np.unique(outputs)
    found = np.full_like(scores, np.nan)
    found[judged] = standardize(scores[judged], np.zeros(len(judged), int)).values
    return found


@dataclass(frozen=True)
class AnnotatorTestSection:
    """The section of a campaign, computed on demand."""

    selection: Selection
    choice: StudyChoice
    board: Board

    @property
    def report(self) -> AnnotatorTests:
        return annotator_tests(self.selection, self.choice, self.board)

    def sections(self) -> list[MetricSection]:
        """Return the section; none if people give no scores."""
        rates = load(self.selection).rates
        if not rates or measure_of(self.selection, self.choice) is not None:
            return []
        return [
            section(
                slug="metric-annotator-test",
                title=str(TITLE),
                sentence=lambda: annotator_test_lead(self.report),
                table=lambda: annotator_test_table(self.report),
                notes=lambda: [str(ABOUT)],
                missing=lambda: "" if self.report.rows else str(TOO_FEW),
                folded=True,
            )
        ]


def annotator_test_lead(report: AnnotatorTests) -> str:
    """Return which metrics may replace people, and the closest metric next to people."""
    if not report.rows:
        return str(TOO_FEW)
    names = names_of([row.metric for row in report.rows if row.metric])
    said = []
    for key, group in OF_PEOPLE.items():
        found = [
            names[row.metric.slug] for row in report.rows if row.metric and row.tests[key].may_stand
        ]
        who = counted.names(found) if found else _("No metric")
        said.append(_("%(who)s may stand for %(group)s.") % {"group": group, "who": who})
    first = next((r for r in report.rows if r.metric and not r.metric.is_sentinel), report.rows[0])
    known = {
        "metric": names[first.metric.slug] if first.metric else "",
        "rho": f"{figure(first.first.advantage)} {interval(first.first.low, first.first.high)}",
        "people": figure(float(np.mean(report.people))) if report.people else "–",
    }
    said.append(
        _(
            "Closest is %(metric)s, ρ = %(rho)s; one person against the others: %(people)s on "
            "average."
        )
        % known
    )
    return " ".join(said)


def annotator_test_table(report: AnnotatorTests) -> Table | None:
    """Return a row for each metric, and one for the mean person, as the ceiling."""
    if not report.rows:
        return None
    names = names_of([row.metric for row in report.rows if row.metric])
    columns: list[Column | str] = [
        Column("metric"),
        *with_ends("rho", "ρ"),
        Column("people", _("People"), "count"),
        Column("annotations", _("Annotations"), "count"),
        Column("documents", _("Documents"), "count"),
    ]
    for key, group in OF_PEOPLE.items():
        label = _("ω for %(group)s (ε = %(epsilon)s)")
        words = label % {"group": group, "epsilon": EPSILONS[key]}
        columns.append(Column(f"omega_{key}", words, "number"))
    rows: list[tuple[object, ...]] = [
        (
            names[row.metric.slug] if row.metric else "",
            row.first.advantage,
            row.first.low,
            row.first.high,
            len(row.first.people),
            int(row.first.n.sum()),
            row.first.n_documents,
            *(row.tests[key].winning_rate for key in OF_PEOPLE),
        )
        for row in report.rows
    ]
    if report.people:
        mean, n = float(np.mean(report.people)), len(report.people)
        rows.append((str(PERSON), mean, nan, nan, n, None, None, *[nan] * len(OF_PEOPLE)))
    note = _("From people with %(n)s outputs or more that others judged, too.") % {"n": FEWEST}
    return Table("metric-annotator-test", str(TITLE), tuple(columns), rows, note)
