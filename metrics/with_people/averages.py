"""One figure for a metric from several tasks and campaigns, in the schemes of WMT23 and WMT24."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isnan

import numpy as np
from django.utils.translation import gettext_noop

from judgments.models import Campaign, TestSet
from judgments.results.observations import observations
from judgments.results.selection.selection import Selection
from metrics.stats.averaging import wmt23_average, wmt24_average

from .agreement import Figure, MetricAgreement, MetricRow
from .board import Board, digest
from .segments import OF_OUTPUTS, options_of, output_agreement, segment_agreement
from .study import Metric, StudyChoice, computed_on, is_remembered
from .systems import system_agreement

TASKS = {
    "accuracy": gettext_noop("Pairwise accuracy of systems"),
    "system_pearson": gettext_noop("Pearson r over systems"),
    "segment_pearson": gettext_noop("Pearson r over all outputs"),
    "acc_eq": gettext_noop("Accuracy with calibrated ties, by item"),
    "spa": gettext_noop("Soft pairwise accuracy"),
}


@dataclass(frozen=True)
class AveragePreset:
    """How a shared task chose, campaign by campaign: people's score `dimension`, the campaign's
    first where there is none of that name; metrics that are given one reference, the first by name
    but for the language pairs of `standard`, or none; and human translations other than that
    reference as systems, in the language pairs `with_humans` alone."""

    name: str
    dimension: str = ""
    with_humans: frozenset[tuple[str, str]] = frozenset()
    standard: Mapping[tuple[str, str], str] = field(default_factory=dict)
    is_free: bool = False

    def choice(self, campaign: Campaign) -> StudyChoice:
        known = [dimension.slug for dimension in observations.dimensions_of(campaign)]
        dimension = self.dimension if self.dimension in known else None
        keeps = self.keeps_humans(campaign.test_set)
        humans = "others" if keeps else "out"
        # The years counted all outputs.
        return StudyChoice(dimension, humans=humans, donors="out" if self.is_free else "in")

    def keeps_humans(self, test_set: TestSet) -> bool:
        return languages_of(test_set) in self.with_humans

    def reference(self, test_set: TestSet) -> str:
        """Return the reference that metrics are given; "" for a test set without any."""
        names = sorted(test_set.reference_names)
        standard = self.standard.get(languages_of(test_set), "")
        return standard if standard in names else next(iter(names), "")

    def board(self, board: Board) -> Board:
        """Return the scores that take part."""
        if self.is_free:
            return board
        names = [self.reference(board.table.test_set)]
        columns = [c for c in board.table.columns if not c.references or c.references == names]
        if len(columns) == len(board.table.columns):
            return board  # so that what the page of the campaign remembers serves both
        table = replace(board.table, columns=columns)
        return replace(board, table=table, state=digest(board.state, *names), whole=board)


def languages_of(test_set: TestSet) -> tuple[str, str]:
    """Return source and target, without region and script."""
    source, target = test_set.source_language, test_set.target_language
    return source.partition("-")[0], target.partition("-")[0]


HEBREW = (("he", "en"), ("en", "he"))
# mt-metrics-eval's task sets of these names: MQM, the standard reference, human translations where
# a language pair has several.
PRESETS = {
    "page": AveragePreset(gettext_noop("as the pages of the campaigns open"), is_free=True),
    "wmt23": AveragePreset(
        gettext_noop("as WMT23"), "mqm", frozenset(HEBREW), dict.fromkeys(HEBREW, "refB")
    ),
    "wmt24": AveragePreset(gettext_noop("as WMT24"), "mqm", frozenset({("en", "de")})),
}


@dataclass(frozen=True)
class Tasks:
    """The agreements of one campaign that the schemes average."""

    systems: MetricAgreement
    outputs: MetricAgreement
    items: MetricAgreement

    def figures(self) -> dict[str, tuple[str, Metric, dict[str, Figure]]]:
        """By the name that a metric has in all campaigns, its label unless two share that: name,
        metric and figures."""
        rows = {row.metric.slug: row for row in self.systems.rows}
        of_outputs = {row.metric.slug: row for row in self.outputs.rows}
        of_items = {row.metric.slug: row for row in self.items.rows}
        labels = Counter(row.metric.label for row in rows.values())
        found = {}
        for slug, row in rows.items():
            metric = row.metric
            name = metric.label if labels[metric.label] == 1 else metric.title
            found[name] = (name, metric, tasks_of(row, of_outputs[slug], of_items[slug]))
        return found


@dataclass(frozen=True)
class AverageRow:
    """A metric's averages, and the figures that they are made of: of each task the mean over
    campaigns, of accuracy the share of all pairs. NaN where a campaign lacks the figure. `slug`: of
    the metric's column in the first campaign."""

    name: str
    slug: str
    is_sentinel: bool
    wmt23: float
    wmt24: float
    tasks: dict[str, float]


