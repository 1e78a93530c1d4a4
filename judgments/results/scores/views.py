"""Choosing how a campaign says which of its systems differ."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from judgments.models import Judgment
from judgments.people import access
from judgments.web.audit.acting import acting

from .forms import PairTestForm
from .pair_test import change_pair_test


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def pair_test(request, campaign_id):
    campaign = access.managed_campaign(request.user, campaign_id)
    form = PairTestForm(campaign, request.POST or None)
    if form.is_valid():
        with acting(request):
            change_pair_test(campaign, form.chosen)
        messages.success(request, _("All pages and files say by this which systems differ."))
        return redirect("scores", campaign.pk)
    return render(
        request,
        "judgments/results/pair_test.html",
        {
            "campaign": campaign,
            "page": "scores",
            "form": form,
            "is_judged": Judgment.objects.filter(campaign=campaign).exists(),
        },
        status=422 if form.is_bound else 200,
    )
