"""The words of an output that can be linked in more than one way, in groups.

Groups share no place of the reference, so how many words can be linked is decided in each group by
itself; only the chunks tie them together. There are two kinds:

- Simple: all of its words can be linked with all of its places, at the same worth (the *the*'s of
  two texts). Whatever is chosen for some of them, as many as possible can still be linked.
- Mixed (*is*, *was* and *are*): what can be linked then depends on what is chosen first.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from math import comb

Option = tuple[int, int]
"""A word of the reference, by its place, and what a link with it is worth: 2 exact, 1 inexact."""

# Of the places of a mixed group, all are looked at for its best links; a group that has more is
# linked greedily. Ten times as many take paragraphs twice the time for one chunk in a hundred less,
# and mend nothing in sentences.
_MOST_SUBSETS = 500


class Simple:
    """Words that can be linked with all of ``places``, at the same worth."""

    def __init__(self, words: list[int], places: tuple[int, ...]) -> None:
        self.words = words
        self.places = dict.fromkeys(places)  # an ordered set

    def pair(self, words: list[int]) -> Iterator[tuple[int, int]]:
        """Return some of the words with places that are left, -1 where there are none."""
        places = iter(list(self.places))
        return ((word, next(places, -1)) for word in words)


class Mixed:
    """Words of which some share some places, at different worth."""

    def __init__(self, words: list[int], options: Mapping[int, list[Option]]) -> None:
        self.words = words
        self.options = options
        self.mask = sum({1 << place for word in words for place, _ in options[word]})
        self._number = {word: number for number, word in enumerate(words)}
        self._best: dict[tuple[int, int], int] = {}
        n_places, most = self.mask.bit_count(), min(len(words), 14)  # more is too many anyway
        self.too_large = sum(comb(n_places, size) for size in range(most)) > _MOST_SUBSETS

    def allowed(self, word: int, used: int) -> tuple[list[int], bool]:
        """Return the places that the word may be linked with, and whether it may be left out, such
        that the links of the group can still be worth as much as possible."""
        number, used = self._number[word], used & self.mask
        best = self._worth(number, used)
        places = [
            place
            for place, worth in self.options[self.words[number]]
            if not used >> place & 1 and worth + self._worth(number + 1, used | 1 << place) == best
        ]
        return places, self._worth(number + 1, used) == best

    def choices(self) -> list[set[int]]:
        """Return for each word the places that it has where all links are worth most; -1 for
        none."""
        states: set[int] = {0}
        found: list[set[int]] = []
        for word in self.words:
            chosen: set[int] = set()
            following: set[int] = set()
            for used in states:
                places, may_skip = self.allowed(word, used)
                chosen.update(places)
                following.update(used | 1 << place for place in places)
                if may_skip:
                    chosen.add(-1)
                    following.add(used)
            states = following
            found.append(chosen)
        return found

    def _worth(self, number: int, used: int) -> int:
        """Return the most that links of the words from this one on can be worth."""
        if number == len(self.words):
            return 0
        key = (number, used)
        found = self._best.get(key)
        if found is None:
            found = self._worth(number + 1, used)
            for place, worth in self.options[self.words[number]]:
                if not used >> place & 1:
                    found = max(found, worth + self._worth(number + 1, used | 1 << place))
            self._best[key] = found
        return found


class MatchProblem:
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
        self.group_of: dict[int, Simple | Mixed] = {}
        self._places: dict[int, dict[int, None]] = {}
        keys = {word: tuple(options[word]) for word in contested}
        sizes = Counter(keys.values())
        simple: dict[tuple[Option, ...], list[int]] = {}
        mixed: list[tuple[int, list[int]]] = []
        for word, key in keys.items():
            worth = key[0][1]
            if all(wanted[place] == sizes[key] and other == worth for place, other in key):
                simple.setdefault(key, []).append(word)
            else:
                mixed = _add(mixed, sum(1 << place for place, _ in key), word)
        for key, words in simple.items():
            group = Simple(words, tuple(place for place, _ in key))
            for word in words:
                self.group_of[word], self._places[word] = group, group.places
        for _, words in mixed:
            self._take_mixed(Mixed(words, {word: options[word] for word in words}))

    def _take_mixed(self, group: Mixed) -> None:
        for word in group.words:
            self.group_of[word] = group
            self._places[word] = dict.fromkeys(place for place, _ in group.options[word])

    @property
    def contested(self) -> list[int]:
        return sorted(self.group_of)

    @property
    def groups(self) -> list[Simple | Mixed]:
        return list(dict.fromkeys(self.group_of.values()))

    @property
    def too_large(self) -> bool:
        """Whether a group has too many possible links to look at all of them."""
        return any(isinstance(group, Mixed) and group.too_large for group in self.groups)

    def settle(self, links: list[int]) -> None:
        """Take the links of the mixed groups that are too large from another alignment."""
        for group in self.groups:
            if isinstance(group, Mixed) and group.too_large:
                for word in group.words:
                    self._fix(word, links[word])

    def leads_on(self, word: int, place: int) -> bool:
        """Return whether the next word may be linked with the next place."""
        following = word + 1
        if following in self.group_of:
            return place + 1 in self._places[following]
        return following < len(self.links) and self.links[following] == place + 1

    def leads_here(self, word: int, place: int) -> bool:
        """Return whether the word before may be linked with the place before."""
        before = word - 1
        if before in self.group_of:
            return place - 1 in self._places[before]
        return before >= 0 and self.links[before] == place - 1 >= 0

    def reduce(self) -> None:
        """Make the links that cannot be the wrong ones: in mixed groups those that all best links
        have in common; in simple ones those beside a link that is made, where no other choice
        could join more words to their neighbors, and all where no choice can."""
        for group in self.groups:
            if isinstance(group, Mixed):
                self._reduce_mixed(group)
        words = self.contested
        for order in (words, words[::-1], words):
            for word in order:
                simple = self.group_of.get(word)
                if isinstance(simple, Simple):
                    self._reduce(simple, word)
        for group in self.groups:
            if isinstance(group, Simple) and not any(
                self._ties(word, place) for word in group.words for place in group.places
            ):
                for word, place in group.pair(group.words):
                    self._fix(word, place)

    def _reduce_mixed(self, group: Mixed) -> None:
        left = {}
        for word, choices in zip(group.words, group.choices(), strict=True):
            if len(choices) == 1:
                self._fix(word, next(iter(choices)))
            else:
                left[word] = [option for option in group.options[word] if option[0] in choices]
        if len(left) < len(group.words):
            self._take_mixed(Mixed(list(left), left))

    def _reduce(self, group: Simple, word: int) -> None:
        beside = []
        if word and word - 1 not in self.group_of and self.links[word - 1] >= 0:
            beside.append(self.links[word - 1] + 1)
        if word + 1 < len(self.links) and word + 1 not in self.group_of:
            beside.append(self.links[word + 1] - 1)
        for place in beside:
            if place in group.places:
                others = max((self._ties(word, p) for p in group.places if p != place), default=0)
                if others >= 2:
                    continue
                others += max((self._ties(w, place) for w in group.words if w != word), default=0)
                if others <= beside.count(place):
                    group.words.remove(word)
                    del group.places[place]
                    self._fix(word, place)
                    break
        if not group.places:
            for word in group.words:
                self._fix(word, -1)

    def _ties(self, word: int, place: int) -> int:
        """Return how many links beside this one may continue it."""
        return self.leads_here(word, place) + self.leads_on(word, place)

    def _fix(self, word: int, place: int) -> None:
        self.links[word] = place
        self.group_of.pop(word, None)


def _add(groups: list[tuple[int, list[int]]], mask: int, word: int) -> list[tuple[int, list[int]]]:
    """Return the groups with one word more, which joins those that share a place with it."""
    apart: list[tuple[int, list[int]]] = []
    words: list[int] = []
    for other, members in groups:
        if other & mask:
            mask, words = mask | other, words + members
        else:
            apart.append((other, members))
    return [*apart, (mask, sorted([*words, word]))]
