"""The table of metrics as the year of a release made it: its recipe, on one campaign of it."""

from math import isnan

from django.utils.translation import gettext as _

from judgments.models import Campaign, TestSet
from judgments.results.observations import observations
from judgments.results.selection.selection import Selection
from judgments.web import plurals as counted
from judgments.web.tables import Column, Table, figure
from metrics.scorers.uploads import Uploaded

from .averages import PRESETS, TASKS, AverageRow, Averages, averages_of, is_ready, preset_tasks
from .board import Board

# The tasks of a scheme in the order of its year's table, under the key of PRESETS.
SCHEMES = {
    "wmt23": ("accuracy", "system_pearson", "segment_pearson", "acc_eq"),
    "wmt24": ("spa", "acc_eq"),
}


def year_of(test_set: TestSet) -> str:
    """Return the key of PRESETS by which the release of a test set compared metrics; "" where the
    site does not know it."""
    name = test_set.release.lower().partition(".")[0]
    return name if name in SCHEMES else ""


def is_gold(campaign: Campaign) -> bool:
    """Return whether the year of its release compared metrics with this campaign's scores."""
    year = year_of(campaign.test_set)
    known = {dimension.slug for dimension in observations.dimensions_of(campaign)}
    return bool(year) and PRESETS[year].dimension in known


def has_year(selection: Selection, board: Board) -> bool:
    """Return whether the table of the year is there without computing anything."""
    year = year_of(selection.campaign.test_set)
    return bool(year) and bool(board.table.columns) and is_ready(selection, year, board)


def year_averages(selection: Selection, board: Board) -> Averages:
    """Return the year's averages over this campaign alone, the best first, without sentinels of
    ours."""
    year = year_of(selection.campaign.test_set)
    found = averages_of([preset_tasks(selection, year, board)])
    rows = sorted((row for row in found.rows if not row.is_sentinel), key=lambda r: place(r, year))
    return Averages(found.n_campaigns, tuple(rows), found.only_some)


def place(row: AverageRow, year: str) -> tuple[bool, float]:
    """Return metrics without an average, which have no scores of segments, come last by
    accuracy."""
    value = getattr(row, year)
    if isnan(value):
        first = row.tasks[SCHEMES[year][0]]
        return True, 0.0 if isnan(first) else -first
    return False, -value


def year_title(test_set: TestSet) -> str:
    """`As WMT23, en-de alone`."""
    return _("As %(year)s, %(pair)s alone") % {
        "year": year_of(test_set).upper(),
        "pair": f"{test_set.source_language}-{test_set.target_language}",
    }


def year_lead(found: Averages, test_set: TestSet, board: Board) -> str:
    year = year_of(test_set)
    best = [row for row in found.rows if not isnan(getattr(row, year))][:3]
    if not best:
        return _("No average: it needs a value for every task, and some have none.")
    names = names_of(board)
    said = [f"{names.get(row.slug, row.name)} ({figure(getattr(row, year))})" for row in best]
    return _("Highest on average, as %(year)s averaged: %(metrics)s.") % {
        "year": year.upper(),
        "metrics": counted.names(said),
    }


def year_table(found: Averages, test_set: TestSet, board: Board) -> Table:
    """Return a row for each metric: the average, and the tasks that it is made of."""
    year, names = year_of(test_set), names_of(board)
    columns = (
        Column("metric"),
        Column(year, _("Average"), "number"),
        *(Column(task, _(TASKS[task]), "number") for task in SCHEMES[year]),
    )
    rows = [
        (
            names.get(row.slug, row.name),
            getattr(row, year),
            *(row.tasks[task] for task in SCHEMES[year]),
        )
        for row in found.rows
    ]
    title = _("Metrics against people: %(title)s") % {"title": year_title(test_set)}
    return Table("metric-year", title, columns, rows, year_note(test_set))


def year_note(test_set: TestSet) -> str:
    """Return which systems and scores take part."""
    year = year_of(test_set)
    said = [
        _("The recipe of %(year)s on one language pair; its own table averages over several.")
        % {"year": year.upper()},
    ]
    name = PRESETS[year].reference(test_set)
    if name:
        said.append(_("Metrics are given %(name)s or no reference.") % {"name": name})
    said.append(
        _("Human translations other than that reference count as systems.")
        if PRESETS[year].keeps_humans(test_set)
        else _("Human translations do not count as systems.")
    )
    return " ".join(said)


def names_of(board: Board) -> dict[str, str]:
    """Return what its authors call the metric of a column, by the column's slug."""
    names = {}
    for column in board.table.columns:
        score = next(iter(column.scores.values()))
        is_uploaded = column.metric == Uploaded.slug
        names[column.slug] = score.options["name"] if is_uploaded else column.label
    return names
