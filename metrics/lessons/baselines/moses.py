"""Phrase tables as files, in the text form of Moses.

A line a pair: ``source ||| target ||| φ(f|e) lex(f|e) φ(e|f) lex(e|f) ||| links ||| counts of e, f
and the pair``, sorted by source phrase (https://www2.statmt.org/moses, Phrase Scoring). Words are
escaped as Moses' tokenizer does it, since ``|`` separates fields.
"""

import gzip
import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import IO

import numpy as np

from metrics.lessons.baselines.phrase_numbers import Phrases
from metrics.lessons.baselines.phrases import PhraseEntry, PhraseTable

SEPARATOR = " ||| "
LINE, COUNTS = "%.7g %.7g %.7g %.7g", "%d %d %d"
# Rows that are turned into numbers of Python together.
AT_ONCE = 10_000
# escape-special-chars.perl of Moses; & first, so that nothing is escaped twice.
ESCAPES = {
    "&": "&amp;",
    "|": "&#124;",
    "<": "&lt;",
    ">": "&gt;",
    "'": "&apos;",
    '"': "&quot;",
    "[": "&#91;",
    "]": "&#93;",
}
_TABLE = str.maketrans(ESCAPES)


def escaped(word: str) -> str:
    return word.translate(_TABLE)


def unescaped(word: str) -> str:
    for character, name in reversed(ESCAPES.items()):
        word = word.replace(name, character)
    return word


def moses_lines(table: PhraseTable) -> Iterator[str]:
    """Yield the lines of a table, sorted by the bytes of their source phrase, without line ends."""
    words = [[escaped(word) for word in side.words] for side in (table.sources, table.targets)]
    sources = phrase_texts(table.sources, words[0])
    targets = phrase_texts(table.targets, words[1])
    place = np.zeros(len(sources), dtype=np.int64)
    place[sorted(range(len(sources)), key=lambda i: (sources[i] + SEPARATOR).encode())] = np.arange(
        len(sources)
    )
    order = np.argsort(place[table.source_ids], kind="stable")
    for start in range(0, len(order), AT_ONCE):
        rows = order[start : start + AT_ONCE]
        of_target, of_source, joint = table.counts[rows].T.tolist()
        for row, source, target, scores, *counts in zip(
            rows.tolist(),
            table.source_ids[rows].tolist(),
            table.target_ids[rows].tolist(),
            table.scores[rows].tolist(),
            of_target,
            of_source,
            joint,
            strict=True,
        ):
            links = table.links[table.link_starts[row] : table.link_starts[row + 1]].tolist()
            yield (
                f"{sources[source]} ||| {targets[target]} ||| {LINE % tuple(scores)} ||| "
                f"{' '.join([f'{s}-{t}' for s, t in links])} ||| {COUNTS % tuple(counts)}"
            )


def phrase_texts(phrases: Phrases, words: Sequence[str]) -> list[str]:
    """Return phrases as texts; ``words`` are the words of their vocabulary as they are to be
    written."""
    flat = [words[i] for i in phrases.ids.tolist()]
    return [" ".join(flat[start:end]) for start, end in pairwise(phrases.starts.tolist())]


def write_moses(table: PhraseTable, to: Path | IO[bytes]) -> None:
    """Write a table; gzip-compressed, the same bytes each time."""
    if isinstance(to, Path):
        with to.open("wb") as file:
            return write_moses(table, file)
    with (
        gzip.GzipFile(filename="", fileobj=to, mode="wb", compresslevel=6, mtime=0) as packed,
        io.TextIOWrapper(packed, encoding="utf-8", newline="\n") as text,
    ):
        text.writelines(f"{line}\n" for line in moses_lines(table))


def read_moses(source: Path | Iterable[str]) -> PhraseTable:
    """Return a table from a file (`.gz` too) or its lines; ValueError names a line that is none.

    Columns after the fifth, which some tools write, are left aside.
    """
    if isinstance(source, Path):
        opened = gzip.open if source.suffix == ".gz" else open
        with opened(source, "rt", encoding="utf-8", newline="\n") as file:
            return read_moses(file)
    return table_of([_entry(line, row) for row, line in enumerate(source, 1)])


def _entry(line: str, row: int) -> PhraseEntry:
    fields = [field.strip(" ") for field in line.rstrip("\r\n").split("|||")]
    try:
        source, target, scores, links, counts = fields[:5]
        inverse, inverse_lexical, direct, direct_lexical = map(float, scores.split())
        of_target, of_source, of_pair = (round(float(count)) for count in counts.split())
        pairs = [link.split("-") for link in links.split()]
        alignment = tuple((int(s), int(t)) for s, t in pairs)
    except ValueError as error:
        raise ValueError(
            f"line {row} is not “source ||| target ||| 4 probabilities ||| links ||| 3 counts”"
        ) from error
    words = [tuple(unescaped(word) for word in text.split(" ")) for text in (source, target)]
    return PhraseEntry(
        words[0],
        words[1],
        inverse,
        inverse_lexical,
        direct,
        direct_lexical,
        alignment,
        of_target,
        of_source,
        of_pair,
    )


def table_of(entries: Iterable[PhraseEntry]) -> PhraseTable:
    """Return a table of entries that somebody wrote, with the figures that they have."""
    rows = list(entries)
    sides = []
    for side in ("source", "target"):
        phrases = sorted({getattr(row, side) for row in rows}, key=lambda p: (len(p), p))
        number = {phrase: i for i, phrase in enumerate(phrases)}
        ids = np.array([number[getattr(row, side)] for row in rows], dtype=np.int64)
        sides.append((Phrases.of(phrases), ids))
    (sources, source_ids), (targets, target_ids) = sides
    counts = np.array([row[7:] for row in rows], dtype=np.int64).reshape(-1, 3)
    order = np.lexsort((target_ids, -counts[:, 2], source_ids))
    ordered = [rows[i] for i in order]
    links = [link for row in ordered for link in row.alignment]
    sizes = [len(row.alignment) for row in ordered]
    return PhraseTable(
        sources,
        targets,
        source_ids[order],
        target_ids[order],
        np.array([row[2:6] for row in ordered], dtype=np.float64).reshape(-1, 4),
        counts[order],
        np.array(links, dtype=np.int64).reshape(-1, 2),
        np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]),
    )
