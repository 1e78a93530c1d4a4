"""Options of the protocol `continuous`: the steps of its scale, and what a recording is of."""

from dataclasses import dataclass

from ..options import Options, choice, lines
from .presets import STEPS

MOST_STEPS = 9  # as many as digits have keys; 0 is no step
LONGEST_STEP = 60  # characters


@dataclass(frozen=True)
class ContinuousOptions(Options):
    unit: str = "whole document"
    steps: tuple[str, ...] = STEPS
    """From the worst, which is 1, to the best."""


def parse_steps(text: str) -> list[str]:
    """Return one a line → the words of the steps. ValueError says what is wrong."""
    steps = [line.strip() for line in text.splitlines() if line.strip()]
    if not 2 <= len(steps) <= MOST_STEPS:
        raise ValueError(f"Write 2 to {MOST_STEPS} steps, one per line.")
    if longest := next((step for step in steps if len(step) > LONGEST_STEP), ""):
        raise ValueError(f"“{longest[:LONGEST_STEP]}…” has more than {LONGEST_STEP} characters.")
    return steps


WHAT_IS_HEARD = choice(
    "unit",
    "A recording belongs to",
    (
        ("whole document", "a document, whose segments are stretches of one file"),
        ("segment", "a segment, which has a file of its own"),
    ),
)
SCALE_STEPS = lines(
    "steps",
    "Steps of the scale",
    parse_steps,
    "One per line, from the worst to the best; the first has the key 1.",
    shown="\n".join,
    required=True,
    shape={
        "type": "array",
        "items": {"type": "string", "pattern": r"\S", "maxLength": LONGEST_STEP},
        "minItems": 2,
        "maxItems": MOST_STEPS,
    },
)
