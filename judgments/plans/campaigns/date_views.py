"""The dates of a campaign: start, deadline, reminders, and extensions."""

from functools import partial

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST

from judgments.people import access
from judgments.people.staffing.forms import DatesForm, MoreTimeForm
from judgments.people.staffing.views import settled
from judgments.plans.campaigns.dates import extend
from judgments.plans.campaigns.opening import StatusRefused
from judgments.plans.campaigns.tasks import wake
from judgments.web.audit.acting import acting


def site_of(request) -> str:
    return request.build_absolute_uri("/")[:200]


@login_required
@require_http_methods(["GET", "POST"])
def campaign_dates(request, campaign_id):
    campaign = access.managed_campaign(request.user, campaign_id)
    form = DatesForm(campaign, request.POST if request.method == "POST" else None)
    template = "judgments/plans/campaign_dates.html"
    then = partial(wake, campaign, site_of(request))
    more = MoreTimeForm()
    return settled(request, campaign, form, template, "Saved.", then=then, more_time=more)


@login_required
@require_POST
def campaign_dates_extend(request, campaign_id):
    campaign = access.managed_campaign(request.user, campaign_id)
    form = MoreTimeForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Nothing was changed: give a number of days from 1 to 365.")
        return redirect("campaign-dates", campaign.pk)
    try:
        with acting(request):
            deadline = extend(campaign, form.cleaned_data["days"])
            wake(campaign, site_of(request))
    except (StatusRefused, ValueError) as problem:
        messages.error(request, str(problem))
    else:
        messages.success(request, f"The work now ends on {deadline:%Y-%m-%d %H:%M} (UTC).")
    return redirect("campaign-dates", campaign.pk)
