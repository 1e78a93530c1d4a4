"""The page of scores: each column with its tests, the sentence first, and the chart."""

from dataclasses import dataclass
from math import isinf, isnan

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from judgments.models import System, TestSet
from judgments.web import plurals as counted
from judgments.web.charts import Chart, intervals
from judgments.web.plurals import units
from judgments.web.tables import MINUS
from judgments.web.tables import Column as Heading
from metrics.scores.comparisons import UNITS, Tested, compare_columns
from metrics.scores.levels import document_scores_of, domain_scores_of, groups_of
from metrics.scores.tables import Cell, MetricColumn, ScoreTable, score_text

# With fewer, a bootstrap has too little data, and permutations have few outcomes: five units have
# 32.
FEW_UNITS = 15


@dataclass(frozen=True)
class TestedCell:
    """A score with its test results. `group`: 1 for the best systems, 0 without tests."""

    __test__ = False  # not a test class for pytest to collect

    cell: Cell
    low: float
    high: float
    group: int
    # No test separates it from the best, which it is not itself.
    is_level: bool

    @property
    def group_or_none(self) -> int | None:
        return self.group or None

    @property
    def interval(self) -> str:
        if isnan(self.low) or isnan(self.high):
            return ""
        return _("%(low)s to %(high)s") % {
            "low": self.cell.column.text(self.low),
            "high": self.cell.column.text(self.high),
        }


@dataclass
class Overview:
    """The table of scores as shown on a page: columns shown, the one it is sorted by, the tests."""

    table: ScoreTable
    unit: str
    shown: list[MetricColumn]
    by: MetricColumn | None
    tested: dict[str, Tested | None]

    @property
    def is_untested(self) -> bool:
        """Whether differences of some shown column could be tested and are not."""
        return any(
            self.tested[column.slug] is None and len(column.scores) > 1 for column in self.shown
        )

    def rows(self) -> list[tuple[System, list[TestedCell]]]:
        places = [self.table.columns.index(column) for column in self.shown]
        return [
            (system, [self.tested_cell(system, cells[i]) for i in places])
            for system, cells in self.table.rows(self.by)
        ]

    def tested_cell(self, system: System, cell: Cell) -> TestedCell:
        tested = self.tested[cell.column.slug]
        if tested is None or cell.score is None or system.pk not in tested.scores:
            return TestedCell(cell, float("nan"), float("nan"), 0, False)
        low, high = tested.intervals.get(system.pk, (float("nan"), float("nan")))
        is_level = not cell.is_best and len(tested.pairs) > 0 and system.pk in tested.best
        return TestedCell(cell, low, high, tested.group_numbers.get(system.pk, 0), is_level)

    @property
    def sentence(self) -> str:
        if self.by is None or not self.by.scores:
            return ""
        return sentence(self.by, self.tested[self.by.slug], self.table.systems)

    @property
    def chart(self) -> Chart | None:
        tested = self.tested[self.by.slug] if self.by else None
        return interval_chart(self.by, tested, self.table.systems) if self.by and tested else None

    @property
    def notes(self) -> list[str]:
        """Notes on the tests, each sentence once."""
        found = [notes_of(tested) for tested in self.tested.values() if tested]
        return list(dict.fromkeys(note for notes in found for note in notes))

    @property
    def settings(self) -> Tested | None:
        """The tests of the column by which the table is sorted, or of any: for their settings."""
        mine = self.tested.get(self.by.slug) if self.by else None
        return mine or next((tested for tested in self.tested.values() if tested), None)

    @property
    def level_percent(self) -> int:
        return round(100 * self.settings.level) if self.settings else 95


def overview(
    table: ScoreTable, *, unit: str = "segment", by: str = "", show: list[str] | None = None
) -> Overview:
    """Return the table. `by` and `show` are slugs of columns; unknown ones are ignored."""
    unit = unit if unit in UNITS else "segment"
    shown = [column for column in table.columns if column.slug in (show or [])] or table.columns
    chosen = next((column for column in shown if column.slug == by), None)
    tested = compare_columns(table.columns, table, unit=unit)
    return Overview(table, unit, shown, chosen or (shown[0] if shown else None), tested)


def notes_of(tested: Tested) -> list[str]:
    """Return notes on the tests of a column, as sentences."""
    notes = [_(note) for note in tested.notes]
    if 0 < tested.n < FEW_UNITS:
        notes.append(
            _(
                "The tests have only %(units)s to draw: their intervals are too narrow, and only "
                "large differences can be significant."
            )
            % {"units": units(tested.n, tested.unit + "s")}
        )
    return notes


def names_of(systems: list[System]) -> dict[int, str]:
    return {system.pk: system.name for system in systems}


def in_words(names: list[str], most: int = 4) -> str:
    """Return `A, B and C`, or `A, B, C and 7 others`."""
    if len(names) > most:
        n = len(names) - most + 1
        others = ngettext("%(n)s other", "%(n)s others", n) % {"n": f"{n:,}"}
        names = [*names[: most - 1], others]
    return counted.names(names)


