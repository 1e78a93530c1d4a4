"""How far the automatic metrics agree with the people of a campaign."""

from dataclasses import asdict, replace
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from judgments import access, exports
from judgments.charts import Chart
from judgments.results.selection import Selection
from metrics import meta_evaluation as meta
from metrics.forms.correlation import CorrelationForm
from metrics.meta_evaluation.page import Page, page_of

CONTENT_TYPES = {"svg": "image/svg+xml", "png": "image/png"}


@login_required
@require_GET
def correlation(request, campaign_id):
    context = context_of(request, access.selected(request, campaign_id))
    return render(request, "metrics/correlation.html", context)


@login_required
@require_GET
def correlation_chart(request, campaign_id, name, kind):
    """A chart of the page with the settings of its address, as a file."""
    selection = access.selected(request, campaign_id)
    page = context_of(request, selection).get("page")
    charts: list[Chart] = page.charts if isinstance(page, Page) else []
    found = next((chart for chart in charts if chart.name == name), None)
    if found is None or kind not in CONTENT_TYPES:
        raise Http404("No such chart.")
    drawn = exports.chart_file(found, kind, selection)
    response = HttpResponse(drawn, content_type=CONTENT_TYPES[kind])
    response["Content-Disposition"] = f'attachment; filename="{name}.{kind}"'
    return response


def context_of(request, selection: Selection) -> dict[str, Any]:
    """What the page shows; `empty` says what is missing for it."""
    campaign = selection.campaign
    context = {
        "campaign": campaign,
        "selection": selection,
        "tab": "correlation",
        "test_set": campaign.test_set,
    }
    over_judged = request.GET.get("over") == "judged"
    board = meta.board_of(campaign.test_set, statistics=over_judged)
    columns = board.table.columns
    if not columns:
        return context | {"empty": "scores"}
    chosen = CorrelationForm(campaign, columns, request.GET).settings()
    systems = meta.system_agreement(selection, chosen.choice, board)
    if not systems.systems:
        return context | {"empty": "judgments"}
    if "metric" not in request.GET and systems.best:
        chosen = replace(chosen, metric=systems.best.metric.slug)
    form = CorrelationForm(campaign, columns, asdict(chosen))
    return context | {
        "form": form,
        "systems": systems,
        "table": board.table,
        "query": urlencode([*chosen.query().items(), *selection.address]),
        "page": page_of(selection, chosen, board),
    }
