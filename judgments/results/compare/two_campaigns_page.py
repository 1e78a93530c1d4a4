"""Two campaigns side by side: rankings, decisions, cost, and how far their annotators agree.

No page of one campaign's results (`ResultsPage`): its figures are of two, and whoever reads the one
may not read the other.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from judgments.results.compare.two_campaigns import (
    CostOfDecisions,
    TwoRankings,
    cost_of,
    two_rankings,
)
from judgments.results.observations import observations
from judgments.results.selection.selection import Selection
from judgments.web import charts, scatter_plots
from judgments.web import plurals as counted
from judgments.web.charts import Chart
from judgments.web.columns import HIGH, LOW
from judgments.web.plurals import capitalized
from judgments.web.sections import ASIDE, OPEN, Lazy, Section
from judgments.web.tables import Column, Table, figure, in_a_sentence

from ..agreement import page as agreement
from ..segments.links import to_segments
from .pair_links import to_pair

NAMES = {"pearson": "Pearson", "spearman": "Spearman", "kendall": "Kendall τ-b"}


class TwoCampaigns:
    """The selections of two campaigns, and what is found of both when somebody asks for it."""

    def __init__(
        self,
        selections: tuple[Selection, Selection],
        dimensions: tuple[str | None, str | None] = (None, None),
    ) -> None:
        self.selections, self.dimensions = selections, dimensions

    @cached_property
    def names(self) -> tuple[str, str]:
        own, other = (selection.campaign for selection in self.selections)
        if own.name != other.name:
            return own.name, other.name
        return f"{own.name} ({own.pk})", f"{other.name} ({other.pk})"

    @cached_property
    def axes(self) -> list[str]:
        """What either campaign scores systems by, with its name."""
        found = []
        for selection, slug, name in zip(self.selections, self.dimensions, self.names, strict=True):
            known = observations.dimensions_of(selection.campaign)
            said = {d.slug: in_a_sentence(d.name) for d in known}
            first = next(iter(said.values()), _("expected wins"))
            found.append(f"{name}: {said.get(slug or '', first)}")
        return found

    @cached_property
    def rankings(self) -> TwoRankings:
        return two_rankings(self.selections, self.dimensions)

    @cached_property
    def costs(self) -> list[CostOfDecisions]:
        return [cost_of(*each) for each in zip(self.selections, self.dimensions, strict=True)]

    def exists(self) -> bool:
        """Return whether there is anything that both ranked."""
        return len(self.rankings.names) > 1


def sections(two: TwoCampaigns) -> list[Section]:
    """Return rankings, decisions, costs, agreement of annotators."""
    ranks = _("Rankings side by side")
    scatter = _("Scores of systems in both")
    return [
        Section(
            slug="rankings",
            title=_("Do they rank the systems alike?"),
            sentence=lambda: lead(two),
            notes=lambda: notes(two),
            charts=[Lazy("both-scores", scatter, lambda: scatter_chart(two))],
            tables=[
                _table("coefficients", _("Agreement of the rankings"), two, coefficient_table),
                _table("ranks", ranks, two, rank_table, ASIDE),
            ],
        ),
        Section(
            slug="decisions",
            title=_("Decisions that differ"),
            sentence=lambda: decision_lead(two),
            tables=[_table("decisions", _("Decisions that differ"), two, decision_table, ASIDE)],
            exists=two.exists,
        ),
        Section(
            slug="costs",
            title=_("What a decision costs"),
            sentence=lambda: cost_lead(two),
            tables=[_table("costs", _("What a decision costs"), two, cost_table)],
        ),
        Section(
            slug="annotators",
            title=_("How far annotators agree"),
            tables=[_table("kappas", _("How far annotators agree"), two, kappa_table)],
            remark=lambda: _(
                "p(A): share of pairs of judgments that agree; p(E): share that would agree by "
                "chance. Do not compare values of different scales: kappa corrects for chance, "
                "not for the number of values."
            ),
        ),
    ]


def _table(
    slug: str,
    title: str,
    two: TwoCampaigns,
    make: Callable[[TwoCampaigns], Table],
    place: str = OPEN,
) -> Lazy[Table]:
    return Lazy(f"both-{slug}", title, lambda: make(two), place)


def lead(two: TwoCampaigns) -> str:
    """Return how far the rankings agree, in one sentence."""
    found = two.rankings
    n = len(found.names)
    known: dict[str, Any] = {"systems": counted.systems(n)}
    known |= dict(zip(("own", "other"), two.names, strict=True))
    if n < 2:
        return _("%(own)s and %(other)s judged fewer than two systems of the same name.") % known
    known |= {"correct": f"{found.accuracy.n_correct:,}", "pairs": counted.pairs(found.n_pairs)}
    known["kendall"] = figure(found.coefficients["kendall"].estimate, 2)
    said = _(
        "%(own)s and %(other)s put %(correct)s of %(pairs)s of %(systems)s into the same order "
        "(Kendall's τ-b %(kendall)s)."
    )
    return said % known


def notes(two: TwoCampaigns) -> list[str]:
    """Return what the other one's figures are of."""
    said = _("Of %(name)s: %(sentence)s.") % {
        "name": two.names[1],
        "sentence": two.selections[1].sentence,
    }
    filters = two.selections[0].filters
    if filters.annotators or filters.kinds or filters.since or filters.until:
        said += " " + _("Filters by annotator, kind of item and day are of this campaign only.")
    return [said]


