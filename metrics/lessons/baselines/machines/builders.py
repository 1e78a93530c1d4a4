"""Machines from strings, from lists of arcs and from other machines."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest

from .machine import EPSILON, Machine


def acceptor_of(tokens: Sequence[str], weight: float = 0.0) -> Machine:
    """Return the acceptor of one string."""
    return transducer_of(tokens, tokens, weight)


def transducer_of(inputs: Sequence[str], outputs: Sequence[str], weight: float = 0.0) -> Machine:
    """Return one path that reads one string and writes another; the shorter one is filled up with ε
    at its end, the weight is that of the end."""
    machine = Machine()
    state = 0
    for read, written in zip_longest(inputs, outputs, fillvalue=EPSILON):
        after = machine.add_state()
        machine.add_arc(state, read, written, 0.0, after)
        state = after
    machine.end_in(state, weight)
    return machine


def from_arcs(
    arcs: Iterable[tuple[int, str, str, float, int]],
    finals: Mapping[int, float] | Iterable[int],
    start: int = 0,
) -> Machine:
    """Return a machine from arcs (state, input, output, weight, next state) and its final states,
    with weights or without. Raise ValueError for a negative number of a state."""
    machine = Machine()
    machine.start = start
    arcs = list(arcs)
    ends = dict(finals) if isinstance(finals, Mapping) else dict.fromkeys(finals, 0.0)
    states = [start, *ends, *(arc[0] for arc in arcs), *(arc[4] for arc in arcs)]
    if min(states) < 0:
        raise ValueError("States are numbers from 0.")
    machine.arcs = [[] for _ in range(max(states) + 1)]
    for arc in arcs:
        machine.add_arc(*arc)
    machine.finals = ends
    return machine


def union(*machines: Machine) -> Machine:
    """Return what any of the machines does."""
    made = Machine()
    for machine in machines:
        offset = made.insert(machine)
        made.add_arc(0, EPSILON, EPSILON, 0.0, machine.start + offset)
        for state, weight in machine.finals.items():
            made.end_in(state + offset, weight)
    return made


def concatenate(*machines: Machine) -> Machine:
    """Return what the machines do one after the other; without machines, the empty string."""
    made = Machine()
    ends = {0: 0.0}
    for machine in machines:
        offset = made.insert(machine)
        for state, weight in ends.items():
            made.add_arc(state, EPSILON, EPSILON, weight, machine.start + offset)
        ends = {state + offset: weight for state, weight in machine.finals.items()}
    made.finals = ends
    return made


def closure(machine: Machine) -> Machine:
    """Return what the machine does any number of times, none included."""
    made = Machine()
    made.end_in(0)
    offset = made.insert(machine)
    made.add_arc(0, EPSILON, EPSILON, 0.0, machine.start + offset)
    for state, weight in machine.finals.items():
        made.add_arc(state + offset, EPSILON, EPSILON, weight, 0)
    return made
