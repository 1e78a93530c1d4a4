"""What every request passes."""

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
    """Refuse a body in another encoding: some of them decode to halves of characters, which no
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
    """Content-Security-Policy, put into words once. Where a view has altered it, for instance with
    a decorator of django-csp, that library does so for the answer. There are no nonces."""

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
    """Tell the script that sends a form with files (files-kept.js) where a redirect leads, and let
    it go there: `fetch` would follow, and show the messages of that page to nobody."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.status_code == 302 and "X-Keeps-Files" in request.headers:
            response.status_code = 200
        return response

    return middleware


def not_kept(get_response: Next) -> Next:
    """Have no browser or proxy keep what somebody signed in has seen, or a program with a token:
    pages, files and refusals alike. Static files were answered before, and what says by itself how
    long it may be kept (sounds and pictures, the worker's script) goes on saying so."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        cookie = settings.SESSION_COOKIE_NAME
        is_known = cookie in request.COOKIES or "Authorization" in request.headers
        if is_known or cookie in response.cookies:
            response.headers.setdefault("Cache-Control", "no-store")
        return response

    return middleware


def in_time(get_response: Next) -> Next:
    """Return what is asked for has a limit of time, looked at before each statement; what is sent,
    such as an import, is bounded by the size of its file and the time of its statements."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.method not in ("GET", "HEAD"):
            return get_response(request)
        with (
            deadline.limit(settings.REQUEST_TIMEOUT),
            connection.execute_wrapper(deadline.heed),
        ):
            return get_response(request)

    return middleware
