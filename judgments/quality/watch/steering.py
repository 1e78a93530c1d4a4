"""Steering a running campaign: end it early, add seats, take a batch back."""

import numpy as np
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import F
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from judgments.models import Status
from judgments.people import access
from judgments.people.workload.release import free_rest
from judgments.plans import seats
from judgments.plans.campaigns.opening import NEXT, StatusRefused, set_status
from judgments.plans.design import PlanError
from judgments.protocols import protocol_of
from judgments.quality.watch.forms import ExtendForm, SureForm
from judgments.web.audit.acting import acting

TASKS_ON_A_PAGE = 50


def steer_page(request, campaign, *, extend_form=None, close_form=None, status=200):
    held = campaign.tasks.exclude(annotator=None).filter(n_items__gt=F("n_judged"))
    pages = Paginator(held.order_by("batch", "seat"), TASKS_ON_A_PAGE)
    page = pages.get_page(request.GET.get("page"))
    aliases = dict(
        campaign.memberships.filter(user__in=[task.annotator_id for task in page]).values_list(
            "user_id", "alias"
        )
    )
    work = campaign.tasks.progress()
    context = {
        "campaign": campaign,
        "tab": "watch",
        "work": work,
        "n_left": work["items"] - work["judged"],
        "page": page,
        "rows": [(task, aliases.get(task.annotator_id, "–")) for task in page],
        "extend_form": extend_form or ExtendForm(),
        "close_form": close_form or SureForm(prefix="close"),
        "only_read": protocol_of(campaign).why_only_read(),
        "is_closed": campaign.status == Status.CLOSED,
        "may_close": Status.CLOSED in NEXT[campaign.status],
    }
    return render(request, "judgments/quality/steer.html", context, status=status)


@login_required
@require_GET
def campaign_steer(request, campaign_id):
    return steer_page(request, access.managed_campaign(request.user, campaign_id))


@login_required
@require_POST
def campaign_close(request, campaign_id):
    """End a campaign before all is judged; it can be opened again."""
    campaign = access.managed_campaign(request.user, campaign_id)
    form = SureForm(request.POST, prefix="close")
    if not form.is_valid():
        return steer_page(request, campaign, close_form=form, status=422)
    try:
        with acting(request):
            set_status(campaign, Status.CLOSED)
    except StatusRefused as reason:
        messages.error(request, str(reason))
        return redirect("campaign-steer", campaign.pk)
    messages.success(request, "The campaign is closed. What was judged counts; it can be reopened.")
    return redirect("campaign-steer", campaign.pk)


@login_required
@require_POST
def campaign_extend(request, campaign_id):
    """More seats for some batches, or for all."""
    campaign = access.managed_campaign(request.user, campaign_id)
    form = ExtendForm(request.POST)
    if not form.is_valid():
        return steer_page(request, campaign, extend_form=form, status=422)
    rng = np.random.default_rng()
    try:
        with acting(request):
            tasks = seats.extend(campaign, rng=rng, **form.cleaned_data)
    except PlanError as problem:
        form.add_error("batches", str(problem))
        return steer_page(request, campaign, extend_form=form, status=422)
    n_items = sum(task.n_items for task in tasks)
    messages.success(request, f"Seats added: {len(tasks):,}, with {n_items:,} items.")
    return redirect("campaign-steer", campaign.pk)


@login_required
@require_POST
def task_free(request, campaign_id, task_id):
    """Take a batch from somebody who has not finished it."""
    campaign = access.managed_campaign(request.user, campaign_id)
    task = get_object_or_404(campaign.tasks, pk=task_id)
    if not SureForm(request.POST).is_valid():
        messages.error(request, "Nothing was taken back: tick the box to say that you mean it.")
        return redirect("campaign-steer", campaign.pk)
    with acting(request):
        n_left = free_rest(task)
    if n_left:
        messages.success(
            request,
            f"Items of batch {task.batch} that wait for another annotator: {n_left}. What was "
            "judged stays as it is.",
        )
    else:
        messages.error(request, "Nothing is left to take back from this batch.")
    return redirect("campaign-steer", campaign.pk)
