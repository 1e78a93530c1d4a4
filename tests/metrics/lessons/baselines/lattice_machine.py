"""A reordering lattice constructed as a transducer, for short sentences: what the decoder traverses
without constructing it. It reads phrases in the order of their translations and writes words."""

from collections.abc import Callable

from metrics.lessons.baselines.lattice import Lattice, PhraseUse
from metrics.lessons.baselines.machines import EPSILON, Machine

Cost = Callable[[PhraseUse, int], float]


def lattice_machine(lattice: Lattice, cost: Cost, max_states: int = 100_000) -> Machine:
    """Return the machine; ``cost``: of an application, and of the words skipped before it.

    An application reads the positions of its words (`0_1`), and writes its words, one per arc.
    Raise ValueError past ``max_states``.
    """
    machine = Machine()
    numbers = {lattice.start: machine.start}
    waiting = list(numbers)
    for state in waiting:  # grows while it is iterated
        if lattice.is_final(state):
            machine.end_in(numbers[state])
        for each, then in lattice.arcs(state):
            if then not in numbers:
                numbers[then] = machine.add_state()
                waiting.append(then)
            weight = cost(each, abs(each.start - state.last))
            _add(machine, numbers[state], each, weight, numbers[then])
            if len(machine) > max_states:
                raise ValueError(f"The lattice has more than {max_states:,} states.")
    return machine


def _add(machine: Machine, state: int, each: PhraseUse, weight: float, then: int) -> None:
    label = "_".join(str(place) for place in range(each.start, each.end))
    words = each.target or (EPSILON,)
    for i, word in enumerate(words):
        after = then if i == len(words) - 1 else machine.add_state()
        machine.add_arc(state, label if i == 0 else EPSILON, word, weight if i == 0 else 0.0, after)
        state = after
