"""Which outputs meet on which screen, and which screens make a batch; no database here.

Annotators judge all outputs of a segment together where they fit, because differences between
outputs that one person sees side by side vary much less than those between people.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

# How many random divisions are tried for a segment; the one that repeats fewest meetings is kept.
TRIES = 10


@dataclass(frozen=True)
class Candidates:
    """The outputs of one segment. `outputs`: (output id, system id) pairs.

    texts: what tells the text of an output from another text, by output id; empty where it does not
    matter that two outputs read the same.
    """

    segment: int
    document: int
    outputs: tuple[tuple[int, int], ...]
    texts: Mapping[int, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PlannedScreen:
    """Outputs that are judged together; their order is drawn later. Of one segment, or of a whole
    document, of which `segment` is the first. part: what the item's `part` says; see there.

    words: how many there are to read. kind, control, control_kind: of a control item, as in `Item`,
    the output by its id. altered: the row with the text that is shown instead of an output.
    """

    segment: int
    outputs: tuple[tuple[int, int], ...]
    part: str = ""
    document: int = 0
    words: float = 0.0
    kind: str = "regular"
    control: int | None = None
    control_kind: str = ""
    altered: Any = None


class Divider:
    """Divides the outputs of segment after segment into screens, balanced over the whole.

    most, fewest: how many outputs one screen holds. limit: how many screens a segment gets at
    most (None: as many as show every output once, or every pair of outputs when `pairs`).

    n_equal counts the screens that are left out because all their outputs read the same: where
    outputs are compared, there is nothing to ask.
    """

    def __init__(self, *, fewest: int, most: int, pairs: bool, limit: int | None, rng):
        self.fewest = fewest
        self.most = max(fewest, most)
        self.pairs = pairs
        self.limit = limit
        self.rng = rng
        self.seen: Counter = Counter()  # system → screens
        self.met: Counter = Counter()  # unordered pair of systems → screens
        self.n_equal = 0

    def groups(self, candidates: Candidates) -> list[tuple[tuple[int, int], ...]]:
        """The screens of one segment: all of them, or the `limit` that are most wanting."""
        outputs, texts = candidates.outputs, candidates.texts
        found = self.all_pairs(outputs) if self.pairs else self.division(outputs)
        if texts:
            differing = [
                group for group in found if len({texts[output] for output, _ in group}) > 1
            ]
            self.n_equal += len(found) - len(differing)
            found = differing
        if self.limit is not None:
            # A stable sort after a shuffle: equally wanting screens come in random order.
            found = sorted(found, key=self.times_met if self.pairs else self.times_seen)
            found = found[: self.limit]
        elif self.pairs:
            return found  # every pair, so nothing is chosen by what was seen before
        for group in found:
            self.seen.update(system for _, system in group)
            self.met.update(meetings(group))
        return found

    def n_screens(self, n_outputs: int) -> int:
        """How many screens a segment with so many outputs gets at most."""
        n = n_outputs * (n_outputs - 1) // 2 if self.pairs else -(-n_outputs // self.most)
        return n if self.limit is None else min(n, self.limit)

    def all_pairs(self, outputs):
        pairs = list(combinations(outputs, 2))
        return [pairs[i] for i in self.rng.permutation(len(pairs))]

    def division(self, outputs):
        """Screens of nearly equal size that show every output once."""
        n_screens = -(-len(outputs) // self.most)
        tries = [self.random_division(outputs, n_screens) for _ in range(TRIES)]
        return min(tries, key=lambda groups: sum(map(self.times_met, groups)))

    def random_division(self, outputs, n_screens):
        order = self.rng.permutation(len(outputs)).tolist()
        size, larger = divmod(len(order), n_screens)  # so many of the screens hold one more
        ends = [size * (i + 1) + min(i + 1, larger) for i in range(n_screens)]
        groups = []
        for start, end in zip([0, *ends], ends, strict=False):
            part = order[start:end]
            # A screen may need more than is left, as a ranking needs two: others appear again.
            missing = max(0, self.fewest - len(part))
            others = [i for i in order if i not in part][:missing] if missing else []
            groups.append(tuple(outputs[i] for i in [*part, *others]))
        return groups

    def times_met(self, group) -> int:
        return sum(self.met[pair] for pair in meetings(group))

    def times_seen(self, group) -> float:
        return sum(self.seen[system] for _, system in group) / len(group)


def meetings(group) -> list[tuple[int, int]]:
    """The unordered pairs of systems on a screen."""
    return list(combinations(sorted(system for _, system in group), 2))


def document_screens(segments: Sequence[Candidates], divider: Divider) -> list[PlannedScreen]:
    """The screens of one document, in the order in which they are judged.

    Segment by segment; but when a screen holds one output, the document is read through once per
    system, so that each translation keeps its context.
    """
    if divider.most == 1:
        return read_through(segments, divider)
    return [
        PlannedScreen(candidates.segment, group)
        for candidates in segments
        for group in divider.groups(candidates)
    ]


def read_through(segments: Sequence[Candidates], divider: Divider) -> list[PlannedScreen]:
    systems = sorted({system for candidates in segments for _, system in candidates.outputs})
    order = [systems[i] for i in divider.rng.permutation(len(systems))]
    if divider.limit is not None:
        order = sorted(order, key=lambda system: divider.seen[system])[: divider.limit]
    screens = []
    for system in order:
        for candidates in segments:
            for output in candidates.outputs:
                if output[1] == system:
                    screens.append(PlannedScreen(candidates.segment, (output,)))
                    divider.seen[system] += 1
    return screens


def batches(documents: Sequence[list[PlannedScreen]], size: int) -> list[list[PlannedScreen]]:
    """Documents, in order and whole where they fit, in batches of at most `size` screens.

    A document longer than a batch begins a batch of its own and is cut into nearly equal parts.
    """
    found: list[list[PlannedScreen]] = []
    room = 0
    for screens in documents:
        n_parts = -(-len(screens) // size)  # none without a screen
        for part in range(n_parts):
            start = part * len(screens) // n_parts
            end = (part + 1) * len(screens) // n_parts
            if end - start > room or n_parts > 1:
                found.append([])
                room = size
            found[-1].extend(screens[start:end])
            room -= end - start
    return found


class Orderer:
    """Draws the order of the outputs on each screen; of a pair, each is first equally often."""

    def __init__(self, rng):
        self.rng = rng
        self.lead: Counter = Counter()  # (system, system) in rising order → times first, net

    def order(self, outputs: Sequence[tuple[int, int]]) -> list[int]:
        """The output ids of a screen from the first place to the last."""
        drawn = [outputs[i] for i in self.rng.permutation(len(outputs))]
        if len(drawn) == 2:
            first, second = drawn
            low, high = sorted((first[1], second[1]))
            lead = self.lead[low, high]
            if (lead > 0 and first[1] == low) or (lead < 0 and first[1] == high):
                drawn = [second, first]
            self.lead[low, high] += 1 if drawn[0][1] == low else -1
        return [output for output, _ in drawn]


class BalancedOrderer(Orderer):
    """The same, and of three or more each system is at each place nearly equally often."""

    def __init__(self, rng):
        super().__init__(rng)
        self.stood: Counter = Counter()  # (system, place) → screens

    def order(self, outputs: Sequence[tuple[int, int]]) -> list[int]:
        n = len(outputs)
        if n < 3:
            return super().order(outputs) if n == 2 else [output for output, _ in outputs]
        drawn = [outputs[i] for i in self.rng.permutation(n)]
        turns = [drawn[shift:] + drawn[:shift] for shift in range(n)]
        best = min(turns, key=self.crowded)
        self.stood.update((system, place) for place, (_, system) in enumerate(best))
        return [output for output, _ in best]

    def crowded(self, drawn: Sequence[tuple[int, int]]) -> int:
        return sum(self.stood[system, place] ** 2 for place, (_, system) in enumerate(drawn))
