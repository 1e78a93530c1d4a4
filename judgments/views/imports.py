"""Judgments that were collected elsewhere come in from a file."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.humanize.templatetags.humanize import intcomma
from django.http import Http404
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from judgments import access
from judgments.formats import ImportProblem
from judgments.forms.imports import JudgmentsFileForm
from judgments.importing import import_judgments
from judgments.protocols import protocol_of
from judgments.protocols.tables import ReadTable


@login_required
@require_http_methods(["GET", "POST"])
def judgments_import(request, campaign_id):
    campaign = access.managed_campaign(request.user, campaign_id)
    protocol = protocol_of(campaign)
    if not isinstance(protocol.table, ReadTable):
        raise Http404("Judgments of this kind cannot be imported.")
    posted = request.method == "POST"
    form = JudgmentsFileForm(request.POST if posted else None, request.FILES if posted else None)
    if form.is_valid():
        try:
            added = import_judgments(campaign, form.cleaned_data["file"])
        except ImportProblem as problem:
            form.add_problem(problem)
        else:
            messages.success(
                request,
                f"Imported {intcomma(added.judgments)} judgments by "
                f"{intcomma(added.annotators)} annotators.",
            )
            return redirect("campaign", campaign.pk)
    context = {
        "campaign": campaign,
        "tab": "overview",
        "form": form,
        "columns": protocol.table.columns,
        "dimensions": protocol.dimensions(),
        "lead": protocol.table.lead,
        "limit": settings.MAX_UPLOAD_BYTES,
        "row_limit": settings.MAX_IMPORT_ROWS,
    }
    return render(
        request, "judgments/judgments_import.html", context, status=422 if form.errors else 200
    )
