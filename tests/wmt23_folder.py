"""WMT23 English–German as released: its files, to compare with exports."""

import io
import tarfile
from functools import cache

from tests.shared import shared_data


class ReleasedFile(io.BytesIO):
    """An open file of the archive, under its path."""

    def __init__(self, path: str, data: bytes) -> None:
        super().__init__(data)
        self.path = path
        self.name = path.rpartition("/")[2]


@cache
def _contents() -> dict[str, bytes]:
    with tarfile.open(shared_data("10_as_released", "wmt23.en-de.tar.gz")) as packed:
        return {
            member.name: packed.extractfile(member).read()  # type: ignore[union-attr]
            for member in packed
            if member.isfile()
        }


def released(folder: str) -> list[ReleasedFile]:
    """Return the files of a folder of wmt23/, by name."""
    found = _contents()
    names = sorted(name for name in found if name.startswith(f"wmt23/{folder}/"))
    return [ReleasedFile(name, found[name]) for name in names]


def lines_of(path: str) -> list[str]:
    return _contents()[f"wmt23/{path}"].decode("utf-8").removesuffix("\n").split("\n")
