"""Control items in a batch: what is shown again, and where; no database here.

Repeats, references and degraded copies stand at least half a batch from what they belong to, as in
Graham et al. (2013), "Continuous measurement scales in human evaluation of machine translation".
Which of the two comes first is drawn, so that nobody can tell a control item by its place. What is
inserted is a run: a block read through in one translation, or a single screen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ..layout import PlannedScreen

Run = tuple[PlannedScreen, ...]


@dataclass(frozen=True, slots=True)
class Stretch:
    """A run in its batch. kind: as in `Item`, of all its screens but those that were not altered.

    rule: of the texts that are still to be altered; options: of each text (screen of the run,
    output id), in the order in which they are tried. block: of a pool, what the place belongs to;
    None of what was inserted.
    """

    run: Run
    kind: str = "regular"
    rule: str = ""
    options: tuple[tuple[tuple[int, int], ...], ...] = ()
    block: int | None = None

    def __len__(self) -> int:
        return len(self.run)


class Copy(NamedTuple):
    """What is made of the run at a place of the batch. comes_first: it stands in that place, and
    the run itself half a batch away. last: the place of the last run that it looks like."""

    place: int
    made: Stretch
    comes_first: bool
    last: int


def wanted(n_regular: int, per_ten: Mapping[str, float]) -> dict[str, int]:
    """Return how many control items of each kind go with so many regular ones: of ten items in
    total `per_ten` are of the kind; at least one where some are wanted at all."""
    regular = 10 - sum(per_ten.values())
    return {
        kind: max(1, int(n_regular * share / regular + 0.5)) if share else 0
        for kind, share in per_ten.items()
    }


def spread(regular: Sequence[Run], fixed: Sequence[Stretch], rng) -> list[Stretch]:
    """Return the regular runs with the fixed stretches between them: anywhere, but not next to a
    run of the same document or to each other where most places are not: else the place would
    tell."""
    if not fixed:
        return [Stretch(run) for run in regular]
    n = len(regular)
    at: dict[int, list[Stretch]] = {}
    touched = touched_gaps(regular)
    for i in rng.permutation(len(fixed)):
        gaps = rng.permutation(n + 1).tolist()
        near = touched.get(fixed[i].run[0].document, set())
        near = near if 2 * len(near) <= n else set()
        clear = (gap for gap in gaps if gap not in near and gap not in at)
        at.setdefault(next(clear, gaps[0]), []).append(fixed[i])
    found: list[Stretch] = []
    for gap in range(n + 1):
        found += at.get(gap, [])
        found += [Stretch(run) for run in regular[gap : gap + 1]]
    return found


def touched_gaps(regular: Sequence[Run]) -> dict[int | None, set[int]]:
    """Return {document: the gaps with a run of it before or after}; gap 0 is before the first
    run."""
    found: dict[int | None, set[int]] = {}
    for place, run in enumerate(regular):
        found.setdefault(run[0].document, set()).update((place, place + 1))
    return found


def with_copies(
    base: Sequence[Stretch],
    counts: Mapping[str, int],
    copy: Callable[[Run, str], Stretch | None],
    rng,
) -> tuple[list[Stretch], dict[str, int]]:
    """Return the batch with copies of regular runs in it, and how many items of each kind are
    missing, because the batch is too short for the distance.

    counts: items of each kind. copy: makes the copy of a run, None where that cannot be. A copy of
    several screens counts as so many items.

    Runs of the first half are copied, and one of the two is put into the second half; every other
    batch, by chance, is laid out from its end, so that what stands alone is in either half.
    """
    from_end = rng.random() < 0.5
    base = base[::-1] if from_end else base
    starts = places(base)
    chosen = choose(base, starts, counts, copy, rng)
    while True:  # what is left out makes the batch, and so the half of it, shorter
        size = starts[-1] + sum(map(len, chosen.values()))
        kept = {i: made for i, made in chosen.items() if 2 * starts[i + 1] <= size}
        if len(kept) == len(chosen):
            break
        chosen = kept
    used = dict.fromkeys(counts, 0)
    for made in chosen.values():
        used[made.kind] += len(made)
    missing = {kind: max(0, n - used[kind]) for kind, n in counts.items()}
    drawn = []
    for i, alike in look_alikes(base, starts, chosen, size).items():
        # Each of those that look alike is the one apart equally often, the copy too.
        comes_first = bool(rng.random() < len(alike) / (len(alike) + 1))
        drawn.append(Copy(i, chosen[i], comes_first, max(alike)))
    found = emit(base, starts, drawn, size)
    if found is None:  # there is no room at the end for more than the distance
        found = emit(base, starts, [each._replace(last=each.place) for each in drawn], size)
    assert found is not None
    return found[::-1] if from_end else found, missing


def places(base: Sequence[Stretch]) -> list[int]:
    """Return the place of the first screen of each stretch, and the number of all screens."""
    found = [0]
    for stretch in base:
        found.append(found[-1] + len(stretch))
    return found


def choose(base, starts, counts: Mapping[str, int], copy, rng) -> dict[int, Stretch]:
    """Return copies of runs of the first half, so many items of each kind, by place in `base`."""
    half = (starts[-1] + sum(counts.values())) / 2
    eligible = [
        i
        for i, stretch in enumerate(base)
        if stretch.kind == "regular" and not stretch.run[0].control and starts[i + 1] <= half
    ]
    left = dict(counts)
    chosen: dict[int, Stretch] = {}
    # A reference that comes twice would be told by that.
    hidden = (stretch.run[0] for stretch in base if stretch.run[0].control_kind == "reference")
    referenced = {screen.segment for screen in hidden}
    for i in (eligible[j] for j in rng.permutation(len(eligible))):
        size = len(base[i])
        # The kind of which most is missing; one more than half wanted of a run is worth the run.
        open_kinds = [
            kind for kind, n in left.items() if 2 * n >= size or (n > 0 and n == counts[kind])
        ]
        for kind in sorted(open_kinds, key=lambda kind: -left[kind] / counts[kind]):
            if kind == "reference" and base[i].run[0].segment in referenced:
                continue
            made = copy(base[i].run, kind)
            if made is not None:
                if kind == "reference":
                    referenced.add(base[i].run[0].segment)
                left[kind] -= len(made)
                chosen[i] = made
                break
    return dict(sorted(chosen.items()))


def look_alikes(
    base: Sequence[Stretch], starts, chosen: Mapping[int, Stretch], size: int
) -> dict[int, list[int]]:
    """Return the places of the runs of which each copy could be the copy, for all that one sees:
    its own, but of a reference every run of its segment in the first half that comes once and shows
    what stands beside the reference."""
    once: dict[int, list[int]] = {}
    for i, each in enumerate(base):
        is_seen_once = i not in chosen or chosen[i].kind == "reference"
        if each.kind == "regular" and is_seen_once and 2 * starts[i + 1] <= size:
            once.setdefault(each.run[0].segment, []).append(i)
    found = {i: [i] for i in chosen}
    for i, made in chosen.items():
        if made.kind == "reference":
            places = once[base[i].run[0].segment]
            shown = {j: {output for output, _ in base[j].run[0].outputs} for j in places}
            beside = {output for output, _ in made.run[0].outputs} & set().union(*shown.values())
            found[i] = [j for j in places if beside <= shown[j]]
    return found


def emit(base, starts, copies: Sequence[Copy], total: int) -> list[Stretch] | None:
    """Return for each run and its copy one in the place of the run, and the other as soon as half
    of the `total` lies between it and all runs that the copy looks like. None where half of it does
    not lie between each two, because the batch ends before."""
    here = list(base)
    waiting: list[tuple[int, int, Stretch]] = []  # twice where it is due, and where at the earliest
    for place, made, comes_first, last in copies:
        here[place] = replace(made, block=base[place].block) if comes_first else base[place]
        apart = replace(base[place], block=None) if comes_first else made
        waiting.append((2 * starts[last] + total, 2 * starts[place] + total, apart))
    waiting.sort(key=lambda each: each[0])
    found: list[Stretch] = []
    length = 0
    for stretch in [*here, None]:
        while waiting and (stretch is None or 2 * length >= waiting[0][0]):
            _, earliest, apart = waiting.pop(0)
            if 2 * length < earliest:
                return None
            found.append(apart)
            length += len(apart)
        if stretch is not None:
            found.append(stretch)
            length += len(stretch)
    return found


def altered(stretch: Stretch, made: Mapping[int, tuple[int, Any]]) -> Stretch:
    """Return the stretch with the texts that were made: (output id, row) by screen of the run.

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
    """Return what becomes of a stretch none of whose outputs can be altered: a repeat, or
    nothing."""
    if stretch.kind != "degraded":
        return None
    run = tuple(replace(screen, kind="repeat") for screen in stretch.run)
    return Stretch(run, "repeat", block=stretch.block)


def in_blocks(batch: Sequence[Stretch]) -> list[list[PlannedScreen]]:
    """Return the screens of a batch, cut where one block ends and the next begins; what was
    inserted stays with the block before it."""
    found: list[list[PlannedScreen]] = [[]]
    current = None
    for stretch in batch:
        if stretch.block is not None:
            if current not in (None, stretch.block):
                found.append([])
            current = stretch.block
        found[-1] += stretch.run
    return found
