"""Language models as machines, against the models themselves and a calculation with counts."""

import random
from collections import Counter
from math import exp, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.lessons.baselines.machines import (
    EPSILON,
    FAILURE,
    LanguageModelStates,
    acceptor_of,
    compose,
    from_arcs,
    language_model_acceptor,
    shortest_paths,
    train,
    union,
    weight_of,
    with_language_model,
)
from metrics.lessons.baselines.machines.language_model_acceptor import heavier_arcs
from metrics.scorers.ngram_lm import NgramLM

SENTENCES = st.lists(
    st.lists(st.sampled_from("abc"), min_size=1, max_size=6), min_size=1, max_size=8
)
ORDERS = st.integers(1, 4)
SMOOTHINGS = st.sampled_from(["kneser-ney", "stupid-backoff"])


def stupid(sentences, order, sentence, factor=0.4):
    """Return the score by Brants et al. 2007, equation 5, only with counts; the end is a word."""
    counts: Counter = Counter()
    for each in sentences:
        words = ("<s>", *each, "</s>")
        for n in range(1, order + 1):
            counts.update(words[i : i + n] for i in range(len(words) - n + 1))
    total = sum(n for gram, n in counts.items() if len(gram) == 1 and gram != ("<s>",))

    def score(context, word):
        if not context:
            return max(counts[(word,)], factor) / total
        if counts[(*context, word)]:
            follow = sum(n for g, n in counts.items() if g[:-1] == context)
            return counts[(*context, word)] / follow
        return factor * score(context[1:], word)

    words = ("<s>", *sentence, "</s>")
    places = range(1, len(words))
    return -sum(
        log(score(words[max(0, i - order + 1) : i] if order > 1 else (), words[i])) for i in places
    )


def by_the_scorer(sentences, order, smoothing, sentence):
    """Return the metric's own sum of logarithms: all words of a text at once."""
    scorer = NgramLM(order=order, smoothing=smoothing, tokenize="none", corpus="own")
    scorer.train(" ".join(each) for each in sentences)
    return -scorer.statistics([" ".join(sentence)], [])[0, 0] * log(10)


@settings(deadline=None)
@given(SENTENCES, ORDERS, SMOOTHINGS, st.lists(st.sampled_from("abcd"), max_size=6))
def test_all_ways_to_ask_give_the_weight_that_the_metric_gives(sentences, order, kind, sentence):
    model, vocabulary = train(sentences, order=order, smoothing=kind)
    expected = by_the_scorer(sentences, order, kind, sentence)
    states = LanguageModelStates(model, vocabulary)
    assert states.weight_of(sentence) == pytest.approx(expected)
    acceptor = language_model_acceptor(model, vocabulary, "abcd")
    assert weight_of(acceptor, sentence) == pytest.approx(expected)
    lazily = with_language_model(acceptor_of(sentence), states)
    assert shortest_paths(lazily)[0].weight == pytest.approx(expected)


@settings(deadline=None)
@given(SENTENCES, ORDERS, st.lists(st.sampled_from("abcd"), max_size=6))
def test_stupid_backoff_by_its_definition(sentences, order, sentence):
    model, vocabulary = train(sentences, order=order, smoothing="stupid-backoff")
    expected = stupid(sentences, order, sentence)
    assert LanguageModelStates(model, vocabulary).weight_of(sentence) == pytest.approx(expected)


@settings(deadline=None)
@given(SENTENCES, ORDERS, SMOOTHINGS, st.lists(st.sampled_from("abcd"), max_size=6))
def test_backing_off_by_epsilon_never_weighs_more(sentences, order, kind, sentence):
    model, vocabulary = train(sentences, order=order, smoothing=kind)
    exact = language_model_acceptor(model, vocabulary, "abcd")
    loose = language_model_acceptor(model, vocabulary, "abcd", backoff=EPSILON)
    assert weight_of(loose, sentence) <= weight_of(exact, sentence) + 1e-9


@settings(deadline=None)
@given(SENTENCES, st.integers(1, 2), st.lists(st.sampled_from("abcd"), max_size=6))
def test_backing_off_by_epsilon_is_exact_for_bigrams_of_kneser_ney(sentences, order, sentence):
    model, vocabulary = train(sentences, order=order)
    exact = language_model_acceptor(model, vocabulary, "abcd")
    assert heavier_arcs(exact) == []
    loose = language_model_acceptor(model, vocabulary, "abcd", backoff=EPSILON)
    assert weight_of(loose, sentence) == pytest.approx(weight_of(exact, sentence))


@settings(deadline=None)
@given(SENTENCES, ORDERS)
def test_no_arc_of_kneser_ney_is_heavier_than_backing_off(sentences, order):
    model, vocabulary = train(sentences, order=order)
    assert heavier_arcs(language_model_acceptor(model, vocabulary)) == []


