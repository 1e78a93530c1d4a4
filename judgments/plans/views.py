"""The page on which a manager plans who judges what, and sees what it costs."""

from collections import Counter
from dataclasses import replace
from datetime import timedelta

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.timesince import timeuntil
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from judgments.models import Campaign, Item
from judgments.people import access
from judgments.plans import design, stopping
from judgments.plans.choice import draws_systems, may_draw
from judgments.plans.controls.settings import CUT, controls_for, default_settings, for_crowds
from judgments.plans.errors import check_size
from judgments.plans.forms import DesignForm
from judgments.plans.kinds import kind_counts
from judgments.plans.previews import Preview
from judgments.plans.price.figures import price_of
from judgments.plans.scope import may_be_controlled, planned_work, scores_outputs
from judgments.plans.settings import PlanSettings, is_planned
from judgments.plans.waves import wave_state
from judgments.protocols import protocol_of
from judgments.web.audit.acting import acting


def settings_of(campaign: Campaign) -> PlanSettings:
    """Those of the last plan, or else those with which a plan of this protocol begins."""
    if is_planned(campaign.plan):
        return PlanSettings.read(campaign.plan)
    return replace(default_settings(campaign), **campaign.plan)


def form_of(campaign: Campaign, data=None, settings: PlanSettings | None = None) -> DesignForm:
    protocol = protocol_of(campaign)
    reasons = controls_for(protocol)
    left_out = {kind for kind, reason in reasons.items() if reason}
    if not protocol.in_pairs:
        left_out.add("comparisons")
    if protocol.unit != "segment":
        left_out |= {"segments", "equal_once"}
    if protocol.unit not in CUT:
        left_out.add("block_length")
    if "degraded" in left_out:
        left_out.add("damage")
    if not may_draw(protocol):
        left_out |= {"choice", "systems_shown", "wave_documents"}
    if not scores_outputs(protocol):
        left_out |= {"question", "test", "promise", "spread"}
    if not protocol.rates:
        left_out.add("compared_by")
    settings = settings or settings_of(campaign)
    return DesignForm(campaign, settings, data, left_out=frozenset(left_out))


def price_context(campaign: Campaign, form: DesignForm) -> dict:
    """What the settings of a valid form come to, or why they come to nothing."""
    if not form.is_valid():
        return {"wrong": form}
    try:
        preview = design.preview(campaign, form.settings)
    except design.PlanError as problem:
        return {"problem": str(problem)}
    return {
        "problem": why_too_large(preview),
        "no_controls": form.without(preview.no_controls),
        "price": price_of(campaign, form.settings, planned_work(preview)),
        "preview": preview,
        "kinds": list(kind_counts(preview.kinds, preview.controls)),
    }


def why_too_large(preview: Preview) -> str:
    """Why the plan would not be written, though its price is known; empty where it would."""
    try:
        check_size(preview.n_items)
    except design.PlanError as problem:
        return str(problem)
    return ""


@login_required
@require_http_methods(["GET", "POST"])
def campaign_design(request, campaign_id):
    campaign = access.managed_campaign(request.user, campaign_id)
    if campaign.tasks.exists() and request.method == "GET":
        return render(request, "judgments/plans/campaign_design.html", planned_context(campaign))
    chosen = settings_of(campaign)
    if request.GET.get("for") == "crowds":
        chosen = for_crowds(campaign, chosen)
    form = form_of(campaign, request.POST if request.method == "POST" else None, chosen)
    if request.method == "POST" and form.is_valid() and "preview" not in request.POST:
        try:
            with acting(request):
                design.plan(campaign, form.settings)
        except design.PlanError as problem:
            form.add_error(None, str(problem))
        else:
            messages.success(request, "The work is planned. Look at the screens, then open it.")
            return redirect("campaign-design", campaign.pk)
    protocol = protocol_of(campaign)
    context = {
        "campaign": campaign,
        "tab": "overview",
        "form": form,
        "protocol": protocol,
        "without": [reason for reason in dict.fromkeys(controls_for(protocol).values()) if reason],
    }
    context |= price_context(campaign, form if form.is_bound else filled(campaign, chosen))
    return render(request, "judgments/plans/campaign_design.html", context)


def filled(campaign: Campaign, settings: PlanSettings) -> DesignForm:
    """The form as it is sent when nothing is changed."""
    empty = form_of(campaign, settings=settings)
    return form_of(campaign, {name: empty.shown(name) for name in empty.fields}, settings)


def planned_context(campaign: Campaign) -> dict:
    """The plan that stands."""
    items = Item.objects.filter(task__campaign=campaign).order_by()
    kinds: Counter[str] = Counter()
    beside: Counter[str] = Counter()
    for kind, control, n in items.values_list("kind", "control_kind").annotate(n=Count("pk")):
        kinds[kind] += n
        if control:
            beside[control] += n
    settings = PlanSettings.read(campaign.plan)
    lease = timezone.now() + timedelta(minutes=settings.lease_minutes, seconds=1)
    tasks = campaign.tasks
    may_register = (
        may_be_controlled(protocol_of(campaign))
        and not draws_systems(campaign)
        and stopping.may_register(campaign)
        and stopping.may_look(campaign)
    )
    return {
        "campaign": campaign,
        "tab": "overview",
        "may_register": may_register,
        "wave": wave_state(campaign),
        "stopping_plan": stopping.plan_of(campaign) if may_register else None,
        "n_tasks": tasks.count(),
        "work": tasks.progress(),
        "free_seats": tasks.filter(annotator=None).count(),
        "may_replan": not tasks.exclude(annotator=None).exists(),
        "lease": timeuntil(lease, depth=2),
        "kinds": list(kind_counts(kinds, beside)),
        "first": tasks.order_by("batch", "seat").first(),
    }


@never_cache
@login_required
@require_GET
def campaign_design_price(request, campaign_id):
    """The part of the page that says what the settings come to; nothing is stored."""
    campaign = access.managed_campaign(request.user, campaign_id)
    context = {"campaign": campaign} | price_context(campaign, form_of(campaign, request.GET))
    return render(request, "judgments/plans/_plan_price.html", context)


@login_required
@require_POST
def campaign_design_clear(request, campaign_id):
    campaign = access.managed_campaign(request.user, campaign_id)
    try:
        with acting(request):
            design.clear(campaign)
    except design.PlanError as problem:
        messages.error(request, str(problem))
    return redirect("campaign-design", campaign.pk)
