"""Scores by domain and by original language."""

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import render
from django.views.decorators.http import require_GET

from judgments.protocols import protocol_of
from judgments.results.observations import observations
from judgments.results.scores import figures as scores_figures
from judgments.results.selection import from_address

from . import page


@login_required
@require_GET
def domains(request, campaign_id):
    selection = from_address.selected(request, campaign_id)
    if not protocol_of(selection.campaign).has_page("scores"):
        raise Http404("This campaign has no scores.")
    sections = page.sections(selection)
    dimensions = observations.dimensions_of(selection.campaign)
    scores = scores_figures.system_scores(selection, dimensions[0].slug if dimensions else None)
    context = {
        "campaign": selection.campaign,
        "selection": selection,
        "tab": "scores",
        "sections": sections,
        "is_judged": bool(len(scores.names)),
        "has_parts": any(section.exists() for section in sections),
    }
    return render(request, "judgments/results/domains.html", context)
