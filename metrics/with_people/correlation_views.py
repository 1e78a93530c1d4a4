"""Agreement of the automatic metrics with the people of a campaign."""

from dataclasses import asdict
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import render
from django.views.decorators.http import require_GET

from judgments.files.attachments import attachment
from judgments.results import exports
from judgments.results.figure_addresses import address_of_figure
from judgments.results.selection import from_address
from judgments.results.selection.selection import Selection
from metrics import with_people as agreement
from metrics.with_people.forms import CorrelationForm

CONTENT_TYPES = {"svg": "image/svg+xml", "png": "image/png"}


@login_required
@require_GET
def correlation(request, campaign_id):
    context = context_of(
        request, from_address.selected(request, campaign_id, CorrelationForm.base_fields)
    )
    return render(request, "metrics/correlation.html", context)


@login_required
@require_GET
def correlation_chart(request, campaign_id, name, kind):
    """Return a chart of the page with the settings of its URL, as a file; only this chart is
    made."""
    selection = from_address.selected(request, campaign_id, CorrelationForm.base_fields)
    context = context_of(request, selection)
    sections = context.get("sections", [])
    section = next((section for section in sections if section.slug == name), None)
    found = section.chart() if section else None
    if found is None or kind not in CONTENT_TYPES:
        raise Http404("No such chart.")
    address = address_of_figure(selection, "metrics", name, context["query"])
    drawn = exports.chart_file(found, kind, selection, address)
    return attachment(drawn, CONTENT_TYPES[kind], f"{name}.{kind}")


def context_of(request, selection: Selection) -> dict[str, Any]:
    """Return the context of the page; `empty` says what is missing."""
    campaign = selection.campaign
    context = {
        "campaign": campaign,
        "selection": selection,
        "tab": "correlation",
        "test_set": campaign.test_set,
    }
    over_judged = request.GET.get("over") == "judged"
    board = agreement.board_of(campaign.test_set, statistics=over_judged)
    if not board.table.columns:
        return context | {"empty": "scores"}
    columns = board.table.columns
    there = {"controls": bool(board.controls), "donors": agreement.has_donors(board)}
    without = [name for name, is_there in there.items() if not is_there]
    chosen = CorrelationForm(campaign, columns, request.GET, without=without).settings()
    page = agreement.MetricsPage(selection, board, chosen)
    if not page.systems.systems:
        return context | {"empty": "judgments"}
    return context | {
        "form": CorrelationForm(campaign, columns, asdict(chosen), without=without),
        "page": page,
        "table": board.table,
        "query": urlencode([*chosen.query(), *selection.address]),
        "sections": page.sections(),
    }
