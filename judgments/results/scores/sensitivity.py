"""How many pairs of systems would differ with other scores, tests, units and adjustments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.stats.head_to_head import adjusted_pairs
from judgments.stats.pair_tests import compare_systems, two_sided
from judgments.stats.paired_difference import paired_difference
from judgments.web import plurals as counted
from judgments.web.plurals import one_unit, titled
from judgments.web.sections import Lazy, Section
from judgments.web.tables import Column, Table

from ..observations.observations import SCORED_KINDS, SEED, Observed, cached, checked
from ..observations.tables import places
from ..observations.units import clusters_of
from ..selection.selection import Selection
from .figures import segment_scores_of, system_scores_of
from .pair_test import ALPHA, PairTest, pair_test_of
from .waves import Waves, later_waves

SCORES = ("raw", "z", "mixed")
TESTS = {
    "signed-rank": gettext_lazy("signed-rank"),
    "permutation": gettext_lazy("permutation"),
    "t": gettext_lazy("paired t"),
    "mann-whitney": gettext_lazy("Mann–Whitney"),
    "Wald": gettext_lazy("Wald"),
}
SCORE_NAMES = {
    "raw": gettext_lazy("raw"),
    "z": gettext_lazy("z"),
    "center": gettext_lazy("centered"),
    "mixed": gettext_lazy("mixed model"),
}
ADJUSTMENTS = ("none", "bh", "holm")


@dataclass(frozen=True)
class OtherAnswer:
    """``separated`` pairs of ``n`` by each of ADJUSTMENTS (3,); ``is_own``: whether the campaign
    decides by these scores, test and unit."""

    method: str
    test: str
    unit: str
    n: int
    separated: tuple[int, ...]
    is_own: bool


def sensitivity(selection: Selection, dimension: str | None = None) -> list[OtherAnswer]:
    """Return how many pairs differ by each choice of scores, test and unit, of ratings."""
    how = pair_test_of(selection.campaign)
    return cached(
        selection,
        "sensitivity",
        lambda observed: sensitivity_of(observed, dimension, how, later_waves(selection)),
        dimension=dimension,
        how=how.options,
    )


def sensitivity_of(
    observed: Observed,
    dimension: str | None = None,
    how: PairTest = PairTest(),  # noqa: B008
    later: Waves | None = None,
) -> list[OtherAnswer]:
    """Return the pairs that differ in rows that were loaded. later: the judgments of later
    waves."""
    slug = checked(dimension, observed.dimensions)
    scored = observed.of_kinds(SCORED_KINDS).of_dimension(slug)
    clusters, unit = clusters_of(scored)
    documents = clusters if unit == "documents" else None
    found = []
    for method in dict.fromkeys((how.compared_by, *SCORES)):
        if method == "mixed":
            scores = system_scores_of(observed, slug, method, how=how, later=later)
            if scores.p_values is not None and not scores.reason:
                found.append(("mixed", "Wald", "segments", scores.p_values))
            continue
        table = segment_scores_of(observed, slug, method)
        own = (
            None
            if documents is None
            else documents[places(table.segment_ids, observed.segment_ids)]
        )
        found += [(method, *each) for each in _tested(table.values, own)]
    answers = []
    for method, test, by, p_values in found:
        upper = np.triu(~np.isnan(p_values), 1)
        adjusted = [p_values, *(adjusted_pairs(p_values, each) for each in ADJUSTMENTS[1:])]
        with np.errstate(invalid="ignore"):
            separated = tuple(int(((p < ALPHA) & upper).sum()) for p in adjusted)
        is_own = (method, test, by) == (how.compared_by, how.test, unit)
        answers.append(OtherAnswer(method, test, by, int(upper.sum()), separated, is_own))
    return answers


def _tested(
    table: np.ndarray, documents: np.ndarray | None
) -> Iterator[tuple[str, str, np.ndarray]]:
    """Yield (test, unit, two-sided p (S, S)) of scores (S, n)."""
    units = [("segments", None)] + ([] if documents is None else [("documents", documents)])
    for unit, clusters in reversed(units):
        end = "" if clusters is None else "-documents"
        for test in ("signed-rank", "permutation"):
            rng = np.random.default_rng(SEED)
            p = compare_systems(table, test=f"{test}{end}", documents=clusters, rng=rng)
            yield test, unit, two_sided(p)
        yield "t", unit, _paired_t(table, clusters)
    yield "mann-whitney", "segments", two_sided(compare_systems(table, test="mann-whitney"))


def _paired_t(table: np.ndarray, clusters: np.ndarray | None) -> np.ndarray:
    p_values = np.full((len(table),) * 2, np.nan)
    for i in range(len(table)):
        for j in range(i):
            found = paired_difference(table[i] - table[j], clusters)
            p_values[[i, j], [j, i]] = found.p_value
    return p_values


def section(selection: Selection, dimension: str, *, of: str, what: str) -> Section:
    """Return the table, collapsed. of: for the names of files; what: for titles."""
    title = titled(_("With other choices"), what)
    return Section(
        slug=f"sensitivity-{of}",
        title=title,
        sentence=lambda: lead(sensitivity(selection, dimension)),
        tables=[Lazy(f"sensitivity-{of}", title, lambda: table(selection, dimension, of, title))],
        exists=lambda: any(each.n for each in sensitivity(selection, dimension)),
        level=3,
        folded=True,
    )


def lead(answers: list[OtherAnswer]) -> str:
    """Return the range of the answers in one sentence."""
    every = [n for each in answers for n in each.separated]
    if not every:
        return _("No two systems can be tested against each other yet.")
    known = {"low": f"{min(every):,}", "high": f"{max(every):,}"}
    known["pairs"] = counted.pairs(max(each.n for each in answers))
    return (
        _(
            "With other scores, tests, units and adjustments, %(low)s to %(high)s of %(pairs)s "
            "would differ. If you look for the answer that suits you best among these, the 5 %% "
            "no longer hold."
        )
        % known
    )


def table(selection: Selection, dimension: str, of: str, title: str) -> Table:
    columns = (
        Column("scores", _("Scores"), "text"),
        Column("test", _("Test"), "text"),
        Column("unit", _("Unit"), "text"),
        Column("none", _("Not adjusted"), "count"),
        Column("bh", _("Benjamini–Hochberg"), "count"),
        Column("holm", _("Holm"), "count"),
        Column("pairs", _("Pairs"), "count"),
        Column("own", _("This campaign's"), "text"),
    )
    how = pair_test_of(selection.campaign)
    rows = [
        (
            str(SCORE_NAMES[each.method]),
            str(TESTS[each.test]),
            one_unit(each.unit),
            *each.separated,
            each.n,
            how_adjusted(how) if each.is_own else "",
        )
        for each in sensitivity(selection, dimension)
    ]
    return Table(
        f"sensitivity-{of}", title, columns, rows, _("Pairs that differ, two-sided, α = .05.")
    )


def how_adjusted(how: PairTest) -> str:
    """Return the words that mark the campaign's own row."""
    return _("Holm") if how.adjust == "holm" else _("Benjamini–Hochberg")
