"""Drawings of small machines: circles, arcs and labels with their coordinates, in pixels.

A template writes them as SVG; classes give the colors. Layers go from left to right. Arcs forward
are curves from layer to layer; arcs back run below, arcs to the same state above it.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple
from unicodedata import east_asian_width

from metrics.lessons.baselines.machines import Arc, Machine

from .layers import Edge, Layers, layered

MOST_STATES = 40
MOST_ARCS = 90
_MOST_LINES = 8
_RADIUS = 14
_MARGIN = 24
_LINE = 16
_LETTER = 7.2
_ARROW = 8
# Where on a curve labels may stand, the best place first.
_SHARES = (0.5, 0.4, 0.6, 0.3, 0.7)


class LabelMark(NamedTuple):
    """One line of text, its middle at x."""

    x: float
    y: float
    text: str


class Box(NamedTuple):
    """What lines of text take up."""

    x: float
    y: float
    width: float
    height: float

    def meets(self, other: "Box") -> bool:
        return (
            abs(2 * (self.x - other.x) + self.width - other.width) < self.width + other.width
            and abs(2 * (self.y - other.y) + self.height - other.height)
            < self.height + other.height
        )


class StateMark(NamedTuple):
    """``below``: its name, or what ending there weighs."""

    x: float
    y: float
    number: int
    is_start: bool
    is_final: bool
    below: str


class EdgeMark(NamedTuple):
    """All arcs from one state to another: a path, the corners of its arrow, its labels and the
    ground they stand on."""

    path: str
    arrow: str
    labels: list[LabelMark]
    ground: Box


class MachineDrawing(NamedTuple):
    """Sizes in pixels; ``left``: the x of the left edge; ``radius``: of the states' circles."""

    left: float
    width: float
    height: float
    radius: float
    states: list[StateMark]
    edges: list[EdgeMark]


def weight_words(weight: float) -> str:
    """Return a weight to two digits, nothing for 0."""
    return f"{weight:.2f}" if abs(weight) >= 0.005 else ""


def arc_words(arc: Arc) -> str:
    """Return what an arc reads, and writes if that is something else, and weighs."""
    read, written = (label.strip() or "ε" for label in (arc.input, arc.output))
    labels = read if read == written else f"{read} : {written}"
    weight = weight_words(arc.weight)
    return f"{labels} / {weight}" if weight else labels


def can_be_drawn(machine: Machine, most_states: int = MOST_STATES) -> bool:
    return len(machine) <= most_states and machine.n_arcs <= MOST_ARCS


def drawing_of(
    machine: Machine, names: Sequence[str] = (), depths: Sequence[int] | None = None
) -> MachineDrawing:
    """Return a drawing of a machine all of whose states can be reached; see ``can_be_drawn``.
    ``names``: what stands below each state; ``depths``: the layer of each, if the caller knows
    better."""
    lines = _label_lines(machine)
    layers = layered(machine, depths)
    loops = [edge for edge in layers.others if edge[0] == edge[1]]
    places = _Places(machine, layers, lines, loops)
    taken = [
        Box(x - _RADIUS, y - _RADIUS, 2 * _RADIUS, 2 * _RADIUS)
        for state, (x, y) in places.at.items()
        if state < len(machine)
    ]
    edges = [_loop(places, edge, lines[edge]) for edge in loops]
    taken += [edge.ground for edge in edges]
    # Those with one place for their labels before those with many.
    for edge, route in sorted(layers.routes.items(), key=lambda each: len(each[1])):
        edges.append(_forward(places, route, lines[edge], taken))
        taken.append(edges[-1].ground)
    bottom = places.bottom
    back = [edge for edge in layers.others if edge not in loops]
    for edge in sorted(back, key=lambda e: abs(places.at[e[0]][0] - places.at[e[1]][0])):
        mark, bottom = _backward(places, edge, lines[edge], bottom)
        edges.append(mark)
    states = [_state(machine, state, places, names) for state in range(len(machine))]
    # Labels of arcs back may be wider than what stands above them.
    left = min([0, *(edge.ground.x - _LINE for edge in edges)])
    right = max([places.width, *(edge.ground.x + edge.ground.width + _LINE for edge in edges)])
    height = round(bottom + _MARGIN)
    return MachineDrawing(round(left), round(right - left), height, _RADIUS, states, edges)


