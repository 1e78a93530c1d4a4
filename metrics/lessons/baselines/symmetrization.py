"""One set of links from the links of two directions.

Och and Ney (2003), "A systematic comparison of various statistical alignment models"; the growing
is that of Koehn, Och and Marcu (2003), "Statistical phrase-based translation". Links are pairs
(source place, target place) from 0.
"""

from collections.abc import Callable, Mapping, Set
from heapq import heapify, heappop, heappush

Link = tuple[int, int]
Links = tuple[Link, ...]

_NEIGHBORS = ((-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1))


def intersection(forward: Set[Link], backward: Set[Link]) -> Links:
    return tuple(sorted(forward & backward))


def union(forward: Set[Link], backward: Set[Link]) -> Links:
    return tuple(sorted(forward | backward))


def grow_diag(forward: Set[Link], backward: Set[Link]) -> Links:
    """Return the intersection, and what of the union touches it, also at corners, as long as it
    brings a word that has no link yet."""
    return tuple(sorted(_grown(forward, backward)))


def grow_diag_final_and(forward: Set[Link], backward: Set[Link]) -> Links:
    """Return grown, and then what of each direction links two words of which neither has a link."""
    links = _grown(forward, backward)
    sources, targets = {i for i, _ in links}, {j for _, j in links}
    for direction in (forward, backward):
        for i, j in sorted(direction):
            if i not in sources and j not in targets:
                links.add((i, j))
                sources.add(i)
                targets.add(j)
    return tuple(sorted(links))


def _grown(forward: Set[Link], backward: Set[Link]) -> set[Link]:
    """Return links are gone through row by row, again and again, new ones as soon as their row
    comes; an old one need not be looked at twice, for words only gain links."""
    links, wanted = set(forward & backward), forward | backward
    sources, targets = {i for i, _ in links}, {j for _, j in links}
    coming, later = sorted(links), list[Link]()
    while coming:
        here = heappop(coming)
        for down, right in _NEIGHBORS:
            link = here[0] + down, here[1] + right
            is_new = link[0] not in sources or link[1] not in targets
            if is_new and link in wanted:
                links.add(link)
                sources.add(link[0])
                targets.add(link[1])
                heappush(coming if link > here else later, link)
        if not coming:
            coming, later = later, []
            heapify(coming)
    return links


def forward_links(forward: Set[Link], backward: Set[Link]) -> Links:
    """Return each word of the target with at most one of the source."""
    return tuple(sorted(forward))


def backward_links(forward: Set[Link], backward: Set[Link]) -> Links:
    """Return each word of the source with at most one of the target."""
    return tuple(sorted(backward))


METHODS: Mapping[str, Callable[[Set[Link], Set[Link]], Links]] = {
    "grow-diag-final-and": grow_diag_final_and,
    "grow-diag": grow_diag,
    "intersection": intersection,
    "union": union,
    "forward": forward_links,
    "backward": backward_links,
}
