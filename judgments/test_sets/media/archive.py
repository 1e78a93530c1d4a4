"""Media imported with texts: an archive of files, and rows that name them."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from judgments.files import ImportProblem
from judgments.files.lines import name_of
from judgments.files.media_rows import MediaRow
from judgments.files.problem import shortened
from judgments.files.texts import SegmentTexts
from judgments.files.uploads import LITTER, unpack
from judgments.models import MediaFile, SegmentMedia, TestSet
from judgments.test_sets.media.tasks import sweep_media
from mteval_site.shared_files import StoreAway

from . import store
from .in_releases import left_in, of_release
from .kinds import HEAD, SPOKEN, VTT, fits_name, kind_of
from .lengths import seconds_of

TABLES = (".tsv", ".csv", ".jsonl")
LONGEST_CAPTIONS = 2**20  # bytes
AFTER_IMPORT = timedelta(hours=25)  # more than the day for which `sweep_media` leaves files alone
NamingRow = SegmentTexts | MediaRow


class MediaArchive:
    """The files of an archive, by their paths in it or below its only folder. archive: its name,
    for messages. keeps: whether they are stored, or only checked in a trial run."""

    def __init__(self, files: Mapping[str, Path], archive: str, *, keeps: bool = True) -> None:
        self.files = files
        self.archive = archive
        self.keeps = keeps
        self.hashes: set[str] = set()
        self.known: dict[str, MediaFile] = {}
        self.there: dict[str, MediaFile] = {}
        self.n_bytes = 0

    @property
    def names(self) -> list[str]:
        """The shortest name of each file, except tables."""
        shortest = {path: name for name, path in reversed(list(self.files.items()))}
        return [name for name in shortest.values() if not name.endswith(TABLES)]

    @property
    def unused(self) -> list[str]:
        """Files that no row named, except tables."""
        used = {self.files[name] for name in self.known}
        return [name for name in self.names if self.files[name] not in used]

    @property
    def has_table(self) -> bool:
        return any(name.endswith(TABLES) for name in self.files)

    def join(self, test_set: TestSet) -> None:
        """Load the files of a test set that already has some: they count, and keep their names."""
        self.there = {each.name: each for each in test_set.media.all()}
        self.n_bytes = sum(each.n_bytes for each in self.there.values())

    def table(self) -> Path:
        """Return the only table in it. Raise ImportProblem."""
        found = [path for name, path in self.files.items() if name.endswith(TABLES)]
        if len(found) != 1:
            what = "no table" if not found else f"{len(found)} tables"
            reason = (
                f"it contains {what}. Put one .tsv, .csv or .jsonl in it, or upload it separately."
            )
            raise ImportProblem(self.archive, None, "", reason)
        return found[0]

    def attach(self, test_set: TestSet, rows: Sequence[tuple[int, NamingRow]]) -> None:
        """Store the media named by the rows (id of the segment, texts). Raise ImportProblem."""
        made = []
        for segment, row in rows:
            place = row.media
            if place is None:
                continue
            captions = None
            if place.captions:
                captions = self.file(test_set, row, "captions", place.captions)
            made.append(
                SegmentMedia(
                    segment_id=segment,
                    file=self.file(test_set, row, "media", place.file),
                    captions=captions,
                    start=place.start,
                    end=place.end,
                )
            )
        SegmentMedia.objects.bulk_create(made)

    def file(self, test_set: TestSet, row: NamingRow, column: str, name: str) -> MediaFile:
        """Return the stored file of a name. Raise ImportProblem."""

        def problem(reason: str) -> ImportProblem:
            return ImportProblem(row.file, row.row, column if row.row else "", reason)

        found = self.known.get(name)
        if found is None:
            path = self.files.get(name)
            if path is None:
                raise problem(f"{self.archive} contains no file {shortened(name)}.")
            found = self._stored(test_set, name, path, problem)
        if (found.kind == VTT) != (column == "captions"):
            what = "captions" if found.kind == VTT else "sound, picture or video"
            raise problem(f"{shortened(name)} is {what}, which is not allowed here.")
        return found

    def _stored(self, test_set, name, path, problem) -> MediaFile:
        if self.keeps and not self.known:
            store.lock()
        n_bytes = path.stat().st_size
        kind = checked_kind(name, path, n_bytes, problem)
        if name in self.there:
            self.known[name] = self._same(self.there[name], path, problem)
            return self.known[name]
        self.n_bytes += n_bytes
        if self.n_bytes > settings.MAX_MEDIA_BYTES:
            most = filesizeformat(settings.MAX_MEDIA_BYTES)
            raise problem(f"the files of one test set may have at most {most} together.")
        try:
            sha256 = store.keep(path) if self.keeps else store.hash_of(path)
        except StoreAway:
            reason = "the object store of this site cannot be reached. Try again in a few minutes."
            raise problem(f"{shortened(name)} cannot be stored: {reason}") from None
        if self.keeps:
            self.hashes.add(sha256)
        self.known[name] = MediaFile.objects.create(
            test_set=test_set,
            name=name,
            kind=kind,
            sha256=sha256,
            n_bytes=n_bytes,
            seconds=seconds_of(path, kind),
        )
        return self.known[name]

    def _same(self, there: MediaFile, path: Path, problem) -> MediaFile:
        """Return the test set's file of that name if this one is the same."""
        if store.hash_of(path) != there.sha256:
            name = shortened(there.name)
            raise problem(
                f"other segments have a different file called {name}. Give this one another name."
            )
        return there


