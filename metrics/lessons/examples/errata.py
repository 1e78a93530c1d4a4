"""The errata of the source documents, read from docs/errata.md, which is their one place."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).resolve().parents[3] / "docs" / "errata.md"


class Erratum(NamedTuple):
    """A row of the page, in Markdown: what a document states, and what is right."""

    source: str
    stated: str
    right: str


@cache
def errata() -> tuple[Erratum, ...]:
    found, source = [], ""
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            source = line.removeprefix("## ")
        elif line.startswith("| ") and not line.startswith(("| what it states", "| ---")):
            stated, right = (cell.strip() for cell in line.split("|")[1:3])
            found.append(Erratum(source, stated, right))
    return tuple(found)


def sources() -> set[str]:
    return {erratum.source for erratum in errata()}


def erratum_of(beginning: str) -> Erratum:
    """Return the one that begins so. Raise LookupError where there is none, or more than one."""
    found = [erratum for erratum in errata() if erratum.stated.startswith(beginning)]
    if len(found) != 1:
        raise LookupError(f"{len(found)} errata begin with {beginning!r}")
    return found[0]
