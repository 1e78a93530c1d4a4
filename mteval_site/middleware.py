"""What every request passes."""

import codecs
from collections.abc import Callable

from csp.constants import HEADER
from csp.utils import build_policy
from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest

from judgments import deadline
from judgments.problems import is_for_programs, refusal

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


def policy(get_response: Next) -> Next:
    """Content-Security-Policy, the same on every answer, put into words once by django-csp. Its own
    middleware does so for each answer, in case a view alters it; one that needs another sets it."""
    header = build_policy()

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault(HEADER, header)
        return response

    return middleware


def in_time(get_response: Next) -> Next:
    """What is asked for has a limit of time, looked at before each statement; what is sent, such as
    an import, is bounded by the size of its file and the time of its statements."""

    def before_statement(execute, sql, parameters, many, context):
        deadline.left()
        return execute(sql, parameters, many, context)

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.method not in ("GET", "HEAD"):
            return get_response(request)
        with (
            deadline.limit(settings.REQUEST_TIMEOUT),
            connection.execute_wrapper(before_statement),
        ):
            return get_response(request)

    return middleware
