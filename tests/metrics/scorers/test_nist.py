"""NIST against NLTK's, against the formula, and by hand."""

from collections import Counter
from math import exp, log, log2
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from nltk.translate.nist_score import corpus_nist, nist_length_penalty, sentence_nist

from metrics.scorers import get_scorer

from .test_real_texts import texts_of
from .texts import corpora

# The example of NLTK's documentation, from Papineni et al. 2002.
GUIDE = (
    "It is a guide to action which ensures that the military always obeys the commands of the party"
)
INSURE = "It is to insure the troops forever hearing the activity guidebook that party direct"
GUIDE_REFERENCES = [
    "It is a guide to action that ensures that the military will forever heed Party commands",
    "It is the guiding principle which guarantees the military forces always being under the "
    "command of the Party",
    "It is the practical guide for the army always to heed the directions of the party",
]


def nist(hypotheses, references, **options) -> float:
    scorer = get_scorer("nist", **options)
    return scorer.score(scorer.statistics(hypotheses, references).sum(axis=0))


def tokens_of(texts):
    encoder = get_scorer("nist")._tokenizer.encoder
    return [None if text is None else encoder.tokens(text) for text in texts]


def ngrams(words: list[str], n: int) -> Counter:
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def by_the_formula(hypotheses, references, max_order=5) -> float:
    """Return the score by equation 3 of Doddington 2002 and mteval-v13a, with dictionaries."""
    hypotheses = tokens_of(hypotheses)
    references = [
        [words for words in texts if words is not None]
        for texts in zip(*map(tokens_of, references), strict=True)
    ]
    every = [words for texts in references for words in texts]
    counts = Counter()
    for words in every:
        for n in range(1, max_order + 1):
            counts += ngrams(words, n)
    counts[()] = sum(map(len, every))
    score = 0.0
    for n in range(1, max_order + 1):
        information, total = 0.0, 0
        for words, texts in zip(hypotheses, references, strict=True):
            highest = Counter()
            for text in texts:
                highest |= ngrams(text, n)
            for ngram, count in (ngrams(words, n) & highest).items():
                information += count * log2(counts[ngram[:-1]] / counts[ngram])
            total += max(len(words) - n + 1, 0)
        score += information / max(total, 1)
    length = sum(map(len, hypotheses))
    mean_length = sum(sum(map(len, texts)) / len(texts) for texts in references)
    ratio = min(length / mean_length, 1) if mean_length else 1
    return score * exp(log(0.5) * (log(ratio) / log(1.5)) ** 2) if ratio else 0.0


def test_examples_of_nltk(golden):
    # 3.3709 and 1.4619 in NLTK's documentation, which truncates the digits.
    options = {"reference_matching": "best", "tokenize": "none"}
    references = [[text] for text in GUIDE_REFERENCES]
    assert nist([GUIDE], references, **options) == pytest.approx(3.3710, abs=5e-5)
    assert nist([INSURE], references, **options) == pytest.approx(1.4619, abs=5e-5)
    words = [text.split() for text in GUIDE_REFERENCES]
    expected = sentence_nist(words, INSURE.split())
    assert nist([INSURE], references, **options) == pytest.approx(expected, rel=1e-12)
    beta = log(0.5) / log(1.5) ** 2
    assert beta == pytest.approx(golden["nist"]["beta"], abs=1e-6)


def test_the_penalty_is_a_half_at_two_thirds_of_the_reference(golden):
    # Every word of the output is a match worth log2(6) bits, and no two of them are adjacent.
    expected = golden["nist"]["bp_at_two_thirds"] * log2(6)
    assert nist(["a c e b"], [["a b c d e f"]]) == pytest.approx(expected, rel=1e-12)
    assert nist_length_penalty(6, 4) == pytest.approx(0.5)


def test_one_reference_by_hand():
    # 7 reference words: "the" twice, the others once. Pairs: "the cat" and "the mat" follow one of
    # two "the", all other words are followed by only one word, which adds no information.
    references = [["the cat sat on the mat today"]]
    words = log2(7 / 2) * 2 + log2(7) * 2  # the, the, cat, mat
    pairs = 2 * log2(2 / 1)  # the cat, the mat
    penalty = exp(log(0.5) * (log(5 / 7) / log(1.5)) ** 2)
    expected = (words / 5 + pairs / 4) * penalty
    assert expected == pytest.approx(1.455, abs=5e-4)  # as stated in the guide
    assert nist(["the cat saw the mat"], references) == pytest.approx(expected, rel=1e-12)


