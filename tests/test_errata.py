"""Every figure of the source documents that can be computed, and docs/errata.md beside them.

The documents are no part of the project. Texts of theirs are read where they are there; other
examples are made up here, or hold no more than a few words.
"""

import json
import math
import re
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import Stemmer
from nltk.translate.bleu_score import sentence_bleu
from sacrebleu.metrics.lib_ter import BeamEditDistance, translation_edit_rate
from scipy.special import stdtrit
from scipy.stats import binom

from judgments.stats.coefficients import chance_corrected
from judgments.stats.significance import mean_interval, sign_test, wilson_interval
from metrics.scorers import get_scorer, wordnet
from metrics.scorers.diagnostic import diagnose
from metrics.scorers.nist import BETA
from metrics.stats.significance import approximate_randomization, bootstrap_interval

from .metrics.scorers.nltk_wordnet import needs_wordnet, open_with_nltk
from .shared import shared_data

ERRATA = Path(__file__).parent.parent / "docs" / "errata.md"


@pytest.fixture(scope="session")
def document() -> Callable[[str], str]:
    """The text of the source document with this number; skips where it is absent."""
    folder = shared_data().parent / "seeds"

    def read(number: str) -> str:
        found = list(folder.glob(f"{number}_*.txt"))
        if not found:
            pytest.skip("needs shared/seeds beside the checkout")
        return found[0].read_text(encoding="utf-8")

    return read


@pytest.fixture(scope="session")
def golden() -> dict:
    return json.loads((shared_data().parent / "golden.json").read_text(encoding="utf-8"))


def stats_of(slug: str, output: str, *references: str, **options) -> np.ndarray:
    return get_scorer(slug, **options).statistics([output], [[text] for text in references])[0]


def score_of(slug: str, output: str, *references: str, **options) -> float:
    """From 0 to 1, of words as they stand unless told otherwise."""
    if slug != "ter":
        options = {"tokenize": "none", **options}
    stats = stats_of(slug, output, *references, **options)
    return float(get_scorer(slug, **options).score(stats)) / 100


def matches(output: str, *references: str, **options) -> list[tuple[int, int]]:
    """Clipped matches and n-grams of each order, as BLEU counts them."""
    _, _, *counts = stats_of("bleu", output, *references, **options).astype(int).tolist()
    return list(zip(counts[:4], counts[4:], strict=True))


# Lecture notes (Heidelberg)


def test_modified_precision():
    assert matches("the " * 7, "the x is on the y", "there is a x on the y")[0] == (2, 7)
    assert matches("of the", "of it", "x of the y", "the z")[:2] == [(2, 2), (1, 1)]


def test_orejuela_matches_only_in_lower_case(document):
    text = document("000")
    references = re.findall(r"Reference \d: (.*?)</p>", text)
    [candidate] = re.findall(r"Candidate: (.*?)</p>", text)
    assert len(references) == 4
    lowered = matches(candidate, *references, lowercase=True)
    assert lowered == [(15, 18), (10, 17), (5, 16), (3, 15)]
    assert matches(candidate, *references)[:3] == [(14, 18), (9, 17), (5, 16)]
    options = {"tokenize": "13a", "lowercase": True}
    assert score_of("bleu", candidate, *references, **options) == pytest.approx(0.4184, abs=5e-5)
    assert details(candidate, *references, **options)["Brevity penalty"] == 1
    # The same counts, and no other, give NEVA.
    neva = score_of("neva", candidate, *references, **options)
    assert neva == pytest.approx(np.mean([15 / 18, 10 / 17, 5 / 16, 3 / 15]))


def test_iran_against_the_one_reference(document):
    first, second, reference = re.findall(r"^(?:Reference: )?(Iran .*)$", document("000"), re.M)
    assert [found for found, _ in matches(first, reference)] == [13, 6, 2, 0]
    assert [found for found, _ in matches(second, reference)] == [14, 6, 1, 0]


def test_ter_and_bleu_of_the_saudi_example(golden):
    example = golden["bleu"][0]
    texts = example["hyp"], example["ref"]
    assert stats_of("ter", *texts).tolist() == [4, 13]
    assert score_of("ter", *texts) == pytest.approx(0.308, abs=5e-4)
    assert score_of("bleu", *texts) == pytest.approx(0.3228, abs=5e-5)
    shares = [found / total for found, total in matches(*texts)]
    assert shares == pytest.approx([0.833, 0.545, 0.300, 0.111], abs=5e-4)
    assert details(*texts)["Brevity penalty"] == pytest.approx(0.920, abs=5e-4)
    assert round(1 - score_of("bleu", *texts), 2) == 0.68


