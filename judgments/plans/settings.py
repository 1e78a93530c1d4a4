"""What a manager settles before the work is planned: `Campaign.plan`, read and checked.

Everything that a plan is made of can be said here, so that a page, a file and a program say the
same; with the same texts and the same settings, `judgments.plans.design` makes the same plan.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from judgments.models import Alteration

DESIGNS = {
    "paired": "One annotator judges all systems of a block",
    "one-version": "Each annotator sees a document in one version only",
    "latin-square": "One version each, systems and positions in a Latin square",
}
CHOICES = {
    "all": "All of them",
    "random": "Some, drawn at random for each block",
    "race": "A race for the top cluster: systems that may be in it always, the others seldom",
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
COMPARED_BY = {
    "raw": "What annotators gave",
    "z": "z-scores of each annotator",
    "center": "What annotators gave minus the annotator's mean",
}
TESTS = {
    "signed-rank": "Signed-rank test, paired, by document",
    "permutation": "Permutation test of the means, paired, by document",
}
DAMAGE_RULES = {
    rule.value: str(rule.label)
    for rule in (Alteration.WMT16, Alteration.APPRAISE, Alteration.CROWD_ALONE)
}
PER_TEN = ("repeats", "references", "degraded")
MOST_PER_TEN = 5


def setting(
    default: Any,
    words: str,
    low: float | None = None,
    high: float | None = None,
    choices: Mapping[str, str] | None = None,
) -> Any:
    """Return a field of `PlanSettings`. words: what it says. low, high: its bounds. choices: what
    it may be, with what each means."""
    told = {"words": words, "low": low, "high": high, "choices": choices}
    return field(default=default, metadata=told)


@dataclass(frozen=True)
class PlanSettings:
    """The settings of a plan, with the defaults of a campaign whose annotators are experts."""

    # What is judged.
    systems: tuple[str, ...] = setting((), "Which systems are judged; if missing, all.")
    block_length: int = setting(
        0, "Segments that are judged together at most; 0: whole documents.", 0, 10_000
    )
    segments: int | None = setting(
        None, "How many segments are judged, drawn block by block; null: all.", 1, 10_000_000
    )
    equal_once: bool = setting(True, "Whether outputs that read the same are judged once.")
    choice: str = setting(
        "all", "Which systems a block shows, where screens hold several.", choices=CHOICES
    )
    systems_shown: int = setting(
        3, "How many systems a block shows where some are drawn at random.", 2, 1_000
    )
    wave_documents: int = setting(8, "Documents of each wave of a race.", 2, 1_000)
    comparisons: int | None = setting(
        None,
        "Of each segment at most, where two outputs are compared; null: every pair.",
        1,
        10_000,
    )

    # By whom.
    design: str = setting("paired", "How texts are distributed among annotators.", choices=DESIGNS)
    batch_words: int = setting(
        4000, "Maximum size of a batch, in words of sources and outputs.", 20, 1_000_000
    )
    batch_items: int | None = setting(
        None, "Maximum size of a batch, in items; null: batch_words says it.", 1, 10_000
    )
    seats: int = setting(1, "Annotators for each batch.", 1, 100)
    agreement_share: float = setting(0.0, "The share of batches that have agreement_seats.", 0, 1)
    agreement_seats: int = setting(2, "Annotators for each of these batches.", 2, 100)
    pool: bool = setting(False, "Whether blocks are taken one by one instead of in batches.")
    lease_minutes: int = setting(
        1440, "How long a block on which nothing was judged stays with somebody.", 5, 100_000
    )

    # Control items, by halves: .5 of ten items is one in twenty.
    repeats: float = setting(0.0, "How many of ten items are shown again.", 0, MOST_PER_TEN)
    references: float = setting(
        0.0, "How many of ten items show the reference as a translation.", 0, MOST_PER_TEN
    )
    degraded: float = setting(0.0, "How many of ten items are damaged copies.", 0, MOST_PER_TEN)
    damage: str = setting("wmt16", "The rule by which copies are damaged.", choices=DAMAGE_RULES)
    calibration: int = setting(0, "Segments that everybody judges, in every batch.", 0, 100)
    loud_checks: int = setting(0, "Attention checks in every batch that say what to answer.", 0, 10)
    silent_checks: int = setting(0, "Attention checks in every batch that do not.", 0, 10)
    beside_checks: int = setting(
        0, "Attention checks in every batch that show a damaged copy beside its original.", 0, 10
    )

    # The tutorial as a test.
    tutorial_right: float = setting(
        0.0, "The share of answers to the tutorial that must be right to get work; 0: any.", 0, 1
    )
    tutorial_tries: int = setting(1, "How often somebody may do the tutorial for that.", 1, 10)

    # What it is for.
    question: str = setting("all", "What the campaign is to answer.", choices=QUESTIONS)
    compared_by: str = setting(
        "raw", "Which scores of segments say which systems differ.", choices=COMPARED_BY
    )
    test: str = setting("signed-rank", "The test between two systems.", choices=TESTS)
    promise: str = setting(
        "holm", "What is promised of the separations that are shown.", choices=PROMISES
    )
    context_cost: float | None = setting(
        None,
        "Time to read a block's context, in times to judge a segment; null: the sources around it, "
        "read once.",
        0,
        100,
    )
    annotators: int = setting(
        2,
        "How many are expected; it changes the estimates on the plan's page, not the plan.",
        1,
        100_000,
    )
    seconds_per_word: float | None = setting(
        None,
        "How long a word of sources and outputs takes, if time depends on words alone; null: "
        "what was measured.",
        0.01,
        600,
    )
    spread: float | None = setting(
        None,
        "Standard deviation of the difference of two systems on a segment, as a share of the "
        "scale, for the estimates on the plan's page; null: as measured for the protocol and "
        "length.",
        0.001,
        2,
    )
    pay_per_hour: float | None = setting(None, "Pay per hour; null: nothing is said.", 0, 1_000_000)
    currency: str = setting("EUR", "Of the pay.")
    seed: int = setting(
        1, "Of the random order: the same seed and texts give the same plan.", 0, 2**31 - 1
    )

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> PlanSettings:
        """From what is stored, or from a file. ValueError says what is wrong with which setting."""
        known = {each.name: each.default for each in fields(cls)}
        values: dict[str, Any] = {}
        for name, value in stored.items():
            if name not in known:
                raise ValueError(
                    f"there is no setting {name!r}; the settings are {', '.join(known)}"
                )
            values[name] = _typed(name, value, known[name])
        found = cls(**values)
        problems = list(found.problems())
        if problems:
            raise ValueError("; ".join(problems))
        return found

    def stored(self) -> dict[str, Any]:
        """Return what differs from the defaults, as JSON can hold it."""
        return {
            each.name: list(value) if isinstance(value, tuple) else value
            for each in fields(self)
            if (value := getattr(self, each.name)) != each.default
        }

    @property
    def is_race(self) -> bool:
        return self.choice == "race"

    @property
    def has_controls(self) -> bool:
        return self.n_checks > 0 or any(getattr(self, kind) for kind in (*PER_TEN, "calibration"))

    @property
    def n_checks(self) -> int:
        return self.loud_checks + self.silent_checks + self.beside_checks

    def problems(self):
        """Yield what is wrong, in words."""
        for each in fields(self):
            name, value, known = each.name, getattr(self, each.name), each.metadata["choices"]
            if known and value not in known:
                yield f"{name} is {value!r}, not one of {', '.join(known)}"
        for name, low, high in BOUNDS:
            value = getattr(self, name)
            if value is not None and not low <= value <= high:
                yield f"{name} is {value:g}, not from {low:g} to {high:g}"
        for name in PER_TEN:
            if 2 * getattr(self, name) % 1:
                yield f"{name} is {getattr(self, name):g}, not a number of halves"
        if sum(getattr(self, name) for name in PER_TEN) > MOST_PER_TEN:
            yield f"of ten items at most {MOST_PER_TEN} can be controls"


# How the systems are told apart: of these a campaign without a plan may have some, too.
DECISION = ("compared_by", "test", "promise")


def is_planned(stored: Mapping[str, Any]) -> bool:
    """Return whether `Campaign.plan` says how work was planned."""
    return bool(stored.keys() - set(DECISION))


BOUNDS = tuple(
    (each.name, each.metadata["low"], each.metadata["high"])
    for each in fields(PlanSettings)
    if each.metadata["low"] is not None
)
OPTIONAL = tuple(each.name for each in fields(PlanSettings) if each.default is None)
FRACTIONS = tuple(each.name for each in fields(PlanSettings) if "float" in str(each.type))


def _typed(name: str, value: Any, default: Any) -> Any:
    """Return the value as the type of its setting; Raise ValueError where it is none."""
    if value is None:
        if name in OPTIONAL:
            return None
        raise ValueError(f"{name} has no value")
    if name == "systems":
        if not isinstance(value, list | tuple) or not all(isinstance(v, str) for v in value):
            raise ValueError("systems is a list of names")
        return tuple(value)
    for kind, words in ((bool, "true or false"), (str, "a text")):
        if isinstance(default, kind):
            if not isinstance(value, kind):
                raise ValueError(f"{name} is {value!r}, not {words}")
            return value
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{name} is {value!r}, not a number")
    if name in FRACTIONS:
        return float(value)
    if value != int(value):
        raise ValueError(f"{name} is {value!r}, not a whole number")
    return int(value)
