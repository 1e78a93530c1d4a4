"""Edit operations with shifts, as sacreBLEU counts them for TER.

Words are single characters here (``as_characters``), so that a sentence is a string: shifting is
slicing, and distances come from rapidfuzz. Three facts make the search short and leave its result
as it is:

- No order of the words of the output is closer to the reference than their multisets are.
- Moving a block of k words changes a distance by at most 2k.
- sacreBLEU only searches a beam around the diagonal of the distance matrix. A path of cost d strays
  at most (d + |m - n|) / 2 from that diagonal, so that a small distance is the same without the
  beam; where it may not be, ``_Beam`` repeats the search with it.
"""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

_MAX_SHIFT_SIZE = 10
_MAX_SHIFT_DISTANCE = 50
_MAX_CANDIDATES = 1000
_BEAM_WIDTH = 25
_INFINITY = 10**16

# Operations that turn the output into the reference.
_KEEP, _SUBSTITUTE, _DELETE, _INSERT = "=sdi"


class _Characters(dict[str, str]):
    def __missing__(self, word: str) -> str:
        character = self[word] = chr(len(self))
        return character


def as_characters(*sentences: Sequence[str]) -> list[str]:
    """Each sentence as a string with one character a word, equal words by equal characters."""
    character = _Characters()
    return ["".join([character[word] for word in sentence]) for sentence in sentences]


def count_edits(hypothesis: str, reference: str) -> int:
    """Insertions, deletions, substitutions and shifts (Snover et al. 2006) that turn
    ``hypothesis`` into ``reference``, by the greedy search and the limits of Tercom and sacreBLEU.
    """
    if not reference or not hypothesis:
        return len(hypothesis) + len(reference)
    if hypothesis == reference:
        return 0
    search = _Search(reference, len(hypothesis))
    lowest = search.lowest_distance(hypothesis)
    shifts = 0
    distance, plain = search.distances(hypothesis, _INFINITY)
    while distance > lowest:
        candidates = search.candidates(hypothesis)
        shifted, distance_after, plain_after = search.best(
            hypothesis, candidates, distance, plain, lowest
        )
        if shifted is None:
            break
        hypothesis, distance, plain = shifted, distance_after, plain_after
        shifts += 1
    return shifts + distance


class _Alignment(NamedTuple):
    """``position[r]``: the last word of the output that stands before or at reference word r.
    ``next_error[p]``: the first position from p on where the output (the reference) is wrong."""

    position: list[int]
    next_output_error: list[int]
    next_reference_error: list[int]


