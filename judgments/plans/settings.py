"""What a manager settles before the work is planned: `Campaign.plan`, read and checked.

Everything that a plan is made of can be said here, so that a page, a file and a program say the
same; with the same texts and the same settings, `judgments.plans.design` makes the same plan.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

DESIGNS = {
    "paired": "One annotator judges all systems of a block",
    "one-version": "Each annotator sees a document in one version only",
    "latin-square": "One version each, systems and positions in a Latin square",
}
QUESTIONS = {
    "all": "All pairs of systems",
    "one-against-others": "One system against all others",
    "one-pair": "One pair, named beforehand",
    "best": "Which system is the best",
}
PROMISES = {
    "holm": "No wrong separation in 95 % of such tables (Holm)",
    "bh": "Of the separations shown, at most 5 % are expected to be false (Benjamini–Hochberg)",
}
DAMAGE_RULES = ("wmt16", "appraise", "crowd-alone")
PER_TEN = ("repeats", "references", "degraded")
MOST_PER_TEN = 5
OPTIONAL = ("batch_items", "segments", "comparisons", "pay_per_hour", "seconds_per_word")
FRACTIONS = (
    *("agreement_share", "context_cost", "pay_per_hour", "seconds_per_word", "spread"),
    *PER_TEN,
)


@dataclass(frozen=True)
class PlanSettings:
    """The settings of a plan, with the defaults of a campaign whose annotators are experts.

    What is judged. ``systems``: names, none for all. ``block_length``: segments that are judged
    together at most, 0 for whole documents. ``segments``: how many are judged, drawn block by block
    with equal probability; None for all. ``equal_once``: outputs that read the same are judged
    once.
    ``comparisons`` of each segment at most, where two outputs are compared; None for every pair.

    By whom. ``design``: see DESIGNS. ``batch_words``: what a batch holds at most, in words of
    sources and outputs; or ``batch_items``, where it is not None. ``seats``: annotators for each
    batch; of the share ``agreement_share`` of batches there are ``agreement_seats``.
    ``pool``: blocks are taken one by one instead of in batches, and a block on which nothing was
    judged for ``lease_minutes`` goes back.

    Control items. ``repeats``, ``references``, ``degraded``: of ten items so many, by halves: .5 is
    one in twenty. ``damage``: the rule of length of degraded copies. ``calibration``: segments that
    everybody judges, in every batch, each on one screen. ``loud_checks``, ``silent_checks``:
    attention checks in every batch.

    What it is for. ``question`` and ``promise``: see QUESTIONS and PROMISES. ``context_cost``: the
    time to read a block's context, in times to judge a segment. ``annotators``: how many are
    expected. ``pay_per_hour`` in ``currency``. ``seconds_per_word`` of sources and outputs, None
    for what the protocol usually takes; ``spread``: the standard deviation of the difference
    between two systems on a segment, as a share of the scale.
    """

    systems: tuple[str, ...] = ()
    block_length: int = 0
    segments: int | None = None
    equal_once: bool = True
    comparisons: int | None = None
    design: str = "paired"
    batch_words: int = 4000
    batch_items: int | None = None
    seats: int = 1
    agreement_share: float = 0.0
    agreement_seats: int = 2
    pool: bool = False
    lease_minutes: int = 1440
    repeats: float = 0.0
    references: float = 0.0
    degraded: float = 0.0
    damage: str = "wmt16"
    calibration: int = 0
    loud_checks: int = 0
    silent_checks: int = 0
    question: str = "all"
    promise: str = "holm"
    context_cost: float = 1.0
    annotators: int = 2
    seconds_per_word: float | None = None
    spread: float = 0.2
    pay_per_hour: float | None = None
    currency: str = "EUR"
    seed: int = 1

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> PlanSettings:
        """From what is stored, or from a file. ValueError says what is wrong with which setting."""
        known = {field.name: field.default for field in fields(cls)}
        values: dict[str, Any] = {}
        for name, value in stored.items():
            if name not in known:
                raise ValueError(f"there is no setting {name!r}; {', '.join(known)} are")
            values[name] = _typed(name, value, known[name])
        found = cls(**values)
        problems = list(found.problems())
        if problems:
            raise ValueError("; ".join(problems))
        return found

    def stored(self) -> dict[str, Any]:
        """What differs from the defaults, as JSON can hold it."""
        return {
            field.name: list(value) if isinstance(value, tuple) else value
            for field in fields(self)
            if (value := getattr(self, field.name)) != field.default
        }

    @property
    def has_controls(self) -> bool:
        return any(
            (
                self.repeats,
                self.references,
                self.degraded,
                self.calibration,
                self.loud_checks,
                self.silent_checks,
            )
        )

    def problems(self):
        """What is wrong, in words."""
        for name, known in (
            ("design", tuple(DESIGNS)),
            ("question", tuple(QUESTIONS)),
            ("promise", tuple(PROMISES)),
            ("damage", DAMAGE_RULES),
        ):
            if getattr(self, name) not in known:
                yield f"{name} is {getattr(self, name)!r}, not one of {', '.join(known)}"
        for name, low, high in BOUNDS:
            value = getattr(self, name)
            if value is not None and not low <= value <= high:
                yield f"{name} is {value:g}, not from {low:g} to {high:g}"
        for name in PER_TEN:
            if 2 * getattr(self, name) % 1:
                yield f"{name} is {getattr(self, name):g}, not a number of halves"
        if sum(getattr(self, name) for name in PER_TEN) > MOST_PER_TEN:
            yield f"of ten items at most {MOST_PER_TEN} can be controls"


BOUNDS = (
    ("block_length", 0, 10_000),
    ("segments", 1, 10_000_000),
    ("comparisons", 1, 10_000),
    ("batch_words", 20, 1_000_000),
    ("batch_items", 1, 10_000),
    ("seats", 1, 100),
    ("agreement_share", 0, 1),
    ("agreement_seats", 2, 100),
    ("lease_minutes", 5, 100_000),
    ("repeats", 0, MOST_PER_TEN),
    ("references", 0, MOST_PER_TEN),
    ("degraded", 0, MOST_PER_TEN),
    ("calibration", 0, 100),
    ("loud_checks", 0, 10),
    ("silent_checks", 0, 10),
    ("context_cost", 0, 100),
    ("annotators", 1, 100_000),
    ("seconds_per_word", 0.01, 600),
    ("spread", 0.001, 2),
    ("pay_per_hour", 0, 1_000_000),
    ("seed", 0, 2**31 - 1),
)


def _typed(name: str, value: Any, default: Any) -> Any:
    """The value as the type of its setting; ValueError where it is none."""
    if value is None:
        if name in OPTIONAL:
            return None
        raise ValueError(f"{name} has no value")
    if name == "systems":
        if not isinstance(value, list | tuple) or not all(isinstance(v, str) for v in value):
            raise ValueError("systems is a list of names")
        return tuple(value)
    if isinstance(default, bool):
        if not isinstance(value, bool):
            raise ValueError(f"{name} is {value!r}, not true or false")
        return value
    if isinstance(default, str):
        if not isinstance(value, str):
            raise ValueError(f"{name} is {value!r}, not a text")
        return value
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{name} is {value!r}, not a number")
    if name in FRACTIONS:
        return float(value)
    if value != int(value):
        raise ValueError(f"{name} is {value!r}, not a whole number")
    return int(value)
