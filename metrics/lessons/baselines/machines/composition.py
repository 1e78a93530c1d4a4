"""Composition: the output of one machine is the input of the next.

Where the first machine writes ε or the second reads it, one moves and the other waits. A filter
lets the first take all its ε before the second takes its own, so that two paths that fit together
make one path, not one for every order of their ε (Mohri, Pereira and Riley 2002, section 3.1;
Allauzen and Mohri 2008, the filter that puts ε in sequence).
"""

from collections.abc import Sequence
from math import inf

from .builders import acceptor_of
from .distances import distance
from .machine import EPSILON, Arc, Machine

# No token holds a space, so no word is taken for it.
FAILURE = " φ"


class ArcLookup:
    """The arcs of a machine by what they read. A failure arc is followed, reading nothing, where
    the state has no arc for the label that is to be read, or is not final at the end (Allauzen,
    Mohri and Roark 2003)."""

    def __init__(self, machine: Machine) -> None:
        self._finals = machine.finals
        self._arcs: list[dict[str, list[Arc]]] = []
        for arcs in machine.arcs:
            known: dict[str, list[Arc]] = {}
            for arc in arcs:
                known.setdefault(arc.input, []).append(arc)
            if len(known.get(FAILURE, ())) > 1:
                raise ValueError("A state may have one failure arc only.")
            self._arcs.append(known)

    def silent(self, state: int) -> Sequence[Arc]:
        """Return arcs that read nothing."""
        return self._arcs[state].get(EPSILON, ())

    def reading(self, state: int, label: str) -> Sequence[Arc]:
        known = self._arcs[state]
        found = known.get(label)
        if found is None:
            found = []
            for at, weight in self._after_failures(state):
                if label in self._arcs[at]:
                    arcs = self._arcs[at][label]
                    found = [arc._replace(weight=arc.weight + weight) for arc in arcs]
                    break
            known[label] = found
        return found

    def end(self, state: int) -> float:
        """Return the weight of ending, infinite if that is impossible."""
        if state in self._finals:
            return self._finals[state]
        for at, weight in self._after_failures(state):
            if at in self._finals:
                return weight + self._finals[at]
        return inf

    def _after_failures(self, state: int):
        """Yield the states after one, two, ... failure arcs, and the weight that these have
        taken."""
        weight, seen = 0.0, {state}
        while FAILURE in self._arcs[state]:
            (arc,) = self._arcs[state][FAILURE]
            state, weight = arc.next, weight + arc.weight
            if state in seen:
                raise ValueError("The failure arcs form a cycle.")
            seen.add(state)
            yield state, weight


def compose(first: Machine, second: Machine, *, max_states: int = 1_000_000) -> Machine:
    """Return the machine that reads what ``first`` reads and writes what ``second`` makes of its
    output.

    Arcs of ``second`` that read FAILURE are taken only where nothing else reads the label. States
    that lead nowhere stay; ``connect`` takes them away. Raise ValueError past ``max_states``.
    """
    lookup = ArcLookup(second)
    # Where the first machine has no ε to come, there is nothing to keep it from.
    writes_nothing = [any(arc.output == EPSILON for arc in arcs) for arcs in first.arcs]
    made = Machine()
    numbers = {(first.start, second.start, False): 0}
    triples = list(numbers)

    def number_of(triple: tuple[int, int, bool]) -> int:
        number = numbers.setdefault(triple, len(triples))
        if number == len(triples):
            if number >= max_states:
                raise ValueError(f"The composition has more than {max_states:,} states.")
            triples.append(triple)
            made.arcs.append([])
        return number

    for number, (left, right, waits) in enumerate(triples):  # grows while it is read
        arcs = made.arcs[number]
        if left in first.finals and lookup.end(right) < inf:
            made.finals[number] = first.finals[left] + lookup.end(right)
        for read, written, weight, after in first.arcs[left]:
            if written != EPSILON:
                for arc in lookup.reading(right, written):
                    after_both = number_of((after, arc.next, False))
                    arcs.append(Arc(read, arc.output, weight + arc.weight, after_both))
            elif not waits:
                arcs.append(Arc(read, EPSILON, weight, number_of((after, right, False))))
        for arc in lookup.silent(right):
            after_second = number_of((left, arc.next, writes_nothing[left]))
            arcs.append(Arc(EPSILON, arc.output, arc.weight, after_second))
    return made


def weight_of(
    machine: Machine, inputs: Sequence[str], outputs: Sequence[str] | None = None
) -> float:
    """Return the least weight of a path that reads a string, and writes another if one is given;
    infinite if there is none."""
    found = compose(acceptor_of(inputs), machine)
    if outputs is not None:
        found = compose(found, acceptor_of(outputs))
    return distance(found)
