"""N-grams that one output uses, or gets right, more often than another.

For every n-gram of two sets of outputs: how often either has it, and in how many of these cases a
reference has it, too (clipped as for BLEU). What tells the outputs apart is the smoothed share
(a + 1)/(a + b + 2) of compare-mt (Neubig et al. 2019), which needs a few cases to be far from ½.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.scorers.encoding import Encoded

Integers = NDArray[np.int64]
ORDER = 4


@dataclass(frozen=True)
class NgramContrast:
    """N-grams (m,): their tokens as ``text``, ``order``, how often the first and the second have
    them (``first``, ``second``), and how many of these a reference has (``matched_first``,
    ``matched_second``; None without references). ``example_first`` and ``example_second``: a
    segment in which that one has it, -1 for none."""

    text: list[str]
    order: Integers
    first: Integers
    second: Integers
    matched_first: Integers | None
    matched_second: Integers | None
    example_first: Integers
    example_second: Integers

    @property
    def share(self) -> NDArray[np.float64]:
        """(a + 1)/(a + b + 2) of matches, or of all where there are no references."""
        if self.matched_first is None or self.matched_second is None:
            return smoothed_share(self.first, self.second)
        return smoothed_share(self.matched_first, self.matched_second)


def smoothed_share(a: Integers, b: Integers) -> NDArray[np.float64]:
    return (a + 1) / (a + b + 2)


def ngram_contrast(
    first: Encoded,
    second: Encoded,
    references: Sequence[Encoded],
    vocabulary: Sequence[str],
    most: int = 200,
) -> NgramContrast:
    """Return for outputs and references of the same segments, encoded together: the ``most``
    n-grams of every order and either side whose smoothed share is furthest from ½."""
    streams = [first, second, *references]
    codes = _token_codes(streams)
    parts = []
    for order in range(1, ORDER + 1):
        if order > 1:
            codes = _longer(streams, codes, order)
        parts.append(_of_order(streams, codes, order, vocabulary, most))
    matched = bool(references)

    def joined(name: str) -> Integers:
        return np.concatenate([getattr(part, name) for part in parts])

    return NgramContrast(
        text=[text for part in parts for text in part.text],
        order=joined("order"),
        first=joined("first"),
        second=joined("second"),
        matched_first=joined("matched_first") if matched else None,
        matched_second=joined("matched_second") if matched else None,
        example_first=joined("example_first"),
        example_second=joined("example_second"),
    )


def _token_codes(streams: Sequence[Encoded]) -> list[Integers]:
    """Return a code of each token of each text; -1 for its end."""
    return [np.where(stream.ids == 0, -1, stream.ids).astype(np.int64) for stream in streams]


def _longer(streams: Sequence[Encoded], codes: Sequence[Integers], order: int) -> list[Integers]:
    """Return codes of the n-grams that begin at each position, from those of the next lower
    order."""
    highest = 1 + max(int(stream.ids.max(initial=0)) for stream in streams)
    keys = []
    for stream, code in zip(streams, codes, strict=True):
        last = np.zeros(len(code), np.int64)
        later = stream.ids[order - 1 :]
        last[: len(later)] = later
        keys.append(np.where((code >= 0) & (last > 0), code * highest + last, -1))
    _, found = np.unique(np.concatenate([[-1], *keys]), return_inverse=True)
    ends = np.cumsum([len(each) for each in keys])[:-1]
    return np.split(found[1:] - 1, ends)  # what is no n-gram is the lowest: -1


def _of_order(
    streams: Sequence[Encoded],
    codes: Sequence[Integers],
    order: int,
    vocabulary: Sequence[str],
    most: int,
) -> NgramContrast:
    n_codes = 1 + int(max(code.max(initial=-1) for code in codes))
    counted = [np.bincount(code[code >= 0], minlength=n_codes) for code in codes[:2]]
    matched = _matched(streams, codes, n_codes) if len(streams) > 2 else None
    share = smoothed_share(*(matched or counted))
    differs = np.flatnonzero(np.abs(share - 0.5) > 1e-12)
    by_share = differs[np.argsort(share[differs], kind="stable")]
    chosen = np.unique(np.concatenate([by_share[:most], by_share[-most:]]))
    text, examples = [""] * len(chosen), []
    for stream, code in zip(streams[:2], codes[:2], strict=True):
        known, at = np.unique(code, return_index=True)
        place = np.searchsorted(known, chosen)
        there = place < len(known)
        there[there] = known[place[there]] == chosen[there]
        position, example = np.full((2, len(chosen)), -1)
        position[there] = at[place[there]]
        example[there] = stream.segments[position[there]]
        examples.append(example)
        for k in np.flatnonzero(position >= 0).tolist():
            ids = stream.ids[position[k] : position[k] + order].tolist()
            text[k] = " ".join(vocabulary[i] for i in ids)
    return NgramContrast(
        text=text,
        order=np.full(len(chosen), order),
        first=counted[0][chosen],
        second=counted[1][chosen],
        matched_first=matched[0][chosen] if matched else None,
        matched_second=matched[1][chosen] if matched else None,
        example_first=examples[0],
        example_second=examples[1],
    )


def _matched(streams: Sequence[Encoded], codes: Sequence[Integers], n_codes: int) -> list[Integers]:
    """Return how many occurrences of each n-gram a reference of the segment has, by output: the
    smaller of the counts in the output and in the reference that has it most often."""
    cells = [
        np.unique((stream.segments * n_codes + code)[code >= 0], return_counts=True)
        for stream, code in zip(streams, codes, strict=True)
    ]
    found = []
    for keys, counts in cells[:2]:
        best = np.zeros(len(keys), np.int64)
        for others, theirs in cells[2:]:
            if len(others):
                place = np.minimum(np.searchsorted(others, keys), len(others) - 1)
                best = np.maximum(best, np.where(others[place] == keys, theirs[place], 0))
        total = np.zeros(n_codes, np.int64)
        np.add.at(total, keys % n_codes, np.minimum(best, counts))
        found.append(total)
    return found
