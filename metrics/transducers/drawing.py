"""Drawings of small machines: circles, arcs and labels with their coordinates, in pixels.

A template writes them as SVG; classes give the colors. Layers go from left to right. Arcs forward
are curves from layer to layer; arcs back run below, arcs to the same state above it.
"""

from itertools import pairwise
from typing import NamedTuple
from unicodedata import east_asian_width

from metrics.baselines.machines import Arc, Machine

from .layers import Edge, layered

MOST_STATES = 40
MOST_ARCS = 90
_MOST_LINES = 8
_RADIUS = 14
_MARGIN = 24
_LINE = 16
_LETTER = 7.2
_ARROW = 8


class LabelMark(NamedTuple):
    """One line of text, its middle at x."""

    x: float
    y: float
    text: str


class StateMark(NamedTuple):
    """``end``: what ending there weighs, "" for nothing."""

    x: float
    y: float
    number: int
    is_start: bool
    is_final: bool
    end: str


class EdgeMark(NamedTuple):
    """All arcs from one state to another: a path, the corners of its arrow, its labels."""

    path: str
    arrow: str
    labels: list[LabelMark]


class MachineDrawing(NamedTuple):
    """Sizes in pixels; ``radius``: of the states' circles."""

    width: float
    height: float
    radius: float
    states: list[StateMark]
    edges: list[EdgeMark]


def weight_words(weight: float) -> str:
    """A weight to two digits, nothing for 0."""
    return f"{weight:.2f}" if abs(weight) >= 0.005 else ""


def arc_words(arc: Arc) -> str:
    """What an arc reads, and writes if that is something else, and weighs."""
    read, written = arc.input or "ε", arc.output or "ε"
    labels = read if read == written else f"{read} : {written}"
    weight = weight_words(arc.weight)
    return f"{labels} / {weight}" if weight else labels


def can_be_drawn(machine: Machine) -> bool:
    return len(machine) <= MOST_STATES and machine.n_arcs <= MOST_ARCS


def drawing_of(machine: Machine) -> MachineDrawing:
    """A drawing of a machine all of whose states can be reached; see ``can_be_drawn``."""
    lines = _label_lines(machine)
    layers = layered(machine)
    loops = [edge for edge in layers.others if edge[0] == edge[1]]
    places = _Places(machine, layers, lines, loops)
    edges = [_forward(places, route, lines[edge]) for edge, route in layers.routes.items()]
    edges += [_loop(places, edge, lines[edge]) for edge in loops]
    bottom = places.bottom
    back = [edge for edge in layers.others if edge not in loops]
    for edge in sorted(back, key=lambda e: abs(places.at[e[0]][0] - places.at[e[1]][0])):
        mark, bottom = _backward(places, edge, lines[edge], bottom)
        edges.append(mark)
    states = [
        StateMark(
            *places.at[state],
            state,
            state == machine.start,
            state in machine.finals,
            weight_words(machine.finals.get(state, 0.0)),
        )
        for state in range(len(machine))
    ]
    return MachineDrawing(places.width, bottom + _MARGIN, _RADIUS, states, edges)


def _label_lines(machine: Machine) -> dict[Edge, list[str]]:
    found: dict[Edge, list[str]] = {}
    for state, arc in machine.all_arcs():
        found.setdefault((state, arc.next), []).append(arc_words(arc))
    for edge, lines in found.items():
        if len(lines) > _MOST_LINES:
            rest = len(lines) - _MOST_LINES + 1
            found[edge] = [*lines[: _MOST_LINES - 1], f"and {rest} more"]
    return found


def _width(text: str) -> float:
    return _LETTER * sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


