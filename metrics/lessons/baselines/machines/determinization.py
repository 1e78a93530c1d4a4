"""Determinization of weighted acceptors."""

from math import inf

from .machine import EPSILON, Arc, Machine, connect

# Weights that differ by less are equal: sums of the same numbers in another order.
DIGITS = 9


def determinize(machine: Machine, *, max_states: int = 20_000) -> Machine:
    """Return the acceptor of the same strings and weights in which no state has two arcs of one
    label (Mohri, Pereira and Riley 2002, section 3.2).

    A new state is a set of old ones, each with what its paths weigh beyond the lightest. Raises
    ValueError for transducers and ε-arcs, and past ``max_states``: some acceptors with cycles have
    no deterministic form, others only very large ones.
    """
    for _, arc in machine.all_arcs():
        if arc.input != arc.output:
            raise ValueError("Only acceptors can be determinized; project the transducer first.")
        if arc.input == EPSILON:
            raise ValueError("Remove the ε-arcs before determinizing.")
    machine = connect(machine)
    made = Machine()
    subsets: list[tuple[tuple[int, float], ...]] = [((machine.start, 0.0),)]
    numbers = {subsets[0]: 0}
    for number, subset in enumerate(subsets):  # grows while it is read
        end = min((extra + machine.finals.get(state, inf) for state, extra in subset), default=inf)
        if end < inf:
            made.finals[number] = end
        for label, reached in _steps(machine, subset).items():
            least = min(reached.values())
            after = tuple(
                (state, round(weight - least, DIGITS)) for state, weight in sorted(reached.items())
            )
            if after not in numbers:
                if len(subsets) >= max_states:
                    raise ValueError(
                        f"The machine has no deterministic form of at most {max_states:,} states."
                    )
                numbers[after] = len(subsets)
                subsets.append(after)
                made.arcs.append([])
            made.arcs[number].append(Arc(label, label, least, numbers[after]))
    return made


def _steps(machine: Machine, subset: tuple[tuple[int, float], ...]) -> dict[str, dict[int, float]]:
    """Return for every label, the states that it leads to from a set of states, with least
    weights."""
    found: dict[str, dict[int, float]] = {}
    for state, extra in subset:
        for arc in machine.arcs[state]:
            reached = found.setdefault(arc.input, {})
            weight = extra + arc.weight
            if weight < reached.get(arc.next, inf):
                reached[arc.next] = weight
    return found
