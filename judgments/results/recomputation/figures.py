"""Figures that were published with a campaign's judgments, beside the site's own.

The own figures are those of the pages; nothing is computed here. What was published says neither
how it was computed nor how it was rounded: a recipe says which of our conventions it follows.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext_noop

from judgments.models import KnownFault, PublishedFigure, TestSet
from judgments.results.observations import observations
from judgments.results.observations import pairs as observations_pairs
from judgments.results.scores import figures as scores_figures
from judgments.stats.agreement import pairwise_agreement
from judgments.web.extension_points import registered

from ..observations.observations import checked
from ..selection.filters import Filters
from ..selection.selection import Selection

# How an own figure stands to the published one; of KNOWN it is known why the two differ.
SAME, FLOATS, NEAR, KNOWN, OTHER, NONE = "same", "floats", "near", "known", "differs", "none"
FAULT = "fault"  # of the publication: somebody recorded it
# Relative; sums in another order differ by no more.
ROUNDING = 1e-9
MANY = 10  # digits behind the point: not rounded for readers
# What verdicts say by themselves of the reason.
REASONS = {
    SAME: "",
    FLOATS: gettext_noop("the same sums in another order"),
    NEAR: gettext_noop("one more or less in the last digit: rounded at another step"),
}
UNJUDGED = gettext_noop(
    "it counts published scores of segments for which there are no judgments here"
)
NUMBER = re.compile(r"[+-]?[0-9]*\.?[0-9]*([eE][+-]?[0-9]+)?")
BETWEEN, IN = " > ", " in "

Figures = Mapping[str, float]  # by what they are of


@dataclass(frozen=True)
class Recipe:
    """How one kind of figure is computed here.

    of: all figures of that kind, of a dimension. convention: which of our ways it is, in words.
    close: how far the same figure may be off for a reason that is known; reason: that reason.
    """

    figure: str
    of: Callable[[Selection, str | None], Figures]
    convention: str
    close: float = 0.0
    reason: str = ""


@dataclass(frozen=True)
class Recomputed:
    """``published``: as it stands in ``file``; ``own``: with as many digits, "" where there is
    none; ``verdict``: one of SAME … FAULT; ``reason``: of whatever is not the same; ``row``: the
    number of the `PublishedFigure`."""

    figure: str
    dimension: str
    of: str
    published: str
    own: str
    verdict: str
    convention: str
    reason: str
    file: str
    row: int = 0

    def with_fault(self, reason: str) -> Recomputed:
        """Return the same as a known fault of the publication, which only a difference can be."""
        if self.verdict != OTHER:
            return self
        return dataclasses.replace(self, verdict=FAULT, reason=reason)


def recomputed(selection: Selection) -> list[Recomputed]:
    """Return all published figures of the selection's campaign, in the order of their files."""
    rows = PublishedFigure.objects.filter(campaign=selection.campaign).order_by("pk")
    known: dict[tuple[str, str], Figures | str] = {}
    faults = {(each.figure_id, each.own): each.reason for each in faults_in_force(selection)}
    found = []
    for row in rows:
        key = (row.figure, row.dimension)
        if key not in known:
            known[key] = _figures(selection, *key)
        found.append(_compared(row, known[key]))
    found = _with_unjudged(selection, found)
    return [
        each if (reason := faults.get((each.row, each.own))) is None else each.with_fault(reason)
        for each in found
    ]


def _with_unjudged(selection: Selection, rows: list[Recomputed]) -> list[Recomputed]:
    """Return for means that differ the reason, where they come out as soon as published scores of
    segments that nobody judged here are counted."""
    unjudged: dict[str, dict[str, float]] = {}
    for row in rows:
        if row.figure == "segment mean" and row.verdict == NONE:
            unjudged.setdefault(row.dimension, {})[row.of] = float(row.published)
    means = {
        dimension: _means_with(selection, dimension, unjudged[dimension])
        for dimension in {row.dimension for row in rows if row.verdict == OTHER} & unjudged.keys()
    }
    return [
        dataclasses.replace(row, verdict=KNOWN, reason=UNJUDGED)
        if row.verdict == OTHER
        and row.figure in ("system mean", "domain mean")
        and row.of in means.get(row.dimension, {})
        and compared(row.published, means[row.dimension][row.of])[0] != OTHER
        else row
        for row in rows
    ]


