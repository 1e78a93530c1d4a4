"""One estimate from people and metrics, in words and a table."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from django.utils.translation import gettext as _

from judgments.stats.joint_estimate import FEWEST_DOCUMENTS, MOST_FOLDS
from judgments.web import plurals as counted
from judgments.web.plurals import of_unit, titled, units
from judgments.web.sections import Lazy, Section, plain, table_objects
from judgments.web.tables import Column, Table, figure

from ..selection.selection import Selection
from .head_to_head import links_of
from .with_metrics import ChosenMetrics, WithMetrics, chosen_metrics, with_metrics


def section(
    selection: Selection, chosen: ChosenMetrics, dimension: str, method: str, what: str
) -> Section:
    """Return the estimate of a dimension. what: what the title says of the scores."""
    found = cache(lambda: with_metrics(selection, chosen, dimension, method))
    slug, title = slug_of(dimension, method), titled(_("People and metrics"), what)
    return Section(
        slug=slug,
        title=title,
        sentence=lambda: lead(found()),
        notes=lambda: list(notes(found())),
        tables=[Lazy(slug, title, lambda: pair_table(selection, found(), slug, title))],
        remark=meaning,
    )


def slug_of(dimension: str, method: str) -> str:
    return f"with-metrics-{dimension}-{method}"


def lead(found: WithMetrics) -> str:
    """Return what the metrics are worth beside the people, in one sentence or two."""
    estimate = found.estimate
    if len(found.names) < 2 or not found.n_judged:
        return _("No two systems can be compared yet.")
    if not found.used:
        return _("None of the chosen metrics can be used, so only people's judgments count.")
    known: dict[str, Any] = {"metrics": counted.names(list(found.used))}
    known["judged"], known["pool"] = f"{found.n_judged:,}", counted.segments(found.n_pool)
    known["units"] = of_unit(found.unit)
    if not estimate.enough:
        known["units"] = units(found.n_units, found.unit)
        known["fewest"] = units(FEWEST_DOCUMENTS, found.unit)
        return (
            _(
                "Only people's judgments count: %(units)s are judged, and what metrics are worth "
                "is learned from %(fewest)s or more."
            )
            % known
        )
    if found.all_judged:
        return (
            _(
                "People judged all of %(pool)s that the metrics scored, so that %(metrics)s can "
                "add nothing: metrics help where people judge a part."
            )
            % known
        )
    share, ratio = estimate.share_explained, found.variance_ratio
    known["share"] = _percent(share)
    if not estimate.is_in_use:
        return (
            _(
                "Worth nothing here: %(metrics)s did not help to predict people's differences on "
                "%(units)s held back, so only people's judgments count."
            )
            % known
        )
    if share <= 0 or ratio >= 1:
        return (
            _(
                "Worth nothing here: of the variance of people's differences %(metrics)s explain "
                "%(share)s %%, out of sample, and intervals are no narrower. People alone say as "
                "much."
            )
            % known
        )
    known["narrower"], known["more"] = _percent(1 - ratio**0.5), _percent(1 / ratio - 1)
    return (
        _(
            "With %(metrics)s on %(pool)s, of which people judged %(judged)s, intervals of "
            "differences are %(narrower)s %% narrower than people's alone, as from %(more)s %% "
            "more judgments: of the variance of people's differences %(share)s %% is explained, "
            "out of sample."
        )
        % known
    )


def _percent(share: float) -> str:
    return figure(100 * share, 0 if abs(share) >= 0.095 else 1)


def notes(found: WithMetrics) -> Iterator[str]:
    """Yield which metrics are left out, and who chose them."""
    if found.gone:
        yield _(
            "Left out, because the scores are not there or the texts have changed since: %(names)s."
        ) % {"names": counted.names(list(found.gone))}
    if found.lacking:
        yield _("Left out, because scores of judged segments are missing: %(names)s.") % {
            "names": counted.names(list(found.lacking))
        }
    if found.registered:
        yield _("The plan named these metrics before the first judgment.")
    else:
        yield (
            _(
                "No plan named these metrics before the first judgment: if you try several and "
                "keep what suits you best, the 95 %% no longer hold."
            )
            % {}
        )


def pair_table(selection: Selection, found: WithMetrics, slug: str, title: str) -> Table:
    """Return every pair of systems, the one that people scored better first."""
    rows = pair_rows(found)
    note = _(
        "Intervals: t over %(units)s. People alone: mean difference of judged segments. R²: the "
        "share of the variance of people's differences that metrics explain, out of sample; below "
        "0 they add to it. Slopes are learned from the other %(units)s of up to %(folds)s folds."
    ) % {"units": of_unit(found.unit), "folds": MOST_FOLDS}
    links = links_of(selection, rows, dimension=found.dimension)
    return Table(slug, title, columns(), rows, note, links)


def columns() -> tuple[Column, ...]:
    # xgettext:no-python-format
    low, high = _("95 % low"), _("95 % high")
    return (
        Column("system"),
        Column("against", _("against"), "text"),
        Column("people", _("People alone"), "number"),
        Column("people_low", low, "number"),
        Column("people_high", high, "number"),
        Column("difference", _("People and metrics"), "number"),
        Column("low", low, "number"),
        Column("high", high, "number"),
        Column("r_squared", "R²", "number", _("Out of sample")),
        Column("n", _("Judged segments"), "count"),
        Column("n_scored", _("Scored segments"), "count"),
    )


def pair_rows(found: WithMetrics) -> list[tuple]:
    people, joint = found.estimate.people, found.estimate.joint
    numbered = {(int(a), int(b)): p for p, (a, b) in enumerate(found.estimate.pairs)}
    rows = []
    for place, i in enumerate(found.order):
        for j in found.order[place + 1 :]:
            p, sign = numbered[min(i, j), max(i, j)], 1 if i < j else -1
            rows.append(
                (
                    found.names[i],
                    found.names[j],
                    *_turned(sign, people.estimate[p], people.low[p], people.high[p]),
                    *_turned(sign, joint.estimate[p], joint.low[p], joint.high[p]),
                    float(joint.r_squared[p]),
                    int(found.estimate.n[p]),
                    int(found.estimate.n_scored[p]),
                )
            )
    return rows


def _turned(sign: int, value: float, low: float, high: float) -> tuple[float, float, float]:
    """Return a difference with its interval, or that of the second system minus the first."""
    low, high = (low, high) if sign > 0 else (-high, -low)
    return sign * float(value), float(low), float(high)


def meaning() -> str:
    """Return what the estimate is, and when not to trust it."""
    return _(
        "People's mean difference, less what metrics say of the judged segments, plus what they "
        "say of all. A metric that errs or favors a system does not bias it: it only explains "
        "less. That holds where the judged segments were drawn at random from the scored ones, and "
        "for metrics that have not seen these judgments. Which systems differ is decided by "
        "people's judgments alone."
    )


def data(selection: Selection, options: list[dict[str, str]]) -> list[dict[str, Any]]:
    """Return the rows of every dimension as objects; none where no metrics are chosen or
    registered."""
    chosen = chosen_metrics(selection)
    if chosen is None:
        return []
    every = [with_metrics(selection, chosen, **each) for each in options]
    return [
        {
            "dimension": found.dimension,
            "method": found.method,
            "metrics": found.used,
            "left_out": plain([*found.gone, *found.lacking]),
            "registered": found.registered,
            "r_squared": plain(found.estimate.share_explained),
            "pairs": table_objects(Table("pairs", "", columns(), pair_rows(found))),
        }
        for found in every
    ]
