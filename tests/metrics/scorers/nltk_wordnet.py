"""NLTK's reader of WordNet, on the installed files, as the oracle of ours."""

import shutil
import warnings
from pathlib import Path

import nltk
import pytest
from nltk.corpus.reader.wordnet import WordNetCorpusReader

from metrics.scorers import wordnet

needs_wordnet = pytest.mark.skipif(
    not (wordnet.FOLDER / "index.noun").exists(),
    reason=f"needs WordNet in {wordnet.FOLDER} (on Debian: apt install wordnet-base)",
)


class Reader(WordNetCorpusReader):
    def map_wn(self, version="wordnet"):
        """Replace NLTK's numbers of synsets in other languages, which need missing files."""


def open_with_nltk(folder: Path) -> Reader:
    """Return NLTK's reader on a copy of the files in ``folder``: it follows no links, and needs a
    list of the names of lexicographers' files, which synonyms do not use."""
    for path in wordnet.FOLDER.iterdir():
        if path.is_file():
            shutil.copy(path, folder)
    lines = (f"{number:02}\tunnamed\t1\n" for number in range(45))
    (folder / "lexnames").write_text("".join(lines))
    nltk.data.path.append(str(folder))  # it reads nowhere else
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # about languages other than English
        return Reader(str(folder), None)
