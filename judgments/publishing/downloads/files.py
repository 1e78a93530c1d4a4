"""Files that take long to make: asked for on a page, made by a worker, kept for a day.

They are kept in the database, which is all that hosts share. Whoever makes one holds an advisory
lock of the session, so that a page can tell whether a worker has ended before its file was there.
"""

from __future__ import annotations

import logging
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, connection, transaction
from django.http import Http404, QueryDict
from django.utils import timezone

from judgments.models import Campaign, Download, DownloadKind, DownloadPiece, RunState
from judgments.models.moments import read_moment
from judgments.people import access
from judgments.publishing.archive.names import FileNames
from judgments.publishing.archive.pages import Archive
from judgments.publishing.archive.stores import zipped
from judgments.publishing.bundles.problem import BundleProblem
from judgments.publishing.bundles.release import release
from judgments.results import exports
from judgments.results.selection import from_address
from judgments.results.selection.selection import Selection
from judgments.web import limits
from judgments.web.heavy import is_large
from judgments.web.short_tasks import SHORT, SLOW
from mteval_site.deadline import TooSlow

DAY = timedelta(days=1)
PIECE = 2**20
# The first of the two keys of our advisory locks; the second is the download's.
NAMESPACE = 0x646F776E
LOOK = 1.0  # seconds between two looks at the row while a file is made
ON_ITS_WAY = (RunState.WAITING, RunState.RUNNING)
MAY_READ_NO_MORE = "You may not make this file of this campaign any more."
Progress = Callable[[int], None]

log = logging.getLogger(__name__)


class DownloadNotWanted(Exception):
    """The file was discarded while it was being made."""


# ---- Asked for ---------------------------------------------------------------------------------


@transaction.atomic
def ask(owner: Any, campaign: Campaign, kind: str, *, query: str = "", site: str) -> Download:
    """Have a file made of the judgments that `query` selects, and return it as it is on its way;
    the same one where the owner has asked for it already.

    Raises limits.Exceeded where as many are on their way as an account may have.
    """
    from judgments.publishing.downloads.tasks import forget_download, make_download

    # One after the other: each is counted with those before it.
    get_user_model().objects.select_for_update(of=("self",), no_key=True).get(pk=owner.pk)
    busy = [each for each in Download.objects.filter(owner=owner) if is_busy(each)]
    for each in busy:
        if (each.campaign_id, each.kind, each.query) == (campaign.pk, kind, query):
            return each
    most = limits.HEAVY.most_now
    if most and len(busy) >= most:
        raise limits.Exceeded(limits.HEAVY, limits.HEAVY.seconds)
    download = Download.objects.create(
        owner=owner, campaign=campaign, kind=kind, query=query, site=site
    )
    queue = SLOW if is_large(campaign.pk) else SHORT
    make_download.using(queue_name=queue).enqueue(download.pk)
    forget_download.using(run_after=timezone.now() + DAY).enqueue(download.pk)
    return download


def ask_again(download: Download) -> Download:
    """Have a file made once more that could not be made, or whose worker has ended."""
    owner, campaign = download.owner, download.campaign
    download.delete()
    return ask(owner, campaign, download.kind, query=download.query, site=download.site)


def is_busy(download: Download) -> bool:
    """Return whether a file waits for a worker or is being made."""
    return download.state == RunState.WAITING or (
        download.state == RunState.RUNNING and not is_lost(download)
    )


def is_lost(download: Download) -> bool:
    """Return whether the worker has ended that had begun to make a file."""
    return download.state == RunState.RUNNING and not _lock(
        "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = %s"
        " AND objid = %s AND granted AND database ="
        " (SELECT oid FROM pg_database WHERE datname = current_database()))",
        download.pk,
    )


def pieces_of(download: Download) -> Iterator[bytes]:
    """Yield the content of a file that was made, a megabyte at a time."""
    for piece in download.pieces.order_by("position").iterator(chunk_size=4):
        yield bytes(piece.content)


# ---- Made --------------------------------------------------------------------------------------


