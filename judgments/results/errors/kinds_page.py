"""Marked errors by system, category and severity: tables and a heat map, in three units, and the
addresses behind their cells."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.results.errors.figures import ErrorReport
from judgments.results.selection.only_errors import OnlyErrors
from judgments.results.selection.selection import Selection
from judgments.web import charts
from judgments.web.charts import Chart
from judgments.web.sections import ASIDE, FILE, OPEN, Lazy
from judgments.web.tables import Column, Table, figure

from ..segments.links import to_segments
from . import figures

ALL = gettext_lazy("all")
LINE = 20  # pixels
Reported = Callable[[], ErrorReport]


@dataclass(frozen=True)
class Unit:
    """What numbers of errors are divided by. ``slug`` is that of addresses, ``ending`` of files."""

    slug: str
    ending: str
    name: str | Promise
    note: str | Promise
    of: Callable[[ErrorReport], np.ndarray]  # (S,)


UNITS = {
    unit.slug: unit
    for unit in (
        Unit(
            "count",
            "",
            gettext_lazy("errors"),
            gettext_lazy("Numbers of errors."),
            lambda report: np.ones(len(report.names)),
        ),
        Unit(
            "translation",
            "-per-translation",
            gettext_lazy("errors per translation"),
            gettext_lazy("Errors divided by the judgments of translations."),
            lambda report: report.n_judgments.astype(np.float64),
        ),
        Unit(
            "words",
            "-per-1000-words",
            gettext_lazy("errors per 1,000 words"),
            gettext_lazy(
                "Errors per 1,000 words of the sources whose translations were judged, each source "
                "as often as a translation of it was."
            ),
            lambda report: report.n_words / 1000,
        ),
    )
}


def units_of(selection: Selection) -> dict[str, Unit]:
    """Return those that a campaign has: without texts nobody knows words."""
    has_texts = selection.campaign.test_set.has_texts
    return {slug: unit for slug, unit in UNITS.items() if has_texts or slug != "words"}


def only(selection: Selection, **names: str) -> Selection:
    """Return the same judgments with other errors: ``category``, ``severity``; "" lets all
    through."""
    errors = dataclasses.replace(selection.errors, **names)
    return dataclasses.replace(selection, errors=errors)


def filtered(selection: Selection, **names: str) -> str:
    """Return the page of these errors only."""
    of = only(selection, **names)
    return reverse("errors", args=[of.campaign.pk]) + of.query


def segments(
    selection: Selection, severity: str = "", category: str = "", system: str | None = None
) -> str:
    """Return the segments with such errors, or with those that the selection counts."""
    errors = selection.errors
    asked = {"severity": severity or errors.severity, "category": category or errors.category}
    systems = {} if system is None else {"systems": [system]}
    return to_segments(selection, **systems, **asked)


def kinds_in(report: ErrorReport) -> list[tuple[str, np.ndarray]]:
    """Return the categories that were marked, each with its cells (S, severities), the most
    frequent first; "" stands for all errors where there are no categories."""
    if not report.categories or not report.kinds.any():
        return [("", report.counts)]
    order = np.argsort(-report.kinds.sum(axis=1), kind="stable")
    return [(report.categories[i], report.cells[:, i]) for i in order if report.kinds[i].any()]


def groups_in(report: ErrorReport) -> list[tuple[str, np.ndarray]]:
    """Return the same of the highest levels of categories."""
    found: dict[str, np.ndarray] = {}
    for category, cells in kinds_in(report):
        group = category.split("/")[0]
        found[group] = found[group] + cells if group in found else cells
    return sorted(found.items(), key=lambda pair: -int(pair[1].sum()))


def lines_of(report: ErrorReport) -> list[tuple[str, str, np.ndarray]]:
    """Return category, severity ("": all) and numbers (S,): each group, then its categories, and of
    each the severities that it has."""
    found: list[tuple[str, str, np.ndarray]] = []
    every = kinds_in(report)
    for group, cells in groups_in(report):
        inside = [pair for pair in every if pair[0].split("/")[0] == group]
        blocks = inside if len(inside) == 1 else [(group, cells), *inside]
        for category, block in blocks:
            found.append((category, "", block.sum(axis=1)))
            met = np.flatnonzero(block.any(axis=0))
            if len(met) > 1 or not category:
                found += [(category, report.severities[i], block[:, i]) for i in met]
            else:
                found[-1] = category, report.severities[met[0]], found[-1][2]
    return found


def kind_table(selection: Selection, report: ErrorReport, unit: Unit) -> Table:
    """Return system × category × severity: a row for each kind of error, a column for each
    system."""
    columns = (
        Column("category", _("Category"), "text"),
        Column("severity", _("Severity"), "text"),
        Column("all", _("All systems"), _kind(unit)),
        *(Column(f"of_{i}", name, _kind(unit)) for i, name in enumerate(report.names, 1)),
    )
    lines = lines_of(report) if report.n_errors else []
    size = unit.of(report)
    rows = [
        (
            category or str(ALL),
            severity or str(ALL),
            _rate(numbers.sum(), size.sum(), unit),
            *(_rate(n, of, unit) for n, of in zip(numbers, size, strict=True)),
        )
        for category, severity, numbers in lines
    ]
    links = {}
    for at, (category, severity, numbers) in enumerate(lines):
        if category:
            links[at, "category"] = filtered(selection, category=category, severity="")
        if severity:
            links[at, "severity"] = filtered(selection, category=category, severity=severity)
        links[at, "all"] = segments(selection, severity, category)
        for i, name in enumerate(report.names):
            if numbers[i]:
                links[at, f"of_{i + 1}"] = segments(selection, severity, category, name)
    note = f"{unit.note} " + _(
        "A category or a severity leads to this page of these errors only, a number to the "
        "segments that have them."
    )
    title = f"{kind_title()}: {unit.name}"
    return Table(f"errors-by-kind{unit.ending}", title, columns, rows, note, links)


def _kind(unit: Unit) -> str:
    return "count" if unit.slug == "count" else "number"


def _rate(n: int, size: float, unit: Unit) -> float | int:
    if unit.slug == "count":
        return int(n)
    return float(n / size) if size else np.nan


def kind_title() -> str:
    return _("By category, severity and system")


def category_table(selection: Selection, report: ErrorReport) -> Table:
    """Return the categories that were marked at all, the most frequent first."""
    columns = [
        Column("category", _("Category"), "text"),
        *(Column(f"n_{slug}", slug.capitalize(), "count") for slug in report.severities),
        *(Column(f"n_of_{i}", name, "count") for i, name in enumerate(report.names, 1)),
    ]
    kinds = kinds_in(report) if report.categories and report.kinds.any() else []
    rows = [
        (category, *cells.sum(axis=0).tolist(), *cells.sum(axis=1).tolist())
        for category, cells in kinds
    ]
    links = {}
    for at, (category, cells) in enumerate(kinds):
        links[at, "category"] = filtered(selection, category=category)
        for slug, n in zip(report.severities, cells.sum(axis=0), strict=True):
            if n:
                links[at, f"n_{slug}"] = segments(selection, slug, category)
        for i, name in enumerate(report.names):
            if cells[i].any():
                links[at, f"n_of_{i + 1}"] = segments(selection, "", category, name)
    note = _("Numbers of errors, by severity and then by system.")
    title = _("Errors by category")
    return Table("errors-by-category", title, tuple(columns), rows, note, links)


def heat_map(selection: Selection, report: ErrorReport, unit: Unit) -> Chart | None:
    """Return categories by systems; None where the errors have no categories."""
    if not report.categories or not report.kinds.any():
        return None
    kinds, names = kinds_in(report), list(report.names)
    numbers = np.array([cells.sum(axis=1) for _category, cells in kinds])
    values = numbers / unit.of(report)
    places = 0 if unit.slug == "count" else 2 if values.max() < 10 else 1
    title = f"{_('Categories by system')}: {unit.name}"
    spec = charts.heat_map(
        [category for category, _cells in kinds],
        names,
        values,
        row_title="",
        column_title="",
        legend=str(unit.name),
        domain=(0.0, float(np.nanmax(values))),
        texts=[[figure(float(value), places) for value in line] for line in values],
        description=title,
    )
    spec["height"] = LINE * len(kinds)
    addresses = {}
    for row, column in np.argwhere(numbers).tolist():
        addresses[f"{row}-{column}"] = segments(selection, "", kinds[row][0], names[column])
    caption = f"{unit.note} " + _("Systems with the fewest errors first. n = %(n)s errors.") % {
        "n": f"{report.n_errors:,}"
    }
    columns = (Column("category", _("Category"), "text"), *(Column(n, n, "number") for n in names))
    rows = [(k[0], *line) for k, line in zip(kinds, values.tolist(), strict=True)]
    name = f"error-categories{unit.ending}"
    linked = charts.linked(spec, addresses, key="cell")
    return Chart(
        name, title, caption, linked, columns, rows, hint=_("A cell leads to its segments.")
    )


def tables(selection: Selection, report: Reported, chosen: Unit) -> list[Lazy[Table]]:
    """In every unit for files, on the page in the chosen one."""
    title = _("Errors by category")
    every = [
        Lazy("errors-by-category", title, lambda: category_table(selection, report()), ASIDE),
    ]
    for unit in units_of(selection).values():
        every.append(_in_unit(selection, report, unit, ASIDE if unit is chosen else FILE))
    return every


def _in_unit(selection: Selection, report: Reported, unit: Unit, place: str) -> Lazy[Table]:
    title = f"{kind_title()}: {unit.name}"
    slug = f"errors-by-kind{unit.ending}"
    return Lazy(slug, title, lambda: kind_table(selection, report(), unit), place)


def heat_maps(selection: Selection, report: Reported, chosen: Unit) -> list[Lazy[Chart | None]]:
    def of(unit: Unit) -> Lazy[Chart | None]:
        title = f"{_('Categories by system')}: {unit.name}"
        slug = f"error-categories{unit.ending}"
        place = OPEN if unit is chosen else FILE
        return Lazy(slug, title, lambda: heat_map(selection, report(), unit), place)

    return [of(unit) for unit in units_of(selection).values()]


@dataclass(frozen=True)
class Choice:
    """A link that counts other errors: its name, how many there are, and whether it is in force."""

    name: str
    n: int
    address: str
    chosen: bool


def choices(selection: Selection) -> list[list[Choice]]:
    """Return what may be clicked: severities, groups of categories, and the categories of the
    chosen group; the numbers are those that a click would leave."""
    wanted = selection.errors
    every = figures.errors(only(selection, category="", severity=""))
    group = wanted.category.split("/")[0]
    severities = [
        (name, int(_counted(every, wanted.category)[:, i].sum()))
        for i, name in enumerate(every.severities)
    ]
    at = every.severities.index(wanted.severity) if wanted.severity in every.severities else None
    groups = [(name, _of(cells, at)) for name, cells in groups_in(every) if name]
    inside = [
        (name, _of(cells, at))
        for name, cells in kinds_in(every)
        if group and name.startswith(f"{group}/")
    ]
    found = [_row(selection, "severity", severities, wanted.severity, "")]
    if groups:
        found.append(_row(selection, "category", groups, group, ""))
    if len(inside) > 1:
        found.append(_row(selection, "category", inside, wanted.category, group))
    return found


def _counted(report: ErrorReport, category: str) -> np.ndarray:
    """Return (S, severities) of a category with all below it."""
    if not category:
        return report.counts
    wanted = OnlyErrors(category)
    inside = [i for i, name in enumerate(report.categories) if wanted.let("", name)]
    return report.cells[:, inside].sum(axis=1)


def _of(cells: np.ndarray, severity: int | None) -> int:
    return int(cells.sum() if severity is None else cells[:, severity].sum())


def _row(
    selection: Selection, key: str, names: list[tuple[str, int]], chosen: str, every: str
) -> list[Choice]:
    """Return the choices of one line, the first of them all; ``every``: what that one asks for."""
    address = filtered(selection, **{key: every})
    total = sum(n for _name, n in names)
    line = [Choice(str(ALL), total, address, chosen == every)]
    return line + [
        Choice(
            name.removeprefix(f"{every}/"), n, filtered(selection, **{key: name}), chosen == name
        )
        for name, n in names
        if n or chosen == name
    ]
