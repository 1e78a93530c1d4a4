"""The oracles: figures by hand, the formulas with dictionaries, and NLTK's Kneser–Ney, which is the
same within sentences if ours gets its discount."""

from collections import Counter, defaultdict
from fractions import Fraction
from hashlib import sha256
from math import log10

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.lm import KneserNeyInterpolated, Vocabulary
from nltk.util import everygrams

from metrics.scorers import get_scorer
from metrics.scorers.encoding import Encoded
from metrics.scorers.language_model import (
    FALLBACK_DISCOUNTS,
    FIRST_WORD,
    START,
    UNKNOWN,
    Text,
    count_ngrams,
    estimate_discounts,
    kneser_ney,
    stupid_backoff,
    with_edges,
)

from .texts import sentences

SENTENCES = st.lists(st.lists(st.sampled_from("abcde"), min_size=1, max_size=8), min_size=1)
ORDERS = st.integers(1, 4)


class ByDictionary:
    """Modified Kneser–Ney and stupid backoff, word by word as in the publications."""

    def __init__(self, sentences, order, factor=0.4):
        self.order, self.factor = order, factor
        self.padded = [["<s>", *sentence, "</s>"] for sentence in sentences]
        self.words = {w for s in self.padded for w in s} - {"<s>"} | {"<unk>"}
        self.counts = Counter(
            tuple(s[i : i + n])
            for s in self.padded
            for n in range(1, order + 1)
            for i in range(len(s) - n + 1)
        )
        self.contexts = defaultdict(int)
        for gram, count in self.counts.items():
            if gram != ("<s>",):
                self.contexts[gram[:-1]] += count
        self.adjusted = {gram: self.adjust(gram) for gram in self.counts if gram != ("<s>",)}
        self.followers = defaultdict(dict)
        for gram, count in self.adjusted.items():
            self.followers[gram[:-1]][gram[-1]] = count
        self.discounts = [self.discount(n) for n in range(1, order + 1)]

    def adjust(self, gram):
        if len(gram) == self.order or gram[0] == "<s>":
            return self.counts[gram]
        longer = (g for g in self.counts if len(g) == len(gram) + 1 and g[1:] == gram)
        return len({g[0] for g in longer})

    def discount(self, n):
        how_many = Counter(count for gram, count in self.adjusted.items() if len(gram) == n)
        t1, t2, t3, t4 = (how_many[k] for k in (1, 2, 3, 4))
        if t1 * t2 * t3:
            y = t1 / (t1 + 2 * t2)
            found = (1 - 2 * y * t2 / t1, 2 - 3 * y * t3 / t2, 3 - 4 * y * t4 / t3)
            if all(0 < d <= k for k, d in enumerate(found, 1)):
                return found
        return (0.5, 1, 1.5)

    def kneser_ney(self, word, context):
        context = tuple(context)
        following = self.followers[context]
        shorter = 1 / len(self.words) if not context else self.kneser_ney(word, context[1:])
        if not following:
            return shorter
        discount = self.discounts[len(context)]
        total = sum(following.values())
        taken = sum(discount[min(count, 3) - 1] for count in following.values())
        count = following.get(word, 0)
        own = count - discount[min(count, 3) - 1] if count else 0
        return own / total + taken / total * shorter

    def stupid_backoff(self, word, context):
        gram = (*context, word)
        if self.counts[gram]:
            return self.counts[gram] / self.contexts[gram[:-1]]
        if not context:
            return self.factor / self.contexts[()]
        return self.factor * self.stupid_backoff(word, context[1:])

    def score(self, name, sentence):
        """Return (sum of log10, number of words)."""
        padded = ["<s>", *(w if w in self.words else "<unk>" for w in sentence), "</s>"]
        logs = [
            log10(getattr(self, name)(padded[i], padded[max(0, i - self.order + 1) : i]))
            for i in range(1, len(padded))
        ]
        return sum(logs), len(logs)


def trained(lines, **options):
    scorer = get_scorer("ngram_lm", tokenize="none", **options)
    scorer.train(lines)
    return scorer


@settings(max_examples=150, deadline=None)
@given(corpus=SENTENCES, outputs=SENTENCES, order=ORDERS)
def test_both_smoothings_are_those_of_the_formulas(corpus, outputs, order):
    oracle = ByDictionary(corpus, order)
    outputs = [*outputs, [], ["z", "a", "z"]]
    for smoothing in ("kneser-ney", "stupid-backoff"):
        scorer = trained(map(" ".join, corpus), order=order, smoothing=smoothing)
        stats = scorer.statistics([" ".join(words) for words in outputs])
        expected = [oracle.score(smoothing.replace("-", "_"), words) for words in outputs]
        np.testing.assert_allclose(stats, expected, rtol=1e-12)