@dataclass(frozen=True)
class Averages:
    """All metrics that every campaign has, the best by WMT24 first. `only_some`: those that a
    campaign lacks."""

    n_campaigns: int
    rows: tuple[AverageRow, ...]
    only_some: tuple[str, ...]


def tasks_of(systems: MetricRow, outputs: MetricRow, items: MetricRow) -> dict[str, Figure]:
    return {
        "accuracy": systems.figures["accuracy"],
        "system_pearson": systems.figures["pearson"],
        "segment_pearson": outputs.figures["pearson"],
        "acc_eq": items.figures["acc_eq"],
        "spa": systems.figures["spa"],
    }


def campaign_tasks(selection: Selection, choice: StudyChoice, board: Board) -> Tasks:
    """Return what a campaign brings; every part is remembered."""
    return Tasks(
        system_agreement(selection, choice, board),
        output_agreement(selection, choice, board),
        segment_agreement(selection, choice, board, "item"),
    )


def preset_tasks(selection: Selection, preset: str, board: Board) -> Tasks:
    """Return what a campaign brings under a key of PRESETS."""
    chosen = PRESETS[preset]
    return campaign_tasks(selection, chosen.choice(selection.campaign), chosen.board(board))


def is_ready(selection: Selection, preset: str, board: Board) -> bool:
    """Return whether `preset_tasks` has all that it needs without computing anything."""
    chosen = PRESETS[preset]
    choice = chosen.choice(selection.campaign)
    whole = computed_on(chosen.board(board), choice)
    return all(
        is_remembered(selection, name, choice, whole, **options)
        for name, options in (
            ("systems", dict[str, str]()),
            ("segments", options_of("none", OF_OUTPUTS)),
            ("segments", options_of("item")),
        )
    )


def averages_of(campaigns: Sequence[Tasks]) -> Averages:
    """Return the averages of the metrics that all campaigns have."""
    found = [each.figures() for each in campaigns]
    names = [name for name in (found[0] if found else {}) if all(name in each for each in found)]
    everywhere = set(names)
    others = {name for each in found for name in each} - everywhere
    rows = average([[each[name] for name in names] for each in found]) if names else []
    return Averages(
        n_campaigns=len(campaigns),
        rows=tuple(sorted(rows, key=place)),
        only_some=tuple(sorted(others)),
    )


def average(found: Sequence[Sequence[tuple[str, Metric, dict[str, Figure]]]]) -> list[AverageRow]:
    """Return a row for each metric, of its name and figures by campaign (L, M)."""
    values = {
        task: np.array([[figures[task].estimate for *_, figures in each] for each in found])
        for task in TASKS
    }
    n_pairs = np.array([[figures["accuracy"].n for *_, figures in each] for each in found])
    with np.errstate(invalid="ignore"):
        pooled = (values["accuracy"] * n_pairs).sum(axis=0) / n_pairs.sum(axis=0)
    of_pairs = (values["system_pearson"], values["segment_pearson"], values["acc_eq"])
    means = {task: each.mean(axis=0) for task, each in values.items()} | {"accuracy": pooled}
    wmt23 = wmt23_average(pooled, *of_pairs).tolist()
    wmt24 = wmt24_average(values["spa"], values["acc_eq"]).tolist()
    return [
        AverageRow(
            name=name,
            slug=metric.slug,
            is_sentinel=all(each[m][1].is_sentinel for each in found),
            wmt23=wmt23[m],
            wmt24=wmt24[m],
            tasks={task: float(each[m]) for task, each in means.items()},
        )
        for m, (name, metric, _) in enumerate(found[0])
    ]


def place(row: AverageRow) -> tuple[bool, float]:
    return isnan(row.wmt24), -row.wmt24 if not isnan(row.wmt24) else 0.0