def test_two_references_by_hand_in_both_readings():
    # 7 words in the references: b twice, the rest once; c only follows the second b.
    hypotheses, references = ["a b c d"], [["a b x"], ["y b c d"]]
    joint = (3 * log2(7) + log2(7 / 2)) / 4 + (log2(1 / 1) + log2(2 / 1) + 0) / 3
    assert nist(hypotheses, references) == pytest.approx(joint, rel=1e-12)  # 4 words against 3.5
    best = (2 * log2(7) + log2(7 / 2)) / 4 + log2(2 / 1) / 3  # all from the second
    assert nist(hypotheses, references, reference_matching="best") == pytest.approx(best)
    lists = [text.split() for (text,) in references]
    # NLTK's own figure: the same matches, and the second reference's length for all orders except
    # the fifth, for which there is no n-gram, so that it divides by zero: hence orders to 4.
    assert nist(hypotheses, references, reference_matching="best", max_order=4) == pytest.approx(
        sentence_nist(lists, ["a", "b", "c", "d"], 4)
    )


def test_a_frequent_word_is_worth_less():
    references = [["the cat", "the dog", "the end"]]
    assert nist(["the", "the", "the"], references) < nist(["cat", "dog", "end"], references)


@given(corpora())
def test_the_formula_written_out(corpus):
    hypotheses, references = corpus
    expected = by_the_formula(hypotheses, references)
    assert nist(hypotheses, references) == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("matching", ["joint", "best"])
@given(corpus=corpora(max_references=1))
def test_one_reference_as_nltk_has_it(matching, corpus):
    hypotheses, references = corpus
    found = nist(hypotheses, references, reference_matching=matching)
    words = [[text] for text in tokens_of(references[0])]
    try:
        expected = corpus_nist(words, tokens_of(hypotheses))
    except ZeroDivisionError:  # no text has five words: NLTK fails
        return
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)


@given(corpora(max_segments=2))
def test_several_references_as_nltk_has_it(corpus):
    hypotheses, references = corpus
    # NLTK cannot leave out a reference: a missing one is a copy of another for both.
    whole = [
        [text for text in texts if text is not None] for texts in zip(*references, strict=True)
    ]
    n = max(map(len, whole))
    whole = [(texts * n)[:n] for texts in whole]
    streams = [list(stream) for stream in zip(*whole, strict=True)]
    scorer = get_scorer("nist", reference_matching="best")
    sums = scorer.statistics(hypotheses, streams).sum(axis=0)
    words = [tokens_of(texts) for texts in whole], tokens_of(hypotheses)
    try:
        expected = corpus_nist(*words)
    except ZeroDivisionError:
        return
    with patch("nltk.translate.nist_score.nist_length_penalty", return_value=1):
        without_penalty = corpus_nist(*words)
    assert scorer._gains(sums).sum() == pytest.approx(without_penalty, rel=1e-9, abs=1e-12)
    # Equal information of two references except for rounding, which depends on the order of
    # summing: NLTK may then use the other one's length.
    lengths = {len(text) for texts in words[0] for text in texts}
    if n == 1 or len(lengths) == 1 or not any(map(equal_information, *words)):
        assert scorer.score(sums) == pytest.approx(expected, rel=1e-9, abs=1e-12)


def equal_information(texts: list[list[str]], words: list[str]) -> bool:
    """Return whether different n-grams of some order, three or more, may have the same
    information."""
    for n in range(1, 6):
        matches = [ngrams(words, n) & ngrams(text, n) for text in texts]
        totals = [a.total() + b.total() for a in matches for b in matches if a and b and a != b]
        if max(totals, default=0) >= 3:
            return True
    return False