def details(output: str, *references: str, **options) -> dict[str, float]:
    stats = stats_of("bleu", output, *references, **options)
    return dict(get_scorer("bleu", **options).details(stats))


def test_the_example_of_a_block_that_moves():
    # One shift and one insertion for seven words.
    assert stats_of("ter", "a d e b c f", "a b c d e f c").tolist() == [2, 7]


def test_shifts_add_up():
    # Two blocks out of place, in two shifts; were the second applied to the original output, the
    # first would be undone.
    output, reference = "b c d a x y f g h e", "a b c d x y e f g h"
    assert translation_edit_rate(output.split(), reference.split()) == (2, 10)
    assert stats_of("ter", output, reference).tolist() == [2, 10]
    assert get_scorer("wer").statistics([output], [[reference]])[0, 0] == 4


def test_ter_divides_by_the_average_length():
    # No edit to the first reference, of two words; the second has six: the average is four.
    assert stats_of("ter", "a b", "a b", "a b c d e f").tolist() == [0, 4]
    assert stats_of("ter", "a x", "a b", "a b c d e f").tolist() == [1, 4]


def test_a_block_may_move_to_substituted_words():
    output, reference = ["b", "a"], ["a", "b"]
    # sacreBLEU's alignment substitutes both words; a shift is made all the same.
    assert BeamEditDistance(reference)(output) == (2, "ss")
    assert translation_edit_rate(output, reference) == (1, 2)
    assert stats_of("ter", "b a", "a b").tolist() == [1, 2]


def test_trials_of_approximate_randomization():
    scorer = get_scorer("wer")
    stats = scorer.statistics(["a", "b", "c d"], [["a", "x", "c y"]])
    trials = 99
    test = approximate_randomization(
        scorer, stats, stats, rng=np.random.default_rng(1), resamples=trials
    )
    # All 99 trials are as large as the difference, which is 0: (99 + 1) / (99 + 1).
    assert test.p_value == 1
    # The same with one trial more, as the notes have it, and with none that is greater.
    assert (trials + 1 + 1) / (trials + 1) > 1
    assert (0 + 1) / (trials + 1) < 0.05


# Article with an example in NLTK


@pytest.fixture(scope="session")
def cats(document) -> tuple[list[str], list[str]]:
    """The four outputs of the article and its two references."""
    text = document("001")
    outputs = dict(re.findall(r"^MT output (\d): (.+)$", text, re.M))
    references = re.findall(r"^Reference (\d): (.+\.)$", text, re.M)
    return [outputs[number] for number in "1234"], [dict(references)[number] for number in "12"]


def test_precisions_of_the_article(cats):
    outputs, references = cats
    plain = [re.sub(r"\.$", "", text).lower() for text in references]
    first, third, fourth = (re.sub(r"\.$", "", outputs[n]).lower() for n in (0, 2, 3))
    assert matches(first, *plain)[0] == (5, 6)
    assert matches(third, *plain)[0] == (3, 10)
    assert matches(fourth, *plain)[:2] == [(2, 2), (1, 1)]


def test_nltk_was_given_characters(cats):
    outputs, references = cats
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some have no 4-gram in common
        scores = [sentence_bleu(references, output) for output in outputs]
    assert scores == pytest.approx([0.7391, 0.2378, 0.3018, 0.1173], abs=5e-5)
    options = {"tokenize": "13a", "lowercase": True, "smoothing": "none"}
    scores = [score_of("bleu", output, *references, **options) for output in outputs]
    assert scores == pytest.approx([0.4889, 0, 0, 0], abs=5e-5)


def test_the_logarithm_of_bleu():
    texts = "a b c d e", "a b c d x y"
    found = details(*texts)
    logs = [math.log(found[f"Precision of {n}-grams (%)"] / 100) for n in range(1, 5)]
    log_bleu = min(1 - 6 / 5, 0) + sum(logs) / 4
    assert math.log(score_of("bleu", *texts)) == pytest.approx(log_bleu)
    # Neither the first line of the article nor a sum of plain precisions gives it.
    penalty = 1 - 6 / 5
    assert penalty * math.exp(sum(logs) / 4) != pytest.approx(log_bleu, rel=0.01)
    assert penalty + sum(map(math.exp, logs)) / 4 != pytest.approx(log_bleu, rel=0.01)


