"""Corrected copies of references as pages show them: a sentence and tables."""

from __future__ import annotations

from functools import partial
from math import isnan
from typing import TYPE_CHECKING

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from judgments.models import CloningStep
from judgments.web import plurals as counted
from judgments.web.sections import ASIDE, Lazy, Section
from judgments.web.tables import Column, Table, figure

from .corrections import (
    CorrectedCopy,
    CorrectedReference,
    mean_rise,
    n_moved,
    tau_with_original,
)
from .tables import diagnostic

if TYPE_CHECKING:
    from .findings import ReferencePage

MOST_CHANGED = 200  # segments that the page lists
MOST_WORDS = 50
REMARK = gettext_lazy(
    "The three steps (errors, inconsistencies, interpretations) are those of Forsbom (2003), who "
    "found that the quality of a reference matters for scores, and little for the ranking of "
    "systems. Among several references copies do not count."
)


def section(page: ReferencePage) -> Section:
    """Return what every step changed; it says how to begin where no copy is there."""
    originals = [
        Lazy(
            f"corrected-scores-{place}",
            _("Systems under %(name)s and its copies") % {"name": name_of(page, each.original)},
            partial(scores, page, each, f"corrected-scores-{place}"),
            ASIDE,
        )
        for place, each in enumerate(page.corrected, 1)
    ]
    return Section(
        "corrected",
        _("Corrected copies of references"),
        sentence=lambda: lead(page),
        notes=lambda: notes(page),
        tables=[
            Lazy("corrected-steps", _("Steps"), lambda: steps(page)),
            *originals,
            Lazy("corrected-segments", _("Changed segments"), lambda: segments(page), ASIDE),
            Lazy("corrected-words", _("Words that changed most"), lambda: words(page), ASIDE),
        ],
        remark=lambda: str(REMARK),
    )


def name_of(page: ReferencePage, reference: int) -> str:
    """Return the name of a reference by its index."""
    return page.texts.names[reference]


def step_name(step: str) -> str:
    """`errors corrected`; "not stated"."""
    return str(CloningStep(step).label) if step else _("not stated")


def lead(page: ReferencePage) -> str:
    """Return what the last step of each original changed, or how to make a first copy."""
    if not page.corrected:
        return _(
            "No reference has a corrected copy here. Download one, correct it and upload the "
            "copy: first errors, then inconsistencies, then interpretations, each as a copy of "
            "its own. What they change in scores and ranks will be shown here."
        )
    return " ".join(_said(page, each) for each in page.corrected)


def _said(page: ReferencePage, each: CorrectedReference) -> str:
    last, standings = each.copies[-1], page.standings
    rise = mean_rise(standings, each.original, last.reference)
    known = {
        "copy": name_of(page, last.reference),
        "original": name_of(page, each.original),
        "segments": counted.segments(last.n_from_original),
        "metric": page.asked.scorer().label,
        "rise": figure(abs(rise), 1),
    }
    changed = _("%(copy)s differs from %(original)s in %(segments)s.") % known
    if isnan(rise):
        return changed
    if rise >= 0:
        rises = _("By %(metric)s systems score %(rise)s points higher on average under it.") % known
    else:
        rises = _("By %(metric)s systems score %(rise)s points lower on average under it.") % known
    moved = n_moved(standings, each.original, last.reference)
    if not moved:
        order = _("Their ranks stay the same.")
    else:
        tau = tau_with_original(standings, each.original, last.reference)
        order = ngettext(
            "%(n)s system takes another rank: τ = %(tau)s.",
            "%(n)s systems take another rank: τ = %(tau)s.",
            moved,
        ) % {"n": moved, "tau": figure(tau, 3)}
    return f"{changed} {rises} {order}"


def notes(page: ReferencePage) -> list[str]:
    """Return copies that are not scored on the texts of their original."""
    return [
        _(
            "%(copy)s and %(original)s do not have the same segments (%(n)s in one of them "
            "only), so their scores are of different texts."
        )
        % {
            "copy": name_of(page, copy.reference),
            "original": name_of(page, each.original),
            "n": f"{copy.n_unpaired:,}",
        }
        for each in page.corrected
        for copy in each.copies
        if copy.n_unpaired
    ]


