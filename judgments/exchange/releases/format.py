"""Base class of formats: a format recognizes files, reads them into records, and writes records.

To add one, subclass `Format`, list it in `registry`, describe it in docs/guide/releases.md, and add
its files to the tests that walk the registry (tests/judgments/exchange/releases/).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

from judgments.files.uploads import Folder, ReleaseFile

from .records import Problems, Release

Answers = Mapping[str, str]


class Format(ABC):
    """slug: name in commands and addresses. name: name for people. holds: short description of the
    content. described: the address of the format's own description. writes: whether it can be
    written, too; file: the name of the single file that it writes, "" if it writes a folder."""

    slug: ClassVar[str]
    name: ClassVar[str]
    holds: ClassVar[str]
    described: ClassVar[str] = ""
    writes: ClassVar[bool] = False
    file: ClassVar[str] = ""

    @abstractmethod
    def recognize(self, files: Sequence[ReleaseFile]) -> list[ReleaseFile]:
        """Return the files that this format reads, recognized only by their names and first bytes;
        empty if there are none."""

    @abstractmethod
    def read(self, files: Sequence[ReleaseFile], answers: Answers, problems: Problems) -> Release:
        """Return the release in the files; the texts and judgments themselves are read later, by
        the functions of the parts, which may be called several times.

        answers: to questions of an earlier reading, by name. problems: receives errors of single
        rows, also from those functions, which then continue with the next row. Raise ImportProblem
        for a file that cannot be read further.
        """

    def may_write(self, release: Release) -> str:
        """Return why the records cannot be written in this format; "" if they can."""
        return "" if self.writes else f"{self.name} is only read."

    def write(self, release: Release, folder: Folder) -> None:
        """Write all records. Records without a place in the format are left out; `may_write` has
        said so."""
        raise NotImplementedError(f"{self.slug} is only read")


def numbered(name: str, n: int, of: int) -> str:
    """Return the name of the n-th of the files that are written, with its number if there are
    several: texts.2.de-en.jsonl."""
    return name if of == 1 else name.replace(".", f".{n}.", 1)


class TextsFormat(Format):
    """A format only for texts: it can store test sets, but no campaigns."""

    def may_write(self, release: Release) -> str:
        if release.judgments or release.plans:
            return f"{self.name} contains only texts: download it from the page of the test set."
        if any(not texts.has_texts for texts in release.texts):
            return "The test set has no texts."
        return ""
