"""The values that each annotator gave: a histogram for each on one axis, with the figures that say
whom to look at."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any
from urllib.parse import urlencode

import numpy as np
from django.core.paginator import Paginator
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.files.csv_files import undefined
from judgments.models import Campaign
from judgments.protocols import protocol_of
from judgments.quality.evaluators.figures import Evaluator, EvaluatorsReport
from judgments.quality.rules import figures as rules
from judgments.quality.rules.figures import AnnotatorQuality
from judgments.results.agreement import figures as agreement_figures
from judgments.results.observations import observations
from judgments.results.scores.figures import METHODS
from judgments.results.segments.links import to_segments
from judgments.results.selection.selection import Selection
from judgments.web import charts
from judgments.web import plurals as counted
from judgments.web.charts import Chart
from judgments.web.histogram_charts import bin_names, histogram_rows
from judgments.web.plurals import titled
from judgments.web.sections import EmptyState, Lazy, ResultsPage, Section, plain
from judgments.web.tables import Column, Table, figure, in_a_sentence

from ..rules.page import VERDICTS, flags
from . import figures

ON_A_PAGE = 20

TRUST = gettext_lazy(
    "People who judged other texts may differ for that reason alone: compare those who were given "
    "a random choice of the same systems and segments."
)
NAMES = {"ranks": gettext_lazy("Ranks"), "comparisons": gettext_lazy("Comparisons")}
Options = dict[str, Any]


def has_values(campaign: Campaign) -> bool:
    return protocol_of(campaign).has_values


def report_of(selection: Selection, options: Options) -> EvaluatorsReport:
    return figures.evaluators(selection, **options)


def settings_of(selection: Selection) -> list[tuple[Options, str]]:
    """Return what files hold, with names: dimensions, raw and standardized, or ranks or
    comparisons."""
    dimensions = observations.dimensions_of(selection.campaign)
    if not dimensions:
        name = NAMES["ranks" if protocol_of(selection.campaign).ranks else "comparisons"]
        return [({"dimension": None, "values": "raw"}, str(name))]
    return [
        ({"dimension": each.slug, "values": values}, each.name)
        for each in dimensions
        for values in METHODS
    ]


def slug_of(options: Options) -> str:
    of = options["dimension"] or "answers"
    return f"evaluators-{of}{'-z' if options['values'] == 'z' else ''}"


def title_of(options: Options, name: str) -> str:
    title = _("z-scores") if options["values"] == "z" else _("Values given")
    return titled(title, in_a_sentence(name))


def lead(report: EvaluatorsReport) -> str:
    people = report.annotators
    if not people:
        return _("Nothing has been judged yet.")
    known = {
        "annotators": counted.annotators(len(people)),
        "lowest": people[0].alias,
        "low": figure(people[0].mean, 2),
        "highest": people[-1].alias,
        "high": figure(people[-1].mean, 2),
    }
    if len(people) == 1:
        return _("One annotator, %(lowest)s, gave %(low)s on average.") % known
    if report.name == "comparisons" and not report.dimension:
        return (
            _(
                "Of %(annotators)s, %(lowest)s leans most to the second of two outputs, %(low)s on "
                "average, and %(highest)s most to the first, %(high)s."
            )
            % known
        )
    return (
        _(
            "Of %(annotators)s, %(lowest)s gave the lowest values, %(low)s on average, and "
            "%(highest)s the highest, %(high)s."
        )
        % known
    )


def notes(report: EvaluatorsReport) -> list[str]:
    found = [str(TRUST)]
    without = [each.alias for each in report.annotators if each.reason]
    if without:
        reasons = sorted({_(each.reason) for each in report.annotators if each.reason})
        found.append(
            _("Without z-scores: %(names)s (%(reasons)s).")
            % {"names": ", ".join(without[:20]), "reasons": "; ".join(reasons)}
        )
    if report.name == "ranks":
        found.append(_("Rank 1 is the best. Rankings have no ratings, so their ranks are counted."))
    if report.name == "comparisons":
        found.append(
            _(
                "Comparisons have no ratings, so answers are counted, first and second as they "
                "stood on the screen: who mostly chooses one side may not be reading."
            )
        )
    return found


def chart(
    selection: Selection, options: Options, name: str, people: Sequence[Evaluator]
) -> Chart | None:
    """``people``: those of the report who are drawn."""
    report = report_of(selection, options)
    if not people:
        return None
    title = title_of(options, name)
    is_z = options["values"] == "z"
    spec = histogram_rows(
        [each.alias for each in people],
        [_note(each) for each in people],
        report.edges,
        np.array([each.counts for each in people]),
        np.array([math.nan if is_z else each.mean for each in people]),
        axis=_("z-score") if is_z else in_a_sentence(name),
        ticks=report.ticks,
        labels=[_(label) for label in report.labels],
        description=title,
    )
    spec = charts.linked(spec, addresses(selection, report, people), key="cell")
    caption = _(
        "How often each annotator gave which value, by rising mean of the raw values. The highest "
        "bar fills the line; %(mark)sn = %(n)s values."
    ) % {
        "mark": "" if is_z else _("the vertical line is the mean. "),
        "n": f"{sum(each.n for each in people):,}",
    }
    if report.beyond:
        caption += " " + _("The outermost bars also include values beyond them.")
    heads = (
        Column(f"bin_{place}", words, "count")
        for place, words in enumerate(bin_names(report.edges, report.ticks, report.labels), 1)
    )
    rows, columns = [(each.alias, *each.counts) for each in people], (Column("annotator"), *heads)
    hint = _("A bar leads to its segments.")
    return Chart(slug_of(options), title, caption, spec, columns, rows, hint=hint)


def _note(each: Evaluator) -> str:
    spread = "" if math.isnan(each.sd) else f" ± {figure(each.sd, 2)}"
    return f"{figure(each.mean, 2)}{spread}, n = {each.n:,}"


def addresses(
    selection: Selection, report: EvaluatorsReport, people: Sequence[Evaluator]
) -> dict[str, str]:
    """By bar the address of the segments where its values were given. Of values on a scale those
    between the lowest and the highest of the bar, which are the same raw as standardized."""
    found = {}
    for i, each in enumerate(people):
        for j, n in enumerate(each.counts):
            if n and report.name == "comparisons" and not report.dimension:
                found[f"{i}-{j}"] = to_segments(selection, annotators=[each.alias])
            elif n:
                found[f"{i}-{j}"] = to_segments(
                    selection,
                    dimension=report.dimension,
                    by=each.alias,
                    low=repr(each.lowest[j]),
                    high=repr(each.highest[j]),
                )
    return found


def table(selection: Selection, options: Options, name: str, people: Sequence[Evaluator]) -> Table:
    """Return the figures of annotators, in the order of their means; of columns those that hold
    any."""
    quality = rules.quality(selection, options["dimension"])
    judged = {each.user: each for each in quality.annotators}
    rest = _agreement(selection, options, judged)
    columns = (
        Column("annotator"),
        Column("mean", _("Mean"), "number"),
        Column("sd", _("Standard deviation"), "number"),
        Column("n", _("Values"), "count", _("Regular items and repeats")),
        Column("agreement", _("Agreement"), "number", _("With the rest: see below")),
        Column("n_shared", _("Shared"), "count", _("Outputs that others judged too")),
        Column("difference", _("Above the rest"), "number", _("Mean difference from the others")),
        Column("median_seconds", _("Median seconds"), "number", _("Active time of a judgment")),
        Column("seconds_per_word", _("Per source word"), "number", _("Median seconds per word")),
        Column("verdict", _("Verdict"), "text", _("From degraded copies, see Quality")),
        Column("flags", _("Flags"), "text"),
    )
    rows: list[tuple] = []
    for each in report_of(selection, options).annotators:
        found = judged[each.user]
        agreement, n_shared = rest.get(each.user, (None, None))
        tested = quality.has_controls
        rows.append(
            (
                each.alias,
                each.mean,
                each.sd,
                each.n,
                agreement,
                n_shared,
                found.deviation.mean_difference,
                found.median_seconds,
                found.seconds_per_word,
                str(VERDICTS[found.control.verdict]) if tested else None,
                flags(found) or None,
            )
        )
    known = [i for i in range(len(columns)) if not all(undefined(row[i]) for row in rows)]
    shown = {each.alias for each in people}
    rows = [tuple(row[i] for i in known) for row in rows if row[0] in shown]
    links = {
        (place, "annotator"): to_segments(selection, annotators=[each.alias])
        for place, each in enumerate(people)
    }
    note = (
        _("Agreement: Pearson's correlation with the mean of all others, as on the page Quality.")
        if options["dimension"]
        else _(
            "Agreement: mean kappa with each other annotator, weighted by what both judged, among "
            "the busiest, as on the page Agreement."
        )
    )
    heads = tuple(columns[i] for i in known)
    return Table(slug_of(options), title_of(options, name), heads, rows, note, links)


def _agreement(
    selection: Selection, options: Options, judged: dict[int, AnnotatorQuality]
) -> dict[int, tuple[float, int]]:
    """By user the agreement with the rest and what it is of, from what Quality and Agreement have
    computed."""
    if options["dimension"]:
        every = {user: a.deviation for user, a in judged.items() if a.deviation.n}
        return {user: (found.correlation, found.n) for user, found in every.items()}
    report = agreement_figures.agreement(selection)
    users = {a.alias: a.user for a in judged.values()}
    found: dict[int, tuple[float, int]] = {}
    for place, alias in enumerate(report.aliases):
        known = ~np.isnan(report.matrix.estimate[place])
        known[place] = False
        n = report.matrix.n_shared[place][known]
        if n.sum():
            mean = float(np.average(report.matrix.estimate[place][known], weights=n))
            found[users[alias]] = mean, int(n.sum())
    return found


def section(
    selection: Selection, options: Options, name: str, part: slice = slice(None)
) -> Section:
    """``part``: which annotators, in the order of their means."""
    report = cache(lambda: report_of(selection, options))
    slug, title = slug_of(options), title_of(options, name)

    def people() -> Sequence[Evaluator]:
        return report().annotators[part]

    return Section(
        slug=slug,
        title=title,
        sentence=lambda: lead(report()),
        notes=lambda: notes(report()),
        charts=[Lazy(slug, title, lambda: chart(selection, options, name, people()))],
        tables=[Lazy(slug, title, lambda: table(selection, options, name, people()))],
    )


def sections(selection: Selection) -> list[Section]:
    """Return every dimension, raw and standardized; the figures beside them are the same in both,
    and so stand in the files of the raw values only."""
    found = []
    for options, name in settings_of(selection):
        one = section(selection, options, name)
        found.append(one if options["values"] == "raw" else replace(one, tables=[]))
    return found


def data(selection: Selection) -> dict[str, Any]:
    reports = [report_of(selection, options) for options, _name in settings_of(selection)]
    return {"reports": [plain(report) for report in reports]}


def context(request: HttpRequest, selection: Selection) -> dict[str, Any]:
    """Return some of the annotators, with `?dimension=` and `?values=`, raw or z: whatever is not
    there falls back to the first."""
    every = settings_of(selection)
    asked = {"dimension": request.GET.get("dimension"), "values": request.GET.get("values")}
    dimensions = {options["dimension"]: name for options, name in every}
    if asked["dimension"] not in dimensions:
        asked["dimension"] = next(iter(dimensions))
    options, name = next((pair for pair in every if pair[0] == asked), every[0])
    if options["dimension"] != asked["dimension"]:
        options, name = next(pair for pair in every if pair[0]["dimension"] == asked["dimension"])
    people = report_of(selection, options).annotators
    page = Paginator(people, ON_A_PAGE).get_page(request.GET.get("page"))
    shown = slice(page.start_index() - 1, page.end_index()) if people else slice(0)
    chosen = ((key, value) for key, value in options.items() if value)
    return {
        "sections": [section(selection, options, name, shown)],
        "empty": None if people else NOTHING,
        "dimensions": [pair for pair in dimensions.items() if pair[0]],
        "options": options,
        "page": page,
        "query": urlencode([*selection.address, *chosen]),
    }


def links(selection: Selection) -> list[tuple[str, str]]:
    quality = _("Quality control: tests, and who counts")
    return [("quality", quality), ("agreement", _("Agreement"))]


NOTHING = EmptyState(
    gettext_lazy("No judgments yet"),
    gettext_lazy("The values that each annotator gives will appear here with the first judgment."),
    "campaign",
    gettext_lazy("See the progress"),
)
PAGE = ResultsPage(
    "evaluators",
    gettext_lazy("Evaluators"),
    sections,
    data,
    asked=has_values,
    tab="agreement",
    links=links,
    parameters=("dimension", "values", "page"),
    template="judgments/quality/evaluators.html",
    context=context,
)
