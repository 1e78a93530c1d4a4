"""Phrase-based translation: the reordering lattice of a sentence, composed with a language model
while it is walked, and its n shortest paths.

The weight of a path is a weighted sum of features, all of them costs: the negative logarithms of
the four probabilities of each phrase pair and of the language model, the words, the phrases, the
words jumped over, and the words that no phrase translates (Koehn et al. 2003; as shortest paths of
composed machines, Mohri et al. 2002).

Two paths that cover the same words, end at the same place and are in the same state of the language
model go on alike; they are one state of the composed machine. States are taken in order of the
words they cover, and of those that cover equally many, the ``beam`` best go on, by the cost so far
and an estimate of what the rest costs at least. Without a beam (None) nothing is left out, and the
paths are exactly the n shortest of the full composition; with one they are those of what was kept.
"""

from collections.abc import Sequence
from heapq import heapify, heappop, heappush, heapreplace
from itertools import count
from math import inf
from typing import Any, NamedTuple, Protocol

from .lattice import TABLE_COSTS, Covered, Lattice, PhraseLookup, PhraseUse, Words, applications_of

FEATURES = (
    "target given source",
    "source given target",
    "lexical, target given source",
    "lexical, source given target",
    "language model",
    "words",
    "phrases",
    "distortion",
    "unknown words",
)
LANGUAGE_MODEL, WORDS, PHRASES, DISTORTION, UNKNOWN = range(TABLE_COSTS, len(FEATURES))
# Before tuning. A negative weight is a reward: words cost the language model, so they are paid for.
WEIGHTS = (0.2, 0.2, 0.2, 0.2, 0.5, -0.8, 0.2, 0.3, 5.0)
# A word that no text has: after it, a language model knows nothing of what came before.
NEVER_SEEN = "\0"


class LanguageModelLike(Protocol):
    """A language model as an acceptor that is never written out: states are whatever can be a key
    of a dictionary, costs negative natural logarithms."""

    @property
    def start(self) -> Any: ...

    def step(self, state: Any, word: str) -> tuple[Any, float]: ...

    def end(self, state: Any) -> float: ...


class PhrasePath(NamedTuple):
    """One translation: its words, its phrases in their order, its features and its cost."""

    words: Words
    applications: tuple[PhraseUse, ...]
    features: tuple[float, ...]
    cost: float


class _Node:
    """A state of the composed machine, with the cost of the best way to it and all ways kept."""

    __slots__ = ("arcs", "cost", "covered", "estimate", "model")

    def __init__(self, covered: Covered, model: Any, cost: float, estimate: float) -> None:
        self.covered, self.model = covered, model
        self.cost, self.estimate = cost, estimate
        self.arcs: list[tuple[_Node, PhraseUse, float]] = []


class _Move(NamedTuple):
    """An arc of the lattice. ``cost``: without the language model; ``guess``: with an estimate of
    it, and of all that is still open afterwards; ``rest``: that last part alone."""

    guess: float
    order: int
    application: PhraseUse
    then: Covered
    cost: float
    rest: float


