"""A web process gets ready for its first page of results once it answers.

Views of results are imported with the first request for one (`lazy_views`), and templates are
compiled when they are first drawn: .9 s of processor for whoever comes first, in each process. So a
thread does both when the process has been up for some seconds, beside what it answers meanwhile.
"""

import gc
import threading
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.template.loader import get_template
from django.urls import URLPattern, URLResolver, get_resolver

from mteval_site.lazy_views import LazyView

AFTER = 4.0  # seconds, in which a start is over


def warm_up_later() -> None:
    timer = threading.Timer(AFTER, warm_up)
    timer.daemon = True
    timer.start()


def warm_up() -> None:
    for view in lazy_views(get_resolver()):
        view.view  # noqa: B018  imports its module
    for name in templates():
        get_template(name)
    gc.collect()
    gc.freeze()  # as in wsgi.py: it is here to stay


def lazy_views(resolver: URLResolver) -> Iterator[LazyView]:
    for entry in resolver.url_patterns:
        if isinstance(entry, URLResolver):
            yield from lazy_views(entry)
        elif isinstance(entry, URLPattern) and isinstance(entry.callback, LazyView):
            yield entry.callback


def templates() -> Iterator[str]:
    """Yield the names of all of ours."""
    folder = Path(settings.BASE_DIR) / "templates"
    yield from (path.relative_to(folder).as_posix() for path in folder.rglob("*.html"))
