"""Metrics against the people of several campaigns: averages over tasks."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from judgments import access, exports, results
from judgments.models import Campaign
from judgments.results.selection import Selection
from metrics import meta_evaluation as meta
from metrics.meta_evaluation import shown_averages

# Each takes seconds when nothing is remembered.
MOST_CAMPAIGNS = 20


@login_required
@require_GET
def meta_evaluation(request):
    campaigns = list(Campaign.objects.visible_to(request.user).select_related("test_set"))
    chosen = chosen_campaigns(request)
    context = {
        "campaigns": campaigns,
        "chosen": {campaign.pk for campaign in chosen},
        "most": MOST_CAMPAIGNS,
    }
    if not chosen:
        return render(request, "metrics/meta_evaluation.html", context)
    found, lacking = averages(chosen)
    context |= {
        "n_chosen": len(chosen),
        "lacking": lacking,
        "sentence": shown_averages.average_lead(found),
        "chart": shown_averages.average_chart(found),
        "averages": shown_averages.average_table(found),
        "query": "&".join(f"campaign={campaign.pk}" for campaign in chosen),
    }
    return render(request, "metrics/meta_evaluation.html", context)


@login_required
@require_GET
def meta_evaluation_file(request):
    """The averages as CSV."""
    found, _ = averages(chosen_campaigns(request))
    text = exports.csv_of(shown_averages.average_table(found))
    response = HttpResponse(text, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="metric-averages.csv"'
    return response


def chosen_campaigns(request) -> list[Campaign]:
    """Those that the address names; Http404 or PermissionDenied for one that is not the user's."""
    keys = [key for key in request.GET.getlist("campaign") if key.isdecimal() and len(key) < 10]
    distinct = list(dict.fromkeys(map(int, keys)))[:MOST_CAMPAIGNS]
    return [access.readable_campaign(request.user, key) for key in distinct]


def averages(campaigns: list[Campaign]) -> tuple[meta.Averages, list[str]]:
    """The averages over the campaigns that have scores and judgments, and the names of the others:
    with the defaults of a campaign's page, so the first dimension, raw."""
    found, lacking = [], []
    for campaign in campaigns:
        selection = Selection.of(campaign)
        board = meta.board_of(campaign.test_set)
        if not board.table.columns or not results.system_scores(selection).names.size:
            lacking.append(campaign.name)
            continue
        found.append(meta.tasks(selection, meta.Choice(), board))
    return meta.averages_of(found), lacking
