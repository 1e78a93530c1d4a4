"""Import of suggested errors; pages and files of marked errors."""

import dataclasses
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.humanize.templatetags.humanize import intcomma
from django.core.paginator import Paginator
from django.db.models import Count
from django.http import Http404
from django.shortcuts import redirect
from django.template.defaultfilters import pluralize
from django.urls import reverse
from django.utils.text import slugify
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from judgments.files import ImportProblem, prefilled_spans
from judgments.files.attachments import streamed
from judgments.files.forms import sent
from judgments.files.rows import import_rows
from judgments.models import Judgment, PrefilledSpan, SuggestionOrigin
from judgments.models.moments import at_one_moment
from judgments.people import access
from judgments.protocols import protocol_of
from judgments.results.errors import files
from judgments.results.errors.forms import ProgramForm, WeightsForm
from judgments.results.page_views import render_page
from judgments.results.selection import from_address
from judgments.test_sets.error_fit import suggest
from judgments.test_sets.error_sources import marked_in
from judgments.test_sets.forms import TableForm
from judgments.test_sets.prefilled_spans import SuggestedErrors
from judgments.test_sets.suggestion_arms import drawn_counts
from judgments.test_sets.uploads import upload
from judgments.web.audit.acting import acting
from judgments.web.heavy import heavy_if_large

from . import figures, kinds_page
from . import page as errors_page

EXAMPLES = 6
MOST_SYSTEMS = 8  # whose table is expanded


@login_required
@require_http_methods(["GET", "POST"])
def suggestions(request, campaign_id):
    """Return the number of suggested errors, and forms that replace them."""
    campaign = _suggesting(request, campaign_id)
    form = TableForm(*sent(request), label="File of suggested errors")

    def import_them() -> str:
        rows = prefilled_spans.from_table(form.cleaned_data["file"])
        n = import_rows(SuggestedErrors, campaign, rows).rows
        return f"{intcomma(n)} error{pluralize(n)} will be suggested."

    every = PrefilledSpan.objects.filter(campaign=campaign).order_by()
    rows = every.filter(is_planted=False)
    has_begun = Judgment.objects.filter(campaign=campaign).exists()
    programs = [] if has_begun else marked_in(campaign.test_set)
    context = {
        "campaign": campaign,
        "tab": "overview",
        "marking": protocol_of(campaign).options,
        "columns": prefilled_spans.COLUMNS,
        "has_begun": has_begun,
        "drawn": drawn_counts(campaign),
        "origin": SuggestionOrigin.objects.filter(campaign=campaign).first(),
        "programs": ProgramForm(programs) if programs else None,
        "counts": rows.values("output__system__name", "severity")
        .annotate(n=Count("pk"), n_outputs=Count("output", distinct=True))
        .order_by("output__system__name", "severity"),
    }
    return upload(request, form, import_them, "judgments/results/suggestions.html", context)


@login_required
@require_POST
def suggestions_from_program(request, campaign_id):
    """Suggest the errors that a metric marked in the outputs."""
    campaign = _suggesting(request, campaign_id)
    form = ProgramForm(marked_in(campaign.test_set), request.POST)
    if not form.is_valid():
        messages.error(request, "Choose who marked the errors; they may no longer exist.")
        return redirect("suggestions", campaign.pk)
    marked = form.cleaned_data["program"]
    try:
        with acting(request):
            added, _notes = suggest(campaign, marked)
    except ImportProblem as problem:
        messages.error(request, f"Nothing was changed. {problem}")
    else:
        n = added.rows
        messages.success(
            request, f"{intcomma(n)} error{pluralize(n)} of {marked.label} will be suggested."
        )
    return redirect("suggestions", campaign.pk)


def _suggesting(request, campaign_id):
    """Return the campaign of a manager, if it starts from suggestions. Raise Http404 for
    another."""
    campaign = access.managed_campaign(request.user, campaign_id)
    if not protocol_of(campaign).has_page("suggestions"):
        raise Http404("This campaign does not use suggestions.")
    return campaign


@login_required
@require_GET
def errors(request, campaign_id):
    """Return the number, severity and category of marked errors; `?per=`: a unit of the tables."""
    selection = _readable(request, campaign_id)
    return _errors_page(request, selection, WeightsForm(selection))


@login_required
@require_GET
def errors_weights(request, campaign_id):
    """Redirect to the same errors with the entered weights, or return their errors."""
    # Its fields depend on the campaign, and the form itself checks them.
    selection = _readable(request, campaign_id, request.GET)
    form = WeightsForm(selection, request.GET)
    if not form.is_valid():
        return _errors_page(request, selection, form, status=422)
    chosen = dataclasses.replace(selection, weights=form.cleaned_data["weights"])
    return redirect(reverse("errors", args=[campaign_id]) + chosen.query)


def _errors_page(request, selection, form, status=200):
    units = kinds_page.units_of(selection)
    asked = request.GET.get("per")
    unit = asked if asked in units else next(reversed(units))
    page = Paginator(errors_page.example_ids(selection), EXAMPLES).get_page(request.GET.get("page"))
    names = figures.errors(selection).names
    return render_page(
        request,
        errors_page.PAGE,
        selection,
        status=status,
        sections=errors_page.sections(selection, unit, folded=len(names) > MOST_SYSTEMS),
        choices=kinds_page.choices(selection),
        units=units.values(),
        unit=unit,
        presets=errors_page.presets(selection),
        form=form,
        examples=errors_page.examples(selection, page),
        page=page,
        query=urlencode([*selection.address, ("per", unit)]),
        to_segments=kinds_page.segments(selection),
    )


@login_required
@require_GET
@heavy_if_large
@at_one_moment
def export_errors(request, campaign_id, kind):
    selection = _readable(request, campaign_id)
    if kind not in EXPORTS:
        raise Http404("No such file.")
    content_type, lines = EXPORTS[kind]
    campaign = selection.campaign
    name = slugify(campaign.name) or f"campaign-{campaign.pk}"
    return streamed(lines(selection), content_type, f"{name}-errors.{kind}")


EXPORTS = {
    "tsv": ("text/tab-separated-values; charset=utf-8", files.tsv_lines),
    "jsonl": ("application/jsonl; charset=utf-8", files.json_lines),
}


def _readable(request, campaign_id, parameters=()):
    """Return the requested judgments, if errors are marked in the campaign."""
    selection = from_address.selected(request, campaign_id, ("per", "page", *parameters))
    if not protocol_of(selection.campaign).has_page("errors"):
        raise Http404("This campaign is not about marked errors.")
    return selection
