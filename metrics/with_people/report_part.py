"""What metrics bring to a campaign's report: the page Metrics as it opens, and their signatures."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from judgments.publishing.report.facts import BroughtPart, MetricFacts
from judgments.results.selection.selection import Selection
from judgments.web.sections import Lazy, Section
from judgments.web.tables import Column, Table
from metrics.scores.tables import score_table
from metrics.with_people.board import Board
from metrics.with_people.exports import choices, judged_board
from metrics.with_people.page import MetricsPage, Settings

SHOWN = ("metric-year", "metric-overview", "metric-outliers")
UPLOADED = "uploaded"


def sections(selection: Selection) -> Sequence[Section]:
    """Return none without scores or without judgments."""
    if not selection.campaign.test_set.metric_scores.exists():
        return []
    signatures = signature_section(selection)
    board = judged_board(selection)
    return [signatures, *compared(selection, board)] if board else [signatures]


def compared(selection: Selection, board: Board) -> list[Section]:
    choice = choices(selection)[0]
    page = MetricsPage(selection, board, Settings(choice.dimension, choice.method))
    return [each for each in page.sections() if each.slug in SHOWN]


def signature_section(selection: Selection) -> Section:
    title = _("Metrics and their signatures")
    make = Lazy("metric-signatures", title, lambda: signature_table(selection))
    return Section("metric-signatures", title, tables=[make])


def signature_table(selection: Selection) -> Table:
    """Return every metric with its signature, references and the number of systems that it
    scores."""
    table = score_table(selection.campaign.test_set, check_stale=False)
    rows = [
        (each.label, "+".join(each.references), len(each.scores), each.signature)
        for each in table.columns
    ]
    columns = (
        "metric",
        Column("references", _("References"), "text"),
        Column("n_systems", _("Systems"), "count"),
        Column("signature", _("Signature"), "text"),
    )
    return Table("metric-signatures", _("Metrics and their signatures"), columns, rows)


def facts(selection: Selection) -> MetricFacts:
    test_set = selection.campaign.test_set
    table = score_table(test_set, check_stale=False)
    return MetricFacts(
        signatures=tuple((each.label, each.signature) for each in table.columns),
        n_uploaded=sum(each.metric == UPLOADED for each in table.columns),
    )


PART = BroughtPart(sections, facts)
