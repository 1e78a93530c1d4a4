"""Edit operations with shifts, as sacreBLEU counts them for TER.

Words are numbers here, and the numbers are the characters of a string: shifting is slicing, and
distances come from rapidfuzz. Three facts make the search short and leave its result as it is:

- No order of the words of the output is closer to the reference than their multisets are.
- Moving a block of k words changes a distance by at most 2k.
- sacreBLEU only searches a beam around the diagonal of the distance matrix, and a small distance is
  the same without it; where it may not be, the search is repeated with the beam (``edit_matrix``).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from rapidfuzz.distance import Levenshtein

from .edit_matrix import Alignment, EditMatrix

_MAX_SHIFT_SIZE = 10
_MAX_SHIFT_DISTANCE = 50
_MAX_CANDIDATES = 1000
_INFINITY = 10**16


Shift = tuple[int, int, int]
"""Where a block of words starts, how long it is, and before which word it is moved."""


class _Characters(dict[str, str]):
    def __missing__(self, word: str) -> str:
        character = self[word] = chr(len(self))
        return character


def as_characters(*sentences: Sequence[str]) -> list[str]:
    """Return each sentence as a string with one character a word, equal words by equal
    characters."""
    character = _Characters()
    return ["".join([character[word] for word in sentence]) for sentence in sentences]


class EncodedReference:
    """A reference as outputs are compared with it: its words numbered from 1, and where they are.
    All words that it does not have are the number 0."""

    def __init__(self, words: Sequence[str]) -> None:
        self._numbers: dict[str, int] = {}
        self.occurrences: list[list[int]] = [[]]
        for position, word in enumerate(words):
            number = self._numbers.setdefault(word, len(self.occurrences))
            if number == len(self.occurrences):
                self.occurrences.append([])
            self.occurrences[number].append(position)
        self.masks = [sum(1 << place for place in places) for places in self.occurrences]
        self.text = self.read(words)

    def read(self, words: Sequence[str]) -> str:
        """Return words as a string of their numbers."""
        number = self._numbers.get
        return "".join([chr(number(word, 0)) for word in words])


def count_edits(words: Sequence[str], reference: EncodedReference) -> int:
    """Return insertions, deletions, substitutions and shifts (Snover et al. 2006) that turn
    ``words`` into ``reference``, by the greedy search and the limits of Tercom and sacreBLEU.
    """
    shifts, distance = find_shifts(words, reference)
    return len(shifts) + distance


def find_shifts(words: Sequence[str], reference: EncodedReference) -> tuple[list[Shift], int]:
    """Return the shifts that `count_edits` counts, each of the words as shifted so far, and the
    edits that are left after them."""
    hypothesis = reference.read(words)
    shifts: list[Shift] = []
    if not reference.text or not hypothesis:
        return shifts, len(hypothesis) + len(reference.text)
    if hypothesis == reference.text:
        return shifts, 0
    search = _Search(reference, len(hypothesis))
    lowest = search.lowest_distance(hypothesis)
    distance, plain = search.distances(hypothesis, _INFINITY)
    while distance > lowest:
        candidates = search.candidates(hypothesis, plain)
        best, distance_after, plain_after = search.best(
            hypothesis, candidates, distance, plain, lowest
        )
        if best is None:
            break
        hypothesis, distance, plain = shifted(hypothesis, best), distance_after, plain_after
        shifts.append(best)
    return shifts, distance


class _Search:
    """Distances, alignments and shifts towards one reference from outputs of one length."""

    def __init__(self, reference: EncodedReference, n_hypothesis: int) -> None:
        self._reference = reference.text
        self._occurrences = reference.occurrences
        self._matrix = EditMatrix(reference.masks, len(reference.text), n_hypothesis)
        self._in_beam: dict[str, Alignment] = {}
        self._checked = 0

    def lowest_distance(self, hypothesis: str) -> int:
        """Return the distance that no order of the words can get below."""
        counts = Counter(map(ord, hypothesis))
        common = sum(min(n, len(self._occurrences[word])) for word, n in counts.items())
        return max(len(hypothesis), len(self._reference)) - common

    def distances(self, hypothesis: str, below: int) -> tuple[int, int]:
        """Return distance within the beam, and without it; anything from ``below`` on is
        ``below``."""
        plain = Levenshtein.distance(hypothesis, self._reference, score_cutoff=below - 1)
        if plain < below and self._matrix.beam_matters(plain):
            return self._align_in_beam(hypothesis).cost, plain
        return plain, plain

    def _align(self, hypothesis: str, plain: int) -> Alignment:
        if self._matrix.beam_matters(plain):
            return self._align_in_beam(hypothesis)
        return self._matrix.align(map(ord, hypothesis))

    def _align_in_beam(self, hypothesis: str) -> Alignment:
        if hypothesis not in self._in_beam:
            self._in_beam[hypothesis] = self._matrix.align_in_beam(map(ord, hypothesis))
        return self._in_beam[hypothesis]

    def best(
        self,
        hypothesis: str,
        candidates: Iterable[tuple[int, int, int]],
        distance: int,
        plain: int,
        lowest: int,
    ) -> tuple[Shift | None, int, int]:
        """Return the shift that shortens the distance most, the first among equals, or None."""
        best: Shift | None = None
        best_plain = plain
        tried = {hypothesis}
        for minus_length, start, target in candidates:
            if distance == lowest or plain + 2 * minus_length >= distance:
                break
            shift = (start, -minus_length, target)
            words = shifted(hypothesis, shift)
            if words in tried:
                continue
            tried.add(words)
            found, found_plain = self.distances(words, distance)
            if found < distance:
                best, distance, best_plain = shift, found, found_plain
        return best, distance, best_plain

    def candidates(self, hypothesis: str, plain: int) -> list[tuple[int, int, int]]:
        """Return shifts worth trying, as (-length, start, target), best first where distances are
        equal; none at all when the limit of candidates is reached, for then the search is over."""
        _, position, next_output_error, next_reference_error = self._align(hypothesis, plain)
        reference, occurrences = self._reference, self._occurrences
        numbers = [*map(ord, hypothesis)]
        found: list[tuple[int, int, int]] = []
        for start, error in enumerate(next_output_error[:-1]):
            # A block must hold an error, so that word must be one of the reference.
            if error - start >= _MAX_SHIFT_SIZE or error == len(numbers) or not numbers[error]:
                continue
            for at in occurrences[numbers[start]]:
                if abs(at - start) > _MAX_SHIFT_DISTANCE or next_reference_error[at] == len(
                    reference
                ):
                    continue
                # It must hold an error of the reference as well, and must not span its own place.
                shortest = 1 + max(error - start, next_reference_error[at] - at)
                longest = _MAX_SHIFT_SIZE
                if position[at] >= start:
                    longest = min(longest, position[at] - start)
                if (
                    shortest <= longest
                    and hypothesis[start : start + shortest] == reference[at : at + shortest]
                ):
                    longest = self._run_length(hypothesis, start, at, shortest, longest)
                    found += self._shifts(position, start, at, shortest, longest)
                    if self._checked >= _MAX_CANDIDATES:
                        return []
        return sorted(set(found))

    def _run_length(self, hypothesis: str, start: int, at: int, length: int, longest: int) -> int:
        """Return how many words from ``start`` are those from ``at``; the first ``length`` are."""
        reference = self._reference
        longest = min(longest, len(hypothesis) - start, len(reference) - at)
        while length < longest and hypothesis[start + length] == reference[at + length]:
            length += 1
        return length

    def _shifts(
        self, position: list[int], start: int, at: int, shortest: int, longest: int
    ) -> list[tuple[int, int, int]]:
        """Return shifts of the blocks at ``start`` to each place next to the words they match."""
        found = []
        targets = [position[at - 1] + 1 if at else 0]
        for length in range(1, longest + 1):
            target = position[at + length - 1] + 1
            if target != targets[-1]:
                targets.append(target)
            if length >= shortest:
                self._checked += len(targets)
                found += [(-length, start, target) for target in targets]
        return found


def shifted(words: Any, shift: Shift) -> Any:
    """Return a string or list of words with the block of a shift moved to before its target; a
    target inside the block moves it that far to the right, as in sacreBLEU."""
    start, length, target = shift
    end = start + length
    block = words[start:end]
    if target < start:
        return words[:target] + block + words[target:start] + words[end:]
    if target > end:
        return words[:start] + words[end:target] + block + words[target:]
    return words[:start] + words[end : length + target] + block + words[length + target :]
