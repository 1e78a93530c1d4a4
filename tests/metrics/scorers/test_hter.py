import numpy as np
import pytest
import sacrebleu
from hypothesis import given, settings

from metrics.scorers import get_scorer
from tests.shared import read_tsv, shared_data

from .texts import corpora


@settings(max_examples=60, deadline=None)
@given(texts=corpora(max_references=1))
def test_with_one_post_edit_it_is_the_ter_of_sacrebleu(texts):
    hypotheses, post_edits = texts
    scorer = get_scorer("hter")
    stats = scorer.statistics(hypotheses, post_edits)
    expected = sacrebleu.TER().corpus_score(hypotheses, post_edits).score
    assert scorer.score(stats.sum(axis=0)) == pytest.approx(expected, rel=1e-12)


def test_published_hter_of_mlqe_pe():
    rows = read_tsv(shared_data("07_postedit_mlqepe_ro-en", "segments.ro-en.tsv.gz"))
    texts = [row["mt_tok"] for row in rows], [[row["pe_tok"] for row in rows]]
    published = 100 * np.array([float(row["hter_published"]) for row in rows])
    scorer = get_scorer("hter", capped=True)
    scores = scorer.segment_scores(scorer.statistics(*texts))
    assert len(scores) == 1000
    np.testing.assert_allclose(scores, published, atol=1e-4)  # published with six decimals
    scorer = get_scorer("hter")
    uncapped = scorer.segment_scores(scorer.statistics(*texts))
    # Without capping: the same, except for the segments capped at 100.
    assert np.array_equal(np.minimum(uncapped, 100), scores) and (uncapped > 100).sum() == 28


def test_hter_of_wmt13_and_its_correlation_with_judgments():
    folder = "08_postedit_da_wmt13"
    rows = read_tsv(shared_data(folder, "segments.tsv.gz"))
    computed = read_tsv(shared_data(folder, "computed_correlations.tsv"))
    assert len(computed) == 9
    for expected in computed:
        pair = [row for row in rows if row["lp"] == expected["lp"]]
        scorer = get_scorer("hter")
        stats = scorer.statistics(
            [row["mt_tok"] for row in pair], [[row["post_edit_tok"] for row in pair]]
        )
        scores = scorer.segment_scores(stats) / 100
        people = [float(row["da_z"]) for row in pair]
        assert len(pair) == int(expected["n"])
        assert scores.mean() == pytest.approx(float(expected["mean_HTER"]), abs=5e-5)
        r = np.corrcoef(scores, people)[0, 1]
        assert r == pytest.approx(float(expected["r_HTER_DA"]), abs=5e-5)


def test_the_nearest_post_edit_counts():
    # 1 edit of 4 words, 1 of 2, and nothing at all; the second output has only one post-edit.
    post_edits = [["a b c d", None], ["a x", None], [None, "e f"]]
    stats = get_scorer("hter").statistics(["a b c", "e"], post_edits)
    assert stats.tolist() == [[1, 4], [1, 2]]


def test_of_equally_near_post_edits_the_shorter_counts():
    for post_edits in ([["a b c d"], ["a x"]], [["a x"], ["a b c d"]]):
        stats = get_scorer("hter").statistics(["a b"], post_edits)
        assert stats.tolist() == [[1, 2]]


def test_capped_segment_by_segment():
    texts = ["a b c d", "e f"], [["x", "e y"]]
    assert get_scorer("hter").statistics(*texts).tolist() == [[4, 1], [1, 2]]
    scorer = get_scorer("hter", capped=True)
    stats = scorer.statistics(*texts)
    assert stats.tolist() == [[1, 1], [1, 2]]
    assert scorer.score(stats.sum(axis=0)) == pytest.approx(200 / 3)
    # Without words in the post-edit there is nothing to cap with: all error, as in TER.
    stats = scorer.statistics(["a b"], [[""]])
    assert stats.tolist() == [[2, 0]] and scorer.score(stats[0]) == 100


def test_options_are_those_of_ter_and_the_cap():
    scorer = get_scorer("hter", case_sensitive=True, capped=True)
    assert "case:mixed" in scorer.signature(1) and "cap:yes" in scorer.signature(1)
    assert scorer.targeted
    assert scorer.statistics(["The cat"], [["the cat"]]).tolist() == [[1, 2]]


def test_a_line_of_ten_thousand_words():
    reference = [f"w{n}" for n in range(10_000)]
    output = ["x" if n % 1000 == 7 else word for n, word in enumerate(reference)]
    stats = get_scorer("hter").statistics([" ".join(output)], [[" ".join(reference)]])
    assert stats.tolist() == [[10, 10_000]]
