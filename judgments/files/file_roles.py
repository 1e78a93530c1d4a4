"""What plain text files say by their names: source, reference, system output or documents.

newstest2021.en-de.src.en      generaltest2022.en-de.ref.A.de    …hyp.online-A.de
source.txt, refA.txt, en-de.docs, metadata/en-de.jsonl
src/…, references/…, system-outputs/en-de/online-A.txt
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import NamedTuple

SOURCE, REFERENCE, OUTPUT, DOCUMENTS = "source", "reference", "output", "documents"
LANGUAGE = r"[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?"
PAIR = re.compile(rf"(?:^|[._/-])({LANGUAGE})-({LANGUAGE})(?=$|[._/-])")
FOLDERS = {
    **dict.fromkeys(("src", "source", "sources"), SOURCE),
    **dict.fromkeys(("ref", "refs", "reference", "references"), REFERENCE),
    **dict.fromkeys(("hyp", "hyps", "outputs", "system-outputs", "system_outputs"), OUTPUT),
    **dict.fromkeys(("systems", "submissions", "translations"), OUTPUT),
    **dict.fromkeys(("docs", "documents", "metadata"), DOCUMENTS),
}
NO_LANGUAGES = {"src", "ref", "hyp", "sys", "out", "doc", "txt", "raw", "tok", "mt", "all"}
DOCS = re.compile(
    rf"(?:.*[._-])?(?:docs|documents|docids?|metadata(?:[._-]{LANGUAGE})?)", re.IGNORECASE
)
SRC = re.compile(
    rf"(?:.*[._-])?(?:src|source)(?:[._-](?P<language>{LANGUAGE}))?(?:[._-]{LANGUAGE})?",
    re.IGNORECASE,
)
REF = re.compile(
    rf"(?:.*[._-])?(?P<name>(?:ref|reference)[._-]?(?:[A-Z0-9]|std|all)?)"
    rf"(?:[._-](?P<language>{LANGUAGE}))?",
    re.IGNORECASE,
)
HYP = re.compile(rf"(?:.*[._-])?hyp[._-](?P<name>.+?)(?:\.(?P<language>{LANGUAGE}))?")


class FileRole(NamedTuple):
    """role: "" where the name says none. name: of the reference or system. languages: (source,
    target) where the path says them, either ""."""

    role: str
    name: str
    languages: tuple[str, str] = ("", "")


def role_of(path: str) -> FileRole:
    """Return what a file is by its path; the name of the file goes before those of folders."""
    parts = PurePosixPath(path).parts
    stem = parts[-1].removesuffix(".gz")
    for ending in (".txt", ".jsonl"):
        stem = stem.removesuffix(ending)
    pairs = [match.groups() for part in (*parts[:-1], stem) if (match := PAIR.search(part))]
    pairs = [pair for pair in pairs if not NO_LANGUAGES & set(pair)]
    source, target = pairs[-1] if pairs else ("", "")
    if DOCS.fullmatch(stem):
        return FileRole(DOCUMENTS, stem, (source, target))
    # What is between `hyp.` and the language may be any name, such as that of a reference.
    if match := HYP.fullmatch(stem):
        return FileRole(OUTPUT, match["name"], (source, target or match["language"] or ""))
    if match := SRC.fullmatch(stem):
        return FileRole(SOURCE, SOURCE, (source or match["language"] or "", target))
    if match := REF.fullmatch(stem):
        name = re.sub(r"^(ref)(?:erence)?[._-]?", r"\1", match["name"], flags=re.IGNORECASE)
        return FileRole(REFERENCE, name, (source, target or match["language"] or ""))
    role = next((FOLDERS[part] for part in reversed(parts[:-1]) if part in FOLDERS), "")
    name = stem
    if role == REFERENCE and pairs:
        name = stem.split(".", 1)[-1] if "." in stem else "ref"
    return FileRole(role, name, (source, target))
