"""Recursive transition networks of a sentence: a machine for every span that rules cover.

Their arcs are words, and names of the machines of smaller spans (de Gispert et al. 2010,
"Hierarchical phrase-based translation with weighted finite-state transducers").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..machines import Machine
from .rules import Application, Gap, Grammar, Rule

# Rules cover spans of so many words at most (Chiang 2007, section 3.2); what is longer is
# translated span after span.
LONGEST_SPAN = 10
# What a word weighs that no rule covers: worse than anything that one does.
UNKNOWN = 20.0
# No word holds a space, so no word is taken for a name.
SENTENCE = " S"


Span = tuple[int, int]
Chart = dict[Span, list[Application]]


@dataclass(frozen=True)
class Networks:
    """``machines``: by their names, smaller spans first; ``root``: the one of the sentence."""

    root: str
    machines: dict[str, Machine]


def span_name(start: int, end: int) -> str:
    """Return the name of a span's machine; the span counts its words from 0, the name from 1."""
    return f" T[{start + 1},{end}]"


def chart_of(
    words: Sequence[str],
    grammar: Grammar,
    *,
    longest_span: int = LONGEST_SPAN,
    unknown: float | None = UNKNOWN,
) -> Chart:
    """Return the rules that cover each span and whose gaps are covered, smaller spans first.

    ``unknown``: the weight of a word that no rule covers and that stays as it is; None lets none
    stay, so that there may be no translation at all. Raise ValueError for a sentence without
    words.
    """
    words = tuple(words)
    if not words:
        raise ValueError("A sentence has at least one word.")
    found: Chart = {}
    for start in range(len(words)):
        for end, application in grammar.applications(words, start, longest_span):
            found.setdefault((start, end), []).append(application)
    chart: Chart = {}
    for length in range(1, min(longest_span, len(words)) + 1):
        for start in range(len(words) - length + 1):
            span = start, start + length
            kept = [rule for rule in found.get(span, ()) if chart.keys() >= {*rule.spans.values()}]
            if length == 1 and not kept and unknown is not None:
                kept = [Application(Rule(words[start:][:1], words[start:][:1], unknown), {})]
            if kept:
                chart[span] = kept
    return chart


def networks(
    words: Sequence[str],
    grammar: Grammar,
    *,
    longest_span: int = LONGEST_SPAN,
    glue: float = 0.0,
    unknown: float | None = UNKNOWN,
) -> Networks:
    """Return the networks of a sentence. ``glue``: the weight of each span that is put after
    another one; the others as in chart_of."""
    chart = chart_of(words, grammar, longest_span=longest_span, unknown=unknown)
    machines = {span_name(*span): _span_machine(rules) for span, rules in chart.items()}
    machines[SENTENCE] = glued(len(words), chart, glue)
    return Networks(SENTENCE, machines)


def _span_machine(applications: Sequence[Application]) -> Machine:
    """Return a path for every rule."""
    machine = Machine()
    end = machine.add_state()
    machine.end_in(end)
    for rule, spans in applications:
        labels = [
            span_name(*spans[symbol]) if isinstance(symbol, Gap) else symbol
            for symbol in rule.target
        ]
        state = machine.start
        for label in labels[:-1]:
            after = machine.add_state()
            machine.add_arc(state, label, label, 0.0, after)
            state = after
        machine.add_arc(state, labels[-1], labels[-1], rule.weight, end)
    return machine


def glued(n: int, chart: Chart, glue: float) -> Machine:
    """Return spans of ``n`` words one after the other: S → X and S → S X."""
    machine = Machine()
    for _ in range(n):
        machine.add_state()
    machine.end_in(n)
    for start, end in chart:
        name = span_name(start, end)
        machine.add_arc(start, name, name, glue if start else 0.0, end)
    return machine
