"""The zip file of a bundle: the same files always make the same bytes, and none gets out of it."""

from __future__ import annotations

import hashlib
import re
import struct
import zipfile
import zlib
from contextlib import suppress
from pathlib import Path, PurePosixPath

from .problem import BundleProblem

# Every file of an archive has the same age, so that the same files make the same archive.
LONG_AGO = (1980, 1, 1, 0, 0, 0)
PIECE = 2**20
PACKED = "media/"  # sound, pictures and videos, which are packed as they are
MOST_FILES = 5_000
MOST_BYTES = 8 * 2**30
# Bundles unpack to five to ten times their size. Whatever is small may do so by any factor.
MOST_TIMES = 200
SMALL = 256 * 2**20
ENCRYPTED = 0x1
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others may ask for gigabytes of memory
NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]*(/[A-Za-z0-9_-][A-Za-z0-9_.-]*){0,4}")
LONGEST_NAME = 300
# What zipfile raises for bytes that are not as they were packed.
DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError),
    *(ValueError, OverflowError, struct.error),
)


def pack(folder: Path, to: Path) -> None:
    """All files of a folder as a zip file, in the order of their names."""
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as packed:
        for name in names_in(folder):
            info = zipfile.ZipInfo(name, LONG_AGO)
            is_packed = name.startswith(PACKED)
            info.compress_type = zipfile.ZIP_STORED if is_packed else zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            with (folder / name).open("rb") as source, packed.open(info, "w") as out:
                while piece := source.read(PIECE):
                    out.write(piece)


def unpack(file: Path, folder: Path, most: int | None = None) -> int:
    """Put the files of a bundle into a folder, `most` bytes at most; how many these are. Of one
    that is damaged what can be read, so that its hash is another. Raise BundleProblem for what is
    no zip file, is too large, or has names that lead out of the folder or stand twice; all of it is
    looked at before the first is written."""
    try:
        with zipfile.ZipFile(file) as packed:
            entries = [each for each in packed.infolist() if not each.is_dir()]
            check_names([each.filename for each in entries])
            check_sizes(entries, file.stat().st_size, MOST_BYTES if most is None else most)
            for entry in entries:
                _unpack_one(packed, entry, folder)
            return sum(each.file_size for each in entries)
    except DAMAGE as error:
        raise BundleProblem(f"It is not a complete zip file: {error}.") from None
    except OSError as error:
        raise BundleProblem(f"It cannot be unpacked: {error.strerror or error}.") from None


def _unpack_one(packed: zipfile.ZipFile, entry: zipfile.ZipInfo, folder: Path) -> None:
    to = folder / entry.filename
    to.parent.mkdir(parents=True, exist_ok=True)
    with to.open("xb") as out, suppress(*DAMAGE), packed.open(entry) as source:
        while piece := source.read(PIECE):
            out.write(piece)


def check_names(names: list[str]) -> None:
    if len(names) > MOST_FILES:
        raise BundleProblem(f"The file contains more than {MOST_FILES:,} files.")
    folded: set[str] = set()
    for name in names:
        if len(name) > LONGEST_NAME or not NAME.fullmatch(name):
            raise BundleProblem(f"No file of a bundle is called {name[:100]!r}.")
        if name.lower() in folded:
            raise BundleProblem(f"{name} occurs in it twice.")
        folded.add(name.lower())
    for name in names:
        for above in PurePosixPath(name.lower()).parents:
            if str(above) in folded:
                raise BundleProblem(f"{name} is in a folder that has the name of a file.")


def check_sizes(entries: list[zipfile.ZipInfo], packed_size: int, most: int) -> None:
    """By what the entries say of themselves, beyond which nothing of them is read."""
    size = sum(each.file_size for each in entries)
    if size > most:
        raise BundleProblem(f"The file unpacks to more than {MOST_BYTES / 2**30:.0f} GiB.")
    if size > SMALL and size > MOST_TIMES * packed_size:
        raise BundleProblem(f"The file unpacks to more than {MOST_TIMES} times its size.")
    for each in entries:
        if each.compress_type not in METHODS or each.flag_bits & ENCRYPTED:
            raise BundleProblem(f"{each.filename} is packed in a way that no bundle uses.")


def names_in(folder: Path) -> list[str]:
    return sorted(
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
    )


def digest_of(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
