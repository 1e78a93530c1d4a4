"""Making the requested files (`files`), in a worker."""

from __future__ import annotations

import logging
import tempfile
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, QueryDict

from judgments.models import Download, DownloadKind, DownloadPiece, JobStatus, NotWanted
from judgments.models.moments import read_moment
from judgments.models.worker_locks import DOWNLOADS
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
MAY_READ_NO_MORE = "You are no longer allowed to make this file."
Progress = Callable[[int], None]

log = logging.getLogger(__name__)


def work(download_id: int) -> bool:
    """Make a file, in a worker. Return False if nobody waits for it any more, or another worker
    makes it."""
    wanted = Download.objects.select_related("owner", "project")
    with wanted.held(download_id, DOWNLOADS, n_bytes=0) as download:
        if download is None:
            return False
        try:
            _make(download)
        except (BundleProblem, ValueError, TooSlow) as problem:
            _end(download, message=str(problem))
        except (Http404, PermissionDenied):
            _end(download, message=MAY_READ_NO_MORE)
        except NotWanted:
            return False
        except Exception:
            log.exception("A file could not be made")
            _end(download, message="The file could not be made; the log of the worker says why.")
    return True


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
        # Before anything is read: a concurrent deletion or erasure finds the file by these numbers.
        numbers = [each.pk for each in released[0]]
        if not Download.objects.filter(pk=download.pk).update(released=numbers):
            raise NotWanted
        release_project(
            project, *released, file, progress=tell, hashes_only=hashes_only, media=media
        )
    else:
        campaign = access.managed_campaign(download.owner, campaign_of(download))
        release(campaign, file, hashes_only=hashes_only, media=media)


def campaign_of(download: Download) -> int:
    assert download.campaign_id is not None  # for projects there are only releases
    return download.campaign_id


MAKERS: dict[str, Callable[[Download, Path], None]] = {
    DownloadKind.ARCHIVE: _archive,
    DownloadKind.ALL_RESULTS: _all_results,
    DownloadKind.RELEASE: _release,
    DownloadKind.RELEASE_WITH_MEDIA: partial(_release, media=True),
    DownloadKind.RELEASE_OF_HASHES: partial(_release, hashes_only=True),
}


def _selection_of(download: Download) -> Selection:
    """Return the requested selection, if its owner may still read it."""
    query = QueryDict(download.query)
    return from_address.selected_by(download.owner, campaign_of(download), query, download.site)


def _write(pieces: Iterable[bytes], file: Path, progress: Progress) -> None:
    with file.open("wb") as stream:
        for piece in pieces:
            stream.write(piece)
            progress(stream.tell())


def _progress(download: Download) -> Progress:
    """Return a callback that reports the number of bytes to the page; it raises NotWanted
    once nobody wants them. It writes on the usual connection, outside of the snapshot that is
    read."""
    last = time.monotonic()

    def tell(n_bytes: int) -> None:
        nonlocal last
        if time.monotonic() - last < LOOK:
            return
        last = time.monotonic()
        if not Download.objects.filter(pk=download.pk).advance(n_bytes=n_bytes):
            raise NotWanted

    return tell


def _end(download: Download, *, message: str = "", n_bytes: int = 0) -> None:
    """Raise NotWanted, which rolls back what was stored with it, for a discarded file."""
    status = JobStatus.FAILED if message else JobStatus.DONE
    if not Download.objects.filter(pk=download.pk).end(status, message, n_bytes=n_bytes):
        raise NotWanted
