"""An act and its row in the log, together or not at all. Loads little: views of judging pages stand
beside those that act."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from django.core.exceptions import PermissionDenied
from django.db import connection, transaction
from django.http import HttpRequest

if TYPE_CHECKING:
    from .recorder import Draft

Done = TypeVar("Done")

# What may be done with what is archived: take it as a file, restore, delete it.
IN_AN_ARCHIVE = (
    *("export", "download", "project-release", "project-download"),
    *("campaign-archive", "campaign-delete", "project-archive", "project-delete"),
)
ARCHIVED = (
    "This is archived, so nothing was changed. Restore it first, with the button on its page."
)
WRITTEN = """
SELECT pg_current_xact_id_if_assigned() IS NOT NULL,
    EXISTS (SELECT FROM judgments_campaign WHERE id = %s AND archived_at IS NOT NULL)
    OR EXISTS (SELECT FROM judgments_project WHERE slug = %s AND archived_at IS NOT NULL)
"""


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
        is_written, is_archived = what_was_written(act.named)
        if is_written:
            if is_archived and not act.name.startswith(IN_AN_ARCHIVE):
                raise PermissionDenied(ARCHIVED)
            act.done()


def acted(request: HttpRequest, act: Callable[[], Done]) -> Callable[[], Done]:
    """Return what calls `act` as one act of a request."""

    def do() -> Done:
        with acting(request):
            return act()

    return do


def what_was_written(named: Mapping[str, Any]) -> tuple[bool, bool]:
    """Return whether this transaction has changed a row (only such have a number in PostgreSQL),
    and whether the campaign or the project that an address names is archived."""
    campaign = named.get("campaign_id")
    pk = campaign if isinstance(campaign, int) and campaign < 2**63 else None
    with connection.cursor() as cursor:
        cursor.execute(WRITTEN, [pk, str(named.get("project", ""))])
        return cursor.fetchone()
