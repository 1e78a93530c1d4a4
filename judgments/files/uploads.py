"""A person's upload as a tree of files: files, folders, and archives, which are unpacked."""

from __future__ import annotations

import errno
import gzip
import io
import lzma
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO, Any, NamedTuple, cast

from django.conf import settings

from judgments.files.lines import beginning, whole
from judgments.files.problem import ImportProblem, shortened
from mteval_site import deadline

MOST_FILES = 20_000
HEAD = 64 * 1024  # bytes from which formats recognize a file
PIECE = 2**20
READ = 2**17  # bytes at a time
LONGEST_PART = 200  # bytes of the name of a file or folder
LONGEST_PATH = 400  # characters, with the folders
ARCHIVES = (".tar.gz", ".tgz", ".tar", ".zip")
# Left behind by operating systems, never uploaded on purpose.
LITTER = ("__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini")
TORN = "the archive is damaged, or is not an archive."
TORN_BY = (
    *(tarfile.TarError, zipfile.BadZipFile, EOFError, zlib.error, gzip.BadGzipFile),
    lzma.LZMAError,
)


class ReleaseFile(NamedTuple):
    """An uploaded file. path: as the person knows it, with the folders above it, such as
    `wmt23/sources/en-de.txt`; place: its temporary location, under the same name."""

    path: str
    place: Path

    @property
    def name(self) -> str:
        """The name without folders and `.gz`."""
        return PurePosixPath(self.path).name.removesuffix(".gz")

    @property
    def folders(self) -> tuple[str, ...]:
        return PurePosixPath(self.path).parts[:-1]

    @contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        """Open the bytes, unpacked if the name ends in .gz. Raise ImportProblem for a damaged file,
        and for more bytes than the site accepts."""
        opened = gzip.open if self.is_packed else open
        with whole(self.path), opened(self.place, "rb") as stream:
            yield cast(IO[bytes], io.BufferedReader(WatchedFile(self.path, stream), READ))

    @property
    def is_packed(self) -> bool:
        return self.place.name.endswith(".gz")

    def head(self) -> bytes:
        """Return its first bytes, at most HEAD; empty if it cannot be unpacked."""
        try:
            with self.open() as stream:
                return stream.read(HEAD)
        except ImportProblem:
            return b""

    def first_lines(self, n: int = 5) -> list[str]:
        """Return its first lines as far as they can be decoded, without line ends."""
        return beginning(self.head()).splitlines()[:n]


class WatchedFile(io.RawIOBase):
    """The stream of a file that checks before each read whether somebody still waits for it, and
    raises ImportProblem if it is larger than the site accepts."""

    def __init__(self, path: str, stream: Any) -> None:
        self.path = path
        self.stream = stream
        self.left = settings.MAX_UPLOAD_BYTES

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        deadline.look()
        n = self.stream.readinto(buffer)
        self.left -= n
        if self.left < 0:
            raise too_large(self.path)
        return n


def too_large(path: str) -> ImportProblem:
    limit = settings.MAX_UPLOAD_BYTES / 1024**2
    reason = f"it contains more than {limit:,.0f} MB (unpacked), the limit of this site."
    return ImportProblem(path, None, "", reason)


@contextmanager
def opened(paths: Iterable[Path]) -> Iterator[list[ReleaseFile]]:
    """Open all files of some paths, ordered by name; archives are unpacked into a temporary folder.

    Raise ImportProblem for files that cannot be opened or unpacked, and for more than the site
    accepts.
    """
    with tempfile.TemporaryDirectory(prefix="mteval-import-") as folder:
        found: list[ReleaseFile] = []
        for n, path in enumerate(paths):
            if not path.exists():
                raise ImportProblem(str(path), None, "", "there is no such file or folder.")
            if path.is_dir():
                inside = _in_folder(path, path.name)
            else:
                inside = [ReleaseFile(path.name, path)]
            for m, file in enumerate(inside):
                found += _unpacked(file, Path(folder, f"{n}-{m}"))
            if len(found) > MOST_FILES:
                raise ImportProblem(path.name, None, "", f"there are over {MOST_FILES:,} files.")
        yield found


def _in_folder(folder: Path, name: str) -> list[ReleaseFile]:
    found = []
    for place in sorted(folder.rglob("*")):
        inside = place.relative_to(folder)
        if place.is_symlink() or not place.is_file() or set(inside.parts) & set(LITTER):
            continue
        found.append(ReleaseFile(str(PurePosixPath(name, *inside.parts)), place))
    return found


def _unpacked(file: ReleaseFile, folder: Path) -> list[ReleaseFile]:
    """Return the file, or the files in an archive; an archive within an archive stays as it is."""
    if not file.place.name.endswith(ARCHIVES):
        return [file]
    unpack(file.place, folder)
    return _in_folder(folder, "")


