"""N-gram language models, a word at a time: what decoders and compositions ask for."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from metrics.scorers.encoding import Encoded
from metrics.scorers.language_model import (
    END,
    FIRST_WORD,
    UNKNOWN,
    NgramModel,
    count_ngrams,
    kneser_ney,
    stupid_backoff,
    with_edges,
)

from .machine import EPSILON, Arc, Machine
from .ngram_ranks import Context, NgramRanks


def train(
    sentences: Iterable[Sequence[str]],
    *,
    order: int = 3,
    smoothing: str = "kneser-ney",
    backoff: float = 0.4,
    min_count: int = 1,
) -> tuple[NgramModel, dict[str, int]]:
    """Return a model of tokenized sentences and its vocabulary: the number of every word.

    ``smoothing``: "kneser-ney" (interpolated, modified) or "stupid-backoff" with the factor
    ``backoff``; words rarer than ``min_count`` count as unknown. Raise ValueError if there are no
    words.
    """
    sentences = [sentence for sentence in sentences if sentence]
    if not sentences:
        raise ValueError("There are no words to learn from.")
    if smoothing not in ("kneser-ney", "stupid-backoff"):
        raise ValueError("smoothing must be kneser-ney or stupid-backoff.")
    counts: dict[str, int] = {}
    for sentence in sentences:
        for word in sentence:
            counts[word] = counts.get(word, 0) + 1
    kept = [word for word, number in counts.items() if number >= min_count]
    vocabulary = {word: number for number, word in enumerate(kept, start=FIRST_WORD)}
    ids: list[int] = []
    for sentence in sentences:
        ids += [vocabulary.get(word, UNKNOWN) for word in sentence]
        ids.append(END)
    encoded = Encoded(np.array(ids), np.array([len(sentence) for sentence in sentences]))
    # The tokens of the text are numbered as its words already.
    text = with_edges(encoded, np.arange(FIRST_WORD + len(kept)))
    levels = count_ngrams(text, order, FIRST_WORD + len(kept))
    if smoothing == "kneser-ney":
        return kneser_ney(levels), vocabulary
    return stupid_backoff(levels, backoff), vocabulary


class LanguageModelStates:
    """A language model as a machine whose states are made when they are asked for.

    A state is the longest end of the words so far that the model has seen, at most its order less
    one; ``step`` is exact: the sum of a sentence's weights, with ``end``, is the negative natural
    logarithm of its score. Words outside the vocabulary are the model's unknown word. Everything
    asked for is kept.
    """

    start = 0

    def __init__(self, model: NgramModel, vocabulary: Mapping[str, int]) -> None:
        self._vocabulary = vocabulary
        self._ngrams = NgramRanks(model)
        self._contexts: list[Context] = []
        self._numbers: dict[Context, int] = {}
        self._steps: list[dict[str, tuple[int, float]]] = []
        self._ends: list[float | None] = []
        self._number_of(self._ngrams.start)

    @property
    def nowhere(self) -> int:
        """The state of who knows nothing of the words before."""
        return self._number_of(Context(0, 0, 0))

    def step(self, state: int, word: str) -> tuple[int, float]:
        """Return the state after a word, and the weight of the word in its context."""
        known = self._steps[state]
        found = known.get(word)
        if found is None:
            number = self._vocabulary.get(word, UNKNOWN)
            context, weight = self._ngrams.read(self._contexts[state], number)
            found = known[word] = (self._number_of(context), weight)
        return found

    def end(self, state: int) -> float:
        """Return the weight of the sentence's end in a state."""
        weight = self._ends[state]
        if weight is None:
            weight = self._ends[state] = self._ngrams.read(self._contexts[state], END)[1]
        return weight

    def weight_of(self, sentence: Iterable[str]) -> float:
        """Return the weight of a sentence with its end."""
        state, total = self.start, 0.0
        for word in sentence:
            state, weight = self.step(state, word)
            total += weight
        return total + self.end(state)

    def _number_of(self, context: Context) -> int:
        number = self._numbers.setdefault(context, len(self._contexts))
        if number == len(self._contexts):
            self._contexts.append(context)
            self._steps.append({})
            self._ends.append(None)
        return number


def with_language_model(
    machine: Machine,
    states: LanguageModelStates,
    *,
    scale: float = 1.0,
    max_states: int = 1_000_000,
) -> Machine:
    """Return the machine whose outputs are weighed by a language model too, times ``scale``: its
    composition with the whole model, of which only what the outputs need is made.

    Raises ValueError past ``max_states``.
    """
    made = Machine()
    numbers = {(machine.start, states.start): 0}
    pairs = list(numbers)
    for number, (at, context) in enumerate(pairs):  # grows while it is read
        if at in machine.finals:
            made.finals[number] = machine.finals[at] + scale * states.end(context)
        for arc in machine.arcs[at]:
            after, weight = context, arc.weight
            if arc.output != EPSILON:
                after, cost = states.step(context, arc.output)
                weight += scale * cost
            pair = (arc.next, after)
            if pair not in numbers:
                if len(pairs) >= max_states:
                    raise ValueError(f"The composition has more than {max_states:,} states.")
                numbers[pair] = len(pairs)
                pairs.append(pair)
                made.arcs.append([])
            made.arcs[number].append(Arc(arc.input, arc.output, weight, numbers[pair]))
    return made
