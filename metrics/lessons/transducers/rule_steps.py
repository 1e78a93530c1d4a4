"""From hierarchical rules and a sentence to its networks and its best translations."""

from typing import NamedTuple

from metrics.lessons.baselines.hierarchy import (
    Gap,
    Grammar,
    Networks,
    Rule,
    chart_of,
    expanded,
    networks,
    span_name,
    write_rule,
)
from metrics.lessons.baselines.machines import Machine, n_paths

from .language_model_step import WeighedWords, weighed
from .steps import MOST_STATES_MADE

Words = tuple[str, ...]
# Of each network on the way: there may be one for every span.
MOST_STATES_OF_A_SPAN = 500


class RuleExercise(NamedTuple):
    """``text``: the sentences that the language model learns from; ``n``: so many best ones."""

    sentence: Words
    rules: tuple[Rule, ...]
    text: tuple[Words, ...]
    order: int
    smoothing: str
    n: int


class ChartRow(NamedTuple):
    """A rule that covers words ``first`` to ``last``, counted from 1; ``gaps``: what stands in its
    gaps, as (name of the gap, words)."""

    first: int
    last: int
    words: str
    rule: str
    weight: float
    gaps: list[tuple[str, str]]


class RuleSteps(NamedTuple):
    """``used``: the networks that the sentence's needs, itself first, then by length: their names,
    and the words that they cover. ``whole``: all translations. ``missing``: words that no rule
    covers.
    ``language_model``: None without a text to learn from."""

    rows: list[ChartRow]
    found: Networks
    used: dict[str, str]
    whole: Machine
    n_translations: int
    missing: list[str]
    language_model: WeighedWords | None


def rule_steps(exercise: RuleExercise) -> RuleSteps:
    """Raise ValueError where a machine becomes too large to be shown."""
    words, grammar = exercise.sentence, Grammar(exercise.rules)
    chart = chart_of(words, grammar, longest_span=len(words), unknown=None)
    rows = []
    for (start, end), applications in sorted(chart.items(), key=_by_length):
        for rule, spans in applications:
            gaps = [(_name(gap), " ".join(words[slice(*spans[gap])])) for gap in rule.gaps]
            text = " ".join(words[start:end])
            rows.append(ChartRow(start + 1, end, text, write_rule(rule), rule.weight, gaps))
    found = networks(words, grammar, longest_span=len(words), unknown=None)
    whole = expanded(found, max_states=MOST_STATES_OF_A_SPAN)
    covered = {k for span in chart for k in range(*span)}
    missing = [word for k, word in enumerate(words) if k not in covered]
    model = None
    if exercise.text and whole.finals:
        model = weighed(
            whole,
            list(exercise.text),
            order=exercise.order,
            smoothing=exercise.smoothing,
            n=exercise.n,
            max_states=MOST_STATES_MADE,
        )
    covers = {span_name(*span): " ".join(words[slice(*span)]) for span in chart}
    used = _used(found, covers | {found.root: " ".join(words)})
    return RuleSteps(rows, found, used, whole, n_paths(whole), missing, model)


def _by_length(item) -> tuple[int, int]:
    start, end = item[0]
    return end - start, start


def _name(gap: Gap) -> str:
    return f"X{gap.number}"


def _used(found: Networks, covers: dict[str, str]) -> dict[str, str]:
    """Return the networks that the root needs, itself and longer ones first, with what they
    cover."""
    seen, stack = {found.root}, [found.root]
    while stack:
        for _, arc in found.machines[stack.pop()].all_arcs():
            if arc.output in found.machines and arc.output not in seen:
                seen.add(arc.output)
                stack.append(arc.output)
    return {name: covers[name] for name in reversed(covers) if name in seen}