def unpack(archive: Path, folder: Path, leave: tuple[str, ...] = ()) -> None:
    """Unpack a .zip or .tar into a new folder, up to the limits of the site.

    Only plain files are unpacked, and none outside the folder. leave: prefixes of names of files
    that stay in the archive and do not count. Raise ImportProblem.
    """
    folder.mkdir(parents=True)
    left = settings.MAX_UPLOAD_BYTES
    try:
        members = _zipped(archive) if archive.name.endswith(".zip") else _tarred(archive)
        for n, (name, reading) in enumerate(members, 1):
            if n > MOST_FILES:
                reason = f"the archive contains over {MOST_FILES:,} files."
                raise ImportProblem(archive.name, None, "", reason)
            if name.startswith(leave):
                continue
            place = folder / _inside(archive.name, name)
            place.parent.mkdir(parents=True, exist_ok=True)
            with reading() as source, place.open("xb") as copy:
                left = _copied(archive.name, source, copy, left)
    except UnicodeDecodeError:  # of a name that a zip says is UTF-8
        reason = "the archive contains a file whose name cannot be read."
        raise ImportProblem(archive.name, None, "", reason) from None
    except TORN_BY:
        raise ImportProblem(archive.name, None, "", TORN) from None
    except (NotImplementedError, RuntimeError):  # a compression method, a password
        reason = "the archive is packed in a way that cannot be unpacked here. Pack it as .tar.gz."
        raise ImportProblem(archive.name, None, "", reason) from None
    except (FileExistsError, NotADirectoryError, IsADirectoryError):
        reason = "the archive contains two files with the same name."
        raise ImportProblem(archive.name, None, "", reason) from None
    except OSError as problem:
        # EINVAL: a zip that says that a file begins before it does; None: bad bzip2.
        if problem.errno not in (errno.EINVAL, None):
            raise
        raise ImportProblem(archive.name, None, "", TORN) from None


Member = tuple[str, Callable[[], IO[bytes]]]


def _zipped(archive: Path) -> Iterator[Member]:
    with zipfile.ZipFile(archive) as packed:
        for member in packed.infolist():
            if not member.is_dir():
                yield member.filename, partial(packed.open, member)


def _tarred(archive: Path) -> Iterator[Member]:
    with tarfile.open(archive, "r|*") as packed:
        for member in packed:
            if member.isreg():
                yield (
                    member.name,
                    cast(Callable[[], IO[bytes]], partial(packed.extractfile, member)),
                )


def path_inside(name: str) -> PurePosixPath:
    """Return the path of an uploaded file from its name, with either kind of slash.

    Raise ValueError, with a message that continues "a file that", for a path that would leave its
    folder or is too long for a disk.
    """
    path = PurePosixPath(name.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or not path.parts or "\0" in name:
        raise ValueError("would be outside its folder")
    longest = max(len(part.encode("utf-8", "replace")) for part in path.parts)
    if longest > LONGEST_PART or len(str(path)) > LONGEST_PATH:
        raise ValueError("has too long a name")
    return path


def _inside(archive: str, name: str) -> PurePosixPath:
    """Return the path of a member. Raise ImportProblem."""
    try:
        return path_inside(name)
    except ValueError as problem:
        reason = f"it contains a file that {problem}: {shortened(name)}."
        raise ImportProblem(archive, None, "", reason) from None


def _copied(archive: str, source: IO[bytes], copy: IO[bytes], left: int) -> int:
    """Copy a file and return how many bytes of the limit are left."""
    while piece := source.read(PIECE):
        left -= len(piece)
        if left < 0:
            raise too_large(archive)
        copy.write(piece)
    return left


class CannotWrite(ValueError):
    """Data that a format cannot represent; the message says why."""


def part_of_name(text: str) -> str:
    """Return a name as it is in the name of a file, from which readers take it unchanged. Raise
    CannotWrite for a name that no file can have."""
    is_fit = text not in ("", ".", "..") and text.isprintable() and not set(text) & set("/\\")
    if not is_fit or len(text.encode("utf-8", "replace")) > LONGEST_PART - len("en-de..txt") * 3:
        raise CannotWrite(
            f"A file would be named after {shortened(text)}, which is not a possible file name."
        )
    return text


class Folder:
    """The destination of a format: files by their paths, in a local folder."""

    def __init__(self, place: Path) -> None:
        self.place = place

    @contextmanager
    def open(self, path: str) -> Iterator[IO[bytes]]:
        """Open a new file at a path such as `human-scores/en-de.mqm.seg.score`."""
        target = self.place / _inside(path, path)
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("wb") as stream:
            yield stream

    @contextmanager
    def text(self, path: str) -> Iterator[Callable[[str], object]]:
        """Open a new file for UTF-8 text; yield a function that writes a piece."""
        with self.open(path) as stream:
            yield lambda piece: stream.write(piece.encode())


def without(files: Sequence[ReleaseFile], taken: Sequence[ReleaseFile]) -> list[ReleaseFile]:
    known = set(taken)
    return [file for file in files if file not in known]
