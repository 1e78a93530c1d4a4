"""A watched campaign in words: its progress, its expected end, and the ranks."""

from __future__ import annotations

import math
from datetime import datetime
from itertools import accumulate
from typing import Any

from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from judgments.people.workload.progress import Counters, Curve, Forecast
from judgments.results.power.figures import WEIGHTED, PairPower, PowerReport
from judgments.results.power.page import MOST_MORE, rough
from judgments.web.charts import Chart, vega_lite
from judgments.web.tables import Column

PAIRS_NAMED = 3


def progress_chart(curve: Curve, n_items: int) -> Chart | None:
    """Return items judged over time; None before the first."""
    if not curve.times:
        return None
    totals = list(accumulate(curve.counts))
    pattern = "%Y-%m-%d %H:%M" if curve.step == "hour" else "%Y-%m-%d"
    times = [localtime(at).strftime(pattern) for at in curve.times]
    data = [
        {"at": at.isoformat(), "time": time, "n": total, "new": n}
        for at, time, total, n in zip(curve.times, times, totals, curve.counts, strict=True)
    ]
    y_scale: dict[str, Any] = {"domain": [0, max(n_items, totals[-1])]}
    encoding = {
        "x": {
            "field": "at",
            "type": "temporal",
            "title": None,
            # As everywhere on the site, not in the browser's time zone.
            "scale": {"type": "utc"},
            "axis": {"tickCount": 5, "format": pattern.removeprefix("%Y-")},
        },
        "y": {
            "field": "n",
            "type": "quantitative",
            "title": _("Items judged"),
            "scale": y_scale,
            "axis": {"grid": True, "tickCount": 5},
        },
        "tooltip": [
            {"field": "time", "type": "nominal", "title": _("Time")},
            {"field": "n", "title": _("Items judged")},
        ],
    }
    body = {
        "height": 220,
        "data": {"values": data},
        "encoding": encoding,
        "layer": [{"mark": {"type": "line", "interpolate": "step-after"}}, {"mark": "point"}],
    }
    title = _("Items judged over time")
    caption = _("Items judged by the end of each %(step)s (UTC); the axis ends at all items.") % {
        "step": _(curve.step)
    }
    rows = list(zip(times, curve.counts, totals, strict=True))
    columns = (Column("time", _("Time")), Column("new", _("New")), Column("judged", _("Judged")))
    return Chart("progress", title, caption, vega_lite(body, title), columns, rows)


def forecast_sentence(counted: Counters, found: Forecast | None) -> str:
    """Return how much is left, how long it takes, and when it will be done."""
    if not counted.n_items:
        return _("Nothing is planned yet.")
    if not counted.n_left and counted.valid.n_missing:
        return ngettext(
            "Everything is judged, but %(n)s judgment is of somebody who is left out.",
            "Everything is judged, but %(n)s judgments are of people who are left out.",
            counted.valid.n_missing,
        ) % {"n": f"{counted.valid.n_missing:,}"}
    if not counted.n_left:
        return _("Everything is judged.")
    if found is None:
        return _("How many words are left is being counted.")
    n = math.ceil(found.words)
    words = ngettext("About %(n)s word left", "About %(n)s words left", n) % {"n": rough(n)}
    if found.hours is None:
        return _("%(words)s. How long they take is known once somebody has judged.") % {
            "words": words
        }
    hours = rough(found.hours) if found.hours >= 10 else f"{max(found.hours, 0.1):.1f}"
    known = {"words": words, "hours": hours}
    if found.done_at is None:
        return _("%(words)s, done in about %(hours)s hours of work.") % known
    known["date"] = day(found.done_at)
    return _("%(words)s, done in about %(hours)s hours of work, at this pace on %(date)s.") % known


def day(moment: datetime) -> str:
    return localtime(moment).strftime("%Y-%m-%d")


def pair_sentences(report: PowerReport | None) -> list[str]:
    """Return the pairs closest to a decision, and what it takes to separate them."""
    if report is None or report.reason or report.test == WEIGHTED:
        return []
    return [pair_sentence(report, pair) for pair in report.open[:PAIRS_NAMED]]


def pair_sentence(report: PowerReport, pair: PairPower) -> str:
    names = {"first": pair.first, "second": pair.second}
    more = pair.more(pair.needed) * report.ratings_per_item
    if math.isnan(more):
        return _("Nothing can be said about %(first)s and %(second)s yet.") % names
    if more > MOST_MORE:
        return _(
            "More than %(most)s more judgments would be needed to separate %(first)s from "
            "%(second)s."
        ) % (names | {"most": f"{MOST_MORE:,}"})
    if not more:
        return (
            _(
                "As many judgments as there are separate %(first)s from %(second)s in four out of "
                "five campaigns, but not in this one."
            )
            % names
        )
    n = math.ceil(more)
    return ngettext(
        "About %(n)s more judgment separates %(first)s from %(second)s.",
        "About %(n)s more judgments separate %(first)s from %(second)s.",
        n,
    ) % (names | {"n": rough(n)})


def pair_note(report: PowerReport | None) -> str:
    if report is None or not report.open or report.test == WEIGHTED:
        return ""
    what = _("comparisons") if report.ratings_per_item == 1 else _("ratings, half of them of each")
    return _(
        "Judgments are %(what)s. It is assumed that the differences seen now are the true ones; "
        "Power says more."
    ) % {"what": what}