def steps(page: ReferencePage) -> Table:
    """Return a row for each original and each of its copies."""
    label = page.asked.scorer().label
    columns = (
        Column("reference", _("Reference"), "text"),
        Column("step", _("Step"), "text"),
        Column("before", _("Step before"), "text"),
        Column("n_changed", _("Segments changed"), "count", _("Against the step before")),
        Column("n_from_original", _("From the original"), "count", _("Segments changed in all")),
        Column("mean", label, "number", _("Mean of systems")),
        Column("rise", _("Rise"), "number", _("Mean over systems, against the step before")),
        Column("rise_in_all", _("Rise in all"), "number", _("Against the original")),
        Column("n_moved", _("Other ranks"), "count", _("Systems, against the original")),
        Column("tau", _("τ with the original"), "number", _("Kendall's τ-b of systems' scores")),
    )
    rows: list[tuple[object, ...]] = []
    for each in page.corrected:
        mean = mean_score(page, each.original)
        nothing = (None,) * 4
        rows.append((name_of(page, each.original), _("original"), None, None, None, mean, *nothing))
        rows += [_row(page, each, copy) for copy in each.copies]
    return Table("corrected-steps", _("Steps"), columns, rows, page.asked.scorer().signature(1))


def _row(page: ReferencePage, each: CorrectedReference, copy: CorrectedCopy) -> tuple[object, ...]:
    found = page.standings
    return (
        name_of(page, copy.reference),
        step_name(copy.step),
        name_of(page, copy.before),
        len(copy.changed),
        copy.n_from_original,
        mean_score(page, copy.reference),
        mean_rise(found, copy.before, copy.reference),
        mean_rise(found, each.original, copy.reference),
        n_moved(found, each.original, copy.reference),
        tau_with_original(found, each.original, copy.reference),
    )


def mean_score(page: ReferencePage, reference: int) -> float:
    """Return for the systems that have a score; NaN without any."""
    scored = page.standings.scores[reference]
    known = scored[~np.isnan(scored)]
    return float(known.mean()) if len(known) else float("nan")


def scores(page: ReferencePage, each: CorrectedReference, slug: str) -> Table:
    """Return a row for each system, the best under the original first."""
    found = page.standings
    columns: list[Column] = [Column("system")]
    for place, reference in enumerate(each.line):
        step = step_name(each.copies[place - 1].step) if place else _("original")
        columns.append(Column(f"score_{place}", name_of(page, reference), "number", step))
        hint = _("Rank under %(name)s") % {"name": name_of(page, reference)}
        columns.append(Column(f"rank_{place}", _("Rank"), "count", hint))
    order = np.argsort(np.nan_to_num(found.ranks[each.original], nan=np.inf), kind="stable")
    rows = []
    for s in order.tolist():
        row: list[object] = [page.texts.systems[s].name]
        for reference in each.line:
            rank = found.ranks[reference, s]
            row += [float(found.scores[reference, s]), None if isnan(rank) else int(rank)]
        rows.append(row)
    title = _("Systems under %(name)s and its copies") % {"name": name_of(page, each.original)}
    return Table(slug, title, tuple(columns), rows)


def segments(page: ReferencePage) -> Table:
    """Return those that a step changed, in the order of the test set, each leading to its words."""
    columns = (
        Column("segment"),
        Column("reference", _("Reference"), "text"),
        Column("step", _("Step"), "text"),
        Column("before", _("Before"), "text"),
        Column("after", _("After"), "text"),
    )
    streams = page.texts.sources.references
    changed = [
        (copy, place) for each in page.corrected for copy in each.copies for place in copy.changed
    ]
    rows: list[tuple[object, ...]] = []
    links = {}
    for copy, place in changed[:MOST_CHANGED]:
        links[len(rows), "segment"] = _to_words(page, place)
        rows.append(
            (
                page.texts.keys[place],
                name_of(page, copy.reference),
                step_name(copy.step),
                streams[copy.before][place],
                streams[copy.reference][place],
            )
        )
    note = ""
    if len(changed) > MOST_CHANGED:
        note = _("The first %(n)s of %(all)s changes.") % {
            "n": MOST_CHANGED,
            "all": f"{len(changed):,}",
        }
    return Table("corrected-segments", _("Changed segments"), columns, rows, note, links)


def words(page: ReferencePage) -> Table:
    """Return what was replaced, put in and taken out, the most frequent first."""
    columns = (
        Column("before", _("Before"), "text"),
        Column("after", _("After"), "text"),
        Column("count", _("Times"), "count"),
        Column("n_segments", _("Segments"), "count"),
        Column("reference", _("Reference"), "text"),
        Column("segment", _("For example"), "text"),
    )
    rows: list[tuple[object, ...]] = []
    links = {}
    for each in page.corrected_words[:MOST_WORDS]:
        links[len(rows), "segment"] = _to_words(page, each.places[0])
        rows.append(
            (
                each.before or None,
                each.after or None,
                each.count,
                len(each.places),
                name_of(page, each.reference),
                page.texts.keys[each.places[0]],
            )
        )
    title = _("Words that changed most")
    return Table("corrected-words", title, columns, rows, "", links)


def _to_words(page: ReferencePage, place: int) -> str:
    """Return the words of the segment, in the output of the system that was asked for."""
    system = page.asked.system
    return diagnostic(page, place, page.texts.systems.index(system) if system else 0)