def test_the_brevity_penalty_is_of_the_test_set():
    scorer = get_scorer("bleu")
    stats = scorer.statistics(["a b c d", "e f g h x"], [["a b c d y", "e f g h"]])
    alone = [dict(scorer.details(row))["Brevity penalty"] for row in stats]
    assert alone == [pytest.approx(math.exp(-1 / 4)), 1]
    assert dict(scorer.details(stats.sum(axis=0)))["Brevity penalty"] == 1


# Slides on WAFT and NEVA (Forsbom 2003)


def test_forsboms_examples(golden):
    for output, reference, waft, wa, neva in golden["forsbom"]:
        assert score_of("waft", output, reference) == pytest.approx(waft)
        assert score_of("wa", output, reference) == pytest.approx(wa)
        assert score_of("neva", output, reference) == pytest.approx(neva, abs=5e-7)


def test_bleu_of_short_segments_is_not_defined_by_its_formula():
    # No 3-grams at all in two words; no common 3-gram in five.
    assert matches("b a", "a b") == [(2, 2), (0, 1), (0, 0), (0, 0)]
    assert score_of("bleu", "b a", "a b", smoothing="none") == 0
    assert [found for found, _ in matches("d e x a b", "a b d e")] == [4, 2, 0, 0]


def test_nist_of_single_words_is_their_information():
    assert round(2**4.6267, 2) == 24.70
    assert round(2**8.0311, 1) == 261.6
    # A word that is every eighth of the references has three bits.
    scorer = get_scorer("nist")
    stats = scorer.statistics(["a", *"bcdefgh"], [list("abcdefgh")])
    assert scorer.segment_scores(stats)[0] == pytest.approx(3)


def test_the_length_penalty_of_nist():
    assert pytest.approx(-4.2162, abs=5e-5) == BETA
    # Two of three words: half of the information, log2 3, that each of them has.
    scorer = get_scorer("nist")
    score = float(scorer.score(scorer.statistics(["a b"], [["a c b"]])[0]))
    assert score == pytest.approx(math.log2(3) / 2)


def test_neva_above_waft_without_mere_reordering():
    found = diagnose("z w a b", ["a b x y"])
    assert found.neva / 100 == pytest.approx(0.208, abs=5e-4) and found.waft == 0
    assert not {"z", "w"} & set(found.references[0])
    # Parts of two references, each in its place.
    found = diagnose("a b c d e f", ["a b c d x y", "u v w d e f"])
    assert found.neva > found.waft and found.displaced == 0


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


def test_the_matrices_of_wer(systems, document):
    """Every row of both matrices but the first, which is 0 to 6; one cell is not readable."""
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
    """In the files themselves and in NLTK's reading of them: the one is a hyponym of the other."""
    known = wordnet.WordNet(wordnet.FOLDER)
    assert known.synsets("walks") and known.synsets("goes")
    assert not set(known.synsets("walks")) & set(known.synsets("goes"))
    walk, go = (set(open_with_nltk(tmp_path).synsets(word, "v")) for word in ("walks", "goes"))
    assert not walk & go
    assert {above for synset in walk for above in synset.hypernyms()} & go


def test_the_table_of_t():
    def t(level: float, freedom: float) -> float:
        return round(float(stdtrit(freedom, (1 + level) / 2)), 4)

    assert t(0.95, 99) == 1.9842 and t(0.95, 100) == 1.9840  # and not 1.9849, which is no
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
    for n in (300, 600):  # right either way
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
    # What the slide computes, with the variance and its own t.
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
    # Segments that are all alike leave nothing to vary; two kinds do.
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
    assert as_printed == pytest.approx(9.8e-5, abs=5e-7)
    assert stats_of("ter", *texts).tolist() == [4, 8]
    # A short output: exp(1 - c/r) would be a reward.
    assert details("a b c d", "a b c d e")["Brevity penalty"] == pytest.approx(math.exp(1 - 5 / 4))
    assert math.exp(1 - 4 / 5) > 1


def test_six_times_the(document):
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


# The page


def test_every_erratum_names_a_test_that_is_there():
    text = ERRATA.read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| ") and "---" not in line]
    rows = [row for row in rows if not row.startswith("| what it states")]
    assert len(rows) > 25
    for row in rows:
        _, stated, right, shown_by, _ = (cell.strip() for cell in row.split("|"))
        assert stated and right
        [*named] = re.findall(r"`(test_\w+)`", shown_by)
        assert named or shown_by.startswith("(")
        assert all(callable(globals().get(name)) for name in named), row
