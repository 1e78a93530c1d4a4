"""Pages of the site as a whole."""

from django.core.exceptions import BadRequest
from django.http import JsonResponse
from django.shortcuts import render
from django.views.defaults import page_not_found

from judgments.access import Removed


def bad_request(request, exception):
    """What cannot be understood, and why where that is known."""
    known = exception.args[0] if isinstance(exception, BadRequest) and exception.args else ""
    return render(request, "400.html", {"problem": known}, status=400)


def not_found(request, exception):
    """Nothing here; who was removed from a campaign reads that they were."""
    if not isinstance(exception, Removed):
        return page_not_found(request, exception)
    if request.headers.get("Accept") == "application/json":  # the script that sends answers
        return JsonResponse({"problem": "removed"}, status=404)
    return render(request, "judgments/removed.html", status=404)
