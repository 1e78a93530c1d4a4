"""The edits of words that turn one text into another, aligned."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from rapidfuzz.distance import Levenshtein

from .edits import EncodedReference, as_characters, find_shifts, shifted

Words = tuple[str, ...]

MATCH, SUBSTITUTION, INSERTION, DELETION = "match", "substitution", "insertion", "deletion"
SHIFT = "shift"


@dataclass(frozen=True)
class EditOperation:
    """A run of words that are the same in both texts, or that an edit must change.

    ``kind``: "match"; "substitution", words of the output to be replaced by those of the reference,
    not always as many; "insertion", words of the reference that the output lacks; "deletion",
    words of the output that the reference lacks; "shift", words that are the same once they are
    moved here, by an edit that `ShiftedEdits` counts.
    """

    kind: str
    output: Words
    reference: Words

    @property
    def edits(self) -> int:
        """How many edits of single words it takes."""
        return 0 if self.kind in (MATCH, SHIFT) else max(len(self.output), len(self.reference))


def align(output: Sequence[str], reference: Sequence[str]) -> tuple[EditOperation, ...]:
    """Return the fewest edits of words that turn one text into the other, as runs from left to
    right.

    Neighboring edits are one run: which of its words stands for which is not known.
    """
    ours, theirs = as_characters(output, reference)
    runs = []
    for same, left, right in runs_of(ours, theirs):
        words, wanted = tuple(output[left]), tuple(reference[right])
        if same:
            kind = MATCH
        elif not words:
            kind = INSERTION
        else:
            kind = SUBSTITUTION if wanted else DELETION
        runs.append(EditOperation(kind, words, wanted))
    return tuple(runs)


@dataclass(frozen=True)
class ShiftedEdits:
    """The edits from an output to a reference after ``n_shifts`` of its blocks were moved."""

    operations: tuple[EditOperation, ...]
    n_shifts: int

    @property
    def edits(self) -> int:
        return self.n_shifts + sum(operation.edits for operation in self.operations)


def align_shifted(output: Sequence[str], reference: Sequence[str]) -> ShiftedEdits:
    """`align` of the output as TER shifts it (Snover et al. 2006): what was moved to where it is
    the same as the reference is a run of the kind "shift"."""
    shifts, _ = find_shifts(output, EncodedReference(reference))
    order = list(range(len(output)))
    shift_of = dict.fromkeys(order, 0)
    for number, shift in enumerate(shifts, start=1):
        start, length, _ = shift
        shift_of |= dict.fromkeys(order[start : start + length], number)
        order = shifted(order, shift)
    found: list[EditOperation] = []
    at = 0
    for operation in align([output[place] for place in order], reference):
        places = order[at : at + len(operation.output)]
        at += len(places)
        if operation.kind != MATCH:
            found.append(operation)
            continue
        for number, run in groupby(places, key=shift_of.__getitem__):
            words = tuple(output[place] for place in run)
            found.append(EditOperation(SHIFT if number else MATCH, words, words))
    return ShiftedEdits(tuple(found), len(shifts))


def runs_of(ours: Any, theirs: Any) -> Iterator[tuple[bool, slice, slice]]:
    """Yield runs of two sequences from left to right: equal or not, and where they are in each."""
    left = right = 0
    for start, wanted, size in Levenshtein.editops(ours, theirs).as_matching_blocks():
        if start > left or wanted > right:
            yield False, slice(left, start), slice(right, wanted)
        left, right = start + size, wanted + size
        if size:
            yield True, slice(start, left), slice(wanted, right)
