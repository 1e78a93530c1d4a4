"""What more references bring, as pages show it: a sentence, charts, tables."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, ngettext

from judgments.web import plurals as counted
from judgments.web.charts import Chart, vega_lite
from judgments.web.sections import ASIDE, Lazy, Section
from judgments.web.tables import Column, Table, figure
from metrics.with_people.scatter import kind_encoding

from .choices import (
    LEVELS,
    SEED,
    ChoiceAgreement,
    agreement_with,
    agreement_with_all,
    by_number,
    mean_of_systems,
    spreads,
)
from .standings import ranks_of

if TYPE_CHECKING:
    from .findings import ReferencePage

# From which mean τ of single references the page says that one is nearly enough to rank systems. A
# convention of ours.
NEARLY = 0.9
LEVEL_NAMES = {
    "system": gettext_noop("Systems"),
    "document": gettext_noop("Documents"),
    "segment": gettext_noop("Segments"),
}
REMARK = gettext_lazy(
    "τ is Kendall's τ-b and r is Pearson's r of the systems' scores; for documents and segments it "
    "is taken within each, and then the mean of those in which it is defined. A choice shares its "
    "references with all of them, so that agreement with all grows with the number by itself. "
    "Forsbom (2003) found higher scores and nearly the same ranking with more references. Metrics "
    "that take longer (TER, METEOR, neural models) are not offered: each choice is a run of its "
    "own. COMET, BLEURT and MetricX read one reference at a time: with several mteval takes the "
    "mean of their scores, which more references do not raise."
)


def section(page: ReferencePage) -> Section:
    """Return what one, two … all references give; it says how to add one where there is no
    second."""
    several = len(page.counted) > 1
    charts = []
    if several:
        charts = [
            Lazy("references-tau", title_of("tau", False), lambda: _chart(page, "tau"), ASIDE),
            Lazy("references-r", title_of("r", False), lambda: _chart(page, "r"), ASIDE),
        ]
    if several and page.asked.selection is not None:
        charts += [
            Lazy("people-tau", title_of("tau", True), lambda: _chart(page, "tau", True), ASIDE),
            Lazy("people-r", title_of("r", True), lambda: _chart(page, "r", True), ASIDE),
        ]
    return Section(
        "more-references",
        _("Is one reference enough?"),
        sentence=lambda: lead(page),
        notes=lambda: notes(page) if several else [],
        charts=charts,
        tables=[
            Lazy("scores-by-number", _("Scores by number"), lambda: scores_by_number(page)),
            Lazy("systems-by-number", _("Systems by number"), lambda: systems(page), ASIDE),
        ],
        remark=lambda: str(REMARK) if several else "",
    )


def title_of(coefficient: str, with_people: bool) -> str:
    """Return the title of a chart."""
    if with_people:
        return _("τ with people") if coefficient == "tau" else _("r with people")
    return _("τ with all references") if coefficient == "tau" else _("r with all references")


def agreements(page: ReferencePage, with_people: bool) -> list[ChoiceAgreement]:
    """At each level, with people's scores or with those under all references; empty without
    people's scores."""
    if not with_people:
        return [agreement_with_all(page.choices, level) for level in LEVELS]
    people = page.people_by_level
    if people is None:
        return []
    return [agreement_with(page.choices, level, people[level]) for level in LEVELS]


def lead(page: ReferencePage) -> str:
    """Return whether one reference is enough: for the order of systems, and for their scores."""
    n = len(page.counted)
    if n < 2:
        return _(
            "The test set has one reference, so this question cannot be answered. Add another "
            "one: what it changes will be shown here."
        )
    if not len(page.choices.places):
        return ngettext(
            "No segment has all of the %(n)s reference.",
            "No segment has all of the %(n)s references.",
            n,
        ) % {"n": n}
    label = page.asked.scorer().label
    means = spreads(page.choices, mean_of_systems(page.choices))
    told = [_order(page, label)]
    told.append(
        _("Scores: on average systems have %(one)s with one reference, %(all)s with all %(n)s.")
        % {"one": figure(means[0].mean, 1), "all": figure(means[-1].mean, 1), "n": n}
    )
    if found := agreements(page, with_people=True):
        taus = spreads(page.choices, found[0].tau)
        if not np.isnan(taus[0].mean):
            told.append(
                _("τ with people is %(one)s with one on average, and %(all)s with all.")
                % {"one": figure(taus[0].mean, 3), "all": figure(taus[-1].mean, 3)}
            )
    return " ".join(told)


