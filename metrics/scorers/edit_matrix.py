"""The edit operations between two sentences, as sacreBLEU finds them for TER.

The distance matrix has a row for each word of the output and a column for each word of the
reference. A row is a handful of integers with one bit a column, as in Hyyrö (2003), so that it
takes about as many operations as a cell would by itself.

sacreBLEU looks only at a beam of columns around the diagonal, as if all other cells were infinite.
The same integers serve, if the cells outside the beam hold numbers that are never chosen: to the
left of it each cell is one larger than the next; to the right each is one larger than the one
before, and a cell that has such a one for a diagonal neighbor must not use it.
"""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

_BEAM_WIDTH = 25


class _Window(NamedTuple):
    """Columns of a row, as bits."""

    inside_or_right: int
    left_edge: int  # the first column of the beam and those before it
    right: int
    diagonal: int  # those with a diagonal neighbor in the beam


class Alignment(NamedTuple):
    """The edits that turn an output into a reference, ``cost`` of them.

    ``position[r]``: the last word of the output that stands before or at reference word r.
    ``next_output_error[p]``, ``next_reference_error[p]``: the first position from p on where the
    output (the reference) is wrong, or its length.
    """

    cost: int
    position: list[int]
    next_output_error: list[int]
    next_reference_error: list[int]


class EditMatrix:
    """Alignments of outputs of one length with one reference.

    ``masks``: for each word, by its number, the positions in the reference as bits. Outputs are
    given as numbers of words.
    """

    def __init__(self, masks: Sequence[int], n_reference: int, n_hypothesis: int) -> None:
        self._masks = masks
        self._n_reference = n_reference
        self._n_hypothesis = n_hypothesis
        self._everything = (1 << n_reference) - 1
        self._windows: list[_Window] = []

    def beam_matters(self, distance: int) -> bool:
        """Return whether a cheapest path of this cost could leave the beam.

        A path of cost d strays at most (d + |m - n|) / 2 from the diagonal. (A margin of 2 is left:
        the diagonal is rounded down, and the beam is one cell narrower above it than below.)
        """
        strays = distance + abs(self._n_reference - self._n_hypothesis)
        return self._n_reference >= _BEAM_WIDTH and strays > 2 * _BEAM_WIDTH - 4

    def align(self, hypothesis: Iterable[int]) -> Alignment:
        """Return the cheapest edits. Where several are cheapest, sacreBLEU keeps or substitutes,
        else deletes, else inserts, from the end on."""
        masks, everything = self._masks, self._everything
        up, down = everything, 0  # where the cost grows, falls along the reference
        rows = []
        for word in hypothesis:
            same = masks[word]
            # Where a cell costs as much as its diagonal neighbor.
            level = ((((same & up) + up) ^ up) | same | down) & everything
            grows = down | (everything ^ (level | up))  # more than the cell above
            rows.append((same, same | (everything ^ level), grows))
            left_grows = ((grows << 1) | 1) & everything
            left_falls = (level & up) << 1 & everything
            up = left_falls | (everything ^ (level | left_grows))
            down = left_grows & level
        return self._trace(rows)

    def align_in_beam(self, hypothesis: Iterable[int]) -> Alignment:
        """Return the cheapest edits that the cells of the beam allow."""
        masks, everything = self._masks, self._everything
        up, down = everything, 0
        rows = []
        for word, window in zip(hypothesis, self._beam(), strict=True):
            inside_or_right, left_edge, right, diagonal = window
            same = masks[word] & diagonal
            up &= inside_or_right
            down &= inside_or_right
            level = ((((same & up) + up) ^ up) | same | down) & everything
            grows = down | (everything ^ (level | up))
            rows.append((same, (same | (everything ^ level)) & diagonal, grows))
            left_grows = ((grows << 1) | 1) & everything
            left_falls = (level & up) << 1 & everything
            up = (left_falls | (everything ^ (level | left_grows)) | right) & ~left_edge
            down = (left_grows & level & ~right) | left_edge
        return self._trace(rows)

    def _beam(self) -> list[_Window]:
        """Return the window of every row."""
        if self._windows:
            return self._windows
        n_reference = self._n_reference
        ratio = n_reference / self._n_hypothesis
        width = _BEAM_WIDTH
        if width < ratio / 2:
            width = math.ceil(ratio / 2 + _BEAM_WIDTH)
        above_low, above_high = 0, n_reference + 1
        for row in range(1, self._n_hypothesis + 1):
            center = math.floor(row * ratio)
            low, high = max(0, center - width), min(n_reference + 1, center + width)
            if row == self._n_hypothesis:
                high = n_reference + 1
            self._windows.append(
                _Window(
                    inside_or_right=self._columns(low, n_reference + 1),
                    left_edge=self._columns(1, low + 1),
                    right=self._columns(high, n_reference + 1),
                    diagonal=self._columns(max(low, above_low + 1), min(above_high + 1, high)),
                )
            )
            above_low, above_high = low, high
        return self._windows

    def _columns(self, start: int, stop: int) -> int:
        """Return the columns from ``start`` to before ``stop``; the first word has column 1, bit
        0."""
        start = max(start, 1)
        return ((1 << (stop - 1)) - 1) & ~((1 << (start - 1)) - 1) & self._everything

    def _trace(self, rows: list[tuple[int, int, int]]) -> Alignment:
        """From rows that say where a word can be kept, kept or substituted, or else deleted."""
        i, j = self._n_hypothesis, self._n_reference
        cost, position = 0, [-1] * j  # what stands before all words of the output is inserted
        output_error, reference_error = [i] * (i + 1), [j] * (j + 1)
        while i and j:
            same, kept_or_substituted, deleted = rows[i - 1]
            bit = 1 << (j - 1)
            if kept_or_substituted & bit:
                i -= 1
                j -= 1
                position[j] = i
                if same & bit:
                    output_error[i] = output_error[i + 1]
                    reference_error[j] = reference_error[j + 1]
                    continue
                output_error[i], reference_error[j] = i, j
            elif deleted & bit:
                i -= 1
                output_error[i] = i
            else:
                j -= 1
                position[j] = i - 1
                reference_error[j] = j
            cost += 1
        output_error[:i], reference_error[:j] = range(i), range(j)
        return Alignment(cost + i + j, position, output_error, reference_error)
