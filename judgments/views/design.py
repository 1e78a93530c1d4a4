"""The page on which a manager plans who judges what."""

import numpy as np
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from judgments import access
from judgments.assignment import design
from judgments.forms.campaigns import DesignForm
from judgments.models import Campaign
from judgments.protocols import protocol_of


def design_arguments(campaign: Campaign, data: dict) -> dict:
    """What `design.plan` and `design.preview` take, from the form's cleaned data."""
    arguments = {
        "batch_size": data["batch_size"],
        "seats": data["seats"],
        "rng": np.random.default_rng(data["seed"]),
    }
    if "screens_per_segment" in data:
        arguments["screens_per_segment"] = data["screens_per_segment"]
    return arguments


def preview_rows(preview: design.Preview) -> list[tuple[str, str]]:
    """(label, number) pairs for the page."""
    batch = f"{preview.smallest_task}–{preview.largest_task}"
    equal = [("Comparisons of identical translations, left out", f"{preview.n_equal:,}")]
    return [
        ("Segments", f"{preview.n_segments:,}"),
        *(equal if preview.n_equal else []),
        ("Batches to hand out", f"{preview.n_tasks:,}"),
        ("Items in a batch", batch),
        ("Items in total", f"{preview.n_items:,}"),
        ("Answers in total", f"{preview.n_answers:,}"),
    ]


@login_required
@require_http_methods(["GET", "POST"])
def campaign_design(request, campaign_id):
    campaign = access.managed_campaign(request.user, campaign_id)
    tasks = campaign.tasks
    protocol = protocol_of(campaign)
    form = DesignForm(protocol, request.POST if request.method == "POST" else None)
    context = {"campaign": campaign, "tab": "overview", "form": form, "protocol": protocol}
    if request.method == "POST" and form.is_valid():
        arguments = design_arguments(campaign, form.cleaned_data)
        try:
            if "preview" in request.POST:
                context["preview"] = preview_rows(design.preview(campaign, **arguments))
            else:
                design.plan(campaign, **arguments)
                messages.success(
                    request, "The work is planned. Open the campaign and invite people."
                )
                return redirect("campaign", campaign.pk)
        except design.PlanError as problem:
            form.add_error(None, str(problem))
    context |= {
        "n_tasks": tasks.count(),
        "work": tasks.progress(),
        "free_seats": tasks.filter(annotator=None).count(),
        "may_replan": not tasks.exclude(annotator=None).exists(),
    }
    return render(request, "judgments/campaign_design.html", context)


@login_required
@require_POST
def campaign_design_clear(request, campaign_id):
    campaign = access.managed_campaign(request.user, campaign_id)
    try:
        with transaction.atomic():
            design.clear(campaign)
    except design.PlanError as problem:
        messages.error(request, str(problem))
    return redirect("campaign-design", campaign.pk)
