"""The looks of a stopping plan in words, tables and a chart."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from judgments.models import Aim, PlanTest, RegisteredPlan, Spending
from judgments.plans.stopping import plan_of
from judgments.results.selection.selection import Selection
from judgments.results.stopping.figures import StoppingReport
from judgments.stats.looks import Look, PairAtLook
from judgments.stats.sequential import FIRST_LOOK_ITEMS, FUTILE_BELOW
from judgments.web import charts
from judgments.web.charts import Chart
from judgments.web.columns import LOOK_PAIRS, LOOK_SYSTEMS, LOOKS
from judgments.web.plurals import capitalized, more_pairs, of_unit, one_unit, units
from judgments.web.plurals import names as listed
from judgments.web.sections import FILE, OPEN, Lazy, ResultsPage, Section, table_objects
from judgments.web.tables import Column, Table, decimals

from . import figures

MAX_BARS = 30
SLUG = "stopping"


def lead(report: StoppingReport) -> str:
    """Return the finding in one sentence or two."""
    looks, n = report.review.looks, len(report.ends)
    if report.reason:
        return _("Nothing can be compared yet: %(reason)s.") % {"reason": _(report.reason)}
    if not looks:
        first = ngettext(
            "The only look comes after %(end)s; %(finished)s, judged for every system.",
            "The first of %(n)s looks comes after %(end)s; %(finished)s, judged for every system.",
            n,
        )
        end = units(report.ends[0], report.unit)
        return first % {"n": n, "end": end, "finished": _finished(report)}
    last = looks[-1]
    when = _("look %(number)s of %(n)s") % {"number": last.number + 1, "n": n}
    found = _best(report, last, when) if report.aim == "best" else _separated(report, last, when)
    return f"{found} {_next(report, last)}".strip()


def _separated(report: StoppingReport, last: Look, when: str) -> str:
    done = {"n": f"{last.n_documents:,}", "units": units(report.most, report.unit)}
    known = {"when": when, "at": _("%(n)s of %(units)s") % done}
    known |= {"decided": f"{report.n_decided:,}", "n": f"{report.n_pairs:,}"}
    if report.n_decided == report.n_pairs:
        every = ngettext(
            "The two systems are separated at %(when)s, after %(at)s: judging may stop.",
            "All %(n)s pairs are separated at %(when)s, after %(at)s: judging may stop.",
            report.n_pairs,
        )
        return every % known
    some = ngettext(
        "At %(when)s, after %(at)s, %(decided)s of %(n)s pair of systems is separated.",
        "At %(when)s, after %(at)s, %(decided)s of %(n)s pairs of systems are separated.",
        report.n_pairs,
    )
    return some % known


def _best(report: StoppingReport, last: Look, when: str) -> str:
    names = [report.names[i] for i in np.flatnonzero(last.stay)]
    known = {"when": when, "n": len(names), "of": len(report.names), "names": listed(names)}
    if len(names) == 1:
        return _("%(names)s is the best system, found at %(when)s: judging may stop.") % known
    if len(names) == len(report.names):
        every = ngettext(
            "At %(when)s, the only system may still be the best.",
            "At %(when)s, all %(n)s systems may still be the best.",
            len(names),
        )
        return every % known
    some = ngettext(
        "At %(when)s, %(n)s of %(of)s system may still be the best: %(names)s.",
        "At %(when)s, %(n)s of %(of)s systems may still be the best: %(names)s.",
        len(report.names),
    )
    return some % known


def _next(report: StoppingReport, last: Look) -> str:
    if last.stay.sum() < 2:
        return ""
    if last.number + 1 == len(report.ends):
        return _("The plan is complete.")
    end = report.ends[last.number + 1]
    known = {"end": units(end, report.unit), "finished": _finished(report)}
    return _("The next look comes after %(end)s; %(finished)s.") % known


def _finished(report: StoppingReport) -> str:
    n = report.review.n_finished
    return ngettext("%(n)s is finished", "%(n)s are finished", n) % {"n": f"{n:,}"}


def meaning(report: StoppingReport) -> list[str]:
    """Return what the figures mean, and when not to trust them."""
    found = []
    if report.control_reason:
        found.append(
            _("The registered control variate is not used: %(reason)s.")
            % {"reason": _(report.control_reason)}
        )
    if not report.review.looks:
        return found
    if report.aim == "best":
        found.append(
            _(
                "A system is dropped when one that is still compared has been found "
                "better. That keeps the best system with a chance of 95 %; it says "
                "nothing about the order of the others."
            )
        )
    else:
        found.append(
            _(
                "A pair that was separated at one look stays so: the bounds keep the "
                "chance that any decision of the whole campaign is wrong at 5 %, however "
                "early it ends. A system whose pairs are all decided needs no more "
                "judgments."
            )
        )
    if not all(pair.sign for pair in _latest(report)):
        found.append(
            _(
                "“Not separated” does not prove equality: read the interval. Between two "
                "looks nothing is decided, and looking more often than registered makes "
                "the bounds too lenient."
            )
        )
    unlikely = [pair for pair in _latest(report) if pair.futile and _more_looks(report)]
    if unlikely:
        futile = ngettext(
            "%(n)s open pair has less than a %(chance)s %% chance of separation at the end if the "
            "trend continues. You may stop it, but need not.",
            "%(n)s open pairs have less than a %(chance)s %% chance of separation at the end if "
            "the trend continues. You may stop them, but need not.",
            len(unlikely),
        )
        found.append(futile % {"n": len(unlikely), "chance": f"{FUTILE_BELOW * 100:.0f}"})
    return found


def _more_looks(report: StoppingReport) -> bool:
    return len(report.review.looks) < len(report.ends)


def _latest(report: StoppingReport) -> list[PairAtLook]:
    """Return each pair as it was when it was last looked at: decided, or open."""
    found = {(p.first, p.second): p for look in report.review.looks for p in look.pairs}
    return [found[pair] for pair in sorted(found)]


def _state(report: StoppingReport, pair: PairAtLook) -> str:
    if not pair.sign:
        return _("not separated")
    better = pair.first if pair.sign > 0 else pair.second
    return _("%(system)s better") % {"system": report.names[better]}


def _number_of(report: StoppingReport, pair: PairAtLook) -> int:
    return max(look.number for look in report.review.looks if pair in look.pairs) + 1


def pair_row(report: StoppingReport, pair: PairAtLook, number: int) -> tuple:
    d = pair.difference
    notes = [_(pair.reason)] if pair.reason else []
    if report.controlled and not pair.controlled:
        notes.append(_("without the control variate, which has no scores of one of them"))
    return (
        report.names[pair.first],
        report.names[pair.second],
        _state(report, pair),
        number,
        d.estimate,
        pair.low,
        pair.high,
        pair.z,
        pair.bound,
        d.n,
        d.n_clusters,
        pair.conditional_power,
        "; ".join(notes),
    )


def pair_table(report: StoppingReport) -> Table:
    """Return every pair at the look that decided it, or at the last one."""
    rows = [pair_row(report, pair, _number_of(report, pair)) for pair in _latest(report)]
    return Table(SLUG, _("Pairs of systems"), LOOK_PAIRS, rows, note(report))


def every_look_table(report: StoppingReport) -> Table:
    """Return every pair at every look at which it was open."""
    rows = [
        pair_row(report, pair, look.number + 1)
        for look in report.review.looks
        for pair in look.pairs
    ]
    return Table(f"{SLUG}-looks", _("Stopping plan, every look"), LOOK_PAIRS, rows, note(report))


def look_table(report: StoppingReport) -> Table:
    """Return the looks that were planned, and what those that have happened found."""
    rows: list[tuple] = []
    n_decided = 0
    for number, (end, bound) in enumerate(zip(report.ends, report.plan.bounds, strict=True)):
        planned = (number + 1, end, float(bound))
        if number >= len(report.review.looks):
            rows.append((*planned, None, None, None, None))
            continue
        look = report.review.looks[number]
        n_decided += sum(bool(pair.sign) for pair in look.pairs)
        futile = sum(pair.futile for pair in look.pairs)
        rows.append((*planned, look.n_items, n_decided, int(look.stay.sum()), futile))
    columns = tuple(
        Column("planned", capitalized(of_unit(report.unit)), "count") if c.key == "planned" else c
        for c in LOOKS
    )
    return Table(f"{SLUG}-plan", _("The looks"), columns, rows)


def system_table(report: StoppingReport) -> Table:
    """Return who has left a search for the best."""
    sign, looks = report.review.sign, report.review.look
    rows: list[tuple] = []
    stay = report.review.looks[-1].stay if report.review.looks else ()
    for i, name in enumerate(report.names if len(stay) else ()):
        better = np.flatnonzero(sign[i] == -1)
        left = None if stay[i] else int(looks[i, better].min()) + 1
        others = ", ".join(report.names[j] for j in better if looks[i, j] + 1 == left)
        rows.append((name, _("may be the best") if stay[i] else _("left"), left, others))
    return Table(f"{SLUG}-systems", _("Systems"), LOOK_SYSTEMS, rows)


def note(report: StoppingReport) -> str:
    """Return how the figures were made."""
    shared = _("α = .05 divided by %(n_pairs)s") % {"n_pairs": f"{report.plan.n_pairs:g}"}
    holm = _(", Holm's step-down") if report.aim == "all" else ""
    control = _(", with the registered control variate") if report.controlled else ""
    cluster = "segments" if report.unit == "segments" else "documents"
    tested = (
        _("Signed ranks of paired differences, summed by %(unit)s%(control)s; intervals of means.")
        if report.test == PlanTest.SIGNED_RANK
        else _("Paired differences, errors clustered by %(unit)s%(control)s; Z of p of t.")
    ) % {"unit": one_unit(cluster), "control": control}
    return _(
        "%(tested)s Bounds by the spending function %(label)s, "
        "%(shared)s%(holm)s; intervals use them. %(units)s count in the order in "
        "which they were finished; a look at fewer than %(fewest)s segments"
        " decides nothing."
    ) % {
        "tested": tested,
        "label": Spending(report.plan.spending).label,
        "shared": shared,
        "holm": holm,
        "units": capitalized(of_unit(report.unit)),
        "fewest": FIRST_LOOK_ITEMS,
    }


def pair_chart(report: StoppingReport) -> Chart | None:
    """Return differences with the intervals of the looks; None where none is defined."""
    found = [pair for pair in _latest(report) if not math.isnan(pair.low)]
    found.sort(key=lambda pair: (bool(pair.sign), -abs(pair.z)))
    shown = found[:MAX_BARS]
    if not shown:
        return None
    estimate = np.array([pair.difference.estimate for pair in shown])
    low, high = (np.array([getattr(pair, end) for pair in shown]) for end in ("low", "high"))
    spec = charts.intervals(
        [f"{report.names[pair.first]} – {report.names[pair.second]}" for pair in shown],
        estimate,
        low,
        high,
        axis=_("difference"),
        places=decimals(estimate.tolist()),
        domain=(min(0.0, float(low.min())), max(0.0, float(high.max()))),
        description=_("Differences between systems"),
    )
    caption = _(
        "The first system's mean minus the second's at the look that decided the pair, or at the "
        "last one; lines: intervals that hold at all looks together. A pair whose interval "
        "excludes 0 is separated; open pairs come first."
    )
    if len(found) > MAX_BARS:
        caption += f" {more_pairs(len(found) - len(shown))}"
    rows = [pair_row(report, pair, _number_of(report, pair)) for pair in shown]
    title = _("Differences between systems")
    return Chart(f"{SLUG}-pairs", title, caption, spec, LOOK_PAIRS, rows)


def plan_data(plan: RegisteredPlan) -> dict[str, Any]:
    """Return the plan as it was registered."""
    names = ("aim", "dimension", "unit", "looks", "most", "n_systems", "alpha", "spending")
    more = ("block_length", "test", "controls")
    found = {name: getattr(plan, name) for name in (*names, *more)}
    return found | {
        "registered_by": plan.registered_by.get_username(),
        "registered_at": plan.registered_at.isoformat(),
    }


def sections(selection: Selection) -> list[Section]:
    """Return none without a registered plan."""
    plan = plan_of(selection.campaign)
    if plan is None:
        return []
    report = cache(lambda: figures.stopping(selection, plan))

    def table(slug: str, title: str, make: Any, place: str = OPEN) -> Lazy[Table]:
        return Lazy(slug, title, lambda: make(report()), place)

    chart = Lazy(f"{SLUG}-pairs", _("Differences between systems"), lambda: pair_chart(report()))
    tables = [
        table(SLUG, _("Pairs of systems"), pair_table),
        table(f"{SLUG}-plan", _("The looks"), look_table),
        table(f"{SLUG}-looks", _("Every pair at every look"), every_look_table, FILE),
    ]
    if plan.aim == Aim.BEST:
        tables.insert(0, table(f"{SLUG}-systems", _("Systems"), system_table))
    return [
        Section(
            slug=SLUG,
            title=_("Stopping plan"),
            sentence=lambda: lead(report()),
            notes=lambda: meaning(report()),
            charts=[chart],
            tables=tables,
        )
    ]


def data(selection: Selection) -> dict[str, Any]:
    plan = plan_of(selection.campaign)
    if plan is None:
        return {"plan": None}
    report = figures.stopping(selection, plan)
    return {
        "plan": plan_data(plan),
        "looks": table_objects(look_table(report)),
        "pairs": table_objects(every_look_table(report)),
    }


def of_all_items(selection: Selection) -> Selection:
    """Return a plan is of all items: what is looked at cannot be chosen afterwards."""
    return selection.unfiltered


PAGE = ResultsPage(
    SLUG,
    gettext_lazy("Stopping plan"),
    sections,
    data,
    of=of_all_items,
    tab="power",
    template="judgments/results/stopping.html",
)
