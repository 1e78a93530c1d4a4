"""How the points of a scatter plot look: a shape and a color for each kind of system, and hollow
for human translations."""

from collections.abc import Sequence
from typing import Any

from judgments.web.charts import color

# Shapes tell the kinds apart without the colors, which are those of Okabe and Ito (2008), "Color
# universal design", that have a contrast of 3 on white and on the dark page.
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right")
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#808080")
SIZE = 80


def kind_encoding(kinds: Sequence[str], title: str) -> dict[str, Any]:
    """Shape and color by the field `kind`, with one legend for both."""
    known = sorted(set(kinds))
    n = len(known)
    field = {"field": "kind", "type": "nominal", "title": title}
    shapes = [SHAPES[i % len(SHAPES)] for i in range(n)]
    colors = [COLORS[i % len(COLORS)] for i in range(n)]
    legend = {"orient": "top", "symbolFillColor": color("quiet"), "columns": 3}
    return {
        "shape": field | {"scale": {"domain": known, "range": shapes}, "legend": legend},
        "color": field | {"scale": {"domain": known, "range": colors}, "legend": legend},
    }


def point_layers(points: Sequence[dict[str, Any]], encoding: dict[str, Any]) -> list[dict]:
    """Filled points, and hollow ones for those that are `human`."""
    led = any("href" in point for point in points)
    common: dict[str, Any] = {"type": "point", "size": SIZE}
    if led:
        common["cursor"] = "pointer"
        encoding = encoding | {"href": {"field": "href", "type": "nominal"}}
    marks = {False: common, True: common | {"filled": False, "strokeWidth": 2}}
    found = []
    for is_human, mark in marks.items():
        values = [point for point in points if bool(point.get("human_made")) == is_human]
        if values:
            found.append({"data": {"values": values}, "mark": mark, "encoding": encoding})
    return found
