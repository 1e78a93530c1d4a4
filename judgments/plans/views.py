"""The page on which a manager plans who judges what, with the price."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
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
from judgments.plans.controls.settings import CUT, controls_for, for_crowds, settings_of
from judgments.plans.errors import check_size
from judgments.plans.forms import DesignForm
from judgments.plans.kinds import kind_counts
from judgments.plans.metric_controls import Control, known_controls
from judgments.plans.previews import Preview
from judgments.plans.price.figures import price_of
from judgments.plans.price.proposal import PlanProposal, base_settings, proposal_of
from judgments.plans.proposal_form import ProposalForm
from judgments.plans.race import race_state
from judgments.plans.scope import may_be_controlled, planned_work, scores_outputs
from judgments.plans.settings import PlanSettings
from judgments.plans.waves import waves_of, why_no_wave
from judgments.protocols import protocol_of
from judgments.web.audit.acting import acting

Previews = dict[PlanSettings, Preview]
PILOT_SEGMENTS = 30
"""Segments of a pilot, judged for all systems; `benchmarks/refit_spread.py` measures how they
update the estimated spread."""


def form_of(
    campaign: Campaign,
    data=None,
    settings: PlanSettings | None = None,
    *,
    known: Sequence[Control] | None = None,
    ticked: Sequence[str] = (),
) -> DesignForm:
    """Return the form of these settings. known: metrics that may be controls, if they were read
    already; ticked: signatures of the selected ones."""
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
    if known is None:
        known = possible_controls(campaign)
    return DesignForm(
        campaign, settings, data, left_out=frozenset(left_out), known=known, ticked=ticked
    )


def possible_controls(campaign: Campaign) -> list[Control]:
    """Return metrics that the plan may register."""
    if not may_be_controlled(protocol_of(campaign)) or not stopping.may_register(campaign):
        return []
    return known_controls(campaign.test_set)


def preview_of(campaign: Campaign, settings: PlanSettings, previews: Previews) -> Preview:
    """Return the numbers of a plan with these settings, computed once for this page."""
    if settings not in previews:
        previews[settings] = design.preview(campaign, settings)
    return previews[settings]


def price_context(campaign: Campaign, form: DesignForm, previews: Previews) -> dict:
    """Return the price of a valid form's settings, or why there is none."""
    if not form.is_valid():
        return {"wrong": form}
    try:
        preview = preview_of(campaign, form.settings, previews)
    except design.PlanError as problem:
        return {"problem": str(problem)}
    return {
        "problem": why_too_large(preview),
        "no_controls": form.without(preview.no_controls),
        "price": price_of(
            campaign,
            form.settings,
            planned_work(preview),
            controls=form.controls,
        ),
        "preview": preview,
        "kinds": list(kind_counts(preview.kinds, preview.controls)),
    }


def why_too_large(preview: Preview) -> str:
    """Return why the plan would not be written, although its price is known; empty if it would."""
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
    chosen, known = settings_of(campaign), possible_controls(campaign)
    previews: Previews = {}
    form = None
    if request.method == "POST":
        form = form_of(campaign, request.POST, chosen, known=known)
        if form.is_valid() and "preview" not in request.POST and planned(request, campaign, form):
            return redirect("campaign-design", campaign.pk)
    ask = ProposalForm(request.GET, auto_id="ask_%s")
    proposal = proposal_for(campaign, chosen, known, ask, previews)
    if form is None:
        settings, ticked = filled_in(request.GET.get("for"), campaign, chosen, known, proposal)
        form = form_of(campaign, None, settings, known=known, ticked=ticked)
    protocol = protocol_of(campaign)
    context = {
        "campaign": campaign,
        "tab": "overview",
        "form": form,
        "ask": ask,
        "proposal": proposal,
        "has_pilot": may_be_controlled(protocol) and not why_no_wave(campaign),
        "pilot_segments": PILOT_SEGMENTS,
        "protocol": protocol,
        "without": [reason for reason in dict.fromkeys(controls_for(protocol).values()) if reason],
    }
    context |= price_context(campaign, form if form.is_bound else filled(form), previews)
    return render(request, "judgments/plans/campaign_design.html", context)


