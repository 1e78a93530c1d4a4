"""The decoder against the constructed lattice, composed with a constructed language model."""

import numpy as np
import pytest

from metrics.lessons.baselines.decoder import DISTORTION, FEATURES, LANGUAGE_MODEL, Decoder
from metrics.lessons.baselines.lattice import Lattice
from metrics.lessons.baselines.machines import (
    LanguageModelStates,
    compose,
    language_model_acceptor,
    shortest_paths,
    train,
)
from tests.metrics.lessons.baselines.lattice_machine import lattice_machine

from .small_tables import random_table

SENTENCE = ["a", "b", "c", "d"]
TEXT = [line.split() for line in ("t0 t1 t2", "t1 t3 t0 t1", "t3 t3 t2 t0", "t2 a b", "t0 c d t1")]


@pytest.mark.parametrize("window", [0, 1, 3])
@pytest.mark.parametrize("seed", range(8))
def test_the_decoder_walks_the_composition_of_lattice_and_language_model(seed, window):
    rng = np.random.default_rng(seed)
    table = random_table(rng, SENTENCE)
    model, vocabulary = train(TEXT, order=3)
    # The weights of a machine are those of the model, so the model counts unchanged.
    weights = rng.uniform(0.1, 1, len(FEATURES))
    weights[LANGUAGE_MODEL] = 1
    decoder = Decoder(
        table,
        LanguageModelStates(model, vocabulary),
        weights,
        window=window,
        beam=None,
        options=99,
        longest=2,
    )
    lattice = Lattice(len(SENTENCE), decoder.applications(SENTENCE), window)
    written_out = lattice_machine(
        lattice, lambda each, jump: decoder.cost(each) + weights[DISTORTION] * jump
    )
    words = {word for each in decoder.applications(SENTENCE) for word in each.target}
    whole = compose(written_out, language_model_acceptor(model, vocabulary, words))
    expected = shortest_paths(whole, 30)
    found = decoder.paths(SENTENCE, 30)
    assert [path.cost for path in found] == pytest.approx([path.weight for path in expected])
    assert found[0].words == expected[0].outputs
    assert len({path.words for path in found}) > 5


def test_too_large_a_lattice_is_refused():
    table = {(word,): [((word,), (0.0,) * 4)] for word in SENTENCE}
    model, vocabulary = train(TEXT)
    decoder = Decoder(table, LanguageModelStates(model, vocabulary))
    lattice = Lattice(4, decoder.applications(SENTENCE), 3)
    with pytest.raises(ValueError, match="more than 5 states"):
        lattice_machine(lattice, lambda each, jump: 0.0, max_states=5)
