"""People's scores and metrics' scores of the same systems and segments, as arrays.

The sign of error metrics is reversed (× −1), so that everywhere in this package higher is better
and positive agreement is good.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TypeVar

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from judgments.models import Campaign
from judgments.protocols import protocol_of
from judgments.results.observations import observations
from judgments.results.observations.measures import (
    Measure,
    measure_mark,
    measure_named,
    measured_segments,
    measured_systems,
    measures_of,
)
from judgments.results.observations.observations import cached, is_cached
from judgments.results.observations.tables import places
from judgments.results.scores import figures as scores_figures
from judgments.results.scores.figures import SegmentScores, SystemScores
from judgments.results.selection.selection import Selection
from metrics.scores.tables import MetricColumn, title_of
from metrics.with_people.judged_segments import Judged, corpus_scores, judged_in, judged_matrix

from .board import Board, board_of
from .donors import corpora_without, donor_cells, given, in_whole_documents, people_without
from .sentinels import is_sentinel

# Which segments a metric's score of a system covers.
OVER = {
    "all": gettext_noop("the whole test set"),
    "judged": gettext_noop("the segments that were judged"),
}
HUMANS = {
    "out": gettext_noop("left out"),
    "in": gettext_noop("kept as systems"),
    "others": gettext_noop("kept, but for those that metrics are given"),
}
# One system far from the others produces a correlation by itself, and pairs that everybody gets
# right (Mathur, Baldwin and Cohn 2020).
CONTROLS = {"out": gettext_noop("left out"), "in": gettext_noop("kept as systems")}
# A reference that was made from an output favors it.
DONORS = {
    "out": gettext_noop("leave out each donor's output where it made the reference"),
    "in": gettext_noop("count them as they are"),
}
# The fewest outputs of a group that has a correlation.
FEWEST = {
    3: gettext_noop("three or more outputs"),
    2: gettext_noop("two or more, as mt-metrics-eval counts"),
}

T = TypeVar("T")


@dataclass(frozen=True)
class StudyChoice:
    """The chosen human score, and further choices: keys of OVER, HUMANS, FEWEST, CONTROLS and
    DONORS."""

    dimension: str | None = None
    method: str = "raw"
    over: str = "all"
    humans: str = "out"
    fewest: int = 3
    controls: str = "out"
    donors: str = "out"

    def __post_init__(self) -> None:
        known_values: dict[str, dict] = {"over": OVER, "humans": HUMANS, "fewest": FEWEST}
        known_values |= {"controls": CONTROLS, "donors": DONORS}
        for name, known in known_values.items():
            value = getattr(self, name)
            if value not in known:
                raise ValueError(f"{name} is one of {', '.join(map(str, known))}, not {value!r}")


@dataclass(frozen=True)
class Metric:
    """A metric as named in results."""

    slug: str
    label: str
    metric: str
    references: tuple[str, ...]
    signature: str
    segment_signature: str
    higher_is_better: bool
    is_sentinel: bool

    @property
    def title(self) -> str:
        return title_of(self.label, self.references)

    @property
    def turned(self) -> str:
        """Whether the signs of its scores are reversed, as text."""
        return gettext_noop("no") if self.higher_is_better else gettext_noop("yes")

    @property
    def kind(self) -> str:
        return gettext_noop("sentinel") if self.is_sentinel else gettext_noop("metric")


@dataclass(frozen=True, eq=False)
class Study:
    """S systems, N segments that people judged, M metrics, higher is better.

    `human_systems` (S,), `human` (S, N), `metric_systems` (M, S), `segments` (M, S, N), NaN without
    a score; `segment_ids`, `segment_keys` (N,). `p_values` (S, S): of differences between two
    systems, by `test`, adjusted for all pairs, as on the page Scores whatever scores are
    correlated; None without such a test. `left_out`: human references that do not count as systems
    here, without control systems that do not. `measure`: the measure of a task that human scores
    are, for which lower or higher is better; None for judgments. `reason`: why there is nothing.
    `left`: if donors of references are left out, the judged outputs with which each metric is not
    compared, (M, S, N) of bool; their `segments` are NaN, `metric_systems` are over the remaining
    ones, and so are `people` (M, S), people's scores of systems. Both are None if nothing is left
    out.
    """

    choice: StudyChoice
    human_name: str
    metrics: tuple[Metric, ...]
    systems: tuple[str, ...]
    left_out: tuple[str, ...]
    system_ids: np.ndarray
    segment_ids: np.ndarray
    segment_keys: np.ndarray
    human_systems: np.ndarray
    human: np.ndarray
    metric_systems: np.ndarray
    segments: np.ndarray
    p_values: np.ndarray | None
    test: str
    reason: str
    measure: Measure | None = None
    left: np.ndarray | None = None
    people: np.ndarray | None = None

    def people_of(self, i: int) -> np.ndarray:
        """Return people's scores of systems with which metric i is compared, (S,)."""
        return self.human_systems if self.people is None else self.people[i]

    def judged_of(self, i: int) -> np.ndarray:
        """Return people's scores of outputs with which metric i is compared, (S, N)."""
        return self.human if self.left is None else np.where(self.left[i], np.nan, self.human)

    @property
    def groups(self) -> list[list[int]]:
        """Indices of metrics that leave out the same outputs, the metrics in order."""
        if self.left is None:
            return [list(range(len(self.metrics)))]
        found: dict[bytes, list[int]] = {}
        for i, cells in enumerate(self.left):
            found.setdefault(cells.tobytes(), []).append(i)
        return list(found.values())

    @property
    def n_systems(self) -> int:
        return len(self.systems)

    @property
    def n_segments(self) -> int:
        return self.human.shape[1]


