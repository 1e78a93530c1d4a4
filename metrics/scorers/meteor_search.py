"""Of all alignments with the most linked words one with the fewest chunks.

From left to right over the contested words, a state is all that what follows can depend on: the
place that the last word is linked with, and which contested places are in use. Of equal states the
better is kept. In simple groups only links that may continue or begin a chunk are tried by name;
any other is left open until the end. In mixed groups every link is tried, as long as the words
still to come in the group can be linked as well as before.
"""

from heapq import nlargest
from typing import Any

from .meteor_groups import MatchProblem, Mixed, Simple

Chain = tuple[Any, int] | None
"""The places chosen so far, the last one first."""
States = dict[tuple[int, int], tuple[int, Chain]]
"""(Place last linked, places in use) → (minus the chunks begun, choices).

The places in use are a mask of bits, above which the groups with too few places count their links.
"""

_NONE, _OPEN = -2, -3
_COUNTER_BITS = 20
_BEAM = 64  # states kept at a word; more of them mend one chunk in ten thousand


def search(problem: MatchProblem, n_places: int) -> list[int]:
    """Return for each word of the output its place in the reference, which has ``n_places``, or
    -1."""
    links, contested = problem.links, problem.contested
    counters = {
        group: _Counter(group, n_places + number * _COUNTER_BITS)
        for number, group in enumerate(problem.groups)
        if isinstance(group, Simple) and len(group.words) > len(group.places)
    }
    later = _used_later(problem, contested, counters)
    states: States = {(_NONE, 0): (0, None)}
    start = 0
    for number, word in enumerate(contested):
        if word > start:
            states = _pass(states, links[start], links[word - 1])
        group = problem.group_of[word]
        if isinstance(group, Simple):
            counter = counters.get(group)
            states = _choose_simple(problem, group, counter, word, states, later[number])
        else:
            states = _choose_mixed(group, word, states, later[number])
        if len(states) > _BEAM:
            states = dict(nlargest(_BEAM, states.items(), key=lambda state: state[1][0]))
        start = word + 1
    if start < len(links):
        states = _pass(states, links[start], _NONE)
    _fill(problem, contested, max(states.values(), key=lambda state: state[0])[1])
    return links


class _Counter:
    """Counts the links of a simple group that has more words than places, in bits of the state."""

    def __init__(self, group: Simple, shift: int) -> None:
        self.one = 1 << shift
        self.mask = ((1 << _COUNTER_BITS) - 1) << shift
        self._shift = shift
        self._n_places = len(group.places)
        self._coming = {word: number for number, word in enumerate(reversed(group.words))}

    def left(self, used: int) -> int:
        """Return how many places are left."""
        return self._n_places - ((used & self.mask) >> self._shift)

    def may_skip(self, word: int, left: int) -> bool:
        """Return whether enough words are to come for the places that are left."""
        return self._coming[word] >= left


def _pass(states: States, first: int, last: int) -> States:
    """Return states behind some words whose links are given, of which the first and the last
    matter; the chunks that begin between them are the same for all states."""
    passed: States = {}
    end = last if last >= 0 else _NONE
    for (link, used), (value, chain) in states.items():
        if first >= 0 and link != first - 1:
            value -= 1
        _keep(passed, (end, used), value, chain)
    return passed


def _choose_simple(
    problem: MatchProblem,
    group: Simple,
    counter: _Counter | None,
    word: int,
    states: States,
    later: int,
) -> States:
    leading_on = [place for place in group.places if problem.leads_on(word, place)]
    one = counter.one if counter else 0
    chosen: States = {}
    for (last, used), (value, chain) in states.items():
        left = counter.left(used) if counter else 1
        if left:
            counted = used + one
            _keep(chosen, (_NONE, counted & later), value - 1, (chain, _OPEN))
            if last + 1 in group.places and not used >> last + 1 & 1:
                key = (last + 1, (counted | 1 << last + 1) & later)
                _keep(chosen, key, value, (chain, last + 1))
            for place in leading_on:
                if place != last + 1 and not used >> place & 1:
                    key = (place, (counted | 1 << place) & later)
                    _keep(chosen, key, value - 1, (chain, place))
        if counter and counter.may_skip(word, left):
            _keep(chosen, (_NONE, used & later), value, (chain, -1))
    return chosen


def _choose_mixed(group: Mixed, word: int, states: States, later: int) -> States:
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


def _used_later(
    problem: MatchProblem, contested: list[int], counters: dict[Simple, _Counter]
) -> list[int]:
    """Return for every contested word the bits of a state that words after it depend on."""
    mask, masks = 0, []
    for word in reversed(contested):
        masks.append(mask)
        group = problem.group_of[word]
        if isinstance(group, Mixed):
            mask |= group.mask
            continue
        if group in counters:
            mask |= counters[group].mask
        for place in group.places:
            if problem.leads_on(word, place) or problem.leads_here(word, place):
                mask |= 1 << place
    return masks[::-1]


def _fill(problem: MatchProblem, contested: list[int], chain: Chain) -> None:
    """Make the links that were chosen, and give those left open what is left of their group."""
    links, opened = problem.links, []
    for word in reversed(contested):
        assert chain is not None
        chain, links[word] = chain
        group = problem.group_of[word]
        if links[word] == _OPEN:
            opened.append(word)
        elif isinstance(group, Simple):
            group.places.pop(links[word], None)
    for word in opened[::-1]:
        group = problem.group_of[word]
        if isinstance(group, Simple) and links[word] == _OPEN:
            links[word] = next(iter(group.places))
            del group.places[links[word]]
