"""Suggested errors come in; marked errors are shown and go out."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.humanize.templatetags.humanize import intcomma
from django.db.models import Count
from django.http import Http404, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.template.defaultfilters import pluralize
from django.utils.text import slugify
from django.views.decorators.http import require_GET, require_http_methods

from judgments import access, pages, results
from judgments.formats import ImportProblem, prefilled_spans
from judgments.forms.spans import PrefilledSpansForm
from judgments.importing.prefilled_spans import import_prefilled_spans
from judgments.models import Judgment, PrefilledSpan
from judgments.protocols import protocol_of
from judgments.protocols.spans import files


@login_required
@require_http_methods(["GET", "POST"])
def suggestions(request, campaign_id):
    """How many errors are suggested, and a form that replaces them."""
    campaign = access.managed_campaign(request.user, campaign_id)
    if not protocol_of(campaign).has_page("suggestions"):
        raise Http404("This campaign does not use suggestions.")
    posted = request.method == "POST"
    form = PrefilledSpansForm(request.POST if posted else None, request.FILES if posted else None)
    if form.is_valid():
        try:
            added = import_prefilled_spans(
                campaign, prefilled_spans.read(form.cleaned_data["file"])
            )
        except ImportProblem as problem:
            form.add_problem(problem)
        else:
            n = added.spans
            messages.success(request, f"{intcomma(n)} error{pluralize(n)} will be suggested.")
            return redirect("suggestions", campaign.pk)
    rows = PrefilledSpan.objects.filter(campaign=campaign).order_by()
    context = {
        "campaign": campaign,
        "tab": "overview",
        "form": form,
        "marking": protocol_of(campaign).options,
        "columns": prefilled_spans.COLUMNS,
        "has_begun": Judgment.objects.filter(campaign=campaign).exists(),
        "counts": rows.values("output__system__name", "severity")
        .annotate(n=Count("pk"), n_outputs=Count("output", distinct=True))
        .order_by("output__system__name", "severity"),
        "limit": settings.MAX_UPLOAD_BYTES,
    }
    status = 422 if form.errors else 200
    return render(request, "judgments/suggestions.html", context, status=status)


@login_required
@require_GET
def errors(request, campaign_id):
    """How many errors were marked, how severe, of which kind."""
    selection = _readable(request, campaign_id)
    context = {
        "campaign": selection.campaign,
        "selection": selection,
        "tab": "errors",
        "sections": pages.errors.sections(selection),
        "empty": not results.errors(selection).names,
    }
    return render(request, "judgments/errors.html", context)


@login_required
@require_GET
def export_errors(request, campaign_id, kind):
    selection = _readable(request, campaign_id)
    if kind not in EXPORTS:
        raise Http404("No such file.")
    content_type, lines = EXPORTS[kind]
    response = StreamingHttpResponse(lines(selection), content_type=content_type)
    campaign = selection.campaign
    name = slugify(campaign.name) or f"campaign-{campaign.pk}"
    response["Content-Disposition"] = f'attachment; filename="{name}-errors.{kind}"'
    return response


EXPORTS = {
    "tsv": ("text/tab-separated-values; charset=utf-8", files.tsv_lines),
    "jsonl": ("application/jsonl; charset=utf-8", files.json_lines),
}


def _readable(request, campaign_id):
    """The judgments asked for, if errors are marked in the campaign."""
    selection = access.selected(request, campaign_id)
    if not protocol_of(selection.campaign).has_page("errors"):
        raise Http404("This campaign is not about marked errors.")
    return selection