def _order(page: ReferencePage, label: str) -> str:
    """Return what one reference says of the order of systems."""
    n = len(page.counted)
    one = spreads(page.choices, agreement_with_all(page.choices, "system").tau)[0]
    if np.isnan(one.mean):
        return _(
            "Whether the order of systems changes cannot be said: τ needs three systems whose "
            "scores differ."
        )
    known = {"metric": label, "n": n, "tau": figure(one.mean, 3), "low": figure(one.low, 3)}
    if one.low == 1:
        said = _("Yes, to rank these systems by %(metric)s: each alone orders them as all %(n)s.")
    elif one.mean >= NEARLY:
        said = _(
            "Nearly, to rank these systems by %(metric)s: the order under one and the order under "
            "all %(n)s have a τ of %(tau)s on average, %(low)s at worst."
        )
    else:
        said = _(
            "No, to rank these systems by %(metric)s: the order under one and the order under all "
            "%(n)s have a τ of %(tau)s on average, %(low)s at worst."
        )
    return said % known


def notes(page: ReferencePage) -> list[str]:
    """Return what was left out, and what was drawn."""
    found = page.choices
    told = []
    n_all = len(page.texts.keys)
    if 0 < len(found.places) < n_all:
        told.append(
            _("Counted over the %(n)s of %(all)s that have every reference.")
            % {"n": f"{len(found.places):,}", "all": counted.segments(n_all)}
        )
    if copies := [name for r, name in enumerate(page.texts.names) if r not in page.counted]:
        told.append(
            _("Corrected copies are not further translations and do not count: %(names)s.")
            % {"names": counted.names(copies)}
        )
    told += people_notes(page)
    sizes, n = found.sizes, found.n_references
    drawn = [k for k in range(1, n + 1) if (sizes == k).sum() < comb(n, k)]
    if drawn and len(found.places):
        told.append(
            _("Of the choices of %(sizes)s references %(n)s each were drawn; seed %(seed)s.")
            % {
                "sizes": counted.names([str(k) for k in drawn]),
                "n": int((sizes == drawn[0]).sum()),
                "seed": SEED,
            }
        )
    return told


def people_notes(page: ReferencePage) -> list[str]:
    """Return what τ and r with people leave out, and what they count."""
    told = []
    if page.judges_documents:
        told.append(
            _(
                "People scored whole documents here, so that there is no τ or r with people of "
                "segments."
            )
        )
    if page.donors:
        told.append(
            _("Outputs that references were made from count here; a reference favors them.")
        )
    return told


def scores_by_number(page: ReferencePage) -> Table:
    """Return a row for each number of references."""
    found = page.choices
    label = page.asked.scorer().label
    columns = (
        Column("references", _("References"), "count"),
        Column("choices", _("Choices scored"), "count"),
        Column("possible", _("Possible"), "count"),
        Column("mean", label, "number", _("Mean over systems and choices")),
        Column("low", _("Lowest"), "number", _("Of the choices, each the mean over systems")),
        Column("high", _("Highest"), "number", _("Of the choices, each the mean over systems")),
        Column("n_segments", _("Segments"), "count"),
    )
    listed = spreads(found, mean_of_systems(found)) if len(found.places) else []
    n = found.n_references
    rows = [
        (
            each.k,
            int((found.sizes == each.k).sum()),
            comb(n, each.k),
            each.mean,
            each.low,
            each.high,
            len(found.places),
        )
        for each in listed
    ]
    title = _("Scores by number")
    return Table("scores-by-number", title, columns, rows, page.asked.scorer().signature("var"))