def planned(request, campaign: Campaign, form: DesignForm) -> bool:
    """Return whether the plan of a valid form was written, and the metrics registered that it
    names."""
    try:
        with acting(request), transaction.atomic():
            design.plan(campaign, form.settings)
            if form.controls:
                stopping.register_controls(campaign, form.controls, by=request.user)
    except (design.PlanError, stopping.PlanTooSmall) as problem:
        form.add_error(None, str(problem))
        return False
    messages.success(request, "The work is planned. Look at the screens, then open the campaign.")
    return True


def filled_in(
    wanted: str | None,
    campaign: Campaign,
    settings: PlanSettings,
    known: Sequence[Control],
    proposal: PlanProposal | None,
) -> tuple[PlanSettings, list[str]]:
    """Return the initial settings of the form, and the selected metrics: unchanged, for crowds, for
    a pilot, or as proposed."""
    if wanted == "pilot":  # without metrics: a plan that registers them allows no further wave
        return replace(settings, segments=PILOT_SEGMENTS, choice="all"), []
    if wanted == "proposal" and proposal and proposal.settings:
        return proposal.settings, [each.signature for each in known if each.trained]
    plan = stopping.plan_of(campaign) if known else None
    ticked = [each["signature"] for each in plan.controls] if plan else []
    return for_crowds(campaign, settings) if wanted == "crowds" else settings, ticked


def proposal_for(
    campaign: Campaign,
    settings: PlanSettings,
    known: Sequence[Control],
    ask: ProposalForm,
    previews: Previews,
) -> PlanProposal | None:
    """Return the proposal of a valid form; None if nothing can be planned."""
    if not ask.is_valid() or not may_be_controlled(protocol_of(campaign)):
        return None
    whole = base_settings(settings)
    try:
        work = planned_work(preview_of(campaign, whole, previews))
    except design.PlanError:
        return None
    trained = [each for each in known if each.trained]
    return proposal_of(campaign, whole, work, trained, ask.asked)


def filled(empty: DesignForm) -> DesignForm:
    """Return the form as it is submitted when nothing is changed."""
    data = {name: empty.shown(name) for name in empty.fields}
    return form_of(
        empty.campaign, data, empty.settings_before, known=empty.known, ticked=empty.ticked
    )


def planned_context(campaign: Campaign) -> dict:
    """Return the context for the existing plan."""
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
    has_looks = may_be_controlled(protocol_of(campaign)) and not draws_systems(campaign)
    is_early = has_looks and stopping.may_register(campaign)
    stopping_plan = stopping.plan_of(campaign) if is_early else None
    return {
        "campaign": campaign,
        "tab": "overview",
        "may_register": is_early and stopping.may_look(campaign),
        "wave": race_state(campaign),
        "stopping_plan": stopping_plan,
        "is_outgrown": stopping_plan and stopping.is_outgrown(campaign, stopping_plan),
        "n_tasks": tasks.count(),
        "work": tasks.progress(),
        "free_seats": tasks.planned().filter(annotator=None).count(),
        "may_replan": not tasks.exclude(annotator=None).exists(),
        "lease": timeuntil(lease, depth=2),
        "tutorial_right": f"{100 * settings.tutorial_right:g}" if settings.tutorial_right else "",
        "tutorial_tries": settings.tutorial_tries,
        "has_tutorial": campaign.practices.exists(),
        "kinds": list(kind_counts(kinds, beside)),
        "waves": waves_of(campaign),
        "first": tasks.order_by("batch", "seat").first(),
    }


@never_cache
@login_required
@require_GET
def campaign_design_price(request, campaign_id):
    """Return the part of the page with the price of the settings; nothing is stored."""
    campaign = access.managed_campaign(request.user, campaign_id)
    context = {"campaign": campaign} | price_context(campaign, form_of(campaign, request.GET), {})
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
