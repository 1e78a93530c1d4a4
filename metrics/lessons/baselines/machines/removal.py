"""Removal of ε-arcs."""

from collections import deque

from .machine import EPSILON, Arc, Machine, connect


def remove_epsilon(machine: Machine) -> Machine:
    """Return the same machine without arcs that are ε on both sides (Mohri, Pereira and Riley 2002,
    section 3.4): a state takes over the arcs and the end of every state that ε leads it to.

    Of equal arcs the lightest stays. Raise ValueError if a cycle of ε-arcs has negative weight.
    """
    made = Machine()
    made.start, made.arcs = machine.start, [[] for _ in machine.arcs]
    for state in range(len(machine)):
        lightest: dict[tuple[str, str, int], float] = {}
        for at, weight in _silent_closure(machine, state).items():
            if at in machine.finals:
                made.end_in(state, weight + machine.finals[at])
            for arc in machine.arcs[at]:
                if arc.input != EPSILON or arc.output != EPSILON:
                    key = (arc.input, arc.output, arc.next)
                    total = weight + arc.weight
                    if key not in lightest or total < lightest[key]:
                        lightest[key] = total
        made.arcs[state] = [Arc(*key[:2], weight, key[2]) for key, weight in lightest.items()]
    return connect(made)


def _silent_closure(machine: Machine, state: int) -> dict[int, float]:
    """Return the states that ε-arcs alone lead to, with the least weight of that."""
    found, rounds = {state: 0.0}, {state: 0}
    queue = deque([state])
    waiting = {state}
    while queue:
        at = queue.popleft()
        waiting.discard(at)
        rounds[at] += 1
        if rounds[at] > len(machine):
            raise ValueError("A cycle of ε-arcs has negative weight.")
        for arc in machine.arcs[at]:
            if arc.input != EPSILON or arc.output != EPSILON:
                continue
            weight = found[at] + arc.weight
            if arc.next not in found or weight < found[arc.next] - 1e-12:
                found[arc.next] = weight
                rounds.setdefault(arc.next, 0)
                if arc.next not in waiting:
                    waiting.add(arc.next)
                    queue.append(arc.next)
    return found
