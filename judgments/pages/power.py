"""What is separated, and what separating the rest would take, in words, tables and charts."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from judgments import charts, results
from judgments.charts import Chart
from judgments.results.power import MIN_DOCUMENTS, MOST_RESAMPLED, PairPower, PowerReport
from judgments.results.selection import Selection
from judgments.tables import Column, Table, decimals, figure, in_a_sentence, interval

from .base import ASIDE, Lazy, ResultsPage, Section, plain, with_page

TEST_NAMES = {
    "signed-rank-clustered": "signed-rank test by document",
    "signed-rank": "signed-rank test",
    "permutation": "paired permutation test",
    "mann-whitney": "Mann–Whitney test",
    "sign": "sign test",
}
USUAL_TEST = "signed-rank-clustered"
MAX_BARS = 30
FEW_ITEMS = 40
MOST_MORE = 100_000
OUT_OF_REACH = "out of reach"

HOLM_COUNTS = (
    "Holm counts one two-sided test a pair; Scores tests each pair both ways, one-sided, and "
    "counts two."
)

OPEN_COLUMNS = (
    Column("pair", "Not separated", "text"),
    Column("difference", "Difference", "number", "Mean of the first minus the second"),
    Column("low", "95 % low", "number"),
    Column("high", "95 % high", "number"),
    Column("p", "p (Holm)", "p"),
    Column("n", "Items", "count", "Judged for both systems"),
    Column("detectable", "Detectable", "number", "By formula, with 80 % power"),
    Column("detectable_resampled", "Detectable, resampled", "number"),
    Column("more", "More items", "count", "Beyond the present ones, by formula"),
    Column("more_resampled", "More items, resampled", "count"),
    Column("more_judgments", "More judgments", "count", "By formula, for both systems"),
    Column("note", "Note", "text"),
)
ALL_COLUMNS = (
    Column("first"),
    Column("second"),
    Column("separated", kind="text"),
    Column("difference", kind="number"),
    Column("low", "95 % low", "number"),
    Column("high", "95 % high", "number"),
    Column("se", "Standard error", "number"),
    Column("p", kind="p"),
    Column("p_holm", "p (Holm)", "p"),
    Column("n", "Items", "count"),
    Column("n_clusters", "Clusters", "count", "Documents or segments"),
)


def reports_of(
    selection: Selection, test: str = USUAL_TEST, resample: bool = True
) -> list[PowerReport]:
    """One report per dimension, or one on comparisons."""
    return [
        results.power(selection, slug, test=test, resample=resample) for slug in slugs_of(selection)
    ]


def slugs_of(selection: Selection) -> list[str | None]:
    """The dimensions, or None for comparisons."""
    slugs: list[str | None] = [d.slug for d in results.dimensions_of(selection.campaign)]
    return slugs or [None]


def of_what(selection: Selection, report: PowerReport) -> str:
    return names_in_text(selection).get(report.dimension or "", "comparisons")


def names_in_text(selection: Selection) -> dict[str, str]:
    return {d.slug: in_a_sentence(d.name) for d in results.dimensions_of(selection.campaign)}


def test_name(report: PowerReport) -> str:
    name = TEST_NAMES[report.test]
    if report.test == "signed-rank-clustered" and report.clusters == "segments":
        return name.replace("by document", "by segment")
    return name


def lead(report: PowerReport) -> str:
    """The finding in one sentence."""
    if report.reason:
        return f"Power cannot be computed yet: {report.reason}."
    n, n_open = len(report.pairs), len(report.open)
    how = f"{test_name(report)}, Holm over {n} pair{'s' if n > 1 else ''}, α = .05"
    if not n_open:
        both = "Both systems are" if report.n_systems == 2 else f"All {n} pairs of systems are"
        return f"{both} separated ({how})."
    closest = report.open[0]
    places = decimals([closest.difference.estimate, closest.difference.high])
    value = figure(closest.difference.estimate, places)
    bounds = interval(closest.difference.low, closest.difference.high, places)
    start = f"{n - n_open} of {n} pairs of systems are separated ({how}). "
    if n == 1:
        start = f"The two systems are not separated ({how}). "
    if math.isnan(closest.needed):
        return start + f"Nothing more can be said about {closest.first} and {closest.second} yet."
    more = closest.more(closest.needed)
    takes = f"about {rough(more)} more items would separate them in four out of five campaigns"
    if more > MOST_MORE:
        takes = f"a decision is out of reach: it would take more than {MOST_MORE:,} further items"
    return start + (
        f"Nearest to a decision: {closest.first} over {closest.second} by {value} {bounds}; if "
        f"that is their true difference, {takes}."
    )


def rough(n: float) -> str:
    """A number to two significant digits: it rests on an estimate."""
    digits = max(0, math.floor(math.log10(max(n, 1))) - 1)
    return f"{round(n, -digits):,.0f}"


def meaning(report: PowerReport) -> str:
    """What the figures mean, and when not to trust them."""
    if report.reason:
        return ""
    lines = [
        "“Not separated” does not prove equality: read the interval, and the smallest difference "
        "that these judgments would have shown."
        if report.open
        else "The order is unlikely to be chance. The interval says how large a difference is, and "
        "whether it matters."
    ]
    least = min((pair.n for pair in report.open), default=0)
    if report.open and least < FEW_ITEMS:
        lines.append(
            f"Some pairs have only {least} items in common: with fewer than {FEW_ITEMS}, take "
            "every figure here as a first impression."
        )
    if report.clusters == "segments":
        lines.append(
            f"With fewer than {MIN_DOCUMENTS} documents, or one segment each, segments are treated "
            "as independent; if documents have several segments, intervals are too narrow."
        )
    if report.open:
        lines.append(
            "The number of items needed assumes that the difference seen now is the true one. It "
            "is as rough as the interval, and if the systems are equal, no number is enough."
        )
    return " ".join(lines)


def note(report: PowerReport) -> str:
    """How the table was made."""
    drawn = (
        f" By resampling: {report.draws} campaigns of drawn {report.clusters}, tested in the same "
        f"way, for the {MOST_RESAMPLED} pairs nearest to a decision; with new random signs for "
        f"what is detectable; seed {report.seed}."
        if report.draws
        else ""
    )
    return (
        f"Intervals: paired t, errors clustered by {report.clusters[:-1]}. Power .8, two-sided α = "
        f".05/{len(report.open)}, Holm's level for the next of the open pairs.{drawn} Each pair is "
        f"counted by itself: items judged for all systems serve all pairs; more than {MOST_MORE:,} "
        f"further items are out of reach. {HOLM_COUNTS}"
    )


def pair_name(pair: PairPower) -> str:
    return f"{pair.first} – {pair.second}"


def open_rows(report: PowerReport) -> list[tuple]:
    rows = []
    for pair in report.open:
        more = further(pair.more(pair.needed))
        rows.append(
            (
                pair_name(pair),
                pair.difference.estimate,
                pair.difference.low,
                pair.difference.high,
                pair.adjusted,
                pair.n,
                pair.detectable,
                pair.detectable_resampled,
                more,
                further(pair.more(pair.needed_resampled)),
                more * report.ratings_per_item if isinstance(more, int) else more,
                pair.reason,
            )
        )
    return rows


def further(n: float) -> int | str | None:
    """Items still to be judged, for a table; words for more than anybody judges."""
    if math.isnan(n):
        return None
    return OUT_OF_REACH if n > MOST_MORE else int(n)


def slug_of(report: PowerReport, kind: str = "power") -> str:
    return f"{kind}-{report.dimension or 'comparisons'}"


def open_table(selection: Selection, report: PowerReport) -> Table:
    """The pairs that are not separated, the nearest to a decision first."""
    title = f"Pairs that are not separated: {of_what(selection, report)}"
    return Table(slug_of(report), title, OPEN_COLUMNS, open_rows(report), note(report))


def pair_table(selection: Selection, report: PowerReport) -> Table:
    """Every pair with its difference and test."""
    rows = [
        (
            pair.first,
            pair.second,
            "yes" if pair.separated else "no",
            pair.difference.estimate,
            pair.difference.low,
            pair.difference.high,
            pair.difference.se,
            pair.p_value,
            pair.adjusted,
            pair.n,
            pair.difference.n_clusters,
        )
        for pair in report.pairs
    ]
    title = f"Differences between systems: {of_what(selection, report)}"
    about = f"Test: {test_name(report)}, two-sided; intervals: paired t by {report.clusters[:-1]}."
    return Table(slug_of(report, "differences"), title, ALL_COLUMNS, rows, about)


def open_chart(selection: Selection, report: PowerReport) -> Chart | None:
    """Differences of the open pairs with their intervals; None where none has one."""
    pairs = [pair for pair in report.open if not pair.difference.reason][:MAX_BARS]
    if not pairs:
        return None
    found = [pair.difference for pair in pairs]
    columns = [np.array([getattr(d, f) for d in found]) for f in ("estimate", "low", "high")]
    title = f"Differences that are not separated: {of_what(selection, report)}"
    ends = min(0.0, float(columns[1].min())), max(0.0, float(columns[2].max()))
    spec = charts.intervals(
        [pair_name(pair) for pair in pairs],
        *columns,
        axis="difference",
        places=decimals(columns[0].tolist()),
        domain=ends,
        description=title,
    )
    hidden = len(report.open) - len(pairs)
    caption = (
        f"The first system's mean minus the second's; lines: 95 % intervals, clustered by "
        f"{report.clusters[:-1]}, not adjusted. An interval to the right of 0 can still be open, "
        f"because {len(report.pairs)} pairs share the error."
        + (f" {hidden} more pairs are in the table." if hidden else "")
    )
    return Chart(slug_of(report), title, caption, spec, OPEN_COLUMNS, open_rows(report))


def sections(selection: Selection, test: str = USUAL_TEST) -> list[Section]:
    """One for each dimension, or one for comparisons."""
    return [section(selection, slug, test) for slug in slugs_of(selection)]


def section(selection: Selection, slug: str | None, test: str = USUAL_TEST) -> Section:
    report = cache(lambda: results.power(selection, slug, test=test))
    of = slug or "comparisons"
    what = names_in_text(selection).get(slug or "", of)
    separated, every = (
        f"Pairs that are not separated: {what}",
        f"Differences between systems: {what}",
    )

    def of_report(make: Any) -> Any:
        return lambda: make(selection, report())

    drawn = Lazy(
        f"power-{of}", f"Differences that are not separated: {what}", of_report(open_chart)
    )
    return Section(
        slug=f"power-{of}",
        title=f"Power: {what}",
        sentence=lambda: lead(report()),
        notes=lambda: [meaning(report())],
        charts=[drawn],
        tables=[
            Lazy(f"power-{of}", separated, of_report(open_table)),
            Lazy(f"differences-{of}", every, of_report(pair_table), ASIDE),
        ],
    )


def data(selection: Selection) -> dict[str, Any]:
    return {"reports": [plain(report) for report in reports_of(selection)]}


PAGE = ResultsPage("power", "Power", sections, data, asked=with_page("power"))
