"""One moment of the database, for whatever is read in many statements: exports, reports, lists.

A statement sees what is stored when it begins; of ten statements each may see another answer more.
docs/decisions/0040-one-moment.md says how the moment is kept apart from the request's connection.
"""

from __future__ import annotations

import functools
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.http import FileResponse, HttpRequest, HttpResponseBase, StreamingHttpResponse

from mteval_site import deadline

# At once in a process, each with a connection; as many as `./run` has threads in a process.
MOST = 4
_room = threading.BoundedSemaphore(MOST)
# The alias of the connection that reads are sent to; empty outside of a moment.
_alias: ContextVar[str] = ContextVar("alias", default="")


class Router:
    """Sends what is read in a moment to its connection. All connections are to one database, and
    all but one of them only read."""

    def db_for_read(self, model: type, **hints: Any) -> str:
        return alias()

    def db_for_write(self, model: type, **hints: Any) -> str:
        return DEFAULT_DB_ALIAS

    def allow_relation(self, one: Any, other: Any, **hints: Any) -> bool:
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        return db == DEFAULT_DB_ALIAS


def alias() -> str:
    """Return the alias of the connection to read from now."""
    return _alias.get() or DEFAULT_DB_ALIAS


def connection_to_read() -> BaseDatabaseWrapper:
    """Return the connection to read from now, for statements that no model makes."""
    return connections[alias()]


@contextmanager
def read_moment() -> Iterator[None]:
    """Have everything that is read in the block be of one moment, while others go on writing.

    The block has a connection of its own (REPEATABLE READ, READ ONLY), which is closed at its end.
    What was read before the block is of another moment, a selection among it. At most MOST blocks
    run at once in a process; another one waits for room.

    Raises RuntimeError inside of another moment, which would not be this one, and inside of a
    transaction, whose rows would not be seen; TooSlow when there is no room in the time of the
    request.
    """
    if _alias.get():
        raise RuntimeError("There is a moment already; a second one would be another.")
    usual, name = connections[DEFAULT_DB_ALIAS], settings.MOMENT_DATABASE
    # A test's rows are in a transaction that no other connection sees: there alone nothing is set.
    is_shared = name == DEFAULT_DB_ALIAS
    is_inside = usual.in_atomic_block
    if is_inside and not is_shared:
        raise RuntimeError("A moment would not see what this transaction has written.")
    with deadline.in_turn(_room):
        token = _alias.set(name)
        try:
            with transaction.atomic(using=name), connections[name].execute_wrapper(deadline.heed):
                if not is_inside:
                    with connections[name].cursor() as cursor:
                        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                yield
        finally:
            _alias.reset(token)
            if not is_shared:
                connections[name].close()


def at_one_moment(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Return a view that reads in one moment; it must write nothing.

    What it would send piece by piece is written to a temporary file first: whoever takes a file
    slowly, or goes away, keeps no moment open, and what goes wrong is said before anything is sent.
    """

    @functools.wraps(view)
    def at_moment(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        with read_moment():
            response = view(request, *args, **kwargs)
            if isinstance(response, StreamingHttpResponse):
                return _written(response)
            return response

    return at_moment


def _written(response: StreamingHttpResponse) -> FileResponse:
    """Return the same answer from a file. It has all the time it needs, as one that is sent has.
    The given one is not closed, which would tell Django that the request is over: its pieces end by
    being taken."""
    file = tempfile.TemporaryFile(prefix="mteval-")  # noqa: SIM115
    try:
        with deadline.limit(float("inf")):
            for piece in response:
                file.write(piece)
        file.seek(0)
    except BaseException:
        file.close()
        raise
    written = FileResponse(file, content_type=response["Content-Type"])
    for name, value in response.items():
        written[name] = value
    return written