def metric_of(column: MetricColumn) -> Metric:
    return Metric(
        slug=column.slug,
        label=column.label,
        metric=column.metric,
        references=tuple(column.references),
        signature=column.signature,
        segment_signature=column.segment_signature,
        higher_is_better=column.higher_is_better,
        is_sentinel=is_sentinel(column),
    )


def spoken(name: str) -> str:
    """Return a human score in the reader's language, part by part."""
    return ", ".join(_(part) for part in name.split(", "))


def human_choices(campaign: Campaign) -> list[tuple[str, str]]:
    """Return slug and name of every human score that a reader may choose: rated dimensions, then
    measures of the task. Comparisons have a single one, without a choice."""
    dimensions = [(each.slug, each.name) for each in observations.dimensions_of(campaign)]
    return dimensions + [(each.slug, each.name) for each in measures_of(campaign)]


def first_choice(campaign: Campaign) -> str | None:
    return next((slug for slug, _ in human_choices(campaign)), None)


def measure_of(selection: Selection, choice: StudyChoice) -> Measure | None:
    """Return the measure that the choice names, or the default of a campaign without ratings."""
    campaign = selection.campaign
    return measure_named(campaign, choice.dimension or first_choice(campaign))


def human_scores(selection: Selection, choice: StudyChoice) -> tuple[SystemScores, SegmentScores]:
    """Return people's scores of systems and segments: ratings, comparisons, or a measure of the
    task."""
    measure = measure_of(selection, choice)
    if measure is not None:
        return (
            measured_systems(selection, measure, choice.method),
            measured_segments(selection, measure, choice.method),
        )
    return (
        scores_figures.system_scores(selection, choice.dimension, choice.method),
        scores_figures.segment_scores(selection, choice.dimension, choice.method),
    )


def is_judged(selection: Selection) -> bool:
    """Return whether some system has a human score."""
    known: list[str | None] = [slug for slug, _ in human_choices(selection.campaign)]
    return any(human_scores(selection, StudyChoice(slug))[0].names.size for slug in known or [None])


def human_name(selection: Selection, scores: SystemScores | SegmentScores) -> str:
    """Return a description of people's score: `Adequacy, mean rating`, `expected wins`. It is
    stored with results and in files; pages show it translated by `spoken`."""
    dimensions = observations.dimensions_of(selection.campaign)
    names = {dimension.slug: dimension.name for dimension in dimensions}
    measure = measure_named(selection.campaign, scores.dimension)
    if measure is not None:
        kind = gettext_noop("mean z-score") if scores.method == "z" else gettext_noop("mean")
        turned = gettext_noop("sign reversed")
        return ", ".join([measure.name, kind, *([turned] if measure.lower_is_better else [])])
    if scores.dimension not in names:
        is_final = isinstance(scores, SystemScores)
        return gettext_noop("expected wins") if is_final else gettext_noop("share of wins")
    kind = gettext_noop("mean z-score") if scores.method == "z" else gettext_noop("mean rating")
    return f"{names[scores.dimension]}, {kind}"


def study_of(
    selection: Selection, choice: StudyChoice, board: Board, only: str | None = None
) -> Study:
    """Return all arrays of a selection, or those of the metric whose slug is `only`. The board must
    have statistics if `full_board` adds them."""
    measure = measure_of(selection, choice)
    human, scores = human_scores(selection, choice)
    keep = kept_systems(human.system_ids, board, choice)
    system_ids = human.system_ids[keep]
    of_document = (
        protocol_of(selection.campaign).rates_documents(scores.dimension or "")
        if measure is None
        else measure.of_document
    )
    judged = judged_in(selection.campaign, scores.segment_ids, of_document)
    columns = [each for each in board.table.columns if only in (None, each.slug)]
    over = judged.all_places if choice.over == "judged" else None
    ids = system_ids.tolist()
    names = {system.pk: system.name for system in board.table.systems}
    signs = [1 if column.higher_is_better else -1 for column in columns]
    whole = judged.documents is not None
    corpus = [
        s * corpus_scores(c, ids, over, whole=whole) for s, c in zip(signs, columns, strict=True)
    ]
    n = board.table.n_segments
    cells = [s * judged_matrix(c, ids, n, judged) for s, c in zip(signs, columns, strict=True)]
    shape = (len(columns), len(ids), len(judged.places))
    decided = human if measure else scores_figures.system_scores(selection, choice.dimension)
    at = places(system_ids, decided.system_ids)
    study = Study(
        choice=choice,
        human_name=human_name(selection, human),
        metrics=tuple(metric_of(column) for column in columns),
        systems=tuple(names[pk] for pk in ids),
        left_out=tuple(
            names[pk] for pk in human.system_ids[~keep].tolist() if pk not in board.controls
        ),
        system_ids=system_ids,
        segment_ids=scores.segment_ids,
        segment_keys=scores.segment_keys,
        human_systems=human.mean[keep],
        human=rows_of(scores, human, keep),
        metric_systems=np.array(corpus).reshape(shape[:2]),
        segments=np.array(cells).reshape(shape),
        p_values=None if decided.adjusted is None else decided.adjusted[np.ix_(at, at)],
        test="" if decided.adjusted is None else decided.test,
        reason=human.reason,
        measure=measure,
    )
    if not leaves_donors_out(choice, board):
        return study
    return without_donors(study, selection, board, columns, judged)