def work(download_id: int) -> bool:
    """Make a file, in a worker. Return False where nobody waits for it any more, or somebody else
    makes it."""
    with _begun(download_id) as download:
        if download is None:
            return False
        try:
            _make(download)
        except (BundleProblem, ValueError, TooSlow) as problem:
            _end(download, problem=str(problem))
        except (Http404, PermissionDenied):
            _end(download, problem=MAY_READ_NO_MORE)
        except DownloadNotWanted:
            return False
        except Exception:
            log.exception("A file could not be made")
            _end(download, problem="The file could not be made; the log of the worker says why.")
    return True


@contextmanager
def _begun(download_id: int) -> Iterator[Download | None]:
    """The download, running and in hand; None if nobody waits for it or somebody else has it."""
    if not _lock("SELECT pg_try_advisory_lock(%s, %s)", download_id):
        yield None
        return
    try:
        row = Download.objects.filter(pk=download_id, state__in=ON_ITS_WAY)
        changes = {"state": RunState.RUNNING, "n_bytes": 0, "moved_at": timezone.now()}
        known = Download.objects.select_related("owner").filter(pk=download_id)
        yield known.first() if row.update(**changes) else None
    finally:
        with suppress(DatabaseError):  # then the lock has gone with the session
            _lock("SELECT pg_advisory_unlock(%s, %s)", download_id)


def _lock(statement: str, download_id: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(statement, [NAMESPACE, download_id % 2**31])
        return cursor.fetchone()[0]


def _make(download: Download) -> None:
    with tempfile.TemporaryDirectory(prefix="mteval-download-") as folder:
        file = Path(folder, "file")
        MAKERS[download.kind](download, file)
        with transaction.atomic():
            with file.open("rb") as stream:
                for position, content in enumerate(iter(partial(stream.read, PIECE), b"")):
                    DownloadPiece.objects.create(
                        download=download, position=position, content=content
                    )
            _end(download, n_bytes=file.stat().st_size)


def _archive(download: Download, file: Path) -> None:
    with read_moment():
        selection = _selection_of(download)
        name = FileNames().of(selection.campaign.name)
        _write(zipped(Archive(selection).files(), name), file, _progress(download))


def _all_results(download: Download, file: Path) -> None:
    with read_moment():
        parts = exports.json_parts(_selection_of(download))
        _write((part.encode() for part in parts), file, _progress(download))


def _release(download: Download, file: Path, *, hashes_only: bool = False) -> None:
    campaign = access.managed_campaign(download.owner, download.campaign_id)
    release(campaign, file, hashes_only=hashes_only)


MAKERS: dict[str, Callable[[Download, Path], None]] = {
    DownloadKind.ARCHIVE: _archive,
    DownloadKind.ALL_RESULTS: _all_results,
    DownloadKind.RELEASE: _release,
    DownloadKind.RELEASE_OF_HASHES: partial(_release, hashes_only=True),
}


def _selection_of(download: Download) -> Selection:
    """What was asked for, as long as its owner may read it."""
    query = QueryDict(download.query)
    return from_address.selected_by(download.owner, download.campaign_id, query, download.site)


def _write(pieces: Iterable[bytes], file: Path, progress: Progress) -> None:
    with file.open("wb") as stream:
        for piece in pieces:
            stream.write(piece)
            progress(stream.tell())


def _progress(download: Download) -> Progress:
    """Return what tells the page how many bytes there are; raises DownloadNotWanted once they are
    for nobody. It writes on the usual connection, outside of the moment that is read."""
    last = time.monotonic()

    def tell(n_bytes: int) -> None:
        nonlocal last
        if time.monotonic() - last < LOOK:
            return
        last = time.monotonic()
        row = Download.objects.filter(pk=download.pk, state=RunState.RUNNING)
        if not row.update(n_bytes=n_bytes, moved_at=timezone.now()):
            raise DownloadNotWanted

    return tell


def _end(download: Download, *, problem: str = "", n_bytes: int = 0) -> None:
    """Raises DownloadNotWanted, which takes back what was stored with it, for a discarded file."""
    row = Download.objects.filter(pk=download.pk, state=RunState.RUNNING)
    state = RunState.FAILED if problem else RunState.DONE
    if not row.update(state=state, problem=problem, n_bytes=n_bytes, moved_at=timezone.now()):
        raise DownloadNotWanted
