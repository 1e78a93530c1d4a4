"""Rules of a synchronous context-free grammar with one nonterminal and at most two gaps.

A rule reads words and gaps of the source and writes words and the same gaps, perhaps in another
order: *ne X1 pas → not X1*. What stands in a gap is translated by another rule (Chiang 2007,
"Hierarchical phrase-based translation").
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

MOST_GAPS = 2
_ARROW = re.compile(r"\s(?:→|->|\|\|\|)\s")
_GAP = re.compile(r"X([0-9]*)")


class Gap(NamedTuple):
    """``number``: 1 or 2; the same on both sides of a rule."""

    number: int


Symbol = str | Gap


class Rule(NamedTuple):
    """``weight``: a negative natural logarithm, the smaller the better."""

    source: tuple[Symbol, ...]
    target: tuple[Symbol, ...]
    weight: float = 0.0

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """In the order of the source."""
        return tuple(symbol for symbol in self.source if isinstance(symbol, Gap))


def check_rule(rule: Rule) -> Rule:
    """Return the rule; ValueError says what is wrong with it."""
    gaps, written = rule.gaps, [symbol for symbol in rule.target if isinstance(symbol, Gap)]
    if len(gaps) == len(rule.source):
        raise ValueError("A rule reads at least one word.")
    if len(gaps) > MOST_GAPS:
        raise ValueError(f"A rule has at most {MOST_GAPS} gaps.")
    if len(set(gaps)) < len(gaps) or sorted(gaps) != sorted(written):
        raise ValueError("Each gap stands once on either side.")
    if not rule.target:
        raise ValueError("A rule writes something.")
    if not math.isfinite(rule.weight):
        raise ValueError("A weight is a number.")
    return rule


def read_rules(lines: Iterable[str]) -> list[Rule]:
    """Return rules as people write them, one a line: `ne X1 pas → not X1`, perhaps with a weight
    after a bar: `| 0.7`. `->` and `|||` are arrows, too; empty lines are passed over.

    Raises ValueError with the number of the line.
    """
    found = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                found.append(check_rule(_rule_of(line)))
            except ValueError as error:
                raise ValueError(f"Line {number}: {error}") from None
    return found


def _rule_of(line: str) -> Rule:
    sides = _ARROW.split(f" {line.strip()} ")
    if len(sides) != 2:
        raise ValueError("A rule has one arrow, with spaces around it: ne X1 pas → not X1.")
    source, target = sides
    target, bar, weight = target.partition(" | ")
    try:
        cost = float(weight) if bar else 0.0
    except ValueError:
        raise ValueError(f"{weight.strip()} is not a weight.") from None
    return Rule(_symbols(source), _symbols(target), cost)


def _symbols(side: str) -> tuple[Symbol, ...]:
    found: list[Symbol] = []
    for word in side.split():
        gap = _GAP.fullmatch(word)
        found.append(Gap(int(gap[1] or 1)) if gap else word)
    return tuple(found)


def write_rule(rule: Rule) -> str:
    """As read_rules reads it, without the weight."""
    sides = (
        " ".join(f"X{symbol.number}" if isinstance(symbol, Gap) else symbol for symbol in side)
        for side in (rule.source, rule.target)
    )
    return " → ".join(sides)


class _SourceNode:
    """Of a tree over the sources of rules, in which all gaps are alike."""

    __slots__ = ("gap", "rules", "words")

    def __init__(self) -> None:
        self.words: dict[str, _SourceNode] = {}
        self.gap: _SourceNode | None = None
        self.rules: list[Rule] = []


class Application(NamedTuple):
    """A rule that covers a span of a sentence: ``spans`` are those of its gaps, by their numbers;
    places of words from 0, ends exclusive."""

    rule: Rule
    spans: dict[Gap, tuple[int, int]]


class Grammar:
    """Rules that can be looked up by what they read. Raise ValueError for a rule that is none."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._root = _SourceNode()
        self.size = 0
        for rule in rules:
            node = self._root
            for symbol in check_rule(rule).source:
                if isinstance(symbol, str):
                    node = node.words.setdefault(symbol, _SourceNode())
                else:
                    node.gap = node.gap or _SourceNode()
                    node = node.gap
            node.rules.append(rule)
            self.size += 1

    def applications(
        self, words: tuple[str, ...], start: int, longest: int
    ) -> Iterator[tuple[int, Application]]:
        """Yield every rule that covers a span from a place on, at most so many words long, with the
        span's end."""
        limit = min(len(words), start + longest)
        stack: list[tuple[int, _SourceNode, tuple[tuple[int, int], ...]]] = [
            (start, self._root, ())
        ]
        while stack:
            place, node, spans = stack.pop()
            for rule in node.rules:
                yield place, Application(rule, dict(zip(rule.gaps, spans, strict=True)))
            if place < limit and words[place] in node.words:
                stack.append((place + 1, node.words[words[place]], spans))
            if node.gap is not None:
                # A gap takes a word at least, and leaves out nobody: what comes must fit as well.
                for end in range(place + 1, limit + 1):
                    stack.append((end, node.gap, (*spans, (place, end))))
