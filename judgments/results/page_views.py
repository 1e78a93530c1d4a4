"""One view for every page of results: its sections, or what to do while there are none."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import NoReverseMatch, reverse
from django.utils.functional import Promise
from django.views.decorators.http import require_GET

from judgments.results.selection import from_address
from judgments.results.selection.selection import Selection
from judgments.web.sections import ResultsPage, all_pages


@login_required
@require_GET
def results_page(request: HttpRequest, campaign_id: int, page: str) -> HttpResponse:
    """``page``: the name of its web address. Raise Http404 where the campaign has no such page."""
    found = next((each for each in all_pages() if each.web == page), None)
    if found is None:
        raise Http404("There is no such page of results.")
    selection = from_address.selected(request, campaign_id, found.parameters)
    address = address_of(found, campaign_id)
    if request.path != address:  # under results/, though it has an address of its own
        return redirect(address + selection.query)
    if not (found.always_answers or found.asked(selection.campaign)):
        raise Http404(f"This campaign has no page {found.name}.")
    return render_page(request, found, selection)


def render_page(
    request: HttpRequest,
    page: ResultsPage,
    selection: Selection,
    /,
    *,
    status: int = 200,
    **context: Any,
) -> HttpResponse:
    """Return the page of what was selected. ``context`` takes the place of what the page itself
    gives, such as a form with what was wrong in it."""
    of = page.of(selection)
    known = {
        "campaign": of.campaign,
        "selection": of,
        "results_page": page,
        "tab": page.tab or page.web,
        "empty": page.empty(of),
        "links": links(page, of),
        "sections": page.sections(of),
        **page.context(request, of),
        **context,
    }
    return render(request, page.template, known, status=status)


def links(page: ResultsPage, selection: Selection) -> list[tuple[str, str | Promise]]:
    """Where a page leads at its end: addresses with the same judgments, and words."""
    campaign = selection.campaign
    own = [(reverse(name, args=[campaign.pk]), words) for name, words in page.links(selection)]
    others = (each for each in all_pages() if each.linked_from == page.web and each.asked(campaign))
    found = [*own, *((address_of(each, campaign.pk), each.name) for each in others)]
    return [(address + selection.query, words) for address, words in found]


def address_of(page: ResultsPage, campaign_id: int) -> str:
    """Return a page has an address of its own in judgments.urls, or stands under results/."""
    try:
        return reverse(page.web, args=[campaign_id])
    except NoReverseMatch:
        return reverse("results-page", args=[campaign_id, page.web])
