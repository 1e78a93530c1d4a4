"""Steering a running campaign: end it early, add seats, give batches and take them back."""

import numpy as np
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import F
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from judgments.judging import queue
from judgments.models import Membership, Role, Status
from judgments.people import access, states
from judgments.people.workload.release import free_rest
from judgments.plans import seats
from judgments.plans.campaigns.opening import NEXT, StatusRefused, set_status
from judgments.plans.design import PlanError
from judgments.protocols import protocol_of
from judgments.quality.decisions.decisions import AlreadyDecided, decide
from judgments.quality.watch.forms import ExtendForm, GiveForm, StateAct, StateForm, SureForm
from judgments.web.audit.acting import acting

TASKS_ON_A_PAGE = 50


def steer_page(request, campaign, *, extend_form=None, give_form=None, close_form=None, status=200):
    held = campaign.tasks.planned().exclude(annotator=None).filter(n_items__gt=F("n_judged"))
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
        "give_form": give_form or GiveForm(campaign, prefix="give"),
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
        form.add_error(None, str(problem))
        return steer_page(request, campaign, extend_form=form, status=422)
    n_items = sum(task.n_items for task in tasks)
    messages.success(request, f"Seats added: {len(tasks):,}, with {n_items:,} items.")
    return redirect("campaign-steer", campaign.pk)


@login_required
@require_POST
def campaign_give(request, campaign_id):
    """Return batches for a named person."""
    campaign = access.managed_campaign(request.user, campaign_id)
    form = GiveForm(campaign, request.POST, prefix="give")
    if not form.is_valid():
        return steer_page(request, campaign, give_form=form, status=422)
    member, n = form.cleaned_data["member"], form.cleaned_data["n"]
    try:
        with acting(request):
            given = queue.give(member, n)
    except queue.NotYours:
        given = 0
    if given:
        messages.success(request, f"Batches given to {member.alias}: {given}.")
    if given < n:
        more = "no more" if given else "none"
        messages.error(request, f"There is {more} free that {member.alias} may have.")
    return redirect("campaign-steer", campaign.pk)


@login_required
@require_POST
def task_free(request, campaign_id, task_id):
    """Take a batch from somebody who has not finished it."""
    campaign = access.managed_campaign(request.user, campaign_id)
    task = get_object_or_404(campaign.tasks.planned(), pk=task_id)
    if not SureForm(request.POST).is_valid():
        messages.error(request, "Nothing was taken back. Tick the box to confirm.")
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


@login_required
@require_POST
def annotator_state(request, campaign_id, membership_id):
    """Hold an annotator, let them go on, leave them out, replace them, or include them again; asked
    beside the name on Watch, where it leads back."""
    campaign = access.managed_campaign(request.user, campaign_id)
    member = get_object_or_404(campaign.memberships, pk=membership_id, role=Role.ANNOTATOR)
    form = StateForm(states.state_of(member).name, request.POST, prefix=f"state-{member.pk}")
    if not form.is_valid():
        messages.error(request, f"Nothing was changed for {member.alias}: choose, and say why.")
        return back_to_watch(request, campaign)
    try:
        with acting(request):
            act_on(
                member, StateAct(form.cleaned_data["action"]), form.cleaned_data["reason"], request
            )
    except (PlanError, AlreadyDecided) as problem:
        messages.error(request, f"Nothing was changed for {member.alias}: {problem}")
    else:
        messages.success(request, f"{member.alias}: done. The history keeps the reason.")
    return back_to_watch(request, campaign)


@transaction.atomic
def act_on(member: Membership, choice: StateAct, reason: str, request) -> None:
    """Raise AlreadyDecided or PlanError where somebody else was faster, and changes nothing."""
    campaign, user, by = member.campaign, member.user, request.user
    if choice == StateAct.HOLD:
        states.hold(campaign, user, reason=reason, by=by)
    elif choice == StateAct.GO_ON:
        states.let_go_on(campaign, user, reason=reason, by=by)
    elif choice == StateAct.TAKE_IN:
        decide(campaign, user, excluded=False, reason=reason, by=by)
    elif choice == StateAct.LEAVE_OUT or states.state_of(member).counts:
        decide(campaign, user, excluded=True, reason=reason, by=by)
    if choice == StateAct.REPLACE:
        rng = np.random.default_rng()
        seats.plan_again(campaign, user=user.pk, reason=reason, by=by, rng=rng)


def back_to_watch(request, campaign):
    """To the part that the page's script shows in its place, or to the page."""
    if request.headers.get("HX-Request"):
        return redirect("watch-part", campaign.pk, "annotators")
    return redirect(reverse("watch", args=[campaign.pk]) + "#watch-annotators-title")


@login_required
@require_POST
def plan_again(request, campaign_id):
    """Return plan for others what people judged who are left out."""
    campaign = access.managed_campaign(request.user, campaign_id)
    if not SureForm(request.POST).is_valid():
        messages.error(request, "Nothing was planned. Tick the box to confirm.")
        return redirect("watch", campaign.pk)
    known = {"reason": "Planned again for others.", "by": request.user}
    try:
        with acting(request):
            tasks = seats.plan_again(campaign, rng=np.random.default_rng(), **known)
    except PlanError as problem:
        messages.error(request, str(problem))
    else:
        n_items = sum(task.n_items for task in tasks)
        messages.success(request, f"Planned again: {n_items:,} items in {len(tasks):,} seats.")
    return redirect("watch", campaign.pk)
