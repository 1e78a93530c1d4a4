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
    "metrics/lessons/examples/",
    "metrics/scorers/substitution_types.py",  # words of other languages
    "tests/test_phrases.py",
)
# Stored values: acts in the record of a campaign, and a way in which an output was altered.
STORED = re.compile(
    r"\"(exclusions|questions|texts|judgments) brought\"|says=\"[a-z ]+ brought\""
    r"|IMPORTED = \"brought\""
)

# "By whom" and its like are usual.
AFTER = "".join(rf"(?<!{word}\s)" for word in ("by", "to", "of", "for", "from", "with", "about"))
# A pattern for each phrase, in any case, with what to write instead.
PHRASES = {
    AFTER + "whom": "who, or turn the sentence",
    r"brought": "imported, loaded, added, registered",
    r"bring(s|ing)? (it|them|him|her|him or her) back": "restore, undo, reopen",
    r"quicken(s|ed|ing)?": "speed up, optimize",
    r"told(?! apart)": "notified, shown, given",
    r"told apart": "distinguished",
    r"doors?": "importer, entry point, view, URL",
    r"reckon(s|ed|ing|ings)?": "compute, count, estimate",
    r"unwanted mail": "spam folder",
    r"look into (your|the) (e-?)?mail": "check your email",
    r"to be had": "available",
    r"most times": "usually",
    r"nothing of (this|that|it|them|the|these|those)": "none of, not applicable",
    r"lets? (it|them) go": "release",
    r"to take away|takes? (it|them) away": "to download, remove",
    r"the like": "similar",
    r"hither|thither|hereof|whereof|therein|whereupon|thereof|heretofore": "here, there, of it",
    r"of an? (older|other|earlier) one": "of another",
    r"as good as (all|none|nothing|no)": "almost",
    r"every one of them": "each",
    r"(is|are|was|were) not so": "does not apply",
    r"such an? one": "one",
    r"some minutes": "a few minutes",
    r"ends? by mistake": "crashes",
}
PATTERN = re.compile(rf"\b(?:{'|'.join(PHRASES)})\b".replace(" ", r"\s+"), re.IGNORECASE)


def paths() -> Iterator[Path]:
    """Yield the files in the repository that people read, or whose names and comments they read."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True
    )
    for name in listed.stdout.split("\0"):
        path = ROOT / name
        is_read = not name.startswith(UNREAD) and "/migrations/" not in name
        if path.suffix in SUFFIXES and is_read and path.is_file():
            yield path


def instead_of(phrase: str) -> str:
    """Return what to write instead of a phrase that was found."""
    phrase = " ".join(phrase.split())
    return next(words for each, words in PHRASES.items() if re.match(each, phrase, re.IGNORECASE))


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
