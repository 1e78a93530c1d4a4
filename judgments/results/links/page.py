"""Word links in words, tables and a chart. Empty for campaigns of other protocols."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from judgments.models import Campaign, LinkPurpose
from judgments.people import access
from judgments.protocols import protocol_of
from judgments.protocols.alignment.table import LINKS
from judgments.results.links.aligner_links import aligner_report
from judgments.results.links.figures import LinksReport, word_links
from judgments.results.selection.selection import Selection
from judgments.test_sets.word_links.views import run_context
from judgments.web import charts
from judgments.web import plurals as counted
from judgments.web.charts import Chart
from judgments.web.columns import HIGH, LOW
from judgments.web.plurals import units
from judgments.web.sections import FILE, EmptyState, Lazy, ResultsPage, Section, plain
from judgments.web.tables import Column, Table, figure

from . import aligner_page as aligner_links

MOST_PAIRS = 40  # in the chart; the table has them all
TRUST = gettext_lazy(
    "AER forgives links that are merely possible: people who call many links possible seem to "
    "agree more, so read it beside AE and the share of sure links. People who start from proposed "
    "links agree more than they would without."
)
MEANING = gettext_lazy(
    "The alignment error rate between two people is 0 if they linked alike and 1 if they have no "
    "link in common. Each is measured in turn against the other (Och and Ney 2003)."
)


def has_links(campaign: Campaign) -> bool:
    return protocol_of(campaign).has_page("word-links")


def lead(report: LinksReport) -> str:
    """Return what the page says first."""
    if not report.n_judgments:
        return _("No words have been linked yet.")
    drawn = ngettext(
        "%(n)s link was drawn in %(judgments)s",
        "%(n)s links were drawn in %(judgments)s",
        report.n_links,
    ) % {"n": f"{report.n_links:,}", "judgments": counted.judgments(report.n_judgments)}
    every = report.every
    if math.isnan(every.aer):
        known = {"drawn": drawn, "reason": _(every.reason)}
        return _("%(drawn)s. Agreement is not known: %(reason)s.") % known
    bounds = (
        ""
        if math.isnan(every.low)
        else _(" (95 %% interval %(range)s)") % {"range": _range(every.low, every.high)}
    )
    return _(
        "%(drawn)s. Between two annotators of a text, the alignment error rate is %(aer)s, over "
        "%(comparisons)s by %(pairs)s."
    ) % {
        "drawn": drawn,
        "aer": figure(every.aer, 3) + bounds,
        "comparisons": counted.comparisons(every.n_texts),
        "pairs": counted.pairs_of_annotators(len(report.pairs)),
    }


def _range(low: float, high: float) -> str:
    return _("%(low)s to %(high)s") % {"low": figure(low, 3), "high": figure(high, 3)}


def rule(report: LinksReport) -> str:
    """Return how the intervals were made, and what counts as a word."""
    every = report.every
    words = {"words": _("words and punctuation marks"), "spaces": _("text between spaces")}
    return _(
        "Percentile bootstrap over %(n)s, %(resamples)s, seed %(seed)s. Words are %(words)s."
    ) % {
        "n": units(every.n_units, report.resampled),
        "resamples": counted.resamples(every.resamples),
        "seed": report.seed,
        "words": words[report.tokenization],
    }


def pair_table(report: LinksReport) -> Table:
    columns: tuple[Column, ...] = (
        Column("first", _("Annotator"), "text"),
        Column("second", _("and"), "text"),
        Column("aer", _("AER"), "number", _("Alignment error rate: 0 is identical")),
        LOW,
        HIGH,
        Column("ae", _("AE"), "number", _("Alignment error: all links treated as sure")),
        Column("n_texts", _("Texts"), "count", _("Judged by both")),
        Column("n_links", _("Links"), "count", _("Of both together")),
        Column("n_shared", _("In common"), "count", _("Drawn by both, sure or not")),
        Column("reason", _("Why it is not defined"), "text"),
    )
    names = [linker.annotator for linker in report.linkers]
    rows: list[tuple] = [
        (
            names[pair.first],
            names[pair.second],
            pair.aer,
            pair.low,
            pair.high,
            pair.ae,
            pair.n_texts,
            pair.n_links,
            pair.n_shared,
            _(pair.reason),
        )
        for pair in report.pairs
    ]
    if not any(row[-1] for row in rows):
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    return Table(
        "link-agreement", _("Agreement of every pair of annotators"), columns, rows, rule(report)
    )


def linker_table(report: LinksReport) -> Table:
    columns = [
        Column("annotator", kind="text"),
        Column("n_judgments", _("Judgments"), "count"),
        Column("n_links", _("Links"), "count"),
        Column("share_sure", _("Share sure"), "number"),
        Column("n_without", _("Without links"), "count", _("Said that no words correspond")),
    ]
    rows: list[tuple] = [
        (
            each.annotator,
            each.n_judgments,
            each.n_links,
            each.n_sure / each.n_links if each.n_links else None,
            each.n_without,
        )
        for each in report.linkers
    ]
    note = ""
    if report.n_proposed:
        columns += [
            Column("kept", _("Kept"), "count", _("Proposed links kept unchanged")),
            Column("changed", _("Changed"), "count", _("Possible instead of sure, or the reverse")),
            Column("removed", _("Removed"), "count", _("Proposed links that were removed")),
            Column("own", _("Own"), "count", _("Links added to a proposal")),
        ]
        rows = [
            (*row, each.kept, each.changed, each.removed, each.own)
            for row, each in zip(rows, report.linkers, strict=True)
        ]
        note = _("Annotators who keep nearly every proposed link may not be reading.")
    return Table("linkers", _("What annotators linked"), tuple(columns), rows, note)


def chart(report: LinksReport) -> Chart | None:
    pairs = [pair for pair in report.pairs if not math.isnan(pair.aer)][:MOST_PAIRS]
    if not pairs:
        return None
    names = [linker.annotator for linker in report.linkers]
    spec = charts.intervals(
        [f"{names[pair.first]} – {names[pair.second]}" for pair in pairs],
        np.array([pair.aer for pair in pairs]),
        np.array([pair.low for pair in pairs]),
        np.array([pair.high for pair in pairs]),
        axis=_("Alignment error rate (0: identical)"),
        description=_("Alignment error rate of pairs of annotators with intervals"),
    )
    left_out = len(report.pairs) - len(pairs)
    table = pair_table(report)
    caption = _("Alignment error rate of every pair of annotators with its 95 % interval.")
    if left_out:
        caption += f" {counted.more_pairs(left_out)}"
    title = _("How far annotators agree")
    return Chart("link-agreement", title, caption, spec, table.columns, table.rows)


def link_table(selection: Selection) -> Table:
    columns = tuple(Column(name, kind="text") for name in LINKS.names)
    return Table("word-links", _("Alignment links"), columns, list(LINKS.rows(selection)))


def sections(selection: Selection) -> list[Section]:
    report = cache(lambda: word_links(selection))
    pairs, linkers = _("Agreement of every pair of annotators"), _("What annotators linked")
    title = _("How far annotators agree")
    return [
        Section(
            slug="links",
            title=title,
            sentence=lambda: lead(report()),
            notes=lambda: [str(MEANING), str(TRUST)],
            charts=[Lazy("link-agreement", title, lambda: chart(report()))],
            tables=[
                Lazy("link-agreement", pairs, lambda: pair_table(report())),
                Lazy("linkers", linkers, lambda: linker_table(report())),
                Lazy("word-links", _("Alignment links"), lambda: link_table(selection), FILE),
            ],
        ),
        aligner_links.section(selection),
    ]


def data(selection: Selection) -> dict[str, Any]:
    links = {"columns": LINKS.names, "rows": list(LINKS.rows(selection))}
    report = aligner_report(selection)
    compared = {"aligner": plain(report)} if report else {}
    return plain(word_links(selection)) | {"links": plain(links)} | compared


def empty(selection: Selection) -> EmptyState | None:
    return None if word_links(selection).n_judgments else NOTHING


def context(request: HttpRequest, selection: Selection) -> dict[str, Any]:
    """Return the aligner's work on the campaign, for whoever may start it."""
    campaign = selection.campaign
    run = run_context(campaign, LinkPurpose.COMPARISON)
    return {"may_manage": access.may_manage(request.user, campaign), **run}


NOTHING = EmptyState(
    gettext_lazy("No links yet"),
    gettext_lazy("Agreement on links will appear here with the first judgments."),
    "campaign",
    gettext_lazy("See the progress"),
)
PAGE = ResultsPage(
    "links",
    gettext_lazy("Word alignment"),
    sections,
    data,
    asked=has_links,
    shown_at="word-links",
    empty=empty,
    template="judgments/results/links.html",
    context=context,
)
