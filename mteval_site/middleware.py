"""Middleware for every request."""

import codecs
from collections.abc import Callable

from csp.constants import HEADER
from csp.middleware import CSPMiddleware
from csp.utils import build_policy
from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest

from mteval_site import deadline
from mteval_site.problems import is_for_programs, refusal

Next = Callable[[HttpRequest], HttpResponse]


def only_utf8(get_response: Next) -> Next:
    """Reject a body in another encoding: some of them decode to halves of characters, which no
    database stores. Browsers send forms as UTF-8 and name no encoding."""

    def middleware(request: HttpRequest) -> HttpResponse:
        named = (request.content_params or {}).get("charset", "utf-8")
        try:
            is_utf8 = codecs.lookup(named).name == "utf-8"
        except LookupError:
            is_utf8 = False
        if not is_utf8 and is_for_programs(request):
            return refusal(request, 400, "Send the text as UTF-8.")
        if not is_utf8:
            return HttpResponseBadRequest("Send the text as UTF-8.", content_type="text/plain")
        return get_response(request)

    return middleware


class PolicyMiddleware(CSPMiddleware):
    """Content-Security-Policy, rendered once. If a view has altered it, for instance with a
    decorator of django-csp, that library renders it for the response. There are no nonces."""

    def __init__(self, get_response: Next) -> None:
        super().__init__(get_response)
        self.usual = build_policy()

    def process_request(self, request: HttpRequest) -> None:
        pass

    def process_response(self, request, response):
        if any(name.startswith("_csp_") for name in vars(response)):
            return super().process_response(request, response)
        response.headers.setdefault(HEADER, self.usual)
        return response


def led_by_script(get_response: Next) -> Next:
    """Tell the script that sends a form with files (files-kept.js) where a redirect leads, and
    leave that to it: `fetch` would follow it, and the messages of that page would be lost."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.status_code == 302 and "X-Keeps-Files" in request.headers:
            response.status_code = 200
        return response

    return middleware


def not_kept(get_response: Next) -> Next:
    """Prevent browsers and proxies from storing responses to signed-in users, or to programs with a
    token: pages, files and errors alike. Static files were answered earlier, and responses with
    their own caching headers (sounds and pictures, the worker's script) keep them."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        cookie = settings.SESSION_COOKIE_NAME
        is_known = cookie in request.COOKIES or "Authorization" in request.headers
        if is_known or cookie in response.cookies:
            response.headers.setdefault("Cache-Control", "no-store")
        return response

    return middleware


def in_time(get_response: Next) -> Next:
    """Limit the time of GET requests, checked before each statement; uploads, such as imports, are
    bounded by the size of the file and the time of their statements."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.method not in ("GET", "HEAD"):
            return get_response(request)
        with (
            deadline.limit(settings.REQUEST_TIMEOUT),
            connection.execute_wrapper(deadline.heed),
        ):
            return get_response(request)

    return middleware
