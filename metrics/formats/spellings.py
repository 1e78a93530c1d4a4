"""How a file writes its numbers, kept by the name of a rule, so that they go out as they came in.

`shortest`: as few digits as give the same number, as Python writes it. `whole`: the same, but whole
numbers without a point. `decimals:6`: always so many decimals.
"""

import math
from collections.abc import Callable
from functools import cache, partial

SHORTEST = "shortest"
MISSING = "None"


class Spelling:
    """Finds the rules by which all numbers of a file are written."""

    def __init__(self) -> None:
        self._rules: list[tuple[str, Callable[[float], str]]] | None = None

    def see(self, text: str, value: float) -> None:
        """Passes over a score that is missing."""
        if value != value:
            return
        if self._rules is None:
            n = len(text.partition(".")[2])
            names = (SHORTEST, "whole", f"decimals:{n}")
            self._rules = [(name, rule_of(name)) for name in names]
        self._rules = [rule for rule in self._rules if rule[1](value) == text]

    @property
    def name(self) -> str:
        """The first rule that writes them all; `shortest` when none does, which keeps the number
        and not its spelling."""
        return self._rules[0][0] if self._rules else SHORTEST


@cache
def rule_of(name: str) -> Callable[[float], str]:
    """Return the function that writes a number by a rule's name; `shortest` for a name that is
    unknown."""
    if name == "whole":
        return _whole
    kind, _, n = name.partition(":")
    if kind == "decimals" and n.isdecimal() and int(n) <= 400:
        return partial(_fixed, int(n))
    return repr


def spelled(value: float, name: str = SHORTEST) -> str:
    """Return a score by a rule; `None` for NaN, as mt-metrics-eval writes it."""
    return MISSING if math.isnan(value) else rule_of(name)(value)


def turned(text: str) -> str:
    """Return a written score with its sign turned, every digit kept; zero and missing stay as they
    are."""
    if text == MISSING or not float(text):
        return text
    return text[1:] if text.startswith("-") else f"-{text.removeprefix('+')}"


def _whole(value: float) -> str:
    return repr(value).removesuffix(".0")


def _fixed(n: int, value: float) -> str:
    return f"{value:.{n}f}"