def model_of(corpus, order, make=kneser_ney):
    """Return a model of sentences of letters, and the number of each letter."""
    letters = sorted({letter for sentence in corpus for letter in sentence})
    ids = [n for s in corpus for n in [*(letters.index(x) + 1 for x in s), 0]]
    encoded = Encoded(np.array(ids), np.array([len(sentence) for sentence in corpus]))
    numbers = np.concatenate([[1], np.arange(len(letters)) + FIRST_WORD])
    levels = count_ngrams(with_edges(encoded, numbers), order, FIRST_WORD + len(letters))
    return make(levels), {x: i + FIRST_WORD for i, x in enumerate(letters)}


@settings(max_examples=150, deadline=None)
@given(corpus=SENTENCES, context=st.lists(st.sampled_from("abcdez"), max_size=4), order=ORDERS)
def test_kneser_ney_is_a_distribution_after_every_context(corpus, context, order):
    """Over all words, the end and the unknown word; z is unknown."""
    model, numbers = model_of(corpus, order)
    before = [START, *(numbers.get(letter, UNKNOWN) for letter in context)]
    words = [word for word in range(model.n_words) if word != START]
    size = len(before) + 1
    text = Text(
        np.array([n for word in words for n in [*before, word]]),
        np.tile(np.arange(size), len(words)),
        np.repeat(np.arange(len(words)), size),
    )
    after = model.scores(text)[size - 1 :: size]
    assert np.all(after > 0)
    assert after.sum() == pytest.approx(1, abs=1e-12)


def test_kneser_ney_by_hand():
    """Corpus: a b / a c, order 2. Adjusted counts of single words, the words that precede them:
    a 1 (<s>), b 1, c 1, </s> 2 (b, c); too few for discounts, so .5, 1, 1.5.
    Single words: Σ = 5, γ = (.5 + .5 + .5 + 1)/5 = .5 over a, b, c, </s>, <unk>:
    p(a) = p(b) = p(c) = .1 + .1 = .2, p(</s>) = .2 + .1 = .3, p(<unk>) = .1.
    After <s>: count 2: p(a) = (2 − 1)/2 + .5 · .2 = .6; p(b) = .5 · .2 = .1
    After a: b 1, c 1: p(b) = .5/2 + (1/2) · .2 = .35; p(</s>) = .5 · .3 = .15
    After b: </s> 1: p(</s>) = .5 + .5 · .3 = .65. After <unk>: p(</s>) = .3.
    """
    scorer = trained(["a b", "a c"], order=2)
    stats = scorer.statistics(["a b", "a", "b", "z", ""])
    products = [0.6 * 0.35 * 0.65, 0.6 * 0.15, 0.1 * 0.65, 0.5 * 0.1 * 0.3, 0.5 * 0.3]
    np.testing.assert_allclose(10 ** stats[:, 0], products, rtol=1e-12)
    assert stats[:, 1].tolist() == [3, 2, 2, 2, 1]
    details = dict(scorer.details(stats[0]))
    assert details["Perplexity"] == pytest.approx(products[0] ** (-1 / 3))


def test_example_of_the_guide():
    scorer = trained(["a b", "a b", "a c"], order=2, smoothing="stupid-backoff")
    stats = scorer.statistics(["a b", "b a"])
    assert scorer.score(stats[0]) == pytest.approx(log10(2 / 3) / 3)
    product = Fraction(4, 10) ** 3 * Fraction(2, 9) * Fraction(3, 9) * Fraction(3, 9)
    assert scorer.score(stats[1]) == pytest.approx(log10(product) / 3)
    assert scorer.score(stats[1]) == pytest.approx(-0.934, abs=5e-4)
    assert dict(scorer.details(stats[0]))["Perplexity"] == pytest.approx(1.14, abs=0.005)


@settings(max_examples=60, deadline=None)
@given(corpus=SENTENCES, order=st.integers(2, 4), discount=st.sampled_from([0.1, 0.75]))
def test_nltk_agrees_within_sentences(corpus, order, discount):
    """NLTK has one discount, none for single words, and does not count how often sentences begin:
    so equal discounts are given, and words are compared whose context does not extend back to <s>.
    (NLTK's divisions by zero are undefined there.)"""
    padded = [["<s>", *sentence, "</s>"] for sentence in corpus]
    oracle = KneserNeyInterpolated(order, discount=discount, vocabulary=Vocabulary())
    flat = [word for sentence in padded for word in sentence]
    oracle.fit([list(everygrams(s, max_len=order)) for s in padded], vocabulary_text=flat)
    discounts = [(0.0, 0.0, 0.0), *[(discount,) * 3] * (order - 1)]
    model, numbers = model_of(corpus, order, lambda levels: kneser_ney(levels, discounts))
    for sentence in corpus:
        words = [START, *(numbers[letter] for letter in sentence), 1]
        places = np.arange(len(words))
        scores = model.scores(Text(np.array(words), places, np.zeros_like(places)))
        names = ["<s>", *sentence, "</s>"]
        for i in range(order, len(names)):
            expected = oracle.score(names[i], names[i - order + 1 : i])
            assert scores[i] == pytest.approx(expected, rel=1e-9)


