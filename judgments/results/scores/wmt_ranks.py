"""Ranks and clusters by the rules of the WMT campaigns, beside those of this campaign."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from judgments.web import plurals as counted
from judgments.web.plurals import titled
from judgments.web.sections import Lazy, Section
from judgments.web.tables import Column, Table, figure

from ..observations.observations import Observed, cached, dimensions_of
from ..selection.selection import Selection
from .annotator_check import AnnotatorCheck
from .figures import WMT_RULES, SystemScores, system_scores, system_scores_of
from .waves import later_waves
from .words import ranks

NAMES = {
    "wmt25": gettext_lazy("WMT25"),
    "wmt26": gettext_lazy("WMT26"),
    "wmt17-23": gettext_lazy("WMT17–23"),
    "wmt13-16": gettext_lazy("WMT13–16"),
}
# How each ranks. What it does to equal systems is from `benchmarks/equal_systems.py`: the systems
# of WMT23's English–German MQM, exchanged at random document by document, 400 times.
# xgettext:no-python-format
RULES = {
    "wmt25": gettext_lazy(
        "WMT25: up and down from each system until the first that differs by a one-sided "
        "signed-rank test of segments, p < .05, not adjusted. Of equal systems it finds 16 % of "
        "the pairs different, some pair in 97 % of tables of 12."
    ),
    # xgettext:no-python-format
    "wmt26": gettext_lazy(
        "WMT26: the same by a one-sided bootstrap of segments, paired or unpaired, whichever "
        "separates more (100 resamples), not adjusted; a cluster ends where each system above "
        "wins against each below. Of equal systems it finds 16 % of the pairs different, some "
        "pair in 98 % of tables of 12. As a test it is not valid: segments of one document are "
        "treated as independent, the better of two tests counts, and nothing is adjusted. Where "
        "systems were shown more often the higher they stood (WMT26 drew them by 1/rank), means "
        "over screens depend on what luck had chosen."
    ),
    # xgettext:no-python-format
    "wmt17-23": gettext_lazy(
        "WMT17–23: one place lost for each system that wins by a one-sided Mann–Whitney test of "
        "segments, p < .05, not adjusted, which ignores that both translated the same segments. Of "
        "equal systems it finds 4 % of the pairs different, some pair in 61 % of tables of 12."
    ),
    # xgettext:no-python-format
    "wmt13-16": gettext_lazy(
        "WMT13–16: ranks in 1,000 resamples, the outer 5 % dropped; a cluster ends where they do "
        "not overlap. Of equal systems it finds 1 % of the pairs different, some pair in 26 % of "
        "tables of 12."
    ),
}


def rules_of(selection: Selection) -> tuple[str, ...]:
    """Return the rules that rank this campaign's kind of judgments."""
    rates = bool(dimensions_of(selection.campaign))
    return tuple(WMT_RULES) if rates else ("wmt13-16",)


def ranked(selection: Selection, options: dict[str, Any]) -> dict[str, SystemScores]:
    """Return the scores by each rule. options: as `system_scores` takes them."""

    def by_each(observed: Observed) -> dict[str, SystemScores]:
        later = later_waves(selection)
        return {
            rule: system_scores_of(observed, **options, rule=rule, later=later)
            for rule in rules_of(selection)
        }

    return cached(selection, "wmt_ranks", by_each, **options)


def section(selection: Selection, options: dict[str, Any], *, of: str, what: str) -> Section:
    """Return the table, folded. of: what names the files; what: what titles say."""
    title = titled(_("Ranks by the rules of WMT"), what)
    return Section(
        slug=f"wmt-ranks-{of}",
        title=title,
        sentence=lambda: _(
            "To compare with what was published. None of these rules adjusts for the number of "
            "pairs or takes documents into account, so that equal systems are often ranked "
            "apart: in more than one of four tables of 12, where the ranks above promise one of "
            "twenty."
        ),
        notes=lambda: notes(selection, options),
        tables=[Lazy(f"wmt-ranks-{of}", title, lambda: table(selection, options, of, title))],
        exists=lambda: len(system_scores(selection, **options).names) > 1,
        level=3,
        folded=True,
    )


def table(selection: Selection, options: dict[str, Any], of: str, title: str) -> Table:
    """Return systems in the order of the page, with ranks and cluster by each rule."""
    shown = system_scores(selection, **options)
    columns = [Column("system")]
    places = {}
    for rule, scores in ranked(selection, options).items():
        name = str(NAMES[rule])
        key = rule.replace("-", "_")
        columns.append(Column(f"ranks_{key}", _("%(rule)s ranks") % {"rule": name}, "text"))
        columns.append(Column(f"cluster_{key}", _("%(rule)s cluster") % {"rule": name}, "count"))
        places[rule] = {
            int(pk): (
                ranks(scores.rank_low[i], scores.rank_high[i]),
                int(scores.cluster[i]) or None,
            )
            for i, pk in enumerate(scores.system_ids)
        }
    rows = [
        (
            str(shown.names[i]),
            *(
                value
                for known in places.values()
                for value in known.get(int(shown.system_ids[i]), ("–", None))
            ),
        )
        for i in shown.order
    ]
    return Table(f"wmt-ranks-{of}", title, tuple(columns), rows)


def notes(selection: Selection, options: dict[str, Any]) -> list[str]:
    """Return one line for each rule, and whom WMT26's leaves out."""
    found = ranked(selection, options)
    lines = [str(RULES[rule]) for rule in found]
    return lines + (left_out(found["wmt26"].annotator_check) if "wmt26" in found else [])


def left_out(check: AnnotatorCheck | None) -> list[str]:
    """Whom the rule leaves out, in sentences; none where it asks nothing."""
    if check is None or not check.n_annotators:
        return []
    known = {"fewest": counted.units(check.fewest, check.unit)}
    if not check.n_checked:
        said = _(
            "WMT26's check of annotators leaves nobody out: nobody rated two systems side by side "
            "and at least %(fewest)s."
        )
        return [said % known]
    known["threshold"] = figure(check.threshold, 2)
    known["annotators"] = counted.annotators(check.n_annotators)
    said = _(
        "WMT26's check leaves out none of %(annotators)s: nobody has a mean pairwise probability "
        "below %(threshold)s."
    )
    if check.left_out:
        known["n"] = f"{len(check.left_out):,}"
        known["who"] = ", ".join(f"{alias} ({figure(mean)})" for alias, mean in check.left_out)
        said = _(
            "Left out of WMT26's ranks alone, as WMT26 did: %(n)s of %(annotators)s, for a mean "
            "pairwise probability below %(threshold)s: %(who)s."
        )
    return [said % known, *_unchecked(check, known["fewest"])]


def _unchecked(check: AnnotatorCheck, fewest: str) -> list[str]:
    """Return how many annotators have too little for a check, if any."""
    n = check.n_annotators - check.n_checked
    if not n:
        return []
    said = ngettext(
        "%(n)s with fewer than %(fewest)s, or without two systems side by side, was not checked.",
        "%(n)s with fewer than %(fewest)s, or without two systems side by side, were not checked.",
        n,
    )
    return [said % {"n": f"{n:,}", "fewest": fewest}]
