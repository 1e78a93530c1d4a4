"""What a format is: a module that recognizes files, reads them into records, and writes records.

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
    """slug: as commands and addresses name it. name: what people call it. holds: what such files
    hold, in a few words. described: the address of the format's own description. writes: whether
    it can be written, too; file: the name of the one file that it writes, "" where it writes a
    folder."""

    slug: ClassVar[str]
    name: ClassVar[str]
    holds: ClassVar[str]
    described: ClassVar[str] = ""
    writes: ClassVar[bool] = False
    file: ClassVar[str] = ""

    @abstractmethod
    def recognize(self, files: Sequence[ReleaseFile]) -> list[ReleaseFile]:
        """Return those of the files that this format reads, by their names and first bytes alone;
        none where there is nothing for it."""

    @abstractmethod
    def read(self, files: Sequence[ReleaseFile], answers: Answers, problems: Problems) -> Release:
        """Return what the files hold; the texts and judgments themselves are read later, by the
        functions of the parts, which may be called several times.

        answers: to questions that an earlier reading asked, by their names. problems: takes what is
        wrong with single rows, also from those functions, which then go on with the next row.
        Raises ImportProblem for a file that cannot be read on.
        """

    def may_write(self, release: Release) -> str:
        """Return why the records cannot be written in this format, in words; "" where they can."""
        return "" if self.writes else f"{self.name} is only read."

    def write(self, release: Release, folder: Folder) -> None:
        """Write all records. What a format has no place for stays out; `may_write` has said so."""
        raise NotImplementedError(f"{self.slug} is only read")


def numbered(name: str, n: int, of: int) -> str:
    """Return the name of the n-th of the files that are written, with its number where there are
    several: texts.2.de-en.jsonl."""
    return name if of == 1 else name.replace(".", f".{n}.", 1)


class TextsFormat(Format):
    """A format of texts alone: test sets go into it, campaigns do not."""

    def may_write(self, release: Release) -> str:
        if release.judgments or release.plans:
            return f"{self.name} contains only texts: download it from the page of the test set."
        if any(not texts.has_texts for texts in release.texts):
            return "The test set has no texts."
        return ""
