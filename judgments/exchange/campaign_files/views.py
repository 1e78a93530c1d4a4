"""Campaigns from files, and as files."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, JsonResponse
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.views.decorators.http import require_GET, require_http_methods

from judgments.exchange.campaign_files.forms import CampaignFileForm
from judgments.exchange.campaign_files.loader import as_json, as_yaml, create_campaign
from judgments.exchange.campaign_files.nodes import BadCampaignFile
from judgments.exchange.campaign_files.schema import schema
from judgments.files.attachments import attachment
from judgments.files.forms import sent
from judgments.models.moments import at_one_moment
from judgments.people import access
from judgments.web.audit.acting import acting

KINDS = {"yaml": (as_yaml, "application/yaml"), "json": (as_json, "application/json")}


@login_required
@require_http_methods(["GET", "POST"])
def campaign_from_file(request):
    access.require_creator(request.user)
    form = CampaignFileForm(*sent(request))
    faults = []
    if form.is_valid():
        try:
            with acting(request) as act:
                campaign = form.create(request.user, create_campaign)
                act.made(campaign_id=campaign.pk)
        except BadCampaignFile as bad:
            faults = bad.faults
        else:
            messages.success(request, "The campaign was created as the file says.")
            return redirect("campaign", campaign.pk)
    status = 422 if form.errors or faults else 200
    context = {"form": form, "faults": faults}
    return render(request, "judgments/exchange/campaign_from_file.html", context, status=status)


@require_GET
def campaign_schema(request):
    """Return the JSON Schema of a file. Anybody may read it: an editor has no account."""
    response = JsonResponse(schema(), content_type="application/schema+json")
    response["Access-Control-Allow-Origin"] = "*"  # editors are web pages, too
    return response


@login_required
@require_GET
@at_one_moment
def export_file(request, campaign_id, kind):
    campaign = access.managed_campaign(request.user, campaign_id)
    if kind not in KINDS:
        raise Http404("No such file.")
    write, content_type = KINDS[kind]
    name = slugify(campaign.name) or f"campaign-{campaign.pk}"
    return attachment(write(campaign), f"{content_type}; charset=utf-8", f"{name}.{kind}")
