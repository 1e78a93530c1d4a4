"""Projects from files, and as files."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from judgments.exchange.campaign_files.forms import CampaignFileForm
from judgments.exchange.campaign_files.loader import json_of, yaml_of
from judgments.exchange.campaign_files.nodes import BadCampaignFile
from judgments.exchange.project_files.document import document_of_project
from judgments.exchange.project_files.loader import create_project
from judgments.files.attachments import attachment
from judgments.files.forms import sent
from judgments.models.moments import at_one_moment
from judgments.people import access
from judgments.web import plurals as counted
from judgments.web.audit.acting import acting

KINDS = {"yaml": (yaml_of, "application/yaml"), "json": (json_of, "application/json")}


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


@login_required
@require_GET
@at_one_moment
def project_as_file(request, project, kind):
    """Return the file of a project to a person who runs all of its campaigns, since it contains all
    of them."""
    found = access.managed_project(request.user, project)
    if kind not in KINDS:
        raise Http404("No such file.")
    if not all(access.may_manage(request.user, each) for each in found.campaigns.all()):
        raise PermissionDenied(
            "The file describes every campaign in full, and you do not run all of them."
        )
    write, content_type = KINDS[kind]
    text = write(document_of_project(found))
    return attachment(text, f"{content_type}; charset=utf-8", f"{found.slug}.{kind}")
