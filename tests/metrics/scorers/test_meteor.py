"""METEOR: its formula, its texts, its signature and options."""

from collections import Counter
from math import nan

import numpy as np
import pytest
import Stemmer

from metrics.scorers import get_scorer, meteor
from metrics.scorers.meteor_words import STEMMERS

from .nltk_wordnet import needs_wordnet
from .small_dictionary import (
    score,
)
from .texts import WORDS

# --- the formula


def test_the_example_of_banerjee_and_lavie(no_wordnet):
    # Two chunks, "the president" and "spoke to the audience"; P = 1, R = 6/7.
    output = "the president spoke to the audience"
    reference = "the president then spoke to the audience"
    mean = 10 * (6 / 7) / (6 / 7 + 9)
    expected = mean * (1 - 0.5 * (2 / 6) ** 3)
    assert score(output, reference, parameters="2005") == pytest.approx(expected, rel=1e-12)


def test_version_1_5_by_hand(small_wordnet):
    # dog exactly, runs by stem, big as a synonym: 1, 0.6 and 0.8; "dog runs" is a chunk.
    precision, recall = 2.4 / 4, 2.4 / 5
    mean = precision * recall / (0.85 * precision + 0.15 * recall)
    expected = mean * (1 - 0.6 * (2 / 3) ** 0.2)
    found = score("dog running x large", "dog runs a big y")
    assert found == pytest.approx(expected, rel=1e-12)


def test_a_perfect_output_has_no_penalty_in_1_5_only(no_wordnet):
    assert score("a b c", "a b c") == 1
    assert score("a b c", "a b c", parameters="2005") == pytest.approx(1 - 0.5 / 27)
    assert score("a b c", "a b c d") < score("a b c", "a b c")


def test_function_words_count_less(no_wordnet):
    # Content words count 0.75, function words 0.25; "the cat" is linked, in one chunk.
    options = {"function_words": "The of"}
    precision, recall = (0.75 + 0.25) / (3 * 0.75 + 0.25), (0.75 + 0.25) / (0.75 + 2 * 0.25)
    mean = precision * recall / (0.85 * precision + 0.15 * recall)
    expected = mean * (1 - 0.6 * (1 / 2) ** 0.2)
    assert score("the cat x y", "of the cat", **options) == pytest.approx(expected, rel=1e-12)
    every = {"function_words": "the cat x y of"}
    plain = score("the cat x y", "of the cat")
    assert score("the cat x y", "of the cat", **every) == pytest.approx(plain, rel=1e-12)


def test_a_linked_pair_may_be_a_function_word_on_one_side_only(small_wordnet):
    # "large" is a function word, "big" is not: 0.25 of 0.25, and 0.75 of 0.75 words, each 0.8.
    expected = 0.8 * (1 - 0.6)
    found = score("large", "big", function_words="large", parameters="1.5", delta=0.75)
    # All words are linked, in one chunk: no penalty.
    assert found == pytest.approx(0.8) and expected < found


def test_parameters_can_be_given(no_wordnet):
    texts = ("a b x c", "a b c d e")
    for name, value in (("alpha", 0.5), ("beta", 2.0), ("gamma", 0.1)):
        assert score(*texts, **{name: value}) != score(*texts)
    mean = (3 / 4) * (3 / 5) / (0.85 * 3 / 4 + 0.15 * 3 / 5)
    assert score(*texts, gamma=0) == pytest.approx(mean)
    assert score(*texts, delta=0.1) == pytest.approx(score(*texts))  # no function words


def test_the_best_reference_is_taken(no_wordnet):
    references = ("x y z", "a b c d", "a b", None)
    best = max(score("a b c", text) for text in references[:3])
    assert score("a b c", *references) == best