def test_the_warning_of_the_lecture_for_stupid_backoff():
    """ "a" follows "b" once in ten times, yet is half of all words: 1/10 is the model's score, but
    by ε it is 0.4 times the share of "a" among all words and ends, which is more."""
    sentences = [["b", "c"]] * 9 + [["b", "a"]] + [["a"] * 40]
    model, vocabulary = train(sentences, order=2, smoothing="stupid-backoff")
    exact = language_model_acceptor(model, vocabulary)
    loose = language_model_acceptor(model, vocabulary, backoff=EPSILON)
    # <s> b: 10 of 11; b a: 1 of 10; a </s>: 2 of 41.
    assert weight_of(exact, ["b", "a"]) == pytest.approx(-log(10 / 11 * 1 / 10 * 2 / 41))
    # 60 words and 11 ends, 41 of them "a", 11 of them ends.
    by_epsilon = -log(10 / 11 * (0.4 * 41 / 71) * (0.4 * 11 / 71))
    assert weight_of(loose, ["b", "a"]) == pytest.approx(by_epsilon)
    assert by_epsilon < weight_of(exact, ["b", "a"]) - 0.8
    excess = {word: amount for _, word, amount in heavier_arcs(exact)}
    assert excess["a"] == pytest.approx(log(0.4 * 41 / 71 / (1 / 10)))
    # And it changes which sentence is best.
    choice = union(acceptor_of(["b", "c", "a"]), acceptor_of(["a"]))
    best = {}
    for name, acceptor in (("exact", exact), ("ε", loose)):
        (best[name],) = shortest_paths(compose(choice, acceptor), unique="input")
    assert best["exact"].inputs == ("b", "c", "a")
    assert best["ε"].inputs == ("a",)


def test_trigrams_of_kneser_ney_are_not_exact_by_epsilon():
    """Backing off early leads to a shorter context, where the next words may be lighter: no arc is
    heavier than backing off, and yet some strings are."""
    rng = random.Random(4)
    differ = 0
    for _ in range(20):
        sentences = [rng.choices("abcde", k=6) for _ in range(15)]
        model, vocabulary = train(sentences, order=3)
        exact = language_model_acceptor(model, vocabulary)
        loose = language_model_acceptor(model, vocabulary, backoff=EPSILON)
        assert heavier_arcs(exact) == []
        sentence = rng.choices("abcde", k=6)
        differ += weight_of(loose, sentence) < weight_of(exact, sentence) - 1e-9
    assert 0 < differ < 20


def test_a_lattice_composed_with_the_model_gives_the_best_of_its_sentences():
    rng = random.Random(1)
    model, vocabulary = train([rng.choices("abcd", k=8) for _ in range(30)], order=3)
    states = LanguageModelStates(model, vocabulary)
    arcs = [
        (at, w, w, rng.randint(0, 8) / 4, at + step)
        for at in range(5)
        for w in "abcd"
        for step in (1, 2)
        if at + step <= 5
    ]
    lattice = from_arcs(arcs, [5])
    for scale in (1.0, 0.5):
        found = shortest_paths(with_language_model(lattice, states, scale=scale), 3, unique="input")
        every = shortest_paths(lattice, 10_000, unique="input")
        weighed = sorted(path.weight + scale * states.weight_of(path.inputs) for path in every)
        assert [path.weight for path in found] == pytest.approx(weighed[:3])
    acceptor = language_model_acceptor(model, vocabulary)
    written_out = shortest_paths(compose(lattice, acceptor), 5, unique="input")
    lazily = shortest_paths(with_language_model(lattice, states), 5, unique="input")
    assert [path.inputs for path in written_out] == [path.inputs for path in lazily]


def test_probabilities_of_every_context_add_up():
    """Kneser–Ney's are probabilities; those of stupid back-off are not."""
    sentences = ["a b c", "a b", "b c a", "c"]
    totals = {}
    for kind in ("kneser-ney", "stupid-backoff"):
        model, vocabulary = train([s.split() for s in sentences], order=3, smoothing=kind)
        states = LanguageModelStates(model, vocabulary)
        state, _ = states.step(states.start, "a")
        weights = [states.step(state, word)[1] for word in ("a", "b", "c", "never seen")]
        totals[kind] = sum(exp(-weight) for weight in [*weights, states.end(state)])
    assert totals["kneser-ney"] == pytest.approx(1)
    assert totals["stupid-backoff"] > 1.05


def test_words_outside_the_vocabulary_are_unknown():
    model, vocabulary = train([["a", "b", "a"], ["a", "c"]], order=2, min_count=2)
    assert vocabulary.keys() == {"a"}
    states = LanguageModelStates(model, vocabulary)
    assert states.step(states.start, "b") == states.step(states.start, "<s>")
    assert np.isfinite(states.weight_of(["</s>", "<s>", ""]))


def test_what_cannot_be_learned_is_said():
    with pytest.raises(ValueError, match="no words"):
        train([[], []])
    with pytest.raises(ValueError, match="smoothing"):
        train([["a"]], smoothing="none")
    model, vocabulary = train([["a", "b"]], order=2)
    with pytest.raises(ValueError, match="more than 2 states"):
        language_model_acceptor(model, vocabulary, max_states=2)


def test_arcs_back_are_labelled_as_asked():
    model, vocabulary = train([["a", "b"]], order=2)
    for label in (FAILURE, EPSILON):
        acceptor = language_model_acceptor(model, vocabulary, backoff=label)
        labels = Counter(arc.input for _, arc in acceptor.all_arcs())
        assert labels == {"a": 2, "b": 2, label: 3}
