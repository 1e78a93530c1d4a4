"""The seats of a plan, assigned in memory in the order of `judgments.judging.queue`."""

from __future__ import annotations

import bisect
from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True)
class PlannedSeat:
    """``items``: their positions in the plan, in the order of the work. ``versions``: the documents
    that it shows, each with the systems; empty if people may read a document in several."""

    batch: int
    seat: int
    items: np.ndarray
    follows: int | None = None
    versions: frozenset[tuple[int, int]] = frozenset()

    @property
    def place(self) -> tuple[int, int]:
        return self.batch, self.seat


@dataclass
class WorkHistory:
    """What a person has had: batches, and the versions of each document."""

    batches: set[int] = field(default_factory=set)
    versions: dict[int, set[int]] = field(default_factory=dict)

    def add(self, seat: PlannedSeat) -> None:
        self.batches.add(seat.batch)
        for document, system in seat.versions:
            self.versions.setdefault(document, set()).add(system)

    def may_take(self, seat: PlannedSeat) -> bool:
        """Return whether the person has not had the batch, nor any of its documents in another
        version."""
        if seat.batch in self.batches:
            return False
        return all(
            system in self.versions.get(document, (system,)) for document, system in seat.versions
        )


class FreeSeats:
    """The free seats. most: the batches that one person may have."""

    def __init__(self, seats: list[PlannedSeat], *, is_pool: bool, most: int | None = None) -> None:
        self.is_pool, self.most = is_pool, most
        self.first: list[PlannedSeat] = []
        self.following: list[PlannedSeat] = []
        self.last_seat: dict[int, int] = {}
        for seat in seats:
            self._add(seat)

    def __bool__(self) -> bool:
        return bool(self.first or self.following)

    def take(self, history: WorkHistory) -> PlannedSeat | None:
        """Assign and return the next seat; None if there is none for this person."""
        if self.most is not None and len(history.batches) >= self.most:
            return None
        ways: list[tuple[list[PlannedSeat], bool]] = [(self.first, False), (self.following, False)]
        if self.is_pool:  # batches after their own blocks come first
            ways.insert(0, (self.following, True))
        for seats, is_own in ways:
            for place, seat in enumerate(seats):
                if (not is_own or seat.follows in history.batches) and history.may_take(seat):
                    del seats[place]
                    history.add(seat)
                    return seat
        return None

    def put_back(self, seat: PlannedSeat, n_judged: int) -> None:
        """Add the unjudged part of a seat as a separate seat."""
        number = self.last_seat[seat.batch] + 1
        rest = seat.items[n_judged:]
        self._add(PlannedSeat(seat.batch, number, rest, seat.follows, seat.versions))

    def _add(self, seat: PlannedSeat) -> None:
        self.last_seat[seat.batch] = max(self.last_seat.get(seat.batch, 0), seat.seat)
        is_following = self.is_pool and seat.follows is not None
        bisect.insort(
            self.following if is_following else self.first, seat, key=lambda each: each.place
        )