def scatter_chart(two: TwoCampaigns) -> Chart | None:
    """Return each system's score in both; a point leads to its segments."""
    if not two.exists():
        return None
    own, theirs = two.rankings.both
    spec = scatter_plots.scatter(
        own.names,
        own.scores,
        theirs.scores,
        x_title=two.axes[0],
        y_title=two.axes[1],
        description=_("Scores of systems in both"),
    )
    selection, dimension = two.selections[0], two.dimensions[0]
    addresses = [to_segments(selection, systems=[n], dimension=dimension) for n in own.names]
    spec = charts.linked(spec, dict(zip(charts.short(own.names), addresses, strict=True)))
    caption = _("n = %(systems)s that both judged.") % {"systems": counted.systems(len(own.names))}
    hint = _("A point leads to the segments of its system.")
    made = rank_table(two)
    title = _("Scores of systems in both")
    return Chart("both-scores", title, caption, spec, made.columns, made.rows, hint=hint)


def coefficient_table(two: TwoCampaigns) -> Table:
    """Return for systems, and of outputs where both judged the same."""
    found = two.rankings
    columns = (
        Column("level", _("Of"), "text"),
        Column("coefficient", _("Coefficient"), "text"),
        Column("estimate", _("Value"), "number"),
        Column("p", "p", "p", _("Two-sided, of no correlation")),
        Column("n", _("N"), "count"),
        Column("note", _("Note"), "text"),
    )
    rows: list[tuple] = [
        (level, NAMES[name], each.estimate, each.p_value, each.n, _(each.reason))
        for level, coefficients in (
            (_("systems"), found.coefficients),
            (_("outputs"), found.outputs),
        )
        for name, each in coefficients.items()
    ]
    for name, each in (
        (_("all pairs in the same order"), found.accuracy),
        (_("pairs that the first separates"), found.of_decided),
    ):
        rows.insert(
            3, (_("systems"), capitalized(name), each.estimate, None, each.n_pairs, _(each.reason))
        )
    return Table("both-coefficients", _("Agreement of the rankings"), columns, rows)


def rank_table(two: TwoCampaigns) -> Table:
    """Return every common system with both ranks and scores, in the order of the first campaign."""
    own, theirs = two.rankings.both
    columns = (
        Column("system"),
        Column("rank_own", _("Rank"), "count", two.axes[0]),
        Column("rank_other", _("Rank, other"), "count", two.axes[1]),
        Column("score_own", _("Score"), "number", two.axes[0]),
        Column("score_other", _("Score, other"), "number", two.axes[1]),
    )
    rows = list(
        zip(
            own.names,
            own.ranks.tolist(),
            theirs.ranks.tolist(),
            own.scores.tolist(),
            theirs.scores.tolist(),
            strict=True,
        )
    )
    links = {
        (i, key): to_segments(selection, systems=[name], dimension=dimension)
        for i, name in enumerate(own.names)
        for key, selection, dimension in zip(
            ("score_own", "score_other"), two.selections, two.dimensions, strict=True
        )
    }
    note = _("Ranks are among the systems that both judged.")
    return Table("both-ranks", _("Rankings side by side"), columns, rows, note, links)


def decision_lead(two: TwoCampaigns) -> str:
    """Return how many pairs only one separates, and how many either turns round."""
    found = two.rankings
    opposite = sum(each.decisions[0] * each.decisions[1] < 0 for each in found.different)
    n = len(found.different)
    if not n:
        return _("Both separate the same pairs, in the same order.")
    return ngettext(
        "%(n)s of %(pairs)s is decided by one campaign and not, or differently, by the other; "
        "%(opposite)s the opposite way.",
        "%(n)s of %(pairs)s are decided by one campaign and not, or differently, by the other; "
        "%(opposite)s the opposite way.",
        n,
    ) % {"n": f"{n:,}", "pairs": counted.pairs(found.n_pairs), "opposite": f"{opposite:,}"}


