"""Choice of how a campaign decides which systems differ, and the next wave of a race."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from judgments.models import Judgment
from judgments.people import access
from judgments.plans.choice import draws_systems
from judgments.plans.errors import PlanError
from judgments.plans.race import plan_race_wave
from judgments.web.audit.acting import acting

from .choice import contenders_of
from .forms import PairTestForm, RaceWaveForm
from .pair_test import change_pair_test


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def pair_test(request, campaign_id):
    campaign = access.managed_campaign(request.user, campaign_id)
    form = PairTestForm(campaign, request.POST or None)
    if form.is_valid():
        with acting(request):
            change_pair_test(campaign, form.chosen)
        messages.success(request, _("All pages and files use this to say which systems differ."))
        return redirect("scores", campaign.pk)
    return render(
        request,
        "judgments/results/pair_test.html",
        {
            "campaign": campaign,
            "page": "scores",
            "form": form,
            "draws": draws_systems(campaign),
            "is_judged": Judgment.objects.filter(campaign=campaign).exists(),
        },
        status=422 if form.is_bound else 200,
    )


@login_required
@require_POST
def next_wave(request, campaign_id):
    campaign = access.managed_campaign(request.user, campaign_id)
    form = RaceWaveForm(request.POST)
    try:
        if not form.is_valid():
            raise PlanError("There is no such wave to plan.")
        with acting(request):
            number = form.cleaned_data["number"]
            wave = plan_race_wave(campaign, number=number, find=contenders_of)
        n = int((wave.choice.chances == 1).sum())
        messages.success(request, f"Wave {number} is planned: {n} systems in every block.")
    except PlanError as problem:
        messages.error(request, str(problem))
    return redirect("campaign-design", campaign.pk)
