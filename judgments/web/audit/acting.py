"""An act and its row in the log, together or not at all. Loads little: views of judging pages stand
beside those that act."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from django.db import connection, transaction
from django.http import HttpRequest

if TYPE_CHECKING:
    from .recorder import Draft

Done = TypeVar("Done")


@contextmanager
def acting(request: HttpRequest) -> Iterator[Draft]:
    """Store what is written in the block with its row in the log, in one transaction.

    The block is where the act is done, not the view: nothing is read there that could be read
    before, and nothing drawn. Yields the act, which can be told what was made, such as
    `act.made(test_set_id=7)`. Nothing is recorded of a block that has written nothing.
    """
    act: Draft = request.act  # type: ignore[attr-defined]
    with transaction.atomic():
        act.is_open = True
        try:
            yield act
        finally:
            act.is_open = False
        if something_was_written():
            act.done()


def acted(request: HttpRequest, act: Callable[[], Done]) -> Callable[[], Done]:
    """Return what calls `act` as one act of a request."""

    def do() -> Done:
        with acting(request):
            return act()

    return do


def something_was_written() -> bool:
    """Return whether this transaction has changed a row: only such have a number in PostgreSQL."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_current_xact_id_if_assigned() IS NOT NULL")
        return cursor.fetchone()[0]
