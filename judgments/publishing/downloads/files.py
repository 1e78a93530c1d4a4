"""Files that take long to make: asked for on a page, made by a worker, kept for a day.

They are kept in the database, which is all that hosts share. Whoever makes one holds an advisory
lock of the session, so that a page can tell whether a worker has ended before its file was there.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone

from judgments.models import Campaign, Download, Project, RunState, locks
from judgments.publishing.downloads.tasks import forget_download, make_download
from judgments.web import limits
from judgments.web.heavy import is_large
from judgments.web.short_tasks import SHORT, SLOW

DAY = timedelta(days=1)


@transaction.atomic
def ask(owner: Any, of: Campaign | Project, kind: str, *, query: str = "", site: str) -> Download:
    """Have a file made of the judgments that `query` selects, or of a project, and return it as it
    is on its way; the same one where the owner has asked for it already.

    Raises limits.Exceeded where as many are on their way as an account may have.
    """
    # One after the other: each is counted with those before it.
    get_user_model().objects.select_for_update(of=("self",), no_key=True).get(pk=owner.pk)
    own = Download.objects.filter(owner=owner).select_related("campaign", "project")
    busy = [each for each in own if is_busy(each)]
    for each in busy:
        if (each.of, each.kind, each.query) == (of, kind, query):
            return each
    most = limits.HEAVY.most_now
    if most and len(busy) >= most:
        raise limits.Exceeded(limits.HEAVY, limits.HEAVY.seconds)
    named = {"campaign" if isinstance(of, Campaign) else "project": of}
    download = Download.objects.create(owner=owner, kind=kind, query=query, site=site, **named)
    queue = SLOW if isinstance(of, Project) or is_large(of.pk) else SHORT
    make_download.using(queue_name=queue).enqueue(download.pk)
    forget_download.using(run_after=timezone.now() + DAY).enqueue(download.pk)
    return download


def ask_again(download: Download) -> Download:
    """Have a file made once more that could not be made, or whose worker has ended."""
    owner, of = download.owner, download.of
    download.delete()
    return ask(owner, of, download.kind, query=download.query, site=download.site)


def is_busy(download: Download) -> bool:
    """Return whether a file waits for a worker or is being made."""
    return download.state == RunState.WAITING or (
        download.state == RunState.RUNNING and not is_lost(download)
    )


def is_lost(download: Download) -> bool:
    """Return whether the worker has ended that had begun to make a file."""
    return download.state == RunState.RUNNING and not locks.DOWNLOADS.is_taken(download.pk)


def pieces_of(download: Download) -> Iterator[bytes]:
    """Yield the content of a file that was made, a megabyte at a time."""
    for piece in download.pieces.order_by("position").iterator(chunk_size=4):
        yield bytes(piece.content)
