"""What makes the difference of two systems: lengths, levels, domains, documents, errors."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from django.utils.translation import gettext as _

from judgments.results.compare.two_systems import PartOfDifference, by_length, by_level, parts_of
from judgments.results.errors import figures as errors
from judgments.web import charts
from judgments.web import plurals as counted
from judgments.web.charts import Chart
from judgments.web.columns import HIGH, LOW
from judgments.web.sections import ASIDE, Lazy, Section
from judgments.web.tables import Column, Table, figure

from ..errors.page import has_errors
from ..segments.links import to_segments

if TYPE_CHECKING:
    from .pair import PairPage

MOST_DRAWN = 20
KINDS = ("length", "domain", "language", "level", "document")


def title_of(kind: str) -> str:
    return {
        "length": _("By words of the source"),
        "domain": _("By domain"),
        "language": _("By original language"),
        "level": _("By the score of the second"),
        "document": _("By document"),
    }[kind]


def parts(page: PairPage, kind: str) -> list[PartOfDifference]:
    """Return the difference by one thing that segments have in common; nothing if all share it."""
    if kind not in page.parts:
        page.parts[kind] = _parts(page, kind)
    return page.parts[kind]


def _parts(page: PairPage, kind: str) -> list[PartOfDifference]:
    two, facts = page.two, page.facts
    if kind == "length":
        return by_length(two, facts.words)
    if kind == "level":
        return by_level(two)
    names = {"domain": facts.domains, "language": facts.languages, "document": facts.documents}
    return parts_of(two, names[kind]) if len(set(names[kind])) > 1 else []


def every_part(page: PairPage) -> dict[str, list[PartOfDifference]]:
    return {kind: parts(page, kind) for kind in KINDS}


def to_part(page: PairPage, kind: str, part: PartOfDifference) -> str:
    """Return the segments of a part, by both systems."""
    systems, low, high = list(page.two.names), *part.ends
    asked: dict[str, Any] = {"systems": systems, "dimension": page.dimension}
    if kind == "length":
        filters = page.selection.filters
        most = [words for words in (high, filters.most_words) if words is not None]
        asked |= {
            "fewest_words": max(low or 0, filters.fewest_words or 0) or None,
            "most_words": min(most, default=None),
        }
    elif kind == "level":
        asked |= {"systems": systems[1:], "low": low, "high": high}
    elif part.name:
        lists = {"domain": "domains", "language": "languages", "document": "documents"}
        asked[lists[kind]] = [part.name]
    return to_segments(page.selection, **asked)


def name_of(part: PartOfDifference) -> str:
    return part.name or _("not stated")


def table(page: PairPage, kind: str) -> Table:
    """Return every part; those that make most of the difference first where parts have no order."""
    found = parts(page, kind)
    columns = (
        Column("part", title_of(kind), "text"),
        Column("difference", _("Difference"), "number", _("Mean: first minus second")),
        LOW,
        HIGH,
        Column("n", _("Segments"), "count"),
        Column("adds", _("Adds"), "number", _("These sum up to the whole difference")),
        Column("share", _("Share of the whole"), "number"),
    )
    rows = [
        (name_of(p), p.mean.estimate, p.mean.low, p.mean.high, p.mean.n, p.adds, p.share)
        for p in found
    ]
    links = {(i, "part"): to_part(page, kind, part) for i, part in enumerate(found)}
    # xgettext:no-python-format
    note = _("95 % t intervals over segments; shares above 1 and below 0 cancel each other.")
    if kind == "level":
        note += " " + regression()
    return Table(f"compared-by-{kind}", title_of(kind), columns, rows, note, links)


def regression() -> str:
    return _(
        "Where the second has low scores the first is often ahead by chance alone: compare the "
        "slope with that of the two swapped."
    )


def chart(page: PairPage, kind: str) -> Chart | None:
    """Return mean differences with their intervals; None where there is nothing to tell apart."""
    found = parts(page, kind)
    drawn = [part for part in found if part.mean.n][:MOST_DRAWN]
    if len(found) < 2:
        return None
    names = [name_of(part) for part in drawn]
    spec = charts.intervals(
        names,
        *(np.array([getattr(p.mean, end) for p in drawn]) for end in ("estimate", "low", "high")),
        axis=_("difference"),
        description=title_of(kind),
    )
    addresses = [to_part(page, kind, part) for part in drawn]
    spec = charts.linked(spec, dict(zip(charts.short(names), addresses, strict=True)))
    caption = _(
        "%(first)s minus %(second)s, means with 95 %% intervals over segments; n = %(n)s."
    ) % {
        "first": page.called[0],
        "second": page.called[1],
        "n": counted.segments(len(page.two.difference)),
    }
    if kind == "level":
        caption += " " + regression()
    made = table(page, kind)
    slug, hint = f"compared-by-{kind}", _("A point leads to its segments.")
    return Chart(slug, title_of(kind), caption, spec, made.columns, made.rows, hint=hint)


def section(page: PairPage) -> Section:
    """By length, domain, language and level as charts, by document as a table."""
    drawn = [
        Lazy(f"compared-by-{kind}", title_of(kind), partial(chart, page, kind), ASIDE)
        for kind in KINDS[:-1]
    ]
    documents = Lazy(
        "compared-by-document", title_of("document"), lambda: table(page, "document"), ASIDE
    )
    return Section(
        slug="compared-parts",
        title=_("What makes the difference"),
        sentence=lambda: lead(page),
        charts=drawn,
        tables=[documents],
        exists=page.exists,
        folded=True,
    )


def lead(page: PairPage) -> str:
    """Return the document and the domain that make most of the difference."""
    said = []
    for kind, sentence in (
        ("domain", _("The domain %(name)s accounts for %(share)s of the difference of %(whole)s.")),
        ("document", _("Of %(n)s, %(name)s accounts for most of it, %(share)s.")),
    ):
        found = parts(page, kind)
        if not found or math.isnan(found[0].share):
            continue
        known = {"name": name_of(found[0]), "share": f"{found[0].share:.0%}"}
        known |= {"whole": figure(page.two.mean, 2), "n": counted.documents(len(found))}
        said.append(sentence % known)
    return " ".join(said)


def error_sections(page: PairPage) -> list[Section]:
    """Where errors are marked: how many of each category either has."""
    if not has_errors(page.selection.campaign):
        return []
    title = _("Errors by category")
    made = Lazy("compared-errors", title, lambda: error_table(page))
    return [
        Section(
            "compared-errors",
            title,
            sentence=lambda: error_lead(page),
            tables=[made],
            exists=page.exists,
            folded=True,
        )
    ]


def error_lead(page: PairPage) -> str:
    """Return the category in which the two differ most."""
    rows = error_table(page).rows
    if not rows:
        return _("No error of a category was marked in either.")
    category, _first, _second, *rates = rows[0]
    known = {"category": category, "first": page.called[0], "second": page.called[1]}
    known |= {"rate": figure(rates[0], 1), "other": figure(rates[1], 1)}  # type: ignore[arg-type]
    return (
        _(
            "They differ most in %(category)s: %(rate)s errors per 100 translations of %(first)s, "
            "%(other)s of %(second)s."
        )
        % known
    )


def error_table(page: PairPage) -> Table:
    """Return marked errors by category, per judged translation; the largest differences first."""
    report = errors.errors(page.selection)
    columns = (
        Column("category", _("Category"), "text"),
        Column("n_first", page.called[0], "count", _("Errors")),
        Column("n_second", page.called[1], "count", _("Errors")),
        Column("rate_first", _("Per 100 translations"), "number", page.two.names[0]),
        Column("rate_second", _("Per 100 translations"), "number", page.two.names[1]),
        Column("difference", _("Difference"), "number", _("First minus second, per 100")),
    )
    title = _("Errors by category")
    if not set(page.two.names) <= set(report.names):
        return Table("compared-errors", title, columns, [])
    at = [report.names.index(name) for name in page.two.names]
    counts, judged = report.kinds_of[at], report.n_judgments[at]
    rates = 100 * counts / judged[:, None]
    order = np.argsort(-np.abs(rates[0] - rates[1]), kind="stable")
    order = order[counts[:, order].sum(axis=0) > 0]
    rows = [
        (
            report.categories[k],
            *counts[:, k].tolist(),
            *rates[:, k].tolist(),
            float(rates[0, k] - rates[1, k]),
        )
        for k in order
    ]
    links = {
        (i, f"n_{side}"): to_segments(page.selection, systems=[name], category=report.categories[k])
        for i, k in enumerate(order)
        for side, name in zip(("first", "second"), page.two.names, strict=True)
    }
    return Table("compared-errors", title, columns, rows, "", links)
