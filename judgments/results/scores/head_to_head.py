"""Every pair of systems against each other: tables, matrices of p-values, charts."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from judgments.results.scores.comparisons import HeadToHead
from judgments.results.scores.figures import SystemScores
from judgments.results.selection.selection import Selection
from judgments.web import charts
from judgments.web import plurals as counted
from judgments.web.charts import Chart
from judgments.web.columns import COMPARED, PAIRS
from judgments.web.plurals import of_unit, titled
from judgments.web.sections import ASIDE, Lazy, Section
from judgments.web.tables import Column, Table, figure

from ..compare.pair_links import TO_PAIR, to_pair
from ..segments.links import to_segments
from . import comparisons, figures
from .pair_test import ALPHA
from .words import P_VALUE, decision_name

P_OF_PAIRS = gettext_lazy("Adjusted p that two systems differ")
MOST_TEXTS = 13
"""Systems up to which a heat map has room for the numbers in its cells."""


def pair_rows(scores: SystemScores) -> list[tuple]:
    """Return every pair of rated systems once, the one with the better score first, best systems
    first."""
    pairs, p, adjusted = scores.pairs, scores.p_values, scores.adjusted
    if pairs is None or p is None or adjusted is None:
        return []
    return [
        (
            str(scores.names[i]),
            str(scores.names[j]),
            float(pairs.difference[i, j]),
            float(pairs.low[i, j]),
            float(pairs.high[i, j]),
            float(pairs.d_z[i, j]),
            float(pairs.superiority[i, j]),
            float(p[i, j]),
            float(adjusted[i, j]),
            _("yes") if scores.differs[i, j] else _("no"),
            int(pairs.n[i, j]),
        )
        for place, i in enumerate(scores.order)
        for j in scores.order[place + 1 :]
    ]


def pair_objects(selection: Selection, scores: SystemScores) -> list[dict[str, Any]]:
    """Return every pair of systems once, the better one first, of ratings or comparisons in one
    form."""
    if scores.adjusted is None or scores.reason:
        return []
    if scores.pairs is not None:
        keys = [*(column.key for column in PAIRS[:-2]), "separated", "n"]
        rows = pair_rows(scores)
        return [dict(zip(keys, (*row[:-2], row[-3] < ALPHA, row[-1]), strict=True)) for row in rows]
    found, order = _ordered(selection, scores)
    place = {str(found.names[i]): k for k, i in enumerate(order)}
    return [
        {"system": first, "against": second, "difference": math.nan, "low": low, "high": high}
        | {"d_z": math.nan, "superiority": share, "p": p, "p_adjusted": adjusted}
        | {"separated": adjusted < ALPHA, "n": wins + losses}
        for first, second, wins, losses, _ties, share, low, high, p, adjusted in head_to_head_rows(
            found, order
        )
        if place[first] < place[second]
    ]


def pair_lead(scores: SystemScores) -> str:
    """Return how many pairs differ, in one sentence."""
    upper = np.triu(~np.isnan(scores.p_values), 1) if scores.p_values is not None else np.zeros(0)
    n = int(upper.sum())
    if not n:
        return _("No two systems can be tested against each other yet.")
    known = {"found": f"{int(np.triu(scores.differs, 1).sum()):,}", "n": f"{n:,}"}
    known["how"] = decision_name(scores)
    if n == 1:
        said = (
            _("The two systems differ (%(how)s).")
            if known["found"] == "1"
            else _("The judgments do not separate the two systems (%(how)s).")
        )
        return said % known
    return _("%(found)s of %(n)s pairs of systems differ (%(how)s).") % known


def pair_table(selection: Selection, scores: SystemScores) -> Table:
    effects = _("intervals and d_z of paired differences (t over %(units)s)") % {
        "units": of_unit(scores.unit)
    }
    if scores.test == "weighted":
        effects = _(
            "weighted differences, their intervals of all pairs at once; d_z of pairs shown"
        )
    if scores.method == "mixed":
        effects = _("differences and their intervals of the mixed model, d_z of raw segment means")
    note = _("p: %(how)s; %(effects)s. d_z and the share of segments are effect sizes.") % {
        "how": decision_name(scores),
        "effects": effects,
    }
    title, rows = _("Every pair of systems"), pair_rows(scores)
    links = links_of(selection, rows, dimension=scores.dimension)
    return Table(f"pairs-{_slug(scores)}", title, PAIRS, rows, note, links)


def links_of(
    selection: Selection,
    rows: list[tuple],
    keys: tuple[str, str] = ("system", "against"),
    **asked: str,
) -> dict[tuple[int, str], str]:
    """From rows that name two systems, in the columns of the keys, to the two side by side."""
    return {
        (i, key): to_pair(selection, row[0], row[1], **asked)
        for i, row in enumerate(rows)
        for key in keys
    }


def p_table(selection: Selection, scores: SystemScores) -> Table:
    """Return adjusted two-sided p of every pair of systems, best first."""
    slug, asked = f"p-{_slug(scores)}", {"dimension": scores.dimension}
    if scores.adjusted is None:
        return Table(slug, str(P_OF_PAIRS), ("system",), [])
    return _matrix(
        selection, slug, str(P_OF_PAIRS), scores.names, scores.order, scores.adjusted, asked
    )


def pair_chart(selection: Selection, scores: SystemScores) -> Chart | None:
    """On which share of segments the row's system was better than the column's, ties half."""
    if scores.pairs is None or np.isnan(scores.pairs.superiority).all():
        return None
    order = scores.order
    share = scores.pairs.superiority[np.ix_(order, order)]
    n = scores.pairs.n[~np.eye(len(order), dtype=bool)]
    shared = f"{n.min():,}" if n.min() == n.max() else f"{n.min():,}–{n.max():,}"
    segments = ngettext("%(n)s shared segment", "%(n)s shared segments", int(n.max())) % {
        "n": shared
    }
    caption = _(
        "Share of segments on which the row's system has a better score than the "
        "column's, ties half; .5 is a draw. n = %(segments)s."
    ) % {"segments": segments}
    names = [str(name) for name in scores.names[order]]
    table = pair_table(selection, scores)
    asked = {"dimension": scores.dimension}
    return _heat_map(
        selection, replace(table, title=_("Head to head")), names, share, caption, asked
    )


def section(
    selection: Selection, scores: Callable[[], SystemScores], *, of: str, what: str
) -> Section:
    """Return every pair of systems that were rated. of: what names the files; what: what titles
    say."""
    drawn = titled(_("Head to head"), what)
    better = str(P_OF_PAIRS)
    effects = _("Differences and effect sizes")
    return Section(
        slug=f"pairs-{of}",
        title=titled(_("Every pair of systems"), what),
        sentence=lambda: pair_lead(scores()),
        charts=[Lazy(f"pairs-{of}", drawn, lambda: pair_chart(selection, scores()))],
        tables=[
            Lazy(f"p-{of}", titled(better, what), lambda: p_table(selection, scores())),
            Lazy(
                f"pairs-{of}", titled(effects, what), lambda: pair_table(selection, scores()), ASIDE
            ),
        ],
        remark=lambda: str(P_VALUE),
        exists=lambda: has_pairs(scores()),
        level=3,
        folded=True,
    )


def compared_section(selection: Selection, scores: Callable[[], SystemScores]) -> Section:
    """Return every pair of systems that were compared, in the order of the scores."""
    better = str(P_OF_PAIRS)
    return Section(
        slug="head-to-head",
        title=_("Every pair of systems"),
        sentence=lambda: pair_lead(scores()),
        charts=[
            Lazy("head-to-head", _("Head to head"), lambda: head_to_head_chart(selection, scores()))
        ],
        tables=[
            Lazy("p-comparisons", better, lambda: head_to_head_p_table(selection, scores())),
            Lazy(
                "head-to-head",
                _("Wins, losses and ties"),
                lambda: head_to_head_table(selection, scores()),
                ASIDE,
            ),
        ],
        remark=lambda: str(P_VALUE),
        exists=lambda: has_pairs(scores()),
        level=3,
        folded=True,
    )


def has_pairs(scores: SystemScores) -> bool:
    return not scores.reason and len(scores.names) > 1


def head_to_head_rows(found: HeadToHead, order: list[int]) -> list[tuple]:
    """Return every pair of systems that met, both ways."""
    return [
        (
            str(found.names[i]),
            str(found.names[j]),
            int(found.wins[i, j]),
            int(found.wins[j, i]),
            int(found.ties[i, j]),
            float(found.share[i, j]),
            float(found.low[i, j]),
            float(found.high[i, j]),
            float(found.p_values[i, j]),
            float(found.adjusted[i, j]),
        )
        for i in order
        for j in order
        if i != j and found.wins[i, j] + found.wins[j, i] + found.ties[i, j]
    ]


def head_to_head_table(selection: Selection, scores: SystemScores | None = None) -> Table:
    """Return wins, losses and ties of every pair of systems that met, best system first."""
    found, order = _ordered(selection, scores)
    scores = scores or figures.system_scores(selection)
    note = _("Intervals of shares: Wilson. p: %(how)s.") % {"how": decision_name(scores)}
    rows = head_to_head_rows(found, order)
    links = links_of(selection, rows)
    return Table("head-to-head", _("Head to head"), COMPARED, rows, note, links)


def head_to_head_p_table(selection: Selection, scores: SystemScores) -> Table:
    found, order = _ordered(selection, scores)
    title = str(P_OF_PAIRS)
    return _matrix(selection, "p-comparisons", title, found.names, order, found.adjusted, {})


def head_to_head_chart(selection: Selection, scores: SystemScores | None = None) -> Chart | None:
    """Return how often the row's system was judged better than the column's; None without
    comparisons."""
    found, order = _ordered(selection, scores)
    share = found.share[np.ix_(order, order)]
    if np.isnan(share).all():
        return None
    caption = _(
        "Share of comparisons that the row's system won against the column's, ties "
        "dropped. n = %(decided)s, %(ties)s."
    ) % {
        "decided": counted.decided_comparisons(int(found.wins.sum())),
        "ties": counted.ties(int(found.ties.sum() / 2)),
    }
    names = [str(found.names[i]) for i in order]
    return _heat_map(selection, head_to_head_table(selection, scores), names, share, caption, {})


def _ordered(selection: Selection, scores: SystemScores | None) -> tuple[HeadToHead, list[int]]:
    """Return head to head, and the places of its systems, best first."""
    found = comparisons.head_to_head(selection)
    scores = scores or figures.system_scores(selection)
    places = found.names.tolist()
    return found, [places.index(name) for name in scores.names[scores.order]]


def _matrix(
    selection: Selection,
    slug: str,
    title: str,
    names,
    order,
    values: np.ndarray,
    asked: dict[str, str],
) -> Table:
    """Return a system leads to its segments, a cell to the two systems. asked: as in `to_pair`."""
    called = [str(names[i]) for i in order]
    columns = (Column("system"), *(Column(name, name, "p") for name in called))
    rows = [
        (called[place], *(None if i == j else float(values[i, j]) for j in order))
        for place, i in enumerate(order)
    ]
    links = {
        (place, other): to_pair(selection, name, other, **asked)
        for place, name in enumerate(called)
        for other in called
        if other != name
    }
    for place, name in enumerate(called):
        links[place, "system"] = to_segments(selection, systems=[name], sort="lowest", **asked)
    return Table(slug, title, columns, rows, links=links)


def _heat_map(
    selection: Selection,
    table: Table,
    names: list[str],
    share: np.ndarray,
    caption: str,
    asked: dict[str, str],
) -> Chart:
    """Return cells that lead to two systems. table: the same figures; asked: as in `to_pair`."""
    texts = [[figure(float(v), 2) for v in line] for line in share]
    spec = charts.heat_map(
        names,
        names,
        share,
        row_title="",
        column_title="",
        legend=_("share"),
        domain=(0.0, 1.0),
        texts=texts if len(names) <= MOST_TEXTS else None,
        description=table.title,
    )
    links = {
        f"{i}-{j}": to_pair(selection, one, other, **asked)
        for i, one in enumerate(names)
        for j, other in enumerate(names)
        if i != j
    }
    spec = charts.linked(spec, links, key="cell")
    rows, hint = table.rows, str(TO_PAIR)
    return Chart(table.slug, table.title, caption, spec, table.columns, rows, table.links, hint)


def _slug(scores: SystemScores) -> str:
    return f"{scores.dimension}-{scores.method}"
