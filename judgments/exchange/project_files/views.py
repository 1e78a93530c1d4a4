"""A project from a file."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from judgments.exchange.campaign_files.forms import CampaignFileForm
from judgments.exchange.campaign_files.nodes import BadCampaignFile
from judgments.exchange.project_files.loader import create_project
from judgments.files.forms import sent
from judgments.people import access
from judgments.web import plurals as counted
from judgments.web.audit.acting import acting


@login_required
@require_http_methods(["GET", "POST"])
def project_from_file(request):
    access.require_creator(request.user)
    form = CampaignFileForm(*sent(request))
    form.fields["file"].label = "The project's file"
    faults = []
    if form.is_valid():
        try:
            with acting(request):
                project = form.create(request.user, create_project)
        except BadCampaignFile as bad:
            faults = bad.faults
        else:
            n = counted.campaigns(project.joined.count())
            messages.success(request, f"The project was created as the file says, with {n}.")
            return redirect("project-watch", project.slug)
    status = 422 if form.errors or faults else 200
    context = {"form": form, "faults": faults}
    return render(request, "judgments/exchange/project_from_file.html", context, status=status)
