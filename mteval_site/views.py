"""Pages of the site as a whole."""

from django.core.exceptions import BadRequest
from django.shortcuts import render


def bad_request(request, exception):
    """What cannot be understood, and why where that is known."""
    known = exception.args[0] if isinstance(exception, BadRequest) and exception.args else ""
    return render(request, "400.html", {"problem": known}, status=400)