@pytest.mark.proof
def test_outputs_of_real_systems_are_scored_as_nltk_does():
    reference, outputs = texts_of("06_ranking_wmt13_fr-en", "")
    lists = [[words] for words in tokens_of(reference)]
    for number, stream in enumerate(outputs.values()):
        part = slice(number, None, 13)
        found = nist(stream[part], [reference[part]])
        assert found == pytest.approx(corpus_nist(lists[part], tokens_of(stream[part])), rel=1e-9)


def test_information_is_that_of_all_segments():
    scorer = get_scorer("nist")
    together = scorer.statistics(["cat", "dog"], [["cat", "dog dog"]])
    alone = scorer.statistics(["cat"], [["cat"]])
    assert together[0, 0] == pytest.approx(log2(3)) and alone[0, 0] == 0


def test_a_kept_reference_is_read_anew_when_it_changes():
    scorer = get_scorer("nist")
    for references in (["a b", "c d"], ["a b", "c e"], ["a b", "c d"]):
        fresh = get_scorer("nist").statistics(["a b", "c d"], [references])
        np.testing.assert_array_equal(scorer.statistics(["a b", "c d"], [references]), fresh)
    fresh = get_scorer("nist").statistics(["new words", "a b"], [["a b", "c d"], ["new", None]])
    again = scorer.statistics(["new words", "a b"], [["a b", "c d"], ["new", None]])
    np.testing.assert_array_equal(again, fresh)


@pytest.mark.parametrize(
    ("hypothesis", "reference", "expected"),
    [
        ("", "a b", 0.0),
        ("a b", "", 0.0),
        ("", "", 0.0),
        ("a", "a", 0.0),  # the only word adds no information
        ("a c", "a b", log2(2) / 2),
        ("👩‍👩‍👧 😀", "👩‍👩‍👧 🏳️‍🌈", log2(2) / 2),
        ("e\u0301 x", "e\u0301 y", log2(2) / 2),
        ("e\u0301", "é", 0.0),  # texts are compared as they are encoded
        ("北京 x", "北京 y", log2(2) / 2),
        ("שלום עולם", "שלום לך", log2(2) / 2),
    ],
)
def test_short_and_strange_texts(hypothesis, reference, expected):
    assert nist([hypothesis], [[reference]]) == pytest.approx(expected)


def test_characters_of_chinese():
    assert nist(["北京大"], [["北京市"]], tokenize="char") == pytest.approx(2 / 3 * log2(3))


def test_a_line_of_ten_thousand_words():
    rng = np.random.default_rng(1)
    lines = [[f"w{n}" for n in rng.zipf(1.3, 10_000) % 4000] for _ in range(2)]
    mixed = " ".join(rng.choice(pair) for pair in zip(*lines, strict=True))
    lines = list(map(" ".join, lines))
    texts = [mixed, "short"], [[lines[0], "short"], [lines[1], None]]
    assert nist(*texts) == pytest.approx(by_the_formula(*texts), rel=1e-9)


def test_lower_case_and_order():
    assert nist(["THE cat"], [["the cat"]], lowercase=True) == nist(["the cat"], [["the cat"]])
    scorer = get_scorer("nist", max_order=2, lowercase=True, reference_matching="best")
    assert scorer.statistics(["a b"], [["a b"]]).shape == (1, 5)
    expected = "nrefs:1|case:lc|tok:13a|order:2|refs:best|version:1|impl:mteval"
    assert scorer.signature(1) == expected


def test_details_multiply_to_the_score():
    scorer = get_scorer("nist")
    sums = scorer.statistics(["the cat saw the mat"], [["the cat sat on the mat today"]]).sum(
        axis=0
    )
    figures = dict(scorer.details(sums))
    gains = [value for label, value in figures.items() if label.startswith("Information")]
    assert len(gains) == 5 and figures["Output length in tokens"] == 5
    assert sum(gains) * figures["Length penalty"] == pytest.approx(scorer.score(sums))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_order": 0}, "max_order must be an integer of at least 1"),
        ({"reference_matching": "nearest"}, "reference_matching must be one of joint, best"),
        ({"tokenize": "moses"}, "Unknown tokenizer 'moses'"),
    ],
)
def test_options_are_checked(options, message):
    with pytest.raises(ValueError, match=message):
        get_scorer("nist", **options)
