"""Sends the acts among the requests through the recorder; the last of the middleware, so that its
view is the one that would be called."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponseBase

from .words import is_recorded


class AuditMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(
        self,
        request: HttpRequest,
        view: Callable[..., HttpResponseBase],
        arguments: tuple[Any, ...],
        named: dict[str, Any],
    ) -> HttpResponseBase | None:
        assert request.resolver_match is not None
        if not is_recorded(request.resolver_match.view_name or "", request.method or ""):
            return None
        from .recorder import perform

        return perform(request, view, arguments, named)
