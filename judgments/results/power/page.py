"""Separated pairs, and the work needed to separate the rest, in words, tables and charts."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from judgments.plans.choice import draws_systems
from judgments.protocols.pages import with_page
from judgments.results.observations import observations
from judgments.results.observations.units import MIN_DOCUMENTS
from judgments.results.power.figures import MOST_RESAMPLED, PairPower, PowerReport
from judgments.results.selection.selection import Selection
from judgments.web import charts
from judgments.web import plurals as counted
from judgments.web.charts import Chart
from judgments.web.columns import ALL_PAIRS, OPEN_PAIRS
from judgments.web.plurals import more_pairs, of_unit, one_unit, titled
from judgments.web.sections import ASIDE, EmptyState, Lazy, ResultsPage, Section, plain
from judgments.web.tables import Table, decimals, figure, in_a_sentence, interval

from ..compare.pair_links import to_pair
from ..scores.head_to_head import links_of
from ..scores.words import decision_name
from . import figures
from .forms import PlannerForm

MAX_BARS = 15
FEW_ITEMS = 40
MOST_MORE = 100_000
OUT_OF_REACH = gettext_lazy("out of reach")


def reports_of(selection: Selection, resample: bool = True) -> list[PowerReport]:
    """Return one report per dimension, or one on comparisons."""
    return [figures.power(selection, slug, resample=resample) for slug in slugs_of(selection)]


def slugs_of(selection: Selection) -> list[str | None]:
    """Return the dimensions, or None for comparisons."""
    slugs: list[str | None] = [d.slug for d in observations.dimensions_of(selection.campaign)]
    return slugs or [None]


def of_what(selection: Selection, report: PowerReport) -> str:
    return names_in_text(selection).get(report.dimension or "", _("comparisons"))


def names_in_text(selection: Selection) -> dict[str, str]:
    return {d.slug: in_a_sentence(d.name) for d in observations.dimensions_of(selection.campaign)}


def lead(report: PowerReport) -> str:
    """Return the finding in one sentence."""
    if report.reason:
        return _("Power cannot be computed yet: %(reason)s.") % {"reason": _(report.reason)}
    n, n_open = len(report.pairs), len(report.open)
    how = decision_name(report)
    known = {"n": f"{n:,}", "separated": f"{n - n_open:,}", "how": how}
    if not n_open and report.n_systems == 2:
        return _("Both systems are separated (%(how)s).") % known
    if not n_open:
        every = ngettext(
            "The one pair of systems is separated (%(how)s).",
            "All %(n)s pairs of systems are separated (%(how)s).",
            n,
        )
        return every % known
    closest = report.open[0]
    places = decimals([closest.difference.estimate, closest.difference.high])
    value = figure(closest.difference.estimate, places)
    bounds = interval(closest.difference.low, closest.difference.high, places)
    start = ngettext(
        "The two systems are not separated (%(how)s).",
        "%(separated)s of %(n)s pairs of systems are separated (%(how)s).",
        n,
    )
    start = f"{start % known} "
    if report.test == figures.WEIGHTED:
        return start + _("How many items would separate the others depends on later draws.")
    if math.isnan(closest.needed):
        return start + _("Nothing more can be said about %(first)s and %(second)s yet.") % {
            "first": closest.first,
            "second": closest.second,
        }
    more = closest.more(closest.needed)
    takes = ngettext(
        "about %(n)s more item would separate them in four out of five campaigns",
        "about %(n)s more items would separate them in four out of five campaigns",
        math.ceil(more),
    ) % {"n": rough(more)}
    if not more:
        takes = _("the present number of items separates them in four out of five campaigns")
    elif more > MOST_MORE:
        takes = _("a decision is out of reach: it would take more than %(most)s further items") % {
            "most": f"{MOST_MORE:,}"
        }
    return start + (
        _(
            "Nearest to a decision: %(first)s over %(second)s by %(value)s %(bounds)s; if"
            " that is their true difference, %(takes)s."
        )
        % {
            "first": closest.first,
            "second": closest.second,
            "value": value,
            "bounds": bounds,
            "takes": takes,
        }
    )


def rough(n: float) -> str:
    """Return a number with two significant digits: it is based on an estimate."""
    digits = max(0, math.floor(math.log10(max(n, 1))) - 1)
    return f"{round(n, -digits):,.0f}"


def meaning(report: PowerReport) -> str:
    """Return what the figures mean, and when not to trust them."""
    if report.reason:
        return ""
    if report.open and report.test == figures.WEIGHTED:
        return _("“Not separated” does not prove equality: read the interval.")
    lines = [
        _(
            "“Not separated” does not prove equality: read the interval, and the smallest"
            " difference that these judgments would have shown."
        )
        if report.open
        else _(
            "The order is unlikely to be chance. The interval says how large a difference"
            " is, and whether it matters."
        )
    ]
    least = min((pair.n for pair in report.open), default=0)
    if report.open and least < FEW_ITEMS:
        few = ngettext(
            "Some pairs have only %(n)s item in common: with fewer than %(few)s, take every figure "
            "here as a first impression.",
            "Some pairs have only %(n)s items in common: with fewer than %(few)s, take every "
            "figure here as a first impression.",
            least,
        )
        lines.append(few % {"n": least, "few": FEW_ITEMS})
    if report.clusters == "segments":
        lines.append(
            _(
                "With fewer than %(fewest)s documents, or one segment each, "
                "segments are treated as independent; if documents have several segments,"
                " intervals are too narrow."
            )
            % {"fewest": MIN_DOCUMENTS}
        )
    if report.open:
        lines.append(
            _(
                "The number of items needed assumes that the difference seen now is the "
                "true one. It is as rough as the interval, and if the systems are equal, "
                "no number is enough."
            )
        )
    return " ".join(lines)


def note(report: PowerReport) -> str:
    """Return how the table was made."""
    if report.test == figures.WEIGHTED:
        return _(
            "Differences are weighted by the chance that both systems were shown, and their "
            "intervals hold for all pairs at once, as on the page Scores."
        )
    n, n_open = len(report.pairs), len(report.open)
    drawn = (
        _(
            " By resampling: %(draws)s campaigns of drawn %(units)s, tested in the same "
            "way, for the %(most)s pairs nearest to a decision; with new random"
            " signs for what is detectable; seed %(seed)s."
        )
        % {
            "draws": report.draws,
            "units": of_unit(report.clusters),
            "most": MOST_RESAMPLED,
            "seed": report.seed,
        }
        if report.draws
        else ""
    )
    return _(
        "Intervals: paired t, errors clustered by %(unit)s. Power .8, two-sided α = "
        "%(alpha)s, %(level)s for the next of the open pairs.%(drawn)s Each "
        "pair is counted by itself: items judged for all systems serve all pairs; "
        "more than %(most)s further items are out of reach."
    ) % {
        "unit": one_unit(report.clusters),
        "alpha": f".05·{n - n_open + 1}/{n}" if report.adjust == "bh" else f".05/{n_open}",
        "level": _("the level of Benjamini and Hochberg")
        if report.adjust == "bh"
        else _("Holm's level"),
        "drawn": drawn,
        "most": f"{MOST_MORE:,}",
    }


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
                _(pair.reason),
            )
        )
    return rows


def further(n: float) -> int | str | None:
    """Return items still to be judged, for a table; words for more than anybody judges."""
    if math.isnan(n):
        return None
    return str(OUT_OF_REACH) if n > MOST_MORE else int(n)


def slug_of(report: PowerReport, kind: str = "power") -> str:
    return f"{kind}-{report.dimension or 'comparisons'}"


def open_table(selection: Selection, report: PowerReport) -> Table:
    """Return the pairs that are not separated, the closest to a decision first."""
    title = titled(_("Pairs that are not separated"), of_what(selection, report))
    links = {
        (i, "pair"): to_pair(selection, pair.first, pair.second, dimension=report.dimension)
        for i, pair in enumerate(report.open)
    }
    return Table(slug_of(report), title, OPEN_PAIRS, open_rows(report), note(report), links)


def pair_table(selection: Selection, report: PowerReport) -> Table:
    """Return every pair with its difference and test."""
    rows = [
        (
            pair.first,
            pair.second,
            _("yes") if pair.separated else _("no"),
            pair.difference.estimate,
            pair.difference.low,
            pair.difference.high,
            pair.difference.se,
            pair.p_value,
            pair.adjusted,
            pair.n,
            pair.difference.n_clusters,
            pair.detectable,
        )
        for pair in report.pairs
    ]
    title = titled(_("Differences between systems"), of_what(selection, report))
    about = _("Test: %(how)s; intervals: paired t by %(unit)s.") % {
        "how": decision_name(report),
        "unit": one_unit(report.clusters),
    }
    if report.test == figures.WEIGHTED:
        about = note(report)
    links = links_of(selection, rows, ("first", "second"), dimension=report.dimension)
    return Table(slug_of(report, "differences"), title, ALL_PAIRS, rows, about, links)


def open_chart(selection: Selection, report: PowerReport) -> Chart | None:
    """Return differences of the open pairs with their intervals; None if none has one."""
    pairs = [pair for pair in report.open if not pair.difference.reason][:MAX_BARS]
    if not pairs:
        return None
    found = [pair.difference for pair in pairs]
    columns = [np.array([getattr(d, f) for d in found]) for f in ("estimate", "low", "high")]
    title = titled(_("Differences that are not separated"), of_what(selection, report))
    ends = min(0.0, float(columns[1].min())), max(0.0, float(columns[2].max()))
    room = (ends[1] - ends[0]) / 50  # so that no interval looks cut off
    spec = charts.intervals(
        [pair_name(pair) for pair in pairs],
        *columns,
        axis=_("difference"),
        places=decimals(columns[0].tolist()),
        domain=(ends[0] - room, ends[1] + room),
        description=title,
    )
    names = charts.short([pair_name(pair) for pair in pairs])
    table = open_table(selection, report)
    sides = [to_pair(selection, p.first, p.second, dimension=report.dimension) for p in pairs]
    spec = charts.linked(spec, dict(zip(names, sides, strict=True)))
    hidden = len(report.open) - len(pairs)
    caption = _(
        "The first system's mean minus the second's; lines: 95 %% intervals, "
        "clustered by %(unit)s, not adjusted. An interval to the right of 0 can still"
        " be open, because %(pairs)s share the error."
    ) % {"unit": one_unit(report.clusters), "pairs": counted.pairs(len(report.pairs))}
    if report.test == figures.WEIGHTED:
        caption = note(report)
    if hidden:
        caption += f" {more_pairs(hidden)}"
    hint, rows = _("A point leads to the two systems."), table.rows
    return Chart(slug_of(report), title, caption, spec, OPEN_PAIRS, rows, table.links, hint)


def sections(selection: Selection) -> list[Section]:
    """Return a section for each dimension, or for comparisons."""
    return [section(selection, slug) for slug in slugs_of(selection)]


def section(selection: Selection, slug: str | None) -> Section:
    report = cache(lambda: figures.power(selection, slug))
    of = slug or "comparisons"
    what = names_in_text(selection).get(slug or "", _("comparisons"))
    separated = titled(_("Pairs that are not separated"), what)
    every = titled(_("Differences between systems"), what)

    def of_report(make: Any) -> Any:
        return lambda: make(selection, report())

    title = titled(_("Differences that are not separated"), what)
    drawn = Lazy(f"power-{of}", title, of_report(open_chart))
    return Section(
        slug=f"power-{of}",
        title=titled(_("Power"), what),
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


def context(request: HttpRequest, selection: Selection) -> dict[str, Any]:
    """Return the sections, and the planner, which needs no judgments."""
    found = reports_of(selection)
    asks = "effect" in request.GET
    planner = PlannerForm(request.GET if asks else None, initial=_usual(found))
    return {
        "sections": sections(selection),
        "empty": None if any(report.pairs for report in found) else NOTHING,
        "planner": planner,
        "asks": asks,
        "has_looks": not draws_systems(selection.campaign),
        "plan": planner.plan() if asks and planner.is_valid() else None,
    }


def _usual(found: list[PowerReport]) -> dict[str, float]:
    """Return the planner's initial values: the campaign's own spread and number of systems."""
    first = found[0]
    sd = first.typical_sd
    spread = 20.0 if math.isnan(sd) or not sd else float(f"{sd:.3g}")
    return {"sd": spread, "effect": float(f"{spread / 10:.3g}"), "systems": max(first.n_systems, 2)}


NOTHING = EmptyState(
    gettext_lazy("No two systems were judged yet"),
    gettext_lazy(
        "Separated pairs will appear here with the first judgments. The planner below works "
        "without any."
    ),
    "campaign",
    gettext_lazy("See the progress"),
    narrowed=gettext_lazy("No two systems to compare"),
)
PAGE = ResultsPage(
    "power",
    gettext_lazy("Power"),
    sections,
    data,
    asked=with_page("power"),
    always_answers=True,
    parameters=tuple(PlannerForm.base_fields),
    template="judgments/results/power.html",
    context=context,
)
