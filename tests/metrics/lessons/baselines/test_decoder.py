"""The decoder against brute force: every segmentation of a sentence, in every order."""

import numpy as np
import pytest

from metrics.lessons.baselines.decoder import FEATURES, WEIGHTS, Decoder
from metrics.lessons.baselines.lattice import (
    Covered,
    Lattice,
    PhraseUse,
    applications_of,
    first_open,
)

from .small_tables import Bigrams, all_paths, random_table

SENTENCE = ["a", "b", "c", "d", "e"]


@pytest.mark.proof
@pytest.mark.parametrize("window", [0, 1, 2, 5])
@pytest.mark.parametrize("seed", range(12))
def test_without_a_beam_the_paths_are_the_shortest_of_all(seed, window):
    rng = np.random.default_rng(seed)
    table = random_table(rng, SENTENCE)
    model = Bigrams(seed)
    weights = rng.uniform(-0.5, 1, len(FEATURES))
    decoder = Decoder(table, model, weights, window=window, beam=None, options=99, longest=2)
    expected = all_paths(SENTENCE, table, model, weights, window, longest=2)
    found = decoder.paths(SENTENCE, 20)
    assert [path.cost for path in found] == pytest.approx([row[0] for row in expected[:20]])
    assert len(found) == min(20, len(expected))
    for path in found:
        assert path.cost == pytest.approx(np.dot(path.features, weights))
        assert path.words == tuple(word for each in path.applications for word in each.target)
    assert found[0].words in {row[1] for row in expected if row[0] < expected[0][0] + 1e-9}


def test_all_paths_come_out_once():
    rng = np.random.default_rng(3)
    table = random_table(rng, SENTENCE[:4])
    model = Bigrams(3)
    decoder = Decoder(table, model, WEIGHTS, window=2, beam=None, options=99, longest=2)
    expected = all_paths(SENTENCE[:4], table, model, np.array(WEIGHTS), 2, longest=2)
    found = decoder.paths(SENTENCE[:4], 10**6)
    assert len(found) == len(expected) > 50
    assert len({path.applications for path in found}) == len(found)


@pytest.mark.parametrize("seed", range(8))
def test_a_beam_never_finds_better_paths_and_a_wide_one_finds_the_best(seed):
    rng = np.random.default_rng(seed)
    table, model = random_table(rng, SENTENCE), Bigrams(seed)
    costs = [
        Decoder(table, model, window=3, beam=beam, options=99).translate(SENTENCE).cost
        for beam in (1, 5, 10_000, None)
    ]
    assert costs[0] >= costs[1] - 1e-9 >= costs[3] - 2e-9
    assert costs[2] == pytest.approx(costs[3])


def test_words_without_an_entry_go_over_as_they_are():
    table = {("die", "Fähre"): [(("the", "ferry"), (0.1, 0.1, 0.1, 0.1))]}
    path = Decoder(table, Bigrams(1), window=0).translate(["die", "Fähre", "Xanthippe"])
    assert path.words == ("the", "ferry", "Xanthippe")
    assert path.features[FEATURES.index("unknown words")] == 1
    # And a word that is known only in a phrase can still be translated alone.
    assert Decoder(table, Bigrams(1)).translate(["Fähre"]).words == ("Fähre",)


def test_no_words_have_an_empty_translation():
    path = Decoder({}, Bigrams(1)).translate([])
    assert path.words == ()
    assert path.applications == ()


def test_a_window_says_how_far_ahead_a_phrase_begins():
    one_each = [PhraseUse(i, i + 1, (str(i),)) for i in range(4)]
    lattice = Lattice(4, one_each, window=1)
    assert {a.start for a, _ in lattice.arcs(lattice.start)} == {0, 1}
    skipped = Covered(0b0010, 2)
    assert [(a.start, then.mask) for a, then in lattice.arcs(skipped)] == [(0, 0b0011)]
    assert {a.start for a, _ in lattice.arcs(Covered(0b0011, 1))} == {2, 3}
    assert first_open(0b1011) == 2
    with pytest.raises(ValueError, match="at least 0"):
        Lattice(1, one_each[:1], -1)


def test_the_lectures_table_gives_its_nine_sentences_in_the_order_of_the_source():
    """The Cambridge lecture's toy table: `That is the fundamental problem` has one segmentation
    and three times three sequences of French phrases. Two of these are the same words."""
    pairs = [
        ("that is the", "voila"),
        ("these are the", "voila"),
        ("these are", "voila"),
        ("those are", "voila"),
        ("that is the", "qui est"),
        ("that is the", "qui est le"),
        ("fundamental problem", "probleme fondamental"),
        ("the fundamental problem", "probleme fondamental"),
        ("fundamental problem", "le probleme fondamental"),
        ("fundamental problem", "la difficulte fondamental"),
        ("the fundamental problem", "le probleme fondamental"),
        ("who is", "qui est"),
        ("it is", "qui est le"),
        ("it is the", "qui est le"),
    ]
    table: dict = {}
    for english, french in pairs:
        table.setdefault(tuple(english.split()), []).append((tuple(french.split()), (0.0,) * 4))
    sentence = ["that", "is", "the", "fundamental", "problem"]
    known = [each for each in applications_of(sentence, table, 5) if not each.is_unknown]
    lattice = Lattice(5, known, window=0)
    found = []

    def walk(state, words):
        if lattice.is_final(state):
            found.append(tuple(words))
        for each, then in lattice.arcs(state):
            walk(then, [*words, " ".join(each.target)])

    walk(lattice.start, [])
    assert len(found) == len(set(found)) == 9
    assert ("qui est", "le probleme fondamental") in found
    assert ("qui est le", "probleme fondamental") in found
    assert len({" ".join(phrases) for phrases in found}) == 8
    # "the fundamental problem" has translations too, but there is none for "that is" before it.


def test_weights_and_beams_that_make_no_sense_are_refused():
    with pytest.raises(ValueError, match="9 features"):
        Decoder({}, Bigrams(1), (1.0, 2.0))
    with pytest.raises(ValueError, match="at least one state"):
        Decoder({}, Bigrams(1), beam=0)