def test_statistics_are_pooled(no_wordnet):
    hypotheses, references = ["a b c", "x", "d e"], [["a b c", "y z", "e d"]]
    scorer = get_scorer("meteor", parameters="2005")
    stats = scorer.statistics(hypotheses, references)
    assert stats.tolist() == [[3, 3, 3, 0, 0, 1], [1, 2, 0, 0, 0, 0], [2, 2, 2, 0, 0, 2]]
    precision, recall = 5 / 6, 5 / 7
    mean = 10 * precision * recall / (recall + 9 * precision)
    pooled = scorer.score(stats.sum(axis=0))
    assert pooled == pytest.approx(mean * (1 - 0.5 * (3 / 5) ** 3), rel=1e-12)
    averaged = get_scorer("meteor", parameters="2005", corpus_score="mean")
    rows = averaged.statistics(hypotheses, references)
    np.testing.assert_array_equal(averaged.segment_scores(rows), scorer.segment_scores(stats))
    assert averaged.score(rows.sum(axis=0)) == pytest.approx(scorer.segment_scores(stats).mean())
    np.testing.assert_array_equal(averaged.score(np.zeros(2)), nan)


def test_details_are_those_of_the_score(small_wordnet):
    scorer = get_scorer("meteor", parameters="2005")
    stats = scorer.statistics(["a large dog ran", "b"], [["a big dog", "b c"]]).sum(axis=0)
    figures = dict(scorer.details(stats))
    precision, recall = figures["Precision (weighted)"], figures["Recall (weighted)"]
    mean = precision * recall / (0.9 * precision + 0.1 * recall)
    expected = mean * (1 - figures["Fragmentation penalty"])
    assert scorer.score(stats) == pytest.approx(expected, rel=1e-12)
    assert figures["Linked as synonyms"] == 1 and figures["Chunks"] == 2
    assert get_scorer("meteor", corpus_score="mean").details(np.ones(2)) == []


@needs_wordnet
def test_the_example_of_the_guide(monkeypatch):
    monkeypatch.delenv("MTEVAL_WORDNET", raising=False)
    texts = ["a large dog was running home"], [["the big dog runs home quickly"]]
    scorer = get_scorer("meteor")
    stats = scorer.statistics(*texts)
    assert stats.tolist() == [[6, 6, 2, 1, 1, 2]]
    assert scorer.score(stats[0]) == pytest.approx(0.271, abs=5e-4)
    assert dict(scorer.details(stats[0]))["Fragmentation penalty"] == pytest.approx(0.522, abs=5e-4)


# --- texts


@pytest.mark.parametrize(
    ("output", "reference", "expected"),
    [
        ("", "a b", 0),
        ("a b", "", 0),
        ("", "", 0),
        ("a", "a", 1),
        ("A", "a", 1),
        ("b", "a", 0),
        ("👩‍👩‍👧 😀", "👩‍👩‍👧 😀", 1),
        ("e\u0301", "é", 0),  # texts are compared as they are encoded
        ("北京 大学", "北京 大学", 1),
        ("שלום עולם", "שלום עולם", 1),
    ],
)
def test_short_and_strange_texts(output, reference, expected):
    assert score(output, reference) == expected


@pytest.mark.parametrize("alignment", meteor.ALIGNMENTS)
def test_a_line_of_ten_thousand_words(alignment):
    rng = np.random.default_rng(1)
    words = [*WORDS, *(f"w{number}" for number in range(4000))]
    ours, theirs = (
        " ".join(words[number % len(words)] for number in rng.zipf(1.3, 10_000)) for _ in range(2)
    )
    scorer = get_scorer("meteor", alignment=alignment, tokenize="none")
    stats = scorer.statistics([ours, ours, "a b"], [[theirs, ours, "b a"]])
    common = (Counter(ours.lower().split()) & Counter(theirs.lower().split())).total()
    assert stats[0, 2] == common
    assert scorer.segment_scores(stats)[1] == 1
    assert stats[2].tolist() == [2, 2, 2, 0, 0, 2]


