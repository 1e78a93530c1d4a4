"""Least weights of paths."""

from collections import deque
from math import inf

from .machine import Machine, topological_order


def distance(machine: Machine) -> float:
    """Return the least weight of any path from the start to an end; infinite if there is none."""
    return distances_to_end(machine)[machine.start]


def distances_to_end(machine: Machine) -> list[float]:
    """Return for every state the least weight from there to an end, infinite if no path leads to
    one.

    Raises ValueError if going round a cycle makes a path ever lighter.
    """
    found = [machine.finals.get(state, inf) for state in range(len(machine))]
    try:
        order = topological_order(machine)
    except ValueError:
        return _with_cycles(machine, found)
    for state in reversed(order):
        for arc in machine.arcs[state]:
            through = arc.weight + found[arc.next]
            if through < found[state]:
                found[state] = through
    return found


def _with_cycles(machine: Machine, found: list[float]) -> list[float]:
    """Return Bellman and Ford's algorithm with a queue of the states whose distance fell."""
    before: list[list[tuple[int, float]]] = [[] for _ in found]
    for state, arc in machine.all_arcs():
        before[arc.next].append((state, arc.weight))
    queue = deque(machine.finals)
    waiting, rounds = set(queue), [0] * len(found)
    while queue:
        state = queue.popleft()
        waiting.discard(state)
        rounds[state] += 1
        if rounds[state] > len(found):
            raise ValueError("The machine has a cycle of negative weight: no path is the lightest.")
        for earlier, weight in before[state]:
            # Less than rounding is no gain, else a cycle of weight 0 might seem to have one.
            if weight + found[state] < found[earlier] - 1e-12:
                found[earlier] = weight + found[state]
                if earlier not in waiting:
                    waiting.add(earlier)
                    queue.append(earlier)
    return found
