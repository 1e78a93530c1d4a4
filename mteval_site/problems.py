"""Refusals in the form that programs read: problem details, as RFC 9457 defines them."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.http import Http404, HttpRequest, JsonResponse

CONTENT_TYPE = "application/problem+json"
API = "/api/"
# What a status means is all that there is to say of the kind of a problem (RFC 9457, 4.2.1).
NO_KIND = "about:blank"


def is_for_programs(request: HttpRequest) -> bool:
    return request.path_info.startswith(API)


def problem(request: HttpRequest, status: int, detail: str, **more: Any) -> dict[str, Any]:
    """Return the members of a problem; ``more``: those that extend it, such as `errors`.
    ``instance`` is the address that was asked for, without its query."""
    title = HTTPStatus(status).phrase
    named = {"type": NO_KIND, "title": title, "status": status, "detail": detail or title}
    return named | {"instance": request.path_info} | more


def refusal(
    request: HttpRequest, status: int, detail: str, headers: dict[str, str] | None = None
) -> JsonResponse:
    """Return the answer where no view of the API gives one."""
    said = problem(request, status, detail)
    return JsonResponse(said, status=status, headers=headers, content_type=CONTENT_TYPE)


class Removed(Http404):
    """Of somebody who took part: they are outsiders now, but may know why."""
