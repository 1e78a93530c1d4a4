"""Middleware that recognizes acts among requests. An act is stored with its row where it is done
(`acting`); sign-ins, downloads, refusals and failures are recorded here."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponseBase

from .words import is_recorded


class AuditMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if act := getattr(request, "act", None):
            act.answered(response)
        return response

    def process_view(
        self,
        request: HttpRequest,
        view: Callable[..., HttpResponseBase],
        arguments: tuple[Any, ...],
        named: dict[str, Any],
    ) -> None:
        assert request.resolver_match is not None
        name = request.resolver_match.view_name or ""
        if is_recorded(name, request.method or ""):
            from .recorder import Draft

            request.act = Draft(request, name, named)  # type: ignore[attr-defined]

    def process_exception(self, request: HttpRequest, problem: Exception) -> None:
        if act := getattr(request, "act", None):
            act.failed(problem)