def _means_with(selection: Selection, dimension: str, unjudged: Figures) -> Figures:
    """Return means of systems, and of their domains, over judged segments and published scores."""
    judged = _figures(selection, "segment mean", dimension)
    if isinstance(judged, str):
        return {}
    values = {**unjudged, **judged}
    found: dict[str, list[float]] = {}
    test_set = selection.campaign.test_set
    segments = list(test_set.segments.values_list("key", "document__domain"))
    for name in test_set.systems.values_list("name", flat=True):
        for key, domain in segments:
            if (of := f"{name}{IN}{key}") in values:
                found.setdefault(name, []).append(values[of])
                found.setdefault(f"{name}{IN}{domain}", []).append(values[of])
    return {of: math.fsum(some) / len(some) for of, some in found.items()}


def faults_in_force(selection: Selection) -> list[KnownFault]:
    """Return the known faults of the publication, each with its figure, as they were recorded."""
    of_campaign = KnownFault.objects.filter(figure__campaign=selection.campaign)
    latest = of_campaign.latest_of_each().select_related("figure")
    return [each for each in latest if not each.withdrawn]


def of_metrics(test_set: TestSet) -> list[Recomputed]:
    """Return the scores that a release gives of metrics which the site computes itself."""
    return [row for scores in registered("recomputed_scores") for row in scores(test_set)]


def _figures(selection: Selection, figure: str, dimension: str) -> Figures | str:
    """Return the own figures, or why there are none."""
    recipe = RECIPES.get(figure)
    if recipe is None:
        return gettext_noop("the site does not compute this figure")
    slugs = [each.slug for each in observations.dimensions_of(selection.campaign)]
    if dimension and dimension not in slugs:
        return gettext_noop("nobody was asked for this here")
    return recipe.of(selection, dimension or None)


def _compared(row: PublishedFigure, figures: Figures | str) -> Recomputed:
    recipe = RECIPES.get(row.figure)
    own, why = math.nan, figures
    if not isinstance(figures, str):
        own = figures.get(row.of, math.nan)
        why = gettext_noop("no judgments here are about it")
    found = beside(
        *(row.figure, row.of, row.text, own),
        convention=recipe.convention if recipe else "",
        reason=str(why) if math.isnan(own) else "",
    )
    if found.verdict == OTHER and recipe and abs(float(row.text) - own) <= recipe.close:
        found = dataclasses.replace(found, verdict=KNOWN, reason=recipe.reason)
    return dataclasses.replace(found, dimension=row.dimension, file=row.file, row=row.pk)


def beside(
    figure: str, of: str, published: str, own: float, *, convention: str, reason: str
) -> Recomputed:
    """Return a published figure and our own (NaN: there is none). reason: why the two differ, as
    far as that is known."""
    if math.isnan(own):
        return Recomputed(figure, "", of, published, "", NONE, convention, reason, "")
    verdict, text = compared(published, own)
    if verdict == OTHER:
        verdict = KNOWN if reason else OTHER
    else:
        reason = REASONS[verdict]
    return Recomputed(figure, "", of, published, text, verdict, convention, reason, "")


def compared(published: str, own: float) -> tuple[str, str]:
    """Return (verdict, the own figure with as many digits as the published one)."""
    value, places = float(published), _places(published)
    if own == value:
        return SAME, published
    if places >= MANY:
        if float(f"{own:.{_significant(published)}g}") == value:
            return SAME, published
        close = math.isclose(own, value, rel_tol=ROUNDING, abs_tol=0 if value else ROUNDING)
        return (FLOATS if close else OTHER), repr(own)
    text = f"{own:.{places}f}"
    if float(text) == value:
        return SAME, text
    unit = 10.0**-places
    return (NEAR if abs(float(text) - value) <= unit * 1.000001 else OTHER), text


def _places(text: str) -> int:
    """Return how many digits stand behind the point."""
    return len(text.lower().partition("e")[0].partition(".")[2])


def _significant(text: str) -> int:
    """Return how many digits a number is written with, without the zeros before the first."""
    return len(text.lower().partition("e")[0].replace(".", "").lstrip("+-0")) or 1


def _by_name(names, values) -> dict[str, float]:
    return {str(name): float(value) for name, value in zip(names, values, strict=True)}


def _has_z(selection: Selection, dimension: str | None) -> bool:
    """Return whether the judgments are z scores themselves, as some releases hold nothing else."""
    return checked(dimension, observations.dimensions_of(selection.campaign)).endswith("_z")


