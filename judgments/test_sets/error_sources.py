"""Errors marked by programs in the outputs of a test set, provided by an app above this one.

This app knows neither metrics nor other judges. It uses a list of the programs that marked errors,
and the errors themselves, to suggest them in a campaign.
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
    """A program that marked errors: ``key`` in forms, ``label`` for readers, ``signature`` to
    store.

    ``n_errors`` in outputs of ``systems``, which are names; the texts of ``stale`` ones have
    changed since, so their errors are not used. ``made_at``: when the last were marked.
    """

    key: str
    label: str
    signature: str
    n_errors: int
    systems: tuple[str, ...]
    stale: tuple[str, ...]
    made_at: datetime


class ProgramError(NamedTuple):
    """One error in an output, by the names of its segment and system; in code points of the output,
    the end exclusive."""

    segment: str
    system: str
    start: int
    end: int
    severity: str
    category: str


@dataclass(frozen=True)
class ErrorSource:
    """``known(test_set)`` lists programs that marked errors; ``errors(test_set, key)`` returns the
    errors of one, grouped by output; empty for an unknown key."""

    known: Callable[[TestSet], list[ProgramMarks]]
    errors: Callable[[TestSet, str], Iterator[ProgramError]]


def marked_in(test_set: TestSet) -> list[ProgramMarks]:
    return [each for source in _sources() for each in source.known(test_set)]


def errors_of(test_set: TestSet, key: str) -> Iterator[ProgramError]:
    """Yield the errors of one of `marked_in`."""
    for source in _sources():
        yield from source.errors(test_set, key)


def _sources() -> list[ErrorSource]:
    return registered("error_sources")