def systems(page: ReferencePage) -> Table:
    """Return each system's mean score with so many references, and its rank by it."""
    found = page.choices
    columns: list[Column] = [Column("system")]
    for k in range(1, found.n_references + 1):
        head = ngettext("%(n)s reference", "%(n)s references", k) % {"n": k}
        columns.append(Column(f"score_{k}", head, "number", _("Mean over the choices")))
        columns.append(Column(f"rank_{k}", _("Rank"), "count", _("With %(n)s") % {"n": head}))
    rows: list[list[object]] = []
    if len(found.places):
        means = by_number(found)
        ranks = [ranks_of(row) for row in means]
        order = np.argsort(np.nan_to_num(ranks[-1], nan=np.inf), kind="stable").tolist()
        for s in order:
            row: list[object] = [page.texts.systems[s].name]
            for scores, places in zip(means, ranks, strict=True):
                row += [float(scores[s]), None if np.isnan(places[s]) else int(places[s])]
            rows.append(row)
    return Table("systems-by-number", _("Systems by number"), tuple(columns), rows)


def _chart(page: ReferencePage, coefficient: str, with_people: bool = False) -> Chart | None:
    """Return a coefficient by the number of references, a line for each level, with its range."""
    found = page.choices
    rows: list[tuple[object, ...]] = []
    for each in agreements(page, with_people):
        values = each.tau if coefficient == "tau" else each.r
        for spread in spreads(found, values):
            n_groups = each.n_groups[found.sizes == spread.k]
            rows.append(
                (
                    _(LEVEL_NAMES[each.level]),
                    spread.k,
                    int((found.sizes == spread.k).sum()),
                    spread.mean,
                    spread.low,
                    spread.high,
                    int(n_groups.min()),
                )
            )
    drawn = [row for row in rows if not np.isnan(row[3])]  # type: ignore[call-overload]
    if not drawn:
        return None
    title = title_of(coefficient, with_people)
    columns = (
        Column("level"),
        Column("references", _("References"), "count"),
        Column("choices", _("Choices"), "count"),
        Column("mean", _("Mean"), "number"),
        Column("low", _("Lowest"), "number"),
        Column("high", _("Highest"), "number"),
        Column("n_groups", _("Averaged over"), "count", _("Documents or segments with a τ")),
    )
    caption = _(
        "Mean over choices of so many references, with the lowest and the highest; n = %(segments)s"
        " and %(systems)s."
    ) % {
        "segments": counted.segments(len(found.places)),
        "systems": counted.systems(len(page.texts.systems)),
    }
    spec = vega_lite(_lines(drawn, title), title)
    slug = f"people-{coefficient}" if with_people else f"references-{coefficient}"
    return Chart(slug, title, caption, spec, columns, rows)


def _lines(rows: list[tuple[Any, ...]], title: str) -> dict[str, Any]:
    """Return lines with points, and a rule from the lowest to the highest."""
    names = ("kind", "k", "choices", "mean", "low", "high")
    data = [dict(zip(names, row, strict=False)) for row in rows]
    x = {
        "field": "k",
        "type": "quantitative",
        "title": _("References"),
        "axis": {"values": sorted({row[1] for row in rows}), "format": "d"},
        "scale": {"zero": False, "padding": 12},
    }
    y = {"type": "quantitative", "title": title, "scale": {"zero": False, "nice": True}}
    kinds = kind_encoding([row[0] for row in rows], "")
    hue = {"color": kinds["color"]}
    tooltip = [
        {"field": "kind", "title": _("Level")},
        {"field": "k", "title": _("References")},
        {"field": "mean", "title": _("Mean"), "format": ".3f"},
        {"field": "low", "title": _("Lowest"), "format": ".3f"},
        {"field": "high", "title": _("Highest"), "format": ".3f"},
    ]
    mean = y | {"field": "mean"}
    return {
        "height": 240,
        "data": {"values": data},
        "encoding": {"x": x, "tooltip": tooltip},
        "layer": [
            {
                "mark": {"type": "rule", "strokeWidth": 1, "opacity": 0.6},
                "encoding": {"y": y | {"field": "low"}, "y2": {"field": "high"}} | hue,
            },
            {"mark": {"type": "line", "strokeWidth": 2}, "encoding": {"y": mean} | hue},
            {"mark": {"type": "point"}, "encoding": {"y": mean} | kinds},
        ],
    }
