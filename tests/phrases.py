"""Phrases that sound translated, with what to write instead: `python -m tests.phrases` lists them.

It reads pages, messages, guides, decisions, docstrings, comments and names in code.
tests/test_phrases.py fails while one is left.
"""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUFFIXES = {".html", ".txt", ".md", ".py", ".js", ".css", ".toml", ".yaml", ".yml"}
# This list; the texts of the demo, which are annotated; names of others' tables and files.
UNREAD = (
    "tests/phrases.py",
    "locale/",
    "static/vendor/",
    "judgments/exchange/demo/",
    "metrics/lessons/data/",
)
# Stored values: acts in the record of a campaign, and a way in which an output was altered.
STORED = re.compile(
    r"\"(exclusions|questions|texts|judgments) brought\"|says=\"[a-z ]+ brought\"|work given back"
    r"|= \"brought\""
)

# A pattern for each phrase, in any case, with what to write instead.
PHRASES = {
    r"\bwhom(ever)?\b": "who, or turn the sentence",
    r"\bbrought\b": "imported, loaded, added, registered",
    r"\bbring(s|ing)? (it|them|him|her|him or her) back\b": "restore, undo, reopen",
    r"\bquicken(s|ed|ing)?\b": "speed up, optimize",
    r"\btold\b(?! apart)": "notified, shown, given",
    r"\btold apart\b": "distinguished",
    r"\bdoors?\b": "importer, entry point, view, URL",
    r"\breckon(s|ed|ing|ings)?\b": "compute, count, estimate",
    r"\bunwanted mail\b": "spam folder",
    r"\blook into (your|the) (e-?)?mail": "check your email",
    r"\bto be had\b": "available",
    r"\bmost times\b": "usually",
    r"\bnothing of (this|that|it|them|the|these|those)\b": "none of, not applicable",
    r"\bgives? back\b|\bgave back\b|\bgiven back\b": "return, restore",
    r"\blets? (it|them) go\b": "release",
    r"\bto take away\b|\btakes? (it|them) away\b": "to download, remove",
    r"\bthe like\b": "similar",
    r"\bhither|thither|hereof|whereof|therein|whereupon|thereof|heretofore\b": "here, there, of it",
    r"\bof an? (older|other|earlier) one\b": "of another",
    r"\bas good as (all|none|nothing|no)\b": "almost",
    r"\bevery one of them\b": "each",
    r"\b(is|are|was|were) not so\b": "does not apply",
    r"\bsuch an? one\b": "one",
    r"\bsome minutes\b": "a few minutes",
    r"\bends? by mistake\b": "crashes",
}
PATTERN = re.compile("|".join(f"(?:{each})" for each in PHRASES), re.IGNORECASE)


def paths() -> Iterator[Path]:
    """Yield the files in the repository that people read, or whose names and comments they read."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True
    )
    for name in listed.stdout.split("\0"):
        path = ROOT / name
        if path.suffix in SUFFIXES and not name.startswith(UNREAD) and path.is_file():
            yield path


def instead_of(phrase: str) -> str:
    """Return what to write instead of a phrase that was found."""
    return next(words for each, words in PHRASES.items() if re.search(each, phrase, re.IGNORECASE))


def found() -> Iterator[tuple[str, int, str]]:
    """Yield (path, line, phrase) of every phrase of the list that is left."""
    for path in paths():
        text = STORED.sub(lambda stored: "-" * len(stored[0]), path.read_text(encoding="utf-8"))
        for match in PATTERN.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            yield path.relative_to(ROOT).as_posix(), line, match[0]


def main() -> None:
    """Print each phrase that is left, and their number."""
    number = 0
    for path, line, phrase in found():
        number += 1
        print(f"{path}:{line}: {phrase}: write {instead_of(phrase)}")
    print(f"{number} phrases left")


if __name__ == "__main__":
    main()
