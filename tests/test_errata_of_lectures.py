"""Computable figures of the lectures on evaluation (Koehn 2024) and translation (Byrne 2014);
`test_errata` says where their texts are."""

import math
import re

import numpy as np
import pytest
import Stemmer
from scipy.special import stdtrit
from scipy.stats import binom

from judgments.stats.coefficients import chance_corrected
from judgments.stats.significance import mean_interval, sign_test, wilson_interval
from metrics.scorers import get_scorer, wordnet
from metrics.stats.significance import bootstrap_interval

from .errata_examples import details, document, matches, score_of, stats_of
from .metrics.scorers.nltk_wordnet import needs_wordnet, open_with_nltk

# Slides on evaluation (Koehn 2024)


def test_kappas_of_wmt07():
    observed, expected = np.array([0.400, 0.380, 0.582]), np.array([1 / 5, 1 / 5, 1 / 3])
    kappas = chance_corrected(observed, expected)
    assert np.round(kappas, 3).tolist() == [0.250, 0.225, 0.373]


@pytest.fixture(scope="session")
def systems(golden) -> tuple[dict, dict]:
    """Systems A and B."""
    b, a = golden["bleu"][2:]
    return a, b


def test_precision_recall_and_f_of_two_systems(systems):
    for system, expected in zip(
        systems, ([0.500, 0.429, 0.462], [1.000, 0.857, 0.923]), strict=True
    ):
        scores = [
            score_of(slug, system["hyp"], system["ref"])
            for slug in ("precision", "recall", "f_measure")
        ]
        assert scores == pytest.approx(expected, abs=5e-4)


def test_wer_and_per_of_two_systems(systems):
    for system, wer, per in zip(systems, (4 / 7, 5 / 7), (4 / 7, 1 / 7), strict=True):
        assert score_of("wer", system["hyp"], system["ref"]) == pytest.approx(wer)
        assert score_of("per", system["hyp"], system["ref"]) == pytest.approx(per)


def test_the_matrices_of_wer(systems):
    """Every row of both matrices except the first, which is 0 to 6; one cell is not readable."""
    rows = re.findall(r"^(\w+)((?:\t\S){7})$", document("003"), re.M)
    words = systems[0]["ref"].split()
    assert [word for word, _ in rows] == words * 2
    for number, system in enumerate(systems):
        output = system["hyp"].split()
        for length, (_, cells) in enumerate(rows[7 * number : 7 * number + 7], start=1):
            expected = [
                stats_of("wer", " ".join(output[:n]), " ".join(words[:length]))[0]
                for n in range(len(output) + 1)
            ]
            for cell, value in zip(cells.split(), expected, strict=True):
                assert not cell.isdecimal() or int(cell) == value


def test_bleu_of_two_systems(systems):
    a, b = systems
    assert matches(a["hyp"], a["ref"]) == [(3, 6), (1, 5), (0, 4), (0, 3)]
    assert matches(b["hyp"], b["ref"]) == [(6, 6), (4, 5), (2, 4), (1, 3)]
    assert score_of("bleu", a["hyp"], a["ref"], smoothing="none") == 0
    assert score_of("bleu", b["hyp"], b["ref"]) == pytest.approx(0.5115, abs=5e-5)
    penalty = details(b["hyp"], b["ref"])["Brevity penalty"]
    assert penalty == pytest.approx(0.8465, abs=5e-5)
    with_ratio = score_of("bleu", b["hyp"], b["ref"]) / penalty * 6 / 7
    assert with_ratio == pytest.approx(0.518, abs=5e-4)


def test_stems_of_irregular_verbs():
    for stemmer in (Stemmer.Stemmer("english"), Stemmer.Stemmer("porter")):
        assert stemmer.stemWords(["went", "goes"]) == ["went", "goe"]


def test_walks_and_goes_are_not_linked():
    """With or without WordNet."""
    stats = get_scorer("meteor").statistics(["Jim walks home"], [["Joe goes home"]])
    assert stats.tolist() == [[3, 3, 1, 0, 0, 1]]
    assert Stemmer.Stemmer("english").stemWords(["walks", "goes"]) == ["walk", "goe"]


@needs_wordnet
def test_walks_and_goes_have_no_synset_in_common(tmp_path):
    """In the files themselves and as read by NLTK: one is a hyponym of the other."""
    known = wordnet.WordNet(wordnet.FOLDER)
    assert known.synsets("walks") and known.synsets("goes")
    assert not set(known.synsets("walks")) & set(known.synsets("goes"))
    walk, go = (set(open_with_nltk(tmp_path).synsets(word, "v")) for word in ("walks", "goes"))
    assert not walk & go
    assert {above for synset in walk for above in synset.hypernyms()} & go


def test_the_table_of_t():
    def t(level: float, freedom: float) -> float:
        return round(float(stdtrit(freedom, (1 + level) / 2)), 4)

    assert t(0.95, 99) == 1.9842 and t(0.95, 100) == 1.9840  # and not 1.9849, which is not a
    assert 1.9849 not in [t(0.95, freedom) for freedom in range(50, 150)]  # value of the table
    # With n degrees of freedom, then with n - 1.
    for level, n, printed, right in (
        (0.99, 100, 2.6259, 2.6264),
        (0.90, 100, 1.6602, 1.6604),
        (0.99, 300, 2.5923, 2.5924),
        (0.90, 300, 1.6499, 1.6500),
    ):
        assert (t(level, n), t(level, n - 1)) == (printed, right)
    assert (t(0.99, 599), t(0.99, 600)) == (2.5841, 2.5840)
    for n in (300, 600):  # correct either way
        assert {t(0.95, n), t(0.95, n - 1)} == {1.9679 if n == 300 else 1.9639}
    assert t(0.90, 599) == t(0.90, 600) == 1.6474
    assert [t(level, np.inf) for level in (0.99, 0.95, 0.90)] == [2.5758, 1.96, 1.6449]


