"""Sends the acts among the requests through the recorder; the last of the middleware, so that its
view is the one that would be called."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponseBase

from judgments import limits
from judgments.request_limits import refused

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

        try:
            return perform(request, view, arguments, named)
        except limits.Exceeded as exceeded:
            # Django asks no `process_exception` about what a `process_view` has raised.
            return refused(request, exceeded)
