"""Stored scores as the tables that pages, exports and the API show."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from math import inf, isnan
from typing import Protocol

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from judgments.models import System, TestSet
from judgments.web.tables import DASH, MINUS
from metrics.models import MetricScore
from metrics.scorers import SCORERS, Scorer
from metrics.scorers.uploads import Uploaded
from metrics.scoring import choices
from metrics.scoring.parts import stale_scores


@dataclass
class MetricColumn:
    """One metric with one signature and one choice of references: scores that can be compared."""

    label: str
    metric: str
    references: list[str]
    signature: str
    segment_signature: str
    higher_is_better: bool
    scores: dict[int, MetricScore] = field(default_factory=dict)
    stale: set[int] = field(default_factory=set)

    @property
    def slug(self) -> str:
        """Names the column in addresses, alike as long as signature and references are."""
        full = "\n".join([self.signature, *self.references])
        return f"{self.metric}-{sha256(full.encode()).hexdigest()[:8]}"

    def scorer(self) -> Scorer | None:
        """Return the metric with its options; None when this version does not know these any
        more."""
        score = next(iter(self.scores.values()))
        return choices.scorer_of(score.metric, score.options)

    @property
    def title(self) -> str:
        return title_of(self.label, self.references)

    @property
    def direction(self) -> str:
        return _("higher is better") if self.higher_is_better else _("lower is better")

    @property
    def computed_at(self) -> datetime:
        return max(score.created_at for score in self.scores.values())

    @property
    def places(self) -> int:
        """Decimals to show: two where scores go up to 100 or beyond 10, four of smaller numbers."""
        if self.metric in SCORERS and SCORERS[self.metric].score_range[1] == 100:
            return 2
        return 2 if any(abs(score.score) >= 10 for score in self.scores.values()) else 4

    def text(self, value: float) -> str:
        """Return a score or difference of scores as pages show it."""
        return score_text(value, self.places)

    @property
    def best(self) -> float:
        """The best score of the column, to the decimals that are shown."""
        pick = max if self.higher_is_better else min
        return round(pick(score.score for score in self.scores.values()), self.places)

    @property
    def has_statistics(self) -> bool:
        return all(score.statistics_width for score in self.scores.values())

    def is_best(self, system_id: int) -> bool:
        """Return whether no system is better, to the decimals shown; of one system nothing is."""
        return (
            len(self.scores) > 1 and round(self.scores[system_id].score, self.places) == self.best
        )


def title_of(label: str, references: Sequence[str]) -> str:
    """Return a metric's label; its references only where they are not the usual one."""
    names = " + ".join(references)
    return label if names in ("ref", "") else f"{label} (reference {names})"


