"""Recursive transition networks: machines whose arcs stand for other machines."""

from collections.abc import Callable, Mapping

from .machine import EPSILON, Machine


def replace(
    root: Machine | str,
    machines: Mapping[str, Machine],
    *,
    simplify: Callable[[Machine], Machine] | None = None,
    max_states: int = 1_000_000,
) -> Machine:
    """Return the machine in which every arc whose output names one of ``machines`` is replaced by
    that machine, whose own arcs are replaced likewise (Mohri 1997; de Gispert et al. 2010, section
    3).

    ``root``: a machine or the name of one. ``simplify`` is given every machine once its arcs are
    replaced, before it stands in others; ε-removal, determinization and minimization there keep
    the whole small. Raise ValueError if a machine would stand in itself, and past ``max_states``.
    """
    ready: dict[str, Machine] = {}
    open_names: list[str] = []

    def expanded(name: str) -> Machine:
        if name in open_names:
            chain = " → ".join([*open_names[open_names.index(name) :], name])
            raise ValueError(f"The machine would stand in itself without end: {chain}.")
        if name not in ready:
            open_names.append(name)
            ready[name] = filled(machines[name])
            open_names.pop()
        return ready[name]

    def filled(machine: Machine) -> Machine:
        made = Machine()
        made.start, made.finals = machine.start, dict(machine.finals)
        made.arcs = [[] for _ in machine.arcs]
        for state, arc in machine.all_arcs():
            if arc.output not in machines:
                made.arcs[state].append(arc)
                continue
            part = expanded(arc.output)
            offset = made.insert(part)
            if len(made) > max_states:
                raise ValueError(f"The expanded machine has more than {max_states:,} states.")
            made.add_arc(state, EPSILON, EPSILON, arc.weight, part.start + offset)
            for end, weight in part.finals.items():
                made.add_arc(end + offset, EPSILON, EPSILON, weight, arc.next)
        return simplify(made) if simplify else made

    return expanded(root) if isinstance(root, str) else filled(root)
