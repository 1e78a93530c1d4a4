"""The zip file of a bundle: the same files always make the same bytes, and none gets out of it."""

from __future__ import annotations

import hashlib
import re
import struct
import zipfile
import zlib
from contextlib import suppress
from pathlib import Path

from .problem import BundleProblem

# Every file of an archive has the same age, so that the same files make the same archive.
LONG_AGO = (1980, 1, 1, 0, 0, 0)
PIECE = 2**20
MOST_FILES = 5_000
MOST_BYTES = 8 * 2**30
# What zipfile raises for bytes that are not as they were packed.
DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError),
    *(struct.error, ValueError, OverflowError),
)
NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]*(/[A-Za-z0-9_-][A-Za-z0-9_.-]*){0,4}")
LONGEST_NAME = 300


def pack(folder: Path, to: Path) -> None:
    """All files of a folder as a zip file, in the order of their names."""
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as packed:
        for name in names_in(folder):
            info = zipfile.ZipInfo(name, LONG_AGO)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            with (folder / name).open("rb") as source, packed.open(info, "w") as out:
                while piece := source.read(PIECE):
                    out.write(piece)


def unpack(file: Path, folder: Path) -> None:
    """Put the files of a bundle into a folder; of one that is damaged what can be read, so that its
    hash is another. Raises BundleProblem for what is no zip file, is too large, or has names that
    lead out of the folder or stand twice."""
    try:
        with zipfile.ZipFile(file) as packed:
            entries = [each for each in packed.infolist() if not each.is_dir()]
            check_names([each.filename for each in entries])
            left = MOST_BYTES
            for entry in entries:
                left = _unpack_one(packed, entry, folder, left)
    except DAMAGE as error:
        raise BundleProblem(f"It is no whole zip file: {error}.") from None
    except OSError as error:
        raise BundleProblem(f"It cannot be read: {error.strerror or error}.") from None


def _unpack_one(packed: zipfile.ZipFile, entry: zipfile.ZipInfo, folder: Path, left: int) -> int:
    to = folder / entry.filename
    to.parent.mkdir(parents=True, exist_ok=True)
    with to.open("xb") as out, suppress(*DAMAGE), packed.open(entry) as source:
        while piece := source.read(PIECE):
            left -= len(piece)
            if left < 0:
                raise BundleProblem(f"The file unpacks to more than {MOST_BYTES / 2**30:.0f} GiB.")
            out.write(piece)
    return left


def check_names(names: list[str]) -> None:
    if len(names) > MOST_FILES:
        raise BundleProblem(f"The file holds more than {MOST_FILES:,} files.")
    folded = set()
    for name in names:
        if len(name) > LONGEST_NAME or not NAME.fullmatch(name):
            raise BundleProblem(f"No file of a bundle is called {name[:100]!r}.")
        if name.lower() in folded:
            raise BundleProblem(f"{name} stands in it twice.")
        folded.add(name.lower())


def names_in(folder: Path) -> list[str]:
    return sorted(
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
    )


def digest_of(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
