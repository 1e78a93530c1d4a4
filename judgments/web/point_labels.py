"""Names beside the points of a scatter plot that do not cover each other."""

from collections.abc import Mapping, Sequence
from typing import Any

# What a name is placed by: a narrow plot, so that a wider one has more room than it was given.
WIDTH, HEIGHT = 460.0, 330.0
LETTER, LINE = 6.2, 13.0  # of the font of 11 pixels
AWAY = 8.0
# Where a name may stand: alignment, and its offset from the point in pixels.
PLACES = (
    ("left", AWAY, 0.0),
    ("right", -AWAY, 0.0),
    ("center", 0.0, -AWAY - 4),
    ("center", 0.0, AWAY + 4),
    ("left", AWAY, -AWAY),
    ("left", AWAY, AWAY),
    ("right", -AWAY, -AWAY),
    ("right", -AWAY, AWAY),
    ("left", AWAY, -2 * AWAY),
    ("left", AWAY, 2 * AWAY),
    ("right", -AWAY, -2 * AWAY),
    ("right", -AWAY, 2 * AWAY),
)

Box = tuple[float, float, float, float]


def label_layers(points: Sequence[dict[str, Any]], name: str, at: Mapping[str, Any]) -> list[dict]:
    """Return the names beside the points, one layer for each place.

    ``name``: the field of the names. ``at``: the encodings x and y, each with its field and the
    domain of its scale.
    """
    across, down = (
        [_share(point[at[axis]["field"]], at[axis]["scale"]["domain"]) for point in points]
        for axis in "xy"
    )
    places = label_places([str(point[name]) for point in points], across, [1 - y for y in down])
    found = []
    for i, (align, dx, dy) in enumerate(PLACES):
        values = [point for point, place in zip(points, places, strict=True) if place == i]
        if values:
            mark = {"type": "text", "align": align, "baseline": "middle", "fontSize": 11}
            text = {**at, "text": {"field": name, "type": "nominal"}}
            layer = {"data": {"values": values}, "mark": mark | {"dx": dx, "dy": dy}}
            found.append(layer | {"encoding": text})
    return found


def label_places(names: Sequence[str], across: Sequence[float], down: Sequence[float]) -> list[int]:
    """Return for each point the place of its name in PLACES: the first that covers no point, no
    name before it and no edge, or else the one that covers least. `across` and `down`: shares of
    the plot, from its upper left corner."""
    spots = [(a * WIDTH, d * HEIGHT) for a, d in zip(across, down, strict=True)]
    taken: list[Box] = [(x - 5, y - 5, x + 5, y + 5) for x, y in spots]
    found = []
    for i, (name, (x, y)) in enumerate(zip(names, spots, strict=True)):
        others = [box for j, box in enumerate(taken) if j != i]
        boxes = [label_box(name, x, y, place) for place in range(len(PLACES))]
        costs = [sum(_shared(box, other) for other in others) + _outside(box) for box in boxes]
        best = min(range(len(PLACES)), key=costs.__getitem__)
        taken.append(boxes[best])
        found.append(best)
    return found


def label_box(name: str, x: float, y: float, place: int) -> Box:
    """Return left, upper, right and lower edge of a name at a place, in pixels."""
    align, dx, dy = PLACES[place]
    width = LETTER * len(name)
    left = x + dx - {"left": 0.0, "center": width / 2, "right": width}[align]
    return left, y + dy - LINE / 2, left + width, y + dy + LINE / 2


def _share(value: float, domain: tuple[float, float]) -> float:
    low, high = domain
    return (value - low) / (high - low)


def _shared(one: Box, other: Box) -> float:
    """Return the area that two boxes share."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return max(width, 0.0) * max(height, 0.0)


def _outside(box: Box) -> float:
    """Return the area of a box that lies outside the plot."""
    inside = _shared(box, (0.0, 0.0, WIDTH, HEIGHT))
    return (box[2] - box[0]) * (box[3] - box[1]) - inside
