"""The ranking over the course of the judgments, and the results of half of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from judgments.protocols.pages import with_page
from judgments.results.learning_curve.figures import LearningCurve, learning_curve
from judgments.results.observations import observations
from judgments.results.observations.observations import SEED
from judgments.results.selection.selection import Selection
from judgments.web import charts
from judgments.web.charts import Chart
from judgments.web.plurals import of_unit, titled
from judgments.web.sections import ASIDE, Lazy, ResultsPage, Section, plain
from judgments.web.tables import Column, Table, figure, in_a_sentence, interval

from ..compare.pair_links import TO_PAIR, to_pair
from ..segments.links import to_segments
from .chart import columns_of, curve_chart, rows_of, slug_of


def slugs_of(selection: Selection) -> list[str | None]:
    """Return the dimensions, or None for comparisons."""
    slugs: list[str | None] = [d.slug for d in observations.dimensions_of(selection.campaign)]
    return slugs or [None]


def what_of(selection: Selection, slug: str | None) -> str:
    names = {d.slug: in_a_sentence(d.name) for d in observations.dimensions_of(selection.campaign)}
    return names.get(slug or "", _("comparisons"))


def lead(curve: LearningCurve) -> str:
    """Return since when the ranking has been stable."""
    if len(curve.names) < 2:
        return _("Fewer than two systems were judged: there is no ranking yet.")
    known = {"first": curve.names[0], "since": f"{curve.stands_since:.0%}"}
    leads = curve.shares[_since(curve.ranks[:, 0] == curve.ranks[-1, 0])]
    known["leads"] = f"{leads:.0%}"
    if curve.stands_since < 1:
        return (
            _(
                "The order of all systems has been the last one since %(since)s of the judgments; "
                "%(first)s has led since %(leads)s."
            )
            % known
        )
    return (
        _(
            "The order of some systems changed with the last tenth of the judgments; %(first)s has "
            "led since %(leads)s."
        )
        % known
    )


def _since(held: np.ndarray) -> int:
    """Return the first position from which on ``held`` (K,) is true to the end."""
    broken = np.flatnonzero(~held)
    return int(broken[-1]) + 1 if len(broken) else 0


def notes(curve: LearningCurve) -> list[str]:
    """Return the order in which judgments count."""
    if len(curve.names) < 2:
        return []
    order = (
        _("Judgments count in the order in which they were submitted.")
        if curve.by_time
        else _(
            "The time of submission is not known for all judgments: whole %(units)s follow each "
            "other in a random order, seed %(seed)s."
        )
        % {"units": of_unit(curve.units), "seed": SEED}
    )
    early = _(
        "Early scores are of other segments than the last ones: systems may change places because "
        "the texts do."
    )
    return [order, early]


def score_table(selection: Selection, curve: LearningCurve) -> Table:
    """Return scores after each tenth of the judgments."""
    links = _system_links(selection, curve)
    slug, rows = slug_of("learning-curve", curve), rows_of(curve, curve.scores)
    note = _("Scores as on the page Scores, or expected wins of comparisons.")
    return Table(slug, _("Scores so far"), columns_of(curve), rows, note, links)


def rank_table(selection: Selection, curve: LearningCurve) -> Table:
    """Return ranks after each tenth of the judgments."""
    ranks = [
        (name, *(None if math.isnan(rank) else int(rank) for rank in column))
        for name, column in zip(curve.names, curve.ranks.T.tolist(), strict=True)
    ]
    slug, links = slug_of("learning-ranks", curve), _system_links(selection, curve)
    return Table(slug, _("Ranks so far"), columns_of(curve), ranks, "", links)


def _system_links(selection: Selection, curve: LearningCurve) -> dict[tuple[int, str], str]:
    dimension = curve.dimension or None
    return {
        (i, "system"): to_segments(selection, systems=[name], dimension=dimension)
        for i, name in enumerate(curve.names)
    }


def half_lead(curve: LearningCurve) -> str:
    """Return how often halves agree with the whole."""
    found = curve.halves
    if found is None:
        return _("There are too few judgments to take half of them.")
    upper = np.triu_indices(len(curve.names), 1)
    same = float(np.nanmean(found.same[upper]))
    decided = ngettext(
        "Of %(n)s decision of all judgments, half finds %(kept)s",
        "Of %(n)s decisions of all judgments, half finds %(kept)s",
        found.whole,
    ) % {"n": f"{found.whole:,}", "kept": figure(found.kept, 1)}
    turned = figure(found.turned, 1) if found.turned >= 0.05 else _("none")
    known = {"same": f"{same:.0%}", "decided": decided, "turned": turned}
    return (
        _(
            "Half of the judgments puts two systems into the same order %(same)s of the time. "
            "%(decided)s, and turns %(turned)s round."
        )
        % known
    )


def half_notes(curve: LearningCurve) -> list[str]:
    found = curve.halves
    if found is None:
        return []
    places = 3
    figures = [
        f"{figure(mean, places)} {interval(low, high, places)}".strip()
        for mean, low, high in (found.with_whole, found.with_other)
    ]
    return [
        _(
            "Pearson's r of the systems' scores: a half with all judgments %(whole)s, with the "
            "other half %(other)s, means and middle 95 %% of the halves. A half is part of the "
            "whole, so the first flatters."
        )
        % {"whole": figures[0], "other": figures[1]},
        _(
            "%(draws)s random halves of whole %(units)s, seed %(seed)s; the decisions are means "
            "over the first %(tested)s, by %(test)s, adjusted for all pairs."
        )
        % {
            "draws": f"{found.draws:,}",
            "units": of_unit(found.units),
            "seed": found.seed,
            "tested": found.tested,
            "test": _("the test of the page Scores") if curve.dimension else _("the sign test"),
        },
    ]


def pair_table(selection: Selection, curve: LearningCurve) -> Table:
    """Return how often halves agree about two systems, the least certain orders first."""
    found = curve.halves
    columns = (
        Column("system", hint=_("The one with the better score")),
        Column("against", _("Against")),
        Column("difference", _("Difference"), "number", _("In all judgments")),
        Column("same", _("Same order"), "number", _("Share of random halves")),
    )
    n = len(curve.names)
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n)] if found else []
    rows = [
        (
            curve.names[i],
            curve.names[j],
            float(curve.scores[-1, i] - curve.scores[-1, j]),
            float(found.same[i, j]) if found else math.nan,
        )
        for i, j in pairs
    ]
    rows.sort(key=lambda row: (math.isnan(row[3]), row[3]))
    links = {
        (i, key): to_pair(selection, row[0], row[1], dimension=curve.dimension or None)
        for i, row in enumerate(rows)
        for key in ("system", "against")
    }
    title = _("How often half says the same")
    return Table(slug_of("learning-pairs", curve), title, columns, rows, "", links)


def pair_chart(selection: Selection, curve: LearningCurve) -> Chart | None:
    """Return the same as a heat map."""
    found = curve.halves
    if found is None or np.isnan(found.same).all():
        return None
    title = _("Same order in half of the judgments")
    texts = [[figure(float(value), 2) for value in line] for line in found.same]
    spec = charts.heat_map(
        curve.names,
        curve.names,
        found.same,
        row_title="",
        column_title="",
        legend=_("share of halves"),
        domain=(0.5, 1.0),
        texts=texts if len(curve.names) <= 13 else None,
        description=title,
    )
    caption = _("Share of %(n)s random halves in which two systems stand as in all judgments.") % {
        "n": f"{found.draws:,}"
    }
    columns, n = (Column("system"), Column("against"), Column("same")), len(curve.names)
    rows = [
        (curve.names[i], curve.names[j], float(found.same[i, j]))
        for i in range(n)
        for j in range(i + 1, n)
    ]
    between = {
        (i, j): to_pair(selection, one, other, dimension=curve.dimension or None)
        for i, one in enumerate(curve.names)
        for j, other in enumerate(curve.names)
        if i != j
    }
    spec = charts.linked(spec, {f"{i}-{j}": to for (i, j), to in between.items()}, key="cell")
    slug, hint = slug_of("learning-halves", curve), str(TO_PAIR)
    return Chart(slug, title, caption, spec, columns, rows, hint=hint)


def sections(selection: Selection) -> list[Section]:
    """Return sections for each dimension, or for the comparisons: the curve and the halves."""
    first, *others = [_sections(selection, slug) for slug in slugs_of(selection)]
    # For further dimensions a page first shows only the finding, to stay short.
    folded = [replace(each, folded=True) for some in others for each in some]
    return [*first, *folded]


def _sections(selection: Selection, slug: str | None) -> list[Section]:
    curve = cache(lambda: learning_curve(selection, slug))
    what, of = what_of(selection, slug), slug or "comparisons"
    axis = what if slug else _("expected wins")
    title = titled(_("The ranking as judgments came in"), what)
    halves = titled(_("What half would have said"), what)
    scores, ranks = titled(_("Scores so far"), what), titled(_("Ranks so far"), what)
    pairs = titled(_("How often half says the same"), what)
    drawn = titled(_("Same order in half of the judgments"), what)
    return [
        Section(
            slug=f"learning-{of}",
            title=title,
            sentence=lambda: lead(curve()),
            notes=lambda: notes(curve()),
            charts=[
                Lazy(
                    f"learning-curve-{of}",
                    title,
                    lambda: curve_chart(
                        curve(), title, axis, [*_system_links(selection, curve()).values()]
                    ),
                )
            ],
            tables=[
                Lazy(f"learning-ranks-{of}", ranks, lambda: rank_table(selection, curve()), ASIDE),
                Lazy(
                    f"learning-curve-{of}", scores, lambda: score_table(selection, curve()), ASIDE
                ),
            ],
        ),
        Section(
            slug=f"learning-half-{of}",
            title=halves,
            sentence=lambda: half_lead(curve()),
            notes=lambda: half_notes(curve()),
            charts=[Lazy(f"learning-halves-{of}", drawn, lambda: pair_chart(selection, curve()))],
            tables=[_table("pairs", of, pairs, lambda: pair_table(selection, curve()))],
            exists=lambda: curve().halves is not None,
            level=3,
        ),
    ]


def _table(kind: str, of: str, title: str, make: Callable[[], Table]) -> Lazy[Table]:
    return Lazy(f"learning-{kind}-{of}", title, make, ASIDE)


def data(selection: Selection) -> dict[str, Any]:
    return {"curves": [plain(learning_curve(selection, slug)) for slug in slugs_of(selection)]}


def links(selection: Selection) -> list[tuple[str, str]]:
    return [("scores", _("Scores of all systems"))]


PAGE = ResultsPage(
    "learning-curve",
    gettext_lazy("Learning curve"),
    sections,
    data,
    asked=with_page("scores"),
    tab="scores",
    links=links,
)
