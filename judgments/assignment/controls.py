"""Control items in a batch: what is shown again, and where; no database here.

Repeats, references and degraded copies stand at least half a batch after what they belong to, as in
Graham et al. (2013), "Continuous measurement scales in human evaluation of machine translation".
What is inserted is a run: a block read through in one translation, or a single screen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .layout import PlannedScreen

Run = tuple[PlannedScreen, ...]


@dataclass(frozen=True, slots=True)
class Stretch:
    """A run in its batch. kind: as in `Item`, of all its screens but those that were not altered.

    rule: of the texts that are still to be altered; options: of each text (screen of the run,
    output id), in the order in which they are tried.
    """

    run: Run
    kind: str = "regular"
    rule: str = ""
    options: tuple[tuple[tuple[int, int], ...], ...] = ()

    def __len__(self) -> int:
        return len(self.run)


def wanted(n_regular: int, per_ten: Mapping[str, float]) -> dict[str, int]:
    """How many control items of each kind go with so many regular ones: of ten items in total
    `per_ten` are of the kind; at least one where some are wanted at all."""
    regular = 10 - sum(per_ten.values())
    return {
        kind: max(1, int(n_regular * share / regular + 0.5)) if share else 0
        for kind, share in per_ten.items()
    }


def spread(regular: Sequence[Run], fixed: Sequence[Stretch], rng) -> list[Stretch]:
    """The regular runs with the fixed stretches between them: evenly, and where it can be not next
    to a run of the same document."""
    if not fixed:
        return [Stretch(run) for run in regular]
    n = len(regular)
    at: dict[int, list[Stretch]] = {}
    touched = touched_gaps(regular)
    for j, i in enumerate(rng.permutation(len(fixed))):
        place = int((j + rng.random()) / len(fixed) * (n + 1))
        near = touched.get(fixed[i].run[0].document, set())
        gaps = outwards(place, n) if len(near) <= n else ()
        clear = (gap for gap in gaps if gap not in near and gap not in at)
        at.setdefault(next(clear, place), []).append(fixed[i])
    found: list[Stretch] = []
    for gap in range(n + 1):
        found += at.get(gap, [])
        found += [Stretch(run) for run in regular[gap : gap + 1]]
    return found


def touched_gaps(regular: Sequence[Run]) -> dict[int | None, set[int]]:
    """{document: the gaps with a run of it before or after}; gap 0 is before the first run."""
    found: dict[int | None, set[int]] = {}
    for place, run in enumerate(regular):
        found.setdefault(run[0].document, set()).update((place, place + 1))
    return found


def outwards(place: int, last: int) -> Iterator[int]:
    """The places from 0 to `last`, the nearest first, of two as near the lower one."""
    yield place
    for step in range(1, max(place, last - place) + 1):
        if place - step >= 0:
            yield place - step
        if place + step <= last:
            yield place + step


def with_copies(
    base: Sequence[Stretch],
    counts: Mapping[str, int],
    copy: Callable[[Run, str], Stretch | None],
    rng,
) -> tuple[list[Stretch], dict[str, int]]:
    """The batch with copies of regular runs in it, and how many items of each kind are missing,
    because the batch is too short for the distance.

    counts: items of each kind. copy: makes the copy of a run, None where that cannot be. A copy of
    several screens counts as so many items.
    """
    starts = places(base)
    chosen = choose(base, starts, counts, copy, rng)
    total = starts[-1]
    while True:  # what is left out makes the batch, and so the half of it, shorter
        size = total + sum(len(made) for _, made in chosen)
        kept = [each for each in chosen if 2 * starts[each[0] + 1] <= size]
        if len(kept) == len(chosen):
            break
        chosen = kept
    used = dict.fromkeys(counts, 0)
    for _, made in chosen:
        used[made.kind] += len(made)
    missing = {kind: max(0, n - used[kind]) for kind, n in counts.items()}
    return emit(base, starts, chosen, total + sum(used.values())), missing


def places(base: Sequence[Stretch]) -> list[int]:
    """The place of the first screen of each stretch, and the number of all screens."""
    found = [0]
    for stretch in base:
        found.append(found[-1] + len(stretch))
    return found


def choose(base, starts, counts: Mapping[str, int], copy, rng) -> list[tuple[int, Stretch]]:
    """(place in `base`, copy) of so many items of each kind, from the first half."""
    half = (starts[-1] + sum(counts.values())) / 2
    eligible = [
        i
        for i, stretch in enumerate(base)
        if stretch.kind == "regular" and not stretch.run[0].control and starts[i + 1] <= half
    ]
    left = dict(counts)
    chosen = []
    for i in (eligible[j] for j in rng.permutation(len(eligible))):
        size = len(base[i])
        # The kind of which most is missing; one more than half wanted of a run is worth the run.
        open_kinds = [
            kind for kind, n in left.items() if 2 * n >= size or (n > 0 and n == counts[kind])
        ]
        for kind in sorted(open_kinds, key=lambda kind: -left[kind] / counts[kind]):
            made = copy(base[i].run, kind)
            if made is not None:
                left[kind] -= len(made)
                chosen.append((i, made))
                break
    return sorted(chosen, key=lambda each: each[0])


def emit(base, starts, chosen, total: int) -> list[Stretch]:
    """Each copy as soon as half of the `total` lies between it and what it belongs to."""
    waiting = [(2 * starts[i] + total, made) for i, made in chosen]  # twice where it is due
    found: list[Stretch] = []
    length = 0
    for stretch in base:
        while waiting and 2 * length >= waiting[0][0]:
            found.append(waiting.pop(0)[1])
            length += len(found[-1])
        found.append(stretch)
        length += len(stretch)
    return found + [made for _, made in waiting]


def altered(stretch: Stretch, made: Mapping[int, tuple[int, Any]]) -> Stretch:
    """The stretch with the texts that were made: (output id, row) by screen of the run.

    A screen of one output is of the kind itself; of several, one is marked as the control, and the
    others are repeats: their screen is in the batch as it is, too.
    """
    screens = []
    for i, screen in enumerate(stretch.run):
        output, row = made.get(i, (None, None))
        if row is None:
            screens.append(replace(screen, kind="repeat"))
        elif len(screen.outputs) == 1:
            screens.append(replace(screen, kind=stretch.kind, altered=row))
        else:
            known = {"control": output, "control_kind": stretch.kind, "altered": row}
            screens.append(replace(screen, kind="repeat", **known))
    return replace(stretch, run=tuple(screens), rule="", options=())


def unaltered(stretch: Stretch) -> Stretch | None:
    """What becomes of a stretch none of whose outputs can be altered: a repeat, or nothing."""
    if stretch.kind != "degraded":
        return None
    run = tuple(replace(screen, kind="repeat") for screen in stretch.run)
    return Stretch(run, "repeat")
