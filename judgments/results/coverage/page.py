"""Who judged what: judgments by system and annotator, overlap, kinds of items, and time."""

from __future__ import annotations

import math
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.models import Kind
from judgments.results.agreement import figures as agreement
from judgments.results.coverage.figures import coverage, time_by_kind
from judgments.results.selection.selection import Selection
from judgments.web import plurals as counted
from judgments.web.sections import (
    ASIDE,
    OPEN,
    EmptyState,
    Lazy,
    ResultsPage,
    Section,
    table_objects,
)
from judgments.web.tables import Column, Table

from ..segments.links import to_segments

MOST_OPEN = 60
"""Rows up to which the table of annotators is shown at once."""


def matrix_table(selection: Selection) -> Table:
    """Return outputs that each annotator judged, by system; the last row sums them up."""
    found = coverage(selection)
    work = agreement.workload(selection)
    seconds = dict(zip(work.aliases.tolist(), work.median_seconds.tolist(), strict=True))
    rows: list[tuple] = []
    links: dict[tuple[int, str], str] = {}
    for i, alias in enumerate(found.aliases):
        for j, name in enumerate(found.systems):
            if found.outputs[i, j]:
                asked = {"annotators": [alias], "systems": [name]}
                links[i, _key(j)] = to_segments(selection, **asked)
        own = found.outputs[i].tolist()
        sums = (sum(own), int(found.segments[i]), int(found.judgments[i]))
        rows.append((alias, *own, *sums, seconds.get(alias, math.nan)))
    if len(rows) > 1:
        own = found.outputs.sum(axis=0).tolist()
        median = time_by_kind(selection)[-1].median_seconds
        rows.append((_("all"), *own, sum(own), found.n_segments, found.n_judgments, median))
    columns = (
        Column("annotator"),
        *(Column(_key(j), name, "count") for j, name in enumerate(found.systems)),
        Column("outputs", _("Outputs judged"), "count", _("Repeats count again")),
        Column("segments", _("Segments"), "count"),
        Column("judgments", _("Judgments"), "count", _("Screens, each revision once")),
        Column("median_seconds", _("Median active seconds"), "number"),
    )
    note = _("Outputs judged by each annotator, without control items; repeats count again.")
    title = _("Outputs judged, annotators by systems")
    return Table("judged-matrix", title, columns, rows, note, links)


def _key(place: int) -> str:
    return f"system_{place + 1}"


def overlap_table(selection: Selection) -> Table:
    found = coverage(selection)
    rows = [(n, outputs, outputs / found.n_outputs) for n, outputs in found.overlap]
    columns = (
        Column("annotators", _("Annotators"), "count"),
        Column("outputs", _("Outputs"), "count"),
        Column("share", _("Share"), "number"),
    )
    note = _("An output is one system's translation of one segment.")
    return Table("judged-overlap", _("Annotators per output"), columns, rows, note)


def kind_table(selection: Selection) -> Table:
    """Return judgments by the kind of item, with the time that they took."""
    rows = [
        (str(Kind(each.kind).label), each.n_judgments, each.median_seconds, each.hours)
        for each in time_by_kind(selection)[:-1]
    ]
    columns = (
        Column("kind", _("Kind of item"), "text"),
        Column("judgments", _("Judgments"), "count"),
        Column("median_seconds", _("Median active seconds"), "number"),
        Column("hours", _("Active hours"), "number", _("Where the time is known")),
    )
    note = _("Active time: breaks of more than a minute do not count.")
    return Table("judged-kinds", _("Judgments by kind of item, and time"), columns, rows, note)


def lead(selection: Selection) -> str:
    found = coverage(selection)
    if not found.n_outputs:
        return _("Nothing that is scored has been judged yet.")
    return _(
        "%(judgments)s by %(annotators)s on %(segments)s and %(systems)s: %(outputs)s, of which "
        "%(several)s were judged by two or more annotators."
    ) % {
        "judgments": counted.judgments(found.n_judgments),
        "annotators": counted.annotators(len(found.aliases)),
        "segments": counted.segments(found.n_segments),
        "systems": counted.systems(len(found.systems)),
        "outputs": counted.outputs(found.n_outputs),
        "several": f"{found.n_twice:,}",
    }


def sections(selection: Selection) -> list[Section]:
    n_aliases = len(selection.members)
    matrix = Lazy(
        "judged-matrix",
        _("Outputs judged, annotators by systems"),
        lambda: matrix_table(selection),
        OPEN if n_aliases <= MOST_OPEN else ASIDE,
    )
    return [
        Section(
            "judged",
            _("What was judged"),
            sentence=lambda: lead(selection),
            tables=[
                matrix,
                Lazy(
                    "judged-overlap", _("Annotators per output"), lambda: overlap_table(selection)
                ),
            ],
            exists=lambda: bool(coverage(selection).n_outputs),
        ),
        Section(
            "judged-kinds",
            _("Judgments and time"),
            tables=[
                Lazy(
                    "judged-kinds",
                    _("Judgments by kind of item, and time"),
                    lambda: kind_table(selection),
                )
            ],
        ),
    ]


def data(selection: Selection) -> dict[str, Any]:
    return {
        "annotators_by_system": table_objects(matrix_table(selection)),
        "overlap": table_objects(overlap_table(selection)),
        "kinds": table_objects(kind_table(selection)),
    }


def empty(selection: Selection) -> EmptyState | None:
    return None if time_by_kind(selection)[-1].n_judgments else NOTHING


NOTHING = EmptyState(
    gettext_lazy("No judgments yet"),
    gettext_lazy(
        "Who judged what, and how long it took, will appear here with the first judgment."
    ),
    "campaign",
    gettext_lazy("See the progress"),
)
PAGE = ResultsPage(
    "coverage",
    gettext_lazy("What was judged"),
    sections,
    data,
    empty=empty,
    tab="agreement",
    linked_from="agreement",
)
