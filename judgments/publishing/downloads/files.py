"""Files that take long to make: requested on a page, made by a worker, stored for a day.

They are stored in the database, which is all that hosts share. The worker holds an advisory lock of
the session, so that a page can recognize whether it ended before its file was complete.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone

from judgments.models import Campaign, Download, JobStatus, Project
from judgments.models.worker_locks import DOWNLOADS
from judgments.publishing.downloads.tasks import forget_download, make_download
from judgments.web import limits
from judgments.web.heavy import is_large
from judgments.web.short_tasks import SHORT, SLOW

DAY = timedelta(days=1)


@transaction.atomic
def ask(owner: Any, of: Campaign | Project, kind: str, *, query: str = "", site: str) -> Download:
    """Request a file of the judgments that `query` selects, or of a project, and return the pending
    download; the same one if the owner has already requested it.

    Raises limits.Exceeded if the account has as many pending files as it may have.
    """
    # One after the other: each is counted together with those before it.
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
    """Request a file again that could not be made, or whose worker has ended."""
    owner, of = download.owner, download.of
    download.delete()
    return ask(owner, of, download.kind, query=download.query, site=download.site)


def is_busy(download: Download) -> bool:
    """Return whether a file waits for a worker or is being made."""
    return download.is_active and not is_lost(download)


def is_lost(download: Download) -> bool:
    """Return whether the worker that was making a file has ended."""
    return download.status == JobStatus.RUNNING and not DOWNLOADS.is_taken(download.pk)


def pieces_of(download: Download) -> Iterator[bytes]:
    """Yield the content of a finished file, a megabyte at a time."""
    for piece in download.pieces.order_by("position").iterator(chunk_size=4):
        yield bytes(piece.content)
