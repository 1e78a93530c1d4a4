"""The edits of words that turn one text into another, aligned."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rapidfuzz.distance import Levenshtein

from .edits import as_characters

Words = tuple[str, ...]

MATCH, SUBSTITUTION, INSERTION, DELETION = "match", "substitution", "insertion", "deletion"


@dataclass(frozen=True)
class EditOperation:
    """A run of words that are the same in both texts, or that an edit must change.

    ``kind``: "match"; "substitution", words of the output to be replaced by those of the reference,
    not always as many; "insertion", words of the reference that the output lacks; "deletion",
    words of the output that the reference lacks.
    """

    kind: str
    output: Words
    reference: Words

    @property
    def edits(self) -> int:
        """How many edits of single words it takes."""
        return 0 if self.kind == MATCH else max(len(self.output), len(self.reference))


def align(output: Sequence[str], reference: Sequence[str]) -> tuple[EditOperation, ...]:
    """The fewest edits of words that turn one text into the other, as runs from left to right.

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


def runs_of(ours: Any, theirs: Any) -> Iterator[tuple[bool, slice, slice]]:
    """Runs of two sequences from left to right: equal or not, and where they are in each."""
    left = right = 0
    for start, wanted, size in Levenshtein.editops(ours, theirs).as_matching_blocks():
        if start > left or wanted > right:
            yield False, slice(left, start), slice(right, wanted)
        left, right = start + size, wanted + size
        if size:
            yield True, slice(start, left), slice(wanted, right)
