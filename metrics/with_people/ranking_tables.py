"""Human and automatic ranking as pages show it: a sentence and a table."""

from math import isnan

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.results.segments.links import to_segments
from judgments.results.selection.selection import Selection
from judgments.web import plurals as counted
from judgments.web.tables import Column, Table, figure

from .ranking import SystemRanking
from .study import Metric, spoken
from .tables import names_of, with_ends

# In a sentence; of more metrics it says how many.
MOST_NAMED = 4
TITLE = gettext_lazy("Human and automatic ranking")
ABOUT = gettext_lazy(
    "AutoRank puts several metrics together, 1 for the best of N systems and N for the worst. As "
    "WMT24 has it: each metric scaled from 1 to N, then the mean. As WMT25: of each metric (x − "
    "median) / (P100 − P25), the mean, scaled from 1 to N. Both prefer systems that were tuned to "
    "such metrics; people's ranking is the one that counts."
)


def ranking_lead(found: SystemRanking) -> str:
    """Whether people and metrics agree about the best."""
    if not found.n_ranked or isnan(found.people.mean[found.order[0]]):
        return _("There is no AutoRank: no two systems have scores by all of the metrics.")
    best = found.names[int(np.nanargmin(found.autorank25))]
    known = {"best": best, "people": found.names[0], "n": found.n_ranked}
    names = list(names_of(found.ranked_by).values())
    many = len(names) > MOST_NAMED
    known["metrics"] = counted.metrics(len(names)) if many else counted.names(names)
    gap = farthest(found)
    if best == found.names[0]:
        said = _("%(best)s is first for people and by AutoRank over %(metrics)s.") % known
    else:
        said = _("%(people)s is first for people, %(best)s by AutoRank over %(metrics)s.") % known
    return f"{said} {gap}".strip()


def farthest(found: SystemRanking) -> str:
    """The system that people and AutoRank place most differently."""
    there = np.flatnonzero(~np.isnan(found.autorank25))
    if len(there) < 3:
        return ""
    people = np.arange(1, len(there) + 1)
    gaps = np.abs(found.autorank25[there] - people)
    most = int(gaps.argmax())
    return _(
        "Farthest apart: %(name)s, place %(place)s of %(n)s for people and %(rank)s by AutoRank."
    ) % {
        "name": found.names[there[most]],
        "place": people[most],
        "n": len(there),
        "rank": figure(float(found.autorank25[there[most]]), 1),
    }


def ranking_table(
    found: SystemRanking, selection: Selection, slug: str = "metric-ranking", title: str = ""
) -> Table:
    """A row for each system, the best for people first; a system leads to its segments."""
    people = found.people
    names = names_of(found.metrics)
    columns = (
        Column("system"),
        Column("rank_from", _("Rank, from"), "count"),
        Column("rank_to", _("to"), "count"),
        Column("cluster", _("Cluster"), "count", _("Systems of one cluster cannot be told apart")),
        *with_ends("human", spoken(found.human_name)),
        Column("autorank25", _("AutoRank, WMT25"), "number"),
        Column("autorank24", _("AutoRank, WMT24"), "number"),
        *(
            Column(metric.slug, names[metric.slug], "number", hint_of(metric))
            for metric in found.metrics
        ),
    )
    rows = [
        (
            found.names[place],
            whole(people.rank_low[i]),
            whole(people.rank_high[i]),
            int(people.cluster[i]) or None,
            float(people.mean[i]),
            float(people.low[i]),
            float(people.high[i]),
            float(found.autorank25[place]),
            float(found.autorank24[place]),
            *(float(value) for value in found.scores[:, place]),
        )
        for place, i in enumerate(found.order.tolist())
    ]
    links = {
        (place, "system"): to_segments(selection, systems=[name])
        for place, name in enumerate(found.names)
    }
    return Table(slug, title or str(TITLE), columns, rows, ranking_note(found), links)


def ranking_note(found: SystemRanking) -> str:
    said = [_("The best for people first; metrics over the whole test set, as they are stored.")]
    turned = [metric.title for metric in found.metrics if not metric.higher_is_better]
    if turned:
        said.append(_("Lower is better: %(names)s.") % {"names": counted.names(turned)})
    if found.ranked_by != found.metrics:
        made = counted.names(list(names_of(found.ranked_by).values()))
        said.append(_("AutoRank is made of %(names)s.") % {"names": made})
    if found.left_out:
        known = {"names": counted.names(list(found.left_out))}
        said.append(_("Human references, without AutoRank: %(names)s.") % known)
    if found.controls:
        known = {"names": counted.names(list(found.controls))}
        said.append(_("Control systems of known weakness, without AutoRank: %(names)s.") % known)
    return " ".join(said)


def hint_of(metric: Metric) -> str:
    return _("Higher is better") if metric.higher_is_better else _("Lower is better")


def whole(value: float) -> int | None:
    """A rank, None where there is none."""
    return None if isnan(value) else int(value)
