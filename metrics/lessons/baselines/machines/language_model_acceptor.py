"""N-gram language models as acceptors: a state for every context, an arc for every n-gram, and from
every context one arc back to the context without its first word.

How the arc back is read makes the difference:

- As a *failure* arc (``FAILURE``) it is followed only for words that the context has no arc for,
  and a string weighs exactly what the model says.
- As an ε-arc (``EPSILON``) it may always be followed, so that of all ways to back off the lightest
  counts, which is never heavier than the exact weight (Allauzen, Mohri and Roark 2003). Both are
  equal for models of bigrams in which no arc is heavier than backing off and reading the word
  then. Interpolated Kneser–Ney is such a model: p(w | h) = ... + γ(h) p(w) is never below
  γ(h) p(w). Of higher orders it is not always exact, for who backs off early stands in a shorter
  context, where the words that come may be lighter. Stupid back-off is not even so for bigrams:
  0.4 · S(w) may exceed count(hw) / count(h).
"""

from collections.abc import Iterable, Mapping

from metrics.scorers.language_model import END, UNKNOWN, NgramModel

from .composition import FAILURE
from .machine import Machine
from .ngram_ranks import Context, NgramRanks


def language_model_acceptor(
    model: NgramModel,
    vocabulary: Mapping[str, int],
    words: Iterable[str] | None = None,
    *,
    backoff: str = FAILURE,
    max_states: int = 200_000,
) -> Machine:
    """Return the acceptor of sentences over ``words`` (all of the vocabulary if not given; others
    are the model's unknown word), a sentence's end in the weights of the final states.

    ``backoff``: the label of the arcs back, FAILURE or EPSILON. Raise ValueError past
    ``max_states``.
    """
    acceptor, _ = with_contexts(model, vocabulary, words, backoff=backoff, max_states=max_states)
    return acceptor


def with_contexts(
    model: NgramModel,
    vocabulary: Mapping[str, int],
    words: Iterable[str] | None = None,
    *,
    backoff: str = FAILURE,
    max_states: int = 200_000,
) -> tuple[Machine, list[tuple[int, ...]]]:
    """Return the acceptor, and the numbers of the words that each state knows."""
    spelled: dict[int, list[str]] = {}
    for label in sorted(set(vocabulary if words is None else words)):
        spelled.setdefault(vocabulary.get(label, UNKNOWN), []).append(label)
    ngrams = NgramRanks(model)
    machine = Machine()
    numbers = {ngrams.start: 0}
    contexts = list(numbers)

    def number_of(context: Context) -> int:
        number = numbers.setdefault(context, len(contexts))
        if number == len(contexts):
            if number >= max_states:
                raise ValueError(f"The acceptor would have more than {max_states:,} states.")
            contexts.append(context)
            machine.arcs.append([])
        return number

    for number, (length, rank, forgotten) in enumerate(contexts):  # grows while it is read
        whole = length + forgotten
        for word, longer in _seen(ngrams, length, rank, spelled):
            weight = ngrams.weight(length + 1, longer)
            if word == END:
                machine.end_in(number, weight)
                continue
            after = ngrams.after(length + 1, longer, whole)
            # Whatever comes next, it pays for the context that was never seen: it may as well now.
            weight += after.forgotten * ngrams.unseen
            for label in spelled[word]:
                machine.add_arc(number, label, label, weight, number_of(after))
        if length:
            kept = 1 + forgotten if ngrams.unseen else 0
            shorter = Context(length - 1, ngrams.shorter(length, rank), kept)
            weight = ngrams.backoff(length, rank)
            machine.add_arc(number, backoff, backoff, weight, number_of(shorter))
    return machine, [ngrams.words(context.length, context.rank) for context in contexts]


def _seen(
    ngrams: NgramRanks, length: int, rank: int, spelled: Mapping[int, object]
) -> list[tuple[int, int]]:
    """Return the words that have an arc from a context, the end among them; after no word, all."""
    if not length:
        return [(word, word) for word in sorted([END, *spelled])]
    found = ngrams.following(length, rank)
    return [(word, longer) for word, longer in found if word in spelled or word == END]


def heavier_arcs(machine: Machine, backoff: str = FAILURE) -> list[tuple[int, str, float]]:
    """Return the arcs (state, word, how much) that are heavier than backing off and reading the
    word there, and ends likewise (with "" for the word): without any, and with contexts of one word
    at most, the ε-reading is exact."""
    found: list[tuple[int, str, float]] = []
    for state, arcs in enumerate(machine.arcs):
        for back in arcs:
            if back.input != backoff:
                continue
            lower = {arc.input: arc.weight for arc in machine.arcs[back.next]}
            for arc in arcs:
                if arc.input != backoff and arc.input in lower:
                    excess = arc.weight - back.weight - lower[arc.input]
                    found += [(state, arc.input, excess)] if excess > 1e-12 else []
            if state in machine.finals and back.next in machine.finals:
                excess = machine.finals[state] - back.weight - machine.finals[back.next]
                found += [(state, "", excess)] if excess > 1e-12 else []
    return found
