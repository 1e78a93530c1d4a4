"""The page of two metrics, and of every pair, as a list of sections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import isnan
from typing import Any

import numpy as np
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from judgments.web import plurals as counted
from judgments.web.charts import Chart, vega_lite
from judgments.web.point_labels import label_layers
from judgments.web.scatter_plots import measured_axis
from judgments.web.sections import ASIDE, FILE, Lazy, Section
from judgments.web.tables import Column, Table, figure, interval
from metrics.scores.tables import MetricColumn, ScoreTable, brief_names
from metrics.stats.metric_pairs import MetricPairs

from .figures import COEFFICIENTS, TwoMetrics, all_pairs, compared_systems

MOST_POINTS = 1000
MOST_LABELS = 16
MOST_ROWS = 25
MOST_IN_MATRIX = 20
SEED = 1
GROUPINGS = {
    ("segment", "item"): gettext_noop("by item: the systems of one segment, then the mean"),
    ("document", "item"): gettext_noop("by item: the systems of one document, then the mean"),
}
TOGETHER = gettext_noop("all points together")
ABOUT = gettext_lazy(
    "Higher is better in both: metrics of errors have their sign reversed. Two metrics that agree "
    "need not be right: only people tell (page Metrics of a campaign)."
)
OF_INTERVALS = gettext_lazy(
    "95 % intervals are those of metrics against people: over systems Fisher's z with Student's t "
    "for Pearson and Wilson's interval of a share of pairs for ranks; over segments and documents "
    "the jackknife over systems and blocks."
)
OF_DISTANCES = gettext_lazy(
    "Each score in standard deviations from the metric's mean over all points; the difference is "
    "that of the first metric less that of the second."
)
OF_MATRIX = gettext_lazy(
    "Kendall's τ-b over systems says whether two metrics rank alike; Pearson's r by item compares "
    "the systems of one segment and is the mean over segments. A figure needs three systems."
)


@dataclass(frozen=True)
class MetricPairAsked:
    """What a reader chose: slugs of two columns, a key of LEVELS and one of CONTROLS."""

    first: str
    second: str
    level: str = "segment"
    controls: str = "out"


@dataclass
class MetricPairPage:
    """What the sections are made of, computed when asked for."""

    table: ScoreTable
    asked: MetricPairAsked

    @cached_property
    def two(self) -> TwoMetrics:
        columns = {column.slug: column for column in self.table.columns}
        return TwoMetrics(
            table=self.table,
            first=columns[self.asked.first],
            second=columns[self.asked.second],
            level=self.asked.level,
            systems=compared_systems(self.table, self.asked.controls),
        )

    @cached_property
    def every(self) -> MetricPairs:
        return all_pairs(self.table, self.two.systems)

    @cached_property
    def names(self) -> dict[str, str]:
        return brief_names(self.table.columns)

    @cached_property
    def units(self) -> list[tuple[str, str]]:
        """Of each segment or document its name, and what an address says of it."""
        test_set = self.table.test_set
        if self.asked.level == "segment":
            rows = test_set.segments.order_by("position").values_list("key", "pk")
            return [(key, str(pk)) for key, pk in rows]
        if self.asked.level == "document":
            return [(name, str(pk)) for name, pk in test_set.documents.values_list("name", "pk")]
        return [("", "")]

    def address(self, system: int, unit: int) -> str:
        """Where a point leads: the words of an output, or the segments of a document or a system,
        those on which the metrics disagree most first."""
        test_set, pk = self.table.test_set.pk, self.two.systems[system].pk
        if self.asked.level == "segment":
            return reverse("metric-diagnostic", args=[test_set, self.units[unit][1], pk])
        pairs: dict[str, str | int] = {
            "system": pk,
            "first": self.asked.first,
            "second": self.asked.second,
        }
        if self.asked.level == "document":
            pairs["document"] = self.units[unit][1]
        return reverse("metric-segments", args=[test_set]) + "?" + urlencode(pairs)

    def title(self, column: MetricColumn) -> str:
        if column.higher_is_better:
            return column.title
        return _("%(title)s, sign reversed (× −1)") % {"title": column.title}

    def sections(self) -> Sequence[Section]:
        """Return all of them; none is made yet."""
        return (
            Section(
                "pair",
                _("%(first)s against %(second)s")
                % {"first": self.two.first.title, "second": self.two.second.title},
                sentence=lambda: lead(self),
                charts=[Lazy("pair-scatter", _("Both metrics"), lambda: scatter(self))],
                tables=[Lazy("pair-figures", _("Coefficients"), lambda: figures_table(self))],
                notes=lambda: [str(ABOUT), *left_out_words(self)],
                remark=lambda: str(OF_INTERVALS),
            ),
            Section(
                "pair-disagreement",
                _("Where the two disagree most"),
                sentence=lambda: disagreement_lead(self),
                tables=[
                    Lazy(
                        "pair-disagreement",
                        _("Where the two disagree most"),
                        lambda: disagreement_table(self),
                    )
                ],
                remark=lambda: str(OF_DISTANCES),
                folded=True,
            ),
            Section(
                "all-pairs",
                _("Every metric against every other"),
                sentence=lambda: matrix_lead(self),
                tables=[
                    Lazy("pairs-systems", _("Kendall τ-b over systems"), lambda: tau_matrix(self)),
                    Lazy(
                        "pairs-segments",
                        _("Pearson r over segments, by item"),
                        lambda: r_matrix(self),
                        ASIDE,
                    ),
                    Lazy("all-pairs", _("All pairs"), lambda: pairs_table(self), FILE),
                ],
                notes=lambda: matrix_notes(self),
                remark=lambda: str(OF_MATRIX),
                folded=True,
            ),
        )


def level_words(page: MetricPairPage) -> str:
    """`400 outputs of segments`, as many as the points of the chart."""
    n = len(page.two.places)
    if page.asked.level == "system":
        return counted.systems(n)
    if page.asked.level == "document":
        return _("%(n)s outputs of documents") % {"n": f"{n:,}"}
    return _("%(n)s outputs of segments") % {"n": f"{n:,}"}


def lead(page: MetricPairPage) -> str:
    """Return how alike the two are, with the interval."""
    found = page.two.of("pearson")
    if isnan(found.estimate):
        return _("Over %(points)s there is no correlation: %(why)s.") % {
            "points": level_words(page),
            "why": _(found.reason),
        }
    words = _("Over %(points)s Pearson r is %(r)s%(ends)s") % {
        "points": level_words(page),
        "r": figure(found.estimate),
        "ends": _ends(found.ends.low, found.ends.high),
    }
    name, grouping = ("kendall", "none") if page.asked.level == "system" else ("pearson", "item")
    other = page.two.of(name, grouping)
    if isnan(other.estimate):
        return words + "."
    kendall = _("; Kendall τ-b is %(r)s%(ends)s.")
    more = kendall if name == "kendall" else _("; by item %(r)s%(ends)s.")
    return words + more % {
        "r": figure(other.estimate),
        "ends": _ends(other.ends.low, other.ends.high),
    }


def _ends(low: float, high: float) -> str:
    found = interval(low, high)
    return f" {found}" if found else ""


def left_out_words(page: MetricPairPage) -> list[str]:
    """Return which control systems take no part."""
    known = {system.pk for system in page.two.systems}
    gone = [system.name for system in page.table.systems if system.pk not in known]
    if not gone:
        return []
    return [_("Left out: %(names)s (control systems).") % {"names": counted.names(gone)}]


def figures_table(page: MetricPairPage) -> Table:
    """Return a row for each coefficient and grouping."""
    rows = [
        (
            COEFFICIENTS[each.coefficient],
            _(GROUPINGS.get((page.asked.level, each.grouping), TOGETHER)),
            each.estimate,
            each.ends.low,
            each.ends.high,
            each.n,
            _(each.reason or each.no_interval) if each.reason or each.no_interval else "",
        )
        for each in page.two.figures
    ]
    columns = (
        Column("coefficient", _("Coefficient")),
        Column("grouping", _("Grouped"), "text"),
        Column("estimate", _("Value"), "number"),
        Column("low", _("95 % low"), "number"),
        Column("high", _("95 % high"), "number"),
        Column("n", _("N"), "count", _("Points, or by item segments or documents")),
        Column("reason", _("What is undefined, and why"), "text"),
    )
    return Table("pair-figures", _("Coefficients"), columns, rows)


def scatter(page: MetricPairPage) -> Chart | None:
    """Return a point for each output, document or system; of more than MOST_POINTS a random sample,
    and the points on which the metrics disagree most."""
    two = page.two
    at = two.places
    if not len(at):
        return None
    rng = np.random.default_rng(SEED)
    drawn = np.arange(len(at))
    if len(at) > MOST_POINTS:
        drawn = np.union1d(rng.choice(len(at), MOST_POINTS, replace=False), farthest(two))
    titles = [page.title(each) for each in two.pair]
    points = [point_of(page, *at[k].tolist()) for k in drawn.tolist()]
    caption = (
        {
            "segment": _("Each point is an output of a segment."),
            "document": _("Each point is a system's translation of a document."),
            "system": _("Each point is a system."),
        }[page.asked.level]
        + " "
        + lead(page)
    )
    if len(drawn) < len(at):
        caption += " " + _("Shown: %(drawn)s, chosen at random and those farthest apart.") % {
            "drawn": f"{len(drawn):,}"
        }
    columns = (
        Column("system"),
        *([Column("unit", unit_heading(page), "text")] if page.asked.level != "system" else []),
        Column("first", titles[0], "number"),
        Column("second", titles[1], "number"),
    )
    keys = [column.key for column in columns]
    hint = {
        "segment": _("A point leads to the words of its output."),
        "document": _("A point leads to the segments of its document."),
        "system": _("A point leads to the segments of its system."),
    }
    return Chart(
        "pair-scatter",
        _("Both metrics"),
        caption,
        spec_of(points, titles, lead(page), is_labeled=page.asked.level == "system"),
        columns,
        [[point[key] for key in keys] for point in points],
        hint=hint[page.asked.level],
    )


def point_of(page: MetricPairPage, system: int, unit: int) -> dict[str, Any]:
    first, second = page.two.scores[:, system, unit].tolist()
    return {
        "system": page.two.systems[system].name,
        "unit": page.units[unit][0],
        "first": first,
        "second": second,
        "href": page.address(system, unit),
    }


def unit_heading(page: MetricPairPage) -> str:
    return _("Document") if page.asked.level == "document" else _("Segment")


def spec_of(
    points: list[dict[str, Any]], titles: list[str], description: str, *, is_labeled: bool
) -> dict[str, Any]:
    """Return points that lead somewhere, with the names of few systems beside them."""
    at = {
        "x": measured_axis("first", titles[0], [point["first"] for point in points]),
        "y": measured_axis("second", titles[1], [point["second"] for point in points]),
    }
    tooltip = [{"field": "system", "title": _("System")}]
    if not is_labeled:
        tooltip.append({"field": "unit", "title": _("Place")})
    tooltip += [
        {"field": "first", "title": titles[0], "format": ".4~g"},
        {"field": "second", "title": titles[1], "format": ".4~g"},
    ]
    mark: dict[str, Any] = {"type": "point", "cursor": "pointer"}
    href = {"field": "href", "type": "nominal"}
    dots = {
        "data": {"values": points},
        "mark": mark if is_labeled else mark | {"size": 25, "opacity": 0.45},
        "encoding": at | {"tooltip": tooltip, "href": href},
    }
    labeled = is_labeled and len(points) <= MOST_LABELS
    labels = label_layers(points, "system", at) if labeled else []
    return vega_lite({"height": 360, "layer": [dots, *labels]}, description)


def farthest(two: TwoMetrics) -> np.ndarray:
    """Return which of the places the metrics disagree on most, at most MOST_ROWS, the most
    first."""
    size = np.abs(two.distances)
    order = np.argsort(-np.nan_to_num(size, nan=-1.0), kind="stable")
    return order[~np.isnan(size[order])][:MOST_ROWS]


def disagreement_lead(page: MetricPairPage) -> str:
    far = farthest(page.two)
    if not len(far):
        return _("The two metrics have no scores in common that vary.")
    system, unit = page.two.places[far[0]].tolist()
    names = [page.two.systems[system].name, page.units[unit][0]]
    first, second = page.two.pair
    higher = first if page.two.distances[far[0]] > 0 else second
    return _(
        "Farthest apart is %(what)s, which %(metric)s puts %(n)s standard deviations higher."
    ) % {
        "what": ", ".join(filter(None, names)),
        "metric": higher.label,
        "n": figure(float(abs(page.two.distances[far[0]])), 1),
    }


def disagreement_table(page: MetricPairPage) -> Table:
    """Return the places on which the two disagree most; each leads to its segment or its
    segments."""
    two = page.two
    far = farthest(two).tolist()
    has_units = page.asked.level != "system"
    columns = (
        Column("system"),
        *([Column("unit", unit_heading(page), "text")] if has_units else []),
        *(
            Column(key, page.title(each), "number")
            for key, each in zip(("first", "second"), two.pair, strict=True)
        ),
        Column("difference", _("Difference"), "number", _("In standard deviations")),
    )
    rows, links = [], {}
    for row, k in enumerate(far):
        system, unit = two.places[k].tolist()
        named = [two.systems[system].name, *([page.units[unit][0]] if has_units else [])]
        rows.append([*named, *two.scores[:, system, unit].tolist(), float(two.distances[k])])
        links[row, "unit" if has_units else "system"] = page.address(system, unit)
    title = _("Where the two disagree most")
    return Table("pair-disagreement", title, columns, rows, links=links)


def matrix_lead(page: MetricPairPage) -> str:
    """Return the two metrics that order systems most alike, and those that do least."""
    tau, columns = page.every.tau, page.table.columns
    pairs = [(a, b) for a, b in combinations(range(len(columns)), 2) if not isnan(tau[a, b])]
    if not pairs:
        return _("No two metrics have scored three systems that both tell apart.")
    values = [tau[pair] for pair in pairs]
    most, least = pairs[int(np.argmax(values))], pairs[int(np.argmin(values))]

    def named(pair: tuple[int, int]) -> str:
        return counted.names([page.names[columns[i].slug] for i in pair])

    if len(pairs) > 1 and max(values) == min(values):
        return _("Any two metrics order systems with τ = %(tau)s.") % {"tau": figure(max(values))}
    if len(pairs) == 1:
        return _("%(both)s order systems with τ = %(tau)s.") % {
            "both": named(most),
            "tau": figure(max(values)),
        }
    return _("%(most)s order systems most alike (τ = %(high)s), %(least)s least (τ = %(low)s).") % {
        "most": named(most),
        "high": figure(max(values)),
        "least": named(least),
        "low": figure(min(values)),
    }


def matrix_notes(page: MetricPairPage) -> list[str]:
    n = len(page.table.columns)
    if n <= MOST_IN_MATRIX:
        return []
    return [
        _("Shown: %(shown)s of %(n)s metrics, the two above first. The file of all pairs has all.")
        % {"shown": MOST_IN_MATRIX, "n": n}
    ]


def shown_places(page: MetricPairPage) -> list[int]:
    """Return which columns the matrix has: of many the two that were chosen, and the first of the
    rest."""
    columns = page.table.columns
    if len(columns) <= MOST_IN_MATRIX:
        return list(range(len(columns)))
    chosen = [i for i, c in enumerate(columns) if c.slug in (page.asked.first, page.asked.second)]
    rest = [i for i in range(len(columns)) if i not in chosen]
    return [*chosen, *rest[: MOST_IN_MATRIX - len(chosen)]]


def tau_matrix(page: MetricPairPage) -> Table:
    return matrix(page, "pairs-systems", _("Kendall τ-b over systems"), page.every.tau)


def r_matrix(page: MetricPairPage) -> Table:
    return matrix(page, "pairs-segments", _("Pearson r over segments, by item"), page.every.r)


def matrix(page: MetricPairPage, slug: str, title: str, values: np.ndarray) -> Table:
    """Return a row and a column for each metric; a figure leads to the page of its two metrics."""
    columns, places = page.table.columns, shown_places(page)
    heads = [page.names[columns[i].slug] for i in places]
    rows: list[list[object]] = []
    links: dict[tuple[int, str], str] = {}
    own = reverse("metric-pairs", args=[page.table.test_set.pk])
    level = "system" if slug == "pairs-systems" else "segment"
    for row, i in enumerate(places):
        rows.append([heads[row], *(None if i == j else float(values[i, j]) for j in places)])
        for j in places:
            if i != j and not isnan(values[i, j]):
                pair = {"first": columns[i].slug, "second": columns[j].slug, "level": level}
                if page.asked.controls != "out":
                    pair["controls"] = page.asked.controls
                links[row, columns[j].slug] = f"{own}?{urlencode(pair)}"
    cells = [Column(columns[j].slug, heads[k], "number") for k, j in enumerate(places)]
    return Table(slug, title, (Column("metric"), *cells), rows, links=links)


def pairs_table(page: MetricPairPage) -> Table:
    """Return a row for each pair of metrics."""
    every, columns = page.every, page.table.columns
    heads = (
        Column("first", _("One metric"), "text"),
        Column("second", _("The other"), "text"),
        Column("tau", _("Kendall τ-b over systems"), "number"),
        Column("n_systems", _("Systems"), "count"),
        Column("r", _("Pearson r over segments, by item"), "number"),
        Column("n_segments", _("Segments"), "count"),
    )
    rows = [
        (
            columns[a].title,
            columns[b].title,
            float(every.tau[a, b]),
            int(every.n_systems[a, b]),
            float(every.r[a, b]),
            int(every.n_segments[a, b]),
        )
        for a, b in combinations(range(len(columns)), 2)
    ]
    return Table("all-pairs", _("All pairs of metrics"), heads, rows)
