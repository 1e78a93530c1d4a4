"""The alignment with the most linked words and, of those, the fewest chunks.

Words that can be linked in one way only are linked already; the contested ones come in two kinds.

- Simple ones: a group of words all of which can be linked with the same places, no others can, and
  all links are worth the same (the *the*'s of two texts). Whatever is chosen for some of them, as
  many as possible can still be linked, so only links that may continue or begin a chunk are tried
  by name; any other is left open until the end.
- Mixed ones (*is*, *was* and *are*): every link is tried, as long as the words still to come in
  their group can be linked as well as before.
"""

from collections import Counter
from heapq import nlargest
from math import comb
from typing import Any

Option = tuple[int, int]
"""A word of the reference, by its place, and what a link with it is worth: 2 exact, 1 inexact."""
Chain = tuple[Any, int] | None
"""The places chosen so far, the last one first."""
States = dict[tuple[int, int], tuple[int, Chain]]
"""(Place last linked, places in use) → (minus the chunks begun, choices).

The places in use are a mask of bits, above which the groups with too few places count their links.
"""

_NONE, _OPEN = -2, -3
_COUNTER_BITS = 20
_BEAM = 64  # states kept at a word; more of them mend one chunk in ten thousand
_MOST_SUBSETS = 5000  # of the places of a mixed group: all are looked at for its best links


class Problem:
    """The contested words of an output, given the links of the others.

    ``links``: for every word its place, or -1. ``options``: for every word its possible links.
    ``wanted``: how many words can be linked with each place.
    """

    def __init__(
        self,
        links: list[int],
        contested: list[int],
        options: list[list[Option]],
        wanted: list[int],
    ) -> None:
        self.links = links
        self.contested = contested
        self.options = options
        self.places = [[place for place, _ in choices] for choices in options]
        self._groups: list[Simple | Mixed] = []
        self.group_of: dict[int, Simple | Mixed] = {}
        keys = {word: tuple(options[word]) for word in contested}
        sizes = Counter(keys.values())
        simple: dict[tuple[int, ...], list[int]] = {}
        mixed: list[tuple[int, list[int]]] = []
        for word, key in keys.items():
            places = self.places[word]
            same_worth = len({worth for _, worth in key}) == 1
            if same_worth and all(wanted[place] == sizes[key] for place in places):
                simple.setdefault(tuple(places), []).append(word)
            else:
                mixed = _add(mixed, sum(1 << place for place in places), word)
        for number, (shared, words) in enumerate(simple.items()):
            shift = len(wanted) + number * _COUNTER_BITS
            self._take(Simple(shared, words, shift if len(words) > len(shared) else None))
        for _, words in mixed:
            self._take(Mixed(words, options))

    def _take(self, group: "Simple | Mixed") -> None:
        self._groups.append(group)
        self.group_of.update(dict.fromkeys(group.words, group))

    @property
    def too_large(self) -> bool:
        """Whether a group has too many possible links to look at all of them."""
        return any(isinstance(group, Mixed) and group.too_large for group in self._groups)

    def settle(self, links: list[int]) -> None:
        """Take the links of the mixed groups that are too large from another alignment."""
        for group in self._groups:
            if isinstance(group, Mixed) and group.too_large:
                for word in group.words:
                    self.links[word] = links[word]
                    del self.group_of[word]
        self.contested = [word for word in self.contested if word in self.group_of]

    def leads_on(self, word: int, place: int) -> bool:
        """Whether the next word may be linked with the next place."""
        following = word + 1
        if following == len(self.links):
            return False
        if following in self.group_of:
            return place + 1 in self.places[following]
        return self.links[following] == place + 1

    def fill(self, chosen: dict[int, int]) -> list[int]:
        """All links, with those that were left open given what is left of their group."""
        links = list(self.links)
        for word, place in chosen.items():
            links[word] = place
        for group in self._groups:
            if isinstance(group, Simple):
                taken = {links[word] for word in group.words}
                left = iter([place for place in group.places if place not in taken])
                for word in group.words:
                    if links[word] == _OPEN:
                        links[word] = next(left)
        return links


class Simple:
    """Words all of which can be linked with the same places, at the same worth.

    ``shift``: where a state counts their links; None where there are places for all of them.
    """

    def __init__(self, places: tuple[int, ...], words: list[int], shift: int | None) -> None:
        self.places = places
        self.words = words
        self.shift = shift
        self._coming = {word: len(words) - 1 - number for number, word in enumerate(words)}

    def counted(self) -> int:
        """The bits of a state that belong to the count."""
        return 0 if self.shift is None else ((1 << _COUNTER_BITS) - 1) << self.shift

    def may_link(self, used: int) -> bool:
        return self.shift is None or self._count(used) < len(self.places)

    def may_skip(self, word: int, used: int) -> bool:
        """Whether enough words are to come for all places that are left."""
        if self.shift is None:
            return False
        return self._coming[word] >= len(self.places) - self._count(used)

    def _count(self, used: int) -> int:
        return used >> (self.shift or 0) & (1 << _COUNTER_BITS) - 1


