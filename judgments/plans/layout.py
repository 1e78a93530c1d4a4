"""Which outputs meet on which screen, and in which order; no database here.

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
    expected: of an attention check that names scores, the columns of each `ExpectedScore`.
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
    expected: tuple[Mapping[str, Any], ...] = ()


class Divider:
    """Divides the outputs of segment after segment into screens, balanced over the whole.

    most, fewest: how many outputs one screen holds. pairs: whether every two outputs meet, instead
    of every output being shown once; limit: how many pairs of a segment at most, None for all.

    n_equal counts the screens that are left out because all their outputs read the same: where
    outputs are compared, there is nothing to ask.
    """

    def __init__(self, *, fewest: int, most: int, pairs: bool, limit: int | None, rng):
        self.fewest = fewest
        self.most = max(fewest, most)
        self.pairs = pairs
        self.limit = limit
        self.rng = rng
        self.met: Counter = Counter()  # unordered pair of systems → screens
        self.n_equal = 0

    def groups(self, candidates: Candidates) -> list[tuple[tuple[int, int], ...]]:
        """Return the screens of one segment: all of them, or the pairs that are most wanting."""
        outputs, texts = candidates.outputs, candidates.texts
        found = self.all_pairs(outputs) if self.pairs else self.division(outputs)
        if texts:
            differing = [
                group for group in found if len({texts[output] for output, _ in group}) > 1
            ]
            self.n_equal += len(found) - len(differing)
            found = differing
        if self.pairs:
            if self.limit is None:
                return found  # every pair, so nothing is chosen by what was seen before
            # A stable sort after a shuffle: equally wanting pairs come in random order.
            found = sorted(found, key=self.times_met)[: self.limit]
        for group in found:
            self.met.update(meetings(group))
        return found

    def n_screens(self, n_outputs: int) -> int:
        """Return how many screens a segment with so many outputs gets at most."""
        n = n_outputs * (n_outputs - 1) // 2 if self.pairs else -(-n_outputs // self.most)
        return n if self.limit is None else min(n, self.limit)

    def all_pairs(self, outputs):
        pairs = list(combinations(outputs, 2))
        return [pairs[i] for i in self.rng.permutation(len(pairs))]

    def division(self, outputs):
        """Return screens of nearly equal size that show every output once."""
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


def meetings(group) -> list[tuple[int, int]]:
    """Return the unordered pairs of systems on a screen."""
    return list(combinations(sorted(system for _, system in group), 2))


class Orderer:
    """Draws the order of the outputs on each screen. Of a pair, each is first equally often; of
    more, each system is at each place nearly equally often."""

    def __init__(self, rng):
        self.rng = rng
        self.lead: Counter = Counter()  # (system, system) in rising order → times first, net
        self.stood: Counter = Counter()  # (system, place) → screens

    def order(self, outputs: Sequence[tuple[int, int]]) -> list[int]:
        """Return the output ids of a screen from the first place to the last."""
        if len(outputs) < 2:
            return [output for output, _ in outputs]
        drawn = [outputs[i] for i in self.rng.permutation(len(outputs))]
        best = self.of_two(drawn) if len(drawn) == 2 else self.of_more(drawn)
        return [output for output, _ in best]

    def of_two(self, drawn: list[tuple[int, int]]) -> list[tuple[int, int]]:
        low, high = sorted(system for _, system in drawn)
        lead = self.lead[low, high]
        first = drawn[0][1]
        if (lead > 0 and first == low) or (lead < 0 and first == high):
            drawn = drawn[::-1]
        self.lead[low, high] += 1 if drawn[0][1] == low else -1
        return drawn

    def of_more(self, drawn: list[tuple[int, int]]) -> list[tuple[int, int]]:
        turns = [drawn[shift:] + drawn[:shift] for shift in range(len(drawn))]
        best = min(turns, key=self.crowded)
        self.stood.update((system, place) for place, (_, system) in enumerate(best))
        return best

    def crowded(self, drawn: Sequence[tuple[int, int]]) -> int:
        return sum(self.stood[system, place] ** 2 for place, (_, system) in enumerate(drawn))
