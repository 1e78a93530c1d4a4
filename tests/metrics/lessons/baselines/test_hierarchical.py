"""A hierarchical system on the artificial language of the phrase-based one, and the registry."""

import numpy as np
import pytest

from metrics.lessons.baselines.registry import KINDS
from metrics.lessons.baselines.training_text import LONGEST_PART, training_text
from metrics.scorers import get_scorer

from .test_phrase_system import made_up_pairs


def trained(slug, pairs):
    return KINDS[slug].train(pairs, rng=np.random.default_rng(1), report=lambda step: None)


def test_it_translates_sentences_that_it_never_saw():
    pairs = made_up_pairs(300, 1)
    system = trained("hierarchical", pairs)
    known = {source for source, _ in pairs}
    new = [pair for pair in made_up_pairs(120, 2) if pair[0] not in known]
    assert len(new) > 30
    outputs = [system.translate(source).text for source, _ in new]
    bleu = get_scorer("bleu")
    assert bleu.score(bleu.statistics(outputs, [[pair[1] for pair in new]]).sum(axis=0)) > 60
    described = system.described()
    assert described["pairs"] == 300
    assert 0 < described["rules with gaps"] < described["rules"]


def test_of_more_pairs_than_are_learned_from_some_are_taken_evenly():
    pairs = made_up_pairs(30, 1)
    text = training_text(pairs, most=10)
    assert len(text.sources) == 10
    assert text.sources == tuple(training_text(pairs).sources[::3])


@pytest.mark.parametrize("slug", KINDS)
def test_every_kind_of_system_takes_whatever_comes(slug):
    system = trained(slug, made_up_pairs(20, 1))
    assert system.translate("").text == ""
    long = system.translate("Xanthippe " * (LONGEST_PART + 1))
    assert (long.n_parts, long.n_unknown) == (2, LONGEST_PART + 1)
    assert long.text == ("Xanthippe " * (LONGEST_PART + 1)).strip()
    assert all(isinstance(name, str) for name in system.described())