class Decoder:
    """Translates sentences. ``table``: translations by phrase; ``window``: as in ``Lattice``;
    ``options``: so many translations of a phrase, the cheapest; ``longest``: of a phrase, words."""

    def __init__(
        self,
        table: PhraseLookup,
        model: LanguageModelLike,
        weights: Sequence[float] = WEIGHTS,
        *,
        window: int = 4,
        beam: int | None = 40,
        options: int = 10,
        longest: int = 5,
    ) -> None:
        if len(weights) != len(FEATURES):
            raise ValueError(f"There are {len(FEATURES)} features, not {len(weights)}.")
        if beam is not None and beam < 1:
            raise ValueError("A beam keeps at least one state.")
        self.table, self.weights = table, tuple(weights)
        self.window, self.beam, self.options, self.longest = window, beam, options, longest
        self._steps = _Steps(model)

    def translate(self, sentence: Sequence[str]) -> PhrasePath:
        """Return the best path; of no words, for a sentence of none."""
        return self.paths(sentence, 1)[0]

    def paths(self, sentence: Sequence[str], n: int) -> list[PhrasePath]:
        """Return the n shortest paths, or as many as there are, best first. Different paths may say
        the same words."""
        return [self._told(way) for way in _shortest(self._search(sentence), n)]

    def applications(self, sentence: Sequence[str]) -> list[PhraseUse]:
        """Return the arcs of a sentence's lattice: of every phrase its cheapest translations."""
        ranked: dict[tuple[int, int], list[tuple[float, int, PhraseUse]]] = {}
        found = applications_of(sentence, self.table, self.longest)
        for order, each in enumerate(found):
            row = (self.cost(each) + self.guessed(each.target), order, each)
            ranked.setdefault((each.start, each.end), []).append(row)
        return [row[2] for rows in ranked.values() for row in sorted(rows)[: self.options]]

    def cost(self, each: PhraseUse) -> float:
        """Return the weighted cost of a phrase, wherever it is used."""
        weights = self.weights
        found = weights[PHRASES] + weights[WORDS] * len(each.target)
        found += sum(w * cost for w, cost in zip(weights, each.costs, strict=False))
        return found + (weights[UNKNOWN] if each.is_unknown else 0.0)

    def guessed(self, target: Words) -> float:
        return self.weights[LANGUAGE_MODEL] * self._steps.alone(target)

    def _search(self, sentence: Sequence[str]) -> _Node:
        """Return the last state, with all ways to it."""
        n = len(sentence)
        moves = _Moves(self, Lattice(n, self.applications(sentence), self.window))
        layers: list[dict[tuple, _Node]] = [{} for _ in range(n + 1)]
        layers[0][Lattice.start, self._steps.start] = _Node(
            Lattice.start, self._steps.start, 0.0, 0.0
        )
        limits = [_Limit(self.beam) for _ in layers]
        for k in range(n):
            for node in self._kept(layers[k]):
                self._extend(node, moves, layers, limits)
            layers[k].clear()
        final = _Node(Covered((1 << n) - 1, n), None, inf, inf)
        for node in self._kept(layers[n]):
            cost = self.weights[LANGUAGE_MODEL] * self._steps.end(node.model)
            _join(final, node, _END, cost)
        return final

    def _kept(self, layer: dict[tuple, _Node]) -> list[_Node]:
        found = sorted(layer.values(), key=_estimate)
        return found if self.beam is None else found[: self.beam]

    def _extend(
        self, node: _Node, moves: "_Moves", layers: list[dict[tuple, _Node]], limits: list["_Limit"]
    ) -> None:
        """All arcs that leave a state, unless it is plain that a beam would drop what they lead
        to."""
        weight, run = self.weights[LANGUAGE_MODEL], self._steps.run
        for n_covered, sorted_moves in moves.of(node.covered):
            layer, limit = layers[n_covered], limits[n_covered]
            for move in sorted_moves:
                if node.cost + move.guess > limit.value:
                    break
                model, cost = run(node.model, move.application.target)
                arc = move.cost + weight * cost
                key = (move.then, model)
                other = layer.get(key)
                if other is None:
                    estimate = node.cost + arc + move.rest
                    if estimate > limit.value:
                        continue
                    limit.see(estimate)
                    other = layer[key] = _Node(move.then, model, inf, inf)
                _join(other, node, move.application, arc, move.rest)

    def _told(self, way: tuple[float, tuple[PhraseUse, ...]]) -> PhrasePath:
        cost, applications = way
        words: Words = ()
        features = [0.0] * len(FEATURES)
        last, state = 0, self._steps.start
        for each in applications:
            for place, value in enumerate(each.costs):
                features[place] += value
            state, model = self._steps.run(state, each.target)
            features[LANGUAGE_MODEL] += model
            features[WORDS] += len(each.target)
            features[PHRASES] += 1
            features[DISTORTION] += abs(each.start - last)
            features[UNKNOWN] += each.is_unknown
            last = each.end
            words += each.target
        features[LANGUAGE_MODEL] += self._steps.end(state)
        return PhrasePath(words, applications, tuple(features), cost)


_END = PhraseUse(0, 0, ())


def _estimate(node: _Node) -> float:
    return node.estimate


def _join(
    node: _Node, before: _Node, application: PhraseUse, cost: float, rest: float = 0.0
) -> None:
    """Add a way to a state."""
    node.arcs.append((before, application, cost))
    if before.cost + cost < node.cost:
        node.cost = before.cost + cost
        node.estimate = node.cost + rest


def _shortest(final: _Node, n: int) -> list[tuple[float, tuple[PhraseUse, ...]]]:
    """Return the n shortest ways to a state, found backwards: the cost of the best way to every
    state is known, so the heap is in the order of whole ways, and what comes out first is the
    best."""
    found: list[tuple[float, tuple[PhraseUse, ...]]] = []
    order = count()
    heap: list[tuple[float, int, _Node, tuple[PhraseUse, ...]]] = [
        (final.cost, next(order), final, ())
    ]
    while heap and len(found) < n:
        cost, _, node, after = heappop(heap)
        if not node.arcs:
            found.append((cost, after))
        for before, application, arc in node.arcs:
            whole = before.cost + arc + (cost - node.cost)
            then = after if application is _END else (application, *after)
            heappush(heap, (whole, next(order), before, then))
    return found


