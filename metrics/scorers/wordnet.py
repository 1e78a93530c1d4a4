"""Reads the database files of Princeton's WordNet (Miller 1995; Fellbaum 1998), as Debian's package
``wordnet-base`` installs them: index.*, data.* and *.exc, described in wndb(5WN) and morphy(7WN).

Only what finding synonyms needs is read: which synsets a word is in, and which words a synset has.
A line is taken apart when it is first asked for, so that opening takes a tenth of a second.
"""

import os
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

FOLDER = Path("/usr/share/wordnet")
HOW = (
    "install WordNet (on Debian and Ubuntu: apt install wordnet-base), or set MTEVAL_WORDNET to "
    "the folder with its database files"
)
Synset = tuple[str, int]
"""The file that has it ("noun", "verb", "adj", "adv") and its offset there in bytes."""

# Endings and what takes their place, as of WordNet's morphy with the additions of NLTK's
# ("ves"); a form counts only if the dictionary has it.
_ENDINGS: dict[str, tuple[tuple[str, str], ...]] = {
    "noun": (
        ("s", ""),
        ("ses", "s"),
        ("ves", "f"),
        ("xes", "x"),
        ("zes", "z"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("men", "man"),
        ("ies", "y"),
    ),
    "verb": (
        ("s", ""),
        ("ies", "y"),
        ("es", "e"),
        ("es", ""),
        ("ed", "e"),
        ("ed", ""),
        ("ing", "e"),
        ("ing", ""),
    ),
    "adj": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adv": (),
}


def find_wordnet() -> "WordNet | None":
    """Return the database in MTEVAL_WORDNET or else in Debian's folder; None where there is
    none."""
    folder = Path(os.environ.get("MTEVAL_WORDNET") or FOLDER)
    return _open(folder) if (folder / "index.noun").is_file() else None


@cache
def _open(folder: Path) -> "WordNet":
    return WordNet(folder)


class WordNet:
    """The synsets of words, by the words themselves and by their base forms.

    Raises ValueError, naming the file, where one of the database files cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        try:
            self._index = {part: _read_index(folder / f"index.{part}") for part in _ENDINGS}
            self._data = {part: (folder / f"data.{part}").read_bytes() for part in _ENDINGS}
            self._exceptions = {part: _read_exceptions(folder / f"{part}.exc") for part in _ENDINGS}
        except OSError as error:
            raise ValueError(f"WordNet cannot be read: {error}; {HOW}.") from error
        found = re.search(rb"WordNet (\d+\.\d+) Copyright", self._data["noun"][:4000])
        self.version = found[1].decode() if found else "unknown"

    def synsets(self, word: str) -> list[Synset]:
        """Return the synsets of a word and of its base forms, in all parts of speech."""
        word = word.lower()
        found = []
        for part, index in self._index.items():
            for form in self._forms(word, part):
                if line := index.get(form):
                    found += [(part, offset) for offset in _offsets(line)]
        return found

    def words(self, synset: Synset) -> list[str]:
        """Return the single words of a synset, as they are written in it."""
        part, offset = synset
        data = self._data[part]
        fields = data[offset : data.index(b"|", offset)].decode().split()
        names = fields[4 : 4 + 2 * int(fields[3], 16) : 2]
        # Adjectives may have a mark of where they stand: "galore(ip)".
        return [name.split("(")[0] for name in names if "_" not in name]

    def _forms(self, word: str, part: str) -> Iterable[str]:
        """Return the word and what may be its base forms as this part of speech."""
        bases = self._exceptions[part].get(word)
        if bases is None:
            bases = [
                word[: -len(old)] + new for old, new in _ENDINGS[part] if word[-len(old) :] == old
            ]
        return dict.fromkeys([word, *bases]) if bases else (word,)


def _read_index(path: Path) -> dict[str, str]:
    """Return lemma → the rest of its line. The licence at the top is indented."""
    lines = path.read_text(encoding="utf-8").split("\n")
    pairs = (line.partition(" ") for line in lines if line and line[0] != " ")
    return {lemma: rest for lemma, _, rest in pairs}


def _offsets(line: str) -> list[int]:
    """Return pos, number of synsets, number of pointers, pointers, two more numbers, then the
    offsets."""
    fields = line.split()
    return [int(offset) for offset in fields[len(fields) - int(fields[1]) :]]


def _read_exceptions(path: Path) -> dict[str, list[str]]:
    """Return irregular form → base forms."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return {form: bases for form, *bases in map(str.split, lines)}
