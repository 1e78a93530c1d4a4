"""Alignment error: how far the word links of an aligner are from those that people drew.

An output is a line of links between the words of a source and its translation, ``0-0 1-2``
(Pharaoh's format); a reference is a line of sure links ``i-j`` and possible links ``ipj`` or
``i?j``.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from judgments.stats.alignment import alignment_error, alignment_error_rate
from metrics.scorers.encoding import Kept

from .base import Floats, Scorer, Stream, check_integer, yes_no

Link = tuple[int, int]
Links = frozenset[Link]
Read = TypeVar("Read")

_LINK = re.compile(r"(-?[0-9]{1,9})([-p?])(-?[0-9]{1,9})")
_NULL = -1


def read_links(line: str, base: int) -> tuple[Links, Links]:
    """Return the sure links of a line, and all its links, as pairs of word numbers from 0, each
    once.

    ``base`` is the number of the first word in the line, 0 or 1. A link whose one end is -1, or 0
    where words count from 1, goes to no word at all (NULL) and is left out.

    Raises ValueError that names the token that is no link.
    """
    sure, every = set(), set()
    for token in line.split():
        match = _LINK.fullmatch(token)
        if match is None or min(ends := (int(match[1]), int(match[3]))) < _NULL:
            raise ValueError(f"{token[:40]!r} is not a link such as 1-2, or 1p2 if only possible.")
        if min(ends) >= base:
            link = (ends[0] - base, ends[1] - base)
            every.add(link)
            if match[2] == "-":
                sure.add(link)
    return frozenset(sure), frozenset(every)


def read_output(line: str, base: int) -> Links:
    """Return the links of an aligner, which knows no merely possible ones. Raises as
    ``read_links``."""
    sure, every = read_links(line, base)
    if sure != every:
        raise ValueError("an output holds links such as 1-2 only, none that are merely possible.")
    return sure


def _read_all(what: str, lines: Iterable[str], read: Callable[[str], Read]) -> list[Read]:
    found = []
    for segment, line in enumerate(lines, start=1):
        try:
            found.append(read(line))
        except ValueError as error:
            raise ValueError(f"{what}, segment {segment}: {error}") from None
    return found


@dataclass(kw_only=True)
class LinkScorer(Scorer):
    """What the two errors share. Subclasses write ``_counts`` and ``_ratios``.

    ``output_base``, ``reference_base``: the number of the first word in the lines, 0 or 1.
    ``reverse``: the outputs name the word of the translation first.
    """

    family = "Word alignment"
    higher_is_better = False
    score_range = (0.0, 100.0)

    output_base: int = 0
    reference_base: int = 1
    reverse: bool = False

    def __post_init__(self) -> None:
        for name in ("output_base", "reference_base"):
            check_integer(name, getattr(self, name), 0)
            if getattr(self, name) > 1:
                raise ValueError(f"{name} must be 0 or 1, the number of the first word.")
        self._kept_references = Kept(self._read_references)

    def _statistics(
        self, hypotheses: Sequence[str], references: Sequence[Stream], sources: Sequence[str]
    ) -> Floats:
        outputs = _read_all("Output", hypotheses, lambda line: read_output(line, self.output_base))
        if self.reverse:
            outputs = [frozenset((i, j) for j, i in links) for links in outputs]
        read = [self._kept_references([line or "" for line in stream]) for stream in references]
        stats = []
        for segment, links in enumerate(outputs):
            there = [
                s[segment]
                for s, lines in zip(read, references, strict=True)
                if lines[segment] is not None
            ]
            stats.append(self._counts(links, there))
        return np.array(stats, dtype=np.float64)

    def _read_references(self, lines: list[str]) -> list[tuple[Links, Links]]:
        return _read_all("Reference", lines, lambda line: read_links(line, self.reference_base))

    def _counts(self, links: Links, references: list[tuple[Links, Links]]) -> tuple[int, ...]:
        """Return statistics of one segment from its links and (sure, all) links of each
        reference."""
        raise NotImplementedError

    def _signature_fields(self, level: str) -> dict[str, object]:
        bases = f"{self.output_base}/{self.reference_base}"
        return {"base": bases, "reverse": yes_no(self.reverse)}


@dataclass(kw_only=True)
class AER(LinkScorer):
    """Alignment error rate, 100 · (1 − (|A∩S| + |A∩P|) / (|A| + |S|)), from 0 to 100, with the
    links A of the output, the sure links S and the possible links P of the reference, S within P
    (Och and Ney 2003). Undefined where neither A nor S has a link.

    Statistics: |A|, |S|, |A∩S|, |A∩P|; a corpus pools them. Of several references, sure is what is
    sure in all of them, and possible what is in any (Och and Ney 2003).
    """

    slug = "aer"
    name = "AER"
    description = "How many word links of an aligner are wrong, and how many sure ones it misses."

    def _counts(self, links: Links, references: list[tuple[Links, Links]]) -> tuple[int, ...]:
        sure = frozenset.intersection(*(sure for sure, _ in references))
        possible = frozenset.union(*(every for _, every in references))
        return len(links), len(sure), len(links & sure), len(links & possible)

    def _score(self, stats: Floats) -> Floats:
        return 100 * alignment_error_rate(*np.moveaxis(stats, -1, 0))

    def details(self, stats: ArrayLike) -> list[tuple[str, float]]:
        """Return precision, of all links against the possible ones, and recall of the sure ones."""
        links, sure, found, right = np.asarray(stats, dtype=np.float64)
        return [
            ("Precision (%)", float(_percent(right, links))),
            ("Recall of sure links (%)", float(_percent(found, sure))),
            ("Links of the output", float(links)),
            ("Sure links of the reference", float(sure)),
        ]


@dataclass(kw_only=True)
class AlignmentError(LinkScorer):
    """Alignment error, 100 · (|B| + |B′| − 2|B∩B′|) / (|B| + |B′|), from 0 to 100, with the links B
    of the output and B′ of the reference: the links that only one of them has, in percent of all
    (Byrne 2005). Undefined where neither has a link.

    Statistics: |B|, |B′|, |B∩B′|; a corpus pools them. Of several references, the one with the
    smallest error counts. ``possible``: whether the possible links of a reference are links too.
    """

    slug = "alignment_error"
    name = "AE"
    description = "The share of word links that only the aligner or only the reference has."

    possible: bool = True

    def _counts(self, links: Links, references: list[tuple[Links, Links]]) -> tuple[int, ...]:
        theirs = [every if self.possible else sure for sure, every in references]
        counts = [(len(links), len(other), len(links & other)) for other in theirs]
        return min(counts, key=_error)

    def _score(self, stats: Floats) -> Floats:
        return 100 * alignment_error(*np.moveaxis(stats, -1, 0))

    def details(self, stats: ArrayLike) -> list[tuple[str, float]]:
        """Return precision and recall, and how many links there are."""
        ours, theirs, shared = np.asarray(stats, dtype=np.float64)
        return [
            ("Precision (%)", float(_percent(shared, ours))),
            ("Recall (%)", float(_percent(shared, theirs))),
            ("Links of the output", float(ours)),
            ("Links of the reference", float(theirs)),
        ]

    def _signature_fields(self, level: str) -> dict[str, object]:
        return {**super()._signature_fields(level), "possible": yes_no(self.possible)}


def _error(counts: tuple[int, int, int]) -> float:
    ours, theirs, shared = counts
    return (ours + theirs - 2 * shared) / (ours + theirs) if ours + theirs else 0.0


def _percent(part: Floats, whole: Floats) -> Floats:
    """Return 100 · part / whole; undefined, nan, where the whole is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return 100 * np.divide(part, whole)
