"""Rehearsal of a plan before the campaign opens, and its results as CSV and JSON."""

import dataclasses

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from judgments.files.attachments import CSV, JSON, attachment
from judgments.people import access
from judgments.results.exports import page_json, table_file

from . import page, store
from .figures import RUNS
from .forms import RehearsalForm, usual
from .plan import why_not
from .tasks import rehearse_plan


@never_cache
@login_required
@require_GET
def rehearsal(request, campaign_id):
    """Return the form, and the results; ask a worker for results that were not requested before."""
    campaign = access.managed_campaign(request.user, campaign_id)
    first = dataclasses.asdict(usual(campaign))
    form = RehearsalForm(request.GET or None, initial=first)
    context = {
        "campaign": campaign,
        "tab": "overview",
        "form": form,
        "problem": why_not(campaign),
        "runs": RUNS,
    }
    if not context["problem"] and form.is_valid():
        asked = form.asked()
        found = store.kept(campaign, asked)
        if found is None:
            if store.may_ask(campaign):
                task = rehearse_plan.using(queue_name=store.queue_for(campaign))
                task.enqueue(campaign.pk, dataclasses.asdict(asked))
            context |= {"is_waited_for": True, "n_done": store.n_done(campaign)}
        else:
            context |= {
                "found": found,
                "sentence": page.sentence(found),
                "sentences": list(page.sentences(found)),
                "notes": list(page.notes(found)),
                "tables": [make(found) for make in page.TABLES.values()],
                "query": request.GET.urlencode(),
            }
    template = "judgments/quality/rehearsal.html"
    if request.headers.get("HX-Request"):
        template = "judgments/quality/_rehearsal.html"
    return render(request, template, context)


@login_required
@require_GET
def rehearsal_file(request, campaign_id, name, kind):
    """Return a table of a computed rehearsal as CSV, or all of it as JSON."""
    campaign = access.managed_campaign(request.user, campaign_id)
    address = reverse("rehearsal", args=[campaign.pk])
    form = RehearsalForm(request.GET)
    found = store.kept(campaign, form.asked()) if form.is_valid() else None
    if (name, kind) != ("rehearsal", "json") and (name not in page.TABLES or kind != "csv"):
        raise Http404("There is no such file.")
    if found is None:
        return redirect(f"{address}?{request.GET.urlencode()}")
    address = request.build_absolute_uri(f"{address}?{request.GET.urlencode()}")
    if kind == "json":
        said = {"campaign": campaign.pk, "asked": found.asked, "rehearsals": len(found.runs)}
        content = page_json("rehearsal", "Rehearsal", page.sections(found), address, said)
        return attachment(content, JSON, f"rehearsal-{name}.json")
    content = table_file(page.TABLES[name](found), page.sentence(found), address)
    return attachment(content, CSV, f"rehearsal-{name}.csv")
