"""The places of a machine's states in a drawing: in layers from the start on, in every layer in an
order with few crossings (Sugiyama, Tagawa and Toda 1981, with the barycenters of neighbors)."""

from collections import deque
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from metrics.lessons.baselines.machines import Machine, topological_order

_SWEEPS = 6
Edge = tuple[int, int]


class Layers(NamedTuple):
    """``rows``: what stands in each layer, top down: states, and bends of edges that pass by.
    ``routes``: for every edge that goes forward what it passes, its two states included; bends have
    numbers from the number of states on. ``others``: edges that go back, or within a layer."""

    rows: list[list[int]]
    routes: dict[Edge, list[int]]
    others: list[Edge]

    def places(self) -> dict[int, tuple[int, int]]:
        """Return layer and place in it."""
        return {each: (x, y) for x, row in enumerate(self.rows) for y, each in enumerate(row)}


def layered(machine: Machine, depths: Sequence[int] | None = None) -> Layers:
    """Return for a machine all of whose states can be reached from the start. ``depths``: the layer
    of each state; if not given, how many arcs it is from the start."""
    depths = depths or _depths(machine)
    edges = dict.fromkeys((state, arc.next) for state, arc in machine.all_arcs())
    rows: list[list[int]] = [[] for _ in range(max(depths) + 1)]
    for state, depth in enumerate(depths):
        rows[depth].append(state)
    routes: dict[Edge, list[int]] = {}
    others: list[Edge] = []
    bend = len(machine)
    for source, target in edges:
        if depths[source] >= depths[target]:
            others.append((source, target))
            continue
        route = [source]
        for depth in range(depths[source] + 1, depths[target]):
            rows[depth].append(bend)
            route.append(bend)
            bend += 1
        routes[source, target] = [*route, target]
    _order(rows, routes)
    return Layers(rows, routes, others)


def _depths(machine: Machine) -> list[int]:
    """Return how many arcs a state is from the start: at most, or at least if there are cycles."""
    depths = [0] * len(machine)
    try:
        for state in topological_order(machine):
            for arc in machine.arcs[state]:
                depths[arc.next] = max(depths[arc.next], depths[state] + 1)
        return depths
    except ValueError:
        pass
    seen = {machine.start}
    queue = deque(seen)
    depths = [0] * len(machine)
    while queue:
        state = queue.popleft()
        for arc in machine.arcs[state]:
            if arc.next not in seen:
                seen.add(arc.next)
                depths[arc.next] = depths[state] + 1
                queue.append(arc.next)
    return depths


def _order(rows: list[list[int]], routes: dict[Edge, list[int]]) -> None:
    """Move what stands in a layer to the middle of its neighbors in the layer before, then in the
    layer after, and so on."""
    before: dict[int, list[int]] = {}
    after: dict[int, list[int]] = {}
    for route in routes.values():
        for one, other in pairwise(route):
            after.setdefault(one, []).append(other)
            before.setdefault(other, []).append(one)
    for sweep in range(_SWEEPS):
        neighbors, order = (before, rows[1:]) if sweep % 2 == 0 else (after, rows[-2::-1])
        for row in order:
            heights = {
                each: place - len(other) / 2 for other in rows for place, each in enumerate(other)
            }
            middles = {}
            for each in row:
                near = [heights[n] for n in neighbors.get(each, ())]
                middles[each] = sum(near) / len(near) if near else heights[each]
            row.sort(key=middles.__getitem__)
