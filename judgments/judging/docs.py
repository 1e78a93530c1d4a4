"""The documentation: the static site that `make docs` has built, or else the guides alone."""

from django.conf import settings
from django.core.exceptions import SuspiciousFileOperation
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe
from django.views.static import serve

from judgments.web import guide as guides

FIRST = "index.html"


@require_safe
def documentation(request: HttpRequest, place: str = FIRST) -> HttpResponseBase:
    """Return a file of the documentation; where it has not been built, a guide without its
    pictures."""
    if settings.DOCS_DIR.is_dir():
        try:
            return serve(request, place, document_root=str(settings.DOCS_DIR))
        except (SuspiciousFileOperation, OSError):  # such as a name that is too long
            raise Http404("There is no such page of the documentation.") from None
    found = guides.read(place)
    if found is None and place != FIRST:
        raise Http404("There is no such page of the documentation, or it has not been built here.")
    context = {"page": found, "titles": guides.titles()}
    return render(request, "judgments/judging/guide.html", context)


@require_safe
def former_guide(request: HttpRequest, page: str) -> HttpResponseBase:
    place = "api.html" if page == "api" else f"guide/{page}.html"
    return redirect("docs-page", place, permanent=True)
