"""Computable figures of the documents on BLEU, TER, NIST, WAFT and NEVA, compared with
docs/errata.md.

The documents are not part of the project. Their texts are read if available; other examples are
made up here, or have no more than a few words.
"""

import math
import re
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from nltk.translate.bleu_score import sentence_bleu
from sacrebleu.metrics.lib_ter import BeamEditDistance, translation_edit_rate

from metrics.lessons.examples import EXAMPLES
from metrics.lessons.examples.clipping import compute_clipped
from metrics.lessons.examples.ngrams import pooled_runs
from metrics.lessons.examples.orders import compute_orders
from metrics.scorers import get_scorer
from metrics.scorers.diagnostic import diagnose
from metrics.scorers.nist import BETA
from metrics.stats.auto_rank import autorank_wmt24
from metrics.stats.significance import approximate_randomization

from . import test_errata_of_lectures
from .errata_examples import details, document, matches, score_of, stats_of

ERRATA = Path(__file__).parent.parent / "docs" / "errata.md"


# Lecture notes (Heidelberg)


def test_modified_precision():
    assert matches("the " * 7, "the x is on the y", "there is a x on the y")[0] == (2, 7)
    assert matches("of the", "of it", "x of the y", "the z")[:2] == [(2, 2), (1, 1)]


def test_orejuela_matches_only_in_lower_case():
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
    # Only these counts yield NEVA.
    neva = score_of("neva", candidate, *references, **options)
    assert neva == pytest.approx(np.mean([15 / 18, 10 / 17, 5 / 16, 3 / 15]))


def test_the_lists_of_orejuela():
    """Sizes and all entries, except the two that no reference has."""
    text = document("000")
    references = re.findall(r"Reference \d: (.*?)</p>", text)
    words = [re.sub(r"([,.])", r" \1", each).split() for each in references]
    for order, size in ((1, 31), (2, 38), (3, 43)):
        (listed,) = re.findall(rf"<p>{order}-grams: (.*?)</p>", text)
        # A comma that stands alone is a word.
        entries = Counter(re.split(r"(?<=\S), ", listed.replace(", , , .", ", ,, .")))
        pooled = Counter(" ".join(run) for run in pooled_runs(words, order).elements())
        assert entries.total() == pooled.total() == size
        wrong = {1: [], 2: ["Miami"], 3: ["to Miami"]}[order]
        assert sorted(entries - pooled) == [f"{start} ." for start in wrong]
        assert sorted(pooled - entries) == [f"{start} ," for start in wrong]


def test_recall_of_pooled_references():
    """The notes: Recall(candidate 1) > Recall(candidate 2)."""
    first, second = (EXAMPLES["clipped-precision"].case(slug) for slug in ("i-always-do", "i-do"))
    for candidate, case in (("1", first), ("2", second)):
        assert f"Candidate {candidate}: {case.values['output']}" in document("000")
    recalls = []
    for case in (first, second):
        values = case.values | {"references": case.values["references"].splitlines()}
        rows = {row.key: row.value for row in compute_clipped(values).rows}
        recalls.append(rows["recall"])
    assert recalls == ["6/6", "4/6"]


def test_iran_was_judged_by_two():
    printed = re.findall(r"human scores: Adequacy:(\d,\d) Fluency:(\d,\d)", document("000"))
    assert printed == [("3,2", "3,2"), ("5,4", "5,4")]
    for slug, (more, less) in (("iran-low", "32"), ("iran-high", "54")):
        remark = EXAMPLES["clipped-precision"].case(slug).remark
        assert f"{more} and {less} for adequacy, and {more} and {less} for fluency" in remark


@pytest.mark.parametrize("seed", range(20))
def test_orders_of_pieces_have_at_least_the_same_bleu(seed):
    """(K − b)! of them, here 8!, by Callison-Burch, Osborne and Koehn 2006."""
    values = {**EXAMPLES["orders-of-equal-bleu"].cases[0].values, "seed": seed}
    values["references"] = values["references"].splitlines()
    result = compute_orders(values)
    rows = {row.key: row.value for row in result.rows}
    assert (rows["words"], rows["matches"], rows["orders"]) == ("18", "10", "40,320")
    assert rows["drawn"] >= rows["given"] == pytest.approx(0.4184, abs=5e-5)
    given, drawn = (cells[-1].text for _, cells in result.tables[0].rows)
    assert sorted(given.split(" | ")) == sorted(drawn.split(" | ")) and given != drawn


def test_autorank_of_wmt24():
    """English–Japanese; the scores are rounded to one and three digits."""
    rows = re.findall(r"^(\S.*)\t([\d.]+)\t([\d.]+)\t(0\.\d+)$", document("003"), re.M)
    table = np.array([[float(number) for number in row[1:]] for row in rows])
    case = EXAMPLES["auto-rank"].cases[0]
    columns = [case.values[name].split() for name in ("systems", "errors", "scores")]
    printed = case.printed.values()
    assert [(row[0].rstrip(" §†"), row[2], row[3], row[1]) for row in rows] == list(
        zip(*columns, [each.text for each in printed], strict=True)
    )
    found = autorank_wmt24([-table[:, 1], table[:, 2]], n=24)
    away = np.abs(found - table[:, 0])
    assert len(rows) == 23 and np.sum(away <= 0.05) == 14 and away.max() < 0.1
    assert [bool(each.erratum) for each in printed] == (away > 0.05).tolist()


def test_iran_against_the_one_reference():
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


def test_the_example_of_a_block_that_moves():
    # One shift and one insertion for seven words.
    assert stats_of("ter", "a d e b c f", "a b c d e f c").tolist() == [2, 7]


def test_shifts_add_up():
    # Two misplaced blocks, in two shifts; if the second were applied to the original output, the
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
    # sacreBLEU's alignment substitutes both words; a shift is made anyway.
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
    # The same with one more trial, as in the notes, and with none that is greater.
    assert (trials + 1 + 1) / (trials + 1) > 1
    assert (0 + 1) / (trials + 1) < 0.05


# Article with an example in NLTK


@pytest.fixture(scope="session")
def cats() -> tuple[list[str], list[str]]:
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
    # Neither the first line of the article nor a sum of plain precisions yields it.
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
    # A word that is every eighth word of the references has three bits.
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


# The page


def test_every_erratum_names_a_test_that_is_there():
    text = ERRATA.read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| ") and "---" not in line]
    rows = [row for row in rows if not row.startswith("| what it states")]
    assert len(rows) > 25
    known = globals() | vars(test_errata_of_lectures)
    for row in rows:
        _, stated, right, shown_by, _ = (cell.strip() for cell in row.split("|"))
        assert stated and right
        [*named] = re.findall(r"`(test_\w+)`", shown_by)
        assert named or shown_by.startswith("(")
        assert all(callable(known.get(name)) for name in named), row