class Named(Protocol):
    """What has a slug, a label and a title: a column, or a metric of results."""

    @property
    def slug(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def title(self) -> str: ...


def brief_names(metrics: Sequence[Named]) -> dict[str, str]:
    """Return what tables call each metric, by slug: as short as no other of them is called."""
    brief = {each.slug: each.label.split(" (")[0] for each in metrics}
    for longer in (lambda each: each.label, lambda each: each.title):
        n = Counter(brief.values())
        brief |= {each.slug: longer(each) for each in metrics if n[brief[each.slug]] > 1}
    return brief


def score_text(value: float, places: int) -> str:
    """Return a score with so many decimals; a dash for none. Unlike a coefficient it keeps its
    zero."""
    if isnan(value):
        return DASH
    text = f"{value:,.{places}f}"
    return text.replace("-", MINUS) if text.strip("-0.,") else text.lstrip("-")


@dataclass
class Cell:
    """A place of the table: a score or nothing."""

    column: MetricColumn
    score: MetricScore | None
    is_best: bool = False
    is_stale: bool = False
    # Segments without an output or reference, which the score does not cover.
    n_left_out: int = 0

    @property
    def text(self) -> str:
        return self.column.text(self.score.score) if self.score else ""


@dataclass
class ScoreTable:
    test_set: TestSet
    systems: list[System]
    columns: list[MetricColumn]
    n_segments: int
    # Metrics of stored scores that this installation does not know: their plug-in is gone.
    unknown: list[str] = field(default_factory=list)

    def rows(self, by: MetricColumn | None = None) -> list[tuple[System, list[Cell]]]:
        """Return a row for each system, the best by a column (or the first) first."""
        by = by or (self.columns[0] if self.columns else None)
        order = sorted(self.systems, key=lambda system: place_in(by, system))
        return [(system, self._cells(system)) for system in order]

    def _cells(self, system: System) -> list[Cell]:
        cells = []
        for column in self.columns:
            score = column.scores.get(system.pk)
            if score is None:
                cells.append(Cell(column, None))
                continue
            left_out = self.n_segments - score.n_segments
            is_stale = score.pk in column.stale
            cells.append(Cell(column, score, column.is_best(system.pk), is_stale, left_out))
        return cells

    @property
    def uploaded_words(self) -> str:
        return uploaded_words(self.columns)

    @property
    def n_stale(self) -> int:
        return sum(len(column.stale) for column in self.columns)

    @property
    def is_partial(self) -> bool:
        """Whether some score does not cover the whole test set."""
        return any(
            score.n_segments < self.n_segments
            for column in self.columns
            for score in column.scores.values()
        )


def place_in(column: MetricColumn | None, system: System) -> tuple[float, str]:
    """Return what sorts systems by a column: the best first, those without a score last."""
    if column is None or system.pk not in column.scores:
        return inf, system.name
    score = column.scores[system.pk].score
    return (-score if column.higher_is_better else score), system.name


def score_table(
    test_set: TestSet, *, statistics: bool = False, check_stale: bool = True
) -> ScoreTable:
    """Return all scores of a test set by column, in the order of the registry of metrics.

    `statistics`: load the sufficient statistics too; they are most of the bytes.
    """
    scores = MetricScore.objects.filter(test_set=test_set)
    if not statistics:
        scores = scores.light()
    stored = list(scores)
    found = [score for score in stored if score.metric in SCORERS]
    for score in found:
        score.test_set = test_set
    return ScoreTable(
        test_set,
        list(test_set.systems.without_copies()),
        columns_of(found, stale_scores(found) if check_stale else set()),
        test_set.segments.count(),
        sorted({score.metric for score in stored} - set(SCORERS)),
    )


def columns_of(scores: Sequence[MetricScore], stale: set[int]) -> list[MetricColumn]:
    """Return scores grouped by references and signature."""
    columns: dict[tuple[tuple[str, ...], str], MetricColumn] = {}
    for score in scores:
        key = (tuple(score.references), score.signature)
        if key not in columns:
            columns[key] = new_column(score)
        columns[key].scores[score.system_id] = score
        if score.pk in stale:
            columns[key].stale.add(score.pk)
    name_uploaded(columns.values())
    order = list(SCORERS)
    return sorted(
        columns.values(),
        key=lambda c: (order.index(c.metric), c.label, c.references, c.signature),
    )


def name_uploaded(columns: Collection[MetricColumn]) -> None:
    """Call uploaded metrics by their names alone, but for those that would read as another column:
    one that is computed here, or one of the same references."""
    computed = {each.label for each in columns if each.metric != Uploaded.slug}
    names = {
        id(each): next(iter(each.scores.values())).options.get("name", each.label)
        for each in columns
        if each.metric == Uploaded.slug
    }
    n = Counter((names[id(each)], *each.references) for each in columns if id(each) in names)
    for each in columns:
        name = names.get(id(each), "")
        if name and name not in computed and n[name, *each.references] == 1:
            each.label = name


def uploaded_words(columns: Collection[MetricColumn]) -> str:
    """Return how many of the metrics were uploaded, and how many of these have scores of systems
    that are no means; empty if none was."""
    uploaded = [each for each in columns if each.metric == Uploaded.slug]
    if not uploaded:
        return ""
    options = [next(iter(each.scores.values())).options for each in uploaded]
    said = ngettext(
        "%(n)s of %(all)s metric was uploaded",
        "%(n)s of %(all)s metrics were uploaded",
        len(columns),
    ) % {"n": f"{len(uploaded):,}", "all": f"{len(columns):,}"}
    by_document = sum(each.get("level") == "document" for each in options)
    given = sum(each.get("system_scores") == "given" for each in options)
    if by_document:
        said += _(", %(n)s by document") % {"n": f"{by_document:,}"}
    if given:
        said += _(", %(n)s with scores of systems as given") % {"n": f"{given:,}"}
    return f"{said}."


def new_column(score: MetricScore) -> MetricColumn:
    """Return an empty column for scores like this one."""
    return MetricColumn(
        label=choices.label_of(score.metric, score.options, score.signature),
        metric=score.metric,
        references=score.references,
        signature=score.signature,
        segment_signature=score.segment_signature,
        higher_is_better=choices.higher_is_better(score.metric, score.options),
    )


def segment_matrix(column: MetricColumn, system_ids: Sequence[int], n_segments: int) -> np.ndarray:
    """Return segment scores, (n_systems, n_segments), NaN where a system or segment has none."""
    matrix = np.full((len(system_ids), n_segments), np.nan)
    for row, system_id in enumerate(system_ids):
        score = column.scores.get(system_id)
        # A test set that has grown since: its order may have changed, so nothing fits any more.
        if score is not None and len(score.segment_scores) == n_segments:
            matrix[row] = score.segment_scores
    return matrix


def load_statistics(column: MetricColumn) -> None:
    """Fetch the statistics of a column's scores in one query."""
    full = MetricScore.objects.in_bulk([score.pk for score in column.scores.values()])
    column.scores = {pk: full.get(score.pk, score) for pk, score in column.scores.items()}
