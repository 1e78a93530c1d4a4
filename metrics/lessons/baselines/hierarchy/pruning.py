"""The best translations of every span, by cube pruning (Chiang 2007, section 5.3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from ..machines import LanguageModelStates, Machine
from .chart import Chart, Span
from .rules import Application, Gap

# So many times as many translations are looked at as are kept: the language model may prefer one
# that looked worse by its parts.
_LOOKED_AT = 3


class SpanTranslation(NamedTuple):
    """``weight``: of its rules; ``estimate``: with what the language model says of the words where
    nothing is known of what stands around them."""

    words: tuple[str, ...]
    weight: float
    estimate: float


def best_of_spans(
    chart: Chart, states: LanguageModelStates, *, scale: float, kept: int
) -> dict[Span, list[SpanTranslation]]:
    """At most ``kept`` different translations of each span, the best by estimate first."""
    best: dict[Span, list[SpanTranslation]] = {}
    for span, applications in chart.items():
        found: dict[tuple[str, ...], SpanTranslation] = {}
        for words, weight in _cube(applications, best, _LOOKED_AT * kept):
            if words not in found or weight < found[words].weight:
                estimate = weight + scale * _alone(words, states)
                found[words] = SpanTranslation(words, weight, estimate)
        ordered = sorted(found.values(), key=lambda made: (made.estimate, made.words))
        best[span] = ordered[:kept]
    return best


def _cube(
    applications: Sequence[Application],
    best: Mapping[Span, Sequence[SpanTranslation]],
    limit: int,
) -> Iterable[tuple[tuple[str, ...], float]]:
    """Yield rules filled with translations of their gaps, the best by the sum of their estimates
    first: each comes with the next translation of each gap in line behind it."""
    gaps = [[best[span] for span in spans.values()] for _, spans in applications]
    heap: list[tuple[float, int, tuple[int, ...]]] = []
    for k, (rule, _) in enumerate(applications):
        first = (0,) * len(gaps[k])
        heap.append((_sum(rule.weight, gaps[k], first), k, first))
    heapify(heap)
    seen = {(k, places) for _, k, places in heap}
    for _ in range(limit):
        if not heap:
            return
        _, k, places = heappop(heap)
        rule, spans = applications[k]
        parts = [found[place] for found, place in zip(gaps[k], places, strict=True)]
        chosen = dict(zip(spans, parts, strict=True))
        words: list[str] = []
        for symbol in rule.target:
            words += chosen[symbol].words if isinstance(symbol, Gap) else (symbol,)
        yield tuple(words), rule.weight + sum(part.weight for part in parts)
        for side, place in enumerate(places):
            after = (*places[:side], place + 1, *places[side + 1 :])
            if place + 1 < len(gaps[k][side]) and (k, after) not in seen:
                seen.add((k, after))
                heappush(heap, (_sum(rule.weight, gaps[k], after), k, after))


def _sum(weight: float, gaps: Sequence[Sequence[SpanTranslation]], places: Sequence[int]) -> float:
    return weight + sum(gap[place].estimate for gap, place in zip(gaps, places, strict=True))


def _alone(words: Iterable[str], states: LanguageModelStates) -> float:
    state, total = states.nowhere, 0.0
    for word in words:
        state, weight = states.step(state, word)
        total += weight
    return total


def tree_of(translations: Iterable[SpanTranslation]) -> Machine:
    """Return the acceptor of translations by the weights of their rules, equal beginnings made
    one."""
    machine = Machine()
    states: dict[tuple[str, ...], int] = {(): machine.start}
    for words, weight, _ in translations:
        for k, word in enumerate(words):
            before, here = words[:k], words[: k + 1]
            if here not in states:
                states[here] = machine.add_state()
                machine.add_arc(states[before], word, word, 0.0, states[here])
        machine.end_in(states[words], weight)
    return machine
