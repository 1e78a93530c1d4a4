"""The looks of a stopping plan in words, tables and a chart."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from judgments import charts, results
from judgments.charts import Chart
from judgments.models import Aim, RegisteredPlan, Spending
from judgments.results import StoppingReport
from judgments.results.selection import Selection
from judgments.stats.looks import Look, PairAtLook
from judgments.stats.sequential import FIRST_LOOK_ITEMS, FUTILE_BELOW
from judgments.stopping import plan_of
from judgments.tables import Column, Table, decimals

from .base import FILE, OPEN, Lazy, ResultsPage, Section, table_objects

MAX_BARS = 30
SLUG = "stopping"

PAIR_COLUMNS = (
    Column("first"),
    Column("second"),
    Column("state", kind="text"),
    Column("look", kind="count"),
    Column("difference", kind="number", hint="Mean of the first minus the second"),
    Column("low", "Low", "number", "Interval that holds at all looks together"),
    Column("high", "High", "number"),
    Column("z", "Z", "number"),
    Column("bound", "Bound", "number", "What |Z| must exceed"),
    Column("n", "Items", "count"),
    Column("n_clusters", "Clusters", "count", "Documents or segments"),
    Column(
        "conditional_power",
        "Chance",
        "number",
        "Chance of separation at the end if the trend continues",
    ),
    Column("note", kind="text"),
)
LOOK_COLUMNS = (
    Column("look"),
    Column("planned", kind="count"),
    Column("bound", kind="number", hint="Before any pair is decided"),
    Column("items", kind="count"),
    Column("decided", "Pairs decided", "count", "Up to this look"),
    Column("systems", "Systems still compared", "count"),
    Column("futile", "Unlikely pairs", "count", "Less than 10 % chance of separation"),
)
SYSTEM_COLUMNS = (
    Column("system"),
    Column("state", kind="text"),
    Column("look", "Left at look", "count"),
    Column("better", "Better were", "text"),
)


def lead(report: StoppingReport) -> str:
    """The finding in one sentence or two."""
    looks, n = report.review.looks, len(report.ends)
    if report.reason:
        return f"Nothing can be compared yet: {report.reason}."
    if not looks:
        which = "The only look" if n == 1 else f"The first of {n} looks"
        return (
            f"{which} comes after {report.ends[0]:,} {report.unit}; {_finished(report)}, judged "
            "for every system."
        )
    last = looks[-1]
    when = f"look {last.number + 1} of {n}"
    at = f"{last.n_documents:,} of {report.most:,} {report.unit}"
    if report.aim == "best":
        found = _best(report, last, when)
    elif report.n_decided == report.n_pairs:
        both = "The two systems are" if report.n_pairs == 1 else f"All {report.n_pairs} pairs are"
        found = f"{both} separated at {when}, after {at}: judging may stop."
    else:
        found = f"At {when}, after {at}, {report.n_decided} of {report.n_pairs} pairs of systems "
        found += "are separated."
    return found + _next(report, last)


def _best(report: StoppingReport, last: Look, when: str) -> str:
    names = [report.names[i] for i in np.flatnonzero(last.stay)]
    if len(names) == 1:
        return f"{names[0]} is the best system, found at {when}: judging may stop."
    if len(names) == len(report.names):
        return f"At {when}, all {len(names)} systems may still be the best."
    listed = f"{', '.join(names[:-1])} and {names[-1]}"
    return (
        f"At {when}, {len(names)} of {len(report.names)} systems may still be the best: {listed}."
    )


def _next(report: StoppingReport, last: Look) -> str:
    if last.stay.sum() < 2:
        return ""
    if last.number + 1 == len(report.ends):
        return " The plan is complete."
    end = report.ends[last.number + 1]
    return f" The next look comes after {end:,} {report.unit}; {_finished(report)}."


def _finished(report: StoppingReport) -> str:
    n = report.review.n_finished
    return f"{n:,} {'is' if n == 1 else 'are'} finished"


def meaning(report: StoppingReport) -> list[str]:
    """What the figures mean, and when not to trust them."""
    found = []
    if report.control_reason:
        found.append(f"The registered control variate is not used: {report.control_reason}.")
    if not report.review.looks:
        return found
    if report.aim == "best":
        found.append(
            "A system is dropped when one that is still compared has been found better. That keeps "
            "the best system with a chance of 95 %; it says nothing about the order of the others."
        )
    else:
        found.append(
            "A pair that was separated at one look stays so: the bounds keep the chance that any "
            "decision of the whole campaign is wrong at 5 %, however early it ends. A system "
            "whose pairs are all decided needs no more judgments."
        )
    if not all(pair.sign for pair in _latest(report)):
        found.append(
            "“Not separated” does not prove equality: read the interval. Between two looks nothing "
            "is decided, and looking more often than registered makes the bounds too lenient."
        )
    unlikely = [pair for pair in _latest(report) if pair.futile and _more_looks(report)]
    if unlikely:
        found.append(
            f"{len(unlikely)} open pair{'s have' if len(unlikely) > 1 else ' has'} less than a "
            f"{FUTILE_BELOW * 100:.0f} % chance of separation at the end if the trend continues. "
            f"You may stop {'them' if len(unlikely) > 1 else 'it'}, but need not."
        )
    return found


def _more_looks(report: StoppingReport) -> bool:
    return len(report.review.looks) < len(report.ends)


def _latest(report: StoppingReport) -> list[PairAtLook]:
    """Each pair as it was when it was last looked at: decided, or open."""
    found = {(p.first, p.second): p for look in report.review.looks for p in look.pairs}
    return [found[pair] for pair in sorted(found)]


def _state(report: StoppingReport, pair: PairAtLook) -> str:
    if not pair.sign:
        return "not separated"
    better = pair.first if pair.sign > 0 else pair.second
    return f"{report.names[better]} better"


def _number_of(report: StoppingReport, pair: PairAtLook) -> int:
    return max(look.number for look in report.review.looks if pair in look.pairs) + 1


def pair_row(report: StoppingReport, pair: PairAtLook, number: int) -> tuple:
    d = pair.difference
    notes = [pair.reason] if pair.reason else []
    if report.controlled and not pair.controlled:
        notes.append("without the control variate, which has no scores of one of them")
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
    """Every pair at the look that decided it, or at the last one."""
    rows = [pair_row(report, pair, _number_of(report, pair)) for pair in _latest(report)]
    return Table(SLUG, "Pairs of systems", PAIR_COLUMNS, rows, note(report))


def every_look_table(report: StoppingReport) -> Table:
    """Every pair at every look at which it was open."""
    rows = [
        pair_row(report, pair, look.number + 1)
        for look in report.review.looks
        for pair in look.pairs
    ]
    return Table(f"{SLUG}-looks", "Stopping plan, every look", PAIR_COLUMNS, rows, note(report))


def look_table(report: StoppingReport) -> Table:
    """The looks that were planned, and what those that have happened found."""
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
        Column("planned", report.unit.capitalize(), "count") if c.key == "planned" else c
        for c in LOOK_COLUMNS
    )
    return Table(f"{SLUG}-plan", "The looks", columns, rows)


def system_table(report: StoppingReport) -> Table:
    """Who has left a search for the best."""
    sign, looks = report.review.sign, report.review.look
    rows: list[tuple] = []
    stay = report.review.looks[-1].stay if report.review.looks else ()
    for i, name in enumerate(report.names if len(stay) else ()):
        better = np.flatnonzero(sign[i] == -1)
        left = None if stay[i] else int(looks[i, better].min()) + 1
        others = ", ".join(report.names[j] for j in better if looks[i, j] + 1 == left)
        rows.append((name, "may be the best" if stay[i] else "left", left, others))
    return Table(f"{SLUG}-systems", "Systems", SYSTEM_COLUMNS, rows)


def note(report: StoppingReport) -> str:
    """How the figures were made."""
    shared = f"α = .05 divided by {report.plan.n_pairs:g}"
    holm = ", Holm's step-down" if report.aim == "all" else ""
    control = ", with the registered control variate" if report.controlled else ""
    return (
        f"Paired differences, errors clustered by {report.unit[:-1]}{control}; Z is the normal "
        f"value of p of t. Bounds by the spending function {Spending(report.plan.spending).label}, "
        f"{shared}{holm}; intervals use them. {report.unit.capitalize()} count in the order in "
        f"which they were finished; a look at fewer than {FIRST_LOOK_ITEMS} segments decides "
        "nothing."
    )


def pair_chart(report: StoppingReport) -> Chart | None:
    """Differences with the intervals of the looks; None where none is defined."""
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
        axis="difference",
        places=decimals(estimate.tolist()),
        domain=(min(0.0, float(low.min())), max(0.0, float(high.max()))),
        description="Differences between systems",
    )
    hidden = f" {len(found) - len(shown)} more are in the table." if len(found) > MAX_BARS else ""
    caption = (
        "The first system's mean minus the second's at the look that decided the pair, or at the "
        "last one; lines: intervals that hold at all looks together. Without 0 a pair is "
        f"separated; open pairs come first.{hidden}"
    )
    rows = [pair_row(report, pair, _number_of(report, pair)) for pair in shown]
    title = "Differences between systems"
    return Chart(f"{SLUG}-pairs", title, caption, spec, PAIR_COLUMNS, rows)


def plan_data(plan: RegisteredPlan) -> dict[str, Any]:
    """The plan as it was registered."""
    names = ("aim", "dimension", "unit", "looks", "most", "n_systems", "alpha", "spending")
    found = {name: getattr(plan, name) for name in (*names, "control", "control_label")}
    return found | {
        "registered_by": plan.registered_by.get_username(),
        "registered_at": plan.registered_at.isoformat(),
    }


def sections(selection: Selection) -> list[Section]:
    """None without a registered plan."""
    plan = plan_of(selection.campaign)
    if plan is None:
        return []
    report = cache(lambda: results.stopping(selection, plan))

    def table(slug: str, title: str, make: Any, place: str = OPEN) -> Lazy[Table]:
        return Lazy(slug, title, lambda: make(report()), place)

    chart = Lazy(f"{SLUG}-pairs", "Differences between systems", lambda: pair_chart(report()))
    tables = [
        table(SLUG, "Pairs of systems", pair_table),
        table(f"{SLUG}-plan", "The looks", look_table),
        table(f"{SLUG}-looks", "Every pair at every look", every_look_table, FILE),
    ]
    if plan.aim == Aim.BEST:
        tables.insert(0, table(f"{SLUG}-systems", "Systems", system_table))
    return [
        Section(
            slug=SLUG,
            title="Stopping plan",
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
    report = results.stopping(selection, plan)
    return {
        "plan": plan_data(plan),
        "looks": table_objects(look_table(report)),
        "pairs": table_objects(every_look_table(report)),
    }


def of_all_items(selection: Selection) -> Selection:
    """A plan is of all items: what is looked at cannot be chosen afterwards."""
    return selection.unfiltered


PAGE = ResultsPage(SLUG, "Stopping plan", sections, data, of=of_all_items)
