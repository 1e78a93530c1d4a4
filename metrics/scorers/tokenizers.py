"""Texts → arrays of token ids.

The tokenizations are sacreBLEU's. What is added is speed: a text is cut at white space into
chunks, each distinct chunk is tokenized once, and the rest is array work. That is exact only where
no rule of a tokenizer reaches across white space, so every tokenizer says here how far it looks.
"""

from array import array
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_SACREBLEU = {
    "13a": "tokenizer_13a.Tokenizer13a",
    "intl": "tokenizer_intl.TokenizerV14International",
    "zh": "tokenizer_zh.TokenizerZh",
    "ja-mecab": "tokenizer_ja_mecab.TokenizerJaMecab",
    "ko-mecab": "tokenizer_ko_mecab.TokenizerKoMecab",
    "flores101": "tokenizer_spm.Flores101Tokenizer",
    "flores200": "tokenizer_spm.Flores200Tokenizer",
}
TOKENIZERS = ("none", "char", *_SACREBLEU)
_MOST_CHUNKS = 1_000_000


class Encoded(NamedTuple):
    """Token ids of consecutive segments.

    ``ids``: int64, all tokens in a row, ids from 1; ``lengths``: int64, tokens per segment.
    """

    ids: NDArray[np.int64]
    lengths: NDArray[np.int64]


class ChunkEncoder:
    """Encodes texts by chunks. Ids of one encoder can be compared until ``forget``.

    ``split`` cuts a text into chunks, ``tokenize`` turns a chunk into tokens.
    """

    def __init__(
        self, split: Callable[[str], Sequence[str]], tokenize: Callable[[str], Sequence[str]]
    ) -> None:
        self._split = split
        self._tokenize = tokenize
        self._reset()

    def _reset(self) -> None:
        self._tokens: dict[str, int] = {}
        self._chunks = _ChunkIds(self._add_chunk)
        self._flat = array("q")
        self._starts = array("q")
        self._sizes = array("q")

    def forget(self) -> None:
        """Start over when the vocabulary has grown too large to be worth its memory."""
        if len(self._chunks) > _MOST_CHUNKS:
            self._reset()

    def _add_chunk(self, chunk: str) -> int:
        tokens = self._tokenize(chunk)
        self._starts.append(len(self._flat))
        self._sizes.append(len(tokens))
        ids = self._tokens
        self._flat.extend(ids.setdefault(token, len(ids) + 1) for token in tokens)
        return len(self._starts) - 1

    def tokens(self, text: str) -> list[str]:
        """The tokens of one text."""
        return [token for chunk in self._split(text) for token in self._tokenize(chunk)]

    def encode(self, texts: Iterable[str]) -> Encoded:
        """Token ids of each text."""
        chunks: list[str] = []
        ends = [0]
        for text in texts:
            chunks += self._split(text)
            ends.append(len(chunks))
        lookup = self._chunks.__getitem__
        chunk_ids = np.fromiter(map(lookup, chunks), dtype=np.int64, count=len(chunks))
        sizes = np.array(self._sizes, dtype=np.int64)[chunk_ids]
        starts = np.array(self._starts, dtype=np.int64)[chunk_ids]
        totals = np.concatenate([[0], np.cumsum(sizes)])
        positions = np.repeat(starts - totals[:-1], sizes) + np.arange(totals[-1])
        ids = np.array(self._flat, dtype=np.int64)[positions]
        return Encoded(ids, np.diff(totals[ends]))


class _ChunkIds(dict[str, int]):
    """Chunk → its number; a chunk never seen before is added."""

    def __init__(self, add: Callable[[str], int]) -> None:
        self._add = add

    def __missing__(self, chunk: str) -> int:
        number = self[chunk] = self._add(chunk)
        return number


class Tokenizer(NamedTuple):
    """A named tokenization; ``signature`` is what sacreBLEU would print."""

    signature: str
    encoder: ChunkEncoder


def get_tokenizer(name: str) -> Tokenizer:
    """The tokenizer ``name``.

    Raises ValueError for an unknown name, or for one whose optional packages are not installed.
    """
    if name == "none":
        return Tokenizer("none", ChunkEncoder(str.split, lambda chunk: [chunk]))
    if name == "char":
        return Tokenizer("char", ChunkEncoder(str.split, list))
    if name not in _SACREBLEU:
        known = ", ".join(TOKENIZERS)
        raise ValueError(f"Unknown tokenizer {name!r}; known tokenizers: {known}.")
    module, attribute = _SACREBLEU[name].split(".")
    try:
        tokenizer = getattr(import_module(f"sacrebleu.tokenizers.{module}"), attribute)()
    except (ImportError, RuntimeError, OSError) as error:
        reason = " ".join(str(error).split())
        raise ValueError(f"Tokenizer {name!r} cannot be used here: {reason}") from error
    encoder = {"13a": _by_13a, "intl": _by_intl, "zh": _by_zh}.get(name, _whole_lines)(tokenizer)
    return Tokenizer(tokenizer.signature(), encoder)


def _whole_lines(tokenize: Callable[[str], str]) -> ChunkEncoder:
    """For tokenizers that look at the whole text: the only chunk is the text itself."""
    return ChunkEncoder(lambda text: [text.rstrip()], lambda text: tokenize(text).split())


def _by_13a(tokenize: Callable[[str], str]) -> ChunkEncoder:
    """13a pads a text with spaces and no rule reaches across white space, save that a hyphen at the
    end of a line is joined with the next line: a text with a line break stays whole."""

    def split(text: str) -> Sequence[str]:
        text = text.rstrip()
        return [text] if "\n" in text else text.split()

    return ChunkEncoder(split, lambda chunk: tokenize(chunk).split())


def _by_intl(tokenize: Callable[[str], str]) -> ChunkEncoder:
    return ChunkEncoder(lambda text: _mark_edges(text.rstrip()), _edge_tokens(tokenize))


def _by_zh(tokenize: Callable[[str], str]) -> ChunkEncoder:
    return ChunkEncoder(lambda text: _mark_edges(text.strip()), _edge_tokens(tokenize))


def _mark_edges(text: str) -> Sequence[str]:
    """Chunks of a text for a tokenizer that looks one character to either side and does not pad
    the text, so that a chunk at the edge of the text may differ from the same chunk inside it.

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


def _edge_tokens(tokenize: Callable[[str], str]) -> Callable[[str], Sequence[str]]:
    """Tokens of a chunk marked by ``_mark_edges``; a letter stands for a neighbor inside."""

    def tokens(chunk: str) -> Sequence[str]:
        at_end, at_start = chunk[0] == " ", chunk[-1] == " "
        before, after = ("" if at_start else "a "), ("" if at_end else " a")
        found = tokenize(f"{before}{chunk.strip()}{after}").split()
        return found[bool(before) : len(found) - bool(after)]

    return tokens
