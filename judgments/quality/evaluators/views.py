"""The values that each annotator gave."""

from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404
from django.shortcuts import render
from django.views.decorators.http import require_GET

from judgments.quality.evaluators.page import has_values
from judgments.results.selection import from_address

from . import figures
from . import page as evaluators_sections

ON_A_PAGE = 20


@login_required
@require_GET
def evaluators_page(request, campaign_id):
    """`?dimension=` and `?values=`, raw or z: whatever is not there falls back to the first."""
    selection = from_address.selected(request, campaign_id, ("dimension", "values", "page"))
    if not has_values(selection.campaign):
        raise Http404("No annotator gives values here.")
    every = evaluators_sections.settings_of(selection)
    asked = {"dimension": request.GET.get("dimension"), "values": request.GET.get("values")}
    dimensions = {options["dimension"]: name for options, name in every}
    if asked["dimension"] not in dimensions:
        asked["dimension"] = next(iter(dimensions))
    options, name = next((pair for pair in every if pair[0] == asked), every[0])
    if options["dimension"] != asked["dimension"]:
        options, name = next(pair for pair in every if pair[0]["dimension"] == asked["dimension"])
    report = figures.evaluators(selection, **options)
    page = Paginator(report.annotators, ON_A_PAGE).get_page(request.GET.get("page"))
    shown = slice(page.start_index() - 1, page.end_index()) if report.annotators else slice(0)
    context = {
        "campaign": selection.campaign,
        "selection": selection,
        "tab": "agreement",
        "section": evaluators_sections.section(selection, options, name, shown),
        "empty": not report.annotators,
        "dimensions": [pair for pair in dimensions.items() if pair[0]],
        "options": options,
        "page": page,
        "query": urlencode(
            [*selection.address, *((key, value) for key, value in options.items() if value)]
        ),
    }
    return render(request, "judgments/quality/evaluators.html", context)
