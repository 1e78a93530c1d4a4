"""Translation by recursive transition networks: expanded, composed with a language model, and the
shortest paths found.

The networks of a long sentence are expanded only as far as the best translations of each span (cube
pruning, Chiang 2007, section 5.3).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..machines import (
    LanguageModelStates,
    Machine,
    MachinePath,
    connect,
    determinize,
    minimize,
    remove_epsilon,
    replace,
    shortest_paths,
    with_language_model,
)
from .chart import LONGEST_SPAN, UNKNOWN, Networks, chart_of, glued, networks, span_name
from .pruning import best_of_spans, tree_of
from .rules import Grammar

# Translations that are kept of a span. More are hardly ever better, and take longer.
KEPT = 8


def expanded(found: Networks, *, max_states: int = 20_000) -> Machine:
    """Return the acceptor of all translations, small: ε removed, deterministic and minimal. Raises
    ValueError where a machine on the way has more than ``max_states``."""

    def small(machine: Machine) -> Machine:
        silent = remove_epsilon(connect(machine))
        return minimize(determinize(silent, max_states=max_states))

    return replace(found.root, found.machines, simplify=small, max_states=max_states)


def translate(
    words: Sequence[str],
    grammar: Grammar,
    states: LanguageModelStates,
    *,
    n: int = 1,
    scale: float = 1.0,
    kept: int | None = KEPT,
    longest_span: int = LONGEST_SPAN,
    glue: float = 0.0,
    unknown: float | None = UNKNOWN,
) -> list[MachinePath]:
    """Return the ``n`` best translations of a sentence, the lightest first, by the weights of rules
    plus ``scale`` times those of the language model.

    ``kept``: so many translations of each span are kept, the lightest with what the language model
    says of them by themselves; None keeps all, which is exact and grows beyond bounds with the
    length of the sentence. ``glue``, ``unknown``: see networks. Raise ValueError for a sentence
    without words, and where an exact search grows too large.
    """
    options: dict[str, Any] = {"longest_span": longest_span, "unknown": unknown}
    if kept is None:
        whole = expanded(networks(words, grammar, glue=glue, **options))
    else:
        chart = chart_of(words, grammar, **options)
        spans = best_of_spans(chart, states, scale=scale, kept=kept)
        ready = {span_name(*span): tree_of(found) for span, found in spans.items()}
        whole = replace(glued(len(words), chart, glue), ready)
    weighed = with_language_model(whole, states, scale=scale)
    # Of one path there is no other of the same words.
    return shortest_paths(weighed, n, unique="output" if n > 1 else None)