class Mixed:
    """Words of which some share some places, at different worth."""

    def __init__(self, words: list[int], options: list[list[Option]]) -> None:
        self.words = words
        self.mask = sum({1 << place for word in words for place, _ in options[word]})
        self._options = [options[word] for word in words]
        self._number = {word: number for number, word in enumerate(words)}
        self._best: dict[tuple[int, int], int] = {}
        n_places, most = self.mask.bit_count(), min(len(words), 14)  # more is too many anyway
        subsets = (comb(n_places, size) for size in range(most))
        self.too_large = sum(subsets) > _MOST_SUBSETS

    def allowed(self, word: int, used: int) -> tuple[list[int], bool]:
        """The places that the word may be linked with, and whether it may be left out, such that
        the links of the group can still be worth as much as possible."""
        number, used = self._number[word], used & self.mask
        best = self._worth(number, used)
        places = [
            place
            for place, worth in self._options[number]
            if not used >> place & 1 and worth + self._worth(number + 1, used | 1 << place) == best
        ]
        return places, self._worth(number + 1, used) == best

    def _worth(self, number: int, used: int) -> int:
        """The most that links of the words from this one on can be worth."""
        if number == len(self.words):
            return 0
        key = (number, used)
        if key not in self._best:
            self._best[key] = max(
                self._worth(number + 1, used),
                *(
                    worth + self._worth(number + 1, used | 1 << place)
                    for place, worth in self._options[number]
                    if not used >> place & 1
                ),
                0,
            )
        return self._best[key]


def _add(groups: list[tuple[int, list[int]]], mask: int, word: int) -> list[tuple[int, list[int]]]:
    """The groups with one word more, which joins those that share a place with it."""
    apart: list[tuple[int, list[int]]] = []
    words: list[int] = []
    for other, members in groups:
        if other & mask:
            mask, words = mask | other, words + members
        else:
            apart.append((other, members))
    return [*apart, (mask, sorted([*words, word]))]


def search(problem: Problem) -> list[int]:
    """For each word of the output its place in the reference, or -1.

    From left to right, a state is all that what follows can depend on: the place that the last
    word is linked with, and which contested places are in use. Of equal states the better is kept.
    """
    links, contested = problem.links, problem.contested
    later = _used_later(problem)
    states: States = {(_NONE, 0): (0, None)}
    start = 0
    for number, word in enumerate(contested):
        if word > start:
            states = _pass(states, links[start], links[word - 1])
        group = problem.group_of[word]
        choose = _choose_simple if isinstance(group, Simple) else _choose_mixed
        states = choose(problem, group, word, states, later[number])  # type: ignore[arg-type]
        if len(states) > _BEAM:
            states = dict(nlargest(_BEAM, states.items(), key=lambda state: state[1][0]))
        start = word + 1
    if start < len(links):
        states = _pass(states, links[start], _NONE)
    chain = max(states.values(), key=lambda state: state[0])[1]
    found = {}
    for word in reversed(contested):
        assert chain is not None
        chain, found[word] = chain
    return problem.fill(found)


def _pass(states: States, first: int, last: int) -> States:
    """States behind some words whose links are given, of which the first and the last matter; the
    chunks that begin between them are the same for all states."""
    passed: States = {}
    end = last if last >= 0 else _NONE
    for (link, used), (value, chain) in states.items():
        if first >= 0 and link != first - 1:
            value -= 1
        _keep(passed, (end, used), value, chain)
    return passed


def _choose_simple(
    problem: Problem, group: Simple, word: int, states: States, later: int
) -> States:
    leading_on = [place for place in group.places if problem.leads_on(word, place)]
    places = set(group.places)
    one = 0 if group.shift is None else 1 << group.shift
    chosen: States = {}
    for (last, used), (value, chain) in states.items():
        if group.may_link(used):
            counted = used + one
            _keep(chosen, (_NONE, counted & later), value - 1, (chain, _OPEN))
            if last + 1 in places and not used >> last + 1 & 1:
                key = (last + 1, (counted | 1 << last + 1) & later)
                _keep(chosen, key, value, (chain, last + 1))
            for place in leading_on:
                if place != last + 1 and not used >> place & 1:
                    key = (place, (counted | 1 << place) & later)
                    _keep(chosen, key, value - 1, (chain, place))
        if group.may_skip(word, used):
            _keep(chosen, (_NONE, used & later), value, (chain, -1))
    return chosen


def _choose_mixed(problem: Problem, group: Mixed, word: int, states: States, later: int) -> States:
    chosen: States = {}
    for (last, used), (value, chain) in states.items():
        places, may_skip = group.allowed(word, used)
        for place in places:
            begins = last != place - 1
            _keep(chosen, (place, (used | 1 << place) & later), value - begins, (chain, place))
        if may_skip:
            _keep(chosen, (_NONE, used & later), value, (chain, -1))
    return chosen


def _keep(states: States, key: tuple[int, int], value: int, chain: Chain) -> None:
    if key not in states or value > states[key][0]:
        states[key] = (value, chain)


def _used_later(problem: Problem) -> list[int]:
    """For every contested word the bits of a state that words after it depend on."""
    mask, masks = 0, []
    for word in reversed(problem.contested):
        masks.append(mask)
        group = problem.group_of[word]
        if isinstance(group, Simple):
            mask |= group.counted()
            for place in group.places:
                if problem.leads_on(word, place) or _leads_here(problem, word, place):
                    mask |= 1 << place
        else:
            mask |= group.mask
    return masks[::-1]


def _leads_here(problem: Problem, word: int, place: int) -> bool:
    """Whether the word before may be linked with the place before."""
    before = word - 1
    if before in problem.group_of:
        return place - 1 in problem.places[before]
    return before >= 0 and problem.links[before] == place - 1 >= 0
