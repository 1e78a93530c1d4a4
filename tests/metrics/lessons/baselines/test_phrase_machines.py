"""The lecture's example of phrase-based translation, and its steps against brute force."""

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.lessons.baselines.lecture_example import TOY_SENTENCE, TOY_TABLE
from metrics.lessons.baselines.machines import (
    acceptor_of,
    from_arcs,
    n_paths,
    paths,
    shortest_paths,
    union,
)
from metrics.lessons.baselines.phrase_machines import (
    PhrasePair,
    applied,
    phrases_in,
    reordered,
    segmentation_transducer,
    spelling_transducer,
    translation_transducer,
    uncovered_words,
)

from .machine_oracle import all_paths, machines

SENTENCE = TOY_SENTENCE.lower().split()
SOURCES = {pair.source for pair in TOY_TABLE}


def strings(machine):
    return sorted(path.outputs for path in paths(machine))


def test_the_lecture_has_one_segmentation_and_nine_translations():
    u = applied(acceptor_of(SENTENCE), segmentation_transducer(SOURCES))
    assert strings(u) == [("that_is_the", "fundamental_problem")]
    v = applied(u, translation_transducer(TOY_TABLE))
    first = ["voila", "qui_est", "qui_est_le"]
    second = [
        "probleme_fondamental",
        "le_probleme_fondamental",
        "la_difficulte_fondamental",
    ]
    assert strings(v) == sorted((a, b) for a in first for b in second)
    assert n_paths(v) == 9
    assert (len(u), u.n_arcs, len(v), v.n_arcs) == (3, 2, 3, 6)


def test_words_instead_of_phrases():
    """Two phrase sequences have the same words: the nine are eight sentences."""
    u = applied(acceptor_of(SENTENCE), segmentation_transducer(SOURCES))
    v = applied(u, translation_transducer(TOY_TABLE))
    words = applied(v, spelling_transducer({pair.target for pair in TOY_TABLE}))
    found = {" ".join(each) for each in strings(words)}
    assert found == {" ".join(each).replace("_", " ") for each in strings(v)}
    assert len(found) == n_paths(words) == 8
    assert "qui est le probleme fondamental" in found


PHRASES = st.lists(
    st.lists(st.sampled_from("ab"), min_size=1, max_size=3).map(tuple), min_size=1, max_size=5
)


@settings(deadline=None)
@given(PHRASES, st.lists(st.sampled_from("ab"), max_size=6))
def test_segmentations(phrases, sentence):
    def segmented(words):
        if not words:
            return {()}
        return {
            ("_".join(phrase), *rest)
            for phrase in set(phrases)
            if words[: len(phrase)] == phrase
            for rest in segmented(words[len(phrase) :])
        }

    made = applied(acceptor_of(sentence), segmentation_transducer(phrases))
    assert set(strings(made)) == segmented(tuple(sentence))
    assert n_paths(made) == len(segmented(tuple(sentence)))
    held = phrases_in(sentence, phrases)
    same = applied(acceptor_of(sentence), segmentation_transducer(held))
    assert strings(same) == strings(made)
    together = " " + " ".join(sentence) + " "
    assert held == {phrase for phrase in phrases if f" {' '.join(phrase)} " in together}


def test_words_that_no_phrase_covers():
    assert uncovered_words(["a", "b", "c", "a"], {("a", "b"), ("c", "d")}) == ["c", "a"]


def orders(labels, window):
    """Return all orders in which each label is written at most ``window`` positions after the first
    unwritten one."""
    found = []
    for order in permutations(range(len(labels))):
        written: set[int] = set()
        for place in order:
            first = min(set(range(len(labels))) - written)
            if place > first + window:
                break
            written.add(place)
        else:
            found.append(order)
    return found


@pytest.mark.parametrize("window", [0, 1, 2, 3])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 5])
def test_every_order_of_a_window_comes_once(n, window):
    labels = "abcde"[:n]
    made = reordered(acceptor_of(labels), window, cost=0.5)
    expected = {}
    for order in orders(labels, window):
        # A label waits if a later one is written before it.
        waits = sum(any(q > p for q in order[:i]) for i, p in enumerate(order))
        expected["".join(labels[p] for p in order)] = 0.5 * waits
    found = [("".join(path.outputs), path.weight) for path in paths(made)]
    assert sorted(found) == sorted(expected.items())


def test_how_many_orders_there_are():
    """With a window of one: a label or a swapped pair, so the Fibonacci numbers (1, 2, 3, 5, 8,
    ...), and those in which one label waits for several."""
    assert [n_paths(reordered(acceptor_of("abcde"[:n]), 1)) for n in range(1, 6)] == [1, 2, 3, 5, 8]
    assert n_paths(reordered(acceptor_of("abcd"), 3)) == 24


@settings(deadline=None)
@given(machines(acceptor=True, labels=("a", "b", "c")), st.integers(0, 2))
def test_reordering_an_acceptor_of_several_strings(machine, window):
    expected = sorted(
        ("".join(read[p] for p in order), weight)
        for read, _, weight in all_paths(machine)
        for order in orders(read, window)
    )
    found = [(read, weight) for read, _, weight in all_paths(reordered(machine, window))]
    assert sorted(found) == expected


def test_reordering_is_bounded():
    with pytest.raises(ValueError, match="more than 3 states"):
        reordered(acceptor_of("abcd"), 2, max_states=3)
    with pytest.raises(ValueError, match="at least 0"):
        reordered(acceptor_of("a"), -1)


def test_weights_of_the_table_add_up():
    pairs = [
        PhrasePair(("a",), ("x",), 1.0),
        PhrasePair(("a",), ("y", "z"), 0.5),
        PhrasePair(("b",), ("x",), 0.25),
        PhrasePair(("a", "b"), ("x",), 0.125),
    ]
    u = applied(acceptor_of(["a", "b"]), segmentation_transducer({pair.source for pair in pairs}))
    v = applied(u, translation_transducer(pairs))
    words = applied(v, spelling_transducer({pair.target for pair in pairs}))
    found = {" ".join(path.outputs): path.weight for path in shortest_paths(words, 9)}
    assert found == pytest.approx({"x": 0.125, "y z x": 0.75, "x x": 1.25})


def test_what_is_too_large_to_determinize_is_left_as_it_is():
    """A letter 12 positions before the end: 2^12 states."""
    any_letter = [(i, c, c, 0.0, i + 1) for i in range(1, 12) for c in "ab"]
    loops = [(0, c, c, 0.0, 0) for c in "ab"]
    machine = from_arcs([*loops, (0, "a", "a", 0.0, 1), *any_letter], [12])
    letters = union(*[acceptor_of([c]) for c in "ab"])
    one = from_arcs([(0, c, c, 0.0, 0) for c in "ab"], [0])
    made = applied(machine, one)
    assert len(made) == 13
    assert n_paths(applied(letters, one)) == 2