class _Places:
    """Where states and bends stand: ``at`` their (x, y), ``bottom`` below them all."""

    def __init__(self, machine: Machine, layers, lines: dict[Edge, list[str]], loops) -> None:
        stacks = [len(lines[edge]) for edge in layers.routes]
        rise = 1.5 * _LINE * max(stacks, default=1) + _LINE
        above = _LINE * max((len(lines[edge]) for edge in loops), default=0) + (60 if loops else 0)
        step = max(rise, above, 3.6 * _RADIUS)
        tallest = max(map(len, layers.rows))
        top = _MARGIN + max(above, _LINE * max(stacks, default=0) / 2, _RADIUS)
        gaps = self._gaps(layers, lines)
        wide = max((_width(line) for edge in loops for line in lines[edge]), default=0) / 2
        x = _MARGIN + max(_RADIUS, wide)
        self.at: dict[int, tuple[float, float]] = {}
        for depth, row in enumerate(layers.rows):
            first = top + (tallest - len(row)) * step / 2
            for place, each in enumerate(row):
                self.at[each] = (round(x, 1), round(first + place * step, 1))
            x += gaps[depth] if depth < len(gaps) else 0
        below = max(_RADIUS + _LINE, _LINE * max(stacks, default=0) / 2)
        self.bottom = top + (tallest - 1) * step + below
        self.width = x + _MARGIN + max(_RADIUS, wide)

    @staticmethod
    def _gaps(layers, lines: dict[Edge, list[str]]) -> list[float]:
        """From each layer to the next: room for the widest label that stands between them."""
        places = layers.places()
        gaps = [90.0] * (len(layers.rows) - 1)
        for edge, route in layers.routes.items():
            depth = places[route[(len(route) - 1) // 2]][0]
            widest = max(map(_width, lines[edge]))
            gaps[depth] = max(gaps[depth], widest + 2 * _RADIUS + 2 * _ARROW + 24)
        return gaps


def _stack(x: float, middle: float, lines: list[str]) -> list[LabelMark]:
    """Lines of text around a height."""
    first = middle - (len(lines) - 1) * _LINE / 2
    return [
        LabelMark(round(x, 1), round(first + i * _LINE, 1), text) for i, text in enumerate(lines)
    ]


def _forward(places: _Places, route: list[int], lines: list[str]) -> EdgeMark:
    points = [places.at[each] for each in route]
    points[0] = (points[0][0] + _RADIUS, points[0][1])
    tip = (points[-1][0] - _RADIUS - 1, points[-1][1])
    points[-1] = (tip[0] - _ARROW, tip[1])
    path = f"M{points[0][0]:g},{points[0][1]:g}"
    for (x, y), (u, v) in pairwise(points):
        middle = (x + u) / 2
        path += f" C{middle:g},{y:g} {middle:g},{v:g} {u:g},{v:g}"
    arrow = f"{tip[0]:g},{tip[1]:g} {tip[0] - _ARROW:g},{tip[1] - 4:g} "
    arrow += f"{tip[0] - _ARROW:g},{tip[1] + 4:g}"
    part = (len(route) - 1) // 2
    (x, y), (u, v) = points[part : part + 2]
    return EdgeMark(path, arrow, _stack((x + u) / 2, (y + v) / 2, lines))


def _loop(places: _Places, edge: Edge, lines: list[str]) -> EdgeMark:
    x, y = places.at[edge[0]]
    y -= _RADIUS
    path = f"M{x - 7:g},{y + 2:g} C{x - 34:g},{y - 44:g} {x + 34:g},{y - 44:g} {x + 9:g},{y - 6:g}"
    arrow = f"{x + 6:g},{y + 2:g} {x + 5:g},{y - 7:g} {x + 13:g},{y - 5:g}"
    middle = y - 36 - _LINE * len(lines) / 2
    return EdgeMark(path, arrow, _stack(x, middle, lines))


def _backward(
    places: _Places, edge: Edge, lines: list[str], bottom: float
) -> tuple[EdgeMark, float]:
    """An arc below everything so far, and where it ends."""
    (x, y), (u, v) = places.at[edge[0]], places.at[edge[1]]
    middle = bottom + 12 + _LINE * len(lines) / 2
    # The curve is lowest halfway, at 3/4 of the depth of its two handles.
    y, v = y + _RADIUS, v + _RADIUS + 1
    handle = (middle - (y + v + _ARROW) / 8) / 0.75
    path = f"M{x:g},{y:g} C{x:g},{handle:g} {u:g},{handle:g} {u:g},{v + _ARROW:g}"
    arrow = f"{u:g},{v:g} {u - 4:g},{v + _ARROW:g} {u + 4:g},{v + _ARROW:g}"
    return EdgeMark(path, arrow, _stack((x + u) / 2, middle, lines)), middle + _LINE * len(
        lines
    ) / 2
