"""The page on which an owner adds late systems to a plan that stands."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from judgments.people import access
from judgments.web import plurals as counted
from judgments.web.audit.acting import acting

from .errors import PlanError
from .wave_forms import WaveForm
from .waves import add_wave, composed_wave, late_systems, next_wave, why_no_wave


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
        "has_late": late_systems(campaign).exists(),
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
    status = 422 if form.errors else 200
    return render(request, "judgments/plans/campaign_wave.html", context, status=status)