def checked_kind(name: str, path: Path, n_bytes: int, problem) -> str:
    """Return the kind of a file. For an unacceptable file, raise the result of `problem` for the
    reason."""
    with path.open("rb") as stream:
        kind = kind_of(stream.read(HEAD))
    if not kind:
        raise problem(f"the type of {shortened(name)} is not supported. Supported: {SPOKEN}.")
    if not fits_name(name, kind):
        raise problem(f"the name of {shortened(name)} does not match its content: {kind}.")
    most = LONGEST_CAPTIONS if kind == VTT else settings.MAX_MEDIA_FILE_BYTES
    if n_bytes > most:
        has = filesizeformat(n_bytes)
        raise problem(f"{shortened(name)} has {has}; at most {filesizeformat(most)} are allowed.")
    if kind == VTT:
        try:
            path.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError:
            raise problem(f"{shortened(name)} is not in UTF-8.") from None
    return kind


@contextmanager
def media_archive(archive: Path | UploadedFile | None) -> Iterator[MediaArchive | None]:
    """Unpack an archive and yield its files, of a release only those of segments; None without an
    archive. Raise ImportProblem; see `forgotten_on_failure`."""
    if archive is None:
        yield None
        return
    name = name_of(archive)
    with tempfile.TemporaryDirectory(prefix="mteval-media-") as folder:
        place = Path(folder, "media.zip")
        if isinstance(archive, Path):
            place.symlink_to(archive.absolute())
        else:
            with place.open("wb") as copy:
                for piece in archive.chunks():
                    copy.write(piece)
        try:
            unpack(place, Path(folder, "files"), leave=left_in(place))
        except ImportProblem as problem:
            raise ImportProblem(name, problem.row, problem.column, problem.reason) from None
        files = files_in(Path(folder, "files"))
        released = of_release(files, name)
        media = MediaArchive(files if released is None else released, name)
        with forgotten_on_failure([media]):
            yield media


@contextmanager
def forgotten_on_failure(archives: Sequence[MediaArchive]) -> Iterator[None]:
    """Delete the files of the archives if the import within fails; if the process is killed, a
    sweep deletes them later."""
    with swept_if_killed():
        try:
            yield
        except BaseException:
            store.forget(set().union(*(each.hashes for each in archives)))
            raise


@contextmanager
def swept_if_killed() -> Iterator[None]:
    """Queue a sweep, which is cancelled when the block has ended."""
    sweep = sweep_media.using(run_after=timezone.now() + AFTER_IMPORT).enqueue()
    try:
        yield
    finally:
        DBTaskResult.objects.filter(pk=sweep.id).delete()


def files_in(folder: Path) -> dict[str, Path]:
    """Return files by path, with and without a common top folder."""
    found = {
        path.relative_to(folder).as_posix(): path
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not set(path.relative_to(folder).parts) & set(LITTER)
    }
    tops = {name.partition("/")[0] for name in found}
    if len(tops) == 1 and all("/" in name for name in found):
        return {name.partition("/")[2]: path for name, path in found.items()} | found
    return found


def unused_words(media: MediaArchive | None) -> list[str]:
    """Return a warning about files of an archive that no row names."""
    if media is None or not media.unused:
        return []
    n, first = len(media.unused), media.unused[0]
    return [f"{n:,} of the files in {media.archive} are not named in any row, such as {first}."]
