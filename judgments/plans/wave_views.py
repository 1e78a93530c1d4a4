"""The page on which an owner adds late systems or further segments to a plan that stands."""

from dataclasses import replace

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from judgments.people import access
from judgments.web import plurals as counted
from judgments.web.audit.acting import acting

from . import design
from .controls.settings import settings_of
from .errors import PlanError
from .price.figures import PlanPrice, price_of
from .scope import planned_work
from .wave_forms import WaveForm
from .waves import add_wave, composed_wave, next_wave, planned_systems, why_no_wave


def price_of_all(campaign) -> PlanPrice | None:
    """Return what the plan comes to with all segments of the test set, by what was judged until
    now; None where they are too many to be planned."""
    systems = tuple(planned_systems(campaign).values_list("name", flat=True))
    settings = replace(settings_of(campaign), segments=None, systems=systems)
    try:
        return price_of(campaign, settings, planned_work(design.preview(campaign, settings)))
    except PlanError:
        return None


@login_required
@require_http_methods(["GET", "POST"])
def campaign_wave(request, campaign_id):
    campaign = access.managed_campaign(request.user, campaign_id)
    if not campaign.tasks.exists():
        return redirect("campaign-design", campaign.pk)
    form = WaveForm(campaign, request.POST if request.method == "POST" else None)
    context = {
        "campaign": campaign,
        "tab": "overview",
        "form": form,
        "number": next_wave(campaign),
        "why_not": why_no_wave(campaign),
        "has_more": any(name in form.fields for name in ("systems", "segments")),
    }
    if request.method == "POST" and form.is_valid():
        try:
            if "preview" in request.POST:
                made = composed_wave(campaign, form.wave)
                n, items = len(made.batches), counted.items(made.n_items)
                context["preview"] = f"{n:,} batch{'es' * (n != 1)} with {items}"
                context["left_out"] = made.left_out
            else:
                with acting(request):
                    tasks = add_wave(campaign, form.wave)
                n_items = sum(task.n_items for task in tasks)
                told = f"Added {counted.items(n_items)} as wave {tasks[0].wave}."
                messages.success(request, told)
                return redirect("campaign-design", campaign.pk)
        except PlanError as problem:
            form.add_error(None, str(problem))
    if "segments" in form.fields and not context["why_not"]:
        context["all_of_it"] = price_of_all(campaign)
    status = 422 if form.errors else 200
    return render(request, "judgments/plans/campaign_wave.html", context, status=status)
