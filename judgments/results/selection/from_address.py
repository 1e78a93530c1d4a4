"""Loading the selection of an address, for a user who may read the campaign's results."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from django.core.exceptions import BadRequest
from django.http import QueryDict

from judgments.people import access

from . import known_names
from .selection import Selection


def selected(request, campaign_id: int, parameters: Iterable[str] = ()) -> Selection:
    """Return the judgments selected by an address, of a campaign whose results the user may read.
    ``parameters`` are additional ones of the page.

    Raises BadRequest, with a message, for an address that is invalid, or that names things that do
    not exist.
    """
    return selected_with_rights(request, campaign_id, parameters)[0]


def selected_with_rights(
    request, campaign_id: int, parameters: Iterable[str] = ()
) -> tuple[Selection, bool]:
    """Return the same, and whether the user manages the campaign."""
    site = request.build_absolute_uri("/")
    try:
        found, manages = _selection(request.user, campaign_id, request.GET, site)
        known_names.check_parameters(request.GET, parameters)
        known_names.check_names(found, request.GET)
    except ValueError as problem:
        raise BadRequest(str(problem)) from None
    return found, manages


def selected_by(user, campaign_id: int, query: QueryDict, site: str) -> Selection:
    """Return the selection of a query string that was checked before, for a user who may read the
    results. Raise ValueError, with a message, for an invalid one."""
    return _selection(user, campaign_id, query, site)[0]


def _selection(user, campaign_id: int, query: QueryDict, site: str) -> tuple[Selection, bool]:
    campaign, manages = access.campaign_and_rights(user, campaign_id)
    return replace(Selection.asked(campaign, query), site=site), manages
