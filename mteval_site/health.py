"""Whether the site is alive and whether it can serve, in plain text, for monitors and balancers.

They are answered before anything else looks at the request: whatever host name it uses, over HTTP
too, and without a session. They say nothing about the installation.
"""

import contextlib
import functools
from collections.abc import Callable
from pathlib import Path

from django.apps import apps
from django.db import DatabaseError, InterfaceError, connection
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe


@require_safe
@never_cache
def live(request: HttpRequest) -> HttpResponse:
    """200 while the process answers, whatever the state of the database is."""
    return said("alive")


@require_safe
@never_cache
def ready(request: HttpRequest) -> HttpResponse:
    """200 while the database answers and has every migration of this version, else 503."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT app, name FROM django_migrations")
            n_missing = len(migrations() - set(cursor.fetchall()))
    except (DatabaseError, InterfaceError):
        return said("the database does not answer", 503)
    if n_missing:
        return said(f"{n_missing} migrations are to be applied", 503)
    return said("ready")


def said(text: str, status: int = 200) -> HttpResponse:
    headers = {"Retry-After": "5"} if status == 503 else {}
    return HttpResponse(
        f"{text}\n", status=status, headers=headers, content_type="text/plain; charset=utf-8"
    )


@functools.cache
def migrations() -> set[tuple[str, str]]:
    """App and name of all that there are, by their files; none is imported."""
    return {
        (config.label, file.stem)
        for config in apps.get_app_configs()
        for file in Path(config.path).glob("migrations/[!_]*.py")
    }


VIEWS = {"/health/": ready, "/health/ready/": ready, "/health/live/": live}


def middleware(get_response: Callable) -> Callable:
    """Comes first. The views have addresses in urls.py, too: whoever walks those finds them."""

    def answer(request: HttpRequest) -> HttpResponse:
        view = VIEWS.get(request.path_info)
        if view is None:
            return get_response(request)
        with contextlib.suppress(Resolver404):
            request.resolver_match = resolve(request.path_info)  # by which requests are counted
        return view(request)

    return answer
