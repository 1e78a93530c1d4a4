"""The last step: a language model composed with the words, and its two readings side by side."""

from typing import NamedTuple

from metrics.lessons.baselines.machines import (
    EPSILON,
    FAILURE,
    LanguageModelStates,
    Machine,
    compose,
    connect,
    shortest_paths,
    train,
    weight_of,
)
from metrics.lessons.baselines.machines.composition import ArcLookup
from metrics.lessons.baselines.machines.language_model_acceptor import heavier_arcs, with_contexts
from metrics.scorers.language_model import END, START

Words = tuple[str, ...]
# Weights that differ by less are the same to the digits shown.
_SAME = 0.0005
_MOST_EXCESSES = 8


class WeighedSentence(NamedTuple):
    """``table``: what the phrases weigh; ``exact``, ``by_epsilon``: with the language model, its
    arcs back read as failure and as ε; the places, from 1, among all, None if not among the best.
    """

    words: Words
    table: float
    exact: float
    by_epsilon: float
    place: int | None
    place_by_epsilon: int | None

    @property
    def differs(self) -> bool:
        return abs(self.exact - self.by_epsilon) > _SAME


class Excess(NamedTuple):
    """A word that weighs ``direct`` after some words, though backing off and reading it then would
    weigh ``backed_off``, which is less. ``word`` is "" for the end."""

    context: str
    word: str
    direct: float
    backed_off: float


class ReadWord(NamedTuple):
    """A word of the best sentence ("" for its end), the word weights of the exact reading."""

    word: str
    weight: float


class WeighedWords(NamedTuple):
    """``machine``: the words with the exact model composed; ``n_states``: of the model itself;
    ``acceptor``: as much of it as reads the words of the best sentence, in any order; ``contexts``:
    what each state of that stands for; ``columns``: in which order they are best drawn."""

    machine: Machine
    n_states: int
    acceptor: Machine
    contexts: list[str]
    columns: list[int]
    sentences: list[WeighedSentence]
    excesses: list[Excess]
    n_excesses: int
    best: list[ReadWord]

    @property
    def n_differing(self) -> int:
        return sum(each.differs for each in self.sentences)


def weighed(
    words: Machine, text: list[Words], *, order: int, smoothing: str, n: int, max_states: int
) -> WeighedWords:
    """Return the ``n`` best sentences of an acceptor under a model of a text, by both readings.

    Raises ValueError past ``max_states``.
    """
    model, vocabulary = train(text, order=order, smoothing=smoothing)
    alphabet = {arc.output for _, arc in words.all_arcs()} - {EPSILON}
    labels = alphabet | set(vocabulary)
    exact, contexts = with_contexts(model, vocabulary, labels, backoff=FAILURE)
    loose, _ = with_contexts(model, vocabulary, labels, backoff=EPSILON)
    machine = connect(compose(words, exact, max_states=max_states))
    by_exact = shortest_paths(machine, n, unique="output")
    by_epsilon = shortest_paths(
        connect(compose(words, loose, max_states=max_states)), n, unique="output"
    )
    states = LanguageModelStates(model, vocabulary)
    places = {path.outputs: place for place, path in enumerate(by_exact, start=1)}
    places_by_epsilon = {path.outputs: place for place, path in enumerate(by_epsilon, start=1)}
    sentences = []
    for sentence in dict.fromkeys([*places, *places_by_epsilon]):
        table = weight_of(words, sentence)
        sentences.append(
            WeighedSentence(
                sentence,
                table,
                table + states.weight_of(sentence),
                table + weight_of(loose, sentence),
                places.get(sentence),
                places_by_epsilon.get(sentence),
            )
        )
    sentences.sort(key=lambda each: each.exact)
    excesses = _excesses(exact, named(contexts, vocabulary))
    best = sentences[0].words
    part, part_contexts = with_contexts(model, vocabulary, best)
    return WeighedWords(
        machine,
        len(exact),
        part,
        named(part_contexts, vocabulary),
        _columns(part, part_contexts, best),
        sentences,
        excesses[:_MOST_EXCESSES],
        len(excesses),
        _read(states, best),
    )


def named(contexts: list[tuple[int, ...]], vocabulary: dict[str, int]) -> list[str]:
    """Return the words of contexts; "?" is the unknown word."""
    spelled = {number: word for word, number in vocabulary.items()} | {START: "<s>", END: "</s>"}
    return [" ".join(spelled.get(w, "?") for w in context) or "∅" for context in contexts]


def _columns(acceptor: Machine, contexts: list[tuple[int, ...]], best: Words) -> list[int]:
    """Return a column for every state: the start, the context of no words, then those that the best
    sentence passes, in its order, and what is left."""
    lookup = ArcLookup(acceptor)
    order = [acceptor.start]
    for word in best:
        order += [arc.next for arc in lookup.reading(order[-1], word)]
    empty = [state for state, context in enumerate(contexts) if not context]
    order = list(dict.fromkeys([acceptor.start, *empty, *order[1:], *range(len(acceptor))]))
    return [order.index(state) for state in range(len(acceptor))]


def _excesses(acceptor: Machine, contexts: list[str]) -> list[Excess]:
    """Return the arcs that are heavier than backing off, the worst first."""
    found = []
    for state, word, excess in sorted(heavier_arcs(acceptor), key=lambda each: -each[2]):
        ways = [arc.weight for arc in acceptor.arcs[state] if arc.input == word]
        direct = ways[0] if word else acceptor.finals[state]
        found.append(Excess(contexts[state], word, direct, direct - excess))
    return found


def _read(states: LanguageModelStates, sentence: Words) -> list[ReadWord]:
    state, found = states.start, []
    for word in sentence:
        state, weight = states.step(state, word)
        found.append(ReadWord(word, weight))
    return [*found, ReadWord("", states.end(state))]
