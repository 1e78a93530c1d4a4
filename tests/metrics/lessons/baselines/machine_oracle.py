"""What small machines do, found by walking all their paths: slow, and by none of the product's
algorithms."""

from itertools import product

from hypothesis import strategies as st

from metrics.lessons.baselines.machines import EPSILON, Machine, from_arcs

LABELS = ("", "a", "b")
# Quarters add up exactly.
WEIGHTS = st.integers(0, 12).map(lambda n: n / 4)


@st.composite
def machines(draw, *, states=4, arcs=6, cycles=False, acceptor=False, labels=LABELS):
    n = draw(st.integers(1, states))
    found = []
    for _ in range(draw(st.integers(0, arcs)) if n > 1 or cycles else 0):
        source = draw(st.integers(0, n - 1 if cycles else n - 2))
        target = draw(st.integers(0 if cycles else source + 1, n - 1))
        read = draw(st.sampled_from(labels))
        written = read if acceptor else draw(st.sampled_from(labels))
        found.append((source, read, written, draw(WEIGHTS), target))
    finals = draw(st.dictionaries(st.integers(0, n - 1), WEIGHTS, max_size=n))
    machine = from_arcs(found, finals)
    machine.arcs += [[] for _ in range(n - len(machine.arcs))]
    return machine


def all_paths(machine: Machine) -> list[tuple[str, str, float]]:
    """Return (read, written, weight) of every path of a machine without cycles."""
    found = []
    stack = [(machine.start, "", "", 0.0)]
    while stack:
        state, read, written, weight = stack.pop()
        if state in machine.finals:
            found.append((read, written, weight + machine.finals[state]))
        for arc in machine.arcs[state]:
            stack.append((arc.next, read + arc.input, written + arc.output, weight + arc.weight))
    return sorted(found)


def lightest(paths) -> dict[tuple[str, str], float]:
    found: dict[tuple[str, str], float] = {}
    for read, written, weight in paths:
        key = (read, written)
        found[key] = min(weight, found.get(key, weight))
    return found


def relation(machine: Machine, longest: int = 3) -> dict[tuple[str, str], float]:
    """Return the least weight of every pair of strings of at most ``longest`` letters. Cycles are
    allowed: longer and longer paths are tried until no weight decreases."""
    known = {(machine.start, "", ""): 0.0}
    front = dict(known)
    while front:
        reached: dict[tuple[int, str, str], float] = {}
        for (state, read, written), weight in front.items():
            for arc in machine.arcs[state]:
                key = (arc.next, read + arc.input, written + arc.output)
                total = weight + arc.weight
                if max(len(key[1]), len(key[2])) <= longest and total < min(
                    known.get(key, float("inf")), reached.get(key, float("inf"))
                ):
                    reached[key] = total
        known |= reached
        front = reached
    return lightest(
        (read, written, weight + machine.finals[state])
        for (state, read, written), weight in known.items()
        if state in machine.finals
    )


def strings(longest: int = 3) -> list[str]:
    return ["".join(each) for n in range(longest + 1) for each in product("ab", repeat=n)]


def has_epsilon(machine: Machine) -> bool:
    return any(arc.input == arc.output == EPSILON for _, arc in machine.all_arcs())
