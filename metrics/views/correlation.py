"""How far the automatic metrics agree with the people of a campaign."""

from dataclasses import asdict, replace

from django.contrib.auth.decorators import login_required
from django.shortcuts import render
from django.views.decorators.http import require_GET

from judgments import access, results
from metrics import figures
from metrics.evaluation import OVER, segment_level, system_level
from metrics.forms.correlation import CorrelationForm
from metrics.tables import score_table


@login_required
@require_GET
def correlation(request, campaign_id):
    campaign = access.readable_campaign(request.user, campaign_id)
    results.hold(campaign, results.asked(request.GET))
    context = {"campaign": campaign, "tab": "correlation", "test_set": campaign.test_set}
    over_judged = request.GET.get("over") == "judged"
    table = score_table(campaign.test_set, statistics=over_judged)
    if not table.columns:
        return render(request, "metrics/correlation.html", context | {"empty": "scores"})
    form = CorrelationForm(campaign, table.columns, request.GET)
    chosen = form.settings()
    score = (campaign, chosen.dimension, chosen.method)
    systems = system_level(*score, over=chosen.over, table=table)
    segments = segment_level(*score, table=table)
    if not systems.system_ids:
        return render(request, "metrics/correlation.html", context | {"empty": "judgments"})
    if "metric" not in request.GET and systems.best:
        chosen = replace(chosen, metric=systems.best.column.slug)
    context |= {
        "form": CorrelationForm(campaign, table.columns, asdict(chosen)),
        "table": table,
        "sentence": figures.sentence(systems),
        "systems": systems,
        "systems_caption": f"Against {systems.human_name}, metrics over {OVER[systems.over]}",
        "system_chart": figures.system_figure(campaign, systems, chosen.metric),
        "segments": segments,
        "segments_caption": f"Against {segments.human_name}, on exactly the judged outputs",
        "segment_chart": figures.segment_figure(campaign, segments, chosen.metric),
    }
    return render(request, "metrics/correlation.html", context)
