"""Pages of the site as a whole."""

import sys

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.defaults import page_not_found, permission_denied, server_error

from mteval_site import databases
from mteval_site.deadline import TooSlow
from mteval_site.problems import Removed, is_for_programs, refusal

RETRY_AFTER = "2"  # seconds; a killed database is back sooner than that


def bad_request(request, exception):
    """Answer an invalid request, with the reason if it is known."""
    known = exception.args[0] if isinstance(exception, BadRequest) and exception.args else ""
    if is_for_programs(request):
        return refusal(request, 400, known or "The request cannot be understood.")
    return render(request, "400.html", {"problem": known}, status=400)


def failure(request: HttpRequest) -> HttpResponse:
    """Answer 503 if the site cannot answer now; anything else is a bug, with 500.

    Django calls this while it handles the exception, whether a view, the rendering of its template
    or a middleware has raised it, which no middleware of ours would see.
    """
    error = sys.exc_info()[1]
    if isinstance(error, TooSlow) or databases.is_canceled(error):
        return unavailable(request, is_slow=True)
    if databases.is_away(error) or databases.is_busy(error):
        return unavailable(request)
    if is_for_programs(request):
        return refusal(request, 500, "Something went wrong. The error was written to the log.")
    return server_error(request)


def unavailable(request: HttpRequest, *, is_slow: bool = False) -> HttpResponse:
    """Return a page, or one line for programs and for scripts of pages. Makes no database
    queries."""
    detail = (
        f"This took longer than {settings.REQUEST_TIMEOUT} s. Ask for less: filter, or use exports."
        if is_slow
        else "The site cannot reach its database. Try again in a few seconds."
    )
    # The database may have gone during a commit, so that the outcome is unknown.
    was_sent = request.method not in ("GET", "HEAD")
    if was_sent:
        detail += " What you sent may not be stored."
    headers = {"Cache-Control": "no-store"}
    if not is_slow:  # the same request would take as long again
        headers["Retry-After"] = RETRY_AFTER
    if is_for_programs(request):
        return refusal(request, 503, detail, headers)
    if request.accepts("text/html") is False:
        return JsonResponse({"detail": detail}, status=503, headers=headers)
    if "X-Rows" in request.headers or "HX-Request" in request.headers:
        return HttpResponse(f"{detail}\n", status=503, headers=headers, content_type="text/plain")
    again = request.get_full_path() if request.method == "GET" else ""
    context = {"is_slow": is_slow, "seconds": settings.REQUEST_TIMEOUT, "again": again}
    context["was_sent"] = was_sent
    return HttpResponse(render_to_string("503.html", context), status=503, headers=headers)


def not_found(request, exception):
    """Answer 404; people who were removed from a campaign are informed of it."""
    if is_for_programs(request):
        return refusal(request, 404, "There is nothing at this address.")
    was_removed = isinstance(exception, Removed)
    if sends_answers(request):
        return JsonResponse({"problem": "removed" if was_removed else "gone"}, status=404)
    if was_removed:
        return render(request, "judgments/web/removed.html", status=404)
    return page_not_found(request, exception)


def forbidden(request, exception):
    """Answer 403 for this user's role, for example to a former annotator."""
    if sends_answers(request):
        return JsonResponse({"problem": "role"}, status=403)
    return permission_denied(request, exception)


def sends_answers(request: HttpRequest) -> bool:
    """Return whether the request is from the script that sends answers, which tells people why one
    was not stored."""
    return request.method == "POST" and request.headers.get("Accept") == "application/json"
