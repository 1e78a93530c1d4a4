"""Texts about two systems: which is better, how certain that is, and on which segments."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from judgments.results.power.figures import PairPower
from judgments.results.scores import figures as scores_figures
from judgments.web import plurals as counted
from judgments.web.tables import cell, decimals, figure, interval

from ..power.page import MOST_MORE, rough
from ..scores.head_to_head import pair_objects
from ..scores.pair_test import ALPHA
from ..scores.words import decision_name

if TYPE_CHECKING:
    from .pair import PairPage


def of_scores(page: PairPage, dimension: str | None) -> dict[str, Any] | None:
    """Return the figures of the pair on the page of scores, the better one first; None if the two
    never met."""
    scores = scores_figures.system_scores(page.selection, dimension)
    first, second = page.pair or ("", "")
    for row in pair_objects(page.selection, scores):
        if {row["system"], row["against"]} == {first, second}:
            return row
    return None


def lead(page: PairPage) -> str:
    """Return the finding in one sentence."""
    if page.pair is None:
        return _("Fewer than two systems were judged: there is nothing to compare yet.")
    row = of_scores(page, page.dimension)
    known = dict(zip(("first", "second"), page.pair, strict=True)) | {"what": page.what}
    if row is None or not page.exists():
        return _("%(first)s and %(second)s were never judged on the same segment.") % known
    known |= {"first": row["system"], "second": row["against"], "n": row["n"]}
    scores = scores_figures.system_scores(page.selection, page.dimension)
    known |= {"p": _p(row["p"]), "adjusted": _p(row["p_adjusted"])}
    known |= {"how": decision_name(scores), "end": _end(row)}
    if page.dimension is None:
        bounds = interval(row["low"], row["high"], 3)
        known |= {"share": f"{figure(row['superiority'])} {bounds}"}
        known["n"] = counted.decided_comparisons(row["n"])
        said = _(
            "%(first)s wins %(share)s of %(n)s with %(second)s (p %(p)s, adjusted p %(adjusted)s: "
            "%(how)s)%(end)s"
        )
    else:
        places = decimals([row["difference"], row["low"], row["high"]])
        bounds = interval(row["low"], row["high"], places)
        known |= {"by": f"{figure(row['difference'], places)} {bounds}".strip()}
        known["n"] = counted.segments(row["n"])
        said = _(
            "%(first)s is ahead of %(second)s in %(what)s by %(by)s on %(n)s that both have "
            "(p %(p)s, adjusted p %(adjusted)s: %(how)s)%(end)s"
        )
    return said % known


def _end(row: dict[str, Any]) -> str:
    if row["separated"]:
        return _(": the judgments separate them.")
    if row["p"] < ALPHA:
        return _(": significant for this pair alone, but not after correction for all pairs.")
    return _(": the judgments do not separate them, which does not prove them equal.")


def _p(value: float) -> str:
    text = cell(value, "p")
    return text if text.startswith("<") else f"= {text}"


def notes(page: PairPage) -> list[str]:
    """Return the work needed for a decision."""
    if page.pair is None:
        return []
    found = [said] if page.power is not None and (said := power(page)) else []
    if page.asked.first and (page.asked.first, page.asked.second) != page.pair:
        found.insert(
            0,
            _(
                "Two different systems that were judged can be compared; these are the two at the "
                "top of the ranking."
            ),
        )
    return found


def power(page: PairPage) -> str:
    """Return the smallest difference that would have been detected, and how much more work would
    separate the two."""
    pair = page.power
    assert pair is not None
    if pair.separated:
        return ""
    if math.isnan(pair.detectable):
        return _("It cannot be said yet how many more segments would separate them.")
    known = {"detectable": figure(pair.detectable, decimals([pair.detectable]))}
    start = (
        _(
            "The smallest difference that these judgments find with a chance of 80 %% is "
            "%(detectable)s, adjusted for all pairs as on the page Power."
        )
        % known
    )
    return f"{start} {_more(pair)}"


def _more(pair: PairPower) -> str:
    more = pair.more(pair.needed)
    if math.isnan(more):
        return ""
    if more > MOST_MORE:
        return _("A decision is out of reach: it would take more than %(most)s more items.") % {
            "most": f"{MOST_MORE:,}"
        }
    if not more:
        return _(
            "If the true difference is the observed one, this many items would usually "
            "separate them."
        )
    return ngettext(
        "If the true difference is the observed one, about %(n)s more item would separate them.",
        "If the true difference is the observed one, about %(n)s more items would separate them.",
        math.ceil(more),
    ) % {"n": rough(more)}


def segments(page: PairPage) -> str:
    """Return on how many segments each is better."""
    two = page.two
    ahead, behind = two.n_better
    known = {"first": two.names[0], "second": two.names[1], "ahead": f"{ahead:,}"}
    known |= {"behind": f"{behind:,}", "n": counted.segments(len(two.difference))}
    known["equal"] = f"{len(two.difference) - ahead - behind:,}"
    return (
        _(
            "Of %(n)s, %(first)s is better on %(ahead)s, %(second)s on %(behind)s, and neither on "
            "%(equal)s."
        )
        % known
    )