def _systems(method: str, field: str) -> Callable[[Selection, str | None], Figures]:
    """Return a field of the scores of systems."""

    def of(selection: Selection, dimension: str | None) -> Figures:
        how = {"method": method, "over": "all"} if method == "z" else {}
        if method == "z" and _has_z(selection, dimension):
            how = {}
        scores = scores_figures.system_scores(selection, dimension, rule="wmt17-23", **how)
        return _by_name(scores.names, getattr(scores, field))

    return of


def _domains(selection: Selection, dimension: str | None) -> Figures:
    documents = selection.campaign.test_set.documents.order_by()
    found: dict[str, float] = {}
    for domain in set(documents.values_list("domain", flat=True)) - {""}:
        there = dataclasses.replace(selection, filters=Filters(domains=(domain,)))
        scores = scores_figures.system_scores(there, dimension)
        for name, mean in _by_name(scores.names, scores.mean).items():
            found[f"{name}{IN}{domain}"] = mean
    return found


def _segments(method: str) -> Callable[[Selection, str | None], Figures]:
    def of(selection: Selection, dimension: str | None) -> Figures:
        how = "raw" if method == "z" and _has_z(selection, dimension) else method
        scores = scores_figures.segment_scores(selection, dimension, how, over="all")
        return {
            f"{name}{IN}{key}": float(scores.values[i, j])
            for i, name in enumerate(scores.names)
            for j, key in enumerate(scores.segment_keys)
            if scores.n[i, j]
        }

    return of


def _p_values(selection: Selection, dimension: str | None) -> Figures:
    how = {} if _has_z(selection, dimension) else {"method": "z", "over": "all"}
    scores = scores_figures.system_scores(selection, dimension, rule="wmt17-23", **how)
    if scores.p_of_rule is None:
        return {}
    return {
        f"{a}{BETWEEN}{b}": float(scores.p_of_rule[i, j])
        for i, a in enumerate(scores.names)
        for j, b in enumerate(scores.names)
        if i != j
    }


def _kappa(reading: str, field: str) -> Callable[[Selection, str | None], Figures]:
    def of(selection: Selection, dimension: str | None) -> Figures:
        observed = observations.load(selection)
        if observed.rates:
            return {}
        # What was not shown itself, because another output reads the same, was not compared.
        pairs = observations_pairs.pairs_of(observed.as_shown())
        columns = (pairs.segment, pairs.annotator, pairs.first, pairs.second, pairs.label)
        return {"": float(getattr(pairwise_agreement(*columns, reading=reading), field))}

    return of


MEAN = gettext_noop("the mean over segments of the means over annotators")
Z = gettext_noop("z over all kinds of items of an annotator; then the mean over segments")
ROUNDED_Z = gettext_noop(
    "the release computed z from means and standard deviations that it had rounded"
)
RANK_SUM = gettext_noop("one-sided rank-sum test on means of segments, as WMT17 to WMT23 had it")
KAPPA = gettext_noop("pairs in the order of the screen, as the script of WMT16 counts them")
KAPPA_FIELDS = {
    "pA": "p_observed",
    "pE": "p_expected",
    "kappa": "estimate",
    "agree": "n_agreeing",
    "comparable": "n_pairs",
    "ties": "n_ties",
    "total": "n_labels",
}
RECIPES = {
    recipe.figure: recipe
    for recipe in (
        Recipe("system mean", _systems("raw", "mean"), MEAN),
        Recipe("domain mean", _domains, MEAN),
        Recipe("segment mean", _segments("raw"), gettext_noop("the mean over annotators")),
        Recipe("system mean z", _systems("z", "mean"), Z, 5e-6, ROUNDED_Z),
        Recipe("segment mean z", _segments("z"), Z, 5e-6, ROUNDED_Z),
        Recipe("segments", _systems("raw", "n_segments"), gettext_noop("segments with a score")),
        Recipe("judgments", _systems("raw", "n_judgments"), gettext_noop("scores that count")),
        Recipe("wins", _systems("z", "wins"), RANK_SUM),
        Recipe("cluster start", _systems("z", "cluster_low"), RANK_SUM),
        Recipe("cluster end", _systems("z", "cluster_high"), RANK_SUM),
        Recipe("p-value", _p_values, RANK_SUM, 1e-4, ROUNDED_Z),
        *(
            Recipe(f"{name} {mode}", _kappa(reading, field), KAPPA)
            for mode, reading in (("inter", "wmt16-compat"), ("intra", "intra-wmt16-compat"))
            for name, field in KAPPA_FIELDS.items()
        ),
    )
}
