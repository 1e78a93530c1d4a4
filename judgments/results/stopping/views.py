"""The registered stopping plan of a campaign, and the results of its looks."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from judgments.people import access
from judgments.plans import stopping as plans
from judgments.results.observations import observations
from judgments.results.page_views import render_page
from judgments.results.selection import from_address
from judgments.results.selection.selection import Selection
from judgments.results.stopping.forms import PlanForm
from judgments.web.audit.acting import acting

from . import page


@login_required
@require_GET
def stopping(request, campaign_id):
    return _page(request, from_address.selected(request, campaign_id))


@login_required
@require_POST
def stopping_register(request, campaign_id):
    campaign = access.managed_campaign(request.user, campaign_id)
    form = PlanForm(campaign, request.POST)
    if form.is_valid():
        try:
            with acting(request):
                plans.register(campaign, by=request.user, **form.fields_of_plan())
        except plans.PlanTooLate as problem:
            form.add_error(None, str(problem))
        else:
            messages.success(request, _("The plan is registered, with the date and your name."))
            return redirect("stopping", campaign.pk)
    return _page(request, Selection.of(campaign), form, status=422)


def _page(request, selection, form=None, status=200):
    campaign = selection.campaign
    plan = plans.plan_of(campaign)
    is_rated = bool(observations.dimensions_of(campaign))
    may_register = is_rated and plans.may_register(campaign)
    may_write = may_register and access.may_manage(request.user, campaign)
    names = {d.slug: d.name for d in observations.dimensions_of(campaign)}
    return render_page(
        request,
        page.PAGE,
        selection,
        status=status,
        plan=plan,
        is_rated=is_rated,
        may_register=may_register,
        form=form or (PlanForm(campaign) if may_write else None),
        dimension=names.get(plan.dimension, plan.dimension) if plan else "",
    )
