"""Make the files that were asked for (`files`), in a worker."""

from __future__ import annotations

import logging
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, transaction
from django.http import Http404, QueryDict
from django.utils import timezone

from judgments.models import Download, DownloadKind, DownloadPiece, RunState, locks
from judgments.models.moments import read_moment
from judgments.people import access
from judgments.publishing.archive.names import FileNames
from judgments.publishing.archive.pages import Archive
from judgments.publishing.archive.stores import zipped
from judgments.publishing.bundles.problem import BundleProblem
from judgments.publishing.bundles.project import release_project
from judgments.publishing.bundles.release import release
from judgments.results import exports
from judgments.results.selection import from_address
from judgments.results.selection.selection import Selection
from mteval_site.deadline import TooSlow

PIECE = 2**20
LOOK = 1.0  # seconds between two looks at the row while a file is made
ON_ITS_WAY = (RunState.WAITING, RunState.RUNNING)
MAY_READ_NO_MORE = "You are no longer allowed to make this file."
Progress = Callable[[int], None]

log = logging.getLogger(__name__)


class DownloadNotWanted(Exception):
    """The file was discarded while it was being made."""


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
    if not locks.DOWNLOADS.take(download_id):
        yield None
        return
    try:
        row = Download.objects.filter(pk=download_id, state__in=ON_ITS_WAY)
        changes = {"state": RunState.RUNNING, "n_bytes": 0, "moved_at": timezone.now()}
        known = Download.objects.select_related("owner", "project").filter(pk=download_id)
        yield known.first() if row.update(**changes) else None
    finally:
        with suppress(DatabaseError):  # then the lock has gone with the session
            locks.DOWNLOADS.let_go(download_id)


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


def _release(
    download: Download, file: Path, *, hashes_only: bool = False, media: bool = False
) -> None:
    if download.project:
        project = access.managed_project(download.owner, download.project.slug)
        released = access.released_campaigns(download.owner, project)
        tell = _progress(download)
        # Before anything is read: whoever deletes or erases meanwhile finds the file by them.
        numbers = [each.pk for each in released[0]]
        if not Download.objects.filter(pk=download.pk).update(released=numbers):
            raise DownloadNotWanted
        release_project(
            project, *released, file, progress=tell, hashes_only=hashes_only, media=media
        )
    else:
        campaign = access.managed_campaign(download.owner, campaign_of(download))
        release(campaign, file, hashes_only=hashes_only, media=media)


def campaign_of(download: Download) -> int:
    assert download.campaign_id is not None  # projects are released, nothing else
    return download.campaign_id


MAKERS: dict[str, Callable[[Download, Path], None]] = {
    DownloadKind.ARCHIVE: _archive,
    DownloadKind.ALL_RESULTS: _all_results,
    DownloadKind.RELEASE: _release,
    DownloadKind.RELEASE_WITH_MEDIA: partial(_release, media=True),
    DownloadKind.RELEASE_OF_HASHES: partial(_release, hashes_only=True),
}


def _selection_of(download: Download) -> Selection:
    """Return what was asked for, as long as its owner may read it."""
    query = QueryDict(download.query)
    return from_address.selected_by(download.owner, campaign_of(download), query, download.site)


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
    """Raise DownloadNotWanted, which takes back what was stored with it, for a discarded file."""
    row = Download.objects.filter(pk=download.pk, state=RunState.RUNNING)
    state = RunState.FAILED if problem else RunState.DONE
    if not row.update(state=state, problem=problem, n_bytes=n_bytes, moved_at=timezone.now()):
        raise DownloadNotWanted
