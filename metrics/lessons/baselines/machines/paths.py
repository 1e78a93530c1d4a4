"""The paths of a machine: all of them, or the lightest ones."""

from collections import Counter
from collections.abc import Hashable, Iterator
from heapq import heappop, heappush
from itertools import count, islice
from math import inf
from typing import NamedTuple

from .determinization import DIGITS
from .distances import distances_to_end
from .machine import EPSILON, Machine, Side, connect, project, topological_order
from .removal import remove_epsilon


class MachinePath(NamedTuple):
    """What a path reads and writes, without ε."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    weight: float


def paths(machine: Machine, limit: int = 10_000) -> list[MachinePath]:
    """Return all paths of a machine without cycles, in the order of its arcs. Raise ValueError if
    there is a cycle, or more paths than ``limit``."""
    machine = connect(machine)
    topological_order(machine)
    found: list[MachinePath] = []

    def walk(state: int, inputs: tuple[str, ...], outputs: tuple[str, ...], weight: float) -> None:
        if state in machine.finals:
            if len(found) == limit:
                raise ValueError(f"The machine has more than {limit:,} paths.")
            found.append(MachinePath(inputs, outputs, weight + machine.finals[state]))
        for arc in machine.arcs[state]:
            walk(
                arc.next,
                (*inputs, arc.input) if arc.input else inputs,
                (*outputs, arc.output) if arc.output else outputs,
                weight + arc.weight,
            )

    walk(machine.start, (), (), 0.0)
    return found


def n_paths(machine: Machine) -> int:
    """Return how many paths a machine without cycles has; for a deterministic acceptor, how many
    strings. Raise ValueError if there is a cycle."""
    machine = connect(machine)
    numbers = [0] * len(machine)
    for state in reversed(topological_order(machine)):
        onward = sum(numbers[arc.next] for arc in machine.arcs[state])
        numbers[state] = onward + (state in machine.finals)
    return numbers[machine.start]


def shortest_paths(
    machine: Machine, n: int = 1, *, unique: Side | None = None
) -> list[MachinePath]:
    """Return the ``n`` lightest paths, or all if there are fewer, the lightest first.

    ``unique``: the n lightest *strings* of one side, each once with the least weight of its paths,
    as paths with the same string on both sides. Searched from the start, best first, with the
    weight that is still to come known (A*; Mohri and Riley 2002 for distinct strings). Raises
    ValueError if a cycle has negative weight.
    """
    if n < 1:
        raise ValueError("n must be at least 1.")
    if unique is None:
        found = _lightest(connect(machine), n)
    else:
        found = _lightest_strings(remove_epsilon(project(machine, unique)), n)
    return list(islice(found, n))  # never one more: with a cycle the search for it may have no end


# A path as a chain from its last arc to its first: what it read and wrote, and what was before.
_Chain = tuple[str, str, "_Chain"] | None


def _labels(chain: _Chain) -> tuple[tuple[str, ...], tuple[str, ...]]:
    inputs, outputs = [], []
    while chain is not None:
        read, written, chain = chain
        inputs.append(read)
        outputs.append(written)
    return (
        tuple(label for label in reversed(inputs) if label != EPSILON),
        tuple(label for label in reversed(outputs) if label != EPSILON),
    )


def _lightest(machine: Machine, n: int) -> Iterator[MachinePath]:
    ahead = distances_to_end(machine)
    if ahead[machine.start] == inf:
        return
    serial = count()  # paths of one weight come in the order in which they were found
    # What the whole path will weigh at least, what it weighs so far, its state (-1: ended).
    heap: list[tuple[float, int, float, int, _Chain]] = []
    heappush(heap, (ahead[machine.start], next(serial), 0.0, machine.start, None))
    visits: Counter[int] = Counter()
    while heap:
        _, _, weight, state, chain = heappop(heap)
        if state < 0:
            yield MachinePath(*_labels(chain), weight)
            continue
        visits[state] += 1
        if visits[state] > n:  # n lighter paths to it are known, and each goes on as this one would
            continue
        if state in machine.finals:
            total = weight + machine.finals[state]
            heappush(heap, (total, next(serial), total, -1, chain))
        for arc in machine.arcs[state]:
            reached = weight + arc.weight
            longer = (arc.input, arc.output, chain)
            heappush(heap, (reached + ahead[arc.next], next(serial), reached, arc.next, longer))


def _lightest_strings(machine: Machine, n: int) -> Iterator[MachinePath]:
    """Yield for an acceptor without ε. One entry of the heap for every beginning of a string, with
    all states that it leads to: determinization as far as it is needed."""
    ahead = distances_to_end(machine)
    if ahead[machine.start] == inf:
        return
    serial = count()
    heap: list[tuple[float, int, dict[int, float] | None, _Chain]] = []
    heappush(heap, (ahead[machine.start], next(serial), {machine.start: 0.0}, None))
    visits: Counter[Hashable] = Counter()
    while heap:
        total, _, states, chain = heappop(heap)
        if states is None:
            yield MachinePath(*_labels(chain), total)
            continue
        least = min(states.values())
        kind = frozenset((s, round(weight - least, DIGITS)) for s, weight in states.items())
        visits[kind] += 1
        if visits[kind] > n:
            continue
        ends = [weight + machine.finals[s] for s, weight in states.items() if s in machine.finals]
        if ends:
            heappush(heap, (min(ends), next(serial), None, chain))
        reached: dict[str, dict[int, float]] = {}
        for state, weight in states.items():
            for arc in machine.arcs[state]:
                after = reached.setdefault(arc.input, {})
                after[arc.next] = min(weight + arc.weight, after.get(arc.next, inf))
        for label, after in reached.items():
            bound = min(weight + ahead[state] for state, weight in after.items())
            heappush(heap, (bound, next(serial), after, (label, label, chain)))