def _state(machine: Machine, state: int, places: "_Places", names: Sequence[str]) -> StateMark:
    end = weight_words(machine.finals.get(state, 0.0))
    below = " ".join([*([names[state]] if names else []), *([f"/ {end}"] if end else [])])
    is_final = state in machine.finals
    return StateMark(*places.at[state], state, state == machine.start, is_final, below)


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

    def __init__(
        self, machine: Machine, layers: Layers, lines: dict[Edge, list[str]], loops: list[Edge]
    ) -> None:
        stacks = [len(lines[edge]) for edge in layers.routes]
        rise = 2 * _LINE * max(stacks, default=1) + _LINE
        above = _LINE * max((len(lines[edge]) for edge in loops), default=0) + (60 if loops else 0)
        step = max(rise, above, 3.8 * _RADIUS)
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
        below = max(_RADIUS + 1.5 * _LINE, _LINE * max(stacks, default=0) / 2)
        self.bottom = top + (tallest - 1) * step + below
        # Arcs back swing out to the right.
        self.width = round(x + _MARGIN + max(_RADIUS, wide, 40 if layers.others else 0))

    @staticmethod
    def _gaps(layers: Layers, lines: dict[Edge, list[str]]) -> list[float]:
        """From each layer to the next: room for the widest label that stands between them."""
        places = layers.places()
        gaps = [90.0] * (len(layers.rows) - 1)
        for edge, route in layers.routes.items():
            depth = places[route[(len(route) - 1) // 2]][0]
            widest = max(map(_width, lines[edge]))
            gaps[depth] = max(gaps[depth], widest + 2 * _RADIUS + 2 * _ARROW + 44)
        return gaps


def _stack(x: float, middle: float, lines: list[str]) -> tuple[list[LabelMark], Box]:
    """Return lines of text around a point, and their box."""
    height = _LINE * len(lines)
    first = middle - (height - _LINE) / 2
    marks = [
        LabelMark(round(x, 1), round(first + i * _LINE, 1), text) for i, text in enumerate(lines)
    ]
    width = max(map(_width, lines)) + 6
    box = Box(round(x - width / 2, 1), round(middle - height / 2, 1), round(width, 1), height)
    return marks, box


def _forward(places: _Places, route: list[int], lines: list[str], taken: Sequence[Box]) -> EdgeMark:
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
    # The middle, if nothing is there; else another place on the curve.
    half = (len(points) - 1) // 2
    parts = sorted(pairwise(points), key=lambda part: abs(part[0][0] - points[half][0]))
    stacks = [_stack(*_on_curve(*part, share), lines) for share in _SHARES for part in parts]
    free = (each for each in stacks if not any(each[1].meets(box) for box in taken))
    return EdgeMark(path, arrow, *next(free, stacks[0]))


def _on_curve(
    start: tuple[float, float], end: tuple[float, float], share: float
) -> tuple[float, float]:
    """Return a point of the cubic curve that leaves and arrives horizontally."""
    back = 1 - share
    bow = 3 * back * share
    x = back**3 * start[0] + bow * (start[0] + end[0]) / 2 + share**3 * end[0]
    y = back**2 * (back + 3 * share) * start[1] + share**2 * (share + 3 * back) * end[1]
    return x, y


def _loop(places: _Places, edge: Edge, lines: list[str]) -> EdgeMark:
    x, y = places.at[edge[0]]
    y -= _RADIUS
    path = f"M{x - 7:g},{y + 2:g} C{x - 34:g},{y - 44:g} {x + 34:g},{y - 44:g} {x + 9:g},{y - 6:g}"
    arrow = f"{x + 6:g},{y + 2:g} {x + 5:g},{y - 7:g} {x + 13:g},{y - 5:g}"
    return EdgeMark(path, arrow, *_stack(x, y - 36 - _LINE * len(lines) / 2, lines))


def _backward(
    places: _Places, edge: Edge, lines: list[str], bottom: float
) -> tuple[EdgeMark, float]:
    """Return an arc below everything so far, and where it ends."""
    (x, y), (u, v) = places.at[edge[0]], places.at[edge[1]]
    middle = bottom + 14 + _LINE * len(lines) / 2
    x, y, v = x + _RADIUS * 0.75, y + _RADIUS * 0.7, v + _RADIUS + 1
    # The curve is lowest about halfway, at 3/4 of the depth of its two handles; it goes down at the
    # right of what stands below its state.
    handle = (middle - (y + v + _ARROW) / 8) / 0.75
    path = f"M{x:g},{y:g} C{x + 60:g},{handle:.1f} {u:g},{handle:.1f} {u:g},{v + _ARROW:g}"
    arrow = f"{u:g},{v:g} {u - 4:g},{v + _ARROW:g} {u + 4:g},{v + _ARROW:g}"
    at = (x + 3 * (x + 60) + 4 * u) / 8
    mark = EdgeMark(path, arrow, *_stack(at, middle, lines))
    return mark, middle + _LINE * len(lines) / 2