def has_donors(board: Board) -> bool:
    """Return whether some metric of the board uses a reference made from outputs."""
    return any(given(column, board.donors) for column in board.table.columns)


def leaves_donors_out(choice: StudyChoice, board: Board) -> bool:
    """Return whether some metric of the board uses a reference whose donors do not count."""
    return choice.donors == "out" and has_donors(board)


def full_board(selection: Selection, choice: StudyChoice, board: Board) -> Board:
    """Return the board with statistics, if metrics have to score a part of the test set. Scores
    without donors' outputs do not need it: few systems are donors, and `corpora_without` reads
    theirs."""
    if choice.over != "judged":
        return board
    return board_of(selection.campaign.test_set, statistics=True)


def without_donors(
    study: Study,
    selection: Selection,
    board: Board,
    columns: Sequence[MetricColumn],
    judged: Judged,
) -> Study:
    """Return the study without the outputs from which a metric's references were made; people's and
    the metric's scores of a donor are then over its other segments."""
    ids, n = study.system_ids.tolist(), board.table.n_segments
    over = judged.all_places if study.choice.over == "judged" else None
    left = np.zeros(study.segments.shape, bool)
    people = np.repeat(study.human_systems[None], len(columns), axis=0)
    gone = np.zeros((*left.shape[:2], n), bool)
    compares = study.measure is None and not human_choices(selection.campaign)
    for i, column in enumerate(columns):
        gone[i] = in_whole_documents(donor_cells(column, board.donors, ids, n), judged)
        left[i] = gone[i][:, judged.places] & ~np.isnan(study.human)
        if not left[i].any():
            continue
        same = next((k for k in range(i) if np.array_equal(left[k], left[i])), None)
        if same is not None:
            people[i] = people[same]
            continue
        known = (study.segment_ids, study.human_systems, study.human, left[i])
        people[i] = people_without(selection, ids, *known, compares=compares)
    whole = over is not None and judged.documents is not None
    corpus = corpora_without(columns, ids, study.metric_systems, gone, over, whole=whole)
    segments = np.where(left, np.nan, study.segments)
    return replace(study, left=left, people=people, metric_systems=corpus, segments=segments)


def kept_systems(system_ids: np.ndarray, board: Board, choice: StudyChoice) -> np.ndarray:
    """Return which systems take part, (S,) of bool."""
    gone = board.humans if choice.humans == "out" else frozenset[int]()
    if choice.humans == "others":
        given = {name for column in board.table.columns for name in column.references}
        gone = frozenset(s.pk for s in board.table.systems if s.name in given) & board.humans
    if choice.controls == "out":
        gone |= board.controls
    return ~np.isin(system_ids, sorted(gone))


def computed_on(board: Board, choice: StudyChoice) -> Board:
    """Return the board whose cached results include those of this one: no metric changes another's
    figures. Under "others", the metrics' references decide which systems take part, so a part has
    its own results."""
    return board if board.whole is None or choice.humans == "others" else board.whole


def rows_of(scores: SegmentScores, human: SystemScores, keep: np.ndarray) -> np.ndarray:
    """Return people's scores of segments, (S, N), in the order of the systems in ``keep``."""
    place = {pk: i for i, pk in enumerate(scores.system_ids.tolist())}
    return scores.values[[place[pk] for pk in human.system_ids[keep].tolist()]]


def remembered(
    selection: Selection,
    name: str,
    choice: StudyChoice,
    board: Board,
    compute: Callable[[], T],
    **options: object,
) -> T:
    """Return `compute()`, cached until a judgment is added or a score or text changes."""
    return cached(
        selection,
        f"agreement {name}",
        lambda campaign: compute(),
        **_key(selection, choice, board, options),
    )


def is_remembered(
    selection: Selection, name: str, choice: StudyChoice, board: Board, **options: object
) -> bool:
    """Return whether the same is cached."""
    return is_cached(selection, f"agreement {name}", **_key(selection, choice, board, options))


def _key(
    selection: Selection, choice: StudyChoice, board: Board, options: dict[str, object]
) -> dict[str, object]:
    mark = measure_mark(selection.campaign, measure_of(selection, choice))
    if not has_donors(board):  # both choices are equal, and cached once
        choice = replace(choice, donors="out")
    return asdict(choice) | options | {"scores": board.state, "mark": mark}
