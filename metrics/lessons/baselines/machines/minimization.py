"""Minimization: states from which the same can follow become one."""

from collections.abc import Hashable, Sequence

from .determinization import DIGITS
from .distances import distances_to_end
from .machine import Arc, Machine, connect, topological_order


def push(machine: Machine) -> tuple[Machine, float]:
    """Return the machine with its weights as near the start as they can be, and the weight of its
    lightest path, which no path has any more: from every state the lightest way to an end weighs 0
    (Mohri, Pereira and Riley 2002, section 3.3). States that are on no path are gone."""
    machine = connect(machine)
    if not machine.finals:
        return machine, 0.0
    ahead = distances_to_end(machine)
    made = Machine()
    made.start = machine.start
    made.arcs = [
        [arc._replace(weight=arc.weight + ahead[arc.next] - ahead[state]) for arc in arcs]
        for state, arcs in enumerate(machine.arcs)
    ]
    made.finals = {state: weight - ahead[state] for state, weight in machine.finals.items()}
    return made, ahead[machine.start]


def minimize(machine: Machine) -> Machine:
    """Return a machine of the same paths' labels and weights with as few states as states can be
    joined.

    A deterministic machine becomes the smallest one; of others, states are joined only if their
    arcs are the same one by one. The weight of the lightest path is put on the ends. Raises
    ValueError if a cycle has negative weight.
    """
    pushed, total = push(machine)
    try:
        classes = _classes_in_order(pushed, topological_order(pushed))
    except ValueError:
        classes = _classes_of_cyclic(pushed)
    made = Machine()
    firsts: dict[int, int] = {}
    for state in [pushed.start, *range(len(pushed))]:
        firsts.setdefault(classes[state], state)
    numbers = {each: number for number, each in enumerate(firsts)}
    made.arcs = []
    for each, state in firsts.items():
        lightest: dict[tuple[str, str, int], float] = {}
        for arc in pushed.arcs[state]:
            key = (arc.input, arc.output, numbers[classes[arc.next]])
            lightest[key] = min(arc.weight, lightest.get(key, arc.weight))
        made.arcs.append([Arc(*key[:2], weight, key[2]) for key, weight in lightest.items()])
        if state in pushed.finals:
            made.finals[numbers[each]] = pushed.finals[state] + total
    return made


def _signature(machine: Machine, state: int, classes: Sequence[int]) -> Hashable:
    """Return what tells states apart: how they end, and what their arcs read, write, weigh and lead
    to."""
    end = machine.finals.get(state)
    arcs = {
        (arc.input, arc.output, round(arc.weight, DIGITS), classes[arc.next])
        for arc in machine.arcs[state]
    }
    return None if end is None else round(end, DIGITS), frozenset(arcs)


def _classes_in_order(machine: Machine, order: Sequence[int]) -> list[int]:
    """Return classes of equal states without cycles: from the ends backwards, once (Revuz 1992)."""
    classes = [0] * len(machine)
    known: dict[Hashable, int] = {}
    for state in reversed(order):
        classes[state] = known.setdefault(_signature(machine, state, classes), len(known))
    return classes


def _classes_of_cyclic(machine: Machine) -> list[int]:
    """Return classes of equal states: one at first, parted until nothing parts them any more
    (Moore)."""
    classes = [0] * len(machine)
    n_classes = 1
    while True:
        known: dict[Hashable, int] = {}
        parted = [
            known.setdefault(_signature(machine, state, classes), len(known))
            for state in range(len(machine))
        ]
        if len(known) == n_classes:
            return parted
        classes, n_classes = parted, len(known)