def decision_table(two: TwoCampaigns) -> Table:
    """Return the pairs that the campaigns do not decide alike."""
    said = {1: _("first is better"), 0: _("not separated"), -1: _("second is better")}
    columns = (
        Column("first", _("First")),
        Column("second", _("Second")),
        Column("own", two.names[0], "text"),
        Column("p_own", _("p, adjusted"), "p", two.axes[0]),
        Column("other", two.names[1], "text"),
        Column("p_other", _("p, adjusted"), "p", two.axes[1]),
    )
    different = two.rankings.different
    rows = [
        (
            each.first,
            each.second,
            said[each.decisions[0]],
            each.p_values[0],
            said[each.decisions[1]],
            each.p_values[1],
        )
        for each in different
    ]
    links = {
        (i, key): to_pair(selection, each.first, each.second, dimension=dimension)
        for i, each in enumerate(different)
        for key, selection, dimension in zip(
            ("own", "other"), two.selections, two.dimensions, strict=True
        )
    }
    return Table("both-decisions", _("Decisions that differ"), columns, rows, "", links)


def cost_lead(two: TwoCampaigns) -> str:
    """Return judgments of a decision in both."""
    own, theirs = (cost.judgments_per_decision for cost in two.costs)
    if math.isnan(own) or math.isnan(theirs):
        return _("One of the campaigns has separated no two systems yet.")
    known = dict(zip(("first", "second"), two.names, strict=True))
    known |= {"own": figure(own, 0), "theirs": figure(theirs, 0)}
    return (
        _(
            "A pair of systems that is separated took %(own)s judgments in %(first)s and "
            "%(theirs)s in %(second)s."
        )
        % known
    )


def cost_table(two: TwoCampaigns) -> Table:
    """Return judgments and active time by decision."""
    columns = (Column("campaign", _("Campaign"), "text"), *cost_columns())
    rows = [(name, *cost_cells(cost)) for name, cost in zip(two.names, two.costs, strict=True)]
    note = _(
        "Judgments are screens, and those of one protocol are more work than those of another: "
        "compare the minutes where they are known."
    )
    return Table("both-costs", _("What a decision costs"), columns, rows, note)


def cost_columns() -> tuple[Column, ...]:
    """Return those of `cost_cells`."""
    return (
        Column("judgments", _("Judgments"), "count", _("Screens, controls and repeats included")),
        Column("hours", _("Active hours"), "number"),
        Column("decided", _("Pairs separated"), "count", _("As its page of scores says")),
        Column("pairs", _("Of pairs"), "count"),
        Column("judgments_per_decision", _("Judgments per decision"), "number"),
        Column("minutes_per_decision", _("Minutes per decision"), "number"),
        Column("time", _("Time"), "text"),
    )


def cost_cells(cost: CostOfDecisions) -> tuple[object, ...]:
    """Return what a campaign, or several of a protocol, took."""
    return (
        *(cost.judgments, cost.hours, cost.decided, cost.pairs),
        *(cost.judgments_per_decision, cost.minutes_per_decision, _time(cost)),
    )


def _time(cost: CostOfDecisions) -> str:
    if cost.n_timed == cost.judgments:
        return _("known for all")
    if not cost.n_timed:
        return _("unknown")
    return _("known for %(n)s") % {"n": f"{cost.n_timed:,}"}


def kappa_table(two: TwoCampaigns) -> Table:
    """Return p(A), p(E) and the coefficients of both campaigns, as the page of agreement has
    them."""
    columns = (
        Column("campaign", _("Campaign"), "text"),
        Column("dimension", _("Dimension"), "text"),
        Column("coefficient", _("Coefficient"), "text"),
        Column("p_observed", "p(A)", "number", _("Share of pairs that agree")),
        Column("p_expected", "p(E)", "number", _("Share that would agree by chance")),
        Column("estimate", _("Value"), "number"),
        LOW,
        HIGH,
        Column("n_items", _("Items"), "count"),
        Column("note", _("Note"), "text"),
    )
    rows = []
    for selection, name in zip(two.selections, two.names, strict=True):
        for report in agreement.reports_of(selection):
            for each in report.between:
                found = each.result
                if each is report.headline or not math.isnan(found.p_observed):
                    note = _(found.reason or each.reading)
                    shown = (found.p_observed, found.p_expected, found.estimate)
                    ends = (found.low, found.high, found.n_items or None)
                    rows.append((name, report.name, _(each.name), *shown, *ends, note))
    return Table("both-kappas", _("How far annotators agree"), columns, rows)