def sentence(column: MetricColumn, tested: Tested | None, systems: list[System]) -> str:
    """Return the best system by a metric, and those that no test separates from it."""
    names = names_of(systems)
    order = sorted(column.scores.values(), key=lambda s: s.score, reverse=column.higher_is_better)
    best = order[0]
    known = {
        "name": names[best.system_id],
        "metric": column.label,
        "score": column.text(best.score),
    }
    if len(order) == 1:
        return _("%(name)s has %(score)s by %(metric)s.") % known
    if tested is None:
        return (
            _(
                "%(name)s is best by %(metric)s (%(score)s); whether the differences could be "
                "chance has not been tested yet."
            )
            % known
        )
    if not tested.pairs:
        return _("%(name)s is best by %(metric)s (%(score)s).") % known
    if best.system_id not in tested.system_ids:
        return (
            _(
                "%(name)s is best by %(metric)s (%(score)s); it was not compared with the other "
                "systems."
            )
            % known
        )
    level = [names[pk] for pk in tested.system_ids if pk in tested.best and pk != best.system_id]
    if not level and len(tested.system_ids) < len(order):
        return (
            _(
                "%(name)s is best by %(metric)s (%(score)s), significantly better than every "
                "system that it was compared with."
            )
            % known
        )
    if not level:
        return (
            _(
                "%(name)s is best by %(metric)s (%(score)s), significantly better than every other "
                "system."
            )
            % known
        )
    if len(level) == len(order) - 1:
        return (
            _(
                "%(name)s is best by %(metric)s (%(score)s), but not significantly better than any "
                "other system."
            )
            % known
        )
    return _(
        "%(name)s is best by %(metric)s (%(score)s); it is not significantly better than "
        "%(others)s."
    ) % (known | {"others": in_words(level)})


def interval_chart(column: MetricColumn, tested: Tested, systems: list[System]) -> Chart | None:
    """Return scores with their bootstrap intervals, best first; None without intervals."""
    names = names_of(systems)
    rows = [
        (names[pk], tested.scores[pk], *tested.intervals[pk])
        for pk in tested.system_ids
        if pk in names and not isnan(tested.intervals[pk][0])
    ]
    if not rows:
        return None
    values = np.array([row[1:] for row in rows], dtype=float)
    return Chart(
        name=f"scores-{column.slug}",
        title=f"{column.label}, {column.direction}",
        caption=_(
            "Each point is a system's score over %(n)s, with its %(level)s bootstrap "
            "interval (%(resamples)s). Intervals that overlap do not mean that two "
            "systems are alike: the tests of pairs say that."
        )
        % {
            "n": units(tested.n, tested.unit + "s"),
            "level": f"{tested.level:.0%}",
            "resamples": counted.resamples(tested.resamples),
        },
        spec=intervals(
            [row[0] for row in rows], *values.T, axis=column.label, places=column.places
        ),
        columns=("system", Heading("score", kind="number"), Heading("low"), Heading("high")),
        rows=rows,
    )


def details_table(column: MetricColumn, systems: list[System]) -> dict | None:
    """Return the figures behind each system's score, such as the precisions of BLEU: labels, and a
    row for each system; None for a metric without any. The scores must have their statistics
    loaded."""
    scorer = column.scorer()
    if scorer is None:
        return None
    rows = []
    labels: list[str] = []
    for system in systems:
        score = column.scores.get(system.pk)
        if score is None or score.statistics is None:
            continue
        found = scorer.details(np.nansum(score.statistics, axis=0))
        labels = [label for label, _ in found]
        rows.append((system, [value for _, value in found]))
    if not labels:
        return None
    columns = [figures_as_text([values[i] for _, values in rows]) for i in range(len(labels))]
    texts = [[column[row] for column in columns] for row in range(len(rows))]
    return {"labels": labels, "rows": [(rows[i][0], texts[i]) for i in range(len(rows))]}


def figures_as_text(values: list[float]) -> list[str]:
    """Return figures of one kind in the same format: as integers if all are, or with as many
    decimals as they need."""
    finite = [value for value in values if not (isnan(value) or isinf(value))]
    is_whole = all(float(value).is_integer() for value in finite)
    places = 0 if is_whole else 2 if any(abs(value) >= 10 for value in finite) else 4
    return [
        ("∞" if value > 0 else f"{MINUS}∞") if isinf(value) else score_text(value, places)
        for value in values
    ]


def document_scores(
    column: MetricColumn, systems: list[System], test_set: TestSet
) -> list[tuple[str, int, list[float]]]:
    """Return for each document its name, its number of segments, and the score of every system over
    it (NaN without any): from the summed statistics. The scores must have their statistics
    loaded."""
    rows = list(test_set.segments.order_by("position").values_list("document_id", "document__name"))
    names = dict(rows)
    ids = list(names)
    number = {pk: i for i, pk in enumerate(ids)}
    places = np.array([number[pk] for pk, _ in rows], dtype=int)
    sizes = np.bincount(places, minlength=len(ids)) if len(ids) else np.zeros(0, int)
    scores = np.full((len(systems), len(ids)), np.nan)
    scorer = column.scorer()
    for i, system in enumerate(systems):
        score = column.scores.get(system.pk)
        if score is not None:
            scores[i] = document_scores_of(score, scorer, places, len(ids))
    return [(names[pk], int(sizes[j]), scores[:, j].tolist()) for j, pk in enumerate(ids)]


def domain_table(column: MetricColumn, systems: list[System], test_set: TestSet) -> dict | None:
    """Return every system's score over each domain: names, and a row for each system; None with
    fewer than two domains that have scores. The scores must have their statistics loaded."""
    _documents, _places, names, places = groups_of(test_set)
    scorer = column.scorer()
    found = [
        (system, domain_scores_of(column.scores[system.pk], scorer, places, names))
        for system in systems
        if system.pk in column.scores
    ]
    if not found:
        return None
    scored = np.flatnonzero(~np.isnan([values for _, values in found]).all(axis=0))
    if len(scored) < 2:
        return None
    return {
        "names": [names[i] for i in scored],
        "rows": [(system, [column.text(values[i]) for i in scored]) for system, values in found],
    }
