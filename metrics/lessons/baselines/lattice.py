"""The reordering lattice of a sentence: in which order its phrases may be translated.

A state is what is translated so far, a set of places of the source (its coverage), and where the
last phrase ended; an arc applies a phrase of the table to words that nothing covers yet. The
lattice of a sentence with every order has a state for every set of words; a window keeps it small:
a phrase begins at most so many words after the first word that is not translated. From every state
there is a way to the end, for the first open word may always be next.

Koehn, Och and Marcu (2003), "Statistical phrase-based translation": the weights of a phrase, and
distortion, the distance in words between the end of one phrase and the start of the next.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

Words = tuple[str, ...]
# A translation of a phrase, with the negative logarithms of φ(target | source), φ(source | target)
# and the lexical weights of both directions.
Entry = tuple[Words, tuple[float, ...]]
TABLE_COSTS = 4
NO_COSTS = (0.0,) * TABLE_COSTS


class PhraseLookup(Protocol):
    """A phrase table: a dictionary, or what answers as one."""

    def get(self, phrase: Words, default: Sequence[Entry], /) -> Sequence[Entry]: ...


class PhraseUse(NamedTuple):
    """A phrase that replaces the words [start, end) of a sentence. ``is_unknown``: the table has
    nothing for this word, which goes over as it is."""

    start: int
    end: int
    target: Words
    costs: tuple[float, ...] = NO_COSTS
    is_unknown: bool = False

    @property
    def mask(self) -> int:
        """The words it translates, a bit each."""
        return (1 << self.end) - (1 << self.start)


class Covered(NamedTuple):
    """A state: the words that are translated, a bit each, and where the last phrase ended."""

    mask: int
    last: int


class Lattice:
    """The ways to put together the applications of one sentence of ``n`` words."""

    start = Covered(0, 0)

    def __init__(self, n: int, applications: Sequence[PhraseUse], window: int) -> None:
        if window < 0:
            raise ValueError("A window has at least 0 words.")
        self.n, self.window = n, window
        self.everything = (1 << n) - 1
        self.by_start: list[list[PhraseUse]] = [[] for _ in range(n)]
        for each in applications:
            self.by_start[each.start].append(each)

    def arcs(self, state: Covered) -> Iterator[tuple[PhraseUse, Covered]]:
        """Yield what may be translated next, and the state that it leads to."""
        mask = state.mask
        first = first_open(mask)
        for start in range(first, min(first + self.window + 1, self.n)):
            if not mask >> start & 1:
                for each in self.by_start[start]:
                    if not mask & each.mask:
                        yield each, Covered(mask | each.mask, each.end)

    def is_final(self, state: Covered) -> bool:
        return state.mask == self.everything


def first_open(mask: int) -> int:
    """Return the first word that is not translated."""
    return ((mask + 1) & ~mask).bit_length() - 1


def applications_of(sentence: Sequence[str], table: PhraseLookup, longest: int) -> list[PhraseUse]:
    """Return all uses of a table on a sentence, of phrases up to ``longest`` words. A word that the
    table has no translation of by itself may always go over as it is, so that something is said."""
    found = []
    for start in range(len(sentence)):
        for end in range(start + 1, min(start + longest, len(sentence)) + 1):
            phrase = tuple(sentence[start:end])
            entries = table.get(phrase, ())
            found += [PhraseUse(start, end, target, costs) for target, costs in entries]
            if end == start + 1 and not entries:
                found.append(PhraseUse(start, end, phrase, is_unknown=True))
    return found
