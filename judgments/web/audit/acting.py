"""An act and its row in the log, both or neither. It imports little, since modules with acting
views also have views of judging pages."""

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

# What may be done with archived campaigns: download, restore, delete.
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
    """Store changes made in the block and their row in the log, in one transaction.

    The block contains only the act, not the whole view: it reads nothing that could be read before,
    and renders nothing. Yields the act, to which the created objects can be added, such as
    `act.made(test_set_id=7)`. A block that has changed nothing is not recorded.
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
    """Return a function that calls `act` as one act of a request."""

    def do() -> Done:
        with acting(request):
            return act()

    return do


def what_was_written(named: Mapping[str, Any]) -> tuple[bool, bool]:
    """Return whether this transaction has changed a row (only such transactions have a number in
    PostgreSQL), and whether the campaign or project named in the address is archived."""
    campaign = named.get("campaign_id")
    pk = campaign if isinstance(campaign, int) and campaign < 2**63 else None
    with connection.cursor() as cursor:
        cursor.execute(WRITTEN, [pk, str(named.get("project", ""))])
        return cursor.fetchone()
