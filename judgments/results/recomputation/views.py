"""Recording a known fault of a publication."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from judgments.people import access
from judgments.results.page_views import render_page
from judgments.results.selection.selection import Selection
from judgments.web.audit.acting import acting

from . import page
from .forms import FaultForm


@login_required
@require_POST
def known_fault(request, campaign_id):
    campaign = access.managed_campaign(request.user, campaign_id)
    form = FaultForm(campaign, request.POST)
    if not form.is_valid():
        return render_page(request, page.PAGE, Selection.of(campaign), status=422, fault_form=form)
    with acting(request):
        form.fault(request.user).save()
    messages.success(request, _("It is recorded, with its reason."))
    return redirect("recomputation", campaign.pk)
