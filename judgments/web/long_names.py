"""Long names, cut in the middle where there is little room."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

CUT = "…"
SHORTEST = 3  # a letter, the sign of the cut, a letter


def cut_in_the_middle(names: Sequence[str], most: int) -> list[str]:
    """Return each name with at most so many characters (3 at least), its beginning and its end
    kept. Names that would read alike keep more of them, up to all: two names are the same after it
    only if they were before."""
    if most < SHORTEST:
        raise ValueError(f"most must be {SHORTEST} or more, not {most}.")
    room = dict.fromkeys(names, most)
    while True:
        found = {name: _cut(name, n) for name, n in room.items()}
        n_alike = Counter(found.values())
        alike = [name for name, cut in found.items() if n_alike[cut] > 1 and room[name] < len(name)]
        if not alike:
            return [found[name] for name in names]
        for name in alike:
            room[name] += 1


def _cut(name: str, most: int) -> str:
    if len(name) <= most:
        return name
    end = (most - len(CUT)) // 2
    start = most - len(CUT) - end
    return f"{name[:start]}{CUT}{name[len(name) - end :]}"
