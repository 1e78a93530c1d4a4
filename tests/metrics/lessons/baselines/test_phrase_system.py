"""A system trained on an artificial language with known translation."""

import numpy as np
import pytest

from metrics.lessons.baselines.phrase_system import FEWEST_TO_TUNE, train_phrase_based
from metrics.lessons.baselines.training_text import LONGEST_PART, parts_of, training_text
from metrics.scorers import get_scorer

NOUNS = {"Hund": "dog", "Katze": "cat", "Vogel": "bird", "Fisch": "fish", "Wolf": "wolf"}
VERBS = {"sieht": "sees", "jagt": "hunts", "mag": "likes", "ruft": "calls"}
WHEN = {"heute": "today", "morgen": "tomorrow", "nachts": "at night", "oft": "often"}


def made_up_pairs(n, seed):
    """Like German, the verb comes second: `heute sieht Hund Katze`, `today dog sees cat`."""
    rng = np.random.default_rng(seed)

    def one(of):
        return list(of.items())[rng.integers(len(of))]

    found = []
    for _ in range(n):
        (w, when), (v, verb), (a, first), (b, second) = (
            one(WHEN),
            one(VERBS),
            one(NOUNS),
            one(NOUNS),
        )
        if rng.random() < 0.5:
            found.append(
                (f"{w.capitalize()} {v} {a} {b}.", f"{when.capitalize()} {first} {verb} {second}.")
            )
        else:
            found.append((f"{a} {v} {b} {w}.", f"{first.capitalize()} {verb} {second} {when}."))
    return found


def test_it_translates_sentences_that_it_never_saw():
    pairs = made_up_pairs(400, 1)
    steps = []
    system = train_phrase_based(pairs, rng=np.random.default_rng(1), report=steps.append)
    assert steps == ["tuning", "learning phrases"]
    known = {source for source, _ in pairs}
    new = [pair for pair in made_up_pairs(200, 2) if pair[0] not in known]
    assert len(new) > 40
    outputs = [system.translate(source).text for source, _ in new]
    bleu = get_scorer("bleu")
    score = bleu.score(bleu.statistics(outputs, [[target for _, target in new]]).sum(axis=0))
    assert score > 60
    described = system.described()
    assert described["pairs"] == 400
    assert described["tuned on"] == 60
    assert described["BLEU after"] >= described["BLEU before"]


def test_the_same_generator_gives_the_same_system():
    pairs = made_up_pairs(FEWEST_TO_TUNE, 3)
    first, second = (train_phrase_based(pairs, rng=np.random.default_rng(4)) for _ in range(2))
    assert first.described() == second.described()
    assert first.translate("Morgen jagt Wolf Fisch.") == second.translate("Morgen jagt Wolf Fisch.")


def test_little_text_is_not_tuned_on():
    system = train_phrase_based(made_up_pairs(20, 1), rng=np.random.default_rng(1))
    assert system.tuning is None
    assert system.described()["BLEU before"] is None


def test_long_texts_are_translated_in_parts_and_said_to_be():
    system = train_phrase_based(made_up_pairs(20, 1), rng=np.random.default_rng(1))
    text = "Xanthippe " * (2 * LONGEST_PART + 1)
    found = system.translate(text)
    assert found.text == text.strip()
    assert (found.n_parts, found.n_unknown) == (3, 2 * LONGEST_PART + 1)
    assert system.translate("").text == ""
    assert max(len(part) for part in parts_of("x" * 10, 4)) <= 4
    assert sum(len(part) for part in parts_of("x" * 10, 4)) == 10


def test_a_text_without_words_teaches_nothing():
    with pytest.raises(ValueError, match="no text"):
        train_phrase_based([("", "x"), (" ", " ")], rng=np.random.default_rng(1))
    text = training_text([("a b", "c"), ("x " * 500, "y"), ("", "z")])
    assert (text.n_given, text.n_long, len(text.sources)) == (3, 2, 1)
