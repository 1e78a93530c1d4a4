"""Whether the site is alive and whether it can serve, in plain text, for monitors and balancers.

They are answered before anything else looks at the request: whatever host name it uses, over HTTP
too, and without a session. They say nothing about the installation.
"""

import contextlib
import functools
import io
import shutil
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import psycopg2
from django.apps import apps
from django.conf import settings
from django.core.handlers.wsgi import WSGIRequest
from django.db import DatabaseError, InterfaceError, connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import resolve_url
from django.urls import Resolver404, get_script_prefix, resolve
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from mteval_site.local import upkeep

GOOD_FOR, BAD_FOR = 5.0, 1.0  # seconds for which what was found is told again
LEAST_FREE = 32 << 20  # bytes; PostgreSQL asks for 16 MB at once for a file of its log
# What `ready` says; the supervisor repairs by these words (mteval_site/local/readiness.py).
NO_DATABASE = "the database does not answer"
NO_STATIC_FILES = "static files are missing"
NO_DISK = "the disk is full or cannot be written"
NO_PAGE = "pages cannot be drawn"


@require_safe
@never_cache
def live(request: HttpRequest) -> HttpResponse:
    """Return 200 while the process answers, whatever the state of the database is."""
    return said("alive")


@require_safe
@never_cache
def ready(request: HttpRequest) -> HttpResponse:
    """Return 200 while the database answers and has every migration of this version, else 503.

    `middleware` answers so, too, where `Whole` finds something wrong.
    """
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT app, name FROM django_migrations")
            n_missing = len(migrations() - set(cursor.fetchall()))
    except (DatabaseError, InterfaceError):
        return said(NO_DATABASE, 503)
    if n_missing:
        return said(f"{n_missing} migrations have not been applied", 503)
    return said("ready")


def said(text: str, status: int = 200) -> HttpResponse:
    headers = {"Retry-After": "5"} if status == 503 else {}
    return HttpResponse(
        f"{text}\n", status=status, headers=headers, content_type="text/plain; charset=utf-8"
    )


@functools.cache
def migrations() -> set[tuple[str, str]]:
    """Return app and name of all that there are, by their files; none is imported."""
    return {
        (config.label, file.stem)
        for config in apps.get_app_configs()
        for file in Path(config.path).glob("migrations/[!_]*.py")
    }


class Whole:
    """What costs more to look at: looked at by one thread at a time, and kept for some seconds, so
    that nobody makes the site work by asking."""

    def __init__(self, draw: Callable[[HttpRequest], HttpResponse]) -> None:
        self.draw = draw
        self.looking = threading.Lock()
        self.problem = ""
        self.told_until = 0.0  # of a monotonic clock; 0 before the first look

    def look(self) -> str:
        """Return what is wrong, or an empty text."""
        is_old = time.monotonic() >= self.told_until
        # While another thread looks, what was found before is told.
        if is_old and self.looking.acquire(blocking=not self.told_until):
            try:
                self.problem = self.look_now()
                self.told_until = time.monotonic() + (BAD_FOR if self.problem else GOOD_FOR)
            finally:
                self.looking.release()
        return self.problem

    def look_now(self) -> str:
        if not can_connect():
            return NO_DATABASE
        if upkeep.missing_static(settings):
            return NO_STATIC_FILES
        if not has_room(Path(settings.VAR_DIR)):
            return NO_DISK
        return "" if self.draw(page_request()).status_code < 400 else NO_PAGE


def can_connect() -> bool:
    """Return whether the database takes a new connection; the kept ones may outlive its socket."""
    try:
        with upkeep.connected(connection.settings_dict) as new, new.cursor() as cursor:
            cursor.execute("SELECT 1")
    except psycopg2.Error:
        return False
    return True


def has_room(folder: Path) -> bool:
    """Return whether a file can be written there, with some room beside it."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"mteval")
        return shutil.disk_usage(folder).free >= LEAST_FREE
    except OSError:
        return False


def page_request() -> HttpRequest:
    """Return a visitor's request for the page to sign in, which needs no rows of the database."""
    names = [name.lstrip(".") for name in settings.ALLOWED_HOSTS if name != "*"]
    name = names[0] if names else "localhost"
    scheme = "https" if settings.HTTPS else "http"
    environ = {
        "REQUEST_METHOD": "GET",
        "PATH_INFO": "/" + resolve_url(settings.LOGIN_URL).removeprefix(get_script_prefix()),
        "QUERY_STRING": "",
        "SERVER_NAME": name,
        "SERVER_PORT": "443" if settings.HTTPS else "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "HTTP_HOST": name,
        "HTTP_X_FORWARDED_PROTO": scheme,
        "wsgi.url_scheme": scheme,
        "wsgi.input": io.BytesIO(),
    }
    return WSGIRequest(environ)


VIEWS = {"/health/": ready, "/health/ready/": ready, "/health/live/": live}


def middleware(get_response: Callable) -> Callable:
    """Comes first. The views have addresses in urls.py, too: whoever walks those finds them."""
    whole = Whole(get_response)

    def answer(request: HttpRequest) -> HttpResponse:
        view = VIEWS.get(request.path_info)
        if view is None:
            return get_response(request)
        with contextlib.suppress(Resolver404):
            request.resolver_match = resolve(request.path_info)  # by which requests are counted
        response = view(request)
        if view is ready and response.status_code == 200 and (problem := whole.look()):
            return said(problem, 503)
        return response

    return answer