def test_the_interval_of_30_among_100():
    interval = mean_interval([1] * 30 + [0] * 70)
    assert interval.sd**2 == pytest.approx(0.2121, abs=5e-5)
    assert interval.sd == pytest.approx(0.4606, abs=5e-5)
    assert interval.high - interval.estimate == pytest.approx(0.0914, abs=5e-5)
    assert (interval.low, interval.high) == pytest.approx((0.209, 0.391), abs=5e-4)
    wilson = wilson_interval(30, 100)
    assert (wilson.low, wilson.high) == pytest.approx((0.219, 0.396), abs=5e-4)
    # The slide's computation, with the variance and its own t.
    wrong = 1.9849 * interval.sd**2 / 10
    assert wrong == pytest.approx(0.042, abs=5e-4)


def test_sign_test():
    table = {
        5: (None, None, 5),
        10: (10, 9, 9),
        20: (17, 15, 15),
        50: (35, 33, 32),
        100: (64, 61, 59),
    }
    for n, expected in table.items():
        p_values = [sign_test(k, n - k).p_value for k in range(n // 2 + 1, n + 1)]
        for level, wanted in zip((0.01, 0.05, 0.10), expected, strict=True):
            enough = [k for k, p in enumerate(p_values, n // 2 + 1) if p <= level]
            assert (enough[0] if enough else None) == wanted
    assert sign_test(60, 40).p_value == pytest.approx(0.0569, abs=5e-5)
    one_sided = sign_test(60, 40, alternative="greater").p_value
    assert one_sided == pytest.approx(0.0284, abs=5e-5)
    assert binom.pmf(60, 100, 0.5) == pytest.approx(0.0108, abs=5e-5)


def test_the_bootstrap_draws_from_the_test_set():
    # Equal segments leave nothing to vary; two kinds do.
    scorer = get_scorer("wer")
    for outputs, varies in ((["a x"] * 50, False), (["a x", "a b"] * 25, True)):
        stats = scorer.statistics(outputs, [["a b"] * 50])
        interval = bootstrap_interval(scorer, stats, rng=np.random.default_rng(1))
        assert (interval.low < interval.estimate < interval.high) == varies


# Lecture on statistical translation (Byrne 2014)


def test_bleu_of_the_chairman(golden):
    example = golden["bleu"][1]
    texts = example["hyp"], example["ref"]
    shares = [(7, 8), (3, 7), (2, 6), (1, 5)]
    assert matches(*texts, tokenize="none") == shares
    assert score_of("bleu", *texts) == pytest.approx(0.39764, abs=5e-6)
    as_printed = math.exp(sum(math.log(found / total / 4) for found, total in shares))
    assert as_printed == pytest.approx(9.77e-5, abs=5e-8)
    assert stats_of("ter", *texts).tolist() == [4, 8]
    # A short output: exp(1 - c/r) would be a reward.
    assert details("a b c d", "a b c d e")["Brevity penalty"] == pytest.approx(math.exp(1 - 5 / 4))
    assert math.exp(1 - 4 / 5) > 1


def test_six_times_the():
    [printed] = re.findall(r"^Hypothesis: (the the .*)$", document("004"), re.M)
    assert stats_of("bleu", printed, "the x is on the y")[0] == 6


def test_reference_lengths():
    # Five words in the output, three and six in the references.
    lengths = {
        name: stats_of("bleu", "a b c d e", "a b c", "a b c d e f", reference_length=name)[1]
        for name in ("closest", "shortest", "average")
    }
    assert lengths == {"closest": 6, "shortest": 3, "average": 4.5}


def test_alignment_error():
    # Ten links each, nine of them shared.
    reference = [f"{n}-{n}" for n in range(1, 11)]
    output = [*(f"{n}-{n}" for n in range(9)), "9-5"]
    scorer = get_scorer("alignment_error")
    stats = scorer.statistics([" ".join(output)], [[" ".join(reference)]])
    assert scorer.score(stats[0]) == pytest.approx(10)


def test_alignment_error_rate(golden):
    example = golden["aer"]
    sure = [f"{i}-{j}" for i, j in example["S"]]
    possible = [f"{i}p{j}" for i, j in example["P"] if [i, j] not in example["S"]]
    output = [f"{i}-{j}" for i, j in example["A"]]
    scorer = get_scorer("aer", output_base=1)
    stats = scorer.statistics([" ".join(output)], [[" ".join(sure + possible)]])
    assert scorer.score(stats[0]) == pytest.approx(100 * example["aer"], abs=5e-5)
    shown = dict(scorer.details(stats[0]))
    assert shown["Precision (%)"] == pytest.approx(75)
    assert shown["Recall of sure links (%)"] == pytest.approx(200 / 3)
