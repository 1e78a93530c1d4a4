"""Errors that programs have marked in the outputs of a test set, which an app above this one has.

This app knows no metrics and no other judges. What it takes from them is a list of who marked
errors, and the errors themselves, to suggest them in a campaign.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from judgments.models import TestSet
from judgments.web.extension_points import registered


@dataclass(frozen=True)
class ProgramMarks:
    """Who marked errors: ``key`` in forms, ``label`` for readers, ``signature`` for good.

    ``n_errors`` in outputs of ``systems``, whose names they are; in those of ``stale`` ones the
    texts have changed since, and their errors are not used. ``made_at``: when the last were marked.
    """

    key: str
    label: str
    signature: str
    n_errors: int
    systems: tuple[str, ...]
    stale: tuple[str, ...]
    made_at: datetime


class ProgramError(NamedTuple):
    """One error in an output, by the names of its segment and system; code points of the output,
    the end exclusive."""

    segment: str
    system: str
    start: int
    end: int
    severity: str
    category: str


@dataclass(frozen=True)
class ErrorSource:
    """``known(test_set)`` lists who marked errors; ``errors(test_set, key)`` are theirs, those of
    an output after each other; none where it does not know the key."""

    known: Callable[[TestSet], list[ProgramMarks]]
    errors: Callable[[TestSet, str], Iterator[ProgramError]]


def marked_in(test_set: TestSet) -> list[ProgramMarks]:
    return [each for source in _sources() for each in source.known(test_set)]


def errors_of(test_set: TestSet, key: str) -> Iterator[ProgramError]:
    """Yield the errors behind one of `marked_in`."""
    for source in _sources():
        yield from source.errors(test_set, key)


def _sources() -> list[ErrorSource]:
    return registered("error_sources")
