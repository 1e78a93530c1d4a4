import sys
import tracemalloc

import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.scorers import get_scorer
from metrics.scorers.chrf import _WHITE_SPACE

from .oracle import agree, segments_agree
from .texts import corpora


@settings(max_examples=200, deadline=None)
@given(
    texts=corpora(),
    options=st.fixed_dictionaries(
        {},
        optional={
            "char_order": st.integers(1, 8),
            "word_order": st.integers(0, 3),
            "beta": st.integers(1, 3),
            "lowercase": st.booleans(),
            "whitespace": st.booleans(),
            "eps_smoothing": st.booleans(),
        },
    ),
)
def test_statistics_and_scores_are_sacrebleus(texts, options):
    metric = sacrebleu.CHRF(**options)
    scorer = get_scorer("chrf", **options)
    if options.get("beta", 2) == 2:  # sacreBLEU's signature does not say which beta
        agree(scorer, metric, *texts)
    segments_agree(scorer, metric, *texts)


def test_white_space_is_what_python_splits_at():
    every = [code for code in range(sys.maxunicode + 1) if chr(code).isspace()]
    assert every == _WHITE_SPACE
    text = "a" + "".join(map(chr, every)) + "b"
    stats = get_scorer("chrf").statistics([text], [["ab"]])
    assert stats[0, :6].tolist() == [2, 2, 2, 1, 1, 1]


def test_words_alone():
    scorer = get_scorer("chrf", char_order=0, word_order=1, beta=1)
    stats = scorer.statistics(["a b c"], [["a b d e"]])
    # Precision 2/3, recall 2/4, F1 = 2pr / (p + r) = 4/7.
    assert scorer.score(stats[0]) == pytest.approx(400 / 7)


def test_the_example_with_known_scores(golden):
    example = golden["chrf"]
    for slug, key in [("chrf", "chrf"), ("chrfpp", "chrfpp")]:
        scorer = get_scorer(slug)
        stats = scorer.statistics([example["hyp"]], [[example["ref"]]])
        assert scorer.segment_scores(stats).tolist() == pytest.approx([example[key]], abs=1e-6)


def test_labels_and_signatures():
    assert get_scorer("chrf").label == "chrF2"
    assert get_scorer("chrfpp").label == "chrF2++"
    assert get_scorer("chrf", beta=3, word_order=1).label == "chrF3+"
    assert get_scorer("chrfpp").signature(1).startswith("nrefs:1|case:mixed|eff:yes|nc:6|nw:2|")
    assert "|beta:3|" in get_scorer("chrf", beta=3).signature(1)


@pytest.mark.parametrize(
    "options",
    [
        {"char_order": -1},
        {"char_order": 0},
        {"word_order": "2"},
        {"beta": 0},
        {"beta": float("nan")},
    ],
)
def test_bad_options_are_refused(options):
    with pytest.raises(ValueError, match=r"must be|cannot both be 0"):
        get_scorer("chrf", **options)


def test_a_label_needs_no_table_of_characters():
    """Pages make a scorer for each stored score, only to name it."""
    tracemalloc.start()
    try:
        assert {get_scorer("chrf").label for _ in range(10)} == {"chrF2"}
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 1_000_000
