"""The short links under figures lead back to their pages."""

from dataclasses import replace

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET

from judgments.models import FigureAddress
from judgments.people import access
from judgments.results.figure_addresses import place_of, selection_of


@login_required
@require_GET
def figure(request, code):
    """Return the page where the figure stands; first what has changed since it was made, if
    anything."""
    row = get_object_or_404(FigureAddress, pk=code.lower())
    row.campaign = access.readable_campaign(request.user, row.campaign_id)
    try:
        selection = replace(selection_of(row), site=request.build_absolute_uri("/"))
    except ValueError as problem:
        raise BadRequest(str(problem)) from None
    place = place_of(selection, row.page, row.slug, row.query)
    if row.fingerprint == selection.fingerprint:
        return redirect(place)
    context = {
        "campaign": row.campaign,
        "row": row,
        "place": place,
        "sentence": selection.sentence,
        "version": settings.VERSION,
    }
    return render(request, "judgments/results/figure_changed.html", context)