def test_discounts_of_chen_and_goodman():
    """With n1 = 8, n2 = 4, n3 = 2, n4 = 1: Y = 8/16; D = 1 − 2·Y·4/8, 2 − 3·Y·2/4, 3 − 4·Y·1/2."""
    counts = np.repeat([1, 2, 3, 4, 9], [8, 4, 2, 1, 5])
    assert estimate_discounts(counts) == pytest.approx((0.5, 1.25, 2.0))
    assert estimate_discounts(np.array([1, 1, 2])) == FALLBACK_DISCOUNTS  # no count of 3
    counts = np.repeat([1, 2, 3], [1, 1, 20])  # D(2) would be 2 − 3 · 1/3 · 20
    assert estimate_discounts(counts) == FALLBACK_DISCOUNTS


def test_stupid_backoff_needs_no_sentence_as_long_as_the_order():
    model, _ = model_of(["a", "b"], 4, lambda levels: stupid_backoff(levels, 0.4))
    assert [len(level.keys) for level in model.levels] == [5, 4, 2, 0]


def test_rare_words_are_unknown():
    rare = trained(["a b", "a b", "a x"], order=2, min_count=2, smoothing="stupid-backoff")
    stats = rare.statistics(["a x", "a y"])
    assert stats[0].tolist() == stats[1].tolist()
    assert stats[0, 0] == pytest.approx(log10(1 / 3))
    assert rare.signature(0) != trained(["a b", "a b", "a x"], order=2).signature(0)


def test_a_corpus_with_empty_lines_is_the_same_corpus_without_them():
    lines = ["", "a b", "  ", "", "b a", "a b c", "\u3000"]
    stats = trained(lines).statistics(["a b c", "c"])
    assert stats.tolist() == trained(["a b", "b a", "a b c"]).statistics(["a b c", "c"]).tolist()


def test_blocks_of_lines_do_not_matter(monkeypatch):
    lines = [f"a b{i % 7} c{i % 3} b{i % 5}" for i in range(50)]
    whole = trained(lines)
    monkeypatch.setattr("metrics.scorers.ngram_lm._BLOCK_LINES", 3)
    blocks = trained(iter(lines))
    outputs = ["a b1 c1", "c2 b4 a"]
    assert blocks.statistics(outputs).tolist() == whole.statistics(outputs).tolist()
    assert blocks.signature(0) == whole.signature(0)


def test_the_signature_names_the_text():
    assert "|corpus:none|" in get_scorer("ngram_lm").signature(0)
    digest = sha256(b"a b\nb\n").hexdigest()[:16]
    signature = trained(["a b", "b"], corpus="News").signature(0)
    assert "order:5|smooth:kneser-ney|case:mixed|tok:none|min:1" in signature
    assert f"|corpus:{digest}|" in signature
    signature = trained(["a b"], smoothing="stupid-backoff", backoff=0.25).signature(0)
    assert "smooth:stupid-backoff[0.25]" in signature


def test_without_text_it_says_what_is_missing():
    with pytest.raises(ValueError, match="no text to learn from: choose a corpus"):
        get_scorer("ngram_lm").statistics(["a"])
    for lines in ([], ["", " "]):
        with pytest.raises(ValueError, match="corpus has no words"):
            get_scorer("ngram_lm").train(lines)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"order": 0}, "order must be an integer of at least 1"),
        ({"order": 11}, "order must be at most 10"),
        ({"smoothing": "witten-bell"}, "one of kneser-ney, stupid-backoff"),
        ({"backoff": 0}, "between 0 and 1"),
        ({"backoff": float("nan")}, "between 0 and 1"),
        ({"min_count": 0}, "min_count must be"),
    ],
)
def test_options_are_checked(options, message):
    with pytest.raises(ValueError, match=message):
        get_scorer("ngram_lm", **options)


@settings(max_examples=50, deadline=None)
@given(
    corpus=st.lists(sentences(), min_size=1),
    outputs=st.lists(sentences(), min_size=1),
    smoothing=st.sampled_from(["kneser-ney", "stupid-backoff"]),
)
def test_any_text_gets_a_finite_score(corpus, outputs, smoothing):
    scorer = get_scorer("ngram_lm", smoothing=smoothing, lowercase=True)
    scorer.train(["</s> <s> a <unk>", *corpus])
    outputs = [
        *outputs,
        "<s>",
        "</s>",
        "<unk>",
        "👩‍👩‍👧",
        "e\u0301",
        "我们",
        "שלום",
        "word " * 10_000,
    ]
    stats = scorer.statistics(outputs)
    assert np.isfinite(stats).all()
    assert (scorer.segment_scores(stats) <= 0).all()
    # Each as if scored alone.
    assert scorer.statistics(outputs[-2:]).tolist() == stats[-2:].tolist()
