"""Identical outputs that a release shows once, under the names of all their systems."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Group = tuple[str, tuple[str, ...]]  # segment, systems
Groups = dict[Group, str]


def shown_of(groups: Iterable[Group]) -> Groups:
    """Return for identical outputs, which one stands for all, where it is not the first of them.

    In WMT16 the same output of a system was collapsed with others on one screen and stood alone on
    another. Its kappas take the two for different outputs, and so each gets its own.
    """
    taken: set[tuple[str, str]] = set()
    found = {}
    for segment, names in sorted(groups, key=lambda each: (len(each[1]), each)):
        free = [name for name in names if (segment, name) not in taken]
        chosen = (free or names)[0]
        taken.add((segment, chosen))
        if chosen != names[0]:
            found[segment, names] = chosen
    return found


def shown_first(shown: Groups, segment: str, names: Sequence[str]) -> list[str]:
    """Return the systems of an output, the one that stands for all before the others."""
    first = shown.get((segment, tuple(names)), names[0])
    return [first, *(name for name in names if name != first)]