@pytest.mark.parametrize(
    ("language", "ours", "theirs"),
    [
        ("de", "die Häuser", "die Hauses"),
        ("fr", "il continuait", "il continuer"),
        ("ru", "важные", "важная"),
        ("es", "los gatos", "los gato"),
        ("nb", "husene", "huset"),
    ],
)
def test_stems_by_language(language, ours, theirs):
    assert get_scorer("meteor", language=language).statistics([ours], [[theirs]])[0, 3] == 1
    assert get_scorer("meteor", language="").statistics([ours], [[theirs]])[0, 3] == 0


def test_every_language_has_its_stemmer():
    assert set(STEMMERS.values()) <= set(Stemmer.algorithms())


def test_czech_has_no_stems_in_1_5():
    # METEOR 1.5 gives Czech exact matches and paraphrases only.
    signature = get_scorer("meteor", language="cs").signature(1)
    assert "|params:1.5-cs|stages:exact|align:" in signature
    signature = get_scorer("meteor", language="cs", parameters="2005").signature(1)
    assert f"|stages:exact+stem|stem:snowball-{Stemmer.version()}-cs|" in signature


def test_references_that_come_later_have_synonyms_too(small_wordnet):
    scorer = get_scorer("meteor")
    assert scorer.statistics(["car"], [["nothing"]])[0, 4] == 0
    assert scorer.statistics(["car"], [["auto"]])[0, 4] == 1
    assert scorer.statistics(["wagon cart"], [["auto"]])[0, 4] == 1


def test_a_vocabulary_that_grew_too_large_is_forgotten(small_wordnet, monkeypatch):
    scorer = get_scorer("meteor")
    texts = ["car runs", "the wagon"], [["auto run", "the cart"]]
    first = scorer.statistics(*texts)
    monkeypatch.setattr("metrics.scorers.tokenizers._MOST_CHUNKS", 0)
    other = scorer.statistics(["new words"], [["other words"]])
    assert other[0].tolist() == [2, 2, 1, 0, 0, 1]
    np.testing.assert_array_equal(scorer.statistics(*texts), first)


# --- signature and options


def test_the_signature_says_which_stages_ran(small_wordnet, monkeypatch):
    stem = f"stem:snowball-{Stemmer.version()}-en"
    start = "nrefs:1|case:lc|tok:13a|params:1.5-en|stages:exact+stem"
    end = "func:no|corpus:pooled|version:1|impl:mteval"
    found = get_scorer("meteor").signature(1)
    assert found == f"{start}+synonym|{stem}|wordnet:small-shared|align:longest-runs|{end}"
    monkeypatch.setattr(meteor, "find_wordnet", lambda: None)
    assert get_scorer("meteor").signature(1) == f"{start}|{stem}|align:longest-runs|{end}"


def test_the_signature_says_what_was_chosen(no_wordnet):
    options = {"parameters": "2005", "language": "", "alpha": 0.5, "corpus_score": "mean"}
    found = get_scorer("meteor", **options, function_words="of the").signature(2, level="segment")
    assert "|params:2005[alpha=0.5]|stages:exact|align:longest-runs|func:2-" in found
    assert "corpus:" not in found
    same = get_scorer("meteor", **options, function_words=" The of").signature(2, level="segment")
    assert found == same
    assert "|params:1.5-other|" in get_scorer("meteor", language="it").signature(1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"language": "xx"}, 'language must be one of "", ar'),
        ({"parameters": "1.4"}, "parameters must be one of 1.5, 2005, not '1.4'"),
        ({"alignment": "best"}, "alignment must be one of longest-runs, fewest-chunks, greedy"),
        ({"alpha": 1.5}, "alpha must be a number from 0 to 1, not 1.5"),
        ({"beta": nan}, "beta must be a number"),
        ({"tokenize": "moses"}, "Unknown tokenizer 'moses'"),
    ],
)
def test_options_are_checked(options, message):
    with pytest.raises(ValueError, match=message):
        get_scorer("meteor", **options)