class _Search:
    """Distances, alignments and shifts towards one reference from outputs of one length."""

    def __init__(self, reference: str, n_hypothesis: int) -> None:
        self._reference = reference
        self._occurrences: dict[str, list[int]] = {}
        for position, word in enumerate(reference):
            self._occurrences.setdefault(word, []).append(position)
        self._masks = {
            word: sum(1 << position for position in positions)
            for word, positions in self._occurrences.items()
        }
        self._beam = _Beam(reference, n_hypothesis)
        self._checked = 0

    def lowest_distance(self, hypothesis: str) -> int:
        """The distance that no order of the words can get below."""
        left = {word: len(positions) for word, positions in self._occurrences.items()}
        common = 0
        for word in hypothesis:
            if left.get(word, 0):
                left[word] -= 1
                common += 1
        return max(len(hypothesis), len(self._reference)) - common

    def distances(self, hypothesis: str, below: int) -> tuple[int, int]:
        """Distance within the beam, and without it; anything from ``below`` on is ``below``."""
        plain = Levenshtein.distance(hypothesis, self._reference, score_cutoff=below - 1)
        if plain < below and self._beam.matters(plain):
            return self._beam.distance(hypothesis), plain
        return plain, plain

    def best(
        self,
        hypothesis: str,
        candidates: Iterable[tuple[int, int, int]],
        distance: int,
        plain: int,
        lowest: int,
    ) -> tuple[str | None, int, int]:
        """The shift that shortens the distance most, the first among equals, or None."""
        best, best_plain = None, plain
        tried = {hypothesis}
        for minus_length, start, target in candidates:
            if distance == lowest or plain + 2 * minus_length >= distance:
                break
            shifted = _shift(hypothesis, start, -minus_length, target)
            if shifted in tried:
                continue
            tried.add(shifted)
            found, found_plain = self.distances(shifted, distance)
            if found < distance:
                best, distance, best_plain = shifted, found, found_plain
        return best, distance, best_plain

    def candidates(self, hypothesis: str) -> list[tuple[int, int, int]]:
        """Shifts worth trying, as (-length, start, target), best first where distances are equal;
        none at all when the limit of candidates is reached, for then the search is over."""
        alignment = self._align(hypothesis)
        position, next_output_error, next_reference_error = alignment
        found = []
        for start, word in enumerate(hypothesis):
            for at in self._occurrences.get(word, ()):
                if abs(at - start) > _MAX_SHIFT_DISTANCE:
                    continue
                # A block must hold an error on both sides and must not span its own place.
                longest = _MAX_SHIFT_SIZE
                if position[at] >= start:
                    longest = min(longest, position[at] - start)
                shortest = 1 + max(next_output_error[start] - start, next_reference_error[at] - at)
                if shortest <= longest:
                    longest = self._run_length(hypothesis, start, at, longest)
                    found += self._shifts(position, start, at, shortest, longest)
                    if self._checked >= _MAX_CANDIDATES:
                        return []
        return sorted(set(found))

    def _run_length(self, hypothesis: str, start: int, at: int, longest: int) -> int:
        reference = self._reference
        longest = min(longest, len(hypothesis) - start, len(reference) - at)
        length = 1
        while length < longest and hypothesis[start + length] == reference[at + length]:
            length += 1
        return length

    def _shifts(
        self, position: list[int], start: int, at: int, shortest: int, longest: int
    ) -> list[tuple[int, int, int]]:
        """Shifts of the blocks at ``start`` to each place next to the words they match."""
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

    def _align(self, hypothesis: str) -> _Alignment:
        plain = Levenshtein.distance(hypothesis, self._reference)
        if self._beam.matters(plain):
            return _read(self._beam.operations(hypothesis), hypothesis, self._reference)
        return _read(self._operations(hypothesis), hypothesis, self._reference)

    def _operations(self, hypothesis: str) -> list[str]:
        """Edit operations, last first, from the bit-parallel distance matrix of Hyyrö (2003).

        Where several are optimal, sacreBLEU keeps or substitutes, else deletes, else inserts.
        """
        everything = (1 << len(self._reference)) - 1
        up, down = everything, 0  # where the distance grows, falls along the reference
        rows = []
        for word in hypothesis:
            same = self._masks.get(word, 0)
            diagonal = ((((same & up) + up) ^ up) | same | down) & everything
            grows = down | (everything ^ (diagonal | up))
            rows.append((same, diagonal, grows))
            along_up = ((grows << 1) | 1) & everything
            along_down = (diagonal & up) << 1 & everything
            up = along_down | (everything ^ (diagonal | along_up))
            down = along_up & diagonal
        operations = []
        i, j = len(hypothesis), len(self._reference)
        while i and j:
            same, diagonal, grows = rows[i - 1]
            bit = 1 << (j - 1)
            if same & bit or not diagonal & bit:
                operations.append(_KEEP if same & bit else _SUBSTITUTE)
                i -= 1
                j -= 1
            elif grows & bit:
                operations.append(_DELETE)
                i -= 1
            else:
                operations.append(_INSERT)
                j -= 1
        return operations + [_DELETE] * i + [_INSERT] * j


