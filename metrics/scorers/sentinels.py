"""Sentinels: metrics that know nothing of translation, as the least that a metric has to beat.

A metric that agrees with people no better than these says nothing about quality, or the way in
which agreement is measured rewards what it should not (Perrella et al. 2024).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from numpy.typing import ArrayLike

from .base import Floats, MeanScorer, Scorer, Stream, check_integer

UNITS = ("words", "characters")


def length(text: str, unit: str) -> int:
    """Return words, as white space divides them, or characters that are no white space."""
    words = text.split()
    return len(words) if unit == "words" else sum(map(len, words))


def check_unit(unit: str) -> None:
    if unit not in UNITS:
        raise ValueError(f"unit must be one of {', '.join(UNITS)}, not {unit!r}.")


@dataclass(kw_only=True)
class LengthRatio(Scorer):
    """Length of the output divided by that of the reference; 1 is equal, longer counts as better.

    Statistics: length of the output, length of the closest reference (ties: the shorter); a corpus
    pools them. ``unit``: words, as white space divides them, or characters without white space.
    Undefined where the reference is empty.
    """

    slug = "length_ratio"
    name = "Length ratio"
    family = "Sentinels"
    description = "Length of the output divided by the length of the reference."
    higher_is_better = True
    score_range = (0.0, np.inf)
    option_values = {"unit": UNITS}

    unit: str = "words"

    def __post_init__(self) -> None:
        check_unit(self.unit)

    def _statistics(
        self, hypotheses: Sequence[str], references: Sequence[Stream], sources: Sequence[str]
    ) -> Floats:
        stats = []
        for hypothesis, texts in zip(hypotheses, zip(*references, strict=True), strict=True):
            ours = length(hypothesis, self.unit)
            theirs = [length(text, self.unit) for text in texts if text is not None]
            stats.append((ours, min(theirs, key=lambda other: (abs(other - ours), other))))
        return np.array(stats, dtype=np.float64)

    def _score(self, stats: Floats) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = stats[..., 0] / stats[..., 1]
        return np.where(stats[..., 1] > 0, ratio, np.nan)

    def details(self, stats: ArrayLike) -> list[tuple[str, float]]:
        """Return both lengths."""
        ours, theirs = np.asarray(stats, dtype=np.float64)
        return [
            (f"Output length in {self.unit}", float(ours)),
            (f"Reference length in {self.unit}", float(theirs)),
        ]

    def _signature_fields(self, level: str) -> dict[str, object]:
        return {"unit": self.unit}


@dataclass(kw_only=True)
class SourceLength(MeanScorer):
    """Length of the source text, which no system can change; a shorter source counts as better.

    Statistics: the length, and a 1 to count it. All systems get the same scores; it shows how much
    of an agreement over segments comes from easy and hard source texts. ``unit`` as above.
    """

    slug = "source_length"
    name = "Source length"
    family = "Sentinels"
    description = "Length of the source text, whatever the output."
    higher_is_better = False
    score_range = (0.0, np.inf)
    needs_references = False
    needs_sources = True
    option_values = {"unit": UNITS}

    unit: str = "words"

    def __post_init__(self) -> None:
        check_unit(self.unit)

    def _values(
        self, hypotheses: Sequence[str], references: Sequence[Stream], sources: Sequence[str]
    ) -> Floats:
        return np.array([length(text, self.unit) for text in sources], dtype=np.float64)

    def _signature_fields(self, level: str) -> dict[str, object]:
        return {"unit": self.unit}


@dataclass(kw_only=True)
class RandomScore(MeanScorer):
    """A number from 0 to 100 that looks drawn by lot, evenly distributed.

    Statistics: the number, and a 1 to count it. The number is a digest (BLAKE2b) of the seed, the
    source and the output, so that the same output of the same source gets the same number again,
    on any machine, in any order, and in any selection of segments.
    """

    slug = "random"
    name = "Random"
    family = "Sentinels"
    description = "A random number, always the same for the same source and output."
    higher_is_better = True
    score_range = (0.0, 100.0)
    needs_references = False
    needs_sources = True

    seed: int = 1

    def __post_init__(self) -> None:
        check_integer("seed", self.seed, 0)

    def _values(
        self, hypotheses: Sequence[str], references: Sequence[Stream], sources: Sequence[str]
    ) -> Floats:
        pairs = zip(sources, hypotheses, strict=True)
        return 100 * np.array([_lot(self.seed, *pair) for pair in pairs])

    def _signature_fields(self, level: str) -> dict[str, object]:
        return {"seed": self.seed}


def _lot(seed: int, source: str, output: str) -> float:
    """Return a number in [0, 1) from the first 53 bits of a digest: as many as a float64 holds."""
    # The length of the source keeps "ab" + "c" apart from "a" + "bc".
    text = f"{seed} {len(source)} {source}{output}".encode("utf-8", "surrogatepass")
    return (int.from_bytes(blake2b(text, digest_size=8).digest(), "big") >> 11) / 2**53
