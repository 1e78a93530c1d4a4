"""A weighted finite-state machine, and what looks at its states alone."""

from collections.abc import Iterator
from math import inf
from typing import Literal, NamedTuple

EPSILON = ""
Side = Literal["input", "output"]


class Arc(NamedTuple):
    """``next``: the state it leads to. An acceptor's arcs have the same label on both sides."""

    input: str
    output: str
    weight: float
    next: int


class Machine:
    """States are numbers from 0. ``arcs``: the arcs that leave each state; ``finals``: the weight
    of ending in a state, for those in which a path may end; a machine without any accepts nothing.
    """

    def __init__(self) -> None:
        self.arcs: list[list[Arc]] = [[]]
        self.start = 0
        self.finals: dict[int, float] = {}

    def __len__(self) -> int:
        return len(self.arcs)

    def __repr__(self) -> str:
        return f"Machine({len(self)} states, {self.n_arcs} arcs, {len(self.finals)} final)"

    @property
    def n_arcs(self) -> int:
        return sum(map(len, self.arcs))

    def add_state(self) -> int:
        self.arcs.append([])
        return len(self.arcs) - 1

    def add_arc(
        self, state: int, input: str, output: str, weight: float, next: int
    ) -> None:  # the field's own words, though Python has functions of these names
        self.arcs[state].append(Arc(input, output, weight, next))

    def end_in(self, state: int, weight: float = 0.0) -> None:
        """Let paths end in a state, by the least weight that was asked for."""
        self.finals[state] = min(weight, self.finals.get(state, inf))

    def all_arcs(self) -> Iterator[tuple[int, Arc]]:
        """Yield every arc with the state that it leaves."""
        for state, arcs in enumerate(self.arcs):
            for arc in arcs:
                yield state, arc

    def is_acceptor(self) -> bool:
        return all(arc.input == arc.output for _, arc in self.all_arcs())

    def insert(self, other: "Machine") -> int:
        """Copy the states of another machine into this one, none of them final here; the number
        that its states were moved by."""
        offset = len(self.arcs)
        for arcs in other.arcs:
            self.arcs.append([Arc(a.input, a.output, a.weight, a.next + offset) for a in arcs])
        return offset


def project(machine: Machine, side: Side) -> Machine:
    """Return the acceptor of the strings on one side."""
    made = Machine()
    made.arcs = [
        [Arc(label, label, arc.weight, arc.next) for arc in arcs for label in [getattr(arc, side)]]
        for arcs in machine.arcs
    ]
    made.start, made.finals = machine.start, dict(machine.finals)
    return made


def reachable(neighbors: list[list[int]], starts: list[int]) -> set[int]:
    """Return the states that can be reached from some, themselves included."""
    seen, stack = set(starts), list(starts)
    while stack:
        for state in neighbors[stack.pop()]:
            if state not in seen:
                seen.add(state)
                stack.append(state)
    return seen


def connect(machine: Machine) -> Machine:
    """Only the states that are on a path from the start to an end, in the order they had; the
    start alone if there is no such path."""
    forward = [[arc.next for arc in arcs] for arcs in machine.arcs]
    backward: list[list[int]] = [[] for _ in forward]
    for state, arc in machine.all_arcs():
        backward[arc.next].append(state)
    useful = reachable(forward, [machine.start]) & reachable(backward, list(machine.finals))
    made = Machine()
    if machine.start not in useful:
        return made
    numbers = {state: number for number, state in enumerate(sorted(useful))}
    made.arcs = [
        [arc._replace(next=numbers[arc.next]) for arc in machine.arcs[state] if arc.next in numbers]
        for state in numbers
    ]
    made.start = numbers[machine.start]
    made.finals = {numbers[s]: weight for s, weight in machine.finals.items() if s in numbers}
    return made


def topological_order(machine: Machine) -> list[int]:
    """Return all states, each before those that its arcs lead to. Raise ValueError for a cycle."""
    incoming = [0] * len(machine)
    for _, arc in machine.all_arcs():
        incoming[arc.next] += 1
    order = [state for state, number in enumerate(incoming) if not number]
    for state in order:  # grows while it is read
        for arc in machine.arcs[state]:
            incoming[arc.next] -= 1
            if not incoming[arc.next]:
                order.append(arc.next)
    if len(order) < len(machine):
        raise ValueError("The machine has a cycle, so its states have no order.")
    return order