def _read(operations: list[str], hypothesis: str, reference: str) -> _Alignment:
    """The alignment that operations, last first, amount to."""
    i, j = len(hypothesis), len(reference)
    position = [0] * j
    output_error, reference_error = [i] * (i + 1), [j] * (j + 1)
    for operation in operations:
        if operation != _INSERT:
            i -= 1
            output_error[i] = output_error[i + 1] if operation == _KEEP else i
        if operation != _DELETE:
            j -= 1
            reference_error[j] = reference_error[j + 1] if operation == _KEEP else j
            position[j] = i if operation != _INSERT else i - 1
    return _Alignment(position, output_error, reference_error)


def _shift(words: str, start: int, length: int, target: int) -> str:
    """``words`` with the block at ``start`` moved to before ``target``; a target inside the block
    moves it that far to the right, as in sacreBLEU."""
    end = start + length
    block = words[start:end]
    if target < start:
        return words[:target] + block + words[target:start] + words[end:]
    if target > end:
        return words[:start] + words[end:target] + block + words[target:]
    return words[:start] + words[end : length + target] + block + words[length + target :]


class _Beam:
    """The distance matrix, searched within a beam around its diagonal, cell by cell."""

    def __init__(self, reference: str, n_hypothesis: int) -> None:
        self._reference = reference
        self._ratio = len(reference) / n_hypothesis
        self._difference = abs(len(reference) - n_hypothesis)
        self._width = _BEAM_WIDTH
        if self._width < self._ratio / 2:
            self._width = math.ceil(self._ratio / 2 + _BEAM_WIDTH)

    def matters(self, distance: int) -> bool:
        """Whether an optimal path of this cost could leave the beam. (A margin of 2 is left: the
        diagonal is rounded down and the beam is one cell narrower above it than below.)"""
        return (
            len(self._reference) >= _BEAM_WIDTH
            and distance + self._difference > 2 * _BEAM_WIDTH - 4
        )

    def distance(self, hypothesis: str) -> int:
        return self._search(hypothesis)[0]

    def operations(self, hypothesis: str) -> list[str]:
        """Edit operations, last first."""
        _, lows, rows = self._search(hypothesis)
        operations = []
        i, j = len(hypothesis), len(self._reference)
        while i or j:
            operation = rows[i - 1][j - lows[i - 1]] if i else _INSERT
            operations.append(operation)
            i -= operation != _INSERT
            j -= operation != _DELETE
        return operations

    def _search(self, hypothesis: str) -> tuple[int, list[int], list[list[str]]]:
        """Distance, and for each word of the output the first column of the beam and the
        operations of the cells from there on."""
        n_reference = len(self._reference)
        above_low, above = 0, list(range(n_reference + 1))
        lows, rows = [], []
        for i, word in enumerate(hypothesis, start=1):
            diagonal = math.floor(i * self._ratio)
            low = max(0, diagonal - self._width)
            high = min(n_reference + 1, diagonal + self._width)
            if i == len(hypothesis):
                high = n_reference + 1
            cells, operations = self._row(word, low, high, above_low, above)
            lows.append(low)
            rows.append(operations)
            above_low, above = low, cells
        return above[-1], lows, rows

    def _row(
        self, word: str, low: int, high: int, above_low: int, above: list[int]
    ) -> tuple[list[int], list[str]]:
        # The cells above, with infinity wherever the beam of that row did not reach.
        missing = [_INFINITY] * max(0, above_low - low + 1)
        first = max(0, low - 1 - above_low)
        over = (missing + above[first:])[: high - low + 1]
        over += [_INFINITY] * (high - low + 1 - len(over))
        cells: list[int] = []
        operations: list[str] = []
        before = _INFINITY
        for j in range(low, high):
            best, operation = _INFINITY, _KEEP
            if j:
                same = word == self._reference[j - 1]
                best = over[j - low] + (not same)
                operation = _KEEP if same else _SUBSTITUTE
            if over[j - low + 1] + 1 < best:
                best, operation = over[j - low + 1] + 1, _DELETE
            if before + 1 < best:
                best, operation = before + 1, _INSERT
            before = min(best, _INFINITY)
            cells.append(before)
            operations.append(operation)
        return cells, operations
