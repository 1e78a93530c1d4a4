"""Load what an address selects, for a user who may read the campaign's results."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from django.core.exceptions import BadRequest
from django.http import QueryDict

from judgments.people import access

from . import known_names
from .selection import Selection


def selected(request, campaign_id: int, parameters: Iterable[str] = ()) -> Selection:
    """Return the judgments that an address asks for, of a campaign whose results the user may read.
    ``parameters`` are those that the page has besides.

    Raises BadRequest, in words, for an address that cannot be read, or that asks for what there is
    not.
    """
    return selected_with_rights(request, campaign_id, parameters)[0]


def selected_with_rights(
    request, campaign_id: int, parameters: Iterable[str] = ()
) -> tuple[Selection, bool]:
    """Return the same, and whether the user runs the campaign."""
    found, manages = _asked(request, campaign_id)
    try:
        known_names.check_parameters(request.GET, parameters)
        known_names.check_names(found, request.GET)
    except ValueError as problem:
        raise BadRequest(str(problem)) from None
    return found, manages


def selected_beside(request, campaign_id: int) -> Selection:
    """Return what the address of one campaign selects of another: it may lack some of the names."""
    return _asked(request, campaign_id)[0]


def selected_by(user, campaign_id: int, query: QueryDict, site: str) -> Selection:
    """Return what a query string that was checked before selects, for a user who may read the
    results. Raise ValueError, in words, for one that cannot be read."""
    return _selection(user, campaign_id, query, site)[0]


def _asked(request, campaign_id: int) -> tuple[Selection, bool]:
    try:
        return _selection(request.user, campaign_id, request.GET, request.build_absolute_uri("/"))
    except ValueError as problem:
        raise BadRequest(str(problem)) from None


def _selection(user, campaign_id: int, query: QueryDict, site: str) -> tuple[Selection, bool]:
    campaign, manages = access.campaign_and_rights(user, campaign_id)
    return replace(Selection.asked(campaign, query), site=site), manages