class _Limit:
    """The estimate of the worst state that a beam keeps, of those seen so far."""

    def __init__(self, beam: int | None) -> None:
        self.beam, self.value = beam, inf
        self._best: list[float] = []  # a heap of their negatives, the worst first

    def see(self, estimate: float) -> None:
        if self.beam is None:
            return
        if len(self._best) == self.beam:
            if -estimate > self._best[0]:
                heapreplace(self._best, -estimate)
        else:
            self._best.append(-estimate)
            if len(self._best) == self.beam:
                heapify(self._best)
        if len(self._best) == self.beam:
            self.value = -self._best[0]


class _Moves:
    """The arcs of a lattice with their costs, kept by state."""

    def __init__(self, decoder: Decoder, lattice: Lattice) -> None:
        self._lattice, self._decoder = lattice, decoder
        self._known: dict[Covered, list[tuple[int, list[_Move]]]] = {}
        self._rests: dict[int, float] = {}
        self._spans = self._best_of_spans()

    def of(self, state: Covered) -> list[tuple[int, list[_Move]]]:
        """Return the moves from a state by how many words are covered then, the best guess
        first."""
        if (found := self._known.get(state)) is None:
            by_size: dict[int, list[_Move]] = {}
            for order, (each, then) in enumerate(self._lattice.arcs(state)):
                move = self._move(state, order, each, then)
                by_size.setdefault(then.mask.bit_count(), []).append(move)
            found = self._known[state] = [(n, sorted(rows)) for n, rows in by_size.items()]
        return found

    def _move(self, state: Covered, order: int, each: PhraseUse, then: Covered) -> _Move:
        decoder = self._decoder
        cost = decoder.cost(each)
        cost += decoder.weights[DISTORTION] * abs(each.start - state.last)
        rest = self._rest(then.mask)
        guess = cost + decoder.guessed(each.target) + rest
        return _Move(guess, order, each, then, cost, rest)

    def _best_of_spans(self) -> list[list[float]]:
        """Return the least estimate of the words [start, end) by themselves, in any phrases."""
        n = self._lattice.n
        best = [[0.0 if start == end else inf for end in range(n + 1)] for start in range(n + 1)]
        for rows in self._lattice.by_start:
            for each in rows:
                cost = self._decoder.cost(each) + self._decoder.guessed(each.target)
                best[each.start][each.end] = min(best[each.start][each.end], cost)
        for size in range(2, n + 1):
            for start in range(n - size + 1):
                end = start + size
                cut = min(best[start][k] + best[k][end] for k in range(start + 1, end))
                best[start][end] = min(best[start][end], cut)
        return best

    def _rest(self, mask: int) -> float:
        """Return the estimate of all words that a set leaves open: of each gap, the best by
        itself."""
        if (found := self._rests.get(mask)) is None:
            found, start = 0.0, 0
            n = self._lattice.n
            while start < n:
                if mask >> start & 1:
                    start += 1
                    continue
                end = start
                while end < n and not mask >> end & 1:
                    end += 1
                found += self._spans[start][end]
                start = end
            self._rests[mask] = found
        return found


class _Steps:
    """A language model that remembers where phrases lead."""

    def __init__(self, model: LanguageModelLike) -> None:
        self._model = model
        self.start = model.start
        self._nowhere = model.step(model.start, NEVER_SEEN)[0]
        self._words: dict[tuple[Any, str], tuple[Any, float]] = {}
        self._runs: dict[tuple[Any, Words], tuple[Any, float]] = {}
        self._ends: dict[Any, float] = {}

    def run(self, state: Any, words: Words) -> tuple[Any, float]:
        """Return the state after some words, and what they cost."""
        key = (state, words)
        if (found := self._runs.get(key)) is None:
            total = 0.0
            for word in words:
                one = (state, word)
                if (step := self._words.get(one)) is None:
                    step = self._words[one] = self._model.step(state, word)
                state, cost = step
                total += cost
            found = self._runs[key] = (state, total)
        return found

    def alone(self, words: Words) -> float:
        """Return what some words cost after nothing that is known."""
        return self.run(self._nowhere, words)[1]

    def end(self, state: Any) -> float:
        if (found := self._ends.get(state)) is None:
            found = self._ends[state] = self._model.end(state)
        return found
